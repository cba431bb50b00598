//! The unit's pins as the model sees them, and where RTL and model differ.

use lsu_model::micro_op::{
    CacheOperator, Command, DestinationWidth, L1Eviction, L2Eviction, LdcMode, Prefetch, Scope, Semantics, Space,
};
use lsu_model::pins::Outputs;
use lsu_model::preset::Preset;
use lsu_waves::{EnumId, Layout, Pin, Shape, Stories, Wave, WaveError};

use super::StoryError;
use super::output_pins::{OUTPUTS, Take};
use crate::engine::PinWords;
use crate::lockstep::StepView;
use crate::program::FAULT_CAUSES;
use crate::verilator::{self, Direction};

/// Groups whose name is not the first word of their pins' names.
const LONG_GROUPS: [&str; 4] = ["mem_req", "mem_rsp", "cluster_req", "cluster_rsp"];

/// The order of the groups in views: requests, results, memory, then the rest.
const FIRST_GROUPS: [&str; 7] = ["req", "wdata", "wb", "fault", "done", "mem_req", "mem_rsp"];

/// Where a pin's value comes from.
#[derive(Clone, Copy)]
enum Source {
    /// The input words, from this one on.
    Input {
        first: usize,
    },
    Output(Take),
}

struct StoryPin {
    source: Source,
    /// Its 32-bit words.
    count: usize,
    /// The gate that must be open for this one to mean anything, by its index.
    gate: Option<usize>,
}

/// A pin that says whether others mean anything.
struct Gate {
    /// Its index.
    pin: usize,
    is_open: bool,
    was_open: bool,
}

/// Shows the pins cycle by cycle.
pub(super) struct PinStory {
    pins: Vec<StoryPin>,
    gates: Vec<Gate>,
    inputs: PinWords,
    /// `diff.*` stands as it should while nothing differs.
    is_agreement_shown: bool,
}

impl PinStory {
    /// The pins of `preset`, their names and shapes first.
    pub(super) fn new(preset: &Preset, layout: &mut Layout) -> Result<(Vec<Pin>, Self), StoryError> {
        let ports = PinWords::standard_layout(preset);
        let names = PinNames::declare(layout)?;
        let source_of = |port: &verilator::Port| match port.direction {
            Direction::Input => Some(Source::Input { first: port.word_offset }),
            Direction::Output => {
                OUTPUTS.iter().find(|(name, _)| *name == port.name).map(|(_, take)| Source::Output(*take))
            }
        };
        let mut shown: Vec<_> = ports.ports().iter().filter_map(|port| Some((port, source_of(port)?))).collect();
        // The handshake of a group stands above its payload.
        shown.sort_by_key(|(port, _)| (rank(&port.name), is_payload(&port.name)));
        let mut declared = Vec::with_capacity(shown.len());
        let mut pins = Vec::with_capacity(shown.len());
        let mut gates: Vec<Gate> = Vec::new();
        for (port, source) in &shown {
            let valid = valid_of(&port.name);
            let pin = shown.iter().position(|(other, _)| is_payload(&port.name) && other.name == valid);
            let gate = pin.map(|pin| match gates.iter().position(|gate| gate.pin == pin) {
                Some(known) => known,
                None => {
                    // Open before, so that what is closed at first is shown as such.
                    gates.push(Gate { pin, is_open: true, was_open: true });
                    gates.len() - 1
                }
            });
            pins.push(StoryPin { source: *source, count: port.words(), gate });
            declared.push(Pin {
                name: port.name.clone(),
                group: group_of(&port.name).to_owned(),
                shape: names.shape(layout, &port.name, port.width),
                is_output: port.direction == Direction::Output,
            });
        }
        Ok((declared, Self { pins, gates, inputs: PinWords::new(preset, &ports)?, is_agreement_shown: false }))
    }

    /// Shows a cycle: `expected` of the engine that drives, and `found` of another that differs. With `is_probe` the
    /// pins of the device under test are shown as well.
    pub(super) fn show(&mut self, wave: &mut Wave, stories: &mut Stories, view: &StepView<'_>, is_probe: bool) {
        let StepView { cycle, expected, found, .. } = *view;
        self.inputs.drive(view.inputs);
        let inputs = self.inputs.input_words();
        let mut scratch = [0; 2];
        for gate in &mut self.gates {
            gate.was_open = gate.is_open;
            gate.is_open = self.pins[gate.pin].words(inputs, expected, &mut scratch)[0] != 0;
        }
        for (index, pin) in self.pins.iter().enumerate() {
            match pin.gate.map(|gate| &self.gates[gate]) {
                Some(Gate { is_open: false, was_open, .. }) => {
                    if *was_open {
                        stories.set_model_unknown(wave, index);
                    }
                }
                _ => stories.set_model(wave, index, pin.words(inputs, expected, &mut scratch)),
            }
            if is_probe {
                stories.set_dut(wave, index, pin.words(inputs, found.unwrap_or(expected), &mut scratch));
            }
        }
        match found {
            Some(found) => stories.set_differences(wave, cycle, |index| self.differs(index, expected, found)),
            None if !self.is_agreement_shown => stories.set_differences(wave, cycle, |_| false),
            None => {}
        }
        self.is_agreement_shown = found.is_none();
    }

    /// Whether an output pin differs; a payload does only while both call it valid.
    fn differs(&self, index: usize, expected: &Outputs, found: &Outputs) -> bool {
        let pin = &self.pins[index];
        let (mut one, mut other) = ([0; 2], [0; 2]);
        let mut is_valid =
            |outputs| pin.gate.is_none_or(|gate| self.pins[self.gates[gate].pin].words(&[], outputs, &mut one)[0] != 0);
        if matches!(pin.source, Source::Input { .. }) || !is_valid(expected) || !is_valid(found) {
            return false;
        }
        pin.words(&[], expected, &mut one) != pin.words(&[], found, &mut other)
    }
}

impl StoryPin {
    /// The pin's words, lowest first.
    #[inline]
    fn words<'a>(&self, inputs: &'a [u32], outputs: &'a Outputs, scratch: &'a mut [u32; 2]) -> &'a [u32] {
        match self.source {
            Source::Input { first } => &inputs[first..first + self.count],
            Source::Output(Take::Number(number)) => {
                let number = number(outputs);
                *scratch = [number as u32, (number >> 32) as u32];
                &scratch[..self.count]
            }
            // Lanes that the preset does not have are left out.
            Source::Output(Take::Words(words)) => &words(outputs)[..self.count],
        }
    }
}

/// The heading of a pin: `mem_req` for `mem_req_addr`, `wb` for `wb_rd`.
fn group_of(name: &str) -> &str {
    let is_in = |group: &&&str| name.strip_prefix(**group).is_some_and(|rest| rest.starts_with('_'));
    match LONG_GROUPS.iter().find(is_in) {
        Some(group) => group,
        None => name.split('_').next().unwrap_or(name),
    }
}

/// Where the group of a pin stands in a view.
fn rank(name: &str) -> usize {
    let group = group_of(name);
    FIRST_GROUPS.iter().position(|first| *first == group).unwrap_or(FIRST_GROUPS.len())
}

/// Whether a pin is no part of a handshake.
fn is_payload(name: &str) -> bool {
    name != valid_of(name) && !name.ends_with("_ready")
}

/// The pin that says whether `name` means anything.
fn valid_of(name: &str) -> String {
    if name.starts_with("cfg_bank_") {
        return "cfg_bank_write".to_owned();
    }
    format!("{}_valid", group_of(name))
}

/// Names for the codes on the pins, as the micro-op has them.
struct PinNames(Vec<(&'static str, EnumId)>);

impl PinNames {
    fn declare(layout: &mut Layout) -> Result<Self, WaveError> {
        macro_rules! names {
            ($kind:ident) => {
                $kind::ALL.iter().map(|variant| (u64::from(variant.code()), variant.name())).collect::<Vec<_>>()
            };
        }
        let causes = std::iter::once((0, "none")).chain(FAULT_CAUSES.map(|(name, code)| (u64::from(code), name)));
        let ops = (0..).zip(["load", "store", "ldc", "command"]).collect();
        let tables = [
            ("op", 2, ops),
            ("cmd", 2, names!(Command)),
            ("space", 3, names!(Space)),
            ("sem", 3, names!(Semantics)),
            ("scope", 2, names!(Scope)),
            ("cop", 3, names!(CacheOperator)),
            ("l1_evict", 3, names!(L1Eviction)),
            ("l2_evict", 2, names!(L2Eviction)),
            ("prefetch", 2, names!(Prefetch)),
            ("dst_width", 2, names!(DestinationWidth)),
            ("mode", 2, names!(LdcMode)),
            ("cause", 3, causes.collect()),
        ];
        let mut declared = Vec::with_capacity(tables.len());
        for (name, width, variants) in tables {
            declared.push((name, layout.enum_type(name, width, &variants)?));
        }
        Ok(Self(declared))
    }

    /// The shape of the pin `name` of `width` bits: `req_cop` and `mem_req_cop` are cache operators.
    fn shape(&self, layout: &Layout, name: &str, width: u32) -> Shape {
        let field = name[group_of(name).len()..].trim_start_matches('_');
        match self.0.iter().find(|(known, _)| *known == field) {
            Some((_, names)) if layout.enum_width(*names) == width => Shape::Enum(*names),
            _ if width == 1 => Shape::Flag,
            _ => Shape::Bits(width),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_have_a_group_and_a_valid() {
        for (name, group, valid) in [
            ("req_addr", "req", "req_valid"),
            ("mem_req_addr", "mem_req", "mem_req_valid"),
            ("status_ldc_hits", "status", "status_valid"),
            ("cfg_bank_base", "cfg", "cfg_bank_write"),
            ("rst", "rst", "rst_valid"),
        ] {
            assert_eq!((group_of(name), valid_of(name).as_str()), (group, valid));
        }
    }
}

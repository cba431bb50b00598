//! The unit's pins as the model sees them, and where RTL and model differ.

use std::ops::Range;

use lsu_model::codes::Codes;
use lsu_model::pins::{self, Direction, Pin};
use lsu_model::preset::Preset;
use lsu_waves::{EnumId, Layout, Shape, Stories, Wave, WaveError};

use super::StoryError;
use crate::engine::PinWords;
use crate::lockstep::StepView;
use crate::verilator;

/// The order of the groups in views: requests, results, memory, then the rest.
const FIRST_GROUPS: [&str; 7] = ["req", "wdata", "wb", "fault", "done", "mem_req", "mem_rsp"];

struct StoryPin {
    direction: Direction,
    /// Its 32-bit words among those of its direction.
    words: Range<usize>,
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
    expected: PinWords,
    /// The outputs of the engine that differs.
    found: PinWords,
    /// `diff.*` stands as it should while nothing differs.
    is_agreement_shown: bool,
}

impl PinStory {
    /// The pins of `preset`, their names and shapes first.
    pub(super) fn new(preset: &Preset, layout: &mut Layout) -> Result<(Vec<lsu_waves::Pin>, Self), StoryError> {
        let ports = PinWords::standard_layout(preset);
        let mut codes = PinCodes::default();
        let pins = pins::all();
        let pin_of = |port: &verilator::Port| pins.iter().find(|pin| pin.name == port.name);
        let mut shown: Vec<_> = ports.ports().iter().filter_map(|port| Some((port, pin_of(port)?))).collect();
        let is_gate = |name: &str| pins.iter().any(|pin| pin.gate == Some(name));
        // The handshake of a group stands above its payload.
        shown.sort_by_key(|(_, pin)| (rank(pin), !is_gate(pin.name) && !pin.name.ends_with("_ready")));
        let mut declared = Vec::with_capacity(shown.len());
        let mut story_pins = Vec::with_capacity(shown.len());
        let mut gates: Vec<Gate> = Vec::new();
        for (port, pin) in &shown {
            let gate_pin = pin.gate.and_then(|gate| shown.iter().position(|(_, other)| other.name == gate));
            let gate = gate_pin.map(|pin| match gates.iter().position(|gate| gate.pin == pin) {
                Some(known) => known,
                None => {
                    // Open before, so that what is closed at first is shown as such.
                    gates.push(Gate { pin, is_open: true, was_open: true });
                    gates.len() - 1
                }
            });
            let words = port.word_offset..port.word_offset + port.words();
            story_pins.push(StoryPin { direction: port.direction, words, gate });
            declared.push(lsu_waves::Pin {
                name: port.name.clone(),
                group: pin.group().to_owned(),
                shape: codes.shape(layout, pin, port.width)?,
                is_output: port.direction == Direction::Output,
            });
        }
        let expected = PinWords::new(preset, &ports)?;
        let found = expected.clone();
        Ok((declared, Self { pins: story_pins, gates, expected, found, is_agreement_shown: false }))
    }

    /// Shows a cycle: `expected` of the engine that drives, and `found` of another that differs. With `is_probe` the
    /// pins of the device under test are shown as well.
    pub(super) fn show(&mut self, wave: &mut Wave, stories: &mut Stories, view: &StepView<'_>, is_probe: bool) {
        let StepView { cycle, expected, found, .. } = *view;
        self.expected.drive(view.inputs);
        self.expected.show(expected);
        if let Some(found) = found {
            self.found.show(found);
        }
        for gate in &mut self.gates {
            gate.was_open = gate.is_open;
            gate.is_open = self.pins[gate.pin].words(&self.expected)[0] != 0;
        }
        for (index, pin) in self.pins.iter().enumerate() {
            match pin.gate.map(|gate| &self.gates[gate]) {
                Some(Gate { is_open: false, was_open, .. }) => {
                    if *was_open {
                        stories.set_model_unknown(wave, index);
                    }
                }
                _ => stories.set_model(wave, index, pin.words(&self.expected)),
            }
            if is_probe {
                let is_found = found.is_some() && pin.direction == Direction::Output;
                stories.set_dut(wave, index, pin.words(if is_found { &self.found } else { &self.expected }));
            }
        }
        match found {
            Some(_) => stories.set_differences(wave, cycle, |index| self.differs(index)),
            None if !self.is_agreement_shown => stories.set_differences(wave, cycle, |_| false),
            None => {}
        }
        self.is_agreement_shown = found.is_none();
    }

    /// Whether an output pin differs; a payload does only while both call it valid.
    fn differs(&self, index: usize) -> bool {
        let pin = &self.pins[index];
        let is_valid = |words| pin.gate.is_none_or(|gate| self.pins[self.gates[gate].pin].words(words)[0] != 0);
        pin.direction == Direction::Output
            && is_valid(&self.expected)
            && is_valid(&self.found)
            && pin.words(&self.expected) != pin.words(&self.found)
    }
}

impl StoryPin {
    /// The pin's words, lowest first.
    #[inline]
    fn words<'a>(&self, words: &'a PinWords) -> &'a [u32] {
        let all = match self.direction {
            Direction::Input => words.input_words(),
            Direction::Output => words.output_words(),
        };
        &all[self.words.clone()]
    }
}

/// Where the group of a pin stands in a view.
fn rank(pin: &Pin) -> usize {
    FIRST_GROUPS.iter().position(|first| *first == pin.group()).unwrap_or(FIRST_GROUPS.len())
}

/// Names for the codes on the pins, declared once for each enumeration.
#[derive(Default)]
struct PinCodes(Vec<(&'static Codes, EnumId)>);

impl PinCodes {
    /// The shape of a pin of `width` bits: `req_cop` and `mem_req_cop` are cache operators.
    fn shape(&mut self, layout: &mut Layout, pin: &Pin, width: u32) -> Result<Shape, WaveError> {
        let Some(codes) = pin.codes() else {
            return Ok(if width == 1 { Shape::Flag } else { Shape::Bits(width) });
        };
        if let Some((_, names)) = self.0.iter().find(|(known, _)| *known == codes) {
            return Ok(Shape::Enum(*names));
        }
        let variants: Vec<_> = codes.names.iter().map(|(code, name)| (u64::from(*code), *name)).collect();
        let names = layout.enum_type(pin.field(), codes.width, &variants)?;
        self.0.push((codes, names));
        Ok(Shape::Enum(names))
    }
}

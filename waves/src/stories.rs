//! The four standard stories of a dump under one naming.
//!
//! A pin called `wb_tag` is `dut.wb_tag` in the RTL, `model.wb_tag` in the golden model and, if it is an output,
//! `diff.wb_tag` where the two differ. `ops.*` holds one lane of readable text per warp or slot.

use std::fmt;

use crate::{EnumId, Layout, SignalId, TextId, Wave, WaveError};

/// Columns of an operation's text.
const LANE_COLUMNS: u32 = 96;

/// What a pin holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One bit.
    Flag,
    /// A vector of this many bits.
    Bits(u32),
    /// A counter of at most 64 bits, shown in decimal.
    Counter,
    /// A vector whose values have names.
    Enum(EnumId),
}

/// A port of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The port's name, for example `wb_tag`.
    pub name: String,
    /// Heading under which views show it, for example `wb`.
    pub group: String,
    /// What it holds.
    pub shape: Shape,
    /// Whether the unit drives it, so that RTL and model are compared.
    pub is_output: bool,
}

impl Pin {
    /// An input of the unit.
    pub fn input(group: &str, name: &str, shape: Shape) -> Self {
        Self { name: name.to_owned(), group: group.to_owned(), shape, is_output: false }
    }

    /// An output of the unit.
    pub fn output(group: &str, name: &str, shape: Shape) -> Self {
        Self { is_output: true, ..Self::input(group, name, shape) }
    }
}

/// Where `dut.*` comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DutSource {
    /// Verilator's trace, given to [`Wave::create`].
    Trace,
    /// The pins as the checker sees them, set by [`Stories::set_dut`].
    Probe,
    /// There is no device under test; neither `dut.*` nor `diff.*` exists.
    None,
}

/// Signals of a comparison.
#[derive(Clone, Copy, Debug)]
struct Difference {
    differs: SignalId,
    first: SignalId,
}

/// The declared stories; pins and lanes are named by their index in the lists given to [`Stories::declare`].
#[derive(Clone, Debug)]
pub struct Stories {
    pins: Vec<Pin>,
    model: Vec<SignalId>,
    dut: Vec<SignalId>,
    differences: Vec<Option<Difference>>,
    any: Option<Difference>,
    /// Cycle of the first difference of each pin.
    firsts: Vec<Option<u64>>,
    first: Option<u64>,
    lanes: Vec<TextId>,
    lane_names: Vec<String>,
}

impl Stories {
    /// Declares `model.*`, `ops.*`, and, where there is a device under test, `diff.*` and `dut.*`.
    ///
    /// `diff` holds a flag for each output pin, the cycle of its first difference as `<pin>_first`, and both for
    /// all of them as `any` and `any_first`.
    ///
    /// # Errors
    /// [`WaveError::Name`] and [`WaveError::Shape`] as for [`Layout`].
    pub fn declare(layout: &mut Layout, pins: Vec<Pin>, lanes: &[&str], dut: DutSource) -> Result<Self, WaveError> {
        let scope = layout.scope(None, "ops")?;
        let mut texts = Vec::new();
        for lane in lanes {
            texts.push(layout.text(scope, lane, LANE_COLUMNS)?);
        }
        let mut any = None;
        let mut differences = vec![None; pins.len()];
        if dut != DutSource::None {
            let scope = layout.scope(None, "diff")?;
            let mut declare = |name: &str| -> Result<Difference, WaveError> {
                let differs = layout.flag(scope, name)?;
                Ok(Difference { differs, first: layout.integer(scope, &format!("{name}_first"))? })
            };
            any = Some(declare("any")?);
            for (pin, difference) in pins.iter().zip(&mut differences) {
                if pin.is_output {
                    *difference = Some(declare(&pin.name)?);
                }
            }
        }
        let dut = if dut == DutSource::Probe { declare_pins(layout, "dut", &pins)? } else { Vec::new() };
        let model = declare_pins(layout, "model", &pins)?;
        let firsts = vec![None; pins.len()];
        let lane_names = lanes.iter().map(|&lane| lane.to_owned()).collect();
        Ok(Self { pins, model, dut, differences, any, firsts, first: None, lanes: texts, lane_names })
    }

    /// The pins, in the order given.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The names of the lanes of `ops`, in the order given.
    pub fn lanes(&self) -> &[String] {
        &self.lane_names
    }

    /// Sets `model.<pin>`; words lowest first.
    pub fn set_model(&self, wave: &mut Wave, pin: usize, words: &[u32]) {
        wave.set(self.model[pin], words);
    }

    /// Sets `dut.<pin>`; words lowest first. Without [`DutSource::Probe`] there is no such signal, and nothing happens.
    pub fn set_dut(&self, wave: &mut Wave, pin: usize, words: &[u32]) {
        if let Some(&signal) = self.dut.get(pin) {
            wave.set(signal, words);
        }
    }

    /// Marks the model's payload as meaningless while its `valid` is low.
    pub fn set_model_unknown(&self, wave: &mut Wave, pin: usize) {
        wave.set_unknown(self.model[pin]);
    }

    /// Sets `diff.*` of one cycle: `differs` says for a pin's index whether RTL and model differ in it.
    pub fn set_differences(&mut self, wave: &mut Wave, cycle: u64, differs: impl Fn(usize) -> bool) {
        let mut is_any = false;
        for (pin, difference) in self.differences.iter().enumerate() {
            let Some(difference) = difference else {
                continue;
            };
            let is_different = differs(pin);
            is_any |= is_different;
            note(wave, *difference, is_different, cycle, &mut self.firsts[pin]);
        }
        if let Some(any) = self.any {
            note(wave, any, is_any, cycle, &mut self.first);
        }
    }

    /// Cycle of the first difference in any pin.
    pub fn first_difference(&self) -> Option<u64> {
        self.first
    }

    /// Sets the text of a lane of `ops`; `""` while nothing is in flight there.
    pub fn set_operation(&self, wave: &mut Wave, lane: usize, text: &str) {
        wave.set_text(self.lanes[lane], text);
    }
}

fn note(wave: &mut Wave, difference: Difference, is_different: bool, cycle: u64, first: &mut Option<u64>) {
    wave.set_flag(difference.differs, is_different);
    if is_different && first.is_none() {
        *first = Some(cycle);
        wave.set_number(difference.first, cycle);
    }
}

fn declare_pins(layout: &mut Layout, scope: &str, pins: &[Pin]) -> Result<Vec<SignalId>, WaveError> {
    let scope = layout.scope(None, scope)?;
    let declare = |pin: &Pin| match pin.shape {
        Shape::Flag => layout.flag(scope, &pin.name),
        Shape::Bits(width) => layout.bits(scope, &pin.name, width),
        Shape::Counter => layout.integer(scope, &pin.name),
        Shape::Enum(names) => layout.enumeration(scope, &pin.name, names),
    };
    pins.iter().map(declare).collect()
}

/// How far an operation is, as the text of its lane: `LDC.64 w3 pass 2/4 hit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Offered at the request port and not yet accepted.
    Request,
    /// Accepted, before its first pass or wavefront.
    Accepted,
    /// A pass or wavefront was served by the cache.
    Hit {
        /// Which one, from 1.
        pass: u32,
        /// How many the operation takes.
        passes: u32,
    },
    /// A pass or wavefront waits for memory.
    Miss {
        /// Which one, from 1.
        pass: u32,
        /// How many the operation takes.
        passes: u32,
    },
    /// The line of a miss has come.
    Fill {
        /// Which pass waited for it, from 1.
        pass: u32,
        /// How many the operation takes.
        passes: u32,
    },
    /// A register is written back.
    WriteBack {
        /// The register.
        register: u8,
    },
    /// The operation ended in a fault.
    Fault(&'static str),
    /// The operation is complete.
    Done,
}

impl Step {
    /// The lane's text for an instruction of a warp.
    pub fn text(self, instruction: &str, warp: u32) -> String {
        format!("{instruction} w{warp} {self}")
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Request => write!(formatter, "request"),
            Step::Accepted => write!(formatter, "accepted"),
            Step::Hit { pass, passes } => write!(formatter, "pass {pass}/{passes} hit"),
            Step::Miss { pass, passes } => write!(formatter, "pass {pass}/{passes} miss"),
            Step::Fill { pass, passes } => write!(formatter, "pass {pass}/{passes} fill"),
            Step::WriteBack { register } => write!(formatter, "write-back R{register}"),
            Step::Fault(cause) => write!(formatter, "fault {cause}"),
            Step::Done => write!(formatter, "done"),
        }
    }
}

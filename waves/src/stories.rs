//! The four standard stories of a dump under one naming.
//!
//! A pin called `wb_tag` is `dut.wb_tag` in the RTL, `model.wb_tag` in the golden model and, if it is an output,
//! `diff.wb_tag` where the two differ. `ops.*` holds one lane of readable text per warp or slot.

use crate::{EnumId, Layout, ScopeId, SignalId, TextId, Wave, WaveError};

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
    model_scope: Option<ScopeId>,
    model: Vec<SignalId>,
    dut: Vec<SignalId>,
    differences: Vec<Option<Difference>>,
    any: Option<Difference>,
    /// Cycle of the first difference of each pin.
    firsts: Vec<Option<u64>>,
    first: Option<u64>,
    lanes: Vec<TextId>,
    lane_names: Vec<String>,
    histories: Vec<History>,
}

/// What a pin has done so far.
#[derive(Clone, Debug, Default)]
struct History {
    last: Vec<u32>,
    is_set: bool,
    is_unknown: bool,
    was_unknown: bool,
    /// It was something other than 0.
    is_used: bool,
    has_changed: bool,
}

impl History {
    /// Takes note of a value; whether it is a new one.
    fn note(&mut self, words: &[u32]) -> bool {
        let was_unknown = std::mem::replace(&mut self.is_unknown, false);
        let is_same = match (self.last.as_slice(), words) {
            ([last], [word]) => last == word,
            (last, words) => last == words,
        };
        if self.is_set && is_same {
            return was_unknown;
        }
        self.has_changed |= self.is_set;
        self.is_set = true;
        self.is_used |= words.iter().any(|&word| word != 0);
        self.last.clear();
        self.last.extend_from_slice(words);
        true
    }

    /// Takes note that the value means nothing; whether that is new.
    fn note_unknown(&mut self) -> bool {
        self.was_unknown = true;
        !std::mem::replace(&mut self.is_unknown, true)
    }
}

impl Stories {
    /// Declares `ops.*`, `model.*` where there is a model, `diff.*` where there is a device under test beside it, and
    /// `dut.*` unless that comes from the trace.
    ///
    /// `diff` holds a flag for each output pin, the cycle of its first difference as `<pin>_first`, and both for
    /// all of them as `any` and `any_first`.
    ///
    /// # Errors
    /// [`WaveError::Name`] and [`WaveError::Shape`] as for [`Layout`].
    pub fn declare(
        layout: &mut Layout,
        pins: Vec<Pin>,
        lanes: &[impl AsRef<str>],
        dut: DutSource,
        has_model: bool,
    ) -> Result<Self, WaveError> {
        let scope = layout.scope(None, "ops")?;
        let mut texts = Vec::new();
        for lane in lanes {
            texts.push(layout.text(scope, lane.as_ref(), LANE_COLUMNS)?);
        }
        let mut any = None;
        let mut differences = vec![None; pins.len()];
        if has_model && dut != DutSource::None {
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
        let mut model_scope = None;
        let (mut dut_pins, mut model) = (Vec::new(), Vec::new());
        if dut == DutSource::Probe {
            let scope = layout.scope(None, "dut")?;
            dut_pins = declare_pins(layout, scope, &pins)?;
        }
        if has_model {
            let scope = layout.scope(None, "model")?;
            model_scope = Some(scope);
            model = declare_pins(layout, scope, &pins)?;
        }
        let histories = vec![History::default(); pins.len()];
        let firsts = vec![None; pins.len()];
        let lane_names = lanes.iter().map(|lane| lane.as_ref().to_owned()).collect();
        Ok(Self {
            pins,
            model_scope,
            model,
            dut: dut_pins,
            differences,
            any,
            firsts,
            first: None,
            lanes: texts,
            lane_names,
            histories,
        })
    }

    /// The pins, in the order given.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The scope `model`, for more of the model's state, where there is a model.
    pub fn model_scope(&self) -> Option<ScopeId> {
        self.model_scope
    }

    /// The names of the lanes of `ops`, in the order given.
    pub fn lanes(&self) -> &[String] {
        &self.lane_names
    }

    /// Sets `model.<pin>`; words lowest first. Without a model there is no such signal, and nothing is shown.
    pub fn set_model(&mut self, wave: &mut Wave, pin: usize, words: &[u32]) {
        if let (true, Some(&signal)) = (self.histories[pin].note(words), self.model.get(pin)) {
            wave.set(signal, words);
        }
    }

    /// Sets `dut.<pin>`; words lowest first. Without [`DutSource::Probe`] there is no such signal, and nothing is shown.
    pub fn set_dut(&mut self, wave: &mut Wave, pin: usize, words: &[u32]) {
        if let Some(&signal) = self.dut.get(pin) {
            wave.set(signal, words);
        }
    }

    /// Marks the model's payload as meaningless while its `valid` is low.
    pub fn set_model_unknown(&mut self, wave: &mut Wave, pin: usize) {
        if let (true, Some(&signal)) = (self.histories[pin].note_unknown(), self.model.get(pin)) {
            wave.set_unknown(signal);
        }
    }

    /// Whether a pin has told nothing so far: it never meant anything, was always 0, or always the same while it always
    /// meant something. Views fold such pins away.
    pub fn is_quiet(&self, pin: usize) -> bool {
        let History { is_set, was_unknown, is_used, has_changed, .. } = self.histories[pin];
        let is_told = if is_set { is_used && (has_changed || was_unknown) } else { !was_unknown };
        !self.differs(pin) && !is_told
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

    /// Whether RTL and model have ever differed in a pin.
    pub fn differs(&self, pin: usize) -> bool {
        self.firsts[pin].is_some()
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

fn declare_pins(layout: &mut Layout, scope: ScopeId, pins: &[Pin]) -> Result<Vec<SignalId>, WaveError> {
    let declare = |pin: &Pin| match pin.shape {
        Shape::Flag => layout.flag(scope, &pin.name),
        Shape::Bits(width) => layout.bits(scope, &pin.name, width),
        Shape::Counter => layout.integer(scope, &pin.name),
        Shape::Enum(names) => layout.enumeration(scope, &pin.name, names),
    };
    pins.iter().map(declare).collect()
}

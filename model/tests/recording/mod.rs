//! What a unit did at its pins, cycle by cycle, as a file: written by the example `record` of the crate `lsu-cosim`, read by the
//! test `replay`.
//!
//! The file begins with the name of the preset and a line feed. Then come the traces, each with its case, its unit, its cycles and
//! its bytes (four little-endian 32-bit words), and then the cycles. A cycle is the number of words that differ from those of the
//! cycle before (16 bits), and of each of them its place (16 bits) and its value (32 bits); before the first cycle all words are 0.

#![allow(dead_code)] // the one writes, the other reads

use std::io::{self, BufRead, Read, Write};

use lsu_model::pins::{Bundle, Inputs, Outputs, Slot, Value};

/// Calls `$each` with every bundle of the inputs, as it is or to be changed.
macro_rules! input_bundles {
    ($inputs:expr, $each:ident, $visitor:expr) => {
        $inputs.$each($visitor);
        $inputs.req.$each($visitor);
        $inputs.wdata.$each($visitor);
        $inputs.mem_rsp.$each($visitor);
        $inputs.cluster_rsp.$each($visitor);
        $inputs.serve_req.$each($visitor);
        $inputs.bank_write.$each($visitor);
        $inputs.windows.$each($visitor);
    };
}

/// Appends the words of a value, the lowest first.
fn push(words: &mut Vec<u32>, value: Value<'_>) {
    let mut long = |value: u64| words.extend([value as u32, (value >> u32::BITS) as u32]);
    match value {
        Value::Long(value) => long(value),
        Value::Lanes(values) => values.iter().copied().for_each(long),
        Value::Word(word) => words.push(word),
        Value::Words(values) => words.extend_from_slice(values),
    }
}

/// Appends the words of all inputs.
pub fn push_inputs(words: &mut Vec<u32>, inputs: &Inputs) {
    input_bundles!(inputs, each, |value: Value<'_>| push(words, value));
}

/// Fills all inputs with the first of `words`; how many these are.
pub fn fill_inputs(inputs: &mut Inputs, words: &[u32]) -> usize {
    let mut place = 0;
    let mut next = || {
        place += 1;
        words[place - 1]
    };
    let mut fill = |slot: Slot<'_>| match slot {
        Slot::Flag(flag) => *flag = next() != 0,
        Slot::Byte(byte) => *byte = next() as u8,
        Slot::Word(word) => *word = next(),
        Slot::Long(long) => *long = u64::from(next()) | u64::from(next()) << u32::BITS,
        Slot::Words(words) => words.fill_with(&mut next),
        Slot::Lanes(longs) => longs.fill_with(|| u64::from(next()) | u64::from(next()) << u32::BITS),
    };
    input_bundles!(inputs, each_mut, &mut fill);
    place
}

/// Appends the words of all outputs; those of a payload whose `valid` is low are 0, as they do not count.
pub fn push_outputs(words: &mut Vec<u32>, outputs: &Outputs) {
    fn payload(words: &mut Vec<u32>, is_valid: bool, bundle: &impl Bundle) {
        let begin = words.len();
        bundle.each(|value: Value<'_>| push(words, value));
        if !is_valid {
            words[begin..].fill(0);
        }
    }
    payload(words, true, outputs);
    payload(words, outputs.wb_valid, &outputs.wb);
    payload(words, outputs.fault_valid, &outputs.fault);
    payload(words, outputs.done_valid, &outputs.done);
    payload(words, outputs.mem_req_valid, &outputs.mem_req);
    payload(words, outputs.cluster_req_valid, &outputs.cluster_req);
    payload(words, outputs.serve_rsp_valid, &outputs.serve_rsp);
    payload(words, true, &outputs.status);
}

/// The pin of each word of the outputs.
pub fn output_names() -> Vec<&'static str> {
    fn of<B: Bundle>(all: &mut Vec<&'static str>, bundle: &B) {
        let mut pins = B::PINS.iter();
        bundle.each(|value: Value<'_>| {
            let mut words = vec![];
            push(&mut words, value);
            all.extend(pins.next().into_iter().flat_map(|pin| vec![pin.name; words.len()]));
        });
    }
    let (mut all, outputs) = (vec![], Outputs::default());
    of(&mut all, &outputs);
    of(&mut all, &outputs.wb);
    of(&mut all, &outputs.fault);
    of(&mut all, &outputs.done);
    of(&mut all, &outputs.mem_req);
    of(&mut all, &outputs.cluster_req);
    of(&mut all, &outputs.serve_rsp);
    of(&mut all, &outputs.status);
    all
}

/// What one unit did in one case.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The case of the check.
    pub case: u32,
    /// The unit.
    pub sm: u32,
    cycles: u32,
    bytes: Vec<u8>,
    /// The words of the cycle before.
    last: Vec<u32>,
}

impl Trace {
    /// An empty one.
    pub fn new(case: u32, sm: u32) -> Self {
        Self { case, sm, ..Self::default() }
    }

    /// Appends a cycle.
    pub fn push(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let mut words = Vec::with_capacity(self.last.len());
        push_inputs(&mut words, inputs);
        push_outputs(&mut words, outputs);
        self.last.resize(words.len(), 0);
        let changed = || self.last.iter().zip(&words).enumerate().filter(|(_, (last, word))| last != word);
        self.bytes.extend((changed().count() as u16).to_le_bytes());
        for (place, (_, word)) in changed() {
            self.bytes.extend((place as u16).to_le_bytes());
            self.bytes.extend(word.to_le_bytes());
        }
        self.last = words;
        self.cycles += 1;
    }

    /// Writes it behind others; its bytes.
    pub fn write(&self, file: &mut impl Write) -> io::Result<usize> {
        for word in [self.case, self.sm, self.cycles, self.bytes.len() as u32] {
            file.write_all(&word.to_le_bytes())?;
        }
        file.write_all(&self.bytes)?;
        Ok(self.bytes.len())
    }

    /// The next one of `file`; none at its end.
    pub fn read(file: &mut impl BufRead) -> io::Result<Option<Self>> {
        if file.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut word = || {
            let mut bytes = [0; 4];
            file.read_exact(&mut bytes).map(|()| u32::from_le_bytes(bytes))
        };
        let (case, sm, cycles, length) = (word()?, word()?, word()?, word()?);
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes)?;
        Ok(Some(Self { case, sm, cycles, bytes, last: vec![] }))
    }

    /// Calls `each` with every cycle, and its `words` words: those of the inputs, then those of the outputs.
    ///
    /// # Errors
    /// The bytes end before the cycles do.
    pub fn each(&self, words: usize, mut each: impl FnMut(u32, &[u32])) -> io::Result<()> {
        let mut bytes = self.bytes.as_slice();
        let mut present = vec![0; words];
        for cycle in 0..self.cycles {
            for _ in 0..u16::from_le_bytes(next(&mut bytes)?) {
                let place = u16::from_le_bytes(next(&mut bytes)?);
                present[usize::from(place)] = u32::from_le_bytes(next(&mut bytes)?);
            }
            each(cycle, &present);
        }
        Ok(())
    }
}

/// The next bytes.
fn next<const N: usize>(bytes: &mut &[u8]) -> io::Result<[u8; N]> {
    let mut taken = [0; N];
    bytes.read_exact(&mut taken)?;
    Ok(taken)
}

//! Toggles of the Verilog: which bits of its signals have risen and have fallen, read off the wave of the Verilated unit, which has every
//! signal in it, however wide. (Verilator's own count of them makes a model of 80 MB of C++ even of the smallest unit.)
//!
//! All instances of a module are one. Left out are constants, the variables of loops, the wires that say what is not looked at, and the words
//! of memories, whose ports count.

use std::collections::BTreeMap;
use std::io;

use lsu_hdl::verilog::EmittedModule;
use vcd::ScopeItem;

/// What is measured, by name, and how often each was met: one count, or one for each bit of a signal, bit 0 first.
pub type Points = BTreeMap<String, Vec<u64>>;

/// Bits of a word.
const WORD: usize = 64;

/// What an instance is an instance of: by the module around it and its own name there, in a loop with the loop's.
#[derive(Clone, Debug, Default)]
pub struct Instances(BTreeMap<(String, String), String>);

impl Instances {
    /// Those of `modules`.
    pub fn of(modules: &[EmittedModule]) -> Self {
        let mut instances = BTreeMap::new();
        for module in modules {
            let mut within = None;
            for line in module.text.lines() {
                let line = line.trim();
                if let Some((_, name)) = line.split_once("begin : ").filter(|_| line.starts_with("for (")) {
                    within = Some(name);
                }
                let Some((child, name)) = line.strip_suffix(" (").and_then(|line| line.split_once(' ')) else {
                    continue;
                };
                if module.children.iter().any(|known| known == child) {
                    let name = match within.filter(|_| name == "unit") {
                        Some(within) => format!("{within}.{name}"),
                        None => name.to_owned(),
                    };
                    instances.insert((module.name.clone(), name), child.to_owned());
                }
            }
        }
        Self(instances)
    }

    /// The module of instance `path` of `module`.
    fn get(&self, module: &str, path: &str) -> Option<&str> {
        self.0.get(&(module.to_owned(), path.to_owned())).map(String::as_str)
    }
}

/// A signal of a module, and where its bits begin among all.
#[derive(Clone, Debug)]
struct Signal {
    name: String,
    width: usize,
    first: usize,
}

/// What one code of a wave stands for.
#[derive(Clone, Debug, Default)]
struct Wire {
    width: usize,
    /// Where its value stands.
    value: usize,
    /// Where the bits begin that it toggles, in words.
    bits: Vec<usize>,
    is_known: bool,
}

/// Reads a wave piece by piece.
#[derive(Debug)]
pub struct Toggles {
    instances: Instances,
    top: String,
    /// What has come and is not read yet.
    text: Vec<u8>,
    has_header: bool,
    signals: Vec<Signal>,
    /// By the number of the code.
    wires: Vec<Wire>,
    values: Vec<u64>,
    /// A bit for each of each signal.
    risen: Vec<u64>,
    fallen: Vec<u64>,
    error: Option<String>,
}

impl Toggles {
    /// Of a wave whose outermost module is `top`.
    pub fn new(instances: Instances, top: &str) -> Self {
        Self {
            instances,
            top: top.to_owned(),
            text: Vec::new(),
            has_header: false,
            signals: Vec::new(),
            wires: Vec::new(),
            values: Vec::new(),
            risen: Vec::new(),
            fallen: Vec::new(),
            error: None,
        }
    }

    /// The next piece.
    pub fn read(&mut self, piece: &[u8]) {
        if self.error.is_some() {
            return;
        }
        self.text.extend_from_slice(piece);
        if !self.has_header {
            const END: &[u8] = b"$enddefinitions $end\n";
            let Some(end) = self.text.windows(END.len()).position(|window| window == END) else { return };
            let rest = self.text.split_off(end + END.len());
            let header = std::mem::replace(&mut self.text, rest);
            if let Err(error) = self.declare(&header) {
                self.error = Some(error.to_string());
                return;
            }
            self.has_header = true;
        }
        let whole = self.text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = std::mem::take(&mut self.text);
        for line in text[..whole].split(|byte| *byte == b'\n') {
            self.change(line);
        }
        self.text.extend_from_slice(&text[whole..]);
    }

    /// The signals by `MODULE.SIGNAL`, and of each bit, bit 0 first, 1 if it has risen and has fallen.
    ///
    /// # Errors
    /// The wave could not be read, for the reason that is given.
    pub fn hits(&self) -> Result<Points, String> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let is_met = |bit: usize| self.risen[bit / WORD] & self.fallen[bit / WORD] & 1 << (bit % WORD) != 0;
        let hits =
            |signal: &Signal| (0..signal.width).map(|bit| u64::from(is_met(signal.first * WORD + bit))).collect();
        Ok(self.signals.iter().map(|signal| (signal.name.clone(), hits(signal))).collect())
    }

    fn declare(&mut self, header: &[u8]) -> io::Result<()> {
        let header = vcd::Parser::new(header).parse_header()?;
        let mut known = BTreeMap::new();
        let top = self.top.clone();
        // Verilator's outermost scope is nameless or its own; the unit lies in it.
        let mut outer: Vec<&[ScopeItem]> = vec![&header.items];
        while let Some(items) = outer.pop() {
            for item in items {
                let ScopeItem::Scope(scope) = item else { continue };
                if scope.identifier == top {
                    self.scope(&scope.items, &top, "", &mut known);
                    return Ok(());
                }
                outer.push(&scope.items);
            }
        }
        Err(io::Error::other(format!("the wave has no module {top}")))
    }

    /// The signals in a scope at `path` of `module`.
    fn scope(&mut self, items: &[ScopeItem], module: &str, path: &str, known: &mut BTreeMap<String, usize>) {
        for item in items {
            match item {
                ScopeItem::Var(var) => {
                    let name = &var.reference;
                    let is_constant = !name.contains(|letter: char| letter.is_ascii_lowercase());
                    if !is_constant && name != "unused" && !name.contains(['[', '(']) {
                        let width = var.size as usize;
                        self.signal(var.code, width, format!("{module}.{path}{name}"), known);
                    }
                }
                ScopeItem::Scope(scope) => {
                    let plain = scope.identifier.split('[').next().unwrap_or_default();
                    // Variables of loops.
                    if plain.ends_with("_logic") || plain == "power_up" {
                        continue;
                    }
                    let path = format!("{path}{plain}");
                    match self.instances.get(module, &path).map(str::to_owned) {
                        Some(child) => self.scope(&scope.items, &child, "", known),
                        None => self.scope(&scope.items, module, &format!("{path}."), known),
                    }
                }
                _ => {}
            }
        }
    }

    fn signal(&mut self, code: vcd::IdCode, width: usize, name: String, known: &mut BTreeMap<String, usize>) {
        let words = width.div_ceil(WORD);
        let first = *known.entry(name.clone()).or_insert_with(|| {
            let first = self.risen.len();
            self.signals.push(Signal { name, width, first });
            self.risen.resize(first + words, 0);
            self.fallen.resize(first + words, 0);
            first
        });
        let number = number(code.to_string().as_bytes());
        if self.wires.len() <= number {
            self.wires.resize_with(number + 1, Wire::default);
        }
        let wire = &mut self.wires[number];
        if wire.bits.is_empty() {
            (wire.width, wire.value) = (width, self.values.len());
            self.values.resize(self.values.len() + words, 0);
        }
        if !wire.bits.contains(&first) {
            wire.bits.push(first);
        }
    }

    /// A line behind the header: a new value, or something else.
    fn change(&mut self, line: &[u8]) {
        let (digits, code) = match line {
            [b'b', rest @ ..] => match rest.iter().position(|byte| *byte == b' ') {
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => return,
            },
            [b'0' | b'1', code @ ..] => (&line[..1], code),
            _ => return,
        };
        let Some(wire) = self.wires.get_mut(number(code)).filter(|wire| !wire.bits.is_empty()) else { return };
        // The last digits are bit 0 and up; those that are left out are 0.
        let mut chunks = digits.rchunks(WORD);
        for word in 0..wire.width.div_ceil(WORD) {
            let digits = chunks.next().unwrap_or_default();
            let new = digits.iter().fold(0, |value, digit| value << 1 | u64::from(digit & 1));
            let old = std::mem::replace(&mut self.values[wire.value + word], new);
            if old == new || !wire.is_known {
                continue;
            }
            for first in &wire.bits {
                self.risen[first + word] |= new & !old;
                self.fallen[first + word] |= old & !new;
            }
        }
        wire.is_known = true;
    }
}

/// The number that a code of printable characters stands for.
fn number(code: &[u8]) -> usize {
    code.iter().rev().fold(0, |number, letter| number * 95 + usize::from(letter.wrapping_sub(b' ') % 95))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "$timescale 1ns $end
$scope module TOP $end
 $var wire 1 ! clk $end
 $scope module lsu $end
  $var wire 1 ! clk $end
  $var wire 70 # wide [69:0] $end
  $var wire 3 $ KIND [2:0] $end
  $var wire 8 % words[0] [7:0] $end
  $scope module first $end
   $var wire 2 & held [1:0] $end
  $upscope $end
  $scope module pair[1] $end
   $scope module unit $end
    $var wire 2 ' held [1:0] $end
   $upscope $end
  $upscope $end
  $scope module next_logic $end
   $var wire 32 ( i [31:0] $end
  $upscope $end
 $upscope $end
$upscope $end
$enddefinitions $end
";

    fn instances() -> Instances {
        let of = |name: &str| ("lsu".to_owned(), name.to_owned());
        Instances([(of("first"), "lsu_fifo".to_owned()), (of("pair.unit"), "lsu_fifo".to_owned())].into())
    }

    #[test]
    fn a_bit_has_to_rise_and_fall_and_instances_are_one() {
        let high = format!("b1{}1 #\n", "0".repeat(68));
        let low = format!("b{} #\n", "0".repeat(70));
        let wave = format!("{HEADER}#0\n0!\n{low}b00 &\nb01 '\n#1\n1!\n{high}b01 &\nb00 '\n#2\n{low}#3\nb00 &\n");
        // Whatever the pieces are.
        for piece in [1, 7, wave.len()] {
            let mut toggles = Toggles::new(instances(), "lsu");
            wave.as_bytes().chunks(piece).for_each(|piece| toggles.read(piece));
            let mut wide = vec![0; 70];
            (wide[0], wide[69]) = (1, 1);
            // The clock has only risen, bit 1 of the queues has not moved; of bit 0 the first instance has risen and fallen.
            let expected = [("lsu.clk", vec![0]), ("lsu.wide", wide), ("lsu_fifo.held", vec![1, 0])];
            let expected: Points = expected.into_iter().map(|(name, bits)| (name.to_owned(), bits)).collect();
            assert_eq!(toggles.hits(), Ok(expected), "pieces of {piece}");
        }
    }

    #[test]
    fn instances_in_loops_have_the_loops_name() {
        let text = "module lsu (
    lsu_fifo first (
        for (index = 0; index < 4; index = index + 1) begin : pair
            lsu_fifo unit (
endmodule";
        let module = |name: &str, text: &str, children: &[&str]| EmittedModule {
            name: name.to_owned(),
            block: name.to_owned(),
            comment: None,
            is_memory: false,
            memories: Vec::new(),
            ports: Vec::new(),
            text: text.to_owned(),
            children: children.iter().map(|child| (*child).to_owned()).collect(),
        };
        let found = Instances::of(&[module("lsu", text, &["lsu_fifo"]), module("lsu_fifo", "", &[])]);
        assert_eq!(found.0, instances().0);
    }

    #[test]
    fn a_wave_of_something_else_is_refused() {
        let mut toggles = Toggles::new(instances(), "other");
        toggles.read(HEADER.as_bytes());
        assert_eq!(toggles.hits(), Err("the wave has no module other".to_owned()));
    }
}

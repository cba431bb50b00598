//! The ports of a Verilated top and where each stands in the words that cross the language border.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::error::Error;

pub use lsu_model::pins::Direction;

/// One port of the top module, the clock excepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name in the Verilog.
    pub name: String,
    /// Its width in bits, at least 1.
    pub width: u32,
    /// Which way it goes.
    pub direction: Direction,
    /// Its first word in the input words or the output words, according to its direction; the least significant
    /// 32 bits come first.
    pub word_offset: usize,
}

impl Port {
    /// How many 32-bit words it occupies.
    pub fn words(&self) -> usize {
        words(self.width)
    }
}

/// How many 32-bit words hold `width` bits.
pub(super) fn words(width: u32) -> usize {
    width.div_ceil(32) as usize
}

/// All ports of a top module. Inputs and outputs are two separate runs of words; within each, ports stand in order
/// of their names, so that two Verilog files with the same ports have the same layout whatever their order and
/// whatever the version of Verilator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    ports: Vec<Port>,
    clock: Option<String>,
    input_words: usize,
    output_words: usize,
}

impl Layout {
    /// The layout of the given ports. A 1-bit input named `clk`, or else `clock`, is the clock: it is driven by the
    /// binding and has no words.
    pub fn new<'a>(ports: impl IntoIterator<Item = (&'a str, u32, Direction)>) -> Layout {
        let mut ports: Vec<_> = ports.into_iter().collect();
        ports.sort_by_key(|&(name, _, direction)| (direction, name));
        let clock = ["clk", "clock"].into_iter().find(|&name| ports.contains(&(name, 1, Direction::Input)));
        let mut layout = Layout { ports: Vec::new(), clock: clock.map(str::to_owned), input_words: 0, output_words: 0 };
        for (name, width, direction) in ports.into_iter().filter(|&(name, ..)| Some(name) != clock) {
            let next = match direction {
                Direction::Input => &mut layout.input_words,
                Direction::Output => &mut layout.output_words,
            };
            layout.ports.push(Port { name: name.to_owned(), width, direction, word_offset: *next });
            *next += words(width);
        }
        layout
    }

    /// The ports without the clock: inputs first, each direction in order of names.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// The port named `name`; the clock is none.
    pub fn port(&self, name: &str) -> Option<&Port> {
        self.ports.iter().find(|port| port.name == name)
    }

    /// The clock's name, or `None` for a purely combinational top.
    pub fn clock(&self) -> Option<&str> {
        self.clock.as_deref()
    }

    /// How many words all inputs occupy.
    pub fn input_words(&self) -> usize {
        self.input_words
    }

    /// How many words all outputs occupy.
    pub fn output_words(&self) -> usize {
        self.output_words
    }

    /// Checks that the top has exactly the ports `expected` (name, width in bits, direction), the clock included
    /// when it is meant to have one; the order is free.
    ///
    /// # Errors
    /// [`Error::PortMismatch`], which names every port that is missing, unexpected or different.
    pub fn check_matches(&self, expected: &[(&str, u32, Direction)]) -> Result<(), Error> {
        self.differences(expected).map_or(Ok(()), |differences| Err(Error::PortMismatch { differences }))
    }

    /// Every port that is missing, unexpected or different from `expected`, one a line; `None` where there is none.
    pub fn differences(&self, expected: &[(&str, u32, Direction)]) -> Option<String> {
        let mut found: BTreeMap<&str, (u32, Direction)> =
            self.ports.iter().map(|port| (port.name.as_str(), (port.width, port.direction))).collect();
        if let Some(clock) = self.clock() {
            found.insert(clock, (1, Direction::Input));
        }
        let mut differences = String::new();
        for &(name, width, direction) in expected {
            let wanted = describe(width, direction);
            match found.remove(name) {
                None => {
                    let _ = writeln!(differences, "  missing: {wanted} {name}");
                }
                Some(there) if there != (width, direction) => {
                    let is = describe(there.0, there.1);
                    let _ = writeln!(differences, "  different: {name} is {is}, expected {wanted}");
                }
                Some(_) => {}
            }
        }
        for (name, (width, direction)) in found {
            let _ = writeln!(differences, "  unexpected: {} {name}", describe(width, direction));
        }
        // The last line's end.
        differences.pop().map(|_| differences)
    }

    /// The layout as text, one port per line: what a built library carries along.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        if let Some(clock) = self.clock() {
            let _ = writeln!(text, "input 1 {clock}");
        }
        for port in &self.ports {
            let _ = writeln!(text, "{} {} {}", port.direction.keyword(), port.width, port.name);
        }
        text
    }

    /// Reads [`Layout::to_text`] back; `None` when it is not such a text.
    pub(super) fn from_text(text: &str) -> Option<Layout> {
        let ports: Option<Vec<_>> = text
            .lines()
            .map(|line| {
                let mut fields = line.splitn(3, ' ');
                let direction = match fields.next()? {
                    "input" => Direction::Input,
                    "output" => Direction::Output,
                    _ => return None,
                };
                let width = fields.next()?.parse().ok()?;
                Some((fields.next()?, width, direction))
            })
            .collect();
        Some(Layout::new(ports?))
    }
}

/// A port's kind as Verilog writes it.
pub(super) fn describe(width: u32, direction: Direction) -> String {
    format!("{}{}", direction.keyword(), range(width))
}

/// The range of a vector behind its keyword; a single bit has none.
pub(super) fn range(width: u32) -> String {
    match width {
        1 => String::new(),
        _ => format!(" [{}:0]", width - 1),
    }
}

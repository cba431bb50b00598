//! One random block: its fields, its kernel, and how a test drives and observes it.

use std::fmt::Write;

use super::expression::{Expressions, Leaf, Loop, Type};
use super::random::Random;

/// A field that is a signal or an array of signals.
struct Field {
    name: String,
    kind: Type,
    /// Length, if it is an array.
    length: Option<usize>,
}

impl Field {
    fn rust(&self, direction: &str) -> String {
        let signal = format!("Signal<{direction}, {}>", self.kind.rust());
        match self.length {
            Some(length) => format!("Many<{signal}, {length}>"),
            None => signal,
        }
    }
}

struct Builder<'a> {
    random: &'a mut Random,
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    locals: Vec<Field>,
    /// Other fields: registers, memories, sub-blocks.
    others: Vec<(String, String)>,
    contracts: Vec<String>,
    leaves: Vec<Leaf>,
    lines: Vec<String>,
}

pub fn source(random: &mut Random, number: u64) -> String {
    let mut builder = Builder {
        random,
        inputs: vec![],
        outputs: vec![],
        locals: vec![],
        others: vec![],
        contracts: vec![],
        leaves: vec![],
        lines: vec![],
    };
    builder.declare();
    builder.kernel();
    builder.text(number)
}

fn leaf(text: String, kind: Type) -> Leaf {
    Leaf { text, kind, looped: false }
}

impl Builder<'_> {
    fn width(&mut self) -> usize {
        let mut expressions = Expressions { random: self.random, leaves: &[], loops: &[] };
        expressions.width()
    }

    fn input(&mut self, name: String, kind: Type, length: Option<usize>) {
        if length.is_none() {
            self.leaves.push(leaf(format!("self.{name}.val()"), kind));
        }
        self.inputs.push(Field { name, kind, length });
    }

    fn declare(&mut self) {
        for number in 0..self.random.between(2, 5) {
            let width = self.width();
            self.input(format!("bits_{number}"), Type::Bits(width), None);
        }
        for number in 0..self.random.between(1, 2) {
            self.input(format!("bit_{number}"), Type::Bit, None);
        }
        let index = self.random.between(1, 3);
        self.input("select".to_string(), Type::Bits(index), None);
        if self.random.chance(40) {
            let width = *self.random.pick(&[16, 16, 32, 7, 12, 33]);
            self.input("signed_0".to_string(), Type::Signed(width), None);
            self.input("signed_1".to_string(), Type::Signed(width), None);
        }
        if self.random.chance(40) {
            self.input("color".to_string(), Type::Color, None);
        }
        if self.random.chance(30) {
            self.input("pair".to_string(), Type::Pair, None);
            self.leaves.push(leaf("self.pair.val().low".to_string(), Type::Bits(5)));
            self.leaves.push(leaf("self.pair.val().flag".to_string(), Type::Bit));
            self.leaves.push(leaf("self.pair.val().high".to_string(), Type::Bits(11)));
            if self.random.chance(40) {
                self.input("nested".to_string(), Type::Nested, None);
                self.leaves.push(leaf("self.nested.val().count".to_string(), Type::Bits(3)));
                self.leaves.push(leaf("self.nested.val().pair".to_string(), Type::Pair));
            }
            if self.random.chance(60) {
                self.locals.push(Field { name: "local_pair".to_string(), kind: Type::Pair, length: None });
            }
        }
        if self.random.chance(60) {
            let length = *self.random.pick(&[2, 3, 4, 4, 5, 8]);
            let width = self.width().min(40);
            self.input("lane".to_string(), Type::Bits(width), Some(length));
            if length <= 1 << index {
                let place = self.random.below(length);
                self.leaves.push(leaf(format!("self.lane[{place}].val()"), Type::Bits(width)));
            }
            if length >= 1 << index {
                self.leaves.push(leaf("self.lane[self.select.val().index()].val()".to_string(), Type::Bits(width)));
            }
        }
        for number in 0..self.random.between(1, 3) {
            let kind = self.result_kind();
            self.outputs.push(Field { name: format!("out_{number}"), kind, length: None });
        }
        for number in 0..self.random.below(3) {
            let kind = if self.random.chance(80) { Type::Bits(self.width()) } else { Type::Bit };
            self.locals.push(Field { name: format!("local_{number}"), kind, length: None });
        }
    }

    fn result_kind(&mut self) -> Type {
        let has_pair = self.has_pairs();
        match self.random.below(10) {
            0 => Type::Bit,
            1 => Type::Signed(*self.random.pick(&[32, 16, 9, 40])),
            2 => Type::Color,
            3 if has_pair => Type::Pair,
            _ => Type::Bits(self.width()),
        }
    }

    fn expression(&mut self, kind: Type, loops: &[Loop]) -> String {
        let depth = self.random.between(1, 3);
        let mut expressions = Expressions { random: self.random, leaves: &self.leaves, loops };
        if let (Type::Signed(width), true) = (kind, loops.is_empty())
            && expressions.random.chance(40)
            && let Some(node) = expressions.widened(width)
        {
            return node.text;
        }
        expressions.of(kind, depth).text
    }

    fn condition(&mut self, loops: &[Loop]) -> String {
        self.expression(Type::Bit, loops)
    }

    fn line(&mut self, depth: usize, text: String) {
        let space = "    ".repeat(depth + 2);
        let mut behind = String::new();
        if text.starts_with("self.") {
            let number = self.lines.len();
            match self.random.below(20) {
                0 => self.lines.push(format!("{space}// Note {number}, about `this` and // that.")),
                1 => self
                    .lines
                    .extend([format!("{space}// Note {number}, which is"), format!("{space}// of two lines.")]),
                2 => behind = format!(" // Note {number}, behind it."),
                3 => self.lines.push(String::new()),
                _ => {}
            }
        }
        self.lines.push(format!("{space}{text}{behind}"));
    }

    fn kernel(&mut self) {
        let length = self.inputs.iter().find_map(|field| field.length);
        let registers = self.registers(length);
        if self.random.chance(15) {
            self.memory();
        }
        if self.random.chance(25) {
            self.mixer();
        }
        if let Some(length) = length
            && self.random.chance(50)
        {
            self.mixers(length);
        }
        let locals: Vec<_> = self.locals.iter().map(|field| (field.name.clone(), field.kind)).collect();
        for (name, kind) in locals {
            self.assign(&format!("self.{name}"), kind, true);
            self.value(&format!("self.{name}"), kind);
        }
        if self.random.chance(30) {
            self.overwritten();
        }
        if let Some(length) = length {
            self.lanes(length);
            if self.random.chance(50) {
                self.copies(length);
            }
        }
        if self.random.chance(25) {
            self.relay();
        }
        let outputs: Vec<_> = self.outputs.iter().filter(|field| field.name.starts_with("out_")).collect();
        let outputs: Vec<_> = outputs.iter().map(|field| (field.name.clone(), field.kind)).collect();
        for (name, kind) in outputs {
            self.assign(&format!("self.{name}"), kind, true);
        }
        for (name, kind) in registers {
            self.assign(&format!("self.{name}.d"), kind, false);
        }
        self.contracts(length);
    }

    /// Contracts, whose values stand at outputs, too: a test compares both in every cycle.
    fn contracts(&mut self, length: Option<usize>) {
        for number in 0..self.random.below(3) {
            let contract = format!("contract_{number}");
            self.contracts.push(contract.clone());
            self.outputs.push(Field { name: format!("is_kept_{number}"), kind: Type::Bit, length: None });
            if self.random.chance(40) {
                // What held before the edge, in a register of the contract's own, and of the unit's for the output.
                let kind = if self.has_pairs() { Type::Pair } else { Type::Bits(self.width()) };
                let (past, seen) = (format!("contract_past_{number}"), format!("past_{number}"));
                for name in [&past, &seen] {
                    self.others.push((name.clone(), format!("Register<{}>", kind.rust())));
                    self.line(0, format!("dff_setup!(self, clock, {name});"));
                }
                let (value, condition) = (self.expression(kind, &[]), self.condition(&[]));
                for name in [&past, &seen] {
                    self.line(0, format!("if {condition} {{"));
                    self.line(1, format!("self.{name}.d.next = {value};"));
                    self.line(0, "}".to_string());
                }
                let count = self.leaves.len();
                self.value(&format!("self.{seen}.q"), kind);
                let begin = self.lines.len();
                self.assign(&format!("self.is_kept_{number}"), Type::Bit, true);
                self.leaves.truncate(count);
                self.copied(begin, &[(format!("is_kept_{number}"), contract), (seen, past)]);
            } else {
                let begin = self.lines.len();
                self.assign(&format!("self.is_kept_{number}"), Type::Bit, true);
                if let Some(length) = length {
                    let loops = [Loop { variable: "i".to_string(), from: 0, to: length }];
                    self.with_lane(&loops, |builder| {
                        let condition = builder.condition(&loops);
                        builder.line(0, format!("for i in 0..{length}_usize {{"));
                        builder.line(1, format!("if {condition} {{"));
                        builder.line(2, format!("self.is_kept_{number}.next = false;"));
                        builder.line(1, "}".to_string());
                        builder.line(0, "}".to_string());
                    });
                }
                self.copied(begin, &[(format!("is_kept_{number}"), contract)]);
            }
        }
    }

    /// The lines from `begin` on once more, with other names.
    fn copied(&mut self, begin: usize, names: &[(String, String)]) {
        let rename = |line: &String| {
            let rename = |line: String, (from, to): &(String, String)| {
                line.replace(&format!("self.{from}."), &format!("self.{to}."))
            };
            names.iter().fold(line.clone(), rename)
        };
        let copies: Vec<_> = self.lines[begin..].iter().map(rename).collect();
        self.lines.extend(copies);
    }

    /// From now on expressions can read the signal and, if it is a struct, its fields.
    fn value(&mut self, signal: &str, kind: Type) {
        self.leaves.push(leaf(format!("{signal}.val()"), kind));
        if kind == Type::Pair {
            for (field, kind) in [("low", Type::Bits(5)), ("flag", Type::Bit), ("high", Type::Bits(11))] {
                self.leaves.push(leaf(format!("{signal}.val().{field}"), kind));
            }
        }
    }

    fn has_pairs(&self) -> bool {
        self.inputs.iter().any(|field| field.kind == Type::Pair)
    }

    fn registers(&mut self, length: Option<usize>) -> Vec<(String, Type)> {
        let mut registers = vec![];
        if self.has_pairs() && self.random.chance(70) {
            self.others.push(("register_pair".to_string(), "Register<Pair>".to_string()));
            self.value("self.register_pair.q", Type::Pair);
            registers.push(("register_pair".to_string(), Type::Pair));
        }
        for number in 0..self.random.below(3) {
            let kind = match self.random.below(5) {
                0 => Type::Color,
                1 => Type::Bit,
                2 => Type::Signed(self.random.between(2, 20)),
                _ => Type::Bits(self.width()),
            };
            let name = format!("register_{number}");
            self.others.push((name.clone(), format!("Register<{}>", kind.rust())));
            self.leaves.push(leaf(format!("self.{name}.q.val()"), kind));
            registers.push((name, kind));
        }
        let mut names: Vec<_> = registers.iter().map(|(name, _)| name.clone()).collect();
        if let (Some(length), true) = (length, self.random.chance(40)) {
            let width = self.width().min(40);
            self.others.push(("held".to_string(), format!("Registers<Bits<{width}>, {length}>")));
            names.push("held".to_string());
            self.leaves.push(leaf(format!("self.held.q[{}].val()", length - 1), Type::Bits(width)));
        }
        let holds_pairs = self.has_pairs() && self.random.chance(40);
        if holds_pairs {
            self.others.push(("pairs".to_string(), "Registers<Pair, 3>".to_string()));
            self.value("self.pairs.q[2]", Type::Pair);
            names.push("pairs".to_string());
        }
        if !names.is_empty() {
            self.line(0, format!("dff_setup!(self, clock, {});", names.join(", ")));
        }
        if holds_pairs {
            let (condition, value) = (self.condition(&[]), self.expression(Type::Pair, &[]));
            self.line(0, "self.pairs.d[0].next = self.pairs.q[1].val();".to_string());
            self.line(0, "self.pairs.d[1].next = self.pairs.q[2].val();".to_string());
            self.line(0, format!("if {condition} {{"));
            self.line(1, format!("self.pairs.d[2].next = {value};"));
            self.line(0, "}".to_string());
        }
        if let Some((_, held)) = self.others.iter().find(|(name, _)| name == "held") {
            let length = length.unwrap_or(1);
            let width =
                held.trim_start_matches("Registers<Bits<").split('>').next().and_then(|width| width.parse().ok());
            let width = width.unwrap_or(1);
            let loops = [Loop { variable: "i".to_string(), from: 0, to: length }];
            let condition = self.condition(&loops);
            let value = self.expression(Type::Bits(width), &loops);
            self.line(0, format!("for i in 0..{length}_usize {{"));
            self.line(1, format!("if {condition} {{"));
            self.line(2, format!("self.held.d[i].next = {value};"));
            self.line(1, "}".to_string());
            self.line(0, "}".to_string());
        }
        registers
    }

    fn memory(&mut self) {
        if self.has_pairs() {
            return self.memory_of_pairs();
        }
        let (address, data) = (self.random.between(1, 4), self.width().min(70));
        self.others.push(("memory".to_string(), format!("Memory<{address}, Bits<{data}>>")));
        self.line(0, "self.memory.clock.next = self.clock.val();".to_string());
        for (port, kind) in [
            ("read_address", Type::Bits(address)),
            ("write_enable", Type::Bit),
            ("write_address", Type::Bits(address)),
            ("write_data", Type::Bits(data)),
        ] {
            let value = self.expression(kind, &[]);
            self.line(0, format!("self.memory.{port}.next = {value};"));
        }
        self.leaves.push(leaf("self.memory.read_data.val()".to_string(), Type::Bits(data)));
    }

    fn memory_of_pairs(&mut self) {
        self.others.push(("memory".to_string(), "Memory<2, Pair>".to_string()));
        self.line(0, "self.memory.clock.next = self.clock.val();".to_string());
        for (port, kind) in [
            ("read_address", Type::Bits(2)),
            ("write_enable", Type::Bit),
            ("write_address", Type::Bits(2)),
            ("write_data", Type::Pair),
        ] {
            let value = self.expression(kind, &[]);
            self.line(0, format!("self.memory.{port}.next = {value};"));
        }
        self.value("self.memory.read_data", Type::Pair);
    }

    fn mixer(&mut self) {
        self.others.push(("mixer".to_string(), "Mixer<7>".to_string()));
        for (port, kind) in [("left", Type::Bits(7)), ("right", Type::Bits(7)), ("carry", Type::Bit)] {
            let value = self.expression(kind, &[]);
            self.line(0, format!("self.mixer.{port}.next = {value};"));
        }
        self.leaves.push(leaf("self.mixer.sum.val()".to_string(), Type::Bits(8)));
    }

    /// An array of sub-blocks, wired in a loop.
    fn mixers(&mut self, length: usize) {
        self.others.push(("mixers".to_string(), format!("[Mixer<5>; {length}]")));
        let loops = [Loop { variable: "i".to_string(), from: 0, to: length }];
        self.with_lane(&loops, |builder| {
            let (left, right) = (builder.expression(Type::Bits(5), &loops), builder.expression(Type::Bits(5), &loops));
            let carry = builder.expression(Type::Bit, &loops);
            builder.line(0, format!("for i in 0..{length}_usize {{"));
            builder.line(1, format!("self.mixers[i].left.next = {left};"));
            builder.line(1, format!("self.mixers[i].right.next = {right};"));
            builder.line(1, format!("self.mixers[i].carry.next = {carry};"));
            builder.line(0, "}".to_string());
        });
        self.leaves.push(leaf(format!("self.mixers[{}].sum.val()", length - 1), Type::Bits(8)));
    }

    /// Runs `build` with the elements of `lane` as additional leaves.
    fn with_lane(&mut self, loops: &[Loop], build: impl FnOnce(&mut Self)) {
        let count = self.leaves.len();
        let arrays: Vec<_> = self
            .inputs
            .iter()
            .filter_map(|field| field.length.map(|length| (field.name.clone(), field.kind, length)))
            .collect();
        for (name, kind, length) in arrays {
            for around in loops {
                let variable = &around.variable;
                let mut indices = vec![format!("{} - {variable}", length - 1), format!("({variable} + 1) % {length}")];
                if around.to <= length {
                    indices.push(variable.clone());
                }
                if around.from > 0 {
                    indices.push(format!("{variable} - 1"));
                }
                if around.to > length {
                    indices = vec![format!("{variable} % {length}")];
                }
                for index in indices {
                    self.leaves.push(Leaf { text: format!("self.{name}[{index}].val()"), kind, looped: true });
                }
            }
        }
        build(self);
        self.leaves.truncate(count);
    }

    /// A local that one output reads before its last assignment.
    fn overwritten(&mut self) {
        let width = self.width();
        self.locals.push(Field { name: "draft".to_string(), kind: Type::Bits(width), length: None });
        self.outputs.push(Field { name: "early".to_string(), kind: Type::Bits(width), length: None });
        let first = self.expression(Type::Bits(width), &[]);
        self.line(0, format!("self.draft.next = {first};"));
        self.leaves.push(leaf("self.draft.val()".to_string(), Type::Bits(width)));
        let early = self.expression(Type::Bits(width), &[]);
        self.line(0, format!("self.early.next = {early} ^ self.draft.val();"));
        let second = self.expression(Type::Bits(width), &[]);
        self.line(0, format!("self.draft.next = {second};"));
    }

    /// An array of outputs in a loop, and things that loops are for.
    fn lanes(&mut self, length: usize) {
        let width = self.width().min(40);
        self.outputs.push(Field { name: "lane_out".to_string(), kind: Type::Bits(width), length: Some(length) });
        let loops = [Loop { variable: "i".to_string(), from: 0, to: length }];
        self.with_lane(&loops, |builder| {
            let value = builder.expression(Type::Bits(width), &loops);
            builder.line(0, format!("for i in 0..{length}_usize {{"));
            builder.line(1, format!("self.lane_out[i].next = {value};"));
            if builder.random.chance(50) {
                let condition = builder.condition(&loops);
                let other = builder.expression(Type::Bits(width), &loops);
                builder.line(1, format!("if {condition} {{"));
                builder.line(2, format!("self.lane_out[i].next = {other};"));
                builder.line(1, "}".to_string());
            }
            builder.line(0, "}".to_string());
        });
        if self.random.chance(50) {
            // A ripple through an array of locals.
            self.locals.push(Field { name: "ripple".to_string(), kind: Type::Bits(width), length: Some(length) });
            let start = self.expression(Type::Bits(width), &[]);
            self.line(0, format!("self.ripple[0].next = {start};"));
            let loops = [Loop { variable: "i".to_string(), from: 1, to: length }];
            self.with_lane(&loops, |builder| {
                let value = builder.expression(Type::Bits(width), &loops);
                builder.line(0, format!("for i in 1..{length}_usize {{"));
                builder.line(1, format!("self.ripple[i].next = self.ripple[i - 1].val() + ({value});"));
                builder.line(0, "}".to_string());
            });
            self.leaves.push(leaf(format!("self.ripple[{}].val()", length - 1), Type::Bits(width)));
        }
        if self.random.chance(50) {
            // Find the first, and set the bit of each.
            self.outputs.push(Field { name: "found".to_string(), kind: Type::Bit, length: None });
            self.outputs.push(Field { name: "first".to_string(), kind: Type::Bits(3), length: None });
            self.outputs.push(Field { name: "flags".to_string(), kind: Type::Bits(length), length: None });
            self.line(0, "self.found.next = false;".to_string());
            self.line(0, "self.first.next = 0.into();".to_string());
            self.line(0, "self.flags.next = 0.into();".to_string());
            let loops = [Loop { variable: "i".to_string(), from: 0, to: length }];
            self.with_lane(&loops, |builder| {
                let condition = builder.condition(&loops);
                builder.line(0, format!("for i in 0..{length}_usize {{"));
                builder.line(1, format!("if ({condition}) & !self.found.val() {{"));
                builder.line(2, "self.found.next = true;".to_string());
                builder.line(2, format!("self.first.next = ({} - i).to_bits::<3>();", length - 1));
                builder.line(2, "self.flags.next = self.flags.val().replace_bit(i, true);".to_string());
                builder.line(1, "}".to_string());
                builder.line(0, "}".to_string());
            });
        }
        if self.random.chance(30) {
            // Two loops over a flattened grid.
            let grid = self.width().min(33);
            self.outputs.push(Field { name: "grid".to_string(), kind: Type::Bits(grid), length: Some(6) });
            let loops = [
                Loop { variable: "i".to_string(), from: 0, to: 2 },
                Loop { variable: "j".to_string(), from: 0, to: 3 },
            ];
            self.with_lane(&[Loop { variable: "i".to_string(), from: 0, to: 2 }], |builder| {
                let value = builder.expression(Type::Bits(grid), &loops);
                builder.line(0, "for i in 0..2_usize {".to_string());
                builder.line(1, "for j in 0..3_usize {".to_string());
                builder.line(2, format!("self.grid[i * 3 + j].next = {value};"));
                builder.line(1, "}".to_string());
                builder.line(0, "}".to_string());
            });
        }
    }

    /// Whole arrays in the place of others.
    fn copies(&mut self, length: usize) {
        let Some(kind) = self.inputs.iter().find(|field| field.length.is_some()).map(|field| field.kind) else {
            return;
        };
        self.outputs.push(Field { name: "copied".to_string(), kind, length: Some(length) });
        self.others.push(("late".to_string(), format!("Registers<{}, {length}>", kind.rust())));
        let condition = self.condition(&[]);
        self.line(0, "dff_setup!(self, clock, late);".to_string());
        self.line(0, "Arrays::join(&mut self.late.d, &mut self.lane);".to_string());
        self.line(0, "Arrays::join(&mut self.copied, &mut self.lane);".to_string());
        self.line(0, format!("if {condition} {{"));
        self.line(1, "Arrays::join(&mut self.copied, &mut self.late.q);".to_string());
        self.line(0, "}".to_string());
        // Element by element: as they stand, and each in another's place.
        for name in ["looped", "turned"] {
            self.outputs.push(Field { name: name.to_string(), kind, length: Some(length) });
        }
        let last = length - 1;
        self.line(0, format!("for i in 0..{length}_usize {{"));
        self.line(1, "self.looped[i].next = self.lane[i].val();".to_string());
        self.line(0, "}".to_string());
        self.line(0, format!("for i in 0..{last}_usize {{"));
        self.line(1, "self.turned[i].next = self.lane[i + 1].val();".to_string());
        self.line(0, "}".to_string());
        self.line(0, format!("self.turned[{last}].next = self.lane[0].val();"));
        // The same of bits, which become one word.
        self.others.push(("raised".to_string(), format!("Many<Signal<Local, Bit>, {length}>")));
        for name in ["gathered", "rotated"] {
            self.outputs.push(Field { name: name.to_string(), kind: Type::Bits(length), length: None });
        }
        let loops = [Loop { variable: "i".to_string(), from: 0, to: length }];
        self.with_lane(&loops, |builder| {
            let condition = builder.condition(&loops);
            builder.line(0, format!("for i in 0..{length}_usize {{"));
            builder.line(1, format!("self.raised[i].next = {condition};"));
            builder.line(0, "}".to_string());
        });
        self.line(0, "self.gathered.next = 0.into();".to_string());
        self.line(0, format!("for i in 0..{length}_usize {{"));
        self.line(1, "self.gathered.next = self.gathered.val().replace_bit(i, self.raised[i].val());".to_string());
        self.line(0, "}".to_string());
        self.line(0, "self.rotated.next = 0.into();".to_string());
        self.line(0, format!("for i in 0..{last}_usize {{"));
        self.line(1, "self.rotated.next = self.rotated.val().replace_bit(i, self.raised[i + 1].val());".to_string());
        self.line(0, "}".to_string());
        self.line(0, format!("self.rotated.next = self.rotated.val().replace_bit({last}, self.raised[0].val());"));
    }

    /// Gives `target` a value on every path through up to so many conditions within each other.
    fn chosen(&mut self, target: &str, kind: Type, depth: usize, conditions: usize) {
        if conditions == 0 {
            let value = self.expression(kind, &[]);
            return self.line(depth, format!("{target}.next = {value};"));
        }
        let within = self.random.below(conditions);
        let has_default = self.random.chance(40);
        if has_default {
            self.chosen(target, kind, depth, conditions - 1 - within);
        }
        let condition = self.condition(&[]);
        self.line(depth, format!("if {condition} {{"));
        self.chosen(target, kind, depth + 1, within);
        if !has_default {
            self.line(depth, "} else {".to_string());
            self.chosen(target, kind, depth + 1, conditions - 1 - within);
        }
        self.line(depth, "}".to_string());
    }

    /// A sub-block whose ports stand in a bundle, which it links to another block.
    fn relay(&mut self) {
        self.others.push(("relay".to_string(), "Relay".to_string()));
        let number = self.expression(Type::Bits(6), &[]);
        self.line(0, "clock!(self, clock, relay);".to_string());
        self.line(0, format!("self.relay.bus.number.next = {number};"));
        for place in 0..3 {
            let value = self.expression(Type::Bits(5), &[]);
            self.line(0, format!("self.relay.bus.several[{place}].next = {value};"));
        }
        self.leaves.push(leaf("self.relay.bus.answer.val()".to_string(), Type::Bits(6)));
        self.leaves.push(leaf("self.relay.bus.answers[2].val()".to_string(), Type::Bits(5)));
    }

    /// Assigns on every path, in one of the ways that kernels do it.
    fn assign(&mut self, target: &str, kind: Type, can_read_back: bool) {
        let plain = |builder: &mut Self, depth: usize| {
            if kind == Type::Pair && builder.random.chance(50) {
                let (low, flag) = (builder.expression(Type::Bits(5), &[]), builder.condition(&[]));
                let high = builder.expression(Type::Bits(11), &[]);
                builder.line(depth, format!("{target}.next.low = {low};"));
                builder.line(depth, format!("{target}.next.flag = {flag};"));
                builder.line(depth, format!("{target}.next.high = {high};"));
                return;
            }
            let value = builder.expression(kind, &[]);
            builder.line(depth, format!("{target}.next = {value};"));
        };
        match self.random.below(9) {
            0 | 1 => plain(self, 0),
            8 => {
                let conditions = self.random.between(2, 4);
                self.chosen(target, kind, 0, conditions);
            }
            2 => {
                plain(self, 0);
                let condition = self.condition(&[]);
                self.line(0, format!("if {condition} {{"));
                plain(self, 1);
                let condition = self.condition(&[]);
                self.line(0, format!("}} else if {condition} {{"));
                plain(self, 1);
                self.line(0, "}".to_string());
            }
            3 => {
                let condition = self.condition(&[]);
                self.line(0, format!("if {condition} {{"));
                plain(self, 1);
                self.line(0, "} else {".to_string());
                plain(self, 1);
                self.line(0, "}".to_string());
            }
            4 => {
                let colors: Vec<_> = self.leaves.iter().filter(|leaf| leaf.kind == Type::Color).cloned().collect();
                if colors.is_empty() {
                    let condition = self.condition(&[]);
                    self.line(0, format!("match {condition} {{"));
                    self.line(1, "true => {".to_string());
                    plain(self, 2);
                    self.line(1, "}".to_string());
                    self.line(1, "false => {".to_string());
                    plain(self, 2);
                    self.line(1, "}".to_string());
                    self.line(0, "}".to_string());
                    return;
                }
                let color = self.random.pick(&colors).text.clone();
                let last = if self.random.chance(50) { "_" } else { "Color::Blue" };
                self.line(0, format!("match {color} {{"));
                for pattern in ["Color::Red", "Color::Green", last] {
                    self.line(1, format!("{pattern} => {{"));
                    plain(self, 2);
                    self.line(1, "}".to_string());
                }
                self.line(0, "}".to_string());
            }
            5 => {
                if let (Type::Bits(width), true) = (kind, can_read_back) {
                    plain(self, 0);
                    let bit = self.condition(&[]);
                    let place = self.random.below(width);
                    self.line(0, format!("{target}.next = {target}.val().replace_bit({place}, {bit});"));
                    return;
                }
                plain(self, 0);
            }
            6 => {
                if let (Type::Bits(_), true) = (kind, can_read_back) {
                    plain(self, 0);
                    let length = self.random.between(2, 9);
                    let loops = [Loop { variable: "k".to_string(), from: 0, to: length }];
                    self.with_lane(&loops, |builder| {
                        let condition = builder.condition(&loops);
                        let value = builder.expression(kind, &loops);
                        builder.line(0, format!("for k in 0..{length}_usize {{"));
                        builder.line(1, format!("if {condition} {{"));
                        builder.line(2, format!("{target}.next = {target}.val() + ({value});"));
                        builder.line(1, "}".to_string());
                        builder.line(0, "}".to_string());
                    });
                    return;
                }
                plain(self, 0);
            }
            _ => {
                let outer = self.condition(&[]);
                let inner = self.condition(&[]);
                plain(self, 0);
                self.line(0, format!("if {outer} {{"));
                self.line(1, format!("if {inner} {{"));
                plain(self, 2);
                self.line(1, "}".to_string());
                self.line(0, "}".to_string());
            }
        }
    }

    fn text(&self, number: u64) -> String {
        let mut text = String::new();
        let _ =
            writeln!(text, "/// Random kernel {number}.\n#[derive(LogicBlock, Default)]\npub struct Kernel{number} {{");
        let _ = writeln!(
            text,
            "    /// Clock.\n    pub clock: Signal<In, Clock>,\n    /// Reset.\n    pub reset: Signal<In, Bit>,"
        );
        for (fields, direction) in [(&self.inputs, "In"), (&self.outputs, "Out")] {
            for field in fields {
                let _ = writeln!(text, "    /// Random.\n    pub {}: {},", field.name, field.rust(direction));
            }
        }
        for field in &self.locals {
            let _ = writeln!(text, "    {}: {},", field.name, field.rust("Local"));
        }
        for (name, kind) in &self.others {
            let _ = writeln!(text, "    {name}: {kind},");
        }
        for name in &self.contracts {
            let _ = writeln!(text, "    /// The \"sentence\" of `{name}`, 100% true.");
            let _ = writeln!(text, "    {name}: Signal<Local, Bit>,");
        }
        let _ = writeln!(text, "}}\n\nimpl Logic for Kernel{number} {{\n    #[hdl_gen]\n    fn update(&mut self) {{");
        for line in &self.lines {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "    }}\n}}\n\nimpl Kernel for Kernel{number} {{");
        let _ = writeln!(text, "    fn name(&self) -> &'static str {{ \"Kernel{number}\" }}");
        let _ = writeln!(text, "    fn ports(&self) -> Vec<Port> {{\n        vec![");
        for (fields, is_input) in [(&self.inputs, true), (&self.outputs, false)] {
            for field in fields {
                let width = field.kind.width() * field.length.unwrap_or(1);
                let _ = writeln!(
                    text,
                    "            Port {{ name: \"{}\", width: {width}, is_input: {is_input} }},",
                    field.name
                );
            }
        }
        let _ = writeln!(text, "        ]\n    }}\n    fn drive(&mut self, values: &mut Bitstream) {{");
        for field in &self.inputs {
            let _ = match field.length {
                Some(_) => writeln!(
                    text,
                    "        self.{}.iter_mut().for_each(|signal| signal.next = values.take());",
                    field.name
                ),
                None => writeln!(text, "        self.{}.next = values.take();", field.name),
            };
        }
        let _ = writeln!(text, "    }}\n    fn observe(&self, values: &mut Bitstream) {{");
        for field in &self.outputs {
            let _ = match field.length {
                Some(_) => {
                    writeln!(text, "        self.{}.iter().for_each(|signal| values.put(signal.val()));", field.name)
                }
                None => writeln!(text, "        values.put(self.{}.val());", field.name),
            };
        }
        let _ =
            writeln!(text, "    }}\n    fn set_clock(&mut self, level: bool) {{ self.clock.next = level.into(); }}");
        let _ = writeln!(text, "    fn set_reset(&mut self, level: bool) {{ self.reset.next = level; }}");
        let _ = writeln!(text, "    fn advance(&mut self) -> bool {{ self.update_all(); self.has_changed() }}");
        let _ = writeln!(
            text,
            "    fn emitted(&self, name: &str) -> Result<Vec<EmittedModule>, Refusal> {{ emit(self, name, include_str!(\"kernel_{number}.rs\")) }}"
        );
        let _ = writeln!(text, "    fn original(&self) -> String {{ original(self) }}\n}}\n");
        text
    }
}

//! Every kind of mutant in a small block: what the broken Verilog does, and that the other outputs stay as they are.

use lsu_cosim::verilator::{Build, Cache, Dut, Source, Toolchain};
use lsu_hdl::verilog::{self, Breakage, Chosen, EmittedModule, Fault, Mutant};
use lsu_hdl::{Register, dff_setup};
use rust_hdl::prelude::*;

/// What a block is about.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Phase {
    Rest,
    Work,
    Other,
}

/// A block that says what it is told.
#[derive(LogicBlock, Default)]
struct Echo {
    /// A number.
    pub number: Signal<In, Bits<5>>,
    /// The same.
    pub said: Signal<Out, Bits<5>>,
}

impl Logic for Echo {
    #[hdl_gen]
    fn update(&mut self) {
        self.said.next = self.number.val();
    }
}

/// A place for each kind of mutant.
#[derive(LogicBlock, Default)]
struct Small {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A number.
    pub left: Signal<In, Bits<4>>,
    /// Another.
    pub right: Signal<In, Bits<4>>,
    /// A number with a sign.
    pub above: Signal<In, Signed<4>>,
    /// Another.
    pub below: Signal<In, Signed<4>>,
    /// The number is kept.
    pub load: Signal<In, Bit>,
    /// The number is less than the other.
    pub is_less: Signal<Out, Bit>,
    /// Ones of both.
    pub both: Signal<Out, Bits<4>>,
    /// Ones of either.
    pub either: Signal<Out, Bits<4>>,
    /// Ones of one of them.
    pub odd: Signal<Out, Bits<4>>,
    /// The number is the other, or less.
    pub is_most: Signal<Out, Bit>,
    /// The number is the other.
    pub is_same: Signal<Out, Bit>,
    /// As numbers with a sign, the first is more.
    pub is_above: Signal<Out, Bit>,
    /// What the first is more.
    pub more: Signal<Out, Bits<4>>,
    /// The first if it is kept, else the other.
    pub chosen: Signal<Out, Bits<4>>,
    /// All of the number's bits are set.
    pub all: Signal<Out, Bit>,
    /// None of them.
    pub none: Signal<Out, Bit>,
    /// The number and five.
    pub sum: Signal<Out, Bits<4>>,
    /// The number's bits in the middle.
    pub middle: Signal<Out, Bits<2>>,
    /// Place of its highest bit that is set.
    pub highest: Signal<Out, Bits<2>>,
    /// 1, 2 or 3 of the first reason.
    pub reason: Signal<Out, Bits<2>>,
    /// 1, 2 or 3 by the phase.
    pub code: Signal<Out, Bits<2>>,
    /// What is kept.
    pub kept: Signal<Out, Bits<4>>,
    /// The number, by way of a sub-block.
    pub said: Signal<Out, Bits<5>>,
    /// The number, to the left by one.
    pub twice: Signal<Out, Bits<4>>,
    echo: Echo,
    state: Register<Bits<4>>,
    phase: Register<Phase>,
}

impl Logic for Small {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, phase);
        self.is_less.next = self.left.val() < self.right.val();
        self.both.next = self.left.val() & self.right.val();
        self.either.next = self.left.val() | self.right.val();
        self.odd.next = self.left.val() ^ self.right.val();
        self.is_most.next = self.left.val() <= self.right.val();
        self.is_same.next = self.left.val() == self.right.val();
        self.is_above.next = self.above.val() > self.below.val();
        self.more.next = self.left.val() - self.right.val();
        self.chosen.next = self.right.val();
        if self.load.val() {
            self.chosen.next = self.left.val();
        }
        self.all.next = self.left.val().all();
        self.none.next = !self.left.val().any();
        self.sum.next = self.left.val() + 5;
        self.middle.next = self.left.val().get_bits::<2>(1);
        self.highest.next = 0.into();
        for i in 0..4 {
            if self.left.val().get_bit(i) {
                self.highest.next = i.to_bits::<2>();
            }
        }
        self.reason.next = 0.into();
        if self.load.val() {
            self.reason.next = 1.into();
        } else if self.left.val().get_bit(0) {
            self.reason.next = 2.into();
        }
        if self.right.val().get_bit(3) {
            self.reason.next = 3.into();
        }
        self.code.next = 0.into();
        match self.phase.q.val() {
            Phase::Rest => self.code.next = 1.into(),
            Phase::Work => self.code.next = 2.into(),
            _ => self.code.next = 3.into(),
        }
        if self.load.val() {
            self.phase.d.next = Phase::Work;
        } else {
            self.phase.d.next = Phase::Other;
        }
        if self.load.val() {
            self.state.d.next = self.left.val();
        }
        self.kept.next = self.state.q.val();
        self.twice.next = self.left.val() << 1;
        self.echo.number.next = bit_cast::<5, 4>(self.left.val());
        self.said.next = self.echo.said.val();
    }
}

/// Numbers of four bits.
const MASK: u32 = 15;

/// Cycles of a mutant: more than there are values of two numbers.
const CYCLES: u32 = 600;

/// What the block reads in a cycle.
#[derive(Clone, Copy, Debug)]
struct Now {
    left: u32,
    right: u32,
    above: u32,
    below: u32,
    load: bool,
    state: u32,
    phase: u32,
}

/// What comes of it; a number or a bit each, and the registers' next values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Then {
    is_less: bool,
    both: u32,
    either: u32,
    odd: u32,
    is_most: bool,
    is_same: bool,
    is_above: bool,
    more: u32,
    chosen: u32,
    all: bool,
    none: bool,
    sum: u32,
    middle: u32,
    highest: u32,
    reason: u32,
    code: u32,
    kept: u32,
    said: u32,
    twice: u32,
    state: u32,
    phase: u32,
}

/// A number with a sign.
fn signed(number: u32) -> i32 {
    if number > 7 { number as i32 - 16 } else { number as i32 }
}

fn is_set(number: u32, bit: u32) -> bool {
    number >> bit & 1 == 1
}

/// The last of the reasons whose test holds, or none.
fn reason(default: u32, [first, second, last]: [(bool, u32); 3]) -> u32 {
    match (first.0, second.0, last.0) {
        (.., true) => last.1,
        (true, ..) => first.1,
        (_, true, _) => second.1,
        _ => default,
    }
}

/// The block as it should be.
fn whole(now: Now) -> Then {
    let Now { left, right, above, below, load, state, phase } = now;
    Then {
        is_less: left < right,
        both: left & right,
        either: left | right,
        odd: left ^ right,
        is_most: left <= right,
        is_same: left == right,
        is_above: signed(above) > signed(below),
        more: left.wrapping_sub(right) & MASK,
        chosen: if load { left } else { right },
        all: left == MASK,
        none: left == 0,
        sum: (left + 5) & MASK,
        middle: left >> 1 & 3,
        highest: left.checked_ilog2().unwrap_or(0),
        reason: reason(0, [(load, 1), (is_set(left, 0), 2), (is_set(right, 3), 3)]),
        code: [1, 2, 3, 3][phase as usize],
        kept: state,
        said: left,
        twice: left << 1 & MASK,
        state: if load { left } else { state },
        phase: if load { 1 } else { 2 },
    }
}

/// The block with `mutant` in it, which breaks what its words say and nothing else.
fn broken(mutant: &Mutant, now: Now) -> Then {
    let Now { left, right, above, below, load, state, phase } = now;
    let bit = mutant.bit;
    let one = 1 << bit;
    let constant = |value: u32, width: u32| {
        let changed = match bit {
            0 => value + 1,
            1 => value.wrapping_sub(1),
            _ => value ^ 1 << (width - 1),
        };
        changed & ((1 << width) - 1)
    };
    let condition = |holds: bool| match bit {
        0 => true,
        1 => false,
        _ => !holds,
    };
    let (first, second, last) = ((load, 1), (is_set(left, 0), 2), (is_set(right, 3), 3));
    let code = |is_rest: bool, is_work: bool, [rest, work, other]: [u32; 3]| match (is_rest, is_work) {
        (true, _) => rest,
        (false, true) => work,
        _ => other,
    };
    let with_code = |is_rest, is_work, codes| Then { code: code(is_rest, is_work, codes), ..whole(now) };
    let (is_rest, is_work) = (phase == 0, phase == 1);
    let with_reason = |default, reasons| Then { reason: reason(default, reasons), ..whole(now) };
    let whole = whole(now);
    let without = |number: u32| number & !one;
    match (mutant.fault, mutant.place.as_str()) {
        (Fault::Compare, "left < right") => Then { is_less: without(left) < without(right), ..whole },
        (Fault::Compare, "left <= right") => Then { is_most: without(left) <= without(right), ..whole },
        (Fault::Compare, "left == right") => Then { is_same: without(left) == without(right), ..whole },
        (Fault::Compare, "$signed(above) > $signed(below)") => {
            Then { is_above: signed(without(above)) > signed(without(below)), ..whole }
        }
        (Fault::Reduce, "&left") => Then { all: left | one == MASK, ..whole },
        (Fault::Reduce, "|left") => Then { none: without(left) == 0, ..whole },
        (Fault::Mask, "left in left & right") => Then { both: (left | one) & right, ..whole },
        (Fault::Mask, "right in left & right") => Then { both: left & (right | one), ..whole },
        (Fault::Cleared, "left") => self::whole(Now { left: without(left), ..now }),
        (Fault::Set, "left") => self::whole(Now { left: left | one, ..now }),
        (Fault::Operator, place) => match place.split_once(" in assign ").expect("an assignment").0 {
            "left < right" => Then { is_less: left <= right, ..whole },
            "left <= right" => Then { is_most: left < right, ..whole },
            "left == right" => Then { is_same: left != right, ..whole },
            "$signed(above) > $signed(below)" => Then { is_above: signed(above) >= signed(below), ..whole },
            "left & right" => Then { both: left | right, ..whole },
            "left | right" => Then { either: left & right, ..whole },
            "left ^ right" => Then { odd: !(left ^ right) & MASK, ..whole },
            "left - right" => Then { more: (left + right) & MASK, ..whole },
            "left + 4'd5" => Then { sum: left.wrapping_sub(5) & MASK, ..whole },
            "&left" => Then { all: left != 0, ..whole },
            "|left" => Then { none: left != MASK, ..whole },
            "!(|left)" => Then { none: left != 0, ..whole },
            place => panic!("what is wrong at {place}?"),
        },
        (Fault::Constant, "4'd5 in assign sum = left + 4'd5;") => Then { sum: (left + constant(5, 4)) & MASK, ..whole },
        (Fault::Constant, "2'd0 in highest = 2'd0;") if left == 0 => Then { highest: constant(0, 2), ..whole },
        (Fault::Constant, "2'd0 in highest = 2'd0;") => whole,
        (Fault::Constant, "2'd0 in reason = 2'd0;") => with_reason(constant(0, 2), [first, second, last]),
        (Fault::Constant, "2'd1 in reason = 2'd1;") => with_reason(0, [(load, constant(1, 2)), second, last]),
        (Fault::Constant, "2'd2 in reason = 2'd2;") => with_reason(0, [first, (second.0, constant(2, 2)), last]),
        (Fault::Constant, "2'd3 in reason = 2'd3;") => with_reason(0, [first, second, (last.0, constant(3, 2))]),
        (Fault::Constant, "PHASE_REST in case (phase_q) of code") => {
            with_code(phase == constant(0, 2), is_work, [1, 2, 3])
        }
        (Fault::Constant, "PHASE_WORK in case (phase_q) of code") => {
            with_code(is_rest, phase == constant(1, 2), [1, 2, 3])
        }
        (Fault::Constant, "2'd1 in code = 2'd1;") => with_code(is_rest, is_work, [constant(1, 2), 2, 3]),
        (Fault::Constant, "2'd2 in code = 2'd2;") => with_code(is_rest, is_work, [1, constant(2, 2), 3]),
        (Fault::Constant, "2'd3 in code = 2'd3;") => with_code(is_rest, is_work, [1, 2, constant(3, 2)]),
        (Fault::Constant, "PHASE_WORK in phase_q <= PHASE_WORK;") if load => Then { phase: constant(1, 2), ..whole },
        (Fault::Constant, "PHASE_OTHER in phase_q <= PHASE_OTHER;") if !load => Then { phase: constant(2, 2), ..whole },
        (Fault::Constant, "PHASE_WORK in phase_q <= PHASE_WORK;" | "PHASE_OTHER in phase_q <= PHASE_OTHER;") => whole,
        (Fault::Condition, "load ? left : right") => {
            Then { chosen: if condition(load) { left } else { right }, ..whole }
        }
        // The last round that stores.
        (Fault::Condition, "if (left[i]) of highest") => {
            Then { highest: (0..4).rev().find(|bit| condition(is_set(left, *bit))).unwrap_or(0), ..whole }
        }
        (Fault::Condition, "if (load) of reason") => with_reason(0, [(condition(load), 1), second, last]),
        (Fault::Condition, "if (left[0]) of reason") => with_reason(0, [first, (condition(second.0), 2), last]),
        (Fault::Condition, "if (right[3]) of reason") => with_reason(0, [first, second, (condition(last.0), 3)]),
        (Fault::Condition, "PHASE_REST of case (phase_q) of code") => with_code(condition(is_rest), is_work, [1, 2, 3]),
        (Fault::Condition, "PHASE_WORK of case (phase_q) of code") => with_code(is_rest, condition(is_work), [1, 2, 3]),
        (Fault::Enable, "if (load) of phase_q") => Then { phase: if condition(load) { 1 } else { 2 }, ..whole },
        (Fault::Enable, "if (load) of state_q") => Then { state: if condition(load) { left } else { state }, ..whole },
        (Fault::Dropped, "highest = i[1:0];") => Then { highest: 0, ..whole },
        (Fault::Dropped, "reason = 2'd1;") => with_reason(0, [(load, 0), second, last]),
        (Fault::Dropped, "reason = 2'd2;") => with_reason(0, [first, (second.0, 0), last]),
        // What was found before stands.
        (Fault::Dropped, "reason = 2'd3;") => with_reason(0, [first, second, (false, 3)]),
        (Fault::Dropped, "phase_q <= PHASE_WORK;") if load => Then { phase, ..whole },
        (Fault::Dropped, "phase_q <= PHASE_OTHER;") if !load => Then { phase, ..whole },
        (Fault::Dropped, "phase_q <= PHASE_WORK;" | "phase_q <= PHASE_OTHER;") => whole,
        (Fault::Dropped, "state_q <= left;") => Then { state, ..whole },
        (Fault::Signal, place) => match place.split_once(" in ").expect("a statement") {
            (_, "assign is_less = left < right;") => Then { is_less: false, ..whole },
            (_, "assign is_most = left <= right;") => Then { is_most: true, ..whole },
            (_, "assign is_same = left == right;") => Then { is_same: true, ..whole },
            (_, "assign is_above = $signed(above) > $signed(below);") => Then { is_above: false, ..whole },
            (_, "assign more = left - right;") => Then { more: 0, ..whole },
            (_, "assign odd = left ^ right;") => Then { odd: 0, ..whole },
            ("right for left", "assign both = left & right;") => Then { both: right, ..whole },
            ("left for right", "assign both = left & right;") => Then { both: left, ..whole },
            ("right for left", "assign either = left | right;") => Then { either: right, ..whole },
            ("left for right", "assign either = left | right;") => Then { either: left, ..whole },
            ("right for left", "assign chosen = load ? left : right;") => Then { chosen: right, ..whole },
            ("left for right", "assign chosen = load ? left : right;") => Then { chosen: left, ..whole },
            ("state_q for left", "assign all = &left;") => Then { all: state == MASK, ..whole },
            ("state_q for left", "assign none = !(|left);") => Then { none: state == 0, ..whole },
            ("state_q for left", "assign sum = left + 4'd5;") => Then { sum: (state + 5) & MASK, ..whole },
            ("state_q for left", "assign echo_number = {1'b0, left};") => Then { said: state, ..whole },
            ("state_q for left", "assign twice = left << 1;") => Then { twice: state << 1 & MASK, ..whole },
            ("state_q for left", "assign middle = left[2:1];") => Then { middle: state >> 1 & 3, ..whole },
            ("state_q for left", "if (left[i]) of highest") => {
                Then { highest: state.checked_ilog2().unwrap_or(0), ..whole }
            }
            ("right for left", "if (left[0]) of reason") => with_reason(0, [first, (is_set(right, 0), 2), last]),
            ("left for right", "if (right[3]) of reason") => with_reason(0, [first, second, (is_set(left, 3), 3)]),
            ("state_q for left", "state_q <= left;") => Then { state, ..whole },
            place => panic!("what is wrong at {place:?}?"),
        },
        (Fault::Slice, "left[3:2] for left[2:1] in assign middle = left[2:1];") => Then { middle: left >> 2, ..whole },
        (Fault::Slice, "left[1] for left[0] in if (left[0]) of reason") => {
            with_reason(0, [first, (is_set(left, 1), 2), last])
        }
        (Fault::Slice, "right[2] for right[3] in if (right[3]) of reason") => {
            with_reason(0, [first, second, (is_set(right, 2), 3)])
        }
        // The lowest of the bits instead of the highest.
        (Fault::Priority, "for (i = 0; i < 4; ...) of highest") => {
            Then { highest: (0..4).find(|bit| is_set(left, *bit)).unwrap_or(0), ..whole }
        }
        (Fault::Priority, "if (load) before else if (left[0]) of reason") => with_reason(0, [second, first, last]),
        (Fault::Priority, "if (load) before if (right[3]) of reason") if load => Then { reason: 1, ..whole },
        (Fault::Priority, "if (load) before if (right[3]) of reason") if is_set(left, 0) => Then { reason: 2, ..whole },
        (Fault::Priority, "if (load) before if (right[3]) of reason") => whole,
        (Fault::Shift, "left << 1 in assign twice = left << 1;") => {
            Then { twice: [left << 2, left][bit as usize] & MASK, ..whole }
        }
        (Fault::Connection, "echo.number") => Then { said: left ^ [1, 16][bit as usize], ..whole },
        (fault, place) => panic!("what is wrong at {fault:?} {place}?"),
    }
}

/// The block's Verilog, running.
struct Pins {
    dut: Dut,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Pins {
    fn set(&mut self, name: &str, value: u32) {
        let offset = self.dut.layout().port(name).expect("an input").word_offset;
        self.inputs[offset] = value;
    }

    fn get(&self, name: &str) -> u32 {
        self.outputs[self.dut.layout().port(name).expect("an output").word_offset]
    }

    /// What the outputs are in this cycle; the registers' values come from `next`, as they are not seen.
    fn step(&mut self, now: Now, next: Then) -> Then {
        let Now { left, right, above, below, load, .. } = now;
        let inputs = [("left", left), ("right", right), ("above", above), ("below", below), ("load", load.into())];
        for (name, value) in inputs.into_iter().chain([("rst", 0)]) {
            self.set(name, value);
        }
        self.dut.step(&self.inputs, &mut self.outputs).expect("the Verilog runs");
        let bit = |name| self.get(name) == 1;
        Then {
            is_less: bit("is_less"),
            both: self.get("both"),
            either: self.get("either"),
            odd: self.get("odd"),
            is_most: bit("is_most"),
            is_same: bit("is_same"),
            is_above: bit("is_above"),
            more: self.get("more"),
            chosen: self.get("chosen"),
            all: bit("all"),
            none: bit("none"),
            sum: self.get("sum"),
            middle: self.get("middle"),
            highest: self.get("highest"),
            reason: self.get("reason"),
            code: self.get("code"),
            kept: self.get("kept"),
            said: self.get("said"),
            twice: self.get("twice"),
            ..next
        }
    }

    /// Becomes the mutant `id`, or none.
    fn reset(&mut self, id: u32) {
        self.set("mutant", id);
        self.set("rst", 1);
        self.dut.step(&self.inputs, &mut self.outputs).expect("the Verilog runs");
    }
}

/// Runs the unit number `id`, which does what `expected` says; whether that is ever seen not to be the whole block.
fn differs(pins: &mut Pins, id: u32, expected: impl Fn(Now) -> Then) -> bool {
    pins.reset(id);
    let (mut state, mut phase) = (0, 0);
    let mut differs = false;
    for cycle in 0..CYCLES {
        // All values of two numbers, and the others beside them in some order.
        let mixed = cycle.wrapping_mul(0x9e37_79b9) >> 20;
        let (above, below, load) = (mixed & MASK, mixed >> 4 & MASK, mixed >> 8 & 3 == 0);
        let now = Now { left: cycle & MASK, right: cycle >> 4 & MASK, above, below, load, state, phase };
        let then = expected(now);
        assert_eq!(pins.step(now, then), then, "number {id} in cycle {cycle} at {now:?}");
        let is_seen = Then { state: 0, phase: 0, ..then } != Then { state: 0, phase: 0, ..whole(now) };
        // A register that is wrong is seen later.
        differs |= is_seen || (then.state, then.phase) != (whole(now).state, whole(now).phase);
        (state, phase) = (then.state, then.phase);
    }
    differs
}

#[test]
fn every_mutant_is_broken_as_it_says() {
    let mut block = Small::default();
    block.connect_all();
    let sources = [include_str!("mutants.rs")];
    let (modules, mutants) =
        verilog::broken(&block, "top", "", &sources, Breakage::Selected(Chosen::All)).expect("written");
    for fault in Fault::ALL {
        assert!(mutants.iter().any(|mutant| mutant.fault == fault), "no mutant of {fault:?}");
    }
    let text = verilog::file(&modules.iter().collect::<Vec<_>>());
    let toolchain = Toolchain::find(None, Cache::user().expect("a cache")).expect("Verilator");
    let dut =
        Build::new("top", Source::Text(text)).build(&toolchain).expect("built").instantiate().expect("an instance");
    let layout = dut.layout();
    let (inputs, outputs) = (vec![0; layout.input_words()], vec![0; layout.output_words()]);
    let mut pins = Pins { dut, inputs, outputs };
    assert!(!differs(&mut pins, 0, whole));
    for mutant in &mutants {
        assert!(differs(&mut pins, mutant.id, |now| broken(mutant, now)), "{mutant:?} changes nothing");
    }
}

#[test]
fn mutants_that_are_not_asked_for_are_not_there() {
    let mut block = Small::default();
    block.connect_all();
    let sources = [include_str!("mutants.rs")];
    let write = |breakage| verilog::broken(&block, "top", "", &sources, breakage).expect("written");
    let (all, mutants) = write(Breakage::Selected(Chosen::All));
    let chosen = [mutants[0].id].into();
    let (one, same) = write(Breakage::Selected(Chosen::Only(&chosen)));
    assert_eq!(mutants, same, "they keep their numbers");
    let compared = |modules: &[EmittedModule]| -> usize {
        modules.iter().map(|module| module.text.matches("top.mutant == ").count()).sum()
    };
    assert_eq!((compared(&all), compared(&one)), (mutants.len(), 1));
}

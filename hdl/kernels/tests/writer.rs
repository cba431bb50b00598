//! What the Verilog writer writes for small blocks, read by eye, and what it refuses.

use lsu_hdl::verilog::{self, Refusal};
use lsu_hdl::{Memory, Register, Registers, dff_setup};
use rust_hdl::prelude::*;

fn write<B: Block + Default>() -> Result<String, Refusal> {
    let mut block = B::default();
    block.connect_all();
    verilog::write(&block, "top", &[include_str!("writer.rs")])
}

/// States of a counter.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum State {
    Idle,
    Running,
    Done,
}

/// Counts to the limit after `start`.
#[derive(LogicBlock, Default)]
struct Counter {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Begins to count; ignored while counting.
    pub start: Signal<In, Bit>,
    /// Last value.
    pub limit: Signal<In, Bits<4>>,
    /// High for one cycle.
    pub done: Signal<Out, Bit>,
    state: Register<State>,
    count: Register<Bits<4>>,
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, count);
        match self.state.q.val() {
            State::Idle => {
                if self.start.val() {
                    self.state.d.next = State::Running;
                    self.count.d.next = 0.into();
                }
            }
            State::Running => {
                self.count.d.next = self.count.q.val() + 1;
                if self.count.q.val() == self.limit.val() {
                    self.state.d.next = State::Done;
                }
            }
            _ => self.state.d.next = State::Idle,
        }
        self.done.next = self.state.q.val() == State::Done;
    }
}

#[test]
fn state_machine() {
    insta::assert_snapshot!(write::<Counter>().unwrap());
}

/// Adds one lane's operands.
#[derive(LogicBlock, Default)]
struct Adder {
    /// First operand.
    pub left: Signal<In, Bits<8>>,
    /// Second operand.
    pub right: Signal<In, Bits<8>>,
    /// Sum with its carry.
    pub sum: Signal<Out, Bits<9>>,
}

impl Logic for Adder {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = bit_cast::<9, 8>(self.left.val()) + bit_cast::<9, 8>(self.right.val());
    }
}

/// Adds in every lane and keeps the sums.
#[derive(LogicBlock, Default)]
struct Lanes<const LANES: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Lanes that take part.
    pub mask: Signal<In, Bits<4>>,
    /// First operand of each lane.
    pub left: [Signal<In, Bits<8>>; 4],
    /// Second operand of each lane.
    pub right: [Signal<In, Bits<8>>; 4],
    /// Lane to show.
    pub select: Signal<In, Bits<2>>,
    /// The kept sum of that lane.
    pub shown: Signal<Out, Bits<9>>,
    /// The last lane that takes part.
    pub last: Signal<Out, Bits<2>>,
    adder: [Adder; 4],
    sums: Registers<Bits<9>, 4>,
    history: Memory<2, Bits<9>>,
}

impl<const LANES: usize> Logic for Lanes<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sums);
        self.last.next = 0.into();
        for i in 0..4 {
            self.adder[i].left.next = self.left[i].val();
            self.adder[i].right.next = self.right[3 - i].val();
            if self.mask.val().get_bit(i) {
                self.last.next = i.to_bits::<2>();
                self.sums.d[i].next = self.adder[i].sum.val();
            }
        }
        self.history.clock.next = self.clock.val();
        self.history.write_enable.next = self.mask.val().any();
        self.history.write_address.next = self.last.val();
        self.history.write_data.next = self.adder[0].sum.val();
        self.history.read_address.next = (self.select.val() + 1).get_bits::<1>(1).get_bits::<2>(0);
        self.shown.next = self.sums.q[self.select.val().index()].val() ^ self.history.read_data.val();
    }
}

#[test]
fn lanes_memories_and_sub_blocks() {
    insta::assert_snapshot!(write::<Lanes<4>>().unwrap());
}

fn reason<B: Block + Default>() -> (String, String) {
    let refusal = write::<B>().unwrap_err();
    (refusal.signal, refusal.reason)
}

/// Keeps its output where it should not.
#[derive(LogicBlock, Default)]
struct Latch {
    /// Opens the latch.
    pub enable: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<4>>,
    /// Held.
    pub held: Signal<Out, Bits<4>>,
}

impl Logic for Latch {
    #[hdl_gen]
    fn update(&mut self) {
        if self.enable.val() {
            self.held.next = self.value.val();
        }
    }
}

#[test]
fn latch_is_refused() {
    let (signal, reason) = reason::<Latch>();
    assert_eq!(signal, "held");
    assert!(reason.contains("latch"), "{reason}");
}

/// Reads what it has not yet assigned.
#[derive(LogicBlock, Default)]
struct Early {
    /// Value.
    pub value: Signal<In, Bits<4>>,
    /// From the cycle before.
    pub result: Signal<Out, Bits<4>>,
    draft: Signal<Local, Bits<4>>,
}

impl Logic for Early {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = self.draft.val();
        self.draft.next = self.value.val();
    }
}

#[test]
fn reading_before_assigning_is_refused() {
    let (signal, reason) = reason::<Early>();
    assert_eq!(signal, "draft");
    assert!(reason.contains("before it is assigned"), "{reason}");
}

/// Adds in `usize` what the syntax tree shows as a sum of bits.
#[derive(LogicBlock, Default)]
struct Sum {
    /// Index.
    pub index: Signal<In, Bits<2>>,
    /// Is it the last one?
    pub last: Signal<Out, Bit>,
}

impl Logic for Sum {
    #[hdl_gen]
    fn update(&mut self) {
        self.last.next = self.index.val().index() + 1 == 4;
    }
}

#[test]
fn arithmetic_on_an_index_is_refused() {
    let (_, reason) = reason::<Sum>();
    assert!(reason.contains("index()"), "{reason}");
}

/// Leaves a sub-block's input open.
#[derive(LogicBlock, Default)]
struct Open {
    /// Operand.
    pub value: Signal<In, Bits<8>>,
    /// Sum.
    pub sum: Signal<Out, Bits<9>>,
    adder: Adder,
}

impl Logic for Open {
    #[hdl_gen]
    fn update(&mut self) {
        self.adder.left.next = self.value.val();
        self.sum.next = self.adder.sum.val();
    }
}

#[test]
fn open_input_is_refused() {
    assert_eq!(reason::<Open>(), ("adder_right".to_string(), "never assigned".to_string()));
}

/// A width that the syntax tree does not hold.
#[derive(LogicBlock, Default)]
struct Extended {
    /// Value.
    pub value: Signal<In, Signed<8>>,
    /// Is it negative?
    pub negative: Signal<Out, Bit>,
}

impl Logic for Extended {
    #[hdl_gen]
    fn update(&mut self) {
        self.negative.next = signed_bit_cast::<16, 8>(self.value.val()) < signed_bit_cast::<16, 8>(self.value.val());
    }
}

#[test]
fn unknown_width_is_refused() {
    let (signal, reason) = reason::<Extended>();
    assert_eq!(signal, "negative");
    assert!(reason.contains("width"), "{reason}");
}

#[test]
fn missing_source_is_refused() {
    let mut block = Adder::default();
    block.connect_all();
    let refusal = verilog::write(&block, "top", &[]).unwrap_err();
    assert_eq!((refusal.module.as_str(), refusal.signal.as_str()), ("Adder", ""));
}

#[test]
fn reserved_top_name_is_refused() {
    let mut block = Adder::default();
    block.connect_all();
    assert!(verilog::write(&block, "module", &[include_str!("writer.rs")]).is_err());
}

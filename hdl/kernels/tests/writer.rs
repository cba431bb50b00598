//! What the Verilog writer writes for small blocks, read by eye, and what it refuses.

use lsu_hdl::verilog::{self, Refusal};
use lsu_hdl::{Arrays, Many, Memory, Register, Registers, clock, dff_setup};
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

/// Ports that travel together.
#[derive(Clone, Debug, Default, LogicInterface)]
struct Words {
    /// A word is offered.
    pub word_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub word_ready: Signal<Out, Bit>,
    /// The word, byte 0 lowest.
    pub word: Many<Signal<In, Bits<8>>, 4>,
}

/// Keeps the last word.
#[derive(LogicBlock, Default)]
struct Keeper {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A word is offered, to be kept.
    pub words: Words,

    /// The word that is kept.
    pub kept: Many<Signal<Out, Bits<8>>, 4>,
    held: Registers<Bits<8>, 4>,
}

impl Logic for Keeper {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        self.words.word_ready.next = true;
        if self.words.word_valid.val() {
            Arrays::join(&mut self.held.d, &mut self.words.word);
        }
        Arrays::join(&mut self.kept, &mut self.held.q);
    }
}

/// Hands words on.
#[derive(LogicBlock, Default)]
struct Passer {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,

    // Words.
    /// A word comes.
    pub words: Words,
    /// The word that is kept.
    pub kept: Many<Signal<Out, Bits<8>>, 4>,
    keeper: Keeper,
}

impl Logic for Passer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, keeper);
        Words::link(&mut self.words, &mut self.keeper.words);
        Arrays::join(&mut self.kept, &mut self.keeper.kept);
    }
}

#[test]
fn ports_of_a_bundle_have_names_and_comments_of_their_own() {
    insta::assert_snapshot!(write::<Passer>().unwrap());
}

/// Says words that `Keeper` keeps, each after the one before.
#[derive(LogicBlock, Default)]
struct Speaker {
    /// Clock of the speaker.
    pub clock: Signal<In, Clock>,
    /// Its reset.
    pub reset: Signal<In, Bit>,

    // Words on their way.
    /// A word is said.
    pub word_valid: Signal<Out, Bit>,
    /// It is heard.
    pub word_ready: Signal<In, Bit>,
    /// The word that is said.
    pub word: Many<Signal<Out, Bits<8>>, 4>,
    /// What was heard last.
    pub kept: Many<Signal<In, Bits<8>>, 4>,

    // Loudness.
    /// Says nothing while it is 1.
    pub silent: Signal<In, Bit>,
    /// Says something.
    pub loud: Signal<Out, Bit>,
}

impl Logic for Speaker {
    #[hdl_gen]
    fn update(&mut self) {
        self.loud.next = self.word_ready.val() & !self.silent.val();
        self.word_valid.next = !self.silent.val();
        for i in 0..4 {
            self.word[i].next = self.kept[i].val() + 1;
        }
    }
}

/// Hears words of another width.
#[derive(LogicBlock, Default)]
struct WideSpeaker {
    /// A word is said.
    pub word: Many<Signal<Out, Bits<9>>, 4>,
}

impl Logic for WideSpeaker {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.word[i].next = 0.into();
        }
    }
}

fn emitted<B: Block + Default>(name: &str) -> verilog::EmittedModule {
    let mut block = B::default();
    block.connect_all();
    verilog::modules(&block, name, "", &[include_str!("writer.rs")]).expect("can be written").swap_remove(0)
}

#[test]
fn two_modules_are_joined_by_the_names_of_their_ports() {
    let (keeper, speaker) = (emitted::<Keeper>("keeper"), emitted::<Speaker>("speaker"));
    let joined = verilog::joined("top", "A speaker that is heard.", ("first", &speaker), ("second", &keeper)).unwrap();
    assert_eq!(joined.children, ["speaker", "keeper"]);
    assert_eq!(joined.ports.iter().map(|port| &*port.name).collect::<Vec<_>>(), ["clk", "rst", "silent", "loud"]);
    insta::assert_snapshot!(joined.text);
}

#[test]
fn modules_that_do_not_fit_are_not_joined() {
    let (keeper, speaker) = (emitted::<Keeper>("keeper"), emitted::<Speaker>("speaker"));
    let wide = emitted::<WideSpeaker>("wide");
    let refusal = |first, second| {
        let refusal = verilog::joined("top", "Nothing.", first, second).unwrap_err();
        (refusal.signal, refusal.reason)
    };
    for (found, wanted, part) in [
        (refusal(("first", &wide), ("second", &keeper)), "word", "another width in each"),
        (refusal(("first", &speaker), ("second", &speaker)), "word_valid", "driven by both"),
        (refusal(("same", &speaker), ("same", &keeper)), "same", "name of an instance"),
        (refusal(("first", &speaker), ("loud", &keeper)), "loud", "name of an instance"),
        (refusal(("wire", &speaker), ("second", &keeper)), "wire", "name of an instance"),
    ] {
        assert!(found.0 == wanted && found.1.contains(part), "{found:?}");
    }
}

/// Steps a unit at once, whatever it is.
#[derive(LogicBlock, Default)]
struct Stepper {
    /// Clock of the link.
    pub clock: Signal<In, Clock>,
    /// Its reset.
    pub reset: Signal<In, Bit>,

    // The host.
    /// What the host says.
    pub host: Signal<In, Bits<8>>,
    /// What it is told.
    pub told: Signal<Out, Bits<8>>,

    // The unit.
    /// Clock of the unit.
    pub unit_clock: Signal<Out, Bit>,
    /// A byte of its inputs.
    pub input_byte: Signal<Out, Bits<8>>,
    /// It comes.
    pub input_shift: Signal<Out, Bit>,
    /// Its outputs are kept.
    pub output_load: Signal<Out, Bit>,
    /// A byte of them.
    pub output_byte: Signal<In, Bits<8>>,
    /// It goes.
    pub output_shift: Signal<Out, Bit>,
    /// Bytes of its inputs.
    pub input_bytes: Signal<In, Bits<12>>,
    /// Bytes of its outputs.
    pub output_bytes: Signal<In, Bits<12>>,
    /// Which unit it is.
    pub identity: Signal<In, Bits<32>>,
}

impl Logic for Stepper {
    #[hdl_gen]
    fn update(&mut self) {
        self.unit_clock.next = self.host.val().get_bit(0);
        self.input_byte.next = self.host.val();
        self.input_shift.next = self.input_bytes.val() > bit_cast::<12, 8>(self.host.val());
        self.output_load.next = self.output_bytes.val() > bit_cast::<12, 8>(self.host.val());
        self.output_shift.next = self.host.val().any();
        self.told.next = self.output_byte.val() ^ self.identity.val().get_bits::<8>(0);
    }
}

#[test]
fn a_module_is_stepped_through_shift_registers() {
    let (link, speaker) = (emitted::<Stepper>("stepper"), emitted::<Speaker>("speaker"));
    let stepped =
        verilog::stepped("top", "A speaker that says what it is told to.", &speaker, &link, 0x89ab_cdef).unwrap();
    assert_eq!(stepped.children, ["stepper", "speaker"]);
    assert_eq!(stepped.ports.iter().map(|port| &*port.name).collect::<Vec<_>>(), ["clk", "rst", "host", "told"]);
    insta::assert_snapshot!(stepped.text);
}

#[test]
fn what_cannot_be_stepped_is_refused() {
    let (link, speaker) = (emitted::<Stepper>("stepper"), emitted::<Speaker>("speaker"));
    let silent = emitted::<WideSpeaker>("wide");
    let refusal = |unit, link| {
        let refusal = verilog::stepped("top", "Nothing.", unit, link, 0).unwrap_err();
        (refusal.signal, refusal.reason)
    };
    let mut narrow = link.clone();
    narrow.ports.retain(|port| port.name != "output_load");
    for (found, wanted, part) in [
        (refusal(&speaker, &speaker), "unit_clock", "no such port"),
        (refusal(&speaker, &narrow), "output_load", "no such port"),
        (refusal(&silent, &link), "inputs", "too few or too many"),
    ] {
        assert!(found.0 == wanted && found.1.contains(part), "{found:?}");
    }
}

/// Takes words from two sides.
#[derive(LogicBlock, Default)]
struct TwoSides {
    /// The left ones.
    pub left: Words,
    /// The right ones.
    pub right: Words,
}

impl Logic for TwoSides {
    #[hdl_gen]
    fn update(&mut self) {
        self.left.word_ready.next = self.left.word_valid.val();
        self.right.word_ready.next = self.right.word_valid.val();
    }
}

#[test]
fn two_bundles_with_one_name_for_a_port_are_refused() {
    let (signal, text) = reason::<TwoSides>();
    assert_eq!(signal, "right.word_valid");
    assert!(text.contains("would be word_valid, but something else has that name"), "{text}");
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

/// Reads.
const CODE_READ: LiteralType = 1;
/// Answers.
const CODE_ANSWER: LiteralType = 2;

/// What one block says to another.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
struct Message {
    /// What it is.
    pub code: Bits<2>,
    /// Whose it is.
    pub lane: Bits<3>,
}

/// Answers the last read.
#[derive(LogicBlock, Default)]
struct Answers {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,

    // What is asked.
    /// The question.
    pub question: Signal<In, Message>,

    // What is answered,
    // and when.
    /// The answer.
    pub answer: Signal<Out, Message>,
    /// A read comes in.
    pub reads: Signal<Out, Bit>,
    asked: Register<Message>,
    one: Delay<1>,
    two: Delay<2>,
}

impl Logic for Answers {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, asked);

        // LDC-99: only reads are kept, `asked` holds the last one.
        self.reads.next = self.question.val().code == CODE_READ;
        if self.reads.val() {
            // The lane is all that is needed.
            self.asked.d.next = self.question.val();
        }
        // The lane of a read.
        self.answer.next.code = CODE_ANSWER.into();
        self.answer.next.lane = self.asked.q.val().lane;

        // Delays.
        self.one.value.next = self.question.val().code.get_bits::<1>(0); // Bit 0.
        self.two.value.next = self.question.val().lane.get_bits::<2>(1);
        // Nothing behind it.
    }
}

/// Hands its value on.
#[derive(LogicBlock, Default)]
struct Delay<const N: usize> {
    /// Value.
    pub value: Signal<In, Bits<N>>,
    /// The same.
    pub same: Signal<Out, Bits<N>>,
}

impl<const N: usize> Logic for Delay<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.same.next = self.value.val();
    }
}

#[test]
fn fields_constants_comments_and_variants_have_names() {
    let text = write::<Answers>().unwrap();
    insta::assert_snapshot!(text);
}

/// Has a name that Verilog keeps for itself.
#[derive(LogicBlock, Default)]
struct Reserved {
    /// Value.
    pub value: Signal<In, Bit>,
    /// The same.
    pub same: Signal<Out, Bit>,
    strong: Signal<Local, Bit>,
}

impl Logic for Reserved {
    #[hdl_gen]
    fn update(&mut self) {
        self.strong.next = self.value.val();
        self.same.next = self.strong.val();
    }
}

#[test]
fn reserved_name_of_a_field_is_refused() {
    let (signal, reason) = reason::<Reserved>();
    assert_eq!(signal, "strong");
    assert!(reason.contains("Verilog does not allow that name"), "{reason}");
}

/// Has two signals that would have one name.
#[derive(LogicBlock, Default)]
struct Twice {
    /// Value.
    pub value: Signal<In, Bits<8>>,
    /// Twice as much.
    pub adder_sum: Signal<Out, Bits<9>>,
    adder: Adder,
}

impl Logic for Twice {
    #[hdl_gen]
    fn update(&mut self) {
        self.adder.left.next = self.value.val();
        self.adder.right.next = self.value.val();
        self.adder_sum.next = self.adder.sum.val();
    }
}

#[test]
fn one_name_for_two_signals_is_refused() {
    let (signal, reason) = reason::<Twice>();
    assert_eq!(signal, "adder.sum");
    assert!(reason.contains("something else has that name"), "{reason}");
}

#[test]
fn a_constant_of_two_values_is_refused() {
    let mut block = Answers::default();
    block.connect_all();
    let write = |other| verilog::write(&block, "top", &[include_str!("writer.rs"), other]);
    assert!(write("const CODE_READ: LiteralType = 1;").is_ok());
    let refusal = write("const CODE_READ: LiteralType = 3;").unwrap_err();
    assert_eq!((refusal.module.as_str(), refusal.signal.as_str()), ("top", "reads"));
    assert!(refusal.reason.contains("CODE_READ"), "{refusal}");
}

#[test]
fn another_kernel_than_that_of_the_source_is_refused() {
    let mut block = Delay::<2>::default();
    block.connect_all();
    let source = include_str!("writer.rs").replace("self.same.next = self.value.val();", "");
    let refusal = verilog::write(&block, "top", &[&source]).unwrap_err();
    assert!(refusal.reason.contains("another kernel"), "{refusal}");
}

/// Counts what comes in and goes out.
#[derive(LogicBlock, Default)]
struct Store {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Something comes in.
    pub push: Signal<In, Bit>,
    /// Something goes out.
    pub pop: Signal<In, Bit>,
    /// What comes in.
    pub message: Signal<In, Message>,
    /// It holds nothing.
    pub empty: Signal<Out, Bit>,
    count: Register<Bits<2>>,

    /// Nothing goes out of an `empty` store, not even 1 %.
    ///
    /// What stands in a second paragraph is not printed.
    contract_pop: Signal<Local, Bit>,
    /// No read comes in one cycle after another: this is so long a sentence that it cannot stand in a single line of the Verilog.
    contract_reads: Signal<Local, Bit>,
    contract_was_read: Register<Bit>,
}

impl Logic for Store {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, contract_was_read);
        self.empty.next = !self.count.q.val().any();
        if self.push.val() & !self.pop.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        // One leaves.
        if self.pop.val() & !self.push.val() {
            self.count.d.next = self.count.q.val() - 1;
        }

        // Of the contract.
        self.contract_pop.next = !self.pop.val() | !self.empty.val();
        self.contract_was_read.d.next = self.push.val() & (self.message.val().code == CODE_READ);
        self.contract_reads.next =
            !(self.contract_was_read.q.val() & self.push.val() & (self.message.val().code == CODE_READ));
    }
}

#[test]
fn contracts_stand_apart() {
    insta::assert_snapshot!(write::<Store>().unwrap());
}

/// Shows its contract to everyone.
#[derive(LogicBlock, Default)]
struct ContractOutput {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    pub contract_zero: Signal<Out, Bit>,
}

impl Logic for ContractOutput {
    #[hdl_gen]
    fn update(&mut self) {
        self.zero.next = !self.value.val().any();
        self.contract_zero.next = self.zero.val();
    }
}

/// Has a contract of two bits.
#[derive(LogicBlock, Default)]
struct ContractBits {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    contract_zero: Signal<Local, Bits<2>>,
}

impl Logic for ContractBits {
    #[hdl_gen]
    fn update(&mut self) {
        self.zero.next = !self.value.val().any();
        self.contract_zero.next = self.value.val();
    }
}

/// Has a contract without a sentence.
#[derive(LogicBlock, Default)]
struct ContractWithoutSentence {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    contract_zero: Signal<Local, Bit>,
}

impl Logic for ContractWithoutSentence {
    #[hdl_gen]
    fn update(&mut self) {
        self.zero.next = !self.value.val().any();
        self.contract_zero.next = self.zero.val();
    }
}

/// Forgets its contract.
#[derive(LogicBlock, Default)]
struct ContractUnassigned {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    contract_zero: Signal<Local, Bit>,
}

impl Logic for ContractUnassigned {
    #[hdl_gen]
    fn update(&mut self) {
        self.zero.next = !self.value.val().any();
    }
}

/// Relies on its own contract.
#[derive(LogicBlock, Default)]
struct ContractRead {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    contract_zero: Signal<Local, Bit>,
}

impl Logic for ContractRead {
    #[hdl_gen]
    fn update(&mut self) {
        self.contract_zero.next = !self.value.val().any();
        self.zero.next = self.contract_zero.val();
    }
}

/// Has a contract between two assignments of what it reads.
#[derive(LogicBlock, Default)]
struct ContractEarly {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    contract_zero: Signal<Local, Bit>,
    draft: Signal<Local, Bit>,
}

impl Logic for ContractEarly {
    #[hdl_gen]
    fn update(&mut self) {
        self.draft.next = !self.value.val().any();
        self.contract_zero.next = self.draft.val();
        self.draft.next = !self.draft.val();
        self.zero.next = self.draft.val();
    }
}

/// Has a contract that reads an input of a block.
#[derive(LogicBlock, Default)]
struct ContractOnInput {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    contract_zero: Signal<Local, Bit>,
    delay: Delay<2>,
}

impl Logic for ContractOnInput {
    #[hdl_gen]
    fn update(&mut self) {
        self.delay.value.next = self.value.val();
        self.zero.next = !self.delay.same.val().any();
        self.contract_zero.next = !self.delay.value.val().any();
    }
}

/// Has a block for its contract.
#[derive(LogicBlock, Default)]
struct ContractBlock {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    contract_zero: Signal<Local, Bit>,
    contract_delay: Delay<2>,
}

impl Logic for ContractBlock {
    #[hdl_gen]
    fn update(&mut self) {
        self.zero.next = !self.value.val().any();
        self.contract_delay.value.next = self.value.val();
        self.contract_zero.next = !self.contract_delay.same.val().any();
    }
}

/// Has no clock at which its contract could be looked at.
#[derive(LogicBlock, Default)]
struct ContractUnclocked {
    /// Value.
    pub value: Signal<In, Bits<2>>,
    /// Zero.
    pub zero: Signal<Out, Bit>,
    /// It is zero.
    contract_zero: Signal<Local, Bit>,
}

impl Logic for ContractUnclocked {
    #[hdl_gen]
    fn update(&mut self) {
        self.zero.next = !self.value.val().any();
        self.contract_zero.next = self.zero.val();
    }
}

#[test]
fn what_is_no_contract_is_refused() {
    for ((signal, reason), (wanted, part)) in [
        (reason::<ContractOutput>(), ("contract_zero", "must be a local signal")),
        (reason::<ContractBits>(), ("contract_zero", "must have one bit")),
        (reason::<ContractWithoutSentence>(), ("contract_zero", "needs a comment")),
        (reason::<ContractUnassigned>(), ("contract_zero", "never assigned")),
        (reason::<ContractRead>(), ("contract_zero", "only contracts may read")),
        (reason::<ContractEarly>(), ("contract_zero", "behind the last assignment")),
        (reason::<ContractOnInput>(), ("delay_value", "cannot read an input of a block")),
        (reason::<ContractBlock>(), ("contract_delay", "no blocks or memories")),
        (reason::<ContractUnclocked>(), ("contract_zero", "no input `clock`")),
    ] {
        assert!(signal == wanted && reason.contains(part), "{signal}: {reason}");
    }
}

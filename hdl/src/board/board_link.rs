//! `BoardLink`: frames from a host move a unit on by a cycle each, and frames back say what its outputs were.
//!
//! ```text
//! rx ─► SerialReceiver ─► frame ─► complete ─┬─► input_shift, input_byte: the unit's inputs, while the frame comes
//!                          Crc16             ├─► output_load: its outputs, when the whole frame has come
//!                                            └─► unit_clock: its edge, at once behind them
//! tx ◄─ SerialTransmitter ◄─ frame ◄─ output_byte, output_shift: those outputs, a byte each
//!                          Crc16
//! ```
//!
//! The page of [`board`](super) has the frames. While the answer to one frame is sent the next one may come; it is acted upon when the answer has
//! gone. The unit's clock is a register that is 1 for 15 clocks when a frame has come. Its inputs have come before the two bytes of the checksum,
//! and nothing moves while it is 1: so whatever a signal takes through the unit, it has 80 clocks or more.
//!
//! Assertions: `contract_waits`.

use rust_hdl::prelude::*;

use super::crc16::Crc16;
use super::serial_receiver::SerialReceiver;
use super::serial_transmitter::SerialTransmitter;
use crate::{Register, dff_setup};

/// Begins a frame with the inputs of a cycle: `S`.
const STEP: u64 = 0x53;
/// Begins a frame that asks what is here: `I`.
const IDENTIFY: u64 = 0x49;
/// Begins the answer to the first: `s`.
const STEPPED: u64 = 0x73;
/// Begins the answer to the second: `i`.
const IDENTITY: u64 = 0x69;
/// Begins the answer to a frame whose checksum is wrong: `e`.
const REFUSED: u64 = 0x65;
/// Bytes of a checksum.
const CHECKSUM: usize = 2;
/// Bytes of the identity.
const IDENTITY_BYTES: usize = 4;
/// The last clock in which the unit is moved on: in the first its outputs are kept, behind the others its clock is 1.
const LAST_CLOCK: u64 = 15;

/// Moves a unit on by frames.
#[derive(LogicBlock, Default)]
pub struct BoardLink {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: between frames. It does not reset the unit.
    pub reset: Signal<In, Bit>,

    // The serial line.
    /// From the host.
    pub rx: Signal<In, Bit>,
    /// To the host.
    pub tx: Signal<Out, Bit>,
    /// Clocks in a bit, at least 4; constant.
    pub clocks_per_bit: Signal<In, Bits<16>>,

    // What the unit is.
    /// Bytes of the unit's inputs; constant.
    pub input_bytes: Signal<In, Bits<12>>,
    /// Bytes of the unit's outputs; constant.
    pub output_bytes: Signal<In, Bits<12>>,
    /// Tells one unit from another; constant.
    pub identity: Signal<In, Bits<32>>,

    // The unit's pins.
    /// The unit's clock.
    pub unit_clock: Signal<Out, Bit>,
    /// The next byte of the unit's inputs.
    pub input_byte: Signal<Out, Bits<8>>,
    /// It comes at this edge.
    pub input_shift: Signal<Out, Bit>,
    /// The unit's outputs are to be kept at this edge.
    pub output_load: Signal<Out, Bit>,
    /// The next byte of what was kept.
    pub output_byte: Signal<In, Bits<8>>,
    /// It goes at this edge.
    pub output_shift: Signal<Out, Bit>,

    receiver: SerialReceiver,
    received_checksum: Crc16,
    transmitter: SerialTransmitter,
    sent_checksum: Crc16,

    /// A frame has begun.
    is_coming: Register<Bit>,
    /// How it began.
    asked: Register<Bits<8>>,
    /// Bytes of it that are still to come.
    to_come: Register<Bits<13>>,
    /// Checksum of those that have come.
    checksum: Register<Bits<16>>,
    /// A whole frame waits for what is sent, or for the unit.
    is_complete: Register<Bit>,
    /// Clock of those in which the unit is moved on.
    phase: Register<Bits<4>>,
    raised: Register<Bit>,

    /// An answer is sent.
    sends: Register<Bit>,
    /// Its first byte is still to be sent.
    begins: Register<Bit>,
    answer: Register<Bits<8>>,
    /// Bytes between the first one and the checksum that are still to be sent.
    to_send: Register<Bits<12>>,
    /// Bytes of the checksum that are still to be sent.
    checksum_left: Register<Bits<2>>,
    answer_checksum: Register<Bits<16>>,
    /// What is still to be sent of the identity.
    told: Register<Bits<32>>,

    begins_frame: Signal<Local, Bit>,
    acts: Signal<Local, Bit>,
    is_step: Signal<Local, Bit>,
    says: Signal<Local, Bits<8>>,
    sent: Signal<Local, Bit>,
    /// No byte comes while a whole frame waits.
    contract_waits: Signal<Local, Bit>,
}

impl Logic for BoardLink {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, is_coming, asked, to_come, checksum, is_complete, phase, raised);
        dff_setup!(self, clock, sends, begins, answer, to_send, checksum_left, answer_checksum, told);
        clock!(self, clock, receiver, transmitter);
        self.receiver.rx.next = self.rx.val();
        self.receiver.clocks_per_bit.next = self.clocks_per_bit.val();
        self.transmitter.clocks_per_bit.next = self.clocks_per_bit.val();
        self.tx.next = self.transmitter.tx.val();

        // A frame comes: how it begins, what belongs to it, and its checksum. Between frames, all bytes but two are nothing.
        self.begins_frame.next = self.receiver.came.val()
            & !self.is_coming.q.val()
            & !self.is_complete.q.val()
            & ((self.receiver.data.val() == STEP) | (self.receiver.data.val() == IDENTIFY));
        self.received_checksum.data.next = self.receiver.data.val();
        self.received_checksum.so_far.next = self.checksum.q.val();
        if !self.is_coming.q.val() {
            self.received_checksum.so_far.next = 0.into();
        }
        self.input_byte.next = self.receiver.data.val();
        self.input_shift.next = false;
        if self.begins_frame.val() {
            self.is_coming.d.next = true;
            self.asked.d.next = self.receiver.data.val();
            self.to_come.d.next = CHECKSUM.to_bits::<13>();
            if self.receiver.data.val() == STEP {
                self.to_come.d.next = bit_cast::<13, 12>(self.input_bytes.val()) + CHECKSUM.to_bits::<13>();
            }
            self.checksum.d.next = self.received_checksum.with_data.val();
        }
        if self.receiver.came.val() & self.is_coming.q.val() {
            self.input_shift.next = (self.asked.q.val() == STEP) & (self.to_come.q.val() > CHECKSUM.to_bits::<13>());
            self.to_come.d.next = self.to_come.q.val() - 1;
            self.checksum.d.next = self.received_checksum.with_data.val();
            if self.to_come.q.val() == 1 {
                self.is_coming.d.next = false;
                self.is_complete.d.next = true;
            }
        }

        // A whole frame is acted upon when the answer before it has gone. That of a step moves the unit on by a cycle.
        self.acts.next = self.is_complete.q.val() & !self.sends.q.val();
        self.is_step.next = (self.asked.q.val() == STEP) & !self.checksum.q.val().any();
        self.output_load.next = false;
        self.raised.d.next = false;
        if self.acts.val() & self.is_step.val() {
            self.phase.d.next = self.phase.q.val() + 1;
            self.output_load.next = self.phase.q.val() == 0;
            self.raised.d.next = self.phase.q.val() != 0;
        }
        self.unit_clock.next = self.raised.q.val();
        if self.acts.val() & (!self.is_step.val() | (self.phase.q.val() == LAST_CLOCK)) {
            self.is_complete.d.next = false;
            self.sends.d.next = true;
            self.begins.d.next = true;
            self.checksum_left.d.next = CHECKSUM.to_bits::<2>();
            self.answer.d.next = REFUSED.into();
            self.to_send.d.next = 0.into();
            self.told.d.next = self.identity.val();
            if self.is_step.val() {
                self.answer.d.next = STEPPED.into();
                self.to_send.d.next = self.output_bytes.val();
            } else if !self.checksum.q.val().any() {
                self.answer.d.next = IDENTITY.into();
                self.to_send.d.next = IDENTITY_BYTES.to_bits::<12>();
            }
        }

        // An answer goes: how it begins, what belongs to it, and its checksum, high byte first.
        self.says.next = self.answer_checksum.q.val().get_bits::<8>(0);
        if self.checksum_left.q.val() == CHECKSUM.to_bits::<2>() {
            self.says.next = self.answer_checksum.q.val().get_bits::<8>(8);
        }
        if self.to_send.q.val().any() {
            self.says.next = self.told.q.val().get_bits::<8>(0);
            if self.answer.q.val() == STEPPED {
                self.says.next = self.output_byte.val();
            }
        }
        if self.begins.q.val() {
            self.says.next = self.answer.q.val();
        }
        self.sent_checksum.data.next = self.says.val();
        self.sent_checksum.so_far.next = self.answer_checksum.q.val();
        if self.begins.q.val() {
            self.sent_checksum.so_far.next = 0.into();
        }
        self.transmitter.valid.next = self.sends.q.val();
        self.transmitter.data.next = self.says.val();
        self.sent.next = self.sends.q.val() & self.transmitter.ready.val();
        self.output_shift.next = false;
        if self.sent.val() {
            self.begins.d.next = false;
            if self.begins.q.val() | self.to_send.q.val().any() {
                self.answer_checksum.d.next = self.sent_checksum.with_data.val();
            }
            if !self.begins.q.val() & self.to_send.q.val().any() {
                self.to_send.d.next = self.to_send.q.val() - 1;
                self.told.d.next = self.told.q.val() >> 8;
                self.output_shift.next = true;
            }
            if !self.begins.q.val() & !self.to_send.q.val().any() {
                self.checksum_left.d.next = self.checksum_left.q.val() - 1;
                if self.checksum_left.q.val() == 1 {
                    self.sends.d.next = false;
                }
            }
        }
        self.contract_waits.next = !(self.receiver.came.val() & self.is_complete.q.val());
    }
}

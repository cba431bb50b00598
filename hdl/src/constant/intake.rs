//! `Intake`: place I of the unit, and the checks that decide what becomes of an operation.
//!
//! ```text
//! req_* ─► registers (I) ─► LANES x LdcAddress ─► legality, alignment ─► addressed operation (to A)
//! ```
//!
//! Takes one operation whenever it is empty or its content moves on. Everything after the registers is combinational; the next place stores it.
//!
//! Faults found here, in this order (LDC-9 to LDC-11, LDC-13): `misaligned_register`, `illegal_instruction`,
//! `misaligned_address`; an operation without active lanes has none. Loads and stores are refused as
//! `illegal_instruction`: this version serves LDC and commands.
//!
//! Assertions: `valid` of the output never falls before `next_ready`.

use rust_hdl::prelude::*;

use super::ldc_address::LdcAddress;
use super::operation::LdcOperation;
use super::sizes::*;
use crate::codes::*;
use crate::{Many, Register, Registers, dff_setup};

/// Place I of the constant path, and the operation's checks.
#[derive(LogicBlock, Default)]
pub struct Intake {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An operation is offered.
    pub req_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub req_ready: Signal<Out, Bit>,
    /// Names the operation.
    pub req_tag: Signal<In, Bits<8>>,
    /// 0 load, 1 store, 2 ldc, 3 command.
    pub req_op: Signal<In, Bits<2>>,
    /// Which command.
    pub req_cmd: Signal<In, Bits<2>>,
    /// log2 of the access size in bytes; 5 to 7 are no size.
    pub req_size: Signal<In, Bits<3>>,
    /// Sign-extend.
    pub req_sign: Signal<In, Bit>,
    /// Destination register, 255 is RZ.
    pub req_rd: Signal<In, Bits<8>>,
    /// Active lanes.
    pub req_mask: Signal<In, Bits<LANES>>,
    /// Register operand of each lane; LDC uses the low 32 bits.
    pub req_addr: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// Immediate; LDC uses the low 16 bits.
    pub req_imm: Signal<In, Bits<16>>,
    /// Bank named by the instruction.
    pub req_bank: Signal<In, Bits<5>>,
    /// 0 IA, 1 IL, 2 IS, 3 ISL.
    pub req_mode: Signal<In, Bits<2>>,
    /// No register operand.
    pub req_ra_is_rz: Signal<In, Bit>,
    /// Compute mode; static while operations are in flight.
    pub compute: Signal<In, Bit>,

    /// An addressed operation is offered.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// The operation.
    pub operation: Signal<Out, LdcOperation>,
    /// An active lane uses bank 8 or more in compute mode.
    pub unpredictable: Signal<Out, Bit>,
    /// Byte address of each lane inside its bank.
    pub address: Many<Signal<Out, Bits<32>>, LANES>,
    /// Bank of each lane; means nothing where the lane is unsupported.
    pub bank: Many<Signal<Out, Bits<5>>, LANES>,

    full: Register<Bit>,
    tag_held: Register<Bits<8>>,
    op: Register<Bits<2>>,
    cmd_held: Register<Bits<2>>,
    size_held: Register<Bits<3>>,
    sign_held: Register<Bit>,
    rd_held: Register<Bits<8>>,
    mask: Register<Bits<LANES>>,
    ra: Registers<Bits<32>, LANES>,
    imm: Register<Bits<16>>,
    bank_held: Register<Bits<5>>,
    mode: Register<Bits<2>>,
    ra_is_rz: Register<Bit>,
    lane: Many<LdcAddress, LANES>,

    align_mask: Signal<Local, Bits<4>>,
    misaligned: Signal<Local, Bits<LANES>>,
    unsupported: Signal<Local, Bits<LANES>>,
    upper_bank: Signal<Local, Bits<LANES>>,
    register_misaligned: Signal<Local, Bit>,
    is_command: Signal<Local, Bit>,
    is_ldc: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
}

impl Logic for Intake {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, tag_held, op, cmd_held, size_held, sign_held, rd_held, mask, ra, imm, bank_held);
        dff_setup!(self, clock, mode, ra_is_rz);
        self.req_ready.next = !self.full.q.val() | self.next_ready.val();
        if self.req_ready.val() {
            self.full.d.next = self.req_valid.val();
            self.tag_held.d.next = self.req_tag.val();
            self.op.d.next = self.req_op.val();
            self.cmd_held.d.next = self.req_cmd.val();
            self.size_held.d.next = self.req_size.val();
            self.sign_held.d.next = self.req_sign.val();
            self.rd_held.d.next = self.req_rd.val();
            self.mask.d.next = self.req_mask.val();
            self.imm.d.next = self.req_imm.val();
            self.bank_held.d.next = self.req_bank.val();
            self.mode.d.next = self.req_mode.val();
            self.ra_is_rz.d.next = self.req_ra_is_rz.val();
            for i in 0..LANES {
                self.ra.d[i].next = self.req_addr[i].val().get_bits::<32>(0);
            }
        }

        self.valid.next = self.full.q.val();
        self.operation.next.tag = self.tag_held.q.val();
        self.operation.next.cmd = self.cmd_held.q.val();
        self.operation.next.size = self.size_held.q.val();
        self.operation.next.sign = self.sign_held.q.val();
        self.operation.next.rd = self.rd_held.q.val();
        self.is_command.next = self.op.q.val() == OP_COMMAND;
        self.operation.next.is_command = self.is_command.val();
        self.is_ldc.next = self.op.q.val() == OP_LDC;

        // LDC-9: the low address bits that must be 0.
        self.align_mask.next = 15.into();
        if self.size_held.q.val() == SIZE_8 {
            self.align_mask.next = 0.into();
        }
        if self.size_held.q.val() == SIZE_16 {
            self.align_mask.next = 1.into();
        }
        if self.size_held.q.val() == SIZE_32 {
            self.align_mask.next = 3.into();
        }
        if self.size_held.q.val() == SIZE_64 {
            self.align_mask.next = 7.into();
        }

        self.misaligned.next = 0.into();
        self.unsupported.next = 0.into();
        self.upper_bank.next = 0.into();
        for i in 0..LANES {
            self.lane[i].ra.next = self.ra.q[i].val();
            self.lane[i].ra_is_rz.next = self.ra_is_rz.q.val();
            self.lane[i].imm.next = self.imm.q.val();
            self.lane[i].bank.next = self.bank_held.q.val();
            self.lane[i].mode.next = self.mode.q.val();
            self.lane[i].compute.next = self.compute.val();
            self.address[i].next = self.lane[i].address.val();
            self.bank[i].next = self.lane[i].bank_low.val();
            self.unsupported.next = self.unsupported.val().replace_bit(i, self.lane[i].unsupported.val());
            self.upper_bank.next = self.upper_bank.val().replace_bit(i, self.lane[i].upper_bank.val());
            self.misaligned.next = self
                .misaligned
                .val()
                .replace_bit(i, (self.lane[i].address.val().get_bits::<4>(0) & self.align_mask.val()).any());
        }

        // LDC-10: pairs and quads are aligned and end at R254; RZ is no pair.
        self.register_misaligned.next = false;
        if self.rd_held.q.val() != RD_RZ {
            if self.size_held.q.val() == SIZE_64 {
                self.register_misaligned.next = self.rd_held.q.val().get_bit(0) | (self.rd_held.q.val() == 254);
            }
            if self.size_held.q.val() == SIZE_128 {
                self.register_misaligned.next =
                    self.rd_held.q.val().get_bits::<2>(0).any() | (self.rd_held.q.val() > 251);
            }
        }

        self.operation.next.cause = CAUSE_NONE.into();
        self.operation.next.fault_lanes = self.mask.q.val();
        if self.mask.q.val().any() & !self.is_command.val() {
            if self.is_ldc.val() & self.register_misaligned.val() {
                self.operation.next.cause = CAUSE_MISALIGNED_REGISTER.into();
            } else {
                if !self.is_ldc.val() | (self.size_held.q.val() > SIZE_128) {
                    self.operation.next.cause = CAUSE_ILLEGAL_INSTRUCTION.into();
                } else {
                    if (self.misaligned.val() & self.mask.q.val()).any() {
                        self.operation.next.cause = CAUSE_MISALIGNED_ADDRESS.into();
                        self.operation.next.fault_lanes = self.misaligned.val() & self.mask.q.val();
                    }
                }
            }
        }

        // RZ discards: such an operation neither needs a line nor writes a lane.
        self.writes.next = (self.rd_held.q.val() != RD_RZ) & !self.is_command.val();
        self.operation.next.grouped = 0.into();
        self.operation.next.ride = 0.into();
        if self.writes.val() {
            self.operation.next.grouped = self.mask.q.val() & !self.unsupported.val();
            self.operation.next.ride = self.mask.q.val() & self.unsupported.val();
        }
        self.unpredictable.next = self.compute.val()
            & self.is_ldc.val()
            & (self.operation.val().cause == CAUSE_NONE)
            & (self.mask.q.val() & self.upper_bank.val()).any();
    }
}

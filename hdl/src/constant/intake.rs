//! `Intake`: place `intake` of the unit, and the checks that decide what becomes of an operation.
//!
//! ```text
//! req_* ─► registers ─► LANES x LdcAddress ─► legality, alignment ─► addressed operation (to group)
//! ```
//!
//! Faults found here, in this order (LDC-9, LDC-10, LDC-11, LDC-13): `misaligned_register`, `illegal_instruction`,
//! `misaligned_address`; an operation without active lanes has none. Loads and stores are refused as
//! `illegal_instruction`: this version serves LDC and commands.
//!
//! Assertions: `contract_valid`.

use super::ldc_address::LdcAddress;
use super::prelude::*;

/// Place `intake` of the constant path, and the operation's checks.
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
    /// The operation.
    pub req: Signal<In, LdcRequest>,
    /// Register operand of each lane; LDC uses the low 32 bits.
    pub req_addr: Many<Signal<In, Bits<ADDR>>, LANES>,
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
    /// Register operand and immediate of each lane; the low half is the byte address inside its bank.
    pub address: Many<Signal<Out, Bits<32>>, LANES>,
    /// Bank of each lane; means nothing where the lane is unsupported.
    pub bank: Many<Signal<Out, Bits<5>>, LANES>,

    full: Register<Bit>,
    held: Register<LdcRequest>,
    ra: Registers<Bits<32>, LANES>,
    lane: Many<LdcAddress, LANES>,

    align_mask: Signal<Local, Bits<4>>,
    misaligned: Signal<Local, Bits<LANES>>,
    misaligned_active: Signal<Local, Bits<LANES>>,
    unsupported: Signal<Local, Bits<LANES>>,
    upper_bank: Signal<Local, Bits<LANES>>,
    register_misaligned: Signal<Local, Bit>,
    is_command: Signal<Local, Bit>,
    is_ldc: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,

    /// Once it is 1, valid does not fall before next_ready.
    contract_valid: Signal<Local, Bit>,
    contract_waited: Register<Bit>,
}

impl Logic for Intake {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, ra);
        self.req_ready.next = !self.full.q.val() | self.next_ready.val();
        if self.req_ready.val() {
            self.full.d.next = self.req_valid.val();
            self.held.d.next = self.req.val();
            for i in 0..LANES {
                self.ra.d[i].next = self.req_addr[i].val().get_bits::<32>(0);
            }
        }

        self.valid.next = self.full.q.val();
        self.operation.next.tag = self.held.q.val().tag;
        self.operation.next.named_bank = self.held.q.val().bank;
        self.operation.next.cmd = self.held.q.val().cmd;
        self.operation.next.size = self.held.q.val().size;
        self.operation.next.sign = self.held.q.val().sign;
        self.operation.next.rd = self.held.q.val().rd;
        self.is_command.next = self.held.q.val().op == OP_COMMAND;
        self.operation.next.is_command = self.is_command.val();
        self.is_ldc.next = self.held.q.val().op == OP_LDC;

        // LDC-9: the low address bits that must be 0.
        self.align_mask.next = 0.into();
        for i in 0..4 {
            self.align_mask.next = self.align_mask.val().replace_bit(i, self.held.q.val().size > i.to_bits::<3>());
        }

        self.misaligned.next = 0.into();
        self.unsupported.next = 0.into();
        self.upper_bank.next = 0.into();
        for i in 0..LANES {
            self.lane[i].ra.next = self.ra.q[i].val();
            self.lane[i].ra_is_rz.next = self.held.q.val().ra_is_rz;
            self.lane[i].imm.next = self.held.q.val().imm;
            self.lane[i].bank.next = self.held.q.val().bank;
            self.lane[i].mode.next = self.held.q.val().mode;
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

        self.misaligned_active.next = self.misaligned.val() & self.held.q.val().mask;

        // LDC-10: pairs and quads are aligned and end at R254; RZ is no pair.
        self.register_misaligned.next = false;
        if self.held.q.val().rd != RD_RZ {
            if self.held.q.val().size == SIZE_64 {
                self.register_misaligned.next = self.held.q.val().rd.get_bit(0) | (self.held.q.val().rd == 254);
            }
            if self.held.q.val().size == SIZE_128 {
                self.register_misaligned.next =
                    self.held.q.val().rd.get_bits::<2>(0).any() | (self.held.q.val().rd > 251);
            }
        }

        self.operation.next.cause = CAUSE_NONE.into();
        self.operation.next.fault_lanes = self.held.q.val().mask;
        if self.held.q.val().mask.any() & !self.is_command.val() {
            if self.is_ldc.val() & self.register_misaligned.val() {
                self.operation.next.cause = CAUSE_MISALIGNED_REGISTER.into();
            } else if !self.is_ldc.val() | (self.held.q.val().size > SIZE_128) {
                self.operation.next.cause = CAUSE_ILLEGAL_INSTRUCTION.into();
            } else if self.misaligned_active.val().any() {
                self.operation.next.cause = CAUSE_MISALIGNED_ADDRESS.into();
                self.operation.next.fault_lanes = self.misaligned_active.val();
            }
        }

        // RZ discards: such an operation neither needs a line nor writes a lane.
        self.writes.next = (self.held.q.val().rd != RD_RZ) & !self.is_command.val();
        self.operation.next.grouped = 0.into();
        self.operation.next.ride = 0.into();
        if self.writes.val() {
            self.operation.next.grouped = self.held.q.val().mask & !self.unsupported.val();
            self.operation.next.ride = self.held.q.val().mask & self.unsupported.val();
        }
        self.unpredictable.next = self.compute.val()
            & self.is_ldc.val()
            & (self.operation.val().cause == CAUSE_NONE)
            & (self.held.q.val().mask & self.upper_bank.val()).any();

        dff_setup!(self, clock, contract_waited);
        self.contract_waited.d.next = self.valid.val() & !self.next_ready.val();
        self.contract_valid.next = !self.contract_waited.q.val() | self.valid.val();
    }
}

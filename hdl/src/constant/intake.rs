//! `Intake`: place `intake` of the unit, and the checks that decide what becomes of an operation.
//!
//! ```text
//! req_* ─► addend ─► registers ─┬─► LANES x LdcAddress ─► alignment, range ─┬─► addressed operation (to group)
//!                               └─► bank, registers, legality ──────────────┘
//! ```
//!
//! Faults of the instruction are found here, in this order (LDC-10, LDC-11, LDC-13, CONST): `misaligned_register`,
//! `illegal_instruction`. Which lanes are misaligned or out of range is told to `group`, which makes faults of that. An operation without
//! active lanes has none.
//!
//! Rule CONST: a constant load goes on as an LDC of mode IA on bank 3 or 0, with the registers of any other load (rule REGISTERS).
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
    /// Where kernel parameters begin in bank 0; static while operations are in flight.
    pub param_offset: Signal<In, Bits<16>>,

    /// An addressed operation is offered.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge, whether or not `data` is free.
    pub next_ready: Signal<In, Bit>,
    /// It is taken at this edge if `data` is free.
    pub next_follows: Signal<In, Bit>,
    /// `data` is free.
    pub data_ready: Signal<In, Bit>,
    /// The operation. Its cause is one that its instruction has, whatever the addresses; its `ride` are
    /// lanes whose bank does not exist, which are still among its lanes.
    pub operation: Signal<Out, LdcOperation>,
    /// Active lanes whose address is no multiple of their bytes; a command has none.
    pub misaligned_lanes: Signal<Out, Bits<LANES>>,
    /// Active lanes of a load whose operand or sum does not fit.
    pub outside_lanes: Signal<Out, Bits<LANES>>,
    /// Lanes whose sum leaves its bank, or whose bank leaves all banks: told beside `ride`, as either is known late.
    pub beyond_lanes: Signal<Out, Bits<LANES>>,
    /// Active lanes of an LDC that use bank 8 or more in compute mode.
    pub unpredictable: Signal<Out, Bits<LANES>>,
    /// Sum of each lane; the low half is the byte address inside its bank.
    pub address: Many<Signal<Out, Bits<ADDR>>, LANES>,
    /// Bank of each lane; means nothing where the lane is unsupported.
    pub bank: Many<Signal<Out, Bits<5>>, LANES>,

    full: Register<Bit>,
    held: Register<LdcRequest>,
    ra: Registers<Bits<ADDR>, LANES>,
    /// What is added to the operand of every lane, as wide as a sum: the immediate, and where kernel parameters begin.
    addend: Register<Bits<SUM>>,
    lane: Many<LdcAddress, LANES>,

    align_mask: Signal<Local, Bits<4>>,
    misaligned: Signal<Local, Bits<LANES>>,
    unsupported: Signal<Local, Bits<LANES>>,
    upper_bank: Signal<Local, Bits<LANES>>,
    outside: Signal<Local, Bits<LANES>>,
    destination: LoadDestination,
    result: Signal<Local, LdcResult>,
    is_command: Signal<Local, Bit>,
    is_load: Signal<Local, Bit>,
    is_param: Signal<Local, Bit>,
    vec: Signal<Local, Bits<2>>,
    element_registers: Signal<Local, Bits<2>>,
    total: Signal<Local, Bits<4>>,
    bank_named: Signal<Local, Bits<5>>,
    req_displacement: Signal<Local, Bits<SUM>>,
    req_addend: Signal<Local, Bits<SUM>>,
    ones: Signal<Local, Bits<SUM>>,
    illegal: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,

    next_takes: Signal<Local, Bit>,

    /// Once it is 1, valid does not fall before next_takes.
    contract_valid: Signal<Local, Bit>,
    contract_waited: Register<Bit>,
}

impl Logic for Intake {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, ra, addend);
        // LDC-1, LDC-2, CONST: the immediate of an LDC has 16 bits, with a sign if there is an operand.
        self.ones.next = 0.into();
        self.ones.next = !self.ones.val();
        self.req_displacement.next = bit_cast::<SUM, 16>(self.req.val().imm.get_bits::<16>(0));
        if self.req.val().imm.get_bit(15) & !self.req.val().ra_is_rz {
            self.req_displacement.next =
                bit_cast::<SUM, 16>(self.req.val().imm.get_bits::<16>(0)) | (self.ones.val() << 16);
        }
        if self.req.val().op == OP_LOAD {
            self.req_displacement.next = bit_cast::<SUM, 32>(self.req.val().imm);
            if self.req.val().imm.get_bit(31) {
                self.req_displacement.next = bit_cast::<SUM, 32>(self.req.val().imm) | (self.ones.val() << 32);
            }
        }
        self.req_addend.next = self.req_displacement.val();
        if (self.req.val().op == OP_LOAD) & (self.req.val().space == SPACE_PARAM_ENTRY) {
            self.req_addend.next =
                self.req_displacement.val() + (bit_cast::<SUM, 12>(self.param_offset.val().get_bits::<12>(4)) << 4);
        }
        self.next_takes.next = self.next_ready.val() | (self.next_follows.val() & self.data_ready.val());
        self.req_ready.next = !self.full.q.val() | self.next_takes.val();
        if self.req_ready.val() {
            self.full.d.next = self.req_valid.val();
            self.held.d.next = self.req.val();
            Arrays::join(&mut self.ra.d, &mut self.req_addr);
            // LDC-1: without a register there is nothing to add. Said before the register, as two sums stand behind it.
            if self.req.val().ra_is_rz & (self.req.val().op != OP_LOAD) {
                for i in 0..LANES {
                    self.ra.d[i].next = 0.into();
                }
            }
            self.addend.d.next = self.req_addend.val();
        }

        self.valid.next = self.full.q.val();
        self.operation.next.tag = self.held.q.val().tag;
        self.operation.next.cmd = self.held.q.val().cmd;
        self.is_command.next = self.held.q.val().op == OP_COMMAND;
        self.operation.next.is_command = self.is_command.val();

        // Rule CONST: what LDC is told by fields of its own.
        self.is_load.next = self.held.q.val().op == OP_LOAD;
        self.is_param.next = self.held.q.val().space == SPACE_PARAM_ENTRY;
        self.bank_named.next = self.held.q.val().bank;
        if self.is_load.val() {
            self.bank_named.next = 3.into();
            if self.is_param.val() {
                self.bank_named.next = 0.into();
            }
        }
        self.operation.next.named_bank = self.bank_named.val();
        self.vec.next = 0.into();
        if self.is_load.val() {
            self.vec.next = self.held.q.val().vec;
        }

        // Rule REGISTERS.
        self.result.next.extended =
            self.is_load.val() & (self.held.q.val().size < SIZE_64) & (self.held.q.val().dst_width == DST_WIDTH_64);
        self.element_registers.next = 0.into();
        if (self.held.q.val().size == SIZE_64) | self.result.val().extended {
            self.element_registers.next = 1.into();
        }
        if (self.held.q.val().size == SIZE_128) | (self.is_load.val() & (self.held.q.val().size > SIZE_128)) {
            self.element_registers.next = 2.into();
        }
        self.result.next.registers = bit_cast::<3, 2>(self.element_registers.val()) + bit_cast::<3, 2>(self.vec.val());
        self.result.next.size = self.held.q.val().size;
        self.result.next.sign = self.held.q.val().sign;
        self.result.next.rd = self.held.q.val().rd;
        self.result.next.sink = 0.into();
        if self.is_load.val() {
            self.result.next.sink = self.held.q.val().sink;
        }
        self.operation.next.result = self.result.val();

        // LDC-9: the low address bits that must be 0.
        self.total.next = bit_cast::<4, 3>(self.held.q.val().size) + bit_cast::<4, 2>(self.vec.val());
        self.align_mask.next = 0.into();
        for i in 0..4 {
            self.align_mask.next = self.align_mask.val().replace_bit(i, self.total.val() > i.to_bits::<4>());
        }

        self.misaligned.next = 0.into();
        self.outside.next = 0.into();
        self.beyond_lanes.next = 0.into();
        self.unsupported.next = 0.into();
        self.upper_bank.next = 0.into();
        for i in 0..LANES {
            self.lane[i].is_load.next = self.is_load.val();
            self.lane[i].ra.next = self.ra.q[i].val();
            self.lane[i].addend.next = self.addend.q.val();
            self.lane[i].bank.next = self.bank_named.val();
            self.lane[i].mode.next = MODE_IA.into();
            if !self.is_load.val() {
                self.lane[i].mode.next = self.held.q.val().mode;
            }
            self.lane[i].compute.next = self.compute.val();
            self.address[i].next = self.lane[i].address.val();
            self.bank[i].next = self.lane[i].bank_low.val();
            self.unsupported.next = self.unsupported.val().replace_bit(i, self.lane[i].unsupported.val());
            self.beyond_lanes.next = self.beyond_lanes.val().replace_bit(i, self.lane[i].beyond.val());
            self.upper_bank.next = self.upper_bank.val().replace_bit(i, self.lane[i].upper_bank.val());
            self.outside.next = self.outside.val().replace_bit(i, self.lane[i].outside.val());
            self.misaligned.next = self
                .misaligned
                .val()
                .replace_bit(i, (self.lane[i].address.val().get_bits::<4>(0) & self.align_mask.val()).any());
        }

        self.misaligned_lanes.next = 0.into();
        if !self.is_command.val() {
            self.misaligned_lanes.next = self.misaligned.val() & self.held.q.val().mask;
        }

        self.outside_lanes.next = 0.into();
        if self.is_load.val() {
            self.outside_lanes.next = (self.outside.val() | self.held.q.val().wide) & self.held.q.val().mask;
        }

        // LDC-10, LDC-11, CONST.
        self.destination.rd.next = self.held.q.val().rd;
        self.destination.registers.next = self.result.val().registers;
        self.destination.vec.next = self.vec.val();
        self.destination.sink.next = self.result.val().sink;
        self.illegal.next = self.held.q.val().size > SIZE_128;
        if self.is_load.val()
            & ((self.total.val() > 4)
                | self.held.q.val().nc
                | self.held.q.val().sem.any()
                | (self.held.q.val().cop > COP_CV))
        {
            self.illegal.next = true;
        }
        // LDC-13: an empty mask has no fault.
        self.operation.next.cause = CAUSE_NONE.into();
        if self.held.q.val().mask.any() & !self.is_command.val() {
            if self.destination.misaligned.val() {
                self.operation.next.cause = CAUSE_MISALIGNED_REGISTER.into();
            } else if self.illegal.val() {
                self.operation.next.cause = CAUSE_ILLEGAL_INSTRUCTION.into();
            }
        }

        // RZ discards, as sinks do: such an operation neither needs a line nor writes a lane.
        self.writes.next = (self.held.q.val().rd != RD_RZ) & !self.is_command.val() & !self.destination.all_sunk.val();
        self.operation.next.lanes = 0.into();
        self.operation.next.ride = self.unsupported.val();
        if self.writes.val() | (self.operation.val().cause != CAUSE_NONE) {
            self.operation.next.lanes = self.held.q.val().mask;
        }
        self.unpredictable.next = 0.into();
        if self.compute.val() & (self.held.q.val().op == OP_LDC) {
            self.unpredictable.next = self.held.q.val().mask & self.upper_bank.val();
        }

        dff_setup!(self, clock, contract_waited);
        self.contract_waited.d.next = self.valid.val() & !self.next_takes.val();
        self.contract_valid.next = !self.contract_waited.q.val() | self.valid.val();
    }
}

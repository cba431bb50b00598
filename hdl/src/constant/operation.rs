//! What the places of the constant path know about what they work on, what the bank table is told, and ports that travel together.
//!
//! What differs from lane to lane goes beside them.

use super::prelude::*;

/// One operation as the pins give it.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct LdcRequest {
    /// Names the operation.
    pub tag: Bits<8>,
    /// `OP_LDC`, `OP_LOAD` or `OP_COMMAND`.
    pub op: Bits<2>,
    /// Which command.
    pub cmd: Bits<2>,
    /// Constant load: `SPACE_CONST` or `SPACE_PARAM_ENTRY`.
    pub space: Bits<3>,
    /// Constant load: memory semantics.
    pub sem: Bits<3>,
    /// Constant load: cache operator.
    pub cop: Bits<3>,
    /// Constant load: non-coherent.
    pub nc: Bit,
    /// log2 of an element's bytes; 5 to 7 are no size.
    pub size: Bits<3>,
    /// Constant load: log2 of the element count.
    pub vec: Bits<2>,
    /// Constant load: elements that are not written.
    pub sink: Bits<8>,
    /// Sign-extend.
    pub sign: Bit,
    /// Constant load: destination register.
    pub dst_width: Bits<2>,
    /// Destination register; `RD_RZ` is none.
    pub rd: Bits<8>,
    /// Active lanes.
    pub mask: Bits<LANES>,
    /// Constant load: lanes whose register operand does not fit.
    pub wide: Bits<LANES>,
    /// Immediate; of LDC the low 16 bits count.
    pub imm: Bits<32>,
    /// Bank named by the instruction.
    pub bank: Bits<5>,
    /// `MODE_IA` to `MODE_ISL`.
    pub mode: Bits<2>,
    /// No register operand.
    pub ra_is_rz: Bit,
}

/// What an operation writes into each of its lanes.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct LdcResult {
    /// log2 of an element's bytes.
    pub size: Bits<3>,
    /// Sign-extend.
    pub sign: Bit,
    /// An element of at most 32 bits fills two registers.
    pub extended: Bit,
    /// log2 of the registers.
    pub registers: Bits<3>,
    /// First destination register.
    pub rd: Bits<8>,
    /// Elements that are not written.
    pub sink: Bits<8>,
}

/// One operation, from `intake` to `issue`.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct LdcOperation {
    /// Names the operation.
    pub tag: Bits<8>,
    /// Bank named by the instruction; of a constant load its own.
    pub named_bank: Bits<5>,
    /// It is a command.
    pub is_command: Bit,
    /// Which command.
    pub cmd: Bits<2>,
    /// Fault cause, 0 for none.
    pub cause: Bits<3>,
    /// Lanes that need a line, or that the fault names.
    pub lanes: Bits<LANES>,
    /// What it writes.
    pub result: LdcResult,
    /// Lanes that get 0 with the first pass.
    pub ride: Bits<LANES>,
}

/// One pass or command, from `issue` to `tag`.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct LdcPass {
    /// Names the operation.
    pub tag: Bits<8>,
    /// Bank named by the instruction; of a constant load its own.
    pub named_bank: Bits<5>,
    /// It is a command.
    pub is_command: Bit,
    /// Which command.
    pub cmd: Bits<2>,
    /// What it writes.
    pub result: LdcResult,
    /// The pass has a group (else it needs no line).
    pub has_group: Bit,
    /// Bank of the group.
    pub bank: Bits<5>,
    /// Line of the group: address bits 15 to 6.
    pub line: Bits<10>,
    /// Lanes of the group.
    pub group: Bits<LANES>,
    /// Lanes that get 0 with this pass.
    pub ride: Bits<LANES>,
}

/// One pass behind `tag`: in a miss entry or in `data`.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct DataPass {
    /// Names the operation.
    pub tag: Bits<8>,
    /// What its operation writes.
    pub result: LdcResult,
    /// Lanes that the pass writes.
    pub write: Bits<LANES>,
    /// Lanes among them that take data from the line; the others get 0.
    pub value: Bits<LANES>,
    /// The line's bank, less that named by the instruction.
    pub segment: Bits<5>,
}

/// A write of one entry, as the ports `cfg_bank_*` carry it.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct BankWrite {
    /// The entry `index` is written at this edge.
    pub write: Bit,
    /// Entry to write, 0 to 17.
    pub index: Bits<5>,
    /// Byte address of the bank in memory, a multiple of 64.
    pub base: Bits<ADDR>,
    /// Bytes, a multiple of 16, at most 65,536.
    pub size: Bits<17>,
    /// The entry may be used.
    pub valid: Bit,
}

/// The memory side of the constant cache, which reads lines of two sectors.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct LinePort {
    /// A sector is asked for.
    pub mem_req_valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub mem_req_ready: Signal<In, Bit>,
    /// 2 x entry + sector.
    pub mem_req_id: Signal<Out, Bits<6>>,
    /// Sector-aligned byte address.
    pub mem_req_addr: Signal<Out, Bits<ADDR>>,
    /// A sector came back.
    pub mem_rsp_valid: Signal<In, Bit>,
    /// Taken at this edge.
    pub mem_rsp_ready: Signal<Out, Bit>,
    /// The request's id.
    pub mem_rsp_id: Signal<In, Bits<6>>,
    /// The sector, word 0 lowest.
    pub mem_rsp_data: Many<Signal<In, Bits<32>>, 8>,
    /// The memory side failed.
    pub mem_rsp_error: Signal<In, Bit>,
}

/// A grouped operation on its way to `issue`.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct GroupedPort {
    /// A grouped operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at this edge, whether or not `data` is free.
    pub in_ready: Signal<Out, Bit>,
    /// It is taken if `data` is free.
    pub in_follows: Signal<Out, Bit>,
    /// The operation.
    pub in_operation: Signal<In, LdcOperation>,
    /// The lowest lane of each group.
    pub in_leaders: Signal<In, Bits<LANES>>,
    /// Sum of each lane; the low half is the byte address inside its bank.
    pub in_address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// Bank of each lane.
    pub in_bank: Many<Signal<In, Bits<5>>, LANES>,
}

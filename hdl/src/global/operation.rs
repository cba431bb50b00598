//! `Operation` and the passes: what the places of the global path know about what they work on, and ports that travel together.
//!
//! What differs from lane to lane goes beside them.

use super::prelude::*;

/// One operation without its lanes. The lower part comes from the pins as it is, the part above it is decoded in place `intake`, and the
/// last part is that of a pass of it, from place `issue` on.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Operation {
    /// Names the operation.
    pub tag: Bits<8>,
    /// Store.
    pub is_store: Bit,
    /// Command.
    pub is_command: Bit,
    /// Which command.
    pub cmd: Bits<2>,
    /// State space.
    pub space: Bits<3>,
    /// Memory semantics.
    pub sem: Bits<3>,
    /// Scope.
    pub scope: Bits<2>,
    /// Cache operator.
    pub cop: Bits<3>,
    /// L1 eviction priority.
    pub l1_evict: Bits<3>,
    /// L2 eviction priority.
    pub l2_evict: Bits<2>,
    /// Prefetch size.
    pub prefetch: Bits<2>,
    /// The policy counts.
    pub policy_en: Bit,
    /// L2 cache policy.
    pub policy: Bits<64>,
    /// Non-coherent load.
    pub nc: Bit,
    /// log2 of an element's bytes.
    pub size: Bits<3>,
    /// log2 of the element count.
    pub vec: Bits<2>,
    /// Elements that are not written.
    pub sink: Bits<8>,
    /// Sign-extend.
    pub sign: Bit,
    /// First destination register.
    pub rd: Bits<8>,
    /// Slot of its warp.
    pub warp: Bits<WARP>,

    /// An element of at most 32 bits fills two registers.
    pub extended: Bit,
    /// log2 of the registers of an element.
    pub element_registers: Bits<2>,
    /// log2 of the bytes that one register moves, at most 4.
    pub unit: Bits<2>,
    /// Two reads (or none for a store): the total is 32 bytes.
    pub two_reads: Bit,
    /// Number of the last word of 4 bytes of each lane: 0, 1 or 3.
    pub last_word: Bits<2>,
    /// Words of a load of which every element is sunk.
    pub sunk_words: Bits<4>,
    /// One transaction for each lane.
    pub mmio: Bit,
    /// A store, or a load that is strong or has operator cv.
    pub ordered: Bit,
    /// A load that may be served by a cache.
    pub looked_up: Bit,
    /// A looked-up load whose misses are kept.
    pub kept: Bit,
    /// A load before which L1 is stale.
    pub acquire: Bit,
    /// A store that waits for everything before it.
    pub release: Bit,
    /// Renews age and class of its line.
    pub touches: Bit,
    /// Its line is evict_first.
    pub evict_first: Bit,
    /// Its line is evict_last.
    pub evict_last: Bit,

    /// The pass's lanes are local.
    pub is_local: Bit,
    /// Number of the word of a local pass; else 0.
    pub word: Bits<2>,
    /// Operator cs or lu; from `issue` on, too: the pass is a local load that reads words whole for the last time.
    pub last_use: Bit,
}

/// One operation with its addresses, from `intake` to `check`.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct AddressedOperation {
    /// The operation, decoded.
    pub operation: Operation,
    /// Active lanes; none for a command.
    pub mask: Bits<LANES>,
    /// Fault cause, unless a lane's address says otherwise.
    pub cause: Bits<3>,
    /// Lanes that make passes, or that the fault names.
    pub lanes: Bits<LANES>,
    /// Lanes whose operand or sum does not fit, or that are beyond shared memory, of whichever CTA, or local memory.
    pub outside: Bits<LANES>,
    /// Lanes whose generic address lies in a window of a bank, and beyond that: told apart, as it is known last.
    pub beyond_bank: Bits<LANES>,
    /// Lanes whose generic address lies in a window that does not serve the operation.
    pub refused: Bits<LANES>,
    /// Lanes of an operation without a fault that a window serves.
    pub windowed: Bits<LANES>,
    /// Shared lanes.
    pub shared: Bits<LANES>,
    /// From a shared lane's address to its shared address, in granules.
    pub shared_shift: Bits<GRANULE_BITS>,
    /// Local lanes that are not beyond local memory.
    pub local_lanes: Bits<LANES>,
}

/// What is known of an operation in `check`: its fault, but for lanes in windows and lanes out of range.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct CheckedOperation {
    /// Fault cause, unless a lane's address says otherwise.
    pub cause: Bits<3>,
    /// Lanes that make passes, or that the fault names.
    pub lanes: Bits<LANES>,
    /// The lowest active lane, which leads if there is no fault.
    pub leader: Bits<LANES>,
    /// Active lanes in a window that does not serve the operation: in rule FAULT after registers and instruction.
    pub refused: Bits<LANES>,
    /// Active lanes out of range, of which rule FAULT asks if there is no other cause; those beyond their bank apart.
    pub outside: Bits<LANES>,
    pub beyond_bank: Bits<LANES>,
    /// Shared lanes.
    pub shared: Bits<LANES>,
    /// From a shared lane's address to its shared address, in granules.
    pub shared_shift: Bits<GRANULE_BITS>,
    /// Local lanes that are not beyond local memory.
    pub local_lanes: Bits<LANES>,
}

/// One pass or command, from `issue` to `tag`.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Pass {
    /// Its operation.
    pub operation: Operation,
    /// It has lanes, and these a line.
    pub has_line: Bit,
    /// It has lanes, and these are shared.
    pub is_shared: Bit,
    /// Line of the pass.
    pub line: Bits<LINE>,
    /// Lanes of the pass.
    pub group: Bits<LANES>,
    /// Their sectors.
    pub need: Bits<4>,
}

/// One pass: in `hit`, `ro_read`, `ro_hit` and `resume`, which know its row, or in `bank`, which knows one for each lane.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct RowPass {
    /// Its operation.
    pub operation: Operation,
    /// Its lanes.
    pub lanes: Bits<LANES>,
    /// Row of the row store that they are in.
    pub row: Bits<ROW_BITS>,
    /// Sectors of the row that are to be read; none for a store.
    pub sectors: Bits<4>,
    /// Number of its line; only `resume` needs it.
    pub line: Bits<LINE>,
    /// Sectors that failed, of those that it waited for; only `resume` has any.
    pub failed: Bits<4>,
}

/// What a request tells the memory side of its operation.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct RequestAttributes {
    /// Memory semantics.
    pub sem: Bits<3>,
    /// Scope.
    pub scope: Bits<2>,
    /// Cache operator.
    pub cop: Bits<3>,
    /// L2 eviction priority.
    pub l2_evict: Bits<2>,
    /// Prefetch size.
    pub prefetch: Bits<2>,
    /// The policy counts.
    pub policy_en: Bit,
    /// L2 cache policy.
    pub policy: Bits<64>,
}

/// What a pass asks the memory side for, in the read queue.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct ReadRequest {
    /// Its operation.
    pub operation: Operation,
    /// Sectors.
    pub ask: Bits<4>,
    /// Of this line.
    pub line: Bits<LINE>,
    /// For this MSHR.
    pub mshr: Bits<ENTRY_BITS>,
    /// Byte in its sector of the lowest lane.
    pub leader_byte: Bits<5>,
}

/// An operation on its way from the pins to `intake`.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct RequestPort {
    /// An operation of this path is offered.
    pub req_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub req_ready: Signal<Out, Bit>,
    /// Its fields from the pins; the decoded ones are not looked at.
    pub req: Signal<In, Operation>,
    /// Bits of a destination register: 16, 32 or 64.
    pub req_dst_width: Signal<In, Bits<2>>,
    /// Active lanes.
    pub req_mask: Signal<In, Bits<LANES>>,
    /// Lanes whose register operand does not fit.
    pub req_wide: Signal<In, Bits<LANES>>,
    /// Register operand of each lane.
    pub req_addr: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// Signed immediate.
    pub req_imm: Signal<In, Bits<32>>,
    /// First byte of each generic window: shared, local, const, param.
    pub window_base: Many<Signal<In, Bits<ADDR>>, 4>,
    /// Bytes of each window.
    pub window_size: Many<Signal<In, Bits<ADDR>>, 4>,
    /// First byte of the CTA's window in shared memory.
    pub req_shared_base: Signal<In, Bits<SHARED>>,
    /// Bytes of that window.
    pub req_shared_size: Signal<In, Bits<SHARED>>,
    /// The own CTA's rank in the cluster.
    pub cluster_rank: Signal<In, Bits<8>>,
    /// Where kernel parameters begin in bank 0.
    pub param_offset: Signal<In, Bits<16>>,
    /// The bank table takes a write at this edge.
    pub bank_writes: Signal<In, Bit>,
    /// Which.
    pub bank_write: Signal<In, BankWrite>,
}

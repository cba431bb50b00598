//! The pins of one load/store unit in one clock cycle, as plain values.
//!
//! The golden model and the lock-step checker both speak in these structures; widths and codes are
//! those of the port table of the top level `lsu`. Payload fields carry meaning only while the `valid` beside them is
//! true. Arrays over lanes have room for [`MAX_LANES`]; lanes that the preset does not have are 0.

/// Lanes of the widest preset.
pub const MAX_LANES: usize = 32;

/// 32-bit words of one 32-byte sector.
pub const SECTOR_WORDS: usize = 8;

/// `req_*`: one warp's operation, in port encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Request {
    /// Names the operation until it has completed.
    pub tag: u8,
    /// 0 load, 1 store, 2 ldc, 3 command.
    pub op: u8,
    /// With op 3: 0 invalidate L1, 1 invalidate read-only, 2 invalidate constant, 3 write back local.
    pub cmd: u8,
    /// State space, 3 bits.
    pub space: u8,
    /// Memory semantics, 3 bits.
    pub sem: u8,
    /// Scope, 2 bits.
    pub scope: u8,
    /// Cache operator, 3 bits.
    pub cop: u8,
    /// L1 eviction priority, 3 bits.
    pub l1_evict: u8,
    /// L2 eviction priority, 2 bits.
    pub l2_evict: u8,
    /// Prefetch size, 2 bits.
    pub prefetch: u8,
    /// Whether `policy` counts.
    pub policy_en: bool,
    /// L2 cache policy.
    pub policy: u64,
    /// Non-coherent load.
    pub nc: bool,
    /// log2 of the element's bytes; 5 to 7 are no size.
    pub size: u8,
    /// log2 of the element count.
    pub vec: u8,
    /// Elements that are not written.
    pub sink: u8,
    /// Sign-extend.
    pub sign: bool,
    /// Destination register: 0 16 bit, 1 32 bit, 2 64 bit.
    pub dst_width: u8,
    /// First destination register; 255 is RZ.
    pub rd: u8,
    /// Active lanes.
    pub mask: u32,
    /// Register operand of each lane.
    pub addr: [u64; MAX_LANES],
    /// Immediate, all 32 bits.
    pub imm: u32,
    /// LDC: bank named by the instruction, 5 bits.
    pub bank: u8,
    /// LDC: 0 IA, 1 IL, 2 IS, 3 ISL.
    pub mode: u8,
    /// LDC: no register operand.
    pub ra_is_rz: bool,
}

/// `mem_rsp_*`: one sector that came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MemoryResponse {
    /// The request's id.
    pub id: u8,
    /// 32 bytes, little-endian words.
    pub data: [u32; SECTOR_WORDS],
    /// The memory side failed; `data` means nothing.
    pub error: bool,
}

/// `cfg_bank_*`: one write to the constant-bank table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BankWrite {
    /// Entry, 0 to 31 (above 17 is refused).
    pub index: u8,
    /// Byte address of the bank in memory, a multiple of 64.
    pub base: u64,
    /// Bytes, 17 bits; a multiple of 16, at most 65,536.
    pub size: u32,
    /// The entry may be used.
    pub valid: bool,
}

/// One window of the generic address space: the addresses from `base` on, `size` bytes long, modulo the address width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Window {
    /// First byte address.
    pub base: u64,
    /// Bytes; 0 is no window.
    pub size: u64,
}

/// `cfg_*_base` and `cfg_*_size`: the generic windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Windows {
    /// `cfg_shared_*`.
    pub shared: Window,
    /// `cfg_local_*`.
    pub local: Window,
    /// `cfg_const_*`.
    pub constant: Window,
    /// `cfg_param_*`.
    pub param: Window,
}

/// All input pins in one cycle.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Inputs {
    /// `rst`.
    pub reset: bool,
    /// `req_valid`.
    pub req_valid: bool,
    /// `req_*`.
    pub req: Request,
    /// `wdata_valid`.
    pub wdata_valid: bool,
    /// `wdata_tag`: the store that the beat belongs to.
    pub wdata_tag: u8,
    /// `wdata_data`.
    pub wdata: [u32; MAX_LANES],
    /// `wb_ready`.
    pub wb_ready: bool,
    /// `fault_ready`.
    pub fault_ready: bool,
    /// `done_ready`.
    pub done_ready: bool,
    /// `mem_req_ready`.
    pub mem_req_ready: bool,
    /// `mem_rsp_valid`.
    pub mem_rsp_valid: bool,
    /// `mem_rsp_*`.
    pub mem_rsp: MemoryResponse,
    /// `cfg_bank_write`.
    pub bank_write_valid: bool,
    /// `cfg_bank_*`.
    pub bank_write: BankWrite,
    /// `cfg_compute`.
    pub compute: bool,
    /// `cfg_shared_*`, `cfg_local_*`, `cfg_const_*`, `cfg_param_*`.
    pub windows: Windows,
}

/// `wb_*`: one register of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Writeback {
    /// The operation.
    pub tag: u8,
    /// Destination register.
    pub rd: u8,
    /// Lanes that are written.
    pub mask: u32,
    /// Values; 0 in lanes outside `mask`.
    pub data: [u32; MAX_LANES],
    /// Ends the operation.
    pub last: bool,
}

/// `fault_*`: one fault record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FaultRecord {
    /// The operation.
    pub tag: u8,
    /// 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 4 address_out_of_range, 5 memory_error.
    pub cause: u8,
    /// Faulting lanes.
    pub lanes: u32,
    /// Address of the lowest faulting lane.
    pub addr: u64,
}

/// `mem_req_*`: one 32-byte sector asked for or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MemoryRequest {
    /// Returned with the response.
    pub id: u8,
    /// Write instead of read.
    pub write: bool,
    /// Sector-aligned byte address.
    pub addr: u64,
    /// Bytes written, or asked for.
    pub strb: u32,
    /// Write data.
    pub data: [u32; SECTOR_WORDS],
    /// L2 eviction priority.
    pub l2_evict: u8,
    /// Whether `policy` counts.
    pub policy_en: bool,
    /// L2 cache policy.
    pub policy: u64,
    /// Prefetch size.
    pub prefetch: u8,
    /// Cache operator.
    pub cop: u8,
    /// Memory semantics.
    pub sem: u8,
    /// Scope.
    pub scope: u8,
}

/// `status_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Status {
    /// Sticky: a lane used a bank of 8 or more in compute mode (LDC-7).
    pub ldc_unpredictable: bool,
    /// Sticky: a bank-table write was refused (LDC-8).
    pub cfg_refused: bool,
    /// Sticky: a beat of store data was taken for a store of another tag.
    pub wdata_wrong_tag: bool,
    /// Nothing is in flight in this cycle.
    pub idle: bool,
    /// Passes issued; wraps.
    pub ldc_passes: u32,
    /// Passes that hit; wraps.
    pub ldc_hits: u32,
    /// Passes that missed; wraps.
    pub ldc_misses: u32,
    /// Sectors of looked-up loads that were in L1; wraps.
    pub l1_hits: u32,
    /// Sectors of looked-up loads that were not in L1; wraps.
    pub l1_misses: u32,
    /// Sectors of non-coherent loads that were in the read-only cache; wraps.
    pub ro_hits: u32,
    /// Sectors of non-coherent loads that were not in the read-only cache; wraps.
    pub ro_misses: u32,
    /// Passes of loads and stores issued; wraps.
    pub wavefronts: u32,
    /// Those of them that were not their operation's first; wraps.
    pub replays: u32,
    /// Sectors that the global path asked the memory side for; wraps.
    pub sectors_read: u32,
    /// Sectors that the global path wrote; wraps.
    pub sectors_written: u32,
    /// Cycles in which the tag place waited for an earlier access to its sectors; wraps.
    pub stall_order: u32,
    /// Cycles in which the tag place waited for a waiter; wraps.
    pub stall_misses: u32,
    /// Cycles in which the tag place waited for the place behind it; wraps.
    pub stall_data: u32,
    /// Cycles in which a memory request was offered and not taken; wraps.
    pub stall_memory: u32,
}

/// All output pins in one cycle.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Outputs {
    /// `req_ready`.
    pub req_ready: bool,
    /// `wdata_ready`.
    pub wdata_ready: bool,
    /// `wb_valid`.
    pub wb_valid: bool,
    /// `wb_*`.
    pub wb: Writeback,
    /// `fault_valid`.
    pub fault_valid: bool,
    /// `fault_*`.
    pub fault: FaultRecord,
    /// `done_valid`.
    pub done_valid: bool,
    /// `done_tag`.
    pub done_tag: u8,
    /// `mem_req_valid`.
    pub mem_req_valid: bool,
    /// `mem_req_*`.
    pub mem_req: MemoryRequest,
    /// `mem_rsp_ready`.
    pub mem_rsp_ready: bool,
    /// `cluster_req_valid`.
    pub cluster_req_valid: bool,
    /// `cluster_rsp_ready`.
    pub cluster_rsp_ready: bool,
    /// `status_*`.
    pub status: Status,
}

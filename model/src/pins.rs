//! The pins of one load/store unit in one clock cycle, as plain values, and the table of them: name, width, direction,
//! enumeration, contract and field of each pin, once.
//!
//! The golden model and the lock-step checker both speak in these structures. Payload fields carry meaning only while the
//! `valid` beside them is true. Arrays over lanes have room for [`MAX_LANES`]; lanes that the preset does not have are 0.
//!
//! A line of the table is a contract, a field, its type and its width. From it follow the words of the engines, the
//! comparison of two engines, the waves, the pin fields of program files, the counts of a check, and the table of
//! `hdl/docs/ports.md`, whose text the contracts are. The hardware description has a list of its own, which is compared
//! with this one before anything is built.

mod bundle;

pub use crate::preset::MAX_LANES;
pub use bundle::{Bundle, Direction, Filler, Pin, Slot, Value, Visitor, Width};

use crate::codes::port_enum;
use crate::micro_op::{
    AccessSize, CacheOperator, Command, DestinationWidth, L1Eviction, L2Eviction, LdcMode, OpKind, Prefetch, Scope,
    Semantics, Space,
};
use bundle::{Field, bundle, pins_of};

/// 32-bit words of one 32-byte sector.
pub const SECTOR_WORDS: usize = 8;

/// Bytes of a word: of a register, of a beat, of a bank of shared memory.
pub const WORD_BYTES: u32 = 4;

/// Bytes of a sector.
pub const SECTOR_BYTES: usize = WORD_BYTES as usize * SECTOR_WORDS;

/// The register that reads as 0 and takes nothing, as its number stands on the pins.
pub const RZ: u8 = 255;

port_enum! {
    /// Why an operation, or a lane of it, has failed (`fault_cause`).
    FaultCause: 3 bits, some codes {
        /// The destination registers are not aligned, or there are not as many.
        MisalignedRegister = 1, "misaligned_register";
        /// The unit does not serve the operation.
        IllegalInstruction = 2, "illegal_instruction";
        /// An address is no multiple of the access's bytes.
        MisalignedAddress = 3, "misaligned_address";
        /// An address sum leaves the address space, or the access its window.
        AddressOutOfRange = 4, "address_out_of_range";
        /// The memory side failed.
        MemoryError = 5, "memory_error";
    }
}

bundle! {
    /// `req_*`: one warp's operation, in port encoding.
    Request, "req", Input, "req_valid" {
        /// Names the operation on `wdata`, `wb`, `fault` and `done`; see *life of a tag*.
        tag: u8 = Bits(8);
        /// What to do.
        op: u8 = Codes(&OpKind::CODES);
        /// The command, with op 3.
        cmd: u8 = Codes(&Command::CODES);
        /// State space; 5 and 6 are refused as `illegal_instruction` for stores.
        space: u8 = Codes(&Space::CODES);
        /// Memory semantics.
        sem: u8 = Codes(&Semantics::CODES);
        /// Scope.
        scope: u8 = Codes(&Scope::CODES);
        /// Cache operator. A load of local memory with cs or lu throws away what it reads, as its last use (rule LAST-USE).
        cop: u8 = Codes(&CacheOperator::CODES);
        /// L1 eviction priority; evict_normal also where none is given.
        l1_evict: u8 = Codes(&L1Eviction::CODES);
        /// L2 eviction priority; evict_normal also where none is given.
        l2_evict: u8 = Codes(&L2Eviction::CODES);
        /// Prefetch size.
        prefetch: u8 = Codes(&Prefetch::CODES);
        /// Whether `req_policy` counts.
        policy_en: bool = Bits(1);
        /// L2 cache policy.
        policy: u64 = Bits(64);
        /// Non-coherent load.
        nc: bool = Bits(1);
        /// Bits of an element; 5 to 7 are no size.
        size: u8 = Codes(&AccessSize::CODES);
        /// Log2 of the element count (0 to 3).
        vec: u8 = Bits(2);
        /// Elements that are not written.
        sink: u8 = Bits(8);
        /// Sign-extend instead of zero-extend.
        sign: bool = Bits(1);
        /// Bits of a destination register.
        dst_width: u8 = Codes(&DestinationWidth::CODES);
        /// First destination register; 255 is RZ.
        rd: u8 = Bits(8);
        /// Active lanes.
        mask: u32 = Lanes;
        /// Register operand of each lane.
        addr: [u64; MAX_LANES] = LaneAddresses;
        /// Signed immediate; for op 2 the low 16 bits count.
        imm: u32 = Bits(32);
        /// LDC: bank that the instruction names.
        bank: u8 = Bits(5);
        /// LDC: address mode.
        mode: u8 = Codes(&LdcMode::CODES);
        /// LDC: no register operand.
        ra_is_rz: bool = Bits(1);
        /// Lanes whose register operand does not fit ADDR bits: out of range.
        wide: u32 = Lanes;
        /// Slot of the warp: order is kept within it.
        warp: u8 = Warp;
        /// First byte of the CTA's window in shared memory, a multiple of 16: the low four bits are not looked at.
        shared_base: u32 = SharedBytes;
        /// Bytes of that window, a multiple of 16: the low four bits are not looked at, nor what lies beyond shared memory.
        shared_size: u32 = SharedBytes;
    }
}

bundle! {
    /// `wdata_*`: one beat of store data.
    StoreBeat, "wdata", Input, "wdata_valid" {
        /// `req_tag` of the store that the beat belongs to.
        tag: u8 = Bits(8);
        /// One word of each lane.
        data: [u32; MAX_LANES] = LaneWords;
    }
}

bundle! {
    /// `mem_rsp_*`: one sector that came back.
    MemoryResponse, "mem_rsp", Input, "mem_rsp_valid" {
        /// The request's id.
        id: u8 = Bits(8);
        /// The sector, lowest byte first.
        data: [u32; SECTOR_WORDS] = Sector;
        /// The access failed; the data mean nothing.
        error: bool = Bits(1);
    }
}

bundle! {
    /// `cfg_bank_*`: one write to the constant-bank table.
    BankWrite, "cfg_bank", Input, "cfg_bank_write" {
        /// Entry 0 to 17; others are refused.
        index: u8 = Bits(5);
        /// Byte address of the bank, a multiple of 64.
        base: u64 = Address;
        /// Bytes, a multiple of 16, at most 65,536.
        size: u32 = Bits(17);
        /// Whether the bank exists.
        valid: bool = Bits(1);
    }
}

bundle! {
    /// `wb_*`: one register of a warp.
    Writeback, "wb", Output, "wb_valid" {
        /// The operation.
        tag: u8 = Bits(8);
        /// Destination register; those of a vector follow modulo 256, so that behind RZ comes 0, of no lane.
        rd: u8 = Bits(8);
        /// Lanes that are written; a load or LDC that writes nothing still sends its registers, with empty masks.
        mask: u32 = Lanes;
        /// Values; 0 in lanes outside `wb_mask`.
        data: [u32; MAX_LANES] = LaneWords;
        /// Ends the operation.
        last: bool = Bits(1);
    }
}

bundle! {
    /// `fault_*`: one fault record.
    FaultRecord, "fault", Output, "fault_valid" {
        /// The operation.
        tag: u8 = Bits(8);
        /// Why.
        cause: u8 = Codes(&FaultCause::CODES);
        /// The lanes concerned.
        lanes: u32 = Lanes;
        /// The address of the lowest of them.
        addr: u64 = Address;
    }
}

bundle! {
    /// `done_*`: completion of a store or a command.
    Completion, "done", Output, "done_valid" {
        /// The operation.
        tag: u8 = Bits(8);
    }
}

bundle! {
    /// `mem_req_*`: one 32-byte sector asked for or written. The attributes are 0 for the constant cache's reads.
    MemoryRequest, "mem_req", Output, "mem_req_valid" {
        /// Comes back with the response.
        id: u8 = Bits(8);
        /// Write instead of read.
        write: bool = Bits(1);
        /// Byte address, a multiple of 32.
        addr: u64 = Address;
        /// Bytes written, or asked for.
        strb: u32 = Bits(32);
        /// Write data, lowest byte first.
        data: [u32; SECTOR_WORDS] = Sector;
        /// As on `req`, but evict_first for the operators cs and lu; 0 for the constant cache's reads and for what is written back.
        l2_evict: u8 = Codes(&L2Eviction::CODES);
        /// As on `req`; 0 for the constant cache's reads and for what is written back.
        policy_en: bool = Bits(1);
        /// As on `req`; 0 for the constant cache's reads and for what is written back.
        policy: u64 = Bits(64);
        /// As on `req`; 0 for the constant cache's reads and for what is written back.
        prefetch: u8 = Codes(&Prefetch::CODES);
        /// As on `req`, but for local memory cs and lu alone, else 0; 0 for the constant cache's reads and for what is written back.
        cop: u8 = Codes(&CacheOperator::CODES);
        /// As on `req`, but 0 for local memory; 0 for the constant cache's reads and for what is written back.
        sem: u8 = Codes(&Semantics::CODES);
        /// As on `req`; 0 for the constant cache's reads and for what is written back.
        scope: u8 = Codes(&Scope::CODES);
    }
}

bundle! {
    /// `cluster_req_*`: one sector of another CTA's shared memory, asked for or written.
    ClusterRequest, "cluster_req", Output, "cluster_req_valid" {
        /// Comes back with the response.
        id: u8 = Bits(6);
        /// Write instead of read.
        write: bool = Bits(1);
        /// Byte offset in the window of the CTA, a multiple of 32.
        addr: u64 = Address;
        /// Bytes written, or asked for.
        strb: u32 = Bits(32);
        /// Write data, lowest byte first.
        data: [u32; SECTOR_WORDS] = Sector;
        /// As on `req`, but evict_first for the operators cs and lu.
        l2_evict: u8 = Codes(&L2Eviction::CODES);
        /// As on `req`.
        policy_en: bool = Bits(1);
        /// As on `req`.
        policy: u64 = Bits(64);
        /// As on `req`.
        prefetch: u8 = Codes(&Prefetch::CODES);
        /// As on `req`.
        cop: u8 = Codes(&CacheOperator::CODES);
        /// As on `req`.
        sem: u8 = Codes(&Semantics::CODES);
        /// As on `req`.
        scope: u8 = Codes(&Scope::CODES);
        /// Rank of the CTA whose shared memory it is.
        rank: u8 = Bits(8);
    }
}

bundle! {
    /// `cluster_rsp_*`: one sector of another CTA's shared memory that came back.
    ClusterResponse, "cluster_rsp", Input, "cluster_rsp_valid" {
        /// The request's id.
        id: u8 = Bits(6);
        /// The sector, lowest byte first.
        data: [u32; SECTOR_WORDS] = Sector;
        /// The access failed; the data mean nothing.
        error: bool = Bits(1);
    }
}

bundle! {
    /// `serve_req_*`: one sector of this unit's shared memory that another CTA asks for or writes.
    ServeRequest, "serve_req", Input, "serve_req_valid" {
        /// Comes back with the response.
        id: u8 = Bits(6);
        /// Rank of the CTA that asks; comes back with the response.
        rank: u8 = Bits(8);
        /// Write instead of read.
        write: bool = Bits(1);
        /// Byte offset in the window of the CTA; the low five bits are not looked at.
        addr: u64 = Address;
        /// Bytes written; of a read, not looked at.
        strb: u32 = Bits(32);
        /// Write data, lowest byte first.
        data: [u32; SECTOR_WORDS] = Sector;
    }
}

bundle! {
    /// `serve_rsp_*`: the answer to one of these requests.
    ServeResponse, "serve_rsp", Output, "serve_rsp_valid" {
        /// The request's id.
        id: u8 = Bits(6);
        /// The CTA that asked.
        rank: u8 = Bits(8);
        /// The sector, lowest byte first; 0 for a write and for an error.
        data: [u32; SECTOR_WORDS] = Sector;
        /// The address lies beyond the window; nothing was written.
        error: bool = Bits(1);
    }
}

bundle! {
    /// `status_*`: flags, and counters of 32 bits, which wrap.
    Status, "status", Output {
        /// Sticky until reset: an LDC named a bank above 7 in compute mode (LDC-7).
        ldc_unpredictable: bool = Bits(1);
        /// Sticky until reset: a write of the bank table was refused (LDC-8).
        cfg_refused: bool = Bits(1);
        /// Sticky until reset: a beat of store data was taken for a store of another tag.
        wdata_wrong_tag: bool = Bits(1);
        /// Sticky until reset: an error came for a sector of local memory that was written back.
        write_back_error: bool = Bits(1);
        /// Nothing is in flight; see *idle*.
        idle: bool = Bits(1);
        /// Passes of LDC and of constant loads issued.
        ldc_passes: u32 = Bits(32);
        /// Passes of LDC and of constant loads that hit.
        ldc_hits: u32 = Bits(32);
        /// Passes of LDC and of constant loads that missed.
        ldc_misses: u32 = Bits(32);
        /// Sectors of looked-up loads that were in L1.
        l1_hits: u32 = Bits(32);
        /// Sectors of looked-up loads that were not in L1.
        l1_misses: u32 = Bits(32);
        /// Sectors of non-coherent loads that were in the read-only cache.
        ro_hits: u32 = Bits(32);
        /// Sectors of non-coherent loads that were not in the read-only cache.
        ro_misses: u32 = Bits(32);
        /// Passes of loads and stores of the global path issued.
        wavefronts: u32 = Bits(32);
        /// Passes of loads and stores of the global path that were not their operation's first.
        replays: u32 = Bits(32);
        /// Sectors that the global path asked the memory side for.
        sectors_read: u32 = Bits(32);
        /// Sectors that the global path wrote.
        sectors_written: u32 = Bits(32);
        /// Cycles in which the tag place waited for what comes before it.
        stall_order: u32 = Bits(32);
        /// Cycles in which the tag place waited for a waiter, an MSHR, a way or a write-back.
        stall_misses: u32 = Bits(32);
        /// Cycles in which the tag place waited for the place behind it.
        stall_data: u32 = Bits(32);
        /// Cycles in which a memory request was offered and not taken.
        stall_memory: u32 = Bits(32);
    }
}

/// One window of the generic address space: the addresses from `base` on, `size` bytes long, modulo the address width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Window {
    /// First byte address.
    pub base: u64,
    /// Bytes; 0 is no window.
    pub size: u64,
}

/// The window of the own CTA in shared memory, as the other CTAs of the cluster see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ClusterWindow {
    /// First byte of shared memory.
    pub base: u32,
    /// Bytes; 0 is no window.
    pub size: u32,
}

/// `cfg_*_base` and `cfg_*_size`: the generic windows, and the own CTA's in the cluster; its rank; and where local memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Windows {
    /// `cfg_shared_*`.
    pub shared: Window,
    /// `cfg_local_base` and `cfg_local_size`, which is also the size of each thread's local memory.
    pub local: Window,
    /// `cfg_local_memory`: first byte of the unit's local memory, that of all its threads.
    pub local_memory: u64,
    /// `cfg_const_*`.
    pub constant: Window,
    /// `cfg_param_*`.
    pub param: Window,
    /// `cfg_rank`.
    pub rank: u8,
    /// `cfg_cluster_*`.
    pub cluster: ClusterWindow,
}

pins_of! {
    Windows, Input {
        /// Generic shared window: first byte, a multiple of 16: the low four bits are not looked at.
        "cfg_shared_base", shared.base = Address;
        /// Its bytes; 0 is no window.
        "cfg_shared_size", shared.size = Address;
        /// Generic local window: first byte, a multiple of 16: the low four bits are not looked at.
        "cfg_local_base", local.base = Address;
        /// Its bytes, and those of each thread's local memory, a multiple of 16: the low four bits are not looked at; 0 is none.
        "cfg_local_size", local.size = Address;
        /// Where local memory lies in memory, a multiple of the least power of two that holds LANES x slots x `cfg_local_size` bytes: the low seven bits are not looked at.
        "cfg_local_memory", local_memory = Address;
        /// Generic constant window: first byte, a multiple of 16: the low four bits are not looked at.
        "cfg_const_base", constant.base = Address;
        /// Its bytes, a multiple of 16: the low four bits are not looked at; 0 is no window.
        "cfg_const_size", constant.size = Address;
        /// Generic parameter window: first byte, a multiple of 16: the low four bits are not looked at.
        "cfg_param_base", param.base = Address;
        /// Its bytes, a multiple of 16: the low four bits are not looked at; 0 is no window.
        "cfg_param_size", param.size = Address;
        /// Own CTA rank in the cluster.
        "cfg_rank", rank = Bits(8);
        /// The window of the CTA with rank `cfg_rank`, as others see it: first byte of shared memory, a multiple of 32: the low five bits are not looked at.
        "cfg_cluster_base", cluster.base = SharedBytes;
        /// Its bytes, a multiple of 16: the low four bits are not looked at.
        "cfg_cluster_size", cluster.size = SharedBytes;
    }
}

/// All input pins in one cycle.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Inputs {
    /// `rst`.
    pub reset: bool,
    /// `rst_mem`.
    pub reset_memory: bool,
    /// `req_valid`.
    pub req_valid: bool,
    /// `req_*`.
    pub req: Request,
    /// `wdata_valid`.
    pub wdata_valid: bool,
    /// `wdata_*`.
    pub wdata: StoreBeat,
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
    /// `cluster_req_ready`.
    pub cluster_req_ready: bool,
    /// `cluster_rsp_valid`.
    pub cluster_rsp_valid: bool,
    /// `cluster_rsp_*`.
    pub cluster_rsp: ClusterResponse,
    /// `serve_req_valid`.
    pub serve_req_valid: bool,
    /// `serve_req_*`.
    pub serve_req: ServeRequest,
    /// `serve_rsp_ready`.
    pub serve_rsp_ready: bool,
    /// `cfg_bank_write`.
    pub bank_write_valid: bool,
    /// `cfg_bank_*`.
    pub bank_write: BankWrite,
    /// `cfg_compute`.
    pub compute: bool,
    /// `cfg_shared_*`, `cfg_local_*`, `cfg_const_*`, `cfg_param_base`, `cfg_param_size`, `cfg_rank`, `cfg_cluster_*`.
    pub windows: Windows,
    /// `cfg_param_offset`.
    pub param_offset: u32,
}

// The inputs that are in no bundle.
pins_of! {
    Inputs, Input {
        /// Synchronous reset.
        "rst", reset = Bits(1);
        /// With `rst`: the memory side forgets its requests, too; see *handshakes, clock and reset*.
        "rst_mem", reset_memory = Bits(1);
        /// One warp's operation is offered.
        "req_valid", req_valid = Bits(1);
        /// One beat of store data is offered; see *store data*.
        "wdata_valid", wdata_valid = Bits(1);
        /// The register is taken.
        "wb_ready", wb_ready = Bits(1);
        /// The fault record is taken.
        "fault_ready", fault_ready = Bits(1);
        /// The completion is taken.
        "done_ready", done_ready = Bits(1);
        /// The request is taken.
        "mem_req_ready", mem_req_ready = Bits(1);
        /// Response, in any order, after any delay of at least one cycle.
        "mem_rsp_valid", mem_rsp_valid = Bits(1);
        /// The request is taken.
        "cluster_req_ready", cluster_req_ready = Bits(1);
        /// Response of another CTA, in any order, after any delay of at least one cycle.
        "cluster_rsp_valid", cluster_rsp_valid = Bits(1);
        /// Another CTA's request for a sector of this unit's shared memory; see *cluster port*.
        "serve_req_valid", serve_req_valid = Bits(1);
        /// The response is taken.
        "serve_rsp_ready", serve_rsp_ready = Bits(1);
        /// Writes one entry of the constant-bank table; taken in every cycle in which it is high.
        "cfg_bank_write", bank_write_valid = Bits(1);
        /// 1 compute mode (8 banks), 0 graphics mode (18 banks).
        "cfg_compute", compute = Bits(1);
        /// Where `param::entry` begins in bank 0, a multiple of 16: the low four bits are not looked at.
        "cfg_param_offset", param_offset = Bits(16);
    }
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
    /// `done_*`.
    pub done: Completion,
    /// `mem_req_valid`.
    pub mem_req_valid: bool,
    /// `mem_req_*`.
    pub mem_req: MemoryRequest,
    /// `mem_rsp_ready`.
    pub mem_rsp_ready: bool,
    /// `cluster_req_valid`.
    pub cluster_req_valid: bool,
    /// `cluster_req_*`.
    pub cluster_req: ClusterRequest,
    /// `cluster_rsp_ready`.
    pub cluster_rsp_ready: bool,
    /// `serve_req_ready`.
    pub serve_req_ready: bool,
    /// `serve_rsp_valid`.
    pub serve_rsp_valid: bool,
    /// `serve_rsp_*`.
    pub serve_rsp: ServeResponse,
    /// `status_*`.
    pub status: Status,
}

// The outputs that are in no bundle.
pins_of! {
    Outputs, Output {
        /// The operation is taken.
        "req_ready", req_ready = Bits(1);
        /// One register of a warp.
        "wb_valid", wb_valid = Bits(1);
        /// Fault record.
        "fault_valid", fault_valid = Bits(1);
        /// Completion of a store or a command.
        "done_valid", done_valid = Bits(1);
        /// Request for one 32-byte sector; see *memory port*.
        "mem_req_valid", mem_req_valid = Bits(1);
        /// The response is taken.
        "mem_rsp_ready", mem_rsp_ready = Bits(1);
        /// The beat is taken.
        "wdata_ready", wdata_ready = Bits(1);
        /// Request for one 32-byte sector of another CTA's shared memory; see *cluster port*.
        "cluster_req_valid", cluster_req_valid = Bits(1);
        /// The response is taken.
        "cluster_rsp_ready", cluster_rsp_ready = Bits(1);
        /// The request is taken.
        "serve_req_ready", serve_req_ready = Bits(1);
        /// Response to a request of another CTA.
        "serve_rsp_valid", serve_rsp_valid = Bits(1);
    }
}

/// The pin without a field.
const CLOCK: Pin =
    Pin { name: "clk", width: Width::Bits(1), direction: Direction::Input, gate: None, contract: &["Clock."] };

/// The ports in the order in which one reads them; every pin belongs to one.
const GROUPS: [&str; 15] = [
    "clk",
    "rst",
    "req",
    "wdata",
    "wb",
    "fault",
    "done",
    "mem_req",
    "mem_rsp",
    "cluster_req",
    "cluster_rsp",
    "serve_req",
    "serve_rsp",
    "cfg",
    "status",
];

/// Every pin of the unit, port by port, each with its handshake first.
pub fn all() -> Vec<Pin> {
    let bundles = [
        Inputs::PINS,
        Outputs::PINS,
        Request::PINS,
        StoreBeat::PINS,
        Writeback::PINS,
        FaultRecord::PINS,
        Completion::PINS,
        MemoryRequest::PINS,
        MemoryResponse::PINS,
        ClusterRequest::PINS,
        ClusterResponse::PINS,
        ServeRequest::PINS,
        ServeResponse::PINS,
        BankWrite::PINS,
        Windows::PINS,
        Status::PINS,
        &[CLOCK],
    ];
    let mut pins = bundles.concat();
    pins.sort_by_key(|pin| {
        let group = GROUPS.iter().position(|group| *group == pin.group()).unwrap_or(GROUPS.len());
        (group, !pin.name.ends_with("_valid") || pin.gate.is_some(), !pin.name.ends_with("_ready"))
    });
    pins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_belong_to_a_port() {
        for (name, group, field) in [
            ("req_addr", "req", "addr"),
            ("mem_req_addr", "mem_req", "addr"),
            ("serve_rsp_rank", "serve_rsp", "rank"),
            ("cfg_cluster_base", "cfg", "cluster_base"),
            ("status_ldc_hits", "status", "ldc_hits"),
            ("cfg_bank_base", "cfg", "bank_base"),
            ("rst", "rst", ""),
        ] {
            let pin = all().into_iter().find(|pin| pin.name == name).unwrap_or_else(|| panic!("no {name}"));
            assert_eq!((pin.group(), pin.field()), (group, field));
            assert!(GROUPS.contains(&pin.group()));
        }
    }

    #[test]
    fn every_name_is_there_once_and_every_gate_is_a_flag() {
        let pins = all();
        let names: std::collections::BTreeSet<_> = pins.iter().map(|pin| pin.name).collect();
        assert_eq!(names.len(), pins.len());
        for pin in &pins {
            assert!(GROUPS.contains(&pin.group()), "{}", pin.name);
            if let Some(gate) = pin.gate {
                let gate = pins.iter().find(|other| other.name == gate).unwrap_or_else(|| panic!("no {gate}"));
                assert_eq!((gate.width, gate.gate), (Width::Bits(1), None));
            }
        }
    }
}

//! The micro-op: one warp-wide operation as the unit's `req` port carries it.
//!
//! A micro-op says everything about an operation that is the same for all lanes. Per-lane addresses, the lane mask, the
//! tag and the store data travel beside it and are not part of it. Every enumeration documents the number that the port
//! carries; `code` gives that number and `from_code` reads it back.

mod legal;
mod served;
mod words;

pub use legal::Access;

use crate::codes::port_enum;

port_enum! {
    /// A maintenance command to the unit (`req_cmd`).
    #[derive(Default)]
    Command: 2 bits, every code {
        /// Drop every line of global memory of the L1; lines of local memory stay.
        #[default]
        InvalidateL1 = 0, "invalidate_l1";
        /// Drop every line of the read-only (non-coherent) cache.
        InvalidateReadOnly = 1, "invalidate_ro";
        /// Drop every line of the constant cache.
        InvalidateConstant = 2, "invalidate_const";
        /// Write every dirty local line back and drop it.
        WriteBackLocal = 3, "write_back_local";
    }
}

port_enum! {
    /// What an operation is, without saying which command (`op`).
    OpKind: 2 bits, every code {
        /// A load through `space`, result on `wb`.
        Load = 0, "load";
        /// A store through `space`, data on `wdata`.
        Store = 1, "store";
        /// SASS LDC, an indexed constant load by `bank` and `mode`.
        Ldc = 2, "ldc";
        /// A maintenance command.
        Command = 3, "command";
    }
}

/// What the operation does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// A load through `space`, result on `wb`.
    #[default]
    Load,
    /// A store through `space`, data on `wdata`.
    Store,
    /// SASS LDC, an indexed constant load by `bank` and `mode`.
    Ldc,
    /// A maintenance command; the payload says which.
    Command(Command),
}

impl Op {
    /// What stands on the `op` pin. The kind of a command has a pin of its own.
    pub const fn kind(self) -> OpKind {
        match self {
            Self::Load => OpKind::Load,
            Self::Store => OpKind::Store,
            Self::Ldc => OpKind::Ldc,
            Self::Command(_) => OpKind::Command,
        }
    }

    /// The name used in JSON, reports and waves.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Command(command) => command.name(),
            other => other.kind().name(),
        }
    }
}

port_enum! {
    /// The state space that the address belongs to (`space`).
    #[derive(Default)]
    Space: 3 bits, every code {
        /// Decided per lane by the address windows.
        #[default]
        Generic = 0, "generic";
        /// `.global`.
        Global = 1, "global";
        /// `.shared` and `.shared::cta`: the own CTA's shared memory.
        Shared = 2, "shared";
        /// `.shared::cluster`: shared memory of any CTA of the cluster.
        SharedCluster = 3, "shared::cluster";
        /// `.local`: thread-private.
        Local = 4, "local";
        /// `.const`.
        Const = 5, "const";
        /// `.param::entry`: kernel parameters, read through the constant cache.
        ParamEntry = 6, "param::entry";
        /// `.param::func`: parameters of device functions, which lie in local memory.
        ParamFunc = 7, "param::func";
    }
}

port_enum! {
    /// Memory-order semantics (`sem`).
    #[derive(Default)]
    Semantics: 3 bits, every code {
        /// No ordering; the default.
        #[default]
        Weak = 0, "weak";
        /// `.relaxed`.
        Relaxed = 1, "relaxed";
        /// `.acquire` (loads).
        Acquire = 2, "acquire";
        /// `.release` (stores).
        Release = 3, "release";
        /// `.volatile`: as relaxed at system scope, never merged.
        Volatile = 4, "volatile";
        /// `.mmio.relaxed`: exactly one transaction per lane and element.
        Mmio = 5, "mmio";
        /// `.mmio.acquire` (loads): an MMIO access that also acquires at system scope.
        MmioAcquire = 6, "mmio.acquire";
        /// `.mmio.release` (stores): an MMIO access that also releases at system scope.
        MmioRelease = 7, "mmio.release";
    }
}

impl Semantics {
    /// Whether the access is an MMIO access.
    pub const fn is_mmio(self) -> bool {
        matches!(self, Self::Mmio | Self::MmioAcquire | Self::MmioRelease)
    }

    /// Whether a load with these semantics acquires.
    pub const fn is_acquire(self) -> bool {
        matches!(self, Self::Acquire | Self::MmioAcquire)
    }

    /// Whether a store with these semantics releases.
    pub const fn is_release(self) -> bool {
        matches!(self, Self::Release | Self::MmioRelease)
    }
}

port_enum! {
    /// The set of threads that the operation synchronizes with (`scope`).
    #[derive(Default)]
    Scope: 2 bits, every code {
        /// `.cta`; also what weak operations, which have no scope, carry.
        #[default]
        Cta = 0, "cta";
        /// `.cluster`.
        Cluster = 1, "cluster";
        /// `.gpu`.
        Gpu = 2, "gpu";
        /// `.sys`; also what volatile operations carry.
        Sys = 3, "sys";
    }
}

port_enum! {
    /// Cache operator (`cop`).
    #[derive(Default)]
    CacheOperator: 3 bits, every code {
        /// None written: `.ca` for loads, `.wb` for stores.
        #[default]
        Default = 0, "default";
        /// `.ca`: cache at all levels (loads).
        Ca = 1, "ca";
        /// `.cg`: cache at the global level only.
        Cg = 2, "cg";
        /// `.cs`: streaming, evict first.
        Cs = 3, "cs";
        /// `.lu`: last use (loads).
        Lu = 4, "lu";
        /// `.cv`: do not cache, fetch again (loads).
        Cv = 5, "cv";
        /// `.wb`: write back (stores).
        Wb = 6, "wb";
        /// `.wt`: write through (stores).
        Wt = 7, "wt";
    }
}

port_enum! {
    /// L1 eviction priority (`l1_evict`).
    #[derive(Default)]
    L1Eviction: 3 bits, some codes {
        /// `.L1::evict_normal`, and what an operation without a priority carries.
        #[default]
        Normal = 0, "evict_normal";
        /// `.L1::evict_unchanged`: a hit changes neither class nor recency.
        Unchanged = 1, "evict_unchanged";
        /// `.L1::evict_first`.
        First = 2, "evict_first";
        /// `.L1::evict_last`.
        Last = 3, "evict_last";
        /// `.L1::no_allocate`: a miss is not kept.
        NoAllocate = 4, "no_allocate";
    }
}

port_enum! {
    /// L2 eviction priority (`l2_evict`), carried unchanged to the memory port.
    #[derive(Default)]
    L2Eviction: 2 bits, some codes {
        /// `.L2::evict_normal`, and what an operation without a priority carries.
        #[default]
        Normal = 0, "evict_normal";
        /// `.L2::evict_first`.
        First = 1, "evict_first";
        /// `.L2::evict_last`.
        Last = 2, "evict_last";
    }
}

port_enum! {
    /// L2 prefetch size (`prefetch`), carried unchanged to the memory port.
    #[derive(Default)]
    Prefetch: 2 bits, every code {
        /// None asked for.
        #[default]
        None = 0, "none";
        /// `.L2::64B`.
        Bytes64 = 1, "64B";
        /// `.L2::128B`.
        Bytes128 = 2, "128B";
        /// `.L2::256B`.
        Bytes256 = 3, "256B";
    }
}

port_enum! {
    /// Size of one element (`size`): the base-2 logarithm of its bytes, 5 to 7 being illegal.
    ///
    /// LDC's own size field (U8, S8, U16, S16, 32, 64) becomes this size and the micro-op's `sign`; its two invalid
    /// sizes keep their numbers, so that the unit itself can answer `illegal_instruction` (rule LDC-11).
    #[derive(Default)]
    AccessSize: 3 bits, every code {
        /// 8 bits.
        Bits8 = 0, "8";
        /// 16 bits.
        Bits16 = 1, "16";
        /// 32 bits.
        #[default]
        Bits32 = 2, "32";
        /// 64 bits.
        Bits64 = 3, "64";
        /// 128 bits.
        Bits128 = 4, "128";
        /// Illegal: no instruction has this size.
        Invalid5 = 5, "invalid5";
        /// Illegal: LDC's size field 6.
        Invalid6 = 6, "invalid6";
        /// Illegal: LDC's size field 7.
        Invalid7 = 7, "invalid7";
    }
}

impl AccessSize {
    /// Bytes of one element; `None` for the illegal sizes.
    pub const fn bytes(self) -> Option<u32> {
        match self {
            Self::Bits8 | Self::Bits16 | Self::Bits32 | Self::Bits64 | Self::Bits128 => Some(1 << self.code()),
            Self::Invalid5 | Self::Invalid6 | Self::Invalid7 => None,
        }
    }

    /// The size of an element of `bits` bits; `None` unless that is 8, 16, 32, 64 or 128.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        match bits {
            8 => Some(Self::Bits8),
            16 => Some(Self::Bits16),
            32 => Some(Self::Bits32),
            64 => Some(Self::Bits64),
            128 => Some(Self::Bits128),
            _ => None,
        }
    }
}

port_enum! {
    /// Width to which a loaded element is extended (`dst_width`).
    ///
    /// A 128-bit element always takes four 32-bit registers, whatever this says.
    #[derive(Default)]
    DestinationWidth: 2 bits, some codes {
        /// 16 bits: as 32.
        Bits16 = 0, "16";
        /// 32 bits: one 32-bit register.
        #[default]
        Bits32 = 1, "32";
        /// 64 bits: two consecutive 32-bit registers.
        Bits64 = 2, "64";
    }
}

impl DestinationWidth {
    /// The width in bits.
    pub const fn bits(self) -> u32 {
        16 << self.code()
    }

    /// How many 32-bit registers one element of at most 64 bits takes.
    pub const fn registers(self) -> u32 {
        match self {
            Self::Bits16 | Self::Bits32 => 1,
            Self::Bits64 => 2,
        }
    }
}

port_enum! {
    /// LDC address mode (`mode`); the numbers are those of the SASS encoding.
    #[derive(Default)]
    LdcMode: 2 bits, every code {
        /// `.IA`: bank as named, address Ra + imm (rule LDC-3).
        #[default]
        Ia = 0, "IA";
        /// `.IL`: linear, bits above 16 of the sum move the bank (rule LDC-4).
        Il = 1, "IL";
        /// `.IS`: segmented, bits above 16 of Ra move the bank (rule LDC-5).
        Is = 2, "IS";
        /// `.ISL`: segmented with the 14-bank limit (rule LDC-6).
        Isl = 3, "ISL";
    }
}

/// One warp-wide operation as the `req` port carries it, without the per-lane parts.
///
/// [`MicroOp::default`] is a weak 32-bit generic load of one element into R0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MicroOp {
    /// What to do.
    pub op: Op,
    /// Where the address points.
    pub space: Space,
    /// Memory-order semantics.
    pub sem: Semantics,
    /// Scope; [`Scope::Cta`] for weak operations.
    pub scope: Scope,
    /// Cache operator.
    pub cop: CacheOperator,
    /// L1 eviction priority.
    pub l1_evict: L1Eviction,
    /// L2 eviction priority.
    pub l2_evict: L2Eviction,
    /// L2 prefetch size.
    pub prefetch: Prefetch,
    /// L2 cache policy (`policy_en` and `policy`, 64 bits). For a policy in a register, the front end leaves
    /// `Some(0)` here and names the register beside the micro-op.
    pub policy: Option<u64>,
    /// Non-coherent: through the read-only cache.
    pub nc: bool,
    /// Size of one element.
    pub size: AccessSize,
    /// Elements per lane: 1, 2, 4 or 8.
    pub vec: u8,
    /// Bit i set: element i is a sink, neither fetched for its own sake nor written.
    pub sink: u8,
    /// Sign-extend (true) or zero-extend (false) a loaded element.
    pub sign: bool,
    /// Width to which a loaded element is extended; stores do not use it.
    pub dst_width: DestinationWidth,
    /// Number of the first destination register, 255 being RZ for LDC; stores do not use it.
    pub rd: u8,
    /// Immediate part of the address in bytes. For LDC the 16-bit field, sign-extended unless `ra_is_rz`.
    pub imm: i32,
    /// LDC: the bank that the instruction names, 0 to 31.
    pub bank: u8,
    /// LDC: address mode.
    pub mode: LdcMode,
    /// LDC: no register operand, so the immediate is unsigned (rule LDC-1).
    pub ra_is_rz: bool,
}

impl Default for MicroOp {
    fn default() -> Self {
        Self {
            op: Op::default(),
            space: Space::default(),
            sem: Semantics::default(),
            scope: Scope::default(),
            cop: CacheOperator::default(),
            l1_evict: L1Eviction::default(),
            l2_evict: L2Eviction::default(),
            prefetch: Prefetch::default(),
            policy: None,
            nc: false,
            size: AccessSize::default(),
            vec: 1,
            sink: 0,
            sign: false,
            dst_width: DestinationWidth::default(),
            rd: 0,
            imm: 0,
            bank: 0,
            mode: LdcMode::default(),
            ra_is_rz: false,
        }
    }
}

impl MicroOp {
    /// How many consecutive 32-bit registers the result of a load or LDC takes, sink elements included.
    pub const fn destination_registers(&self) -> u32 {
        let per_element = match self.size {
            AccessSize::Bits128 => 4,
            AccessSize::Bits64 => 2,
            _ => self.dst_width.registers(),
        };
        per_element * self.vec as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_back() {
        assert!(Space::ALL.iter().all(|space| Space::from_code(space.code()) == Some(*space)));
        assert!(AccessSize::ALL.iter().all(|size| AccessSize::from_code(size.code()) == Some(*size)));
        assert_eq!(L1Eviction::from_code(5), None);
    }

    #[test]
    fn sizes_are_logarithms() {
        assert_eq!(AccessSize::Bits8.bytes(), Some(1));
        assert_eq!(AccessSize::Bits128.bytes(), Some(16));
        assert_eq!(AccessSize::Invalid6.bytes(), None);
        assert_eq!(AccessSize::from_bits(64), Some(AccessSize::Bits64));
        assert_eq!(AccessSize::from_bits(24), None);
    }

    #[test]
    fn destination_registers_follow_element_and_width() {
        let wide = MicroOp { vec: 4, size: AccessSize::Bits64, ..MicroOp::default() };
        assert_eq!(wide.destination_registers(), 8);
        let extended = MicroOp { size: AccessSize::Bits8, dst_width: DestinationWidth::Bits64, ..MicroOp::default() };
        assert_eq!(extended.destination_registers(), 2);
    }
}

//! Shape: what every pass of an operation has in common, worked out once from the pins.

use super::super::registers::Element;
use crate::micro_op::{
    AccessSize, CacheOperator, Command, DestinationWidth, L1Eviction, L2Eviction, OpKind, Scope, Semantics,
};
use crate::pins::{Request, WORD_BYTES};

/// What the operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) enum Kind {
    #[default]
    Load,
    Store,
    Command(Command),
}

/// Eviction class, the first to go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) enum Class {
    First,
    #[default]
    Normal,
    Last,
}

/// `mem_req_*` beside address and data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Attributes {
    pub l2_evict: u8,
    pub policy_en: bool,
    pub policy: u64,
    pub prefetch: u8,
    pub cop: u8,
    pub sem: u8,
    pub scope: u8,
}

/// Everything of an operation but its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Shape {
    pub tag: u8,
    pub kind: Kind,
    /// First destination register.
    pub rd: u8,
    /// Elements that are not written.
    pub sink: u8,
    /// Sign-extend.
    pub sign: bool,
    /// Every element takes a second register, which holds only its sign.
    pub extended: bool,
    /// Bytes of an element; of no use if the size code is no size.
    pub element_bytes: u8,
    /// Bytes of an element that one register holds: 1, 2 or 4.
    pub part: u8,
    /// Registers of an element, e in the contract.
    pub element_registers: u8,
    /// Registers of a load, R in the contract.
    pub registers: u8,
    /// Reads that a pass of a load makes.
    pub reads: u8,
    /// Registers of store data.
    pub beats: u8,
    /// Words of each lane's access that the passes of its local lanes serve one by one; 0 in the shape of other passes.
    pub local_words: u8,
    /// One transaction for each lane.
    pub mmio: bool,
    pub nc: bool,
    pub ordered: bool,
    pub looked_up: bool,
    pub kept: bool,
    /// Rule LAST-USE: a load that needs whole words of local memory for the last time.
    pub last_use: bool,
    /// Slot of the warp.
    pub warp: u8,
    pub acquire: bool,
    pub release: bool,
    /// A store that takes its sector out of L1.
    pub drops: bool,
    /// What a way becomes that is found.
    pub class: Class,
    /// What a victim becomes.
    pub victim_class: Class,
    /// Changes age and class of a way that is found.
    pub touches: bool,
    pub attributes: Attributes,
}

/// log2 of the bytes of an access, all elements together; `None` if the size code is no size.
pub(super) fn total_log2(request: &Request) -> Option<u32> {
    AccessSize::on_pin(request.size).bytes().map(|bytes| bytes.ilog2() + u32::from(request.vec))
}

/// What semantics and scope ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    mmio: bool,
    strong: bool,
    acquires: bool,
    releases: bool,
}

impl Order {
    fn of(request: &Request, semantics: Semantics) -> Self {
        let beyond_cta = match Scope::on_pin(request.scope) {
            Scope::Cta => false,
            Scope::Cluster | Scope::Gpu | Scope::Sys => true,
        };
        let weak = Self::default();
        let mmio = Self { mmio: true, strong: true, ..weak };
        match semantics {
            Semantics::Weak => weak,
            Semantics::Relaxed => Self { strong: beyond_cta, ..weak },
            Semantics::Acquire => Self { strong: beyond_cta, acquires: beyond_cta, ..weak },
            Semantics::Release => Self { releases: true, ..weak },
            Semantics::Volatile => Self { strong: true, ..weak },
            Semantics::Mmio => mmio,
            Semantics::MmioAcquire => Self { acquires: true, ..mmio },
            Semantics::MmioRelease => Self { releases: true, ..mmio },
        }
    }
}

/// What a cache operator asks for.
#[derive(Clone, Copy, Debug, Default)]
struct Caching {
    /// Not through L1.
    bypasses: bool,
    /// Fetched again.
    fresh: bool,
    evicts_first: bool,
}

impl Caching {
    fn of(operator: CacheOperator) -> Self {
        let plain = Self::default();
        match operator {
            CacheOperator::Default | CacheOperator::Ca | CacheOperator::Wb | CacheOperator::Wt => plain,
            CacheOperator::Cg => Self { bypasses: true, ..plain },
            CacheOperator::Cs | CacheOperator::Lu => Self { evicts_first: true, ..plain },
            CacheOperator::Cv => Self { fresh: true, ..plain },
        }
    }
}

/// What becomes of a line in L1.
#[derive(Clone, Copy, Debug)]
struct Residence {
    class: Class,
    victim_class: Class,
    touches: bool,
    kept: bool,
}

impl Residence {
    fn of(priority: Option<L1Eviction>, evicts_first: bool) -> Self {
        let class = if evicts_first { Class::First } else { Class::Normal };
        let usual = Self { class, victim_class: class, touches: true, kept: true };
        let of_class = |class| Self { class, victim_class: class, ..usual };
        match priority {
            // A code without a meaning is as none given.
            Some(L1Eviction::Normal) | None => usual,
            Some(L1Eviction::Unchanged) => Self { victim_class: Class::Normal, touches: false, ..usual },
            Some(L1Eviction::First) => of_class(Class::First),
            Some(L1Eviction::Last) if evicts_first => usual,
            Some(L1Eviction::Last) => of_class(Class::Last),
            Some(L1Eviction::NoAllocate) => Self { victim_class: Class::Normal, touches: false, kept: false, ..usual },
        }
    }
}

/// Bytes of an element; those of the largest if the code is no size.
fn element_bytes(size: AccessSize) -> u8 {
    size.bytes().map_or(16, |bytes| bytes as u8)
}

impl Shape {
    /// What the pins say.
    pub(super) fn of(request: &Request) -> Self {
        Self::with(request, Semantics::on_pin(request.sem), CacheOperator::on_pin(request.cop))
    }

    /// Rule LOCAL: what the passes of local lanes go on as, `words` of them for each group of lanes.
    pub(super) fn of_local(&self, request: &Request, words: u8) -> Self {
        let operator = match CacheOperator::on_pin(request.cop) {
            operator @ (CacheOperator::Cs | CacheOperator::Lu) => operator,
            CacheOperator::Default | CacheOperator::Ca | CacheOperator::Cg | CacheOperator::Cv => {
                CacheOperator::Default
            }
            CacheOperator::Wb | CacheOperator::Wt => CacheOperator::Default,
        };
        let shape = Self::with(request, Semantics::Weak, operator);
        let reads_once = shape.is_load() && Caching::of(operator).evicts_first;
        let has_whole_words = total_log2(request).is_some_and(|total| total >= WORD_BYTES.ilog2());
        Self {
            local_words: words,
            release: self.release,
            kept: shape.kept && !reads_once,
            last_use: reads_once && has_whole_words,
            ..shape
        }
    }

    /// Rule CLUSTER: what an operation with remote lanes goes on as. (Its other lanes, which are shared, look nothing up either.)
    pub(super) fn of_remote(&self) -> Self {
        Self { looked_up: false, kept: false, ..*self }
    }

    /// As if these semantics and this operator were on the pins.
    fn with(request: &Request, semantics: Semantics, operator: CacheOperator) -> Self {
        let kind = match OpKind::on_pin(request.op) {
            OpKind::Load => Kind::Load,
            OpKind::Store => Kind::Store,
            // LDC goes to the constant cache.
            OpKind::Command | OpKind::Ldc => Kind::Command(Command::on_pin(request.cmd)),
        };
        let elements = 1 << request.vec;
        let size = AccessSize::on_pin(request.size);
        let element = Element::of(size, DestinationWidth::on_pin(request.dst_width));
        let order = Order::of(request, semantics);
        let caching = Caching::of(operator);
        let residence = Residence::of(L1Eviction::on_pin(request.l1_evict), caching.evicts_first);
        let (is_load, is_store) = (kind == Kind::Load, kind == Kind::Store);
        let ordered = is_store || (is_load && (order.strong || caching.fresh));
        let looked_up = is_load && !ordered && !caching.bypasses;
        Self {
            tag: request.tag,
            kind,
            rd: request.rd,
            sink: request.sink,
            sign: request.sign,
            extended: element.extended,
            element_bytes: element_bytes(size),
            part: element_bytes(size).min(4),
            element_registers: element.registers,
            registers: elements * element.registers,
            reads: if total_log2(request) == Some(5) { 2 } else { 1 },
            beats: if is_store { elements * element.beats } else { 0 },
            local_words: 0,
            mmio: order.mmio,
            nc: is_load && request.nc,
            ordered,
            looked_up,
            kept: looked_up && residence.kept,
            last_use: false,
            warp: request.warp,
            acquire: is_load && order.acquires,
            release: is_store && order.releases,
            drops: is_store && (caching.bypasses || order.mmio),
            class: residence.class,
            victim_class: residence.victim_class,
            touches: residence.touches,
            attributes: Attributes {
                l2_evict: if caching.evicts_first { L2Eviction::First.code() } else { request.l2_evict },
                policy_en: request.policy_en,
                policy: request.policy,
                prefetch: request.prefetch,
                cop: operator.code(),
                sem: semantics.code(),
                scope: request.scope,
            },
        }
    }

    pub(super) fn is_load(&self) -> bool {
        self.kind == Kind::Load
    }

    pub(super) fn is_store(&self) -> bool {
        self.kind == Kind::Store
    }

    /// Registers that one read of a pass fills, n in the contract.
    pub(super) fn registers_of_read(&self) -> u8 {
        self.registers / if self.is_local() { self.local_words } else { self.reads }
    }

    /// Registers of store data that one pass merges.
    pub(super) fn beats_of_pass(&self) -> u8 {
        if self.is_local() { self.beats / self.local_words } else { self.beats }
    }

    /// Whether it is that of a pass of local lanes.
    pub(super) fn is_local(&self) -> bool {
        self.local_words != 0
    }
}

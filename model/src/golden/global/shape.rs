//! Shape: what every pass of an operation has in common, worked out once from the pins.

use crate::pins::Request;

/// `req_op` codes of what is served here, and that of commands.
const LOAD: u8 = 0;
const STORE: u8 = 1;

/// `req_cop` codes.
pub(super) const CA: u8 = 1;
pub(super) const CG: u8 = 2;
pub(super) const CS: u8 = 3;
pub(super) const LU: u8 = 4;
pub(super) const CV: u8 = 5;
pub(super) const WB: u8 = 6;
pub(super) const WT: u8 = 7;

/// `req_sem` codes.
pub(super) const WEAK: u8 = 0;
const RELAXED: u8 = 1;
pub(super) const ACQUIRE: u8 = 2;
pub(super) const RELEASE: u8 = 3;
const VOLATILE: u8 = 4;
const MMIO: u8 = 5;
pub(super) const MMIO_ACQUIRE: u8 = 6;
pub(super) const MMIO_RELEASE: u8 = 7;

/// `req_scope` code of the narrowest scope.
const CTA: u8 = 0;

/// `req_l1_evict` codes.
const EVICT_UNCHANGED: u8 = 1;
const EVICT_FIRST: u8 = 2;
const EVICT_LAST: u8 = 3;
const NO_ALLOCATE: u8 = 4;

/// `req_l2_evict` code of evict_first.
const L2_EVICT_FIRST: u8 = 1;

/// `req_size` code of the largest element.
pub(super) const LARGEST_SIZE: u8 = 4;

/// `req_dst_width` code of 64 bit.
const WIDE: u8 = 2;

/// RZ as a destination.
pub(super) const RZ: u8 = 255;

/// What the operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) enum Kind {
    #[default]
    Load,
    Store,
    /// With the code of `req_cmd`.
    Command(u8),
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
    /// One transaction for each lane.
    pub mmio: bool,
    pub nc: bool,
    pub ordered: bool,
    pub looked_up: bool,
    pub kept: bool,
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
    (request.size <= LARGEST_SIZE).then(|| u32::from(request.size + request.vec))
}

/// Whether `req_sem` is one of the mmio codes.
pub(super) fn is_mmio(semantics: u8) -> bool {
    matches!(semantics, MMIO | MMIO_ACQUIRE | MMIO_RELEASE)
}

impl Shape {
    pub(super) fn of(request: &Request) -> Self {
        let Request { sem, cop, l1_evict, size, .. } = *request;
        let kind = match request.op {
            LOAD => Kind::Load,
            STORE => Kind::Store,
            _ => Kind::Command(request.cmd),
        };
        let elements = 1 << request.vec;
        let is_wide = request.dst_width == WIDE;
        let element_registers = match size {
            0..=2 if is_wide => 2,
            0..=2 => 1,
            3 => 2,
            _ => 4,
        };
        let element_beats = match size {
            0..=2 => 1,
            3 => 2,
            _ => 4,
        };
        let mmio = is_mmio(sem);
        let beyond_cta = request.scope != CTA;
        let strong = sem == VOLATILE || mmio || (matches!(sem, RELAXED | ACQUIRE) && beyond_cta);
        let is_load = kind == Kind::Load;
        let ordered = kind == Kind::Store || (is_load && (strong || cop == CV));
        let looked_up = is_load && !ordered && cop != CG;
        let class = match (l1_evict, cop) {
            (EVICT_FIRST, _) | (_, CS | LU) => Class::First,
            (EVICT_LAST, _) => Class::Last,
            _ => Class::Normal,
        };
        Self {
            tag: request.tag,
            kind,
            rd: request.rd,
            sink: request.sink,
            sign: request.sign,
            extended: size <= 2 && is_wide,
            element_bytes: 1 << size.min(LARGEST_SIZE),
            part: 1 << size.min(2),
            element_registers,
            registers: elements * element_registers,
            reads: if total_log2(request) == Some(5) { 2 } else { 1 },
            beats: if kind == Kind::Store { elements * element_beats } else { 0 },
            mmio,
            nc: is_load && request.nc,
            ordered,
            looked_up,
            kept: looked_up && l1_evict != NO_ALLOCATE,
            acquire: is_load && ((sem == ACQUIRE && beyond_cta) || sem == MMIO_ACQUIRE),
            release: kind == Kind::Store && matches!(sem, RELEASE | MMIO_RELEASE),
            drops: kind == Kind::Store && (cop == CG || mmio),
            class,
            victim_class: if l1_evict == EVICT_UNCHANGED { Class::Normal } else { class },
            touches: !matches!(l1_evict, EVICT_UNCHANGED | NO_ALLOCATE),
            attributes: Attributes {
                l2_evict: if matches!(cop, CS | LU) { L2_EVICT_FIRST } else { request.l2_evict },
                policy_en: request.policy_en,
                policy: request.policy,
                prefetch: request.prefetch,
                cop,
                sem,
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
        self.registers / self.reads
    }
}

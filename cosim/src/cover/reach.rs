//! Which cells of the cross tables an operation can end in, by what the contracts say of every combination of codes: the faults,
//! look-ups and numbers of passes that they leave to it.

use lsu_model::micro_op::{Access, AccessSize, CacheOperator, LdcMode, Scope, Semantics, Space};
use lsu_model::pins::FaultCause;
use lsu_model::preset::Preset;

use super::point::{
    Axis, BOTH, HIT, LOAD, MISS, NO_FAULT, NO_LOOK, NON_COHERENT, Point, STORE, lanes_class, passes_class,
};
use super::tables::{CellNumbers, Subject, TABLES, Table};

/// Axes that do not decide how an operation ends, beside those of another subject.
const FREE: [Axis; 5] = [Axis::L1Eviction, Axis::L2Eviction, Axis::Prefetch, Axis::Width, Axis::Sign];

/// Largest access of the global path, and of what has memory of its own, in bytes (FAULT, CONST).
const MOST_BYTES: u32 = 32;
const MOST_OWN_BYTES: u32 = 16;

const ERROR: u8 = FaultCause::MemoryError.code();

/// Why cells of a table are left out.
pub(super) fn reason(table: &Table) -> &'static str {
    match table.axes.last() {
        Some(Axis::Fault) => "no such operation has a fault of this cause (FAULT, CONST, LDC-9 to LDC-11)",
        Some(Axis::Look) => {
            "such an operation is refused, or looks nothing up, or has no sectors of both kinds (HIT, PASS, FAULT, CONST)"
        }
        Some(Axis::Passes) => "such an operation makes more passes, or not as many (PASS, BANK, LOCAL, GROUP)",
        _ => "no operation has these codes",
    }
}

/// By number: whether an operation can end in that cell.
pub(super) fn cells(preset: &Preset, numbers: &CellNumbers) -> Vec<bool> {
    let mut cells = Cells { preset: *preset, numbers, filled: vec![false; numbers.count()] };
    cells.accesses();
    cells.ldcs();
    for command in 0..4 {
        cells.fill(Subject::Command, Point::default().with([(Axis::Command, command)]));
    }
    cells.filled
}

struct Cells<'a> {
    preset: Preset,
    numbers: &'a CellNumbers,
    filled: Vec<bool>,
}

/// A way in which an operation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// Active lanes.
    pub lanes: u32,
    /// Value of [`Axis::Fault`].
    pub fault: u8,
    /// Value of [`Axis::Look`].
    pub look: u8,
    pub passes: u32,
}

impl End {
    /// The operation at `point` that ends so.
    pub(super) fn at(self, point: Point, preset: &Preset) -> Point {
        point.with([
            (Axis::Lanes, lanes_class(self.lanes, preset)),
            (Axis::Fault, self.fault),
            (Axis::Look, self.look),
            (Axis::Passes, passes_class(self.passes)),
        ])
    }
}

/// A load or store as far as its codes decide how it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    pub kind: u8,
    pub space: Space,
    /// Bytes of all its elements; `None` where the code is no size.
    pub total: Option<u32>,
    pub semantics: Semantics,
    pub scope: Scope,
    pub operator: CacheOperator,
}

impl Codes {
    /// Those of a point.
    pub(super) fn of(point: &Point) -> Self {
        let size = AccessSize::on_pin(point.get(Axis::Size));
        Self {
            kind: point.get(Axis::Kind),
            space: Space::on_pin(point.get(Axis::Space)),
            total: size.bytes().map(|bytes| bytes << point.get(Axis::Vector)),
            semantics: Semantics::on_pin(point.get(Axis::Semantics)),
            scope: Scope::on_pin(point.get(Axis::Scope)),
            operator: CacheOperator::on_pin(point.get(Axis::Operator)),
        }
    }

    pub(super) fn is_load(self) -> bool {
        self.kind != STORE
    }

    /// FAULT 2, CONST: whether it is refused whatever its addresses are.
    pub(super) fn is_illegal(self) -> bool {
        let access = match self.kind {
            LOAD => Access::Load,
            NON_COHERENT => Access::NonCoherentLoad,
            _ => Access::Store,
        };
        let is_served = if self.is_load() { self.space.is_served() } else { self.space.serves_stores() };
        let suits = match self.semantics {
            Semantics::Weak => true,
            Semantics::Acquire | Semantics::MmioAcquire => self.kind == LOAD,
            Semantics::Release | Semantics::MmioRelease => self.kind == STORE,
            Semantics::Relaxed | Semantics::Volatile | Semantics::Mmio => self.kind != NON_COHERENT,
        };
        let is_constant = self.space.is_constant();
        let most = if self.has_own_memory() || is_constant { MOST_OWN_BYTES } else { MOST_BYTES };
        let is_only_global = self.kind == NON_COHERENT || self.semantics.is_mmio();
        let is_misplaced = self.has_own_memory() && is_only_global
            || is_constant && (self.kind != LOAD || self.semantics != Semantics::Weak);
        !self.operator.is_legal_for(access)
            || !suits
            || !is_served
            || is_misplaced
            || self.total.is_none_or(|total| total > most)
    }

    /// Shared, remote and local memory: not that of all.
    fn has_own_memory(self) -> bool {
        matches!(self.space, Space::Shared | Space::SharedCluster | Space::Local | Space::ParamFunc)
    }

    /// Whether a generic access may have shared and local lanes.
    fn may_be_own(self) -> bool {
        let is_only_global = self.kind == NON_COHERENT || self.semantics.is_mmio();
        self.space == Space::Generic && !is_only_global && self.total.is_some_and(|total| total <= MOST_OWN_BYTES)
    }

    /// FAULT 3: whether it is a generic access that no window serves.
    fn is_only_global(self) -> bool {
        self.space == Space::Generic && !self.may_be_own()
    }

    /// Whether its lanes may be local ones.
    pub(super) fn may_be_local(self) -> bool {
        matches!(self.space, Space::Local | Space::ParamFunc) || self.may_be_own()
    }

    /// HIT: whether sectors of lanes are looked up that are neither shared nor local.
    pub(super) fn is_looked_up_globally(self) -> bool {
        let is_strong = match self.semantics {
            Semantics::Weak | Semantics::Release | Semantics::MmioRelease => false,
            Semantics::Relaxed | Semantics::Acquire => self.scope != Scope::Cta,
            Semantics::Volatile | Semantics::Mmio | Semantics::MmioAcquire => true,
        };
        self.is_load() && !is_strong && !matches!(self.operator, CacheOperator::Cv | CacheOperator::Cg)
    }

    /// Words of a local lane; 1 of any other.
    pub(super) fn words(self) -> u32 {
        if self.may_be_local() { self.total.map_or(1, |total| total.max(4) / 4) } else { 1 }
    }

    /// PASS, BANK, LOCAL: numbers of passes of so many lanes, one of each class.
    fn passes(self, lanes: u32) -> impl Iterator<Item = u32> {
        let words = self.words();
        // Lanes of a generic operation may lie outside of local memory.
        let least = if matches!(self.space, Space::Local | Space::ParamFunc) { words } else { 1 };
        let range = if self.semantics.is_mmio() { lanes..=lanes } else { 1..=lanes * words };
        let mut last = None;
        range.filter(move |passes| passes.is_multiple_of(least)).filter(move |passes| {
            let class = Some(passes_class(*passes));
            std::mem::replace(&mut last, class) != class
        })
    }

    /// Every way in which such operations end.
    pub(super) fn ends(self, preset: &Preset, end: &mut impl FnMut(End)) {
        // Nothing is faulty without lanes: one empty pass.
        end(End { lanes: 0, fault: NO_FAULT, look: NO_LOOK, passes: 1 });
        let all = preset.lanes as u32;
        for lanes in 1..=all {
            // Of MMIO each lane is a pass; of others two or more may be one.
            if self.semantics.is_mmio() || [1, all - 1, all].contains(&lanes) {
                self.ends_of(lanes, end);
            }
        }
    }

    fn ends_of(self, lanes: u32, end: &mut impl FnMut(End)) {
        let is_illegal = self.is_illegal();
        let refused = [
            (FaultCause::MisalignedRegister, self.is_load()),
            // A store is illegal with `nc`, a generic access that only global memory serves in the windows.
            (FaultCause::IllegalInstruction, is_illegal || !self.is_load() || self.is_only_global()),
            (FaultCause::MisalignedAddress, !is_illegal && self.total != Some(1)),
            (FaultCause::AddressOutOfRange, !is_illegal),
        ];
        for (cause, _) in refused.into_iter().filter(|(_, is_possible)| *is_possible) {
            end(End { lanes, fault: cause.code(), look: NO_LOOK, passes: 0 });
        }
        if is_illegal {
            return;
        }
        // A load all of whose elements are sunk makes an empty pass.
        if self.is_load() {
            end(End { lanes, fault: NO_FAULT, look: NO_LOOK, passes: 1 });
        }
        let is_looked_up = self.looks_up();
        let is_never_looked_up = self.may_be_own() || !is_looked_up;
        let fails_past_caches = match self.space {
            Space::Shared => false,
            Space::Generic => !self.is_looked_up_globally(),
            _ => !is_looked_up,
        };
        for passes in self.passes(lanes) {
            if is_never_looked_up {
                end(End { lanes, fault: NO_FAULT, look: NO_LOOK, passes });
            }
            if fails_past_caches {
                end(End { lanes, fault: ERROR, look: NO_LOOK, passes });
            }
            if is_looked_up {
                // Of constants a whole pass hits or misses.
                let is_both = if self.space.is_constant() { passes > 1 } else { lanes > 1 || self.words() > 1 };
                looked_up(lanes, passes, is_both, end);
            }
        }
    }

    /// HIT: whether sectors of it are looked up, if its lanes lie there.
    fn looks_up(self) -> bool {
        self.is_load()
            && match self.space {
                Space::Shared | Space::SharedCluster => false,
                // Local passes go on as weak ones.
                Space::Local | Space::ParamFunc | Space::Const | Space::ParamEntry => true,
                Space::Generic => self.is_looked_up_globally() || self.may_be_local(),
                Space::Global => self.is_looked_up_globally(),
            }
    }
}

/// The ends of what is looked up: what hits has come without an error.
fn looked_up(lanes: u32, passes: u32, is_both: bool, end: &mut impl FnMut(End)) {
    let ends = [(NO_FAULT, HIT), (NO_FAULT, MISS), (ERROR, MISS), (NO_FAULT, BOTH), (ERROR, BOTH)];
    for (fault, look) in ends.into_iter().filter(|(_, look)| *look != BOTH || is_both) {
        end(End { lanes, fault, look, passes });
    }
}

/// Every way in which LDCs of this size end.
pub(super) fn ldc_ends(size: AccessSize, preset: &Preset, end: &mut impl FnMut(End)) {
    end(End { lanes: 0, fault: NO_FAULT, look: NO_LOOK, passes: 1 });
    let lanes = preset.lanes as u32;
    let bytes = size.bytes().unwrap_or_default();
    let refused = [
        (FaultCause::IllegalInstruction, bytes == 0),
        (FaultCause::MisalignedRegister, bytes > 4),
        (FaultCause::MisalignedAddress, bytes > 1),
    ];
    for (cause, _) in refused.into_iter().filter(|(_, is_possible)| *is_possible) {
        end(End { lanes, fault: cause.code(), look: NO_LOOK, passes: 0 });
    }
    for passes in (1..=lanes).filter(|_| bytes != 0) {
        // Lanes beyond their bank's end look nothing up.
        end(End { lanes, fault: NO_FAULT, look: NO_LOOK, passes });
        looked_up(lanes, passes, passes > 1, end);
    }
}

impl Cells<'_> {
    /// An operation can end in `point`, whatever its values on the free axes are.
    fn fill(&mut self, subject: Subject, point: Point) {
        for (number, table) in TABLES.iter().enumerate().filter(|(_, table)| table.subject == subject) {
            let free: usize = table.axes.iter().filter(|axis| FREE.contains(axis)).map(|axis| axis.count()).product();
            for mut combination in 0..free {
                let mut point = point;
                for axis in table.axes.iter().filter(|axis| FREE.contains(axis)) {
                    point.set(*axis, (combination % axis.count()) as u8);
                    combination /= axis.count();
                }
                let cell = self.numbers.number(number, &point);
                self.filled[cell] = true;
            }
        }
    }

    fn accesses(&mut self) {
        const AXES: [Axis; 7] =
            [Axis::Kind, Axis::Space, Axis::Size, Axis::Vector, Axis::Semantics, Axis::Scope, Axis::Operator];
        let preset = self.preset;
        let combinations: usize = AXES.iter().map(|axis| axis.count()).product();
        let mut points = rustc_hash::FxHashSet::default();
        for mut combination in 0..combinations {
            let mut point = Point::default();
            for axis in AXES {
                point.set(axis, (combination % axis.count()) as u8);
                combination /= axis.count();
            }
            Codes::of(&point).ends(&preset, &mut |end| {
                points.insert(end.at(point, &preset));
            });
            for point in points.drain() {
                self.fill(Subject::Access, point);
            }
        }
    }

    fn ldcs(&mut self) {
        let preset = self.preset;
        for (mode, size) in LdcMode::ALL.iter().flat_map(|mode| AccessSize::ALL.iter().map(move |size| (*mode, *size)))
        {
            let point = Point::default().with([(Axis::Mode, mode.code()), (Axis::Size, size.code())]);
            ldc_ends(size, &preset, &mut |end| self.fill(Subject::Ldc, end.at(point, &preset)));
        }
    }
}

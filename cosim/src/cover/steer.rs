//! Programs that are aimed at cells of the cross tables: for each an operation with its codes, which the contracts let end so, on
//! addresses that make it end so.

use lsu_model::micro_op::{AccessSize, CacheOperator, Command, OpKind, Space};
use lsu_model::pins::{FaultCause, Request, Windows};
use lsu_model::preset::Preset;

use super::plan::{Bin, Plan};
use super::point::{Axis, BOTH, HIT, NO_LOOK, NON_COHERENT, Point, STORE};
use super::reach::{Codes, End, ldc_ends};
use super::tables::{Subject, TABLES};
use crate::generate::{BANK, CONSTANT_LINE, LARGEST, LINE, SECTOR, bank, bare, plain, with_data};
use crate::program::{CONSTANT_BANK, Latency, OFFSET_BITS, PARAM_BANK, Program, TagPolicy, Traffic, Wait};
use crate::random::Random;

/// Stream number of such a program.
const AIM_STREAM: u64 = 0x61_696d;

/// Cells that a program is aimed at.
const AIMS: usize = 40;

/// Of 100 programs, those in which memory fails; only there operations are aimed at that.
const FAILING_PERCENT: u8 = 30;
const ERROR_PERCENT: u8 = 40;

/// Codes that are drawn for a cell before it is given up for this time.
const DRAWS: usize = 400;

/// Of 100 codes that a cell leaves open, those that are not the default.
const UNUSUAL_PERCENT: u8 = 30;

/// Bytes from a local access to the next that is in another line, whatever the preset.
const LOCAL_STEP: u64 = 64;

/// Where global accesses begin.
const GROUND: u64 = 0x10_0000;

/// A constant bank of a few bytes, beyond whose end nothing is looked up.
pub(super) const SHORT_BANK: u8 = 4;
pub(super) const SHORTEST: u32 = 16;

/// The program number `case` of `seed`, aimed at some of `missing`.
pub(super) fn aimed(plan: &Plan, missing: &[usize], seed: u64, case: u64) -> Program {
    let mut random = Random::new(seed, AIM_STREAM ^ case);
    let fails = random.chance(FAILING_PERCENT);
    let is_failing = |(axis, value): &(Axis, u8)| *axis == Axis::Fault && *value == FaultCause::MemoryError.code();
    let cells = missing.iter().filter_map(|bin| match plan.bin(*bin) {
        Bin::Cell(table, values) => Some((TABLES[table].subject, values)),
        Bin::Answer(..) | Bin::Pair(..) | Bin::Place(..) => None,
    });
    let cells: Vec<_> = cells.filter(|(_, values)| values.iter().any(is_failing) == fails).collect();
    let mut program = Program {
        sms: 2,
        traffic: Traffic {
            seed: random.next_bits() >> 1,
            latency: Latency::Between { least: 1, most: 12 },
            stall: if random.chance(50) { 0 } else { 20 },
            gap: 0,
            error: if fails { ERROR_PERCENT } else { 0 },
            wrong_tag: 0,
            jam: 0,
            strangers: 0,
            tags: TagPolicy::Scattered,
        },
        ..Program::empty(plan.preset)
    };
    program.banks =
        vec![bank(BANK, LARGEST), bank(CONSTANT_BANK, LARGEST), bank(PARAM_BANK, LARGEST), bank(SHORT_BANK, SHORTEST)];
    let mut aim = Aim { preset: plan.preset, windows: program.windows(0), program, random, fresh: 0 };
    for _ in 0..if cells.is_empty() { 0 } else { AIMS } {
        let (subject, values) = &cells[aim.random.below(cells.len() as u64) as usize];
        aim.at(*subject, values);
    }
    aim.program
}

struct Aim {
    preset: Preset,
    windows: Windows,
    program: Program,
    random: Random,
    /// Lines from here on have not been accessed.
    fresh: u64,
}

impl Aim {
    /// Adds an operation that ends with these values, if one is found.
    fn at(&mut self, subject: Subject, values: &[(Axis, u8)]) {
        for _ in 0..DRAWS {
            let point = self.draw(values);
            let preset = self.preset;
            let mut ends = Vec::new();
            let mut end = |end: End| {
                let is_wanted = |(axis, value): &(Axis, u8)| end.at(point, &preset).get(*axis) == *value;
                if values.iter().all(is_wanted) {
                    ends.push(end);
                }
            };
            match subject {
                Subject::Access => Codes::of(&point).ends(&preset, &mut end),
                Subject::Ldc => ldc_ends(AccessSize::on_pin(point.get(Axis::Size)), &preset, &mut end),
                Subject::Command => end(End { lanes: 0, fault: 0, look: NO_LOOK, passes: 0 }),
            }
            if !ends.is_empty() {
                let end = ends[self.random.below(ends.len() as u64) as usize];
                match subject {
                    Subject::Access => self.access(&point, end),
                    Subject::Ldc => self.ldc(&point, end),
                    Subject::Command => self.push(bare(Command::on_pin(point.get(Axis::Command)))),
                }
                return;
            }
        }
    }

    /// These codes, and others at random, most of them the usual ones.
    fn draw(&mut self, values: &[(Axis, u8)]) -> Point {
        const DRAWN: [Axis; 7] =
            [Axis::Kind, Axis::Space, Axis::Size, Axis::Vector, Axis::Semantics, Axis::Scope, Axis::Operator];
        let mut point = Point::default().with([(Axis::Space, Space::Global.code()), (Axis::Width, 1), (Axis::Size, 2)]);
        for axis in DRAWN {
            if self.random.chance(UNUSUAL_PERCENT) {
                point.set(axis, self.random.below(axis.count() as u64) as u8);
            }
        }
        point.with(values.iter().copied())
    }

    /// The request of a load, store or LDC without lanes.
    fn request(point: &Point) -> Request {
        let value = |axis| point.get(axis);
        Request {
            op: if value(Axis::Kind) == STORE { OpKind::Store } else { OpKind::Load }.code(),
            nc: value(Axis::Kind) == NON_COHERENT,
            space: value(Axis::Space),
            size: value(Axis::Size),
            vec: value(Axis::Vector),
            sem: value(Axis::Semantics),
            scope: value(Axis::Scope),
            cop: value(Axis::Operator),
            l1_evict: value(Axis::L1Eviction),
            l2_evict: value(Axis::L2Eviction),
            prefetch: value(Axis::Prefetch),
            dst_width: value(Axis::Width),
            sign: value(Axis::Sign) == 1,
            mode: value(Axis::Mode),
            rd: 32,
            ..Request::default()
        }
    }

    fn access(&mut self, point: &Point, end: End) {
        let codes = Codes::of(point);
        let mut request = Self::request(point);
        (request.shared_base, request.shared_size) = (0, self.preset.shared_bytes as u32);
        request.mask = self.mask(end.lanes);
        let cause = FaultCause::from_code(end.fault);
        // All elements sunk, where lanes would otherwise be looked up.
        let is_sunk =
            end.look == NO_LOOK && cause.is_none() && !codes.is_illegal() && codes.is_load() && end.passes == 1;
        let region = self.region(codes, end);
        if is_sunk
            && (region == Region::Global && codes.is_looked_up_globally()
                || matches!(region, Region::Local | Region::Constant))
        {
            request.sink = u8::MAX;
        }
        let groups = if region == Region::Local { end.passes.div_ceil(codes.words()) } else { end.passes }.max(1);
        if region == Region::Local && !codes.is_load() && end.lanes > groups && end.lanes < self.preset.lanes as u32 {
            // Lanes at one offset may lie in several sectors, each of which is a pass of a store: no more lanes than there must be.
            request.mask = self.mask(groups.max(2));
        }
        self.place(&mut request, region, groups);
        match cause {
            Some(FaultCause::MisalignedRegister) => {
                request.rd = 1;
                request.dst_width = 2;
            }
            Some(FaultCause::IllegalInstruction) if !codes.is_illegal() => {
                if codes.is_load() {
                    request.addr.fill(self.windows.constant.base);
                } else {
                    request.nc = true;
                }
            }
            Some(FaultCause::MisalignedAddress) => request.addr.iter_mut().for_each(|address| *address |= 1),
            Some(FaultCause::AddressOutOfRange) => request.wide = request.mask,
            _ => {}
        }
        self.warm(request, end, groups);
        self.push(request);
    }

    fn ldc(&mut self, point: &Point, end: End) {
        let is_beyond = end.look == NO_LOOK && end.passes > 0;
        let bank = if is_beyond { SHORT_BANK } else { BANK };
        let mut request = Request { op: OpKind::Ldc.code(), bank, nc: false, space: 0, ..Self::request(point) };
        request.mask = self.mask(end.lanes);
        let groups = end.passes.max(1);
        self.place(&mut request, Region::Constant, groups);
        match FaultCause::from_code(end.fault) {
            Some(FaultCause::MisalignedRegister) => request.rd = 1,
            Some(FaultCause::MisalignedAddress) => request.addr.iter_mut().for_each(|address| *address |= 1),
            _ => {}
        }
        self.warm(request, end, groups);
        self.push(request);
    }

    /// So many lanes, the lowest ones or the highest ones.
    fn mask(&mut self, lanes: u32) -> u32 {
        let lowest = u32::MAX.checked_shr(32 - lanes).unwrap_or(0);
        if self.random.chance(50) { lowest } else { lowest << (self.preset.lanes as u32 - lanes) }
    }

    /// Where the lanes have to lie to end so.
    fn region(&self, codes: Codes, end: End) -> Region {
        let looks_up = end.look != NO_LOOK;
        match codes.space {
            Space::Global => Region::Global,
            Space::Shared => Region::Shared,
            Space::SharedCluster => Region::Remote,
            Space::Local | Space::ParamFunc => Region::Local,
            Space::Const | Space::ParamEntry => Region::Constant,
            // More passes than lanes are those of words.
            Space::Generic if codes.may_be_local() && end.passes > end.lanes.max(1) => Region::Local,
            Space::Generic if looks_up == codes.is_looked_up_globally() || !codes.may_be_local() => Region::Global,
            Space::Generic if looks_up => Region::Local,
            Space::Generic => Region::Shared,
        }
    }

    /// Gives the lanes addresses in fresh lines, so that a pass serves every so many-th of them.
    fn place(&mut self, request: &mut Request, region: Region, groups: u32) {
        let first = self.fresh;
        self.fresh += u64::from(groups);
        let is_store = request.op == OpKind::Store.code();
        let is_generic = request.space == Space::Generic.code();
        let row = 4 * self.preset.lanes as u64;
        let shared_bytes = self.preset.shared_bytes as u64;
        let lowest = request.mask.trailing_zeros().min(31);
        for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
            let number = u64::from((lane as u32).saturating_sub(lowest));
            let group = number % u64::from(groups);
            // Sectors of one line, where that makes one pass.
            let sector = if is_store { 0 } else { SECTOR * (number / u64::from(groups) % 4) };
            *address = match region {
                Region::Global if is_store => GROUND + LINE * first + SECTOR * group,
                Region::Global => GROUND + LINE * (first + group) + sector,
                Region::Remote if is_store => (1 << OFFSET_BITS) + SECTOR * group % shared_bytes,
                Region::Remote => (1 << OFFSET_BITS) + (LINE * group + sector) % shared_bytes,
                Region::Shared => row * group % shared_bytes + if is_generic { self.windows.shared.base } else { 0 },
                Region::Local => {
                    let offset = LOCAL_STEP * (first + group) % self.windows.local.size;
                    offset + if is_generic { self.windows.local.base } else { 0 }
                }
                Region::Constant => u64::from(CONSTANT_LINE) * (1 + (first + group) % 256),
            };
        }
    }

    /// What has to be in a cache before: all of it, or a part.
    fn warm(&mut self, request: Request, end: End, groups: u32) {
        // Not every operator keeps what it fetches.
        let mut warm = Request { l1_evict: 0, cop: CacheOperator::Default.code(), ..request };
        let lowest = request.mask.trailing_zeros();
        match end.look {
            HIT => {}
            // Every second pass, or half of the lanes.
            BOTH if end.lanes > 1 => {
                let is_warm =
                    |number: u32| if groups > 1 { number % groups * 2 < groups } else { number * 2 < end.lanes };
                warm.mask = (0..end.lanes)
                    .filter(|number| is_warm(*number))
                    .fold(0, |mask, number| mask | 1 << (lowest + number));
            }
            // The first word of the lane.
            BOTH => (warm.size, warm.vec) = (AccessSize::Bits32.code(), 0),
            _ => return,
        }
        self.push(warm);
    }

    /// Adds an operation, which waits for all before it.
    fn push(&mut self, request: Request) {
        let operation = plain(0, 0, Wait::All, request);
        let operation = with_data(&self.preset, operation, &mut self.random);
        self.program.ops.push(operation);
    }
}

/// Where lanes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Global,
    Shared,
    Remote,
    Local,
    Constant,
}

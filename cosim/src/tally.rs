//! What a run has exercised, counted at the ports: the `coverage` of `lsu check`.

mod cluster;
mod constant_load;
mod local;
mod pattern;
mod shared;

pub use cluster::ClusterCounts;
pub use constant_load::ConstantLoadCounts;
pub use local::LocalCounts;
pub use pattern::{AddressCounts, MomentCounts, PatternCount, PatternCounts};
pub use shared::SharedCounts;

use lsu_model::golden::{Comparator, Golden, NearMisses};
use lsu_model::micro_op::{
    AccessSize, CacheOperator, Command, L1Eviction, L2Eviction, LdcMode, OpKind, Prefetch, Scope, Semantics, Space,
};
use lsu_model::pins::{Bundle, FaultCause, Pin, Request, Status, Value, Width};
use lsu_model::preset::Preset;
use serde::{Serialize, Serializer};

use crate::engine::Engine;
use crate::lockstep::{CycleView, Observer};
use crate::program::{Program, constant_bank};
use crate::stimulus::{L2Counts, Memory, Network};

use cluster::ClusterUnit;
use local::LocalUnit;
use shared::SharedUnit;

/// Counts over one or more runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// LDC by address mode: IA, IL, IS, ISL.
    pub ldc_modes: [u64; LdcMode::CODE_COUNT],
    /// LDC by size code: 8, 16, 32, 64, 128 bits, then those that are no size.
    pub ldc_sizes: [u64; AccessSize::CODE_COUNT],
    /// LDC without a register operand.
    pub ldc_without_register: u64,
    /// LDC with no active lane.
    pub ldc_without_lanes: u64,
    /// LDC in compute mode.
    pub ldc_compute: u64,
    /// Commands: invalidate L1, read-only cache, constant cache, write back local.
    pub commands: [u64; Command::CODE_COUNT],
    /// Fault records by cause: misaligned_register, illegal_instruction, misaligned_address, address_out_of_range,
    /// memory_error.
    pub faults: [u64; FaultCause::COUNT],
    /// Loads of constant memory and of kernel parameters.
    pub constant_loads: ConstantLoadCounts,
    /// All other loads.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// Loads and stores on generic addresses.
    pub generic: u64,
    /// Non-coherent loads.
    pub non_coherent: u64,
    /// Loads and stores by size code.
    pub access_sizes: [u64; AccessSize::CODE_COUNT],
    /// Loads and stores by element count: 1, 2, 4, 8.
    pub access_vectors: [u64; 4],
    /// Loads and stores by semantics: weak, relaxed, acquire, release, volatile, mmio, mmio.acquire, mmio.release.
    pub access_semantics: [u64; Semantics::CODE_COUNT],
    /// Loads and stores by scope, weak ones left out: cta, cluster, gpu, sys.
    pub access_scopes: [u64; Scope::CODE_COUNT],
    /// Loads and stores by operator: none, ca, cg, cs, lu, cv, wb, wt.
    pub access_operators: [u64; CacheOperator::CODE_COUNT],
    /// Loads and stores by L1 eviction priority: normal, unchanged, first, last, no_allocate, then those that are none.
    pub access_l1_evictions: [u64; L1Eviction::CODE_COUNT],
    /// Loads and stores by L2 eviction priority: normal, first, last, then the one that is none.
    pub access_l2_evictions: [u64; L2Eviction::CODE_COUNT],
    /// Loads and stores by prefetch size: none, 64, 128, 256 bytes.
    pub access_prefetches: [u64; Prefetch::CODE_COUNT],
    /// Loads and stores with a cache policy.
    pub access_policies: u64,
    /// Loads with a sink.
    pub access_sinks: u64,
    /// Loads and stores with no active lane.
    pub access_without_lanes: u64,
    /// Loads and stores of shared memory.
    pub shared: SharedCounts,
    /// Loads and stores of the cluster's shared memory.
    pub cluster: ClusterCounts,
    /// Loads and stores of local memory.
    pub local: LocalCounts,
    /// Beats of store data taken.
    pub write_beats: u64,
    /// Those of them whose tag was wrong, by the bit.
    pub wrong_tag_bits: [u64; 8],
    /// The counters of the status pins, over all units.
    #[serde(flatten)]
    pub status: StatusCounts,
    /// What the second-level cache saw.
    pub l2: L2Counts,
    /// Resets in the middle of traffic, of each unit.
    pub resets: u64,
    /// Registers written.
    pub writebacks: u64,
    /// Cycles in which a result was not taken.
    pub stalled_cycles: u64,
    /// Cases by the patterns that they are named after.
    pub patterns: PatternCounts,
    /// Loads and stores by how their lanes' addresses lie to each other.
    pub addresses: AddressCounts,
    /// Commands by what went on when they were accepted.
    pub moments: MomentCounts,
    /// How full the golden model was, where it took part.
    pub places: PlaceCounts,
    /// By comparator and bit: how often the golden model compared two values between which that bit alone decides. Its
    /// names say what is compared.
    #[serde(serialize_with = "by_name")]
    pub near_misses: NearMisses,
    /// Operations accepted while another one was in flight whose tag differs in this bit alone.
    pub near_tags: [u64; 8],
    /// Operations whose tag had been given back at most as many cycles before: in the cycle before, 3, 15, 63.
    pub tags_reused_within: [u64; 4],
}

/// Sums of the counters on the status pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts([u64; Status::PINS.len()]);

impl StatusCounts {
    /// The sum of the counter `status_` and `field`; `None` where there is none.
    pub fn of(&self, field: &str) -> Option<u64> {
        self.all().find(|(pin, _)| pin.field() == field).map(|(_, sum)| sum)
    }

    /// The counters, without the flags beside them.
    fn all(&self) -> impl Iterator<Item = (&'static Pin, u64)> {
        let sums = Status::PINS.iter().zip(self.0);
        sums.filter(|(pin, _)| pin.width == Width::Bits(32))
    }

    fn add(&mut self, other: &Self) {
        add_each(&mut self.0, &other.0);
    }

    /// Adds what stands on the pins.
    fn count(&mut self, status: &Status) {
        let mut sums = self.0.iter_mut();
        status.each(|value: Value<'_>| {
            if let (Some(sum), Value::Word(value)) = (sums.next(), value) {
                *sum += u64::from(value);
            }
        });
    }
}

impl Serialize for StatusCounts {
    /// By the name of the pin; those of LDC that were there first have kept theirs.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all().map(|(pin, sum)| match pin.field() {
            "ldc_hits" => ("hits", sum),
            "ldc_misses" => ("misses", sum),
            field => (field, sum),
        }))
    }
}

/// Places of the unit in use at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlaceCounts {
    /// The most places of the constant cache that held something in one cycle.
    pub constant_most: u64,
    /// Cycles in which all of them did.
    pub constant_full: u64,
    /// The most places of the global path that held something in one cycle.
    pub global_most: u64,
    /// Cycles in which all of them did.
    pub global_full: u64,
    /// Cycles in which all places of the unit did.
    pub all_full: u64,
}

impl PlaceCounts {
    fn add(&mut self, other: &PlaceCounts) {
        self.constant_most = self.constant_most.max(other.constant_most);
        self.constant_full += other.constant_full;
        self.global_most = self.global_most.max(other.global_most);
        self.global_full += other.global_full;
        self.all_full += other.all_full;
    }

    fn count(&mut self, golden: &Golden) {
        let (used, room) = (golden.occupancy(), golden.capacity());
        self.constant_most = self.constant_most.max(used.constant.into());
        self.global_most = self.global_most.max(used.global.into());
        self.constant_full += u64::from(used.constant == room.constant);
        self.global_full += u64::from(used.global == room.global);
        self.all_full += u64::from(used == room);
    }
}

/// One list of counts for each comparator, bit 0 first.
fn by_name<S: Serializer>(near: &NearMisses, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Comparator::ALL.map(|comparator| (comparator.name(), near.of(comparator))))
}

fn add_each<const N: usize>(sum: &mut [u64; N], other: &[u64; N]) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum += other;
    }
}

/// Counts `code` among those that a pin can carry.
fn count<const CODES: usize>(counts: &mut [u64; CODES], code: u8) {
    counts[usize::from(code) % CODES] += 1;
}

/// Cycles for `tags_reused_within`.
const REUSE_CYCLES: [u64; 4] = [1, 3, 15, 63];

impl Tally {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Tally) {
        add_each(&mut self.ldc_modes, &other.ldc_modes);
        add_each(&mut self.ldc_sizes, &other.ldc_sizes);
        add_each(&mut self.commands, &other.commands);
        add_each(&mut self.faults, &other.faults);
        add_each(&mut self.access_sizes, &other.access_sizes);
        add_each(&mut self.access_vectors, &other.access_vectors);
        add_each(&mut self.access_semantics, &other.access_semantics);
        add_each(&mut self.access_scopes, &other.access_scopes);
        add_each(&mut self.access_operators, &other.access_operators);
        add_each(&mut self.access_l1_evictions, &other.access_l1_evictions);
        add_each(&mut self.access_l2_evictions, &other.access_l2_evictions);
        add_each(&mut self.access_prefetches, &other.access_prefetches);
        add_each(&mut self.wrong_tag_bits, &other.wrong_tag_bits);
        self.ldc_without_register += other.ldc_without_register;
        self.ldc_without_lanes += other.ldc_without_lanes;
        self.ldc_compute += other.ldc_compute;
        self.constant_loads.add(&other.constant_loads);
        self.loads += other.loads;
        self.stores += other.stores;
        self.generic += other.generic;
        self.non_coherent += other.non_coherent;
        self.access_policies += other.access_policies;
        self.access_sinks += other.access_sinks;
        self.access_without_lanes += other.access_without_lanes;
        self.shared.add(&other.shared);
        self.cluster.add(&other.cluster);
        self.local.add(&other.local);
        self.write_beats += other.write_beats;
        self.status.add(&other.status);
        self.l2.add(&other.l2);
        self.resets += other.resets;
        self.writebacks += other.writebacks;
        self.stalled_cycles += other.stalled_cycles;
        self.patterns.add(&other.patterns);
        self.addresses.add(&other.addresses);
        self.moments.add(&other.moments);
        self.places.add(&other.places);
        self.near_misses.add(&other.near_misses);
        add_each(&mut self.near_tags, &other.near_tags);
        add_each(&mut self.tags_reused_within, &other.tags_reused_within);
    }
}

/// An operation in flight.
#[derive(Clone, Copy, Debug)]
struct Flying {
    kind: u8,
    command: u8,
}

/// What is remembered of one unit.
#[derive(Clone, Debug)]
struct UnitTally {
    /// The counters in the last cycle seen; they begin at 0.
    status: Status,
    /// What is in flight, by tag.
    in_flight: [Option<Flying>; 256],
    /// How many operations of each kind.
    kinds: [u64; OpKind::CODE_COUNT],
    /// The cycle in which each tag was given back last; in the beginning long ago.
    given_back: [Option<u64>; 256],
}

impl UnitTally {
    fn new() -> Self {
        Self {
            status: Status::default(),
            in_flight: [None; 256],
            kinds: [0; OpKind::CODE_COUNT],
            given_back: [None; 256],
        }
    }

    /// The tags of this cycle's transfers.
    fn follow_tags(&mut self, view: &CycleView<'_>, tally: &mut Tally) {
        let (inputs, outputs) = (view.inputs, view.outputs);
        if view.finished.accepted.is_some() {
            let tag = usize::from(inputs.req.tag);
            for (bit, count) in tally.near_tags.iter_mut().enumerate() {
                *count += u64::from(self.in_flight[tag ^ 1 << bit].is_some());
            }
            if let Some(cycle) = self.given_back[tag] {
                for (count, most) in tally.tags_reused_within.iter_mut().zip(REUSE_CYCLES) {
                    *count += u64::from(view.cycle - cycle <= most);
                }
            }
            let request = &inputs.req;
            self.in_flight[tag] = Some(Flying { kind: request.op, command: request.cmd });
            count(&mut self.kinds, request.op);
        }
        let tags = [outputs.fault.tag, outputs.wb.tag, outputs.done.tag];
        for (tag, _) in tags.into_iter().zip(view.finished.completed).filter(|(_, completed)| completed.is_some()) {
            if let Some(Flying { kind, .. }) = self.in_flight[usize::from(tag)].take() {
                self.kinds[usize::from(kind) % OpKind::CODE_COUNT] -= 1;
            }
            self.given_back[usize::from(tag)] = Some(view.cycle);
        }
    }
}

/// Counts one run.
#[derive(Clone, Debug)]
pub struct TallyKeeper {
    preset: Preset,
    tally: Tally,
    /// The names of the program that runs.
    patterns: PatternCounts,
    /// Operations accepted, and cycles of all units.
    ops: u64,
    cycles: u64,
    units: Vec<UnitTally>,
    /// The shared memory of each unit.
    shared: Vec<SharedUnit>,
    /// What each unit and others access of its shared memory.
    cluster: Vec<ClusterUnit>,
    /// The local memory of each unit.
    local: Vec<LocalUnit>,
}

impl TallyKeeper {
    /// Of a run of `program`, which the generator drew as `pattern`.
    pub fn new(pattern: &'static str, program: &Program) -> Self {
        Self {
            preset: program.preset,
            tally: Tally::default(),
            patterns: PatternCounts::of(pattern, program),
            cycles: 0,
            ops: 0,
            units: Vec::new(),
            shared: Vec::new(),
            cluster: Vec::new(),
            local: Vec::new(),
        }
    }

    /// What has been counted.
    pub fn tally(&self) -> Tally {
        let mut tally = self.tally.clone();
        for UnitTally { status, .. } in &self.units {
            tally.status.count(status);
        }
        let counter = |field| tally.status.of(field).unwrap_or_default();
        tally.patterns = self.patterns.filled(PatternCount {
            cases: 1,
            ops: self.ops,
            cycles: self.cycles,
            stall_order: counter("stall_order"),
            stall_misses: counter("stall_misses"),
            stall_data: counter("stall_data"),
            stall_memory: counter("stall_memory"),
            all_full: tally.places.all_full,
        });
        tally
    }
}

/// Counts a load or store by what it asks for.
fn count_access(tally: &mut Tally, request: &Request) {
    let is_ordered = Semantics::on_pin(request.sem) != Semantics::Weak;
    tally.generic += u64::from(Space::on_pin(request.space) == Space::Generic);
    tally.non_coherent += u64::from(request.nc);
    count(&mut tally.access_sizes, request.size);
    count(&mut tally.access_vectors, request.vec);
    count(&mut tally.access_semantics, request.sem);
    if is_ordered {
        count(&mut tally.access_scopes, request.scope);
    }
    count(&mut tally.access_operators, request.cop);
    count(&mut tally.access_l1_evictions, request.l1_evict);
    count(&mut tally.access_l2_evictions, request.l2_evict);
    count(&mut tally.access_prefetches, request.prefetch);
    tally.access_policies += u64::from(request.policy_en);
    tally.access_sinks += u64::from(request.sink != 0);
    tally.access_without_lanes += u64::from(request.mask == 0);
}

impl Observer for TallyKeeper {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let tally = &mut self.tally;
        let (inputs, outputs) = (view.inputs, view.outputs);
        let unit = view.sm as usize;
        self.cycles += 1;
        if unit >= self.units.len() {
            self.units.resize_with(unit + 1, UnitTally::new);
            self.shared.resize_with(unit + 1, || SharedUnit::new(&self.preset));
            self.cluster.resize_with(unit + 1, || ClusterUnit::new(&self.preset));
            self.local.resize_with(unit + 1, || LocalUnit::new(&self.preset));
        }
        if view.finished.accepted.is_some() {
            self.ops += 1;
            let request = &inputs.req;
            self.shared[unit].count(request, &inputs.windows, &mut tally.shared);
            self.cluster[unit].count(request, &inputs.windows, &mut tally.cluster);
            self.local[unit].count(request, &inputs.windows, &mut tally.local);
            match OpKind::on_pin(request.op) {
                OpKind::Load if constant_bank(request).is_some() => tally.constant_loads.count(request, &self.preset),
                OpKind::Load => {
                    tally.loads += 1;
                    tally.addresses.count(&self.preset, request);
                    count_access(tally, request);
                }
                OpKind::Store => {
                    tally.stores += 1;
                    tally.addresses.count(&self.preset, request);
                    count_access(tally, request);
                }
                OpKind::Ldc => {
                    count(&mut tally.ldc_modes, request.mode);
                    count(&mut tally.ldc_sizes, request.size);
                    tally.ldc_without_register += u64::from(request.ra_is_rz);
                    tally.ldc_without_lanes += u64::from(request.mask == 0);
                    tally.ldc_compute += u64::from(inputs.compute);
                }
                OpKind::Command => {
                    count(&mut tally.commands, request.cmd);
                    tally.moments.count(view, &self.units[unit].kinds);
                }
            }
        }
        self.cluster[unit].transfers(inputs, outputs, &mut tally.cluster);
        tally.write_beats += u64::from(inputs.wdata_valid && outputs.wdata_ready);
        let wrong = view.finished.wrong_tag_bits;
        if wrong != 0 {
            tally.wrong_tag_bits[wrong.trailing_zeros() as usize] += 1;
        }
        if view.finished.fault.is_some()
            && let Some(cause) = FaultCause::ALL.iter().position(|cause| cause.code() == outputs.fault.cause)
        {
            tally.faults[cause] += 1;
        }
        tally.writebacks += u64::from(view.finished.writeback.is_some());
        tally.stalled_cycles += u64::from(outputs.wb_valid && !inputs.wb_ready);
        if let Some(golden) = view.engine.golden() {
            tally.places.count(golden);
        }
        self.units[unit].status = outputs.status;
        self.units[unit].follow_tags(view, tally);
        if inputs.reset {
            let cut = self.units[unit].in_flight.iter().flatten();
            for Flying { command, .. } in cut.filter(|flying| OpKind::on_pin(flying.kind) == OpKind::Command) {
                count(&mut tally.moments.cut_by_reset, *command);
            }
            tally.resets += 1;
            tally.status.count(&outputs.status);
            self.units[unit] = UnitTally::new();
        }
    }

    fn unit_end(&mut self, _sm: u32, engine: &dyn Engine) {
        if let Some(golden) = engine.golden() {
            self.tally.near_misses.add(golden.near_misses());
        }
    }

    fn end(&mut self, memory: &Memory, _network: &Network) {
        self.tally.l2 = memory.l2().counts();
    }
}

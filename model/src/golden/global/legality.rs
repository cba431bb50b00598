//! Legality: the fault of an operation, decided before it makes any pass.

use super::super::constant::BankTable;
use super::super::lanes::{bits, lanes_where};
use super::super::near::{Comparator, NearMisses};
use super::super::registers;
use super::cluster;
use super::local;
use super::shape::{Shape, total_log2};
use super::shared::{self, SharedLanes};
use super::window::{self, WindowedLanes};
use super::window_lanes::WindowLanes;
use crate::micro_op::{CacheOperator, Semantics, Space};
use crate::pins::{FaultCause, Inputs, MAX_LANES, Request, Windows};
use crate::preset::Preset;

/// log2 of the largest access in bytes.
const LARGEST_TOTAL_LOG2: u32 = 5;

/// What is known of an operation's lanes, at least one of which is active.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    pub active: u32,
    /// Active lanes whose address is none.
    pub out_of_range: u32,
    pub shared: SharedLanes,
    pub local: WindowLanes,
    pub remote: WindowLanes,
    pub windowed: WindowedLanes,
}

impl Lanes {
    /// `sums` are the exact sums of the operand's low bits and the immediate (negative ones in two's complement).
    pub(super) fn of(
        inputs: &Inputs,
        sums: &[u64; MAX_LANES],
        active: u32,
        table: &BankTable,
        preset: &Preset,
    ) -> Self {
        let Inputs { req: request, windows, .. } = inputs;
        let out_of_range = (request.wide | lanes_where(sums, |sum| sum & !preset.address_mask() != 0)) & active;
        let in_range = active & !out_of_range;
        let shared = SharedLanes::of(request, sums, in_range, windows, preset);
        let remote = cluster::remote_lanes(request, sums, in_range & !shared.window.lanes, shared.window.limit);
        let local = local::local_lanes(request, sums, in_range & !shared.window.lanes, &windows.local, preset);
        let elsewhere = in_range & !(shared.window.lanes | local.lanes);
        let windowed = WindowedLanes::of(inputs, sums, elsewhere, table, preset);
        Self { active, out_of_range, shared, local, remote, windowed }
    }
}

/// Rule FAULT: cause and lanes of the fault, if any: the first check that applies decides.
pub(super) fn fault(
    request: &Request,
    shape: &Shape,
    sums: &[u64; MAX_LANES],
    lanes: &Lanes,
) -> Option<(FaultCause, u32)> {
    let Lanes { active, out_of_range, shared, local, remote, windowed } = *lanes;
    if shape.is_load() && registers::are_bad(request.rd, shape.registers) {
        return Some((FaultCause::MisalignedRegister, active));
    }
    let Some(total_log2) = total_log2(request).filter(|_| !is_illegal(request, shape)) else {
        return Some((FaultCause::IllegalInstruction, active));
    };
    if Space::on_pin(request.space) == Space::Generic {
        let in_own = if is_only_global(request, shape) { shared.window.lanes | local.lanes } else { 0 };
        let in_banks = if reads_windows(request, shape) { 0 } else { windowed.lanes };
        let refused = in_own | in_banks;
        if refused != 0 {
            return Some((FaultCause::IllegalInstruction, refused));
        }
    }
    let low_bits = (1 << total_log2) - 1;
    let misaligned = lanes_where(sums, |sum| sum & low_bits != 0) & active;
    if misaligned != 0 {
        return Some((FaultCause::MisalignedAddress, misaligned));
    }
    let outside = out_of_range | shared.window.beyond | local.beyond | remote.beyond | windowed.beyond;
    (outside != 0).then_some((FaultCause::AddressOutOfRange, outside))
}

/// Whether no lane of the operation can be a shared, a local or a windowed one, because of what it asks for beside its addresses.
fn is_only_global(request: &Request, shape: &Shape) -> bool {
    shape.nc || shape.mmio || total_log2(request) == Some(LARGEST_TOTAL_LOG2)
}

/// Whether windowed lanes of the operation read constant banks: nobody may write these.
pub(super) fn reads_windows(request: &Request, shape: &Shape) -> bool {
    shape.is_load() && !is_only_global(request, shape)
}

/// Takes note of the lanes of an access to the cluster that are nearly, or nearly not, the own CTA's.
pub(super) fn near_ranks(
    request: &Request,
    sums: &[u64; MAX_LANES],
    lanes: &Lanes,
    windows: &Windows,
    near: &mut NearMisses,
) {
    if Space::on_pin(request.space) != Space::SharedCluster {
        return;
    }
    for lane in bits(lanes.active & !lanes.out_of_range) {
        let rank = cluster::rank_of(sums[usize::from(lane)]);
        near.equality(Comparator::ClusterRanks, rank.into(), windows.rank.into());
    }
}

/// Takes note of the lanes of a generic access that are nearly on the other side of a window's end.
pub(super) fn near_windows(
    request: &Request,
    sums: &[u64; MAX_LANES],
    active: u32,
    windows: &Windows,
    preset: &Preset,
    near: &mut NearMisses,
) {
    if Space::on_pin(request.space) != Space::Generic {
        return;
    }
    let Windows { shared, local, constant, param, .. } = windows;
    let compared = [
        (Comparator::SharedWindow, &shared::generic_window(shared)),
        (Comparator::LocalWindow, &local::generic_window(local, preset)),
        (Comparator::ConstantWindow, &window::generic_window(constant)),
        (Comparator::ParamWindow, &window::generic_window(param)),
    ];
    let mask = preset.address_mask();
    for lane in bits(active & !request.wide) {
        let sum = sums[usize::from(lane)];
        if sum & !mask == 0 {
            for (comparator, window) in compared {
                near.order(comparator, sum.wrapping_sub(window.base) & mask, window.size & mask);
            }
        }
    }
}

/// The accesses for which something is legal.
#[derive(Clone, Copy)]
struct Legal {
    load: bool,
    non_coherent_load: bool,
    store: bool,
}

const FOR_ALL: Legal = Legal { load: true, non_coherent_load: true, store: true };
const FOR_NONE: Legal = Legal { load: false, non_coherent_load: false, store: false };
const FOR_LOADS: Legal = Legal { store: false, ..FOR_ALL };
const FOR_COHERENT_LOADS: Legal = Legal { load: true, ..FOR_NONE };
const FOR_COHERENT: Legal = Legal { store: true, ..FOR_COHERENT_LOADS };
const FOR_STORES: Legal = Legal { store: true, ..FOR_NONE };

fn operator(operator: CacheOperator) -> Legal {
    match operator {
        CacheOperator::Default | CacheOperator::Cg | CacheOperator::Cs => FOR_ALL,
        CacheOperator::Ca => FOR_LOADS,
        CacheOperator::Lu | CacheOperator::Cv => FOR_COHERENT_LOADS,
        CacheOperator::Wb | CacheOperator::Wt => FOR_STORES,
    }
}

fn semantics(semantics: Semantics) -> Legal {
    match semantics {
        Semantics::Weak => FOR_ALL,
        Semantics::Relaxed | Semantics::Volatile | Semantics::Mmio => FOR_COHERENT,
        Semantics::Acquire | Semantics::MmioAcquire => FOR_COHERENT_LOADS,
        Semantics::Release | Semantics::MmioRelease => FOR_STORES,
    }
}

fn space(space: Space) -> Legal {
    match space {
        Space::Generic | Space::Global => FOR_ALL,
        Space::Shared | Space::SharedCluster | Space::Local | Space::ParamFunc => FOR_COHERENT,
        Space::Const | Space::ParamEntry => FOR_NONE,
    }
}

/// What makes an operation illegal whatever its addresses are.
fn is_illegal(request: &Request, shape: &Shape) -> bool {
    let demands = [
        operator(CacheOperator::on_pin(request.cop)),
        semantics(Semantics::on_pin(request.sem)),
        space(Space::on_pin(request.space)),
    ];
    let is_legal = demands.into_iter().all(|legal| match (shape.is_load(), request.nc) {
        (true, false) => legal.load,
        (true, true) => legal.non_coherent_load,
        (false, false) => legal.store,
        (false, true) => false,
    });
    let has_own_memory = match Space::on_pin(request.space) {
        Space::Shared | Space::SharedCluster | Space::Local | Space::ParamFunc => true,
        Space::Generic | Space::Global | Space::Const | Space::ParamEntry => false,
    };
    let is_misplaced = has_own_memory && is_only_global(request, shape);
    !is_legal
        || is_misplaced
        || total_log2(request).is_none_or(|total| total > LARGEST_TOTAL_LOG2)
        || (shape.mmio && request.vec != 0)
}

//! What a case is like and what each of its operations is like, before any address is chosen.

use lsu_model::micro_op::LdcMode;
use lsu_model::pins::RZ;
use lsu_model::preset::Preset;
use proptest::prelude::*;

use super::WARPS;
use crate::program::{Latency, TagPolicy, Traffic};
use crate::random::Random;

/// What a case is like.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub traffic: Traffic,
    /// How many of 100 operations are loads, stores and commands of the global path.
    pub global_percent: u8,
    /// How many of 100 loads and stores are those of shared memory.
    pub shared_percent: u8,
    /// How many of 100 others are those of local memory.
    pub local_percent: u8,
    pub temper: Temper,
    /// Units on one memory side, 1 to 3.
    pub sms: u32,
    /// The generic windows lie somewhere else and have other sizes.
    pub has_own_windows: bool,
    pub compute: bool,
    pub is_stressed: bool,
    pub length: usize,
}

/// How much the accesses of a case wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Temper {
    /// Loads, and few stores: most are weak.
    Calm,
    /// As a program that communicates now and then.
    Mixed,
    /// Stores, strong accesses, acquire and release all the time.
    Ordered,
}

/// What an operation is like.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub kind: Kind,
    pub warp: u32,
    pub wait: u8,
    pub mask: Mask,
    pub lanes: Lanes,
    pub seed: u64,
}

/// What an operation is if it is none of the global path.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Ldc {
        size: u8,
        mode: LdcMode,
        register: u8,
        has_register: bool,
    },
    /// Bits on pins that LDC does not look at, or the 128-bit size.
    Odd,
    /// A constant load.
    Load,
    Command(u8),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Mask {
    Full,
    Random,
    One,
    Empty,
}

/// How the lanes' addresses lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lanes {
    Uniform,
    Consecutive,
    Strided,
    FewLines,
    Scattered,
    /// Some around the ends of what there is.
    Edges,
    /// Two addresses that differ in one bit.
    Twins,
    /// Addresses on either side of a window's or a bank's end, where one bit decides.
    Ends,
    /// One bit too many: carries out of the sum, addresses and banks beyond what there is.
    Carries,
}

impl Mask {
    pub(super) fn lanes(self, preset: &Preset, random: &mut Random) -> u32 {
        let all = preset.lane_mask();
        match self {
            Self::Full => all,
            Self::Random => random.next_bits() as u32 & all,
            Self::One => 1 << random.below(preset.lanes as u64),
            Self::Empty => 0,
        }
    }
}

/// What waits for memory keeps others waiting: the longer the latency, the fewer such cases.
fn latency(temper: Temper) -> impl Strategy<Value = Latency> {
    let range = |least: u32, spread: u32| {
        (1..least, 0..spread).prop_map(|(least, spread)| Latency::Between { least, most: least + spread })
    };
    let (ideal, short) = match temper {
        Temper::Calm => (3, 6),
        Temper::Mixed => (3, 9),
        Temper::Ordered => (1, 12),
    };
    prop_oneof![
        ideal => Just(Latency::Ideal),
        short => range(6, 16),
        1 => range(40, 120),
    ]
}

fn traffic(temper: Temper) -> impl Strategy<Value = Traffic> {
    let stall = prop_oneof![4 => Just(0_u8), 3 => 1_u8..30, 1 => 30_u8..85];
    let gap = prop_oneof![5 => Just(0_u8), 2 => 1_u8..90];
    let error = prop_oneof![5 => Just(0_u8), 2 => 1_u8..40];
    let wrong_tag = prop_oneof![9 => Just(0_u8), 1 => 1_u8..30];
    (any::<u64>(), latency(temper), stall, gap, error, wrong_tag).prop_map(
        |(seed, latency, stall, gap, error, wrong_tag)| Traffic {
            seed: seed >> 1,
            latency,
            stall,
            gap,
            error,
            wrong_tag,
            jam: 0,
            strangers: 0,
            tags: TagPolicy::Scattered,
        },
    )
}

fn kind(is_stressed: bool) -> impl Strategy<Value = Kind> {
    let size = prop_oneof![12 => 0_u8..6, 1 => 6_u8..8];
    let mode = prop::sample::select(LdcMode::ALL);
    // Odd registers and those near the end are what LDC-10 is about.
    let register = prop_oneof![
        16 => (0_u8..120).prop_map(|pair| 2 * pair),
        2 => 0_u8..255,
        2 => Just(254),
        2 => Just(RZ),
        1 => (0_u32..8).prop_map(|bit| 254 ^ 1 << bit),
        1 => (0_u32..8).prop_map(|bit| RZ ^ 1 << bit),
    ];
    let ldc = (size, mode, register, prop::bool::weighted(0.85))
        .prop_map(|(size, mode, register, has_register)| Kind::Ldc { size, mode, register, has_register });
    let (odd, command) = if is_stressed { (3, 1) } else { (9, 3) };
    prop_oneof![
        100 => ldc,
        60 => Just(Kind::Load),
        odd => Just(Kind::Odd),
        command => prop_oneof![3 => Just(2_u8), 1 => 0_u8..4].prop_map(Kind::Command),
    ]
}

/// An operation of a case that is stressed, or is not.
pub(super) fn draft(is_stressed: bool) -> impl Strategy<Value = Draft> {
    let wait = prop_oneof![40 => Just(0_u8), u32::from(!is_stressed) * 3 + 1 => Just(1), 1 => Just(2)];
    let mask = prop_oneof![
        8 => Just(Mask::Full),
        3 => Just(Mask::Random),
        1 => Just(Mask::One),
        1 => Just(Mask::Empty)
    ];
    let uniform = if is_stressed { 30 } else { 6 };
    let lanes = prop_oneof![
        uniform => Just(Lanes::Uniform),
        6 => Just(Lanes::Consecutive),
        4 => Just(Lanes::Strided),
        4 => Just(Lanes::FewLines),
        2 => Just(Lanes::Scattered),
        1 => Just(Lanes::Edges),
        5 => Just(Lanes::Twins),
        2 => Just(Lanes::Ends),
        2 => Just(Lanes::Carries),
    ];
    (kind(is_stressed), 0_u32..WARPS.len() as u32, wait, mask, lanes, any::<u64>())
        .prop_map(|(kind, warp, wait, mask, lanes, seed)| Draft { kind, warp, wait, mask, lanes, seed })
}

/// A case.
pub(super) fn shape() -> impl Strategy<Value = Shape> {
    let temper = prop_oneof![6 => Just(Temper::Calm), 2 => Just(Temper::Mixed), 1 => Just(Temper::Ordered)];
    (temper, prop::bool::weighted(0.4)).prop_flat_map(|(temper, is_stressed)| {
        let length = prop_oneof![1 => 1_usize..30, 3 => 30_usize..290];
        let global_percent = prop_oneof![2 => Just(0_u8), 4 => 40_u8..90, 5 => Just(100)];
        let shared_percent = prop_oneof![3 => Just(0_u8), 4 => 10_u8..60, 2 => 60_u8..=100];
        let local_percent = prop_oneof![6 => Just(0_u8), 3 => 10_u8..60, 1 => 60_u8..=90];
        let sms = prop_oneof![14 => Just(1_u32), 1 => Just(2), 1 => Just(3)];
        let paths = (global_percent, shared_percent, local_percent);
        (traffic(temper), paths, sms, prop::bool::weighted(0.5), any::<bool>(), length).prop_map(
            move |(traffic, (global_percent, shared_percent, local_percent), sms, has_own_windows, compute, length)| {
                Shape {
                    traffic,
                    global_percent,
                    shared_percent,
                    local_percent,
                    temper,
                    sms,
                    has_own_windows,
                    compute,
                    is_stressed,
                    length,
                }
            },
        )
    })
}

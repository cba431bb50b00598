//! Random programs: case number i of seed S, which depends on nothing else.
//!
//! A case keeps to the constant cache, or mixes loads and stores of the global path in, or consists of them.
//!
//! proptest's strategies choose what a case is like and what each operation is like; the lanes' addresses then follow from
//! a seed that the strategy draws, because 32 separate draws an operation would cost more than running it.

mod access;
#[cfg(test)]
mod tests;

use lsu_model::micro_op::LdcMode;
use lsu_model::pins::{Request, Window, Windows};
use lsu_model::preset::Preset;
use lsu_model::sass::{Bank as SassBank, Guard, Ldc, RZ};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::program::{
    Bank, Beat, Contents, Latency, Operation, Program, ProgramOperation, Traffic, Wait, request_of, store_beats,
};
use crate::random::{Random, mix};

use access::{Ground, access};

/// Banks that the rules single out: the ends of both modes, of ISL and of the field.
const EDGE_BANKS: [u8; 10] = [0, 3, 7, 8, 13, 14, 17, 18, 24, 31];

/// Sizes of banks: the least, odd ends inside a line, and the largest.
const BANK_SIZES: [u32; 8] = [16, 48, 64, 0x90, 0x400, 0x1000, 0xfff0, 0x1_0000];

/// How many of 100 operations of the global path are commands.
const COMMAND_PERCENT: u8 = 3;

/// Stream number of a program's choice of window.
const NEAR_WINDOW_STREAM: u64 = 0x7769_6e64_6f77;

/// Stream number of the choice whether stores can change a constant bank.
const SHARED_BANK_STREAM: u64 = 0x7368_6172_6564;

/// How many of 100 programs with loads and stores have a constant bank on the lines that these use.
const SHARED_BANK_PERCENT: u8 = 15;

/// The beginning of a bank to which most operations keep.
const HOT_BYTES: u64 = 0x180;

/// Parts of the unit that programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// The constant cache only.
    Constant,
    /// The constant cache and the global path, on one unit or several.
    All,
}

/// The paths that the cases of `check` use.
const CHECKED_PATHS: Paths = Paths::All;

/// What a case is like.
#[derive(Clone, Debug)]
struct Shape {
    traffic: Traffic,
    /// How many of 100 operations are loads, stores and commands of the global path.
    global_percent: u8,
    sms: u32,
    /// One of the generic windows begins amid the lines in use.
    has_near_window: bool,
    compute: bool,
    banks: Vec<(u8, u32)>,
    is_stressed: bool,
    length: usize,
}

/// What an operation is like.
#[derive(Clone, Debug)]
struct Draft {
    kind: Kind,
    warp: u32,
    wait: u8,
    mask: Mask,
    lanes: Lanes,
    seed: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    Ldc {
        size: u8,
        mode: LdcMode,
        bank: u8,
        register: u8,
        has_register: bool,
    },
    /// Bits on pins that LDC does not look at, or the 128-bit size.
    Odd,
    Command(u8),
}

#[derive(Clone, Copy, Debug)]
enum Mask {
    Full,
    Random,
    One,
    Empty,
}

/// How the lanes' addresses lie to each other.
#[derive(Clone, Copy, Debug)]
enum Lanes {
    Uniform,
    Consecutive,
    Strided,
    FewLines,
    Scattered,
    Edges,
}

fn latency() -> impl Strategy<Value = Latency> {
    prop_oneof![
        3 => Just(Latency::Ideal),
        3 => (1_u32..10, 0_u32..20).prop_map(|(least, spread)| Latency::Between { least, most: least + spread }),
        3 => (1_u32..40, 0_u32..120).prop_map(|(least, spread)| Latency::Between { least, most: least + spread }),
    ]
}

fn traffic() -> impl Strategy<Value = Traffic> {
    let stall = prop_oneof![4 => Just(0_u8), 3 => 1_u8..30, 1 => 30_u8..85];
    let gap = prop_oneof![5 => Just(0_u8), 2 => 1_u8..90];
    let error = prop_oneof![5 => Just(0_u8), 2 => 1_u8..40];
    let wrong_tag = prop_oneof![9 => Just(0_u8), 1 => 1_u8..30];
    (any::<u64>(), latency(), stall, gap, error, wrong_tag).prop_map(|(seed, latency, stall, gap, error, wrong_tag)| {
        Traffic { seed: seed >> 1, latency, stall, gap, error, wrong_tag }
    })
}

fn bank_number() -> impl Strategy<Value = u8> {
    prop_oneof![3 => 0_u8..4, 4 => prop::sample::select(&EDGE_BANKS[..]), 1 => 0_u8..32]
}

fn banks() -> impl Strategy<Value = Vec<(u8, u32)>> {
    let legal = (bank_number(), prop::sample::select(&BANK_SIZES[..]));
    let refused = (0_u8..32, 0_u32..0x1_ffff);
    prop::collection::vec(prop_oneof![12 => legal, 1 => refused], 1..18)
}

fn kind(is_stressed: bool) -> impl Strategy<Value = Kind> {
    let size = prop_oneof![12 => 0_u8..6, 1 => 6_u8..8];
    let mode = prop::sample::select(LdcMode::ALL);
    // Odd registers and those near the end are what LDC-10 is about.
    let register =
        prop_oneof![8 => (0_u8..120).prop_map(|pair| 2 * pair), 1 => 0_u8..255, 1 => Just(254), 1 => Just(RZ)];
    let ldc = (size, mode, bank_number(), register, prop::bool::weighted(0.85))
        .prop_map(|(size, mode, bank, register, has_register)| Kind::Ldc { size, mode, bank, register, has_register });
    let (odd, command) = if is_stressed { (1, 1) } else { (6, 3) };
    prop_oneof![
        100 => ldc,
        odd => Just(Kind::Odd),
        command => prop_oneof![3 => Just(2_u8), 1 => 0_u8..4].prop_map(Kind::Command),
    ]
}

fn draft(is_stressed: bool) -> impl Strategy<Value = Draft> {
    let wait = prop_oneof![40 => Just(0_u8), u32::from(!is_stressed) * 3 + 1 => Just(1), 1 => Just(2)];
    let mask = prop_oneof![
        8 => Just(Mask::Full),
        3 => Just(Mask::Random),
        1 => Just(Mask::One),
        1 => Just(Mask::Empty)
    ];
    let uniform = if is_stressed { 30 } else { 3 };
    let lanes = prop_oneof![
        uniform => Just(Lanes::Uniform),
        3 => Just(Lanes::Consecutive),
        2 => Just(Lanes::Strided),
        3 => Just(Lanes::FewLines),
        1 => Just(Lanes::Scattered),
        2 => Just(Lanes::Edges),
    ];
    (kind(is_stressed), 0_u32..10, wait, mask, lanes, any::<u64>())
        .prop_map(|(kind, warp, wait, mask, lanes, seed)| Draft { kind, warp, wait, mask, lanes, seed })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop::bool::weighted(0.4).prop_flat_map(|is_stressed| {
        let length = prop_oneof![1 => 1_usize..20, 3 => 20_usize..200];
        let global_percent = prop_oneof![2 => Just(0_u8), 4 => 30_u8..90, 4 => Just(100)];
        let sms = prop_oneof![7 => Just(1_u32), 1 => Just(2)];
        (traffic(), global_percent, sms, prop::bool::weighted(0.15), any::<bool>(), banks(), length).prop_map(
            move |(traffic, global_percent, sms, has_near_window, compute, banks, length)| Shape {
                traffic,
                global_percent,
                sms,
                has_near_window,
                compute,
                banks,
                is_stressed,
                length,
            },
        )
    })
}

/// The program that is case number `case` of `seed`.
///
/// # Errors
/// proptest gives up on its own strategies, which these do not make it do.
pub fn program(preset: &Preset, seed: u64, case: u64) -> Result<Program, proptest::test_runner::Reason> {
    program_on(preset, CHECKED_PATHS, seed, case)
}

/// The same for the paths that `paths` names.
///
/// # Errors
/// As [`program`].
pub fn program_on(
    preset: &Preset,
    paths: Paths,
    seed: u64,
    case: u64,
) -> Result<Program, proptest::test_runner::Reason> {
    let mut bytes = [0; 32];
    for (index, chunk) in bytes.chunks_exact_mut(8).enumerate() {
        chunk.copy_from_slice(&mix(mix(seed ^ mix(index as u64)) ^ case).to_le_bytes());
    }
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let mut shape = shape().new_tree(&mut runner)?.current();
    if paths == Paths::Constant {
        (shape.global_percent, shape.sms, shape.has_near_window) = (0, 1, false);
    }
    let draft = draft(shape.is_stressed);
    let mut ops = Vec::with_capacity(shape.length);
    for _ in 0..shape.length {
        // One after the other: a strategy for all of them would keep a tree of kilobytes for each, and shrinking is ours.
        ops.push(draft.new_tree(&mut runner)?.current());
    }
    Ok(realise(preset, shape, ops))
}

fn realise(preset: &Preset, mut shape: Shape, ops: Vec<Draft>) -> Program {
    if shape.is_stressed {
        // A full pipeline needs results to be taken and operations to be there.
        shape.traffic.gap = 0;
        shape.traffic.stall = shape.traffic.stall.min(5);
    }
    let mut program = Program {
        traffic: shape.traffic,
        compute: shape.compute,
        sms: shape.sms,
        banks: shape
            .banks
            .iter()
            .map(|(index, size)| Bank {
                index: *index,
                size: *size,
                // Once in a while a base that the table refuses.
                base: (size % 16 == 1).then_some(0x1_0010),
                contents: Contents::Address,
            })
            .collect(),
        ..Program::empty(*preset)
    };
    let ground = Ground::new(preset, shape.traffic.seed);
    if shape.global_percent > 0 {
        program.memory = ground.memory(preset);
        if Random::new(shape.traffic.seed, SHARED_BANK_STREAM).chance(SHARED_BANK_PERCENT) {
            share_bank(&mut program, ground.bank_base());
        }
    }
    if shape.has_near_window {
        let mut random = Random::new(shape.traffic.seed, NEAR_WINDOW_STREAM);
        let base = Some(ground.window_base(&mut random));
        match random.below(4) {
            0 => program.window.shared = base,
            1 => program.window.local = base,
            2 => program.window.constant = base,
            _ => program.window.param = base,
        }
    }
    let Windows { shared, local, constant, param } = program.windows();
    let field = Field { preset, shape: &shape, ground: &ground, windows: [shared, local, constant, param] };
    program.ops = ops.iter().map(|draft| operation(&field, draft)).collect();
    program
}

/// Puts the first bank that the table takes where loads and stores go.
fn share_bank(program: &mut Program, base: u64) {
    let end = 1_u64 << program.preset.address_bits;
    let usable = |bank: &&mut Bank| bank.base.is_none() && base + u64::from(bank.size) <= end;
    if let Some(bank) = program.banks.iter_mut().find(usable) {
        bank.base = Some(base);
    }
}

/// What all operations of a program share.
struct Field<'a> {
    preset: &'a Preset,
    shape: &'a Shape,
    ground: &'a Ground,
    windows: [Window; 4],
}

fn operation(field: &Field<'_>, draft: &Draft) -> ProgramOperation {
    let mut random = Random::new(draft.seed, 0);
    let sm = random.below(u64::from(field.shape.sms)) as u32;
    if field.shape.global_percent > 0 && random.chance(field.shape.global_percent) {
        let (request, data) = if random.chance(COMMAND_PERCENT) {
            (Request { op: 3, cmd: random.below(4) as u8, ..Request::default() }, Vec::new())
        } else {
            let mask = mask(field.preset, draft.mask, &mut random);
            access(field.preset, field.ground, &field.windows, draft.lanes, mask, &mut random)
        };
        let operation = Operation { sm, request, ..nothing(draft) };
        return ProgramOperation { data, ..operation.into() };
    }
    let mut operation = constant_operation(field.preset, &field.shape.banks, draft);
    operation.sm = sm;
    operation.data.resize(store_beats(&operation.request), Beat::default());
    operation
}

fn constant_operation(preset: &Preset, banks: &[(u8, u32)], draft: &Draft) -> ProgramOperation {
    let mut random = Random::new(draft.seed, 0);
    let request = match &draft.kind {
        Kind::Command(cmd) => Request { op: 3, cmd: *cmd, ..Request::default() },
        Kind::Ldc { size, mode, bank, register, has_register } => {
            let mut ldc = Ldc {
                guard: Guard::ALWAYS,
                rd: *register,
                size: *size,
                mode: *mode,
                // Mostly a bank that exists.
                bank: SassBank::Immediate(match random.below(3) {
                    0 => *bank,
                    1 => banks[0].0,
                    _ => banks[random.below(banks.len() as u64) as usize].0,
                }),
                ra: if *has_register { 0 } else { RZ },
                immediate: 0,
            };
            ldc.immediate = immediate(&mut random, *size, *has_register);
            let SassBank::Immediate(number) = ldc.bank else { return nothing(draft).into() };
            let mut request = request_of(&ldc.lower_with_bank(number));
            request.mask = mask(preset, draft.mask, &mut random);
            if *has_register {
                addresses(preset, banks, &ldc, draft.lanes, &mut random, &mut request);
            }
            request
        }
        Kind::Odd => odd(preset, banks, draft, &mut random),
    };
    ProgramOperation::from(Operation { request, ..nothing(draft) })
}

fn nothing(draft: &Draft) -> Operation {
    Operation {
        sm: 0,
        warp: draft.warp,
        wait: match draft.wait {
            0 => Wait::No,
            1 => Wait::Warp,
            _ => Wait::All,
        },
        request: Request::default(),
        text: None,
        expect: Vec::new(),
        expect_fault: None,
    }
}

/// A request that no text gives: only its pins can say it.
fn odd(preset: &Preset, banks: &[(u8, u32)], draft: &Draft, random: &mut Random) -> Request {
    let ldc = Ldc {
        guard: Guard::ALWAYS,
        rd: (4 * random.below(64)) as u8,
        size: 4,
        mode: LdcMode::Ia,
        bank: SassBank::Immediate(banks[0].0),
        ra: 0,
        immediate: 0,
    };
    let mut request = request_of(&ldc.lower_with_bank(banks[0].0));
    request.mask = mask(preset, draft.mask, random);
    addresses(preset, banks, &ldc, draft.lanes, random, &mut request);
    match random.below(3) {
        // 128 bits, which LDC texts do not have, with any register, and the sizes that are none.
        0 => {
            request.size = if random.chance(75) { 4 } else { 5 + random.below(3) as u8 };
            request.rd = if random.chance(70) { request.rd } else { random.next_bits() as u8 };
            request.addr.iter_mut().for_each(|address| *address &= !15);
        }
        // Pins that LDC does not look at, address bits above 32 among them.
        _ => {
            let bits = random.next_bits();
            request.space = bits as u8 & 7;
            request.sem = (bits >> 3) as u8 & 7;
            request.scope = (bits >> 6) as u8 & 3;
            request.cop = (bits >> 8) as u8 & 7;
            request.l1_evict = (bits >> 11) as u8 & 7;
            request.l2_evict = (bits >> 14) as u8 & 3;
            request.prefetch = (bits >> 16) as u8 & 3;
            request.policy_en = bits >> 18 & 1 == 1;
            request.nc = bits >> 19 & 1 == 1;
            request.vec = (bits >> 20) as u8 & 3;
            request.sink = (bits >> 22) as u8;
            request.sign = bits >> 30 & 1 == 1;
            request.dst_width = (bits >> 31) as u8 & 3;
            request.cmd = (bits >> 33) as u8 & 3;
            request.policy = random.next_bits() >> 1;
            request.imm |= (random.next_bits() as u32) << 16;
            let high = u64::MAX >> (64 - preset.address_bits) & !u64::from(u32::MAX);
            for address in &mut request.addr[..preset.lanes] {
                *address |= random.next_bits() & high;
            }
        }
    }
    request
}

fn mask(preset: &Preset, mask: Mask, random: &mut Random) -> u32 {
    let all = preset.lane_mask();
    match mask {
        Mask::Full => all,
        Mask::Random => random.next_bits() as u32 & all,
        Mask::One => 1 << random.below(preset.lanes as u64),
        Mask::Empty => 0,
    }
}

/// Bytes of an access with LDC size field `size`; the illegal sizes count as 4.
fn bytes(size: u8) -> u64 {
    match size {
        0 | 1 => 1,
        2 | 3 => 2,
        5 => 8,
        _ => 4,
    }
}

fn immediate(random: &mut Random, size: u8, has_register: bool) -> u16 {
    let aligned = if random.chance(95) { !(bytes(size) - 1) as u16 } else { u16::MAX };
    let near = random.below(0x100) as u16;
    let value = match random.below(if has_register { 8 } else { 6 }) {
        0 => 0,
        1 => near,
        2 => near.wrapping_neg(),
        3 => 0x7fff - near,
        4 => 0x8000 + near,
        5 => random.next_bits() as u16,
        _ => 0,
    };
    value & aligned
}

/// Register values of all lanes, so that the sums with the immediate fall where the rules have their edges.
fn addresses(
    preset: &Preset,
    banks: &[(u8, u32)],
    ldc: &Ldc,
    lanes: Lanes,
    random: &mut Random,
    request: &mut Request,
) {
    let step = bytes(ldc.size);
    let aligned = if random.chance(96) { !(step as u32 - 1) } else { u32::MAX };
    let (_, size) = banks[random.below(banks.len() as u64) as usize];
    // Few lines over and over, so that hits are as common as misses.
    let is_hot = random.chance(60);
    let base = if is_hot { random.below(HOT_BYTES) as u32 } else { edge(random, size) };
    let size = if is_hot { HOT_BYTES as u32 } else { size };
    let stride = 1_u32 << random.below(9);
    let lines: [u32; 4] = std::array::from_fn(|_| random.below(u64::from(size.max(64))) as u32 & !63);
    let few = 1 + random.below(4);
    for (lane, address) in request.addr[..preset.lanes].iter_mut().enumerate() {
        let lane = lane as u32;
        let value = match lanes {
            Lanes::Uniform => base,
            Lanes::Consecutive => base.wrapping_add(lane * step as u32),
            Lanes::Strided => base.wrapping_add(lane * stride),
            Lanes::FewLines => lines[random.below(few) as usize] + random.below(64) as u32,
            Lanes::Scattered => random.below(u64::from(size.max(64))) as u32,
            Lanes::Edges => edge(random, size),
        };
        let target = value & aligned;
        // Aim at the sum: the register is what is left when the immediate is taken away.
        *address = u64::from(match lanes {
            Lanes::Edges => target,
            _ => target.wrapping_sub(i32::from(ldc.immediate as i16) as u32),
        });
    }
}

/// An address near one of the edges of the rules.
fn edge(random: &mut Random, size: u32) -> u32 {
    let near = random.below(0x80) as u32;
    let around = random.below(0x100) as u32;
    match random.below(10) {
        0 => near,
        1 => 0xff80 + around,
        2 => (size & !15).wrapping_sub(0x80).wrapping_add(around),
        3 => near.wrapping_neg(),
        4 => (random.below(20) as u32) << 16 | near,
        5 => (random.below(20) as u32) << 16 | (0xff80 + near),
        6 => random.next_bits() as u32,
        _ => random.below(u64::from(size.max(64))) as u32,
    }
}

//! Random loads and stores of the global path: most of them legal, each way of being illegal now and then, on few lines,
//! so that hits, joins, evictions and conflicts are common.

use lsu_model::pins::{MAX_LANES, Request, Window};
use lsu_model::preset::Preset;

use super::Lanes;
use crate::program::{Beat, Contents, MemoryBlock, store_beats};
use crate::random::Random;

/// Bytes of a line of the L1 and of the read-only cache.
const LINE: u64 = 128;

/// Stream number of a program's ground, far from those of its surroundings.
const GROUND_STREAM: u64 = 0x6772_6f75_6e64;

/// Neighbouring lines at the beginning of a program's memory.
const NEIGHBOURS: u64 = 4;

/// Lines of one set beyond its ways.
const SURPLUS_LINES: u64 = 2;

/// Bytes with contents at the end of the address space.
const TOP_BYTES: u64 = 0x400;

/// Codes of the pins.
const LOAD: u8 = 0;
const STORE: u8 = 1;
const GENERIC: u8 = 0;
const GLOBAL: u8 = 1;
const WEAK: u8 = 0;
const RELAXED: u8 = 1;
const ACQUIRE: u8 = 2;
const RELEASE: u8 = 3;
const VOLATILE: u8 = 4;
const MMIO: u8 = 5;
const RZ: u8 = 255;

/// The operators that a load may have, and those that a store may have; the first, none, is the commonest.
const LOAD_OPERATORS: [u8; 6] = [0, 1, 2, 3, 4, 5];
const STORE_OPERATORS: [u8; 5] = [0, 2, 3, 6, 7];

/// Where a program's loads and stores go.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    address_bits: u32,
    base: u64,
    /// Line addresses, the hottest first.
    lines: Vec<u64>,
}

impl Ground {
    /// The ground of the program whose surroundings have the seed `seed`.
    pub fn new(preset: &Preset, seed: u64) -> Self {
        let mut random = Random::new(seed, GROUND_STREAM);
        let address_bits = preset.address_bits;
        let end = 1_u64 << address_bits;
        // Two sets of L1 to fight over; what falls into one set there does so in the read-only cache.
        let set_bytes = (preset.l1_sets.max(preset.ro_sets)) as u64 * LINE;
        let rivals = preset.l1_ways.max(preset.ro_ways) as u64 + SURPLUS_LINES;
        let base = match random.below(3) {
            0 => 0x1000,
            _ => random.below((end - 2 * rivals * set_bytes) / LINE) * LINE,
        };
        let mut lines: Vec<u64> = (0..NEIGHBOURS).map(|line| base + LINE * line).collect();
        lines.extend((1..rivals).map(|rival| base + set_bytes * rival));
        lines.push(end - LINE);
        lines.push(random.below(end / LINE) * LINE);
        // The more lines a program uses, the fewer of its accesses hit.
        lines.truncate(1 + random.below(lines.len() as u64) as usize);
        Self { address_bits, base, lines }
    }

    /// Contents, so that a word from another place shows: every word is its own address.
    pub fn memory(&self, preset: &Preset) -> Vec<MemoryBlock> {
        let span = (preset.l1_sets.max(preset.ro_sets) as u64)
            * LINE
            * (preset.l1_ways.max(preset.ro_ways) as u64 + SURPLUS_LINES);
        let end = 1_u64 << self.address_bits;
        let block = |address, bytes| MemoryBlock { address, bytes, contents: Contents::Address };
        vec![block(self.base, span), block(end - TOP_BYTES, TOP_BYTES)]
    }

    /// A base for a generic window that begins in the midst of the lines in use.
    pub fn window_base(&self, random: &mut Random) -> u64 {
        self.line(random) + 32 * random.below(4)
    }

    /// A base for a constant bank over the lines in use, so that stores change what LDC reads.
    pub fn bank_base(&self) -> u64 {
        self.lines[0]
    }

    fn line(&self, random: &mut Random) -> u64 {
        self.lines[random.below(self.lines.len() as u64) as usize]
    }

    /// An address near an edge of the address space or of a window.
    fn edge(&self, windows: &[Window; 4], random: &mut Random) -> u64 {
        let around = random.below(0x100).wrapping_sub(0x80);
        let end = 1_u64 << self.address_bits;
        match random.below(6) {
            0 => random.below(0x80),
            1 => end - 1 - random.below(0x80),
            2 => end.wrapping_add(around),
            3 => random.next_bits(),
            _ => {
                let window = windows[random.below(4) as usize];
                window.base.wrapping_add(if random.chance(50) { window.size } else { 0 }).wrapping_add(around)
            }
        }
    }
}

/// A load or store with its data; the lanes' addresses lie to each other as `lanes` says.
pub(super) fn access(
    preset: &Preset,
    ground: &Ground,
    windows: &[Window; 4],
    lanes: Lanes,
    mask: u32,
    random: &mut Random,
) -> (Request, Vec<Beat>) {
    let mut request = Request { op: if random.chance(60) { LOAD } else { STORE }, mask, ..Request::default() };
    request.nc = request.op == LOAD && random.chance(25);
    request.space = match random.below(100) {
        0..70 => GLOBAL,
        70..98 => GENERIC,
        _ => random.below(8) as u8,
    };
    order(&mut request, random);
    shape(&mut request, random);
    hints(&mut request, random);
    registers(&mut request, random);
    if random.chance(2) {
        spoil(&mut request, random);
    }
    request.imm = immediate(random);
    addresses(preset, ground, windows, lanes, random, &mut request);
    let mut data = vec![Beat::default(); store_beats(&request)];
    for beat in &mut data {
        beat[..preset.lanes].fill_with(|| random.next_bits() as u32);
    }
    (request, data)
}

/// Semantics and scope.
fn order(request: &mut Request, random: &mut Random) {
    let one_way = if request.op == LOAD { ACQUIRE } else { RELEASE };
    request.sem = match random.below(100) {
        _ if request.nc => WEAK,
        0..68 => WEAK,
        68..77 => RELAXED,
        77..86 => one_way,
        86..92 => VOLATILE,
        92..97 => MMIO,
        _ => MMIO + one_way - 1,
    };
    request.scope = match request.sem {
        WEAK => 0,
        VOLATILE => 3,
        _ => random.below(4) as u8,
    };
}

/// Element size and count.
fn shape(request: &mut Request, random: &mut Random) {
    request.size = random.below(5) as u8;
    // At most 32 bytes in all, and one element for MMIO.
    let most = if request.sem >= MMIO { 0 } else { (5 - request.size).min(3) };
    request.vec = random.below(u64::from(most) + 1) as u8;
    request.sign = random.chance(30);
    request.dst_width = match random.below(8) {
        0 => 0,
        1..6 => 1,
        _ => 2,
    };
    if request.op == LOAD && request.vec > 0 && random.chance(20) {
        request.sink = random.next_bits() as u8 & ((1_u16 << (1 << request.vec)) - 1) as u8;
    }
}

/// Operator, priorities, prefetch, policy.
fn hints(request: &mut Request, random: &mut Random) {
    let operators: &[u8] = if request.op == LOAD { &LOAD_OPERATORS } else { &STORE_OPERATORS };
    // Last use and volatile do not go with nc.
    let count = if request.nc { 4 } else { operators.len() };
    if random.chance(40) {
        request.cop = operators[random.below(count as u64) as usize];
    }
    if random.chance(40) {
        request.l1_evict = random.below(5) as u8;
    }
    if random.chance(25) {
        request.l2_evict = random.below(3) as u8;
        request.prefetch = random.below(4) as u8;
    }
    if random.chance(10) {
        request.policy_en = true;
        request.policy = random.next_bits();
    }
}

/// The destination registers.
fn registers(request: &mut Request, random: &mut Random) {
    if request.op != LOAD {
        return;
    }
    request.rd = match random.below(40) {
        0 => RZ,
        1 => 248 + random.below(8) as u8,
        2 => random.below(256) as u8,
        _ => (8 * random.below(28)) as u8,
    };
}

/// One of the ways of being illegal, or a code that no instruction gives.
fn spoil(request: &mut Request, random: &mut Random) {
    match random.below(10) {
        0 => request.size = 5 + random.below(3) as u8,
        1 => (request.size, request.vec) = (3 + random.below(2) as u8, 3),
        2 => request.space = 2 + random.below(6) as u8,
        3 => (request.sem, request.vec) = (MMIO + random.below(3) as u8, 1 + random.below(3) as u8),
        4 => request.cop = random.below(8) as u8,
        5 => request.sem = random.below(8) as u8,
        6 => request.nc = true,
        7 => (request.nc, request.cop) = (true, 4 + random.below(2) as u8),
        8 => request.l1_evict = 5 + random.below(3) as u8,
        _ => {
            request.l2_evict = 3;
            request.dst_width = random.below(4) as u8;
            request.sink = random.next_bits() as u8;
            request.scope = random.below(4) as u8;
        }
    }
}

fn immediate(random: &mut Random) -> u32 {
    match random.below(20) {
        0..9 => 0,
        9..14 => (32 * random.below(16)) as u32,
        14..18 => (32 * random.below(16)) as u32 | 0u32.wrapping_sub(0x200),
        18 => random.below(0x100) as u32,
        _ => random.next_bits() as u32,
    }
}

/// The register operands: what is left of each lane's address when the immediate is taken away.
fn addresses(
    preset: &Preset,
    ground: &Ground,
    windows: &[Window; 4],
    lanes: Lanes,
    random: &mut Random,
    request: &mut Request,
) {
    let total = 1_u64 << (request.size.min(4) + request.vec);
    let aligned = if random.chance(96) { !(total - 1) } else { !0 };
    let line = ground.line(random);
    let offset = random.below(LINE);
    let stride = 1_u64 << random.below(9);
    let few = [ground.line(random), ground.line(random), line];
    let all = u64::MAX >> (64 - preset.address_bits);
    let imm = i64::from(request.imm as i32) as u64;
    for (lane, operand) in request.addr[..preset.lanes.min(MAX_LANES)].iter_mut().enumerate() {
        let lane = lane as u64;
        let target = match lanes {
            Lanes::Uniform => line + offset,
            Lanes::Consecutive => line + lane * total,
            Lanes::Strided => line + offset + lane * stride,
            Lanes::FewLines => few[random.below(3) as usize] + random.below(LINE),
            Lanes::Scattered => ground.line(random) + random.below(LINE),
            // A single lane beyond an edge is enough.
            Lanes::Edges if random.chance(50) => ground.edge(windows, random),
            Lanes::Edges => line + random.below(LINE),
        };
        *operand = (target & aligned).wrapping_sub(imm) & all;
    }
}

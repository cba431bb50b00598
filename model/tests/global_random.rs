//! Random operations on two units that share memory, with random latencies, reordering, backpressure and errors: the oracle
//! judges everything, the port contract holds in every cycle, and nothing stays unanswered.

mod global_rig;

use global_rig::*;
use lsu_model::oracle::SharedHistory;
use lsu_model::pins::{BankWrite, Outputs, Request, Window};
use lsu_model::preset::{ALL, Preset};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// Where the generic shared window begins.
const GENERIC_SHARED: u64 = 0x2000;

/// Sectors whose writes fail, and reads too.
const BAD_SECTORS: [u64; 2] = [0x140, 0x1_0020];

fn operation(random: &mut Random, preset: &Preset, tag: u8) -> Operation {
    if random.one_in(25) {
        return Request { tag, cmd: random.pick(&[0, 1, 2, 3]), op: 3, ..Request::default() }.into();
    }
    let is_store = random.one_in(3);
    let size = random.pick(&[0, 1, 2, 2, 2, 3, 4]);
    let vec = random.pick(&[0, 0, 1, 2, 3]).min(5 - size);
    let bytes = 1_u64 << (size + vec);
    let spread = random.pick(&[1, 64, 128, 512, 4096]);
    let origin = random.pick(&[0, 0x100, 0x1_0000, 0x2000, (1 << preset.address_bits) - 4096]);
    let (sem, scope) = random.pick(&[(0, 0), (0, 0), (0, 0), (1, 0), (1, 2), (4, 0), (5, 3)]);
    let ordering = if is_store { random.pick(&[3, 3, 7]) } else { random.pick(&[2, 2, 6]) };
    let (sem, scope) = if random.one_in(6) { (ordering, random.pick(&[0, 2, 3])) } else { (sem, scope) };
    let nc = !is_store && sem == 0 && random.one_in(3);
    let cop = match (is_store, nc) {
        (true, _) => random.pick(&[0, 0, 0, 2, 3, 6, 7]),
        (false, true) => random.pick(&[0, 0, 1, 2, 3]),
        (false, false) => random.pick(&[0, 0, 0, 1, 2, 3, 4, 5]),
    };
    let space = random.pick(&[0, 1, 1, 2]);
    let origin = if space == 2 { 0 } else { origin };
    let all = preset.shared_bytes as u32;
    let mut request = Request {
        tag,
        op: u8::from(is_store),
        space,
        shared_base: random.pick(&[0, 0, 0x50, all - 0x100, all]) + random.below(16) as u32,
        shared_size: random.pick(&[all, all, 2 * all - 1, 0x120]),
        sem,
        scope,
        cop,
        nc,
        l1_evict: random.pick(&[0, 0, 0, 1, 2, 3, 4]),
        l2_evict: random.below(3) as u8,
        prefetch: random.below(4) as u8,
        policy_en: random.one_in(3),
        policy: random.next(),
        size,
        vec: if sem >= 5 { 0 } else { vec },
        sink: if random.one_in(4) { random.next() as u8 } else { 0 },
        sign: random.one_in(2),
        dst_width: random.below(3) as u8,
        rd: if random.one_in(20) { random.pick(&[255, 254, 5]) } else { 4 * random.below(60) as u8 },
        mask: match random.below(6) {
            0 => 0,
            1 => random.next() as u32,
            2 => 1 << random.below(8),
            _ => u32::MAX,
        },
        imm: if random.one_in(3) { (random.pick(&[0x40_i32, -0x40]) as u32) & !31 } else { 0 },
        ..Request::default()
    };
    // Now and then something that is refused.
    if random.one_in(40) {
        match random.below(4) {
            0 => request.space = random.below(8) as u8,
            1 => request.sem = random.below(8) as u8,
            2 => request.cop = random.below(8) as u8,
            _ => request.size = random.below(8) as u8,
        }
    }
    for addr in &mut request.addr {
        let at = origin + random.below(spread) / bytes * bytes;
        *addr = if random.one_in(1000) { at + 1 } else { at };
    }
    // Mostly within what shared memory has, and of the generic ones some.
    for addr in &mut request.addr {
        if space == 2 && !random.one_in(200) {
            *addr %= u64::from(all) / random.pick(&[1, 2, 2, 2]);
        }
        if space == 0 && random.one_in(4) {
            *addr = GENERIC_SHARED + *addr % u64::from(all);
        }
    }
    let beats = match (is_store, request.size) {
        (false, _) => 0,
        (true, 0..=2) => 1,
        (true, 3) => 2,
        (true, _) => 4,
    } << request.vec;
    let salt = random.next();
    with_data(request, beats, |register, lane| (salt as u32).wrapping_mul(2 * lane + 1).rotate_left(register))
}

fn ldc(random: &mut Random, tag: u8) -> Operation {
    let mut request = Request { tag, op: 2, size: 2, rd: 4, mask: random.next() as u32, ..Request::default() };
    for addr in &mut request.addr {
        *addr = random.below(64) * 4;
    }
    request.into()
}

/// A valid stays up, with its payload, until it is taken.
fn holds(before: &Outputs, after: &Outputs, ready: [bool; 4]) {
    assert!(!before.wb_valid || ready[0] || (after.wb_valid && before.wb == after.wb));
    assert!(!before.fault_valid || ready[1] || (after.fault_valid && before.fault == after.fault));
    assert!(!before.done_valid || ready[2] || (after.done_valid && before.done.tag == after.done.tag));
    assert!(!before.mem_req_valid || ready[3] || (after.mem_req_valid && before.mem_req == after.mem_req));
}

struct Unit {
    rig: Rig,
    before: Option<(Outputs, [bool; 4])>,
    left: u32,
    tag: u8,
}

impl Unit {
    fn step(&mut self, random: &mut Random, stall: u64, errors: bool) {
        let rig = &mut self.rig;
        if self.left > 0 && rig.program.is_empty() {
            while rig.in_flight.contains(&self.tag) {
                self.tag = self.tag.wrapping_add(1);
            }
            rig.program.push_back(match random.below(12) {
                0 => ldc(random, self.tag),
                _ => operation(random, &rig.preset, self.tag),
            });
            self.tag = self.tag.wrapping_add(1);
            self.left -= 1;
        }
        let mut ready = || stall == 1 || !random.one_in(stall);
        let all = [ready(), ready(), ready(), ready()];
        [rig.inputs.wb_ready, rig.inputs.fault_ready, rig.inputs.done_ready, rig.inputs.mem_req_ready] = all;
        // Responses come back in any order; what is offered stays until it is taken.
        if rig.responses.len() > 1 && !rig.inputs.mem_rsp_valid {
            let other = random.below(rig.responses.len() as u64) as usize;
            rig.responses.swap(0, other);
        }
        let offered = rig.responses.front().map(|(_, response)| *response);
        rig.step();
        if rig.responses.front().map(|(_, response)| *response) != offered || rig.responses.is_empty() {
            rig.inputs.mem_rsp_valid = false;
        }
        // A read that has just been taken may fail.
        let may_fail = errors && rig.outputs.mem_req_valid && !rig.outputs.mem_req.write;
        let id = rig.outputs.mem_req.id;
        if may_fail
            && random.one_in(30)
            && let Some((_, response)) = rig.responses.back_mut().filter(|(_, response)| response.id == id)
        {
            response.error = true;
            response.data = [0x5a5a_a5a5; 8];
        }
        if let Some((outputs, ready)) = &self.before {
            holds(outputs, &rig.outputs, *ready);
        }
        self.before = Some((rig.outputs.clone(), all));
    }

    fn is_busy(&self) -> bool {
        let rig = &self.rig;
        self.left > 0 || !rig.program.is_empty() || !rig.oracle.is_idle() || !rig.responses.is_empty()
    }
}

fn run(seed: u64) {
    let mut random = Random(seed);
    let preset = random.pick(&ALL);
    let (memory, history) = (Words::default(), SharedHistory::new());
    let errors = random.one_in(2);
    let latency = 1 + random.below(40);
    let stall = random.pick(&[1, 2, 4, 20]);
    let mut units: Vec<Unit> = (0..2)
        .map(|_| {
            let mut rig = Rig::sharing(&preset, &memory, &history);
            rig.latency = latency;
            rig.inputs.windows.local = Window { base: 0x1_0800, size: 0x40 };
            rig.inputs.windows.shared = Window { base: GENERIC_SHARED + 3, size: preset.shared_bytes as u64 };
            if errors {
                rig.bad_sectors.extend(BAD_SECTORS);
            }
            rig.inputs.bank_write_valid = true;
            rig.inputs.bank_write = BankWrite { index: 0, base: 0x80_0000, size: 0x100, valid: true };
            rig.step();
            rig.inputs.bank_write_valid = false;
            Unit { rig, before: None, left: 120, tag: 0 }
        })
        .collect();
    let mut cycles = 0;
    while units.iter().any(Unit::is_busy) {
        for unit in &mut units {
            unit.step(&mut random, stall, errors);
        }
        cycles += 1;
        assert!(cycles < 200_000, "seed {seed}: no end: {} | {}", units[0].rig.describe(), units[1].rig.describe());
    }
    for unit in &mut units {
        unit.rig.finish();
    }
}

#[test]
fn random_programs_satisfy_the_oracle() {
    for seed in 0..300 {
        let result = std::panic::catch_unwind(|| run(seed));
        assert!(result.is_ok(), "seed {seed}");
    }
}

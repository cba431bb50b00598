//! Random operations on two units that share memory, with random latencies, reordering, backpressure and errors: the oracle
//! judges everything, the port contract holds in every cycle, and nothing stays unanswered.

use crate::global_rig::*;
use crate::split_mix::Random;
use lsu_model::oracle::SharedHistory;
use lsu_model::pins::{
    ClusterRequest, ClusterResponse, ClusterWindow, Outputs, Request, ServeRequest, ServeResponse, Window,
};
use lsu_model::preset::{ALL, Preset};

/// Where the generic shared window begins.
const GENERIC_SHARED: u64 = 0x2000;

/// Where the windows of constants and of parameters begin, which overlap, and where that of parameters is alone.
const CONSTANTS: u64 = 0x6000;
const PARAMETERS: u64 = 0x63c0;
const PARAMETERS_ALONE: u64 = 0x6400;

/// Sectors whose writes fail, and reads too.
const BAD_SECTORS: [u64; 4] = [0x140, 0x1_0020, LOCAL_ALONE + 0x20, LOCAL_ALONE + 0x1060];

/// Where local memory lies where nothing else does, and bytes of each thread's.
const LOCAL_ALONE: u64 = 0x100_0000;
const LOCAL_BYTES: u64 = 0x80;

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
    let space = random.pick(&[0, 1, 1, 2, 3, 4, 4, 7]);
    let is_local = space == 4 || space == 7;
    let origin = if space == 2 || space == 3 || is_local { 0 } else { origin };
    let vec = if is_local { vec.min(4 - size) } else { vec };
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
    // Often one word of every thread, and the last use of it.
    if is_local {
        let first = random.below(LOCAL_BYTES / bytes) * bytes;
        let is_one = random.one_in(2);
        for addr in &mut request.addr {
            *addr = if is_one { first } else { *addr % LOCAL_BYTES };
        }
        request.warp = random.below(preset.warps.min(4) as u64) as u8;
        if !is_store && random.one_in(4) {
            request.cop = LU;
        }
    }
    // Mostly within what shared memory has, and of the generic ones some.
    for addr in &mut request.addr {
        if space == 2 && !random.one_in(200) {
            *addr %= u64::from(all) / random.pick(&[1, 2, 2, 2]);
        }
        if space == 3 {
            if !random.one_in(200) {
                *addr %= u64::from(all) / random.pick(&[1, 2, 2, 2]);
            }
            // The CTAs 0 and 1 there are, 2 there is not.
            *addr |= random.pick(&[0, 0, 0, 1, 1, 1, 2]) << 24;
        }
        if space == 0 && random.one_in(4) {
            *addr = GENERIC_SHARED + *addr % u64::from(all);
        }
        let reads_banks = !is_store && !nc && sem < 5 && bytes < 32;
        if space == 0 && random.one_in(if reads_banks { 3 } else { 200 }) {
            *addr = match random.below(300) {
                0 => CONSTANTS + *addr % 0x600,
                1..200 => CONSTANTS + *addr % 0x3e0,
                _ => PARAMETERS_ALONE + *addr % 0xa0,
            };
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
fn holds(before: &Outputs, after: &Outputs, ready: [bool; 6]) {
    assert!(
        !before.cluster_req_valid || ready[4] || after.cluster_req_valid && before.cluster_req == after.cluster_req
    );
    assert!(!before.serve_rsp_valid || ready[5] || after.serve_rsp_valid && before.serve_rsp == after.serve_rsp);
    assert!(!before.wb_valid || ready[0] || (after.wb_valid && before.wb == after.wb));
    assert!(!before.fault_valid || ready[1] || (after.fault_valid && before.fault == after.fault));
    assert!(!before.done_valid || ready[2] || (after.done_valid && before.done.tag == after.done.tag));
    assert!(!before.mem_req_valid || ready[3] || (after.mem_req_valid && before.mem_req == after.mem_req));
}

struct Unit {
    rig: Rig,
    before: Option<(Outputs, [bool; 6])>,
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
        let all = [ready(), ready(), ready(), ready(), ready(), ready()];
        [rig.inputs.cluster_req_ready, rig.inputs.serve_rsp_ready] = [all[4], all[5]];
        [rig.inputs.wb_ready, rig.inputs.fault_ready, rig.inputs.done_ready, rig.inputs.mem_req_ready] =
            [all[0], all[1], all[2], all[3]];
        // Responses come back in any order; what is offered stays until it is taken.
        if rig.responses.len() > 1 && !rig.inputs.mem_rsp_valid {
            let other = random.below(rig.responses.len() as u64) as usize;
            rig.responses.swap(0, other);
        }
        if rig.answers.len() > 1 && !rig.inputs.cluster_rsp_valid {
            let other = random.below(rig.answers.len() as u64) as usize;
            rig.answers.swap(0, other);
        }
        if rig.asked.len() > 1 && !rig.inputs.serve_req_valid {
            let other = random.below(rig.asked.len() as u64) as usize;
            rig.asked.swap(0, other);
        }
        let offered_by_cluster = (rig.answers.front().copied(), rig.asked.front().copied());
        let offered = rig.responses.front().map(|(_, response)| *response);
        rig.step();
        if rig.responses.front().map(|(_, response)| *response) != offered || rig.responses.is_empty() {
            rig.inputs.mem_rsp_valid = false;
        }
        if rig.answers.front().copied() != offered_by_cluster.0 || rig.answers.is_empty() {
            rig.inputs.cluster_rsp_valid = false;
        }
        if rig.asked.front().copied() != offered_by_cluster.1 || rig.asked.is_empty() {
            rig.inputs.serve_req_valid = false;
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
        let is_waited_for = !rig.responses.is_empty() || !rig.answers.is_empty() || !rig.asked.is_empty();
        self.left > 0 || !rig.program.is_empty() || !rig.oracle.is_idle() || is_waited_for
    }
}

/// Carries requests and responses between the units, the number of which is their rank. A CTA that is not there answers with an error.
fn carry(units: &mut [Unit], random: &mut Random, errors: bool) {
    for from in 0..units.len() {
        let rig = &mut units[from].rig;
        let (sent, cycle, latency) = (rig.sent.replace(Vec::new()).unwrap_or_default(), rig.cycle, rig.latency);
        let reply = rig.events.iter().rev().take(16).find_map(|(of, event)| match event {
            Event::Reply(reply) if *of + 1 == cycle => Some(*reply),
            _ => None,
        });
        for ClusterRequest { id, rank, write, addr, strb, data, .. } in sent {
            let fails = errors && random.one_in(20);
            match units.get_mut(usize::from(rank)).filter(|_| !fails) {
                Some(unit) => {
                    let request = ServeRequest { id, rank: from as u8, write, addr, strb, data };
                    unit.rig.asked.push_back((unit.rig.cycle + latency / 2, request));
                }
                None => {
                    let answer = ClusterResponse { id, data: [0x5a5a_a5a5; 8], error: true };
                    units[from].rig.answers.push_back((cycle + latency, answer));
                }
            }
        }
        if let Some(ServeResponse { id, rank, data, error }) = reply {
            let rig = &mut units[usize::from(rank)].rig;
            rig.answers.push_back((rig.cycle + latency / 2, ClusterResponse { id, data, error }));
        }
    }
}

fn run(seed: u64) {
    let mut random = Random(seed);
    let preset = random.pick(&ALL);
    let (memory, history) = (Words::default(), SharedHistory::new());
    let errors = random.one_in(2);
    let latency = 1 + random.below(40);
    let stall = random.pick(&[1, 2, 4, 20]);
    let all = preset.shared_bytes as u32;
    // Beside global memory, or in it, or the same in both units.
    let places = random.pick(&[[LOCAL_ALONE, 2 * LOCAL_ALONE], [0, LOCAL_ALONE], [0x1_0000; 2]]);
    let mut units: Vec<Unit> = (0..2)
        .map(|rank| {
            let mut rig = Rig::sharing(&preset, &memory, &history);
            rig.latency = latency;
            rig.sent = Some(Vec::new());
            rig.inputs.windows.rank = rank;
            rig.inputs.windows.cluster = random.pick(&[
                ClusterWindow { base: 0, size: all },
                ClusterWindow { base: 0x5f, size: all },
                ClusterWindow { base: all - 0x40, size: all / 2 + 0x1f },
            ]);
            rig.inputs.windows.local = Window { base: 0x1_0800, size: LOCAL_BYTES };
            rig.inputs.windows.local_memory = places[usize::from(rank)];
            rig.inputs.windows.shared = Window { base: GENERIC_SHARED + 3, size: preset.shared_bytes as u64 };
            if errors {
                rig.bad_sectors.extend(BAD_SECTORS);
            }
            rig.inputs.windows.constant = Window { base: CONSTANTS + 3, size: 0x40f };
            rig.inputs.windows.param = Window { base: PARAMETERS + 5, size: 0x18f };
            rig.inputs.param_offset = 0x2f;
            rig.set_bank(0, 0x80_0000, 0x100, true);
            // Among what is stored.
            rig.set_bank(3, 0x100, 0x3f0, true);
            Unit { rig, before: None, left: 120, tag: 0 }
        })
        .collect();
    let mut cycles = 0;
    while units.iter().any(Unit::is_busy) {
        for unit in &mut units {
            unit.step(&mut random, stall, errors);
        }
        carry(&mut units, &mut random, errors);
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

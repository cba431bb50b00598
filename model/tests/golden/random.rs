//! Random operations, banks, latencies, errors and backpressure: the oracle judges every result of the golden model, and
//! the port contract holds in every cycle.

use crate::constant_rig::*;
use crate::split_mix::Random;
use lsu_model::pins::{Outputs, Request};
use lsu_model::preset::ALL;

fn request(random: &mut Random, lane_mask: u32, tag: u8) -> Request {
    let size = if random.one_in(40) { random.pick(&[5, 6, 7]) } else { random.pick(&[0, 1, 2, 2, 2, 3, 4]) };
    let bytes = 1u64 << size.min(4);
    let spread = random.pick(&[1, 64, 256, 2048, 0x2_0000]);
    let origin = random.pick(&[0, 0x40, 0x100, 0xff80, 0xffc0, 0xffff_ffc0]);
    let mut request = Request {
        tag,
        op: 2,
        cmd: 2,
        size,
        sign: random.one_in(2),
        rd: if random.one_in(20) { random.pick(&[255, 254, 252, 251, 5]) } else { 4 * random.below(60) as u8 },
        mask: match random.below(6) {
            0 => 0,
            1 => random.next() as u32,
            2 => 1 << random.below(32),
            _ => u32::MAX,
        } & lane_mask,
        imm: (random.pick(&[0, 0, 0x40, 0xffc0, 0x8000, 0x7ff0]) / bytes * bytes) as u32,
        bank: random.pick(&[0, 0, 1, 3, 7, 8, 13, 14, 17, 18, 31]),
        mode: random.below(4) as u8,
        ra_is_rz: random.one_in(8),
        ..Request::default()
    };
    if random.one_in(20) {
        request.op = 3;
    }
    for addr in &mut request.addr {
        let at = origin + random.below(spread) / bytes * bytes;
        *addr = if random.one_in(300) { at + 1 } else { at };
    }
    request
}

/// A valid stays up, with its payload, until it is taken.
fn holds(before: &Outputs, after: &Outputs, ready: [bool; 4]) {
    if before.wb_valid && !ready[0] {
        assert!(after.wb_valid && before.wb == after.wb);
    }
    if before.fault_valid && !ready[1] {
        assert!(after.fault_valid && before.fault == after.fault);
    }
    if before.done_valid && !ready[2] {
        assert!(after.done_valid && before.done.tag == after.done.tag);
    }
    if before.mem_req_valid && !ready[3] {
        assert!(after.mem_req_valid && before.mem_req == after.mem_req);
    }
}

fn run(seed: u64) {
    let mut random = Random(seed);
    let preset = random.pick(&ALL);
    let mut rig = Rig::bare(&preset, random.one_in(2));
    for index in 0..18 {
        if !random.one_in(6) {
            // The table refuses the last two.
            rig.bank(index, random.pick(&[0x1_0000, 0x1_0000, 0xfff0, 0x110, 0x30, 0, 0x48, 0x1_0010]), true);
        }
    }
    for _ in 0..random.below(6) {
        let sector = BASE + u64::from(random.pick(&[0u32, 3, 7]) << 16) + 32 * random.below(16);
        rig.bad_sectors.insert(sector);
    }
    rig.latency = 1 + random.below(20);
    let stall = random.pick(&[1, 2, 4, 20]);
    let mut used = [false; 256];
    let mut before: Option<(Outputs, [bool; 4])> = None;
    let mut left = 150;
    while left > 0 || !rig.program.is_empty() || !rig.oracle.is_idle() {
        if left > 0 && rig.program.is_empty() {
            let free: Vec<u8> = (0..=255).filter(|tag| !used[usize::from(*tag)]).collect();
            let tag = random.pick(&free);
            used[usize::from(tag)] = true;
            rig.program.push_back(request(&mut random, preset.lane_mask(), tag));
            left -= 1;
        }
        let mut ready = || stall == 1 || !random.one_in(stall);
        rig.inputs.wb_ready = ready();
        rig.inputs.fault_ready = ready();
        rig.inputs.done_ready = ready();
        rig.inputs.mem_req_ready = ready();
        // Responses come back in any order, once offered until taken.
        if rig.responses.len() > 1 && !rig.inputs.mem_rsp_valid {
            let other = random.below(rig.responses.len() as u64) as usize;
            rig.responses.swap(0, other);
        }
        let was_offered = rig.responses.front().copied();
        rig.step();
        if rig.responses.front() != was_offered.as_ref() || rig.responses.is_empty() {
            rig.inputs.mem_rsp_valid = false;
        }
        let inputs = &rig.inputs;
        let ready = [inputs.wb_ready, inputs.fault_ready, inputs.done_ready, inputs.mem_req_ready];
        if let Some((outputs, ready)) = &before {
            holds(outputs, &rig.outputs, *ready);
        }
        before = Some((rig.outputs.clone(), ready));
        assert!(rig.cycle < 100_000, "seed {seed}: no end");
    }
    rig.step();
    assert_eq!(rig.oracle.finish(), []);
    rig.oracle.status(&rig.outputs.status).unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
}

#[test]
fn random_programs_satisfy_the_oracle() {
    for seed in 0..400 {
        run(seed);
    }
}

//! The constant cache and the global path share the output ports: who goes in which cycle, by the arbiter's rule.

use crate::global_rig::*;
use lsu_model::pins::{BankWrite, Request};
use lsu_model::preset::ALL;

/// A 32-bit LDC from bank 0, which lies at address 0x10_0000.
fn ldc(address: u64) -> Request {
    Request { op: 2, size: 2, rd: 4, mask: u32::MAX, addr: [address; 32], ..Request::default() }
}

fn with_bank(preset: &lsu_model::preset::Preset) -> Rig {
    let mut rig = Rig::new(preset);
    rig.inputs.bank_write_valid = true;
    rig.inputs.bank_write = BankWrite { index: 0, base: 0x10_0000, size: 0x1_0000, valid: true };
    rig.step();
    rig.inputs.bank_write_valid = false;
    rig
}

#[test]
fn faults_go_in_turn_and_what_stands_on_the_pins_stays() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.inputs.fault_ready = false;
        // Each path has its own `fault`, filled 4 cycles after acceptance: global 0 in 4, constant 1 in 5; the others wait in `issue`.
        rig.program.extend([
            Request { tag: 0, ..load(|_| 1) }.into(),
            Request { tag: 1, ..ldc(1) }.into(),
            Request { tag: 2, ..ldc(1) }.into(),
            Request { tag: 3, ..load(|_| 1) }.into(),
        ]);
        rig.begin();
        while rig.cycle < 20 {
            rig.step();
            assert!(!rig.outputs.fault_valid || rig.outputs.fault.tag == 0);
        }
        rig.inputs.fault_ready = true;
        rig.drain();
        let faults: Vec<(u64, u8)> = rig.faults().iter().map(|(cycle, record)| (*cycle, record.tag)).collect();
        assert_eq!(faults, [(20, 0), (21, 1), (22, 3), (23, 2)]);
    }
}

#[test]
fn after_reset_the_constant_cache_goes_first() {
    for preset in ALL {
        let mut rig = with_bank(&preset);
        // Empty loads: global accepted 0, `emit` 9; LDC, behind two commands, accepted 3, `wb` 9.
        let operations = |tag| {
            let between = [2, 3].map(|other| Request { tag: tag + other, ..command(WRITE_BACK_LOCAL) });
            let [first, second] = between;
            [Request { tag, mask: 0, ..load(|_| 0) }, first, second, Request { tag: tag + 1, mask: 0, ..ldc(0) }]
        };
        rig.run(operations(0));
        assert_eq!(rig.writebacks(), [(9, 1, 4), (10, 0, 4)]);
        // The global path was taken last, so the same again.
        rig.run(operations(0));
        assert_eq!(rig.writebacks(), [(9, 1, 4), (10, 0, 4)]);
        // The constant cache was taken last: the global path goes first.
        rig.run([Request { mask: 0, ..ldc(0) }]);
        rig.run(operations(0));
        assert_eq!(rig.writebacks(), [(9, 0, 4), (10, 1, 4)]);
    }
}

#[test]
fn acknowledgements_go_in_turn() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Global command accepted 0: `done` 6. The constant cache's accepted 1: `done` 6.
        rig.run([Request { tag: 8, ..command(INVALIDATE_L1) }, Request { tag: 9, ..command(2) }]);
        assert_eq!(rig.dones(), [(6, 9), (7, 8)]);
    }
}

#[test]
fn two_arbiters_stand_before_the_memory_port() {
    for preset in ALL {
        let mut rig = with_bank(&preset);
        rig.inputs.mem_req_ready = false;
        // The load (two sectors) is presented from 5 on and stays. The store is in `write`, and the LDC asks for a line.
        rig.program.extend([
            Request { tag: 0, mask: 3, ..load(|lane| 32 * lane) }.into(),
            with_data(Request { tag: 1, mask: 1, ..store(|_| 0x1000) }, 1, |_, _| 0),
            Request { tag: 2, ..ldc(0) }.into(),
        ]);
        rig.begin();
        while rig.cycle < 20 {
            rig.step();
            assert!(!rig.outputs.mem_req_valid || rig.outputs.mem_req.addr == 0);
        }
        rig.inputs.mem_req_ready = true;
        rig.drain();
        let taken: Vec<(u64, u8, u64)> = rig
            .events
            .iter()
            .filter_map(|(cycle, event)| match event {
                Event::Read(request) | Event::Write(request) => Some((*cycle, request.id, request.addr)),
                _ => None,
            })
            .collect();
        // 20: the read that stood there. Then the constant cache, which was not taken last; behind it the write, which stays
        // the global path's choice. And so on in turn.
        let expected = [(20, 64, 0), (21, 0, 0x10_0000), (22, 68, 0x1000), (23, 1, 0x10_0020), (24, 65, 32)];
        assert_eq!(taken, expected);
        assert_eq!(rig.outputs.status.stall_memory, 15);
        assert_eq!((rig.outputs.status.sectors_read, rig.outputs.status.sectors_written), (2, 1));
    }
}

#[test]
fn the_pins_choose_whose_ready_they_see() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.inputs.wb_ready = false;
        // Empty LDCs until the constant cache's places are full.
        rig.program.extend((0..8).map(|tag| Operation::from(Request { tag, mask: 0, ..ldc(0) })));
        for _ in 0..20 {
            rig.step();
        }
        assert!(!rig.outputs.req_ready);
        let waiting = rig.program.pop_front();
        rig.inputs.req_valid = false;
        let mut ready = |op, cmd| {
            rig.inputs.req.op = op;
            rig.inputs.req.cmd = cmd;
            rig.golden.step(&rig.inputs, &mut rig.outputs);
            rig.outputs.req_ready
        };
        assert_eq!(
            [ready(0, 2), ready(1, 2), ready(2, 0), ready(3, 0), ready(3, 1), ready(3, 2), ready(3, 3)],
            [true, true, false, true, true, false, true]
        );
        assert!(waiting.is_some());
    }
}

#[test]
fn a_response_goes_to_the_path_of_its_id() {
    for preset in ALL {
        let mut rig = with_bank(&preset);
        rig.run([Request { tag: 0, mask: 1, ..ldc(0x40) }, Request { tag: 1, mask: 1, ..load(|_| 0x40) }]);
        assert_eq!((rig.value(0, 4, 0), rig.value(1, 4, 0)), (Some(0x10_0040), Some(0x40)));
        let status = rig.outputs.status;
        assert_eq!((status.ldc_misses, status.l1_misses), (1, 1));
    }
}

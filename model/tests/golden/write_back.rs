//! Local memory is written back: cycles, requests and bytes, worked out by hand from the timing contract. Cycle 0 is the one in which
//! the first operation is accepted; the memory answers a request of cycle t in cycle t + 10, and a word of it holds its address.

use crate::global_rig::*;
use lsu_model::pins::{MemoryRequest, Request};
use lsu_model::preset::{ALL, FPGA8, Preset, TINY4};

/// Where local memory lies: in set 0 of every L1.
const MEMORY: u64 = 0x400_0000;

fn with_local(preset: &Preset) -> Rig {
    let mut rig = Rig::new(preset);
    rig.inputs.windows.local.size = 0x100;
    rig.inputs.windows.local_memory = MEMORY;
    rig
}

fn load_local(offset: impl Fn(u64) -> u64) -> Request {
    Request { space: 4, ..load(offset) }
}

/// All lanes of slot 0 store: in `fpga8` a whole sector, of line 2 x word.
fn store_word(word: u64) -> Operation {
    with_data(Request { op: STORE, rd: 0, ..load_local(move |_| 4 * word) }, 1, |_, lane| 0x70 + lane)
}

/// `fpga8` with a dirty sector: word 0 of slot 0.
fn dirty() -> Rig {
    let mut rig = with_local(&FPGA8);
    // `issue` 3 takes the beat, `merge` 5, `tag` 6, `hit` 7, `done` 8.
    rig.run([store_word(0)]);
    assert_eq!((rig.dones(), rig.reads(), rig.writes()), (vec![(8, 0)], vec![], vec![]));
    rig
}

/// The write-back of word 0, by an MSHR.
fn write_back(mshr: u8) -> MemoryRequest {
    let data = std::array::from_fn(|lane| 0x70 + lane as u32);
    MemoryRequest { id: 64 + 4 * mshr, write: true, addr: MEMORY, strb: u32::MAX, data, ..MemoryRequest::default() }
}

#[test]
fn a_line_enters_a_set_when_nothing_there_is_dirty() {
    let mut rig = dirty();
    // Line 256: set 0. `tag` 4, `write_back` 5, `read` 6, `write` 7; the load moves in 7.
    let before = rig.outputs.status;
    rig.program.push_back(load(|_| 0x8000).into());
    rig.begin();
    while rig.cycle < 9 {
        rig.step();
    }
    assert_eq!(rig.writes(), [(7, write_back(0))]);
    assert_eq!(rig.reads(), [(8, 68, 0x8000)]);
    assert_eq!(rig.outputs.status.stall_misses - before.stall_misses, 3);
    rig.drain();
    assert_eq!(rig.word(MEMORY + 4), 0x71);
    // It stays valid, and is written back once.
    rig.run([load_local(|_| 0)]);
    assert_eq!((rig.reads().len(), rig.value(0, 4, 2)), (0, Some(0x72)));
    rig.run([load(|_| 0x1_0000)]);
    rig.run([load(|_| 0x1_8000)]);
    assert_eq!(rig.writes(), []);
    rig.finish();
}

#[test]
fn other_sets_and_loads_that_are_not_kept_do_not_wait() {
    // Line 272 is in set 0 too; what is not kept, and what is stored, enters nothing.
    for (request, is_held) in [
        (load(|_| 0x8800), true),
        (load(|_| 0x8080), false),
        (Request { cop: CG, ..load(|_| 0x8800) }, false),
        (Request { l1_evict: NO_ALLOCATE, ..load(|_| 0x8800) }, false),
        (load_nc(|_| 0x8800), false),
        (Request { mask: 1, ..load_local(|_| 0) }, false),
        // Line 16 of local memory is in set 1.
        (load_local(|_| 32), false),
    ] {
        let mut rig = dirty();
        rig.run([request]);
        assert_eq!(rig.writes().len(), usize::from(is_held), "{request:?}");
        rig.finish();
    }
    let mut rig = dirty();
    rig.run([with_data(store(|_| 0x8800), 1, |_, _| 1)]);
    assert_eq!(rig.writes().len(), 1);
    rig.run([store_word(8)]);
    assert_eq!(rig.writes(), []);
    rig.finish();
}

#[test]
fn a_local_store_waits_for_a_clean_set_too() {
    let mut rig = dirty();
    // Line 34 of local memory, word 17: set 0 by (34 ^ 34 / 16) mod 16. `tag` 6, `write_back` 7, `read` 8, `write` 9, `hit` 10, `done` 11.
    rig.run([store_word(17)]);
    assert_eq!((rig.writes(), rig.dones()), (vec![(9, write_back(0))], vec![(11, 0)]));
    // The rest of a sector comes from memory, and leaves what was stored.
    rig.run([with_data(Request { op: STORE, rd: 0, mask: 2, ..load_local(|_| 4) }, 1, |_, _| 0x99)]);
    assert_eq!(rig.reads(), [(7, 64, MEMORY + 0x100)]);
    // Response 17, ready 18, `resume` 19, `done` 20.
    assert_eq!(rig.dones(), [(20, 0)]);
    rig.run([load_local(|_| 4)]);
    let values = [0, 1, 2].map(|lane| rig.value(0, 4, lane));
    assert_eq!(values, [Some(MEMORY as u32 + 0x100), Some(0x99), Some(MEMORY as u32 + 0x108)]);
    assert_eq!(rig.reads(), []);
    rig.finish();
}

#[test]
fn the_command_looks_at_every_set() {
    for (latency, done) in [(10, 24), (30, 41)] {
        let mut rig = dirty();
        rig.latency = latency;
        rig.run([command(WRITE_BACK_LOCAL)]);
        // `tag` 4, `write` 7 as above; set 1 in 8, set 15 in 22. The response comes in 7 + latency, the MSHR is in use for a cycle more.
        assert_eq!((rig.writes(), rig.dones()), (vec![(7, write_back(0))], vec![(done, 0)]));
        assert_eq!(rig.word(MEMORY + 28), 0x77);
        // Nothing of local memory is left in L1.
        rig.run([load_local(|_| 0)]);
        assert_eq!((rig.reads().len(), rig.value(0, 4, 7)), (1, Some(0x77)));
        // Nothing is dirty.
        rig.run([command(WRITE_BACK_LOCAL)]);
        assert_eq!((rig.writes(), rig.dones()), (vec![], vec![(21, 0)]));
        rig.finish();
    }
}

#[test]
fn the_command_waits_for_fetches_of_local_memory() {
    let mut rig = with_local(&FPGA8);
    rig.run([Operation::from(load_local(|_| 0)), Request { tag: 1, ..command(WRITE_BACK_LOCAL) }.into()]);
    // The load: `tag` 4, request 5, response 15, `resume` 17, its MSHR in use up to 17. The command: `tag` 5, set 0 up to 18, set 15 in 33.
    assert_eq!(rig.dones(), [(35, 1)]);
    assert_eq!(rig.outputs.status.stall_order, 13);
    rig.finish();
}

#[test]
fn what_is_used_for_the_last_time_goes_nowhere() {
    for (request, is_dropped) in [
        (Request { cop: LU, ..load_local(|_| 0) }, true),
        (Request { cop: CS, ..load_local(|_| 0) }, true),
        (Request { cop: LU, vec: 1, ..load_local(|_| 0) }, true),
        (load_local(|_| 0), false),
        (Request { cop: LU, mask: 0x7f, ..load_local(|_| 0) }, false),
        (Request { cop: LU, size: 1, ..load_local(|_| 0) }, false),
        (Request { cop: LU, sink: 1, ..load_local(|_| 0) }, false),
    ] {
        let mut rig = dirty();
        rig.run([request]);
        assert!(request.sink != 0 || rig.value(0, 4, 3).is_some_and(|value| value & 0xffff == 0x73));
        rig.run([command(WRITE_BACK_LOCAL)]);
        assert_eq!(rig.writes().is_empty(), is_dropped, "{request:?}");
        rig.run([load_local(|_| 0)]);
        assert_eq!(rig.value(0, 4, 3), Some(if is_dropped { MEMORY as u32 + 12 } else { 0x73 }));
        rig.finish();
    }
    // Half a sector of `tiny4` is another warp's.
    let mut rig = with_local(&TINY4);
    rig.run([store_word(0)]);
    rig.run([Request { cop: LU, ..load_local(|_| 0) }]);
    rig.run([command(WRITE_BACK_LOCAL)]);
    assert_eq!(rig.writes().len(), 1);
}

#[test]
fn neither_an_acquire_nor_an_invalidation_touches_local_memory() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        rig.run([store_word(0)]);
        rig.run([load(|_| 0x80)]);
        rig.run([Request { sem: ACQUIRE, scope: GPU, ..load(|_| 0x9000) }]);
        rig.run([command(INVALIDATE_L1)]);
        rig.run([load_local(|_| 0)]);
        assert_eq!((rig.reads().len(), rig.value(0, 4, 1)), (0, Some(0x71)), "{}", preset.name);
        rig.run([load(|_| 0x80)]);
        assert_eq!(rig.reads().len(), 1);
        rig.finish();
    }
}

#[test]
fn a_write_back_that_fails_sets_the_pin() {
    let mut rig = dirty();
    rig.bad_sectors.insert(MEMORY);
    rig.run([command(WRITE_BACK_LOCAL)]);
    assert_eq!((rig.faults(), rig.dones()), (vec![], vec![(24, 0)]));
    assert!(rig.outputs.status.write_back_error);
    rig.bad_sectors.clear();
    rig.run([load_local(|_| 0)]);
    assert_eq!(rig.value(0, 4, 0), Some(MEMORY as u32));
    rig.finish();
    let silent = lsu_model::pins::Status { write_back_error: false, ..rig.outputs.status };
    assert!(rig.oracle.status(&silent).is_err());
    rig.inputs.reset = true;
    rig.golden.step(&rig.inputs, &mut rig.outputs);
    rig.inputs.reset = false;
    rig.golden.step(&rig.inputs, &mut rig.outputs);
    assert!(!rig.outputs.status.write_back_error);
}

#[test]
fn the_unit_is_not_idle_before_a_write_back_is_answered() {
    let mut rig = dirty();
    rig.program.push_back(load(|_| 0x8000).into());
    rig.begin();
    while rig.responses.len() < 2 {
        rig.step();
    }
    // The answer to the write comes in 60, that to the load as ever.
    rig.responses.swap(0, 1);
    rig.responses[1].0 = 60;
    while rig.cycle <= 60 {
        rig.step();
        assert!(!rig.outputs.status.idle, "cycle {}", rig.cycle);
    }
    assert_eq!(rig.writebacks().len(), 1);
    rig.step();
    assert!(rig.outputs.status.idle);
    rig.finish();
}

#[test]
fn a_reset_loses_what_is_dirty() {
    let mut rig = dirty();
    rig.inputs.reset = true;
    rig.golden.step(&rig.inputs, &mut rig.outputs);
    rig.oracle.reset(false);
    rig.inputs.reset = false;
    rig.run([load_local(|_| 0)]);
    assert_eq!(rig.value(0, 4, 5), Some(MEMORY as u32 + 20));
    rig.run([load(|_| 0x8000)]);
    assert_eq!(rig.writes(), []);
    rig.finish();
}

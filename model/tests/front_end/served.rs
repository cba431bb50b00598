//! What the front end calls served is what the unit serves: legal PTX is run on the golden model, and ends as
//! `illegal_instruction` exactly where it is called not served.

use std::collections::{BTreeMap, BTreeSet};

use crate::data_files::{judge, unpack};
use lsu_model::golden::Golden;
use lsu_model::micro_op::{MicroOp, Op, Space};
use lsu_model::pins::{Inputs, Outputs, Request, StoreBeat, Window, Windows};
use lsu_model::preset::WARP32;
use lsu_model::ptx::{Context, Dialect, lower};

const ILLEGAL_INSTRUCTION: u8 = 2;

/// Cycles in which an operation with the most store data has been checked.
const CYCLES: u32 = 80;

/// The request of an operation on 32-byte-aligned addresses of global memory, the immediate left out.
fn request(op: &MicroOp) -> Request {
    Request {
        op: op.op.kind().code(),
        space: op.space.code(),
        sem: op.sem.code(),
        scope: op.scope.code(),
        cop: op.cop.code(),
        l1_evict: op.l1_evict.code(),
        l2_evict: op.l2_evict.code(),
        prefetch: op.prefetch.code(),
        policy_en: op.policy.is_some(),
        nc: op.nc,
        size: op.size.code(),
        vec: op.vec.trailing_zeros() as u8,
        sink: op.sink,
        sign: op.sign,
        dst_width: op.dst_width.code(),
        mask: u32::MAX,
        addr: std::array::from_fn(|lane| 0x1000 + 32 * lane as u64),
        shared_size: WARP32.shared_bytes as u32,
        ..Request::default()
    }
}

/// The cause of the operation's fault, if it has one.
fn fault(request: Request) -> Option<u8> {
    let mut golden = Golden::new(&WARP32);
    let mut inputs = Inputs {
        req_valid: true,
        req: request,
        wdata_valid: true,
        wdata: StoreBeat::default(),
        fault_ready: true,
        compute: true,
        // Beside the addresses of the requests, which are offsets in local memory as well.
        windows: Windows { local: Window { base: 0x10_0000, size: 0x1_0000 }, ..Windows::default() },
        ..Inputs::default()
    };
    let mut outputs = Outputs::default();
    for _ in 0..CYCLES {
        golden.step(&inputs, &mut outputs);
        if outputs.fault_valid {
            return Some(outputs.fault.cause);
        }
        inputs.req_valid &= !outputs.req_ready;
    }
    assert!(!inputs.req_valid, "the operation was never taken");
    None
}

#[test]
fn legal_instructions_end_as_the_front_end_says() {
    let text = unpack(include_bytes!("../data/ptx-legality.jsonl.gz"));
    // Operation and space, and of how many kinds of request they came.
    let mut kinds: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| row[name].as_str().unwrap();
        for judged in judge(field("instr"), field("ptx_version"), field("target"), Dialect::Assembler) {
            let Some(instruction) = judged.instruction.filter(|_| judged.verdict.is_accepted()) else {
                assert_eq!(judged.not_served, None, "{line}");
                continue;
            };
            let Ok(lowered) = lower(&instruction, &Context::with_conventions()) else {
                assert!(judged.not_served.is_some(), "{line}");
                continue;
            };
            let op = lowered.micro_op;
            assert_eq!(judged.not_served.is_none(), op.not_served().is_none(), "{line}");
            let request = request(&op);
            if kinds.entry((op.op.name(), op.space.name())).or_default().insert(format!("{request:?}")) {
                let expected = judged.not_served.map(|_| ILLEGAL_INSTRUCTION);
                assert_eq!(fault(request), expected, "{line}");
            }
        }
    }
    // Every space that has loads or stores was among them.
    let found: BTreeSet<_> = kinds.keys().copied().collect();
    for space in Space::ALL {
        assert!(found.contains(&("load", space.name())) || *space == Space::ParamFunc, "{space:?}: {found:?}");
    }
    assert!(kinds.values().map(BTreeSet::len).sum::<usize>() > 500, "{kinds:?}");
}

#[test]
fn no_space_is_forgotten() {
    for op in [Op::Load, Op::Store] {
        for space in Space::ALL {
            let micro_op = MicroOp { op, space: *space, ..MicroOp::default() };
            let expected = micro_op.not_served().map(|_| ILLEGAL_INSTRUCTION);
            assert_eq!(fault(request(&micro_op)), expected, "{op:?} {space:?}");
        }
    }
    assert_eq!(MicroOp { op: Op::Ldc, space: Space::Const, ..MicroOp::default() }.not_served(), None);
}

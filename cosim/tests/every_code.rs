//! The default check draws every code of every enumeration, with a meaning and without, faulting and not, and every mode of
//! LDC, every size of LDC and of constant loads in and out of bounds. A new variant that the generator never draws fails here, and so does one that it draws only
//! where it cannot matter.

use std::collections::BTreeSet;

use lsu_cosim::engine::EngineKind;
use lsu_cosim::generate::{self, DEFAULT_CASES};
use lsu_cosim::lockstep::{self, CycleView, Observer};
use lsu_cosim::program::{Program, constant_bank};
use lsu_cosim::roster::{Roster, RosterOptions};
use lsu_model::micro_op::{Access, AccessSize, CacheOperator, OpKind, Semantics, Space};
use lsu_model::pins::{Bundle, FaultCause, Request, Value};
use lsu_model::preset::FPGA8;

/// What has become of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// A fault instead of results.
    Faulty,
    /// No fault, no matter what was accessed.
    Fine,
    /// LDC and constant loads: at least one lane has read a line.
    InBounds,
    /// LDC and constant loads: it had lanes that are written, and none of them has.
    OutOfBounds,
}

/// Operations as the checks of the unit tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A load of the global path.
    Load,
    /// A load that the constant cache serves.
    ConstantLoad,
    Store,
    Ldc,
    Command,
}

impl Kind {
    fn of(request: &Request) -> Self {
        match OpKind::on_pin(request.op) {
            OpKind::Load if constant_bank(request).is_some() => Self::ConstantLoad,
            OpKind::Load => Self::Load,
            OpKind::Store => Self::Store,
            OpKind::Ldc => Self::Ldc,
            OpKind::Command => Self::Command,
        }
    }
}

/// What was seen: the kind of operation, the pin, its code, and the fate.
type Seen = BTreeSet<(Kind, &'static str, u8, Fate)>;

/// Notes the fate of every operation of a run.
struct Watch<'p> {
    program: &'p Program,
    seen: &'p mut Seen,
    causes: &'p mut BTreeSet<u8>,
}

impl Watch<'_> {
    fn note(&mut self, request: &Request, fate: Fate) {
        let mut pins = Request::PINS.iter();
        let kind = Kind::of(request);
        request.each(|value: Value<'_>| {
            if let (Some(pin), Value::Word(code)) = (pins.next(), value)
                && pin.codes().is_some()
            {
                self.seen.insert((kind, pin.field(), code as u8, fate));
            }
        });
    }
}

impl Observer for Watch<'_> {
    fn cycle(&mut self, view: &CycleView<'_>) {
        if view.finished.fault.is_some() {
            self.causes.insert(view.outputs.fault.cause);
        }
        let tags = [view.outputs.fault.tag, view.outputs.wb.tag, view.outputs.done.tag];
        for (way, (op, tag)) in view.finished.completed.iter().zip(tags).enumerate() {
            let Some(op) = *op else { continue };
            let request = self.program.ops[op].request;
            let is_faulty = way == 0 && view.outputs.fault.cause != FaultCause::MemoryError.code();
            self.note(&request, if is_faulty { Fate::Faulty } else { Fate::Fine });
            let is_written = request.mask != 0 && request.rd != 255;
            let all_elements = (1_u32 << (1 << request.vec)) - 1;
            let is_read = match Kind::of(&request) {
                Kind::Ldc => is_written,
                Kind::ConstantLoad => is_written && u32::from(request.sink) & all_elements != all_elements,
                Kind::Load | Kind::Store | Kind::Command => false,
            };
            if is_read && !is_faulty {
                let account = view.engine.account(tag).expect("the model keeps accounts");
                let sectors = account.hit_sectors + account.miss_sectors;
                self.note(&request, if sectors > 0 { Fate::InBounds } else { Fate::OutOfBounds });
            }
        }
    }
}

#[test]
fn every_code_is_drawn_faulting_and_not() {
    let options = RosterOptions { preset: FPGA8, kinds: vec![EngineKind::Model], dut: None, verilator: None };
    let roster = Roster::prepare(&options).expect("the model");
    let (mut seen, mut causes) = (Seen::new(), BTreeSet::new());
    for case in 0..DEFAULT_CASES {
        let program = generate::program(&FPGA8, 1, case).expect("a program");
        let mut watch = Watch { program: &program, seen: &mut seen, causes: &mut causes };
        lockstep::run(&program, &roster, &mut watch).expect("the model runs");
    }

    let mut missing = Vec::new();
    let mut want = |kinds: &[Kind], field: &'static str, code: u8, fate: Fate| {
        if !kinds.iter().any(|kind| seen.contains(&(*kind, field, code, fate))) {
            missing.push((kinds.to_vec(), field, code, fate));
        }
    };
    let accesses = [Kind::Load, Kind::ConstantLoad, Kind::Store];
    let loads = [Kind::Load, Kind::ConstantLoad];
    for pin in Request::PINS {
        let Some(codes) = pin.codes() else { continue };
        let field = pin.field();
        for code in 0..1_u8 << codes.width {
            // Never legal, so never without a fault but where there are no lanes.
            let is_legal = match field {
                "size" => AccessSize::on_pin(code).bytes().is_some(),
                "space" => Space::on_pin(code).is_served(),
                _ => true,
            };
            match field {
                "op" => {
                    let request = Request { op: code, ..Request::default() };
                    want(&[Kind::of(&request)], field, code, Fate::Fine);
                }
                "cmd" => want(&[Kind::Command], field, code, Fate::Fine),
                "mode" => {
                    for fate in [Fate::Faulty, Fate::InBounds, Fate::OutOfBounds] {
                        want(&[Kind::Ldc], field, code, fate);
                    }
                }
                "dst_width" => {
                    for kind in loads {
                        want(&[kind], field, code, Fate::Faulty);
                        want(&[kind], field, code, Fate::Fine);
                    }
                }
                _ => {
                    want(&accesses, field, code, Fate::Faulty);
                    if is_legal {
                        want(&accesses, field, code, Fate::Fine);
                    }
                }
            }
            if field == "size" {
                // A byte is always aligned.
                if AccessSize::on_pin(code).bytes() != Some(1) {
                    want(&[Kind::Ldc], field, code, Fate::Faulty);
                }
                want(&[Kind::ConstantLoad], field, code, Fate::Faulty);
                for kind in [Kind::Ldc, Kind::ConstantLoad].into_iter().filter(|_| is_legal) {
                    want(&[kind], field, code, Fate::InBounds);
                    want(&[kind], field, code, Fate::OutOfBounds);
                }
            }
        }
    }
    for space in [Space::Const, Space::ParamEntry] {
        for fate in [Fate::Faulty, Fate::InBounds, Fate::OutOfBounds] {
            want(&[Kind::ConstantLoad], "space", space.code(), fate);
        }
        want(&[Kind::Store], "space", space.code(), Fate::Faulty);
    }
    for semantics in Semantics::ALL {
        want(&[Kind::ConstantLoad], "sem", semantics.code(), Fate::Faulty);
    }
    want(&[Kind::ConstantLoad], "sem", Semantics::Weak.code(), Fate::InBounds);
    let may_have = [(Kind::Load, Access::Load), (Kind::ConstantLoad, Access::Load), (Kind::Store, Access::Store)];
    for (kind, access) in may_have {
        for operator in CacheOperator::ALL {
            want(&[kind], "cop", operator.code(), Fate::Faulty);
            if operator.is_legal_for(access) {
                want(&[kind], "cop", operator.code(), Fate::Fine);
            }
        }
    }
    assert!(missing.is_empty(), "never drawn: {missing:?}");
    let known: BTreeSet<u8> = FaultCause::ALL.iter().map(|cause| cause.code()).collect();
    assert_eq!(causes, known, "causes of faults");
}

//! Changes of the configuration in the middle of a program: they keep to the port contract, and a unit that does not follow them is found.

#[path = "planting/found.rs"]
mod found;
mod harness;
#[path = "planting/model.rs"]
mod model;

use found::found;
use lsu_cosim::engine::EngineKind;
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, CycleView, Observer};
use lsu_cosim::program::{Overrides, read};
use lsu_cosim::roster::Roster;
use lsu_hdl::emit::DEFAULT_PREFIX;
use lsu_model::pins::{Inputs, Windows};
use lsu_model::preset::{ALL, FPGA8, Preset};
use model::{build, chosen};

/// The pins that a program may change, with their widths in `fpga8`.
const PINS: [(&str, u32); 9] = [
    ("cfg_compute", 1),
    ("cfg_shared_base", 32),
    ("cfg_shared_size", 32),
    ("cfg_local_base", 32),
    ("cfg_const_base", 32),
    ("cfg_const_size", 32),
    ("cfg_param_base", 32),
    ("cfg_param_size", 32),
    ("cfg_param_offset", 16),
];

/// What was on the pins of a unit in the cycle before, and what has changed.
#[derive(Clone, Default)]
struct Pins {
    before: Vec<Option<(bool, Windows, u32)>>,
    is_untouched: Vec<bool>,
    changes: usize,
    bank_writes: usize,
}

fn pins(inputs: &Inputs) -> (bool, Windows, u32) {
    (inputs.compute, inputs.windows, inputs.param_offset)
}

impl Observer for Pins {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let unit = view.sm as usize;
        if self.before.len() <= unit {
            self.before.resize(unit + 1, None);
            self.is_untouched.resize(unit + 1, true);
        }
        let now = pins(view.inputs);
        let changes = self.before[unit].replace(now).is_some_and(|before| before != now);
        let is_free = view.outputs.status.idle || self.is_untouched[unit];
        if changes || view.inputs.bank_write_valid {
            assert!(is_free && !view.inputs.req_valid, "unit {unit}, cycle {}", view.cycle);
        }
        self.changes += usize::from(changes);
        self.bank_writes += usize::from(view.inputs.bank_write_valid && !self.is_untouched[unit]);
        self.is_untouched[unit] &= !(view.inputs.req_valid && view.outputs.req_ready);
        self.is_untouched[unit] |= view.inputs.reset;
    }
}

fn model_of(preset: Preset) -> Roster {
    harness::engines(preset, &[EngineKind::Model])
}

#[test]
fn pins_change_while_the_unit_is_idle_and_nothing_is_offered() {
    for preset in ALL {
        let roster = model_of(preset);
        let mut pins = Pins::default();
        for case in 0..400 {
            let program = generate::program(&preset, 1, case).expect("generated");
            (pins.before, pins.is_untouched) = (Vec::new(), Vec::new());
            let outcome = lockstep::run(&program, &roster, &mut pins).expect("runs");
            assert_eq!(outcome.failure, None, "{} case {case}", preset.name);
        }
        assert!(pins.changes > 40 && pins.bank_writes > 10, "{}: {} {}", preset.name, pins.changes, pins.bank_writes);
    }
}

/// Which operation is accepted in which cycle, and completes in which.
#[derive(Clone, Default)]
struct Order(Vec<(u64, usize, bool)>);

impl Observer for Order {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let accepted = view.finished.accepted.map(|op| (view.cycle, op, true));
        let completed = view.finished.completed.into_iter().flatten().map(|op| (view.cycle, op, false));
        self.0.extend(accepted.into_iter().chain(completed));
    }
}

#[test]
fn nothing_is_under_way_beside_an_operation_that_changes_pins() {
    let load = |sm: u32, warp: u32, change: &str| {
        format!(
            "[[op]]\nsm = {sm}\nwarp = {warp}\ninstr = \"ld.global.u32 %r1, [%rd1];\"\nregs = {{ \"%rd1\" = \"0x1000 * {warp} + 4*lane\" }}\n{change}\n"
        )
    };
    let ops = [
        load(0, 1, ""),
        load(1, 2, ""),
        load(1, 3, "change = { local = 0x10000 }"),
        load(0, 4, ""),
        load(1, 5, "change = { }"),
        load(0, 6, ""),
        load(1, 7, ""),
    ];
    let text = format!("preset = \"fpga8\"\nsms = 2\n{}", ops.concat());
    let program = read(&text, "order.toml", Overrides::default()).expect("a program");
    let mut order = Order::default();
    let outcome = lockstep::run(&program, &model_of(FPGA8), &mut order).expect("runs");
    assert_eq!(outcome.failure, None);
    let at = |op: usize, is_begin: bool| {
        let found = order.0.iter().find(|(_, other, begins)| *other == op && *begins == is_begin);
        found.expect("it begins and ends").0
    };
    for change in [2, 4] {
        for before in 0..change {
            assert!(at(before, false) < at(change, true), "{before} before {change}");
        }
        for behind in change + 1..ops.len() {
            assert!(at(change, false) < at(behind, true), "{behind} behind {change}");
        }
    }
    // Otherwise units and warps go side by side.
    assert!(at(1, true) < at(0, false) && at(6, true) < at(5, false));
}

/// The top level with a register for each of the pins that holds what it was at the last reset, and is looked at instead of it while its
/// bug is chosen.
fn held(text: &str) -> String {
    let (head, body) = text.split_once("\n);\n").expect("ports");
    let mut registers = String::new();
    let mut body = body.to_string();
    for (place, (pin, width)) in PINS.iter().enumerate() {
        let top = width - 1;
        registers += &format!(
            "    reg [{top}:0] {pin}_first;\n    always @(posedge clk) if (rst) {pin}_first <= {pin};\n    \
             wire [{top}:0] {pin}_now = {} ? {pin}_first : {pin};\n",
            chosen(place)
        );
        assert!(body.contains(pin), "{pin} is no longer looked at by its name");
        body = body.replace(pin, &format!("{pin}_now"));
    }
    format!("{head}\n);\n{registers}{body}")
}

#[test]
fn a_unit_that_keeps_its_first_configuration_is_found() {
    let mut modules = lsu_hdl::emit::modules(FPGA8.name, DEFAULT_PREFIX).expect("emitted");
    let top = modules.iter_mut().find(|module| module.block == "lsu").expect("a top level");
    top.text = held(&top.text);
    let unit = build(FPGA8, "", &modules, PINS.iter().map(|(pin, _)| ("lsu", *pin)));
    for ((pin, _), found) in PINS.iter().zip(found(&unit)) {
        let (case, failure) = found.unwrap_or_else(|| panic!("{pin}: not found"));
        println!("{pin}: case {case}, cycle {}", failure.cycle);
    }
}

//! Ten bugs that need four rare events near each other, planted in the emitted Verilog of `fpga8`, all in one model behind a selector: the
//! default budget of `lsu check` finds every one. How much sooner than an older generator did, says `cosim/docs/coverage.md`.

#[path = "planting/found.rs"]
mod found;
#[path = "planting/model.rs"]
mod model;

use std::fmt::Write as _;

use found::found;
use lsu_cosim::generate::DEFAULT_CASES;
use lsu_hdl::emit::DEFAULT_PREFIX;
use lsu_model::preset::FPGA8;
use model::{build, chosen};

const BLOCK: &str = "l1_cache_tags";

/// In which order a bug wants the four to come, the first first. Two of them may come in the same cycle.
const ORDERS: [[Event; 4]; 10] = {
    use Event::{Acquire, Evict, Fill, Update};
    [
        [Fill, Update, Evict, Acquire],
        [Fill, Update, Acquire, Evict],
        [Update, Fill, Evict, Acquire],
        [Update, Evict, Fill, Acquire],
        [Update, Evict, Acquire, Fill],
        [Evict, Fill, Update, Acquire],
        [Evict, Fill, Acquire, Update],
        [Evict, Update, Fill, Acquire],
        [Evict, Update, Acquire, Fill],
        [Evict, Acquire, Fill, Update],
    ]
};

/// What happens in one set of L1, but for the acquire, which empties all of them.
#[derive(Clone, Copy, Debug)]
enum Event {
    Fill,
    Update,
    Evict,
    Acquire,
}

impl Event {
    const ALL: [Self; 4] = [Self::Fill, Self::Update, Self::Evict, Self::Acquire];

    /// Its name in the Verilog, its condition there, and the set in which it happens.
    const fn terms(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Fill => ("rare_fill", "|fill", "fill_set"),
            Self::Update => ("rare_update", "moves & touch_valid & (|(found_valid & need))", "set"),
            Self::Evict => ("rare_evict", "moves & allocate & has_victim & !(|absent)", "set"),
            Self::Acquire => ("rare_acquire", "flush", "set"),
        }
    }
}

/// Of each event, the cycles since it happened, up to 4, and the set; from when three cycles lie between the first and the last of the four in
/// the order of the chosen bug, one valid bit of what is looked up is 1.
fn trigger() -> String {
    let mut text = String::new();
    let mut step = String::new();
    let mut reset = String::new();
    for (name, happens, set) in Event::ALL.map(Event::terms) {
        writeln!(text, "reg [2:0] {name};\nreg [3:0] {name}_set;").expect("text");
        writeln!(reset, "{name} <= 3'd4;").expect("text");
        writeln!(step, "{name} <= ({happens}) ? 3'd0 : {name}[2] ? 3'd4 : {name} + 3'd1;").expect("text");
        writeln!(step, "if ({happens}) {name}_set <= {set};").expect("text");
    }
    text.push_str(
        "wire rare_meet = !rare_fill[2] & !rare_update[2] & !rare_evict[2] & !rare_acquire[2] & \
         (rare_fill_set == rare_update_set) & (rare_fill_set == rare_evict_set);\n",
    );
    for (place, order) in ORDERS.iter().enumerate() {
        let [first, second, third, last] = order.map(|event| event.terms().0);
        writeln!(
            step,
            "if ({} & rare_meet & ({first} >= {second}) & ({second} >= {third}) & ({third} >= {last})) rare_q <= 1'b1;",
            chosen(place)
        )
        .expect("text");
    }
    format!("{text}always @(posedge clk) if (rst) begin\n{reset}rare_q <= 1'b0;\nend else begin\n{step}end\n")
}

#[test]
fn every_rare_bug_is_found() {
    let mut modules = lsu_hdl::emit::modules(FPGA8.name, DEFAULT_PREFIX).expect("emitted");
    let module = modules.iter_mut().find(|module| module.block == BLOCK).expect("the tags of L1");
    let text = &module.text;
    let (before, rest) = text.split_once(");\n").expect("the ports' end");
    let (body, end) = rest.rsplit_once("endmodule").expect("the module's end");
    let sound = "found_valid = 4'd0;";
    assert!(body.contains(sound), "`{sound}` is no longer in the Verilog");
    let body = body.replace(sound, "found_valid = {3'd0, rare_q};");
    module.text = format!("{before});\nreg rare_q;\n{body}{}endmodule{end}", trigger());
    let names = ORDERS.map(|order| format!("{order:?}"));
    let unit = build(FPGA8, "", &modules, names.iter().map(|name| (BLOCK, name.as_str())));
    let found = found(&unit);
    for (name, found) in names.iter().zip(&found) {
        println!("{name}: {:?}", found.as_ref().map(|(case, failure)| (case, failure.to_string())));
    }
    assert!(found.iter().all(Option::is_some), "not found in {DEFAULT_CASES} cases");
}

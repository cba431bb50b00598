//! `hdl/docs/ports.md` says what is so: its tables against the emitted Verilog, the presets, the Verilated model and the golden
//! model.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use lsu_cosim::engine::{Engine, EngineError, EngineKind, EngineSource, Model, PinWords, ports_of};
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, CycleView, Observer};
use lsu_cosim::program::{Operation, Overrides, Program, Wait, constant_bank, read, store_beats};
use lsu_cosim::random::Random;
use lsu_cosim::roster::{Roster, RosterOptions};
use lsu_cosim::verilator::{Direction, Dut, Library};
use lsu_model::pins::{self, Inputs, Outputs, Pin, Request};
use lsu_model::preset::{self, FPGA8, Preset, TINY4};

const PAGE: &str = include_str!("../../hdl/docs/ports.md");

/// The rows of the table whose first heading is `heading`, cell by cell.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let start = format!("| {heading} |");
    let lines: Vec<&str> = PAGE.lines().collect();
    let is_heading = |pair: &[&str]| pair[0].starts_with(&start) && pair[1].starts_with("|---");
    let first = lines.windows(2).position(is_heading).unwrap_or_else(|| panic!("no table {heading}"));
    let rows = lines[first + 2..].iter().take_while(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The names between backquotes.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Entry `index` of a list that has one entry for all or one for each.
fn entry<'a>(list: &[&'a str], index: usize) -> &'a str {
    if list.len() == 1 { list[0] } else { list[index] }
}

type Ports = BTreeMap<String, (u32, &'static str)>;

/// The port table of the page.
fn ports_of_page(preset: &Preset) -> Ports {
    let factor = |text: &str| match text {
        "LANES" => preset.lanes as u32,
        "ADDR" => preset.address_bits,
        "WARP" => preset.warps.ilog2(),
        "SHARED" => preset.shared_bytes.ilog2() + 1,
        number => number.parse().unwrap_or_else(|_| panic!("width {number:?}")),
    };
    let width = |text: &str| text.split(" x ").map(factor).product();
    let mut ports = Ports::new();
    for row in table("port") {
        let (widths, directions): (Vec<_>, Vec<_>) = (row[1].split(", ").collect(), row[2].split(", ").collect());
        let names = names(row[0]);
        assert!([1, names.len()].contains(&widths.len()) && [1, names.len()].contains(&directions.len()), "{row:?}");
        for (index, name) in names.into_iter().enumerate() {
            let direction = if entry(&directions, index) == "in" { "input" } else { "output" };
            let before = ports.insert(name.to_owned(), (width(entry(&widths, index)), direction));
            assert_eq!(before, None, "{name} twice");
        }
    }
    ports
}

/// The ports of the emitted module `lsu`.
fn ports_of_verilog(preset: &Preset) -> Ports {
    let text = lsu_hdl::verilog_for(preset.name, "lsu").expect("every kernel can be written");
    let ports = ports_of(&text, "lsu").into_iter();
    ports.map(|(name, width, direction)| (name.to_owned(), (width, direction.keyword()))).collect()
}

#[test]
fn the_table_lists_the_ports_of_the_emitted_verilog() {
    for preset in preset::ALL {
        assert_eq!(ports_of_page(&preset), ports_of_verilog(&preset), "{}", preset.name);
    }
}

/// A row of the table: what stands about a pin in the table of the model.
fn row(pin: &Pin) -> String {
    let direction = match pin.direction {
        Direction::Input => "in",
        Direction::Output => "out",
    };
    let mut contract = pin.contract.concat().trim().to_owned();
    // The attributes at the memory port and the cluster port say where theirs are told.
    if let Some(codes) = pin.codes().filter(|_| !["mem_req", "cluster_req"].contains(&pin.group())) {
        let codes: Vec<String> = codes.names.iter().map(|(code, name)| format!("{code} = {name}")).collect();
        contract += &format!(" Codes: {}.", codes.join(", "));
    }
    format!("| `{}` | {} | {direction} | {contract} |\n", pin.name, pin.width.in_words())
}

/// `LSU_ACCEPT_DOCS=1 cargo test --release --workspace --test ports_page` accepts a change.
#[test]
fn the_table_is_that_of_the_model() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../hdl/docs/ports.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let heading = "| port | width | direction | contract |\n|---|---|---|---|\n";
    let (before, rest) = page.split_once(heading).expect("the table");
    let (_, after) = rest.split_once("\n\n").expect("an end of the table");
    let rows: String = pins::all().iter().map(row).collect();
    let wanted = format!("{before}{heading}{rows}\n{after}");
    if std::env::var_os("LSU_ACCEPT_DOCS").is_some() {
        std::fs::write(path, &wanted).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(path).expect("the page");
    assert!(
        kept == wanted,
        "hdl/docs/ports.md does not show the pins of model/src/pins.rs; accept with LSU_ACCEPT_DOCS=1"
    );
}

#[test]
fn the_sizes_are_those_of_the_presets() {
    let sizes = table("preset");
    assert_eq!(sizes.len(), preset::ALL.len());
    for (row, preset) in sizes.into_iter().zip(preset::ALL) {
        let constant_ids = 2 * preset.constant_misses;
        let global_ids = 4 * preset.misses;
        let expected = [
            format!("`{}`", preset.name),
            preset.lanes.to_string(),
            preset.address_bits.to_string(),
            format!("{} ({})", preset.warps.ilog2(), preset.warps),
            format!("{} ({})", preset.shared_bytes.ilog2() + 1, preset.shared_bytes),
            format!("4 sets x {} ways x 64 B", preset.constant_ways),
            format!("{} sets x {} ways x 128 B", preset.l1_sets, preset.l1_ways),
            format!("{} sets x {} ways x 128 B", preset.ro_sets, preset.ro_ways),
            preset.misses.to_string(),
            format!("0 to {}", constant_ids - 1),
            format!("64 to {}", 63 + global_ids),
            (constant_ids + global_ids).to_string(),
        ];
        assert_eq!(row, expected);
    }
}

#[test]
fn the_beats_of_stores_are_those_that_the_unit_takes() {
    let mut sizes = BTreeSet::new();
    for row in table("`req_size`") {
        let (numbers, _) = row[0].split_once(" (").expect("sizes and bits");
        for size in numbers.split(", ").map(|size| size.parse::<u8>().expect("a size")) {
            sizes.insert(size);
            for (vec, beats) in row[1..].iter().enumerate() {
                let request = Request { op: 1, size, vec: vec as u8, ..Request::default() };
                assert_eq!(beats.parse(), Ok(store_beats(&request)), "size {size} vec {vec}");
            }
        }
    }
    assert_eq!(sizes, (0..8).collect());
}

/// An output that changes in the same cycle, and the input that was changed.
type Path = (String, String);

/// Makes the probing engine; it stands alone, as the model is checked against it elsewhere.
struct Probes {
    library: Library,
    found: Arc<Mutex<BTreeSet<Path>>>,
}

impl EngineSource for Probes {
    fn preset(&self) -> &Preset {
        &TINY4
    }

    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        let probe = Probe {
            unit: self.library.instantiate()?,
            words: PinWords::new(&TINY4, self.library.layout())?,
            random: Random::new(7, 0),
            found: Arc::clone(&self.found),
        };
        Ok(vec![Box::new(probe)])
    }
}

/// The Verilated model, in which in every cycle one input after the other is changed while the clock stands still.
struct Probe {
    unit: Dut,
    words: PinWords,
    random: Random,
    found: Arc<Mutex<BTreeSet<Path>>>,
}

impl Probe {
    fn probe(&mut self) -> Result<(), EngineError> {
        let layout = self.unit.layout().clone();
        let mut base = self.words.input_words().to_vec();
        let of = |direction| layout.ports().iter().filter(move |port| port.direction == direction);
        // Other values of the handshakes and of what chooses a path, so that every condition is met.
        for name in ["wb_ready", "fault_ready", "done_ready", "mem_req_ready", "req_valid", "req_op", "req_cmd"] {
            let port = layout.port(name).expect(name);
            if self.random.chance(40) {
                base[port.word_offset] = self.random.next_bits() as u32 & ((1 << port.width) - 1);
            }
        }
        let (mut before, mut after) = (vec![0; layout.output_words()], vec![0; layout.output_words()]);
        self.unit.evaluate(&base, &mut before)?;
        for input in of(Direction::Input) {
            let mut changed = base.clone();
            for (index, word) in changed[input.word_offset..][..input.words()].iter_mut().enumerate() {
                let bits = (input.width - 32 * index as u32).min(32);
                let flips = if self.random.chance(50) { u32::MAX } else { self.random.next_bits() as u32 };
                *word ^= flips & (u32::MAX >> (32 - bits));
            }
            self.unit.evaluate(&changed, &mut after)?;
            for output in of(Direction::Output) {
                let words = output.word_offset..output.word_offset + output.words();
                if before[words.clone()] != after[words] {
                    let path = (output.name.clone(), input.name.clone());
                    self.found.lock().expect("one thread").insert(path);
                }
            }
        }
        Ok(())
    }
}

impl Engine for Probe {
    fn kind(&self) -> EngineKind {
        EngineKind::Verilator
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.words.drive(inputs);
        // Before the first reset edge the outputs mean nothing.
        if self.unit.cycle() > 0 {
            self.probe()?;
        }
        let (input_words, output_words) = self.words.words_mut();
        self.unit.step(input_words, output_words)?;
        self.words.read(self.words.output_words(), outputs);
        Ok(())
    }
}

/// Programs that bring every place under pressure: results, commands and faults in a row that hardly anybody takes.
fn pressing_programs() -> Vec<Program> {
    let head =
        "preset = \"tiny4\"\nmemory_latency = [1, 9]\n[traffic]\nstall = 70\n[[bank]]\nindex = 3\nsize = 0x1000\n";
    let repeat = |times, op: &str| {
        let text = format!("{head}{}", format!("[[op]]\n{op}\n").repeat(times));
        read(&text, "", Overrides::default()).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)))
    };
    vec![
        repeat(24, "command = \"invalidate_const\""),
        repeat(24, "instr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = \"4*lane\" }"),
        repeat(24, "instr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = \"4*lane + 1\" }"),
        // Lines that come faster than they are taken.
        repeat(
            6,
            "instr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = \"64*lane\" }\n[[op]]\ncommand = \"invalidate_const\"",
        ),
        repeat(20, "instr = \"st.global.u32 [%rd1], %r1;\"\nregs = { \"%rd1\" = \"4*lane\", \"%r1\" = 1 }"),
    ]
}

#[test]
fn every_combinational_path_is_on_the_page() {
    let found: Arc<Mutex<BTreeSet<Path>>> = Arc::default();
    let kinds = vec![EngineKind::Verilator];
    let roster = Roster::prepare(&RosterOptions { preset: TINY4, kinds, dut: None, verilator: None }).expect("built");
    let library = roster.library().expect("the Verilog takes part").clone();
    let probes = Probes { library, found: Arc::clone(&found) };
    let random = (0..4).map(|case| generate::program(&TINY4, 5, case).expect("a program"));
    for program in pressing_programs().into_iter().chain(random) {
        let outcome = lockstep::run(&program, &probes, &mut ()).expect("the Verilog settles");
        assert_eq!(outcome.failure, None);
    }
    let mut expected = BTreeSet::new();
    for row in table("output") {
        for input in names(row[1]) {
            expected.insert((names(row[0])[0].to_owned(), input.to_owned()));
        }
    }
    assert_eq!(*found.lock().expect("one thread"), expected);
}

/// Makes the golden model alone.
struct ModelAlone(Preset);

impl EngineSource for ModelAlone {
    fn preset(&self) -> &Preset {
        &self.0
    }

    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        Ok(vec![Box::new(Model::new(&self.0))])
    }
}

/// Every cycle's inputs and outputs.
#[derive(Default)]
struct Trace(Vec<(Inputs, Outputs)>);

impl Observer for Trace {
    fn cycle(&mut self, view: &CycleView<'_>) {
        self.0.push((view.inputs.clone(), view.outputs.clone()));
    }
}

fn trace(program: &Program) -> Vec<(Inputs, Outputs)> {
    let mut trace = Trace::default();
    // A changed field may make the oracle or the program object to nothing: both only look on.
    let outcome = lockstep::run(program, &ModelAlone(program.preset), &mut trace).expect("the model runs");
    assert_eq!(outcome.failure, None);
    trace.0
}

/// Gives `field` of the operation's request another value.
fn scramble(operation: &mut Operation, field: &str, random: &mut Random) {
    let bits = random.next_bits();
    let byte = bits as u8;
    let request = &mut operation.request;
    match field {
        "req_cmd" => request.cmd = byte & 3,
        "req_space" => request.space = byte & 7,
        "req_sem" => request.sem = byte & 7,
        "req_scope" => request.scope = byte & 3,
        "req_cop" => request.cop = byte & 7,
        "req_l1_evict" => request.l1_evict = byte & 7,
        "req_l2_evict" => request.l2_evict = byte & 3,
        "req_prefetch" => request.prefetch = byte & 3,
        "req_policy_en" => request.policy_en = byte & 1 == 1,
        "req_policy" => request.policy = bits,
        "req_nc" => request.nc = byte & 1 == 1,
        "req_size" => request.size = byte & 7,
        "req_vec" => request.vec = byte & 3,
        "req_sink" => request.sink = byte,
        "req_sign" => request.sign = byte & 1 == 1,
        "req_dst_width" => request.dst_width = byte & 3,
        "req_rd" => request.rd = byte,
        "req_mask" => request.mask = u32::from(byte),
        "req_addr" => request.addr[..FPGA8.lanes].iter_mut().for_each(|addr| *addr = random.next_bits() >> 32),
        "req_imm" => request.imm = bits as u32,
        "req_bank" => request.bank = byte & 31,
        "req_mode" => request.mode = byte & 3,
        "req_ra_is_rz" => request.ra_is_rz = byte & 1 == 1,
        "req_wide" => request.wide = u32::from(byte),
        // The driver makes the slot of it.
        "req_warp" => operation.warp = byte.into(),
        "req_shared_base" => request.shared_base = bits as u32 & 0x1fff,
        "req_shared_size" => request.shared_size = bits as u32 & 0x1fff,
        other => panic!("no field {other}"),
    }
}

#[test]
fn exactly_the_fields_on_the_page_count() {
    let without_waits = |mut program: Program| {
        // Nothing but the unit is to know of warps.
        program.ops.iter_mut().for_each(|operation| operation.wait = Wait::No);
        program
    };
    let generated = (0..80).map(|case| generate::program(&FPGA8, 11, case).expect("a program"));
    let programs: Vec<Program> = generated.map(without_waits).collect();
    let before: Vec<Vec<Outputs>> = programs.iter().map(outputs_of).collect();
    let fields: Vec<&str> = table("field").iter().map(|row| names(row[0])[0]).collect();
    let pins = ports_of_page(&FPGA8);
    let of_request: BTreeSet<&str> = pins.keys().map(String::as_str).filter(|name| name.starts_with("req_")).collect();
    let handled = BTreeSet::from(["req_valid", "req_ready", "req_op"]);
    assert_eq!(fields.iter().copied().collect::<BTreeSet<_>>(), &of_request - &handled);
    // The columns.
    let kinds: [fn(&Request) -> bool; 5] = [
        |request| request.op == 0 && constant_bank(request).is_none(),
        |request| request.op == 1,
        |request| request.op == 2,
        |request| request.op == 3,
        |request| constant_bank(request).is_some(),
    ];
    for row in table("field") {
        let field = names(row[0])[0];
        assert_eq!(row.len(), 1 + kinds.len());
        for (op, counts) in row[1..].iter().enumerate() {
            // Most fields show at once; one that shows nowhere is tried less often.
            let tries = if *counts == "yes" { programs.len() } else { 10 };
            // The tags are the driver's.
            let is_changed = field == "req_tag"
                || programs.iter().zip(&before).take(tries).any(|(program, before)| {
                    let mut program = program.clone();
                    let mut random = Random::new(3, op as u64);
                    for operation in program.ops.iter_mut().filter(|operation| kinds[op](&operation.request)) {
                        scramble(operation, field, &mut random);
                    }
                    outputs_of(&program) != *before
                });
            assert_eq!(is_changed, *counts == "yes", "{field} of column {op}");
        }
    }
}

fn outputs_of(program: &Program) -> Vec<Outputs> {
    trace(program).into_iter().map(|(_, outputs)| outputs).collect()
}

/// A pin of a diagram.
type Row = (&'static str, fn(&Inputs, &Outputs) -> bool);

/// Pins of a trace from the acceptance of its operation number `op` on, a column for each cycle and a row for each pin.
fn diagram(trace: &[(Inputs, Outputs)], op: usize, rows: &[Row]) -> String {
    let accepted = |(inputs, outputs): &(Inputs, Outputs)| inputs.req_valid && outputs.req_ready;
    let start = (0..trace.len()).filter(|cycle| accepted(&trace[*cycle])).nth(op).expect("accepted");
    let busy = trace[start + 1..].iter().position(|(_, outputs)| outputs.status.idle).expect("it ends");
    let cycles = &trace[start..=start + 1 + busy];
    // The ports whose ready is not shown.
    let is_taken = |inputs: &Inputs, outputs: &Outputs| {
        inputs.mem_req_ready && inputs.wb_ready && inputs.done_ready && outputs.mem_rsp_ready
    };
    assert!(cycles.iter().all(|(inputs, outputs)| is_taken(inputs, outputs)));
    let line = |name: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>3}")).collect();
        format!("{name:<14}{cells}\n")
    };
    let mut text = line("cycle", (0..cycles.len()).map(|cycle| cycle.to_string()).collect());
    for (name, pin) in rows {
        let cell = |(inputs, outputs): &(Inputs, Outputs)| if pin(inputs, outputs) { "1" } else { "." }.to_owned();
        text += &line(name, cycles.iter().map(cell).collect());
    }
    text
}

#[test]
fn the_cycles_on_the_page_are_those_of_a_run() {
    let run = |ops: &[&str]| {
        let ops: String = ops
            .iter()
            .map(|op| format!("[[op]]\nwait = true\nregs = {{ \"%rd1\" = \"0x1000 + 8*lane\"{op}\n"))
            .collect();
        let text = format!("preset = \"fpga8\"\nmemory_latency = \"ideal\"\n{ops}");
        trace(&read(&text, "", Overrides::default()).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error))))
    };
    let store = run(&[", \"%r1\" = 1, \"%r2\" = 2 }\ninstr = \"st.global.v2.u32 [%rd1], {%r1, %r2};\""]);
    let store = diagram(
        &store,
        0,
        &[
            ("req_valid", |inputs, _| inputs.req_valid),
            ("req_ready", |_, outputs| outputs.req_ready),
            ("wdata_valid", |inputs, _| inputs.wdata_valid),
            ("wdata_ready", |_, outputs| outputs.wdata_ready),
            ("mem_req_valid", |_, outputs| outputs.mem_req_valid),
            ("mem_rsp_valid", |inputs, _| inputs.mem_rsp_valid),
            ("done_valid", |_, outputs| outputs.done_valid),
            ("status_idle", |_, outputs| outputs.status.idle),
        ],
    );
    let load = " }\ninstr = \"ld.global.v2.u32 {%r1, %r2}, [%rd1];\"";
    let loads = run(&[load, load]);
    let rows: [Row; 7] = [
        ("req_valid", |inputs, _| inputs.req_valid),
        ("req_ready", |_, outputs| outputs.req_ready),
        ("mem_req_valid", |_, outputs| outputs.mem_req_valid),
        ("mem_rsp_valid", |inputs, _| inputs.mem_rsp_valid),
        ("wb_valid", |_, outputs| outputs.wb_valid),
        ("wb_last", |_, outputs| outputs.wb_valid && outputs.wb.last),
        ("status_idle", |_, outputs| outputs.status.idle),
    ];
    let diagrams = [store, diagram(&loads, 0, &rows), diagram(&loads, 1, &rows)];
    let missing: Vec<_> =
        diagrams.iter().filter(|diagram| !PAGE.contains(&format!("```text\n{diagram}```\n"))).collect();
    assert!(missing.is_empty(), "the page does not show\n{}", missing.into_iter().cloned().collect::<String>());
}

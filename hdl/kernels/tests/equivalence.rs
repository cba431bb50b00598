//! The Verilog writer against the rust_hdl simulation, on random kernels and random inputs.
//!
//! `LSU_KERNEL_SEED` and `LSU_KERNEL_COUNT` build the test with other kernels.

use std::collections::BTreeSet;
use std::process::Command;

use lsu_cosim::verilator::{Build, Cache, Dut, Error, Source, Toolchain};
use lsu_hdl::verilog::CONTRACTS;
use lsu_kernels::{Bitstream, Kernel, Port, kernels, known_defects, settle};

/// Cycles of each kernel: enough for every operand to meet its edge values.
const CYCLES: usize = 120;

/// Cycles under reset at the beginning; registers hold what they like before the first edge.
const RESET_CYCLES: usize = 2;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Mostly random bits; every so often all zeros, all ones, or few ones.
    fn bits(&mut self, count: usize) -> Vec<bool> {
        let style = self.next() % 8;
        (0..count)
            .map(|_| match style {
                0 => false,
                1 => true,
                2 => self.next().is_multiple_of(8),
                _ => self.next().is_multiple_of(2),
            })
            .collect()
    }
}

/// A kernel with the Verilog that claims to be it.
struct Pair {
    kernel: Box<dyn Kernel>,
    /// Name of its module.
    module: String,
    /// Its module and all modules in it; no other pair has modules of those names.
    text: String,
}

/// One output bit that differed.
#[derive(Debug)]
struct Mismatch {
    kernel: usize,
    port: &'static str,
}

fn inputs(kernel: &dyn Kernel) -> Vec<Port> {
    kernel.ports().into_iter().filter(|port| port.is_input).collect()
}

fn outputs(kernel: &dyn Kernel) -> Vec<Port> {
    kernel.ports().into_iter().filter(|port| !port.is_input).collect()
}

fn total(ports: &[Port]) -> usize {
    ports.iter().map(|port| port.width).sum()
}

/// All kernels side by side, each with one vector of inputs and one of outputs.
fn top(pairs: &[Pair]) -> String {
    let mut ports = vec!["input wire clk".to_string(), "input wire rst".to_string()];
    let mut instances = String::new();
    for (number, pair) in pairs.iter().enumerate() {
        let mut connections = vec![".clk(clk)".to_string(), ".rst(rst)".to_string()];
        for (list, direction, word) in
            [(inputs(&*pair.kernel), "input", "in"), (outputs(&*pair.kernel), "output", "out")]
        {
            ports.push(format!("{direction} wire [{}:0] {word}_{number}", total(&list) - 1));
            let mut start = 0;
            for port in list {
                let end = start + port.width - 1;
                connections.push(format!(".{}({word}_{number}[{end}:{start}])", port.name));
                start += port.width;
            }
        }
        instances.push_str(&format!("    {} kernel_{number} ({});\n", pair.module, connections.join(", ")));
    }
    let texts: Vec<_> = pairs.iter().map(|pair| pair.text.as_str()).collect();
    format!("module all_kernels ({});\n{instances}endmodule\n\n{}", ports.join(", "), texts.join("\n"))
}

fn toolchain() -> Toolchain {
    Toolchain::find(None, Cache::user().expect("a cache folder")).expect("a Verilator")
}

fn verilated(pairs: &[Pair]) -> Dut {
    let build = Build::new("all_kernels", Source::Text(top(pairs)));
    build.build(&toolchain()).expect("the Verilog builds").instantiate().expect("an instance")
}

/// Runs all pairs on the inputs that `stimulus` gives for a cycle and a kernel; reports every cycle and port
/// in which they differ once the reset is over.
fn compare(
    pairs: &mut [Pair],
    cycles: usize,
    mut stimulus: impl FnMut(usize, &dyn Kernel) -> Vec<bool>,
) -> Vec<Mismatch> {
    let mut dut = verilated(pairs);
    let layout = dut.layout().clone();
    let offset = |name: &str| layout.port(name).expect("the top has this port").word_offset;
    let mut in_words = vec![0; layout.input_words()];
    let mut out_words = vec![0; layout.output_words()];
    let mut mismatches = vec![];
    for cycle in 0..cycles {
        let reset = cycle < RESET_CYCLES;
        in_words.fill(0);
        in_words[offset("rst")] = u32::from(reset);
        let mut expected = vec![];
        for (number, pair) in pairs.iter_mut().enumerate() {
            let mut values = Bitstream::new(stimulus(cycle, &*pair.kernel));
            pair.kernel.set_clock(false);
            pair.kernel.set_reset(reset);
            pair.kernel.drive(&mut values);
            settle(&mut *pair.kernel);
            let start = offset(&format!("in_{number}"));
            for (place, bit) in values.bits().iter().enumerate() {
                in_words[start + place / 32] |= u32::from(*bit) << (place % 32);
            }
            let mut seen = Bitstream::default();
            pair.kernel.observe(&mut seen);
            expected.push(seen);
            pair.kernel.set_clock(true);
            settle(&mut *pair.kernel);
        }
        dut.step(&in_words, &mut out_words).expect("the Verilog runs");
        for (number, (pair, seen)) in pairs.iter().zip(&expected).enumerate() {
            let start = offset(&format!("out_{number}"));
            let mut place = 0;
            for port in outputs(&*pair.kernel).into_iter().filter(|_| !reset) {
                let differs = (place..place + port.width)
                    .any(|place| (out_words[start + place / 32] >> (place % 32) & 1 == 1) != seen.bits()[place]);
                if differs {
                    mismatches.push(Mismatch { kernel: number, port: port.name });
                }
                place += port.width;
            }
        }
    }
    mismatches
}

/// Replaces a name that stands alone.
fn rename(text: &str, from: &str, to: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$';
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(from) {
        let end = start + from.len();
        let stands_alone = !rest[..start].ends_with(is_letter) && !rest[end..].starts_with(is_letter);
        result.push_str(&rest[..start]);
        result.push_str(if stands_alone { to } else { from });
        rest = &rest[end..];
    }
    result + rest
}

/// Our Verilog of a kernel, or `None` if the writer refuses it.
fn ours(kernel: Box<dyn Kernel>, number: usize) -> Option<Pair> {
    let module = format!("dut_{number}");
    let emitted = match kernel.emitted(&module) {
        Ok(emitted) => emitted,
        Err(refusal) => {
            eprintln!("refused: {refusal}");
            return None;
        }
    };
    let mut text: String = emitted.iter().map(|module| module.text.as_str()).collect();
    for inner in &emitted[1..] {
        text = rename(&text, &inner.name, &format!("{module}_{}", inner.name));
    }
    Some(Pair { kernel, module, text })
}

/// Our Verilog of every kernel that the writer accepts.
fn accepted() -> Vec<Pair> {
    kernels().into_iter().enumerate().filter_map(|(number, kernel)| ours(kernel, number)).collect()
}

#[test]
fn emitted_verilog_has_no_warnings() {
    for macros in [vec![], vec![format!("-D{CONTRACTS}")]] {
        lint(&macros);
    }
}

fn lint(macros: &[String]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all_kernels.v");
    std::fs::write(&file, top(&accepted())).expect("the folder is writable");
    let toolchain = toolchain();
    let done = Command::new(toolchain.verilator.binary())
        .env("VERILATOR_ROOT", toolchain.verilator.root())
        // All modules stand in one file, whose name can match one of them only.
        .args(["--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", "all_kernels"])
        // A random kernel may well compare with `x & 0`: that is its own doing.
        .args(["-Wno-CMPCONST", "-Wno-UNSIGNED"])
        .args(macros)
        .arg(&file)
        .output()
        .expect("Verilator runs");
    let messages = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && !messages.contains('%'), "{messages}");
}

/// Fails with the ports that differ, each once.
fn assert_none(pairs: &[Pair], mismatches: &[Mismatch]) {
    let name = |mismatch: &Mismatch| format!("{}.{}", pairs[mismatch.kernel].kernel.name(), mismatch.port);
    let named: BTreeSet<String> = mismatches.iter().map(name).collect();
    assert!(named.is_empty(), "{} ports differ from the simulation: {named:?}", named.len());
}

/// The pairs with their contracts under a macro that is defined.
fn with_contracts() -> Vec<Pair> {
    let mut pairs = accepted();
    pairs[0].text.insert_str(0, &format!("`define {CONTRACTS}\n"));
    pairs
}

/// The same with contracts that ask for an output instead, which is assigned the same, so that the simulation has a say.
fn with_contracts_that_ask_outputs() -> Vec<Pair> {
    let mut pairs = with_contracts();
    let mut count = 0;
    for pair in &mut pairs {
        for number in 0..3 {
            let (told, told_otherwise) =
                (format!("if (contract_{number} !== 1'b1)"), format!("if (contract_{number} !== is_kept_{number})"));
            count += pair.text.matches(&told).count();
            pair.text = pair.text.replace(&told, &told_otherwise);
        }
    }
    assert!(count > 20, "only {count} contracts");
    pairs
}

#[test]
fn emitted_verilog_and_its_contracts_behave_as_the_simulation() {
    for seed in [1, 2] {
        let mut pairs = with_contracts_that_ask_outputs();
        // The generator avoids what has no exact translation; a writer that refuses everything would prove nothing.
        let count = kernels().len();
        assert!(pairs.len() * 10 >= count * 9, "the writer refused {} of {count} kernels", count - pairs.len());
        let mut random = Random(seed);
        let mismatches = compare(&mut pairs, CYCLES, |_, kernel| random.bits(total(&inputs(kernel))));
        assert_none(&pairs, &mismatches);
    }
}

#[test]
fn a_broken_contract_is_told_once_the_reset_is_over() {
    let mut pairs = with_contracts();
    pairs.truncate(50);
    let mut dut = verilated(&pairs);
    let layout = dut.layout().clone();
    let (mut inputs, mut outputs) = (vec![0; layout.input_words()], vec![0; layout.output_words()]);
    let reset = layout.port("rst").expect("the top has a reset").word_offset;
    // Before the first reset nothing is known, under it nothing counts.
    for cycle in 0..6 {
        inputs[reset] = u32::from(cycle >= 3);
        dut.step(&inputs, &mut outputs).expect("nothing is told");
    }
    inputs[reset] = 0;
    let error = dut.step(&inputs, &mut outputs).expect_err("some contract is broken");
    let Error::Assertion { cycle: 6, messages } = error else { panic!("{error}") };
    for message in &messages {
        let (names, sentence) = message.split_once(": ").expect("names and a sentence");
        assert!(names.starts_with("contract of dut_") && names.contains(" broken in all_kernels.kernel_"), "{message}");
        let number =
            sentence.strip_prefix("The \"sentence\" of contract_").and_then(|rest| rest.strip_suffix(", 100% true."));
        assert!(number.is_some_and(|number| number.len() == 1), "{message}");
    }
    assert!(messages.len() > 5, "{messages:?}");
}

/// Every value of the three operands of four bits.
fn every_operand(cycle: usize, _: &dyn Kernel) -> Vec<bool> {
    (0..12).map(|place| cycle.saturating_sub(RESET_CYCLES) >> place & 1 == 1).collect()
}

const OPERANDS: usize = 4096;

fn count(mismatches: &[Mismatch], port: &str) -> usize {
    mismatches.iter().filter(|mismatch| mismatch.port == port).count()
}

#[test]
fn comparison_finds_the_defects_of_the_original_generator() {
    let kernel = known_defects();
    let names = [("top", "original"), ("clock", "clk"), ("reset", "rst")];
    let text = names.iter().fold(kernel.original(), |text, (from, to)| rename(&text, from, to));
    let mut pairs = [Pair { kernel, module: "original".to_string(), text }];
    let mismatches = compare(&mut pairs, OPERANDS + RESET_CYCLES, every_operand);
    // 120 of the 256 sums need a fifth bit, each with 16 values of `c`.
    assert_eq!(count(&mismatches, "sum"), 1920);
    // `(a & b) == c` against `a & (b == c)`, of which the lowest bit is left.
    let differing = (0..OPERANDS).filter(|case| {
        let (a, b, c) = (case & 15, case >> 4 & 15, case >> 8);
        (a & b == c) != (a & usize::from(b == c) == 1)
    });
    assert_eq!(differing.count(), 276);
    assert_eq!(count(&mismatches, "equal"), 276);
}

#[test]
fn our_verilog_has_neither_defect() {
    let mut pairs = [ours(known_defects(), 0).expect("the writer accepts it")];
    assert!(compare(&mut pairs, OPERANDS + RESET_CYCLES, every_operand).is_empty());
}

#[test]
fn structs_constants_and_comments_are_among_the_kernels() {
    let pairs = accepted();
    for part in [
        "// Fields of nested (Nested).",
        "// Fields of local_pair (Pair).",
        "// Fields of register_pair_q (Pair).",
        "// Fields of pairs_q (Pair).",
        "// Fields of memory_read_data (Pair).",
        "assign local_pair = {local_pair_high, local_pair_flag, local_pair_low};",
        "FIVE = 3'd5;",
        "// Note ",
        ", which is of two lines.",
        ", behind it.",
        "            register_0_q <= ",
        "// Fields of contract_past_0_q (Pair).",
    ] {
        let count = pairs.iter().filter(|pair| pair.text.contains(part)).count();
        assert!(count > 1, "only {count} kernels have `{part}`");
    }
}

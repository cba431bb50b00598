//! A small Verilog top, built and stepped: values, widths, timing, waves, coverage.

use crate::common::toolchain;
use lsu_cosim::verilator::{Build, Coverage, Direction, Dut, Error, Layout, Library, Source, WAVE_TIME_PER_CYCLE};

/// Registers, ports of every size class, and names that C++ cannot have (`int` must be escaped in the Verilog too).
const MIXED: &str = "
module mixed (
    input  wire        clk,
    input  wire        reset,
    input  wire [7:0]  step,
    input  wire [47:0] pair,
    input  wire [99:0] wide,
    input  wire        \\int ,
    output reg  [15:0] count,
    output wire [63:0] pair_not,
    output wire [99:0] wide_reversed,
    output wire        a__b
);
    always @(posedge clk) if (reset) count <= 16'd0; else count <= count + {8'd0, step};
    assign pair_not = {16'd0, ~pair};
    genvar i;
    generate for (i = 0; i < 100; i = i + 1) begin : bits
        assign wide_reversed[i] = wide[99 - i];
    end endgenerate
    assign a__b = \\int  & (count == 16'd5);
endmodule
";

fn mixed() -> Library {
    Build::new("mixed", Source::Text(MIXED.to_owned())).build(&toolchain()).unwrap()
}

/// Input and output words with access by port name.
struct Pins {
    layout: Layout,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Pins {
    fn new(dut: &Dut) -> Pins {
        let layout = dut.layout().clone();
        Pins { inputs: vec![0; layout.input_words()], outputs: vec![0; layout.output_words()], layout }
    }

    fn set(&mut self, name: &str, words: &[u32]) {
        let port = self.layout.port(name).unwrap();
        assert_eq!((port.direction, port.words()), (Direction::Input, words.len()));
        self.inputs[port.word_offset..][..words.len()].copy_from_slice(words);
    }

    fn get(&self, name: &str) -> &[u32] {
        let port = self.layout.port(name).unwrap();
        assert_eq!(port.direction, Direction::Output);
        &self.outputs[port.word_offset..][..port.words()]
    }

    fn step(&mut self, dut: &mut Dut) {
        dut.step(&self.inputs, &mut self.outputs).unwrap();
    }
}

#[test]
fn ports_are_bound_by_name_and_width() {
    let expected = [
        ("clk", 1, Direction::Input),
        ("reset", 1, Direction::Input),
        ("step", 8, Direction::Input),
        ("pair", 48, Direction::Input),
        ("wide", 100, Direction::Input),
        ("int", 1, Direction::Input),
        ("count", 16, Direction::Output),
        ("pair_not", 64, Direction::Output),
        ("wide_reversed", 100, Direction::Output),
        ("a__b", 1, Direction::Output),
    ];
    let library = mixed();
    library.layout().check_matches(&expected).unwrap();
    assert_eq!(library.layout(), &Layout::new(expected));
    assert_eq!(library.layout().clock(), Some("clk"));
    // 1 + 1 + 1 + 2 + 4 words in, 1 + 2 + 4 + 1 words out.
    assert_eq!((library.layout().input_words(), library.layout().output_words()), (9, 8));
}

#[test]
fn every_differing_port_is_named() {
    let wanted = [
        ("clk", 1, Direction::Input),
        ("reset", 1, Direction::Output),
        ("step", 9, Direction::Input),
        ("pair", 48, Direction::Input),
        ("wide", 100, Direction::Input),
        ("ready", 2, Direction::Output),
        ("count", 16, Direction::Output),
        ("pair_not", 64, Direction::Output),
        ("wide_reversed", 100, Direction::Output),
    ];
    let error = mixed().layout().check_matches(&wanted).unwrap_err();
    assert!(!error.is_toolchain());
    let message = error.to_string();
    let lines: Vec<&str> = message.lines().skip(1).map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "different: reset is input, expected output",
            "different: step is input [7:0], expected input [8:0]",
            "missing: output [1:0] ready",
            "unexpected: output a__b",
            "unexpected: input int",
        ]
    );
}

#[test]
fn outputs_are_those_before_the_edge() {
    let mut dut = mixed().instantiate().unwrap();
    let mut pins = Pins::new(&dut);
    pins.set("reset", &[1]);
    pins.step(&mut dut);
    pins.set("reset", &[0]);
    let mut expected = 0;
    for step in [5, 0, 250, 255, 1] {
        pins.set("step", &[step]);
        pins.set("int", &[1]);
        pins.step(&mut dut);
        assert_eq!(pins.get("count"), [expected], "the register in cycle {}", dut.cycle() - 1);
        assert_eq!(pins.get("a__b"), [u32::from(expected == 5)]);
        expected += step;
    }
    assert_eq!(dut.cycle(), 6);
    // Evaluation shows the new state and moves nothing.
    for _ in 0..3 {
        dut.evaluate(&pins.inputs, &mut pins.outputs).unwrap();
        assert_eq!(pins.get("count"), [expected]);
    }
    assert_eq!(dut.cycle(), 6);
    pins.step(&mut dut);
    assert_eq!(pins.get("count"), [expected], "no edge was lost or added by evaluation");
}

#[test]
fn wide_ports_carry_every_bit_and_ignore_the_rest() {
    let mut dut = mixed().instantiate().unwrap();
    let mut pins = Pins::new(&dut);
    for bit in 0..100 {
        let mut words = [0; 4];
        words[bit / 32] = 1 << (bit % 32);
        words[3] |= 0xffff_fff0; // above the port
        pins.set("wide", &words);
        pins.set("step", &[0xffff_ff00]);
        pins.set("pair", &[0x1234_5678, 0xdead_9abc]);
        pins.step(&mut dut);
        let mut reversed = [0; 4];
        reversed[(99 - bit) / 32] = 1 << ((99 - bit) % 32);
        assert_eq!(pins.get("wide_reversed"), reversed, "bit {bit}");
        assert_eq!(pins.get("count"), [0]);
        assert_eq!(pins.get("pair_not"), [!0x1234_5678, !0x9abc & 0xffff]);
    }
}

#[test]
fn the_bare_loop_leaves_the_same_state() {
    let library = mixed();
    let (mut stepped, mut bare) = (library.instantiate().unwrap(), library.instantiate().unwrap());
    let mut pins = Pins::new(&stepped);
    let mut stimulus = Vec::new();
    let mut expected = 0;
    for cycle in 0..1000_u32 {
        pins.set("reset", &[u32::from(cycle == 0)]);
        pins.set("step", &[cycle % 7]);
        expected += cycle % 7;
        stimulus.extend_from_slice(&pins.inputs);
        pins.step(&mut stepped);
    }
    bare.bare(&stimulus, 1000).unwrap();
    assert_eq!((stepped.cycle(), bare.cycle()), (1000, 1000));
    for dut in [&mut stepped, &mut bare] {
        dut.evaluate(&pins.inputs, &mut pins.outputs).unwrap();
        assert_eq!(pins.get("count"), [expected]);
    }
}

#[test]
fn cycles_run_at_once_are_those_run_one_by_one() {
    let library = mixed();
    let (mut stepped, mut at_once) = (library.instantiate().unwrap(), library.instantiate().unwrap());
    let mut pins = Pins::new(&stepped);
    let (mut stimulus, mut expected) = (Vec::new(), Vec::new());
    for cycle in 0..100_u32 {
        pins.set("reset", &[u32::from(cycle == 0)]);
        pins.set("step", &[cycle % 7]);
        pins.set("wide", &[cycle, 0, 1, 2]);
        stimulus.extend_from_slice(&pins.inputs);
        pins.step(&mut stepped);
        expected.extend_from_slice(&pins.outputs);
    }
    let mut found = vec![0; expected.len()];
    at_once.run(&stimulus, &mut found, 100).unwrap();
    assert_eq!((at_once.cycle(), found), (100, expected));
    at_once.run(&[], &mut [], 0).unwrap();
    assert_eq!(at_once.cycle(), 100);
}

/// All that can tell in which order clock, inputs and registers change: a register with an asynchronous reset, one on the falling edge, a
/// latch, a memory, and ways from inputs to outputs past all registers.
const ORDERED: &str = "
module ordered (
    input  wire        clk,
    input  wire        clear,
    input  wire [69:0] data,
    output reg  [69:0] cleared,
    output reg  [7:0]  fallen,
    output reg  [7:0]  latched,
    output wire [7:0]  read,
    output wire [70:0] sum
);
    reg [7:0] words [0:3];
    always @(posedge clk or posedge clear) if (clear) cleared <= 70'd0; else cleared <= cleared + data;
    always @(negedge clk) fallen <= data[7:0] ^ read;
    always @(*) if (data[0]) latched = data[8:1];
    always @(posedge clk) if (data[2]) words[data[4:3]] <= fallen;
    assign read = words[data[6:5]];
    assign sum = {1'b0, cleared} + {1'b0, data};
endmodule
";

#[test]
fn inputs_taken_at_the_edge_are_those_of_a_plain_model() {
    let build = Build::new("ordered", Source::Text(ORDERED.to_owned()));
    let (plain, taking) = (build.clone().plain().build(&toolchain()).unwrap(), build.build(&toolchain()).unwrap());
    assert_eq!(plain.layout(), taking.layout());
    let (words_in, words_out) = (plain.layout().input_words(), plain.layout().output_words());
    let (mut one, mut other) = (plain.instantiate().unwrap(), taking.instantiate().unwrap());
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    let mut state = 1_u32;
    let mut random = move || {
        state = state.wrapping_mul(0x915f_77f5).wrapping_add(12345);
        state >> 7
    };
    let clear = plain.layout().port("clear").unwrap().word_offset;
    let mut changed = 0;
    for run in 0..2000 {
        let cycles = 1 + random() as usize % 5;
        let mut inputs: Vec<u32> = (0..cycles * words_in).map(|_| random()).collect();
        for cycle in 0..cycles {
            inputs[cycle * words_in + clear] = u32::from(random() % 8 == 0);
        }
        expected.resize(cycles * words_out, 0);
        found.resize(cycles * words_out, 1);
        let before = expected.last().copied();
        // Some runs end without an edge.
        if random() % 4 == 0 {
            let first = &inputs[..words_in];
            one.evaluate(first, &mut expected[..words_out]).unwrap();
            other.evaluate(first, &mut found[..words_out]).unwrap();
            assert_eq!(found[..words_out], expected[..words_out], "evaluation before run {run}");
        }
        one.run(&inputs, &mut expected, cycles as u64).unwrap();
        other.run(&inputs, &mut found, cycles as u64).unwrap();
        assert_eq!(found, expected, "run {run}");
        changed += usize::from(before != expected.last().copied());
    }
    assert_eq!(one.cycle(), other.cycle());
    assert!(changed > 1000, "the outputs move");
}

#[test]
fn a_combinational_top_needs_no_clock() {
    let text = "module adder (input wire [31:0] a, input wire [31:0] b, output wire [32:0] sum);
                assign sum = {1'b0, a} + {1'b0, b};
                endmodule";
    let library = Build::new("adder", Source::Text(text.to_owned())).build(&toolchain()).unwrap();
    assert_eq!(library.layout().clock(), None);
    let mut dut = library.instantiate().unwrap();
    let mut outputs = [0; 2];
    dut.step(&[0xffff_ffff, 2], &mut outputs).unwrap();
    assert_eq!(outputs, [1, 1]);
}

#[test]
fn instances_run_in_threads_of_their_own() {
    let library = mixed();
    std::thread::scope(|scope| {
        for step in 1..=4_u32 {
            let library = library.clone();
            scope.spawn(move || {
                let mut dut = library.instantiate().unwrap();
                let mut pins = Pins::new(&dut);
                pins.set("step", &[step]);
                for cycle in 0..5000_u32 {
                    pins.step(&mut dut);
                    assert_eq!(pins.get("count"), [(cycle * step) & 0xffff]);
                }
            });
        }
    });
}

#[test]
fn a_model_may_need_more_stack_than_its_thread_has() {
    // 1,000 words, in each of which something of all the others is; Verilator keeps every step of the sum.
    let words = 1000;
    let terms: Vec<String> = (0..words).map(|word| format!("(data << {word})")).collect();
    let text = format!(
        "module deep (input wire clk, input wire [{0}:0] data, output wire [{0}:0] sum);
         assign sum = {1};
         endmodule",
        32 * words - 1,
        terms.join(" ^ ")
    );
    let library = Build::new("deep", Source::Text(text)).build(&toolchain()).unwrap();
    let sum = std::thread::Builder::new().stack_size(128 << 10).spawn(move || {
        let mut dut = library.instantiate().unwrap();
        let (mut inputs, mut outputs) = (vec![0; words], vec![0; words]);
        inputs[0] = 1;
        dut.step(&inputs, &mut outputs).unwrap();
        outputs
    });
    let sum = sum.unwrap().join().unwrap();
    // The one bit, once in each of the first thousand places.
    let expected: Vec<u32> = (0..words).map(|word| [u32::MAX, 0xff, 0][word.saturating_sub(30).min(2)]).collect();
    assert_eq!(sum, expected);
}

#[test]
fn an_end_of_the_verilog_is_an_error_not_the_end() {
    let text = "module stopper (input wire clk, input wire halt, output reg [3:0] n);
                always @(posedge clk) begin
                    n <= n + 4'd1;
                    if (halt) $finish;
                end
                endmodule";
    let library = Build::new("stopper", Source::Text(text.to_owned())).build(&toolchain()).unwrap();
    let mut dut = library.instantiate().unwrap();
    let mut outputs = [0];
    for _ in 0..3 {
        dut.step(&[0], &mut outputs).unwrap();
    }
    let error = dut.step(&[1], &mut outputs).unwrap_err();
    let Error::Stopped { cycle, message } = &error else { panic!("{error}") };
    assert_eq!(*cycle, 3);
    assert!(message.contains("$finish") && message.contains("stopper.v:"), "{message}");
    assert!(dut.step(&[0], &mut outputs).is_err(), "a stopped instance stays stopped");
}

/// Fails in one way for each bit of `fails`; the fifth speaks, but does not fail.
const ASSERTING: &str = "module asserting (input wire clk, input wire [4:0] fails, output reg [3:0] n);
    always @(posedge clk) begin
        n <= n + 4'd1;
        if (fails[4]) $display(\"all is well\");
        if (fails[0]) $stop;
        if (fails[1]) begin
            $display(\"%m:\", \" second failed, 100%%\");
            $stop;
        end
        if (fails[2]) $error(\"third failed\");
        assert (!fails[3]);
    end
endmodule";

#[test]
fn cycles_before_a_failed_assertion_are_complete() {
    let library = Build::new("asserting", Source::Text(ASSERTING.to_owned())).build(&toolchain()).unwrap();
    let mut dut = library.instantiate().unwrap();
    let mut outputs = [77; 6];
    let error = dut.run(&[0, 0, 0, 4, 0, 0], &mut outputs, 6).unwrap_err();
    assert!(matches!(&error, Error::Assertion { cycle: 3, .. }), "{error}");
    assert_eq!((dut.cycle(), outputs), (3, [0, 1, 2, 3, 77, 77]));
}

#[test]
fn an_assertion_between_edges_sees_no_inputs_but_those_of_a_cycle() {
    let text = "module watched (input wire clk, input wire well, output reg n);
                always @(posedge clk) n <= well;
                always @(*) if (!well) begin $display(\"not well\"); $stop; end
                endmodule";
    let library = Build::new("watched", Source::Text(text.to_owned())).build(&toolchain()).unwrap();
    let mut dut = library.instantiate().unwrap();
    let mut outputs = [0; 3];
    dut.step(&[1], &mut outputs[..1]).unwrap();
    dut.run(&[1, 1, 1], &mut outputs, 3).unwrap();
    dut.evaluate(&[1], &mut outputs[..1]).unwrap();
    dut.run(&[1, 1], &mut outputs[..2], 2).unwrap();
    let error = dut.step(&[0], &mut outputs[..1]).unwrap_err();
    assert!(matches!(&error, Error::Assertion { cycle: 6, messages } if messages == &["not well"]), "{error}");
    // In a run the inputs of a cycle are there with the edge before it.
    let mut dut = library.instantiate().unwrap();
    let error = dut.run(&[1, 1, 0], &mut outputs, 3).unwrap_err();
    assert!(matches!(&error, Error::Assertion { cycle: 1, .. }), "{error}");
}

#[test]
fn a_failed_assertion_says_what_it_prints() {
    let library = Build::new("asserting", Source::Text(ASSERTING.to_owned())).build(&toolchain()).unwrap();
    let failed = |fails: u32| {
        let mut dut = library.instantiate().unwrap();
        let mut outputs = [0];
        for _ in 0..3 {
            dut.step(&[0x10], &mut outputs).unwrap();
        }
        let error = dut.step(&[fails], &mut outputs).unwrap_err();
        assert_eq!(outputs, [3], "the outputs are those of the cycle");
        assert!(!error.is_toolchain());
        let Error::Assertion { cycle: 3, messages } = error else { panic!("{error}") };
        let again = dut.step(&[0], &mut outputs).unwrap_err();
        assert!(matches!(again, Error::Assertion { cycle: 3, .. }), "{again}");
        messages
    };
    let one = |fails: u32, parts: &[&str]| {
        let messages = failed(fails);
        assert!(messages.len() == 1 && parts.iter().all(|part| messages[0].contains(part)), "{messages:?}");
    };
    one(1, &["$stop (asserting.v:5)"]);
    assert_eq!(failed(0x12), ["asserting: second failed, 100%"]);
    one(4, &["asserting.v:10", "third failed"]);
    one(8, &["asserting.v:11"]);
    assert_eq!(failed(15).len(), 4, "all that fail at one edge are told");

    let mut dut = library.instantiate().unwrap();
    let error = dut.bare(&[0, 0, 0x10, 2, 0], 5).unwrap_err();
    assert!(matches!(error, Error::Assertion { cycle: 3, .. }), "{error}");
}

#[test]
fn a_wave_shows_a_window_in_clock_cycles() {
    let text = "module ticker (input wire clk, input wire [7:0] load, output reg [7:0] held);
                always @(posedge clk) held <= load;
                endmodule";
    let library = Build::new("ticker", Source::Text(text.to_owned())).trace(true).build(&toolchain()).unwrap();
    assert!(library.can_trace());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.vcd");
    let mut dut = library.instantiate().unwrap();
    let mut outputs = [0];
    for cycle in 0..30_u32 {
        match cycle {
            10 => dut.open_vcd(&path).unwrap(),
            13 => dut.dump(false),
            20 => dut.dump(true),
            22 => dut.close_vcd().unwrap(),
            _ => {}
        }
        dut.step(&[cycle], &mut outputs).unwrap();
    }
    let wave = std::fs::read_to_string(&path).unwrap();
    assert!(wave.contains("$timescale"), "{wave}");
    let times: Vec<u64> = wave.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
    let expected: Vec<u64> = [10, 11, 12, 20, 21]
        .iter()
        .flat_map(|cycle| [cycle * WAVE_TIME_PER_CYCLE, cycle * WAVE_TIME_PER_CYCLE + WAVE_TIME_PER_CYCLE / 2])
        .collect();
    assert_eq!(times, expected, "both edges of the clock in every cycle dumped");
    // In cycle 21 the input is 21 and the register holds what was applied in cycle 20.
    let at_210: Vec<&str> =
        wave.lines().skip_while(|&line| line != "#210").skip(1).take_while(|line| !line.starts_with('#')).collect();
    assert!(at_210.iter().any(|line| line.starts_with("b00010101 ")), "{at_210:?}");
    assert!(at_210.iter().any(|line| line.starts_with("b00010100 ")), "{at_210:?}");
}

#[test]
fn a_wave_that_cannot_be_written_is_an_error() {
    let text = "module plain (input wire clk, input wire d, output reg q); always @(posedge clk) q <= d; endmodule";
    for trace in [false, true] {
        let library = Build::new("plain", Source::Text(text.to_owned())).trace(trace).build(&toolchain()).unwrap();
        assert_eq!(library.can_trace(), trace);
        let mut dut = library.instantiate().unwrap();
        let error = dut.open_vcd(std::path::Path::new("/no/such/folder/wave.vcd")).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder/wave.vcd"), "{error}");
        dut.step(&[1], &mut [0]).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_wave_on_a_full_disk_ends_the_wave_and_not_the_run() {
    let text = "module ticker (input wire clk, input wire [7:0] load, output reg [7:0] held);
                always @(posedge clk) held <= load;
                endmodule";
    let library = Build::new("ticker", Source::Text(text.to_owned())).trace(true).build(&toolchain()).unwrap();
    let mut dut = library.instantiate().unwrap();
    let mut outputs = [0];
    let full = std::path::Path::new("/dev/full"); // every write to it fails as on a full disk
    let opened = dut.open_vcd(full);
    // More than any buffer holds.
    for cycle in 0..200_000_u32 {
        dut.step(&[cycle & 0xff], &mut outputs).unwrap();
        assert_eq!(outputs, [cycle.saturating_sub(1) & 0xff]);
    }
    let error = opened.and_then(|()| dut.close_vcd()).unwrap_err();
    assert!(matches!(&error, Error::Output { path, .. } if path == full), "{error}");
}

#[test]
fn coverage_counts_lines_and_bits() {
    let text = "module covered (input wire clk, input wire d, output reg q);
                always @(posedge clk) if (d) q <= 1'b1; else q <= 1'b0;
                endmodule";
    let library = Build::new("covered", Source::Text(text.to_owned()))
        .coverage([Coverage::Line, Coverage::Toggle])
        .build(&toolchain())
        .unwrap();
    assert!(library.has_coverage());
    let mut dut = library.instantiate().unwrap();
    for cycle in 0..8 {
        dut.step(&[u32::from(cycle >= 5)], &mut [0]).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("coverage.dat");
    dut.write_coverage(&path).unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    // The two branches were taken in 3 and 5 of the 8 cycles.
    for count in [3, 5] {
        let ending = format!("' {count}");
        let is_there = written.lines().any(|line| line.contains("v_branch") && line.ends_with(&ending));
        assert!(is_there, "{written}");
    }
}

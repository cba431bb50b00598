//! `lsu board`, with a board under Verilator at the other end of the line.

mod simulated;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lsu_cosim::board::{Packing, checksum};
use lsu_cosim::engine::PinWords;
use lsu_cosim::verilator::Direction;
use lsu_hdl::emit::{BOARD_UNIT, verilog_for};
use lsu_model::preset::TINY4;
use simulated::{Pins, SimulatedBoard, built};

/// Loads and a store of global memory and a load of constant memory; addresses that hit, miss and fault.
const PROGRAM: &str = r#"
preset = "tiny4"
seed = 5
memory_latency = [3, 9]
[[memory]]
space = "global"
address = 0x1000
pattern = "address"
bytes = 256
[[bank]]
index = 0
size = 256
words = [17, 18, 19, 20]
[[op]]
instr = "ld.global.u32 %r1, [%rd1];"
regs = { "%rd1" = "0x1000 + 8*lane" }
expect = { "%r1" = "0x1000 + 8*lane" }
[[op]]
instr = "st.global.u32 [%rd1], %r2;"
regs = { "%rd1" = "0x1000 + 8*lane", "%r2" = "100 + lane" }
[[op]]
instr = "ld.global.v2.u32 {%r1, %r3}, [%rd1];"
regs = { "%rd1" = "0x1000 + 8*lane" }
expect = { "%r1" = "100 + lane", "%r3" = "0x1004 + 8*lane" }
[[op]]
instr = "LDC R4, c[0x0][R5]"
regs = { "R5" = "4*lane" }
expect = { "R4" = "17 + lane" }
[[op]]
instr = "ld.global.u32 %r1, [%rd1];"
regs = { "%rd1" = "0x1001 + 8*lane" }
"#;

fn quiet(_: u64, byte: u8) -> u8 {
    byte
}

fn board(port: &Path, program: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
    // The simulated line has no speed; what is said of it is how long the command waits.
    command.arg("board").arg("--port").arg(port).args(["--baud", "2400"]).arg(program).args(more);
    command.output().expect("the command runs")
}

fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.toml");
    std::fs::write(&path, text).expect("writable");
    (folder, path)
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What the golden model alone makes of the program.
fn by_model(program: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
    command.arg("run").arg(program).args(["--engine", "model", "--json"]).output().expect("the command runs")
}

#[test]
fn a_program_does_on_the_board_what_it_does_in_the_model() {
    let (_folder, program) = written(PROGRAM);
    let simulated = SimulatedBoard::start("tiny4", |verilog| verilog, quiet);
    // Whoever was here before has left a frame in the middle, and memories full.
    for left in [&b""[..], b"S", b"S\xff\xff\xff\xff\xff"] {
        File::options()
            .write(true)
            .open(&simulated.path)
            .expect("the port")
            .write_all(left)
            .expect("the port takes it");
        let output = board(&simulated.path, &program, &["--json"]);
        assert_eq!((output.status.code(), errors(&output).as_str()), (Some(0), ""));
        assert_eq!(output.stdout, by_model(&program).stdout);
    }
    let output = board(&simulated.path, &program, &[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.ends_with("0 mismatches, 0 expectations not met (model and board on tiny4)\n"), "{said}");
}

#[test]
fn a_program_finds_shared_memory_as_at_power_up() {
    const STORES: &str = r#"
preset = "tiny4"
[[op]]
instr = "st.shared.u32 [%r1], %r2;"
regs = { "%r1" = "132*lane", "%r2" = "1 + lane" }
[[op]]
instr = "ld.shared.u32 %r3, [%r1];"
regs = { "%r1" = "132*lane" }
expect = { "%r3" = "1 + lane" }
"#;
    const LOADS: &str = r#"
preset = "tiny4"
[[op]]
instr = "ld.shared.u32 %r3, [%r1];"
regs = { "%r1" = "132*lane" }
expect = { "%r3" = 0 }
"#;
    let simulated = SimulatedBoard::start("tiny4", |verilog| verilog, quiet);
    for text in [STORES, LOADS] {
        let (_folder, program) = written(text);
        let output = board(&simulated.path, &program, &[]);
        assert_eq!((output.status.code(), errors(&output).as_str()), (Some(0), ""));
    }
}

#[test]
fn a_board_with_a_broken_unit_is_found_out() {
    let (_folder, program) = written(PROGRAM);
    // The addresses of requests for memory are off by a sector.
    let broken = |verilog: String| {
        let (kept, changed) = ("                mem_req_addr,\n", "                mem_req_addr ^ 32'd32,\n");
        assert_eq!(verilog.matches(kept).count(), 1, "where the outputs are kept");
        verilog.replace(kept, changed)
    };
    let simulated = SimulatedBoard::start("tiny4", broken, quiet);
    let output = board(&simulated.path, &program, &[]);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("mem_req: addr board 0x1020, model 0x1000"), "{said}");
}

#[test]
fn another_unit_than_the_programs_is_told() {
    let (_folder, program) = written(PROGRAM);
    let simulated = SimulatedBoard::start("tiny4", |verilog| verilog, quiet);
    let output = board(&simulated.path, &program, &["--preset", "fpga8"]);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("has the unit of preset tiny4, and not") && said.contains("--preset tiny4"), "{said}");
}

#[test]
fn a_line_with_errors_is_told() {
    let (_folder, program) = written(PROGRAM);
    let simulated =
        SimulatedBoard::start("tiny4", |verilog| verilog, |number, byte| byte ^ u8::from(number % 1000 == 0));
    let output = board(&simulated.path, &program, &[]);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("arrives with errors") && said.contains("fewer"), "{said}");
}

/// The sentence of the contract that is broken when these bytes come one behind the other.
fn broken_by(bytes: &[u8], clocks_per_bit: usize) -> Option<String> {
    let mut pins = Pins::new(&built(verilog_for("tiny4", BOARD_UNIT).expect("the board's Verilog")));
    pins.clocks_per_bit = clocks_per_bit;
    bytes.iter().find_map(|byte| pins.clocks(false, Some(*byte)).err()).map(|error| error.to_string())
}

#[test]
fn a_host_that_breaks_a_contract_of_the_link_is_told() {
    // Whatever is in a frame with a wrong checksum, it is answered; this one has the length of a step.
    let layout = PinWords::standard_layout(&TINY4);
    let bytes = Packing::new(&layout, Direction::Input).bytes();
    let frame = [&b"S"[..], &vec![1; bytes], &[0, 0]].concat();
    let identify = [&b"I"[..], &checksum(b"I").to_be_bytes()].concat();
    // Two frames may come at once, a third one not before the first answer has gone.
    assert_eq!(broken_by(&[&frame[..], &identify].concat(), 4), None);
    let three = broken_by(&[&identify[..], &identify, &identify].concat(), 4).expect("a broken contract");
    assert!(three.contains("No byte comes while a whole frame waits."), "{three}");
    let short = broken_by(b"I", 3).expect("a broken contract");
    assert!(short.contains("A bit takes at least 4 clocks."), "{short}");
}

#[test]
fn what_cannot_be_a_board_is_told() {
    let (folder, program) = written(PROGRAM);
    let nobody = nix::pty::openpty(None, None).expect("a pseudo-terminal");
    let silent = nix::unistd::ttyname(&nobody.slave).expect("a name");
    let output = board(&silent, &program, &["--baud", "1000000"]);
    assert_eq!(output.status.code(), Some(2), "--baud is given twice: {}", errors(&output));
    let several = PROGRAM.replace("seed = 5", "seed = 5\nsms = 2");
    let several = (folder.path().join("several.toml"), several);
    std::fs::write(&several.0, &several.1).expect("writable");
    let litmus = folder.path().join("test.litmus");
    for (port, program, status, part) in [
        (silent.as_path(), &program, 3, "no board answers at"),
        (Path::new("/dev/null"), &program, 2, "as a serial port of 2400 baud"),
        (Path::new("/no/such/port"), &program, 2, "cannot open /no/such/port"),
        (silent.as_path(), &several.0, 2, "has sms = 2, and a board has one unit"),
        (silent.as_path(), &litmus, 2, "is a litmus test"),
    ] {
        let output = board(port, program, &[]);
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(said.contains(part) && output.stdout.is_empty(), "{part}: {said}");
    }
}

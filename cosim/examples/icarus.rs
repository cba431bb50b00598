//! The emitted Verilog in Icarus Verilog, an event-driven simulator of four values, from unknown power-up values: every output in
//! every cycle as in a lock-step run of the same random programs.
//!
//! ```text
//! cargo run --release --example icarus -- [PRESET] [CYCLES] [FILE]        default: fpga8 20000, the preset's own Verilog
//! ```
//!
//! FILE is another Verilog of the preset's unit, such as the netlist a synthesis made of it.
//! Each program runs from power-up, in a simulation of its own: shared memory outlives a reset. A payload counts while its `valid` is high, everything else always, but for the
//! cycle of the reset; an unknown bit that counts is a difference. Needs `iverilog` and `vvp`.

mod recorded;

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use lsu_cosim::engine::{EngineKind, PinWords};
use lsu_cosim::roster::{Roster, RosterOptions};
use lsu_cosim::verilator::{Direction, Layout, Port};
use lsu_model::preset::{FPGA8, Preset};

use recorded::{WORD, record};

/// The bench: plays the vectors of its folder, at most `most` cycles, and stops at the first difference.
fn bench(layout: &Layout, most: usize) -> String {
    let slice = |port: &Port| format!("[{} +: {}]", WORD as usize * port.word_offset, port.width);
    let (mut ports, mut checks) = (String::new(), String::new());
    for port in layout.ports() {
        let (name, slice) = (&port.name, slice(port));
        let bundle = if port.direction == Direction::Input { "driven" } else { "found" };
        let _ = writeln!(ports, "        .{name}({bundle}{slice}),");
        if port.direction == Direction::Output {
            let _ = writeln!(
                checks,
                "            if (((found{slice} ^ wanted{slice}) & counts{slice}) !== {{{}{{1'b0}}}}) begin\n                \
                 $display(\"cycle %0d: {name} is %h, not %h\", cycle, found{slice}, wanted{slice});\n                \
                 $finish;\n            end",
                port.width
            );
        }
    }
    let (driven, found) = (WORD as usize * layout.input_words() - 1, WORD as usize * layout.output_words() - 1);
    let end = most - 1;
    format!(
        "module bench;
    reg [{driven}:0] inputs [0:{end}];
    reg [{found}:0] expected [0:{end}];
    reg [{found}:0] care [0:{end}];
    integer last;
    reg clk;
    reg [{driven}:0] driven;
    reg [{found}:0] wanted, counts;
    wire [{found}:0] found;
    integer cycle;

    lsu dut (
{ports}        .clk(clk)
    );

    initial begin
        if (!$value$plusargs(\"last=%d\", last)) begin
            $display(\"no +last\");
            $finish;
        end
        $readmemh(\"inputs.hex\", inputs, 0, last);
        $readmemh(\"expected.hex\", expected, 0, last);
        $readmemh(\"care.hex\", care, 0, last);
        clk = 0;
        for (cycle = 0; cycle <= last; cycle = cycle + 1) begin
            driven = inputs[cycle];
            wanted = expected[cycle];
            counts = care[cycle];
            #5;
{checks}            clk = 1;
            #5 clk = 0;
        end
        $display(\"as expected\");
    end
endmodule
"
    )
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("{program}: {error}; Debian's package is `iverilog`"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(text) } else { Err(format!("{program}: {text}").into()) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| FPGA8.name.to_owned());
    let preset = Preset::named(&name).ok_or_else(|| format!("there is no preset {name}"))?;
    let cycles: usize = arguments.next().map_or(Ok(20_000), |text| text.parse())?;
    let unit = match arguments.next() {
        Some(file) => std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?,
        None => lsu_hdl::verilog_for(preset.name, "lsu")?,
    };

    let options = RosterOptions { preset, kinds: vec![EngineKind::Model], dut: None, verilator: None };
    let roster = Roster::prepare(&options)?;
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let programs = record(&roster, &preset, cycles, folder)?;
    let lengths: Vec<usize> = programs.iter().map(|(_, length)| *length).collect();

    let most = lengths.iter().copied().max().unwrap_or(1);
    std::fs::write(folder.join("unit.v"), unit)?;
    std::fs::write(folder.join("bench.v"), bench(&PinWords::standard_layout(&preset), most))?;
    run(folder, "iverilog", &["-g2005", "-DLSU_CONTRACTS", "-s", "bench", "-o", "bench", "bench.v", "unit.v"])?;
    for (case, length) in lengths.iter().enumerate() {
        let last = format!("+last={}", length - 1);
        let said = run(&folder.join(case.to_string()), "vvp", &["-n", "../bench", &last])?;
        if said.trim() != "as expected" {
            return Err(format!("{}: case {case}: {}", preset.name, said.trim()).into());
        }
    }
    let (cycles, cases) = (lengths.iter().sum::<usize>(), lengths.len());
    println!("{}: {cycles} cycles of {cases} programs, every output as in the lock step", preset.name);
    Ok(())
}

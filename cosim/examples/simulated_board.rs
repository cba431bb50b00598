//! A board for `lsu board` where there is none: `lsu_board` under Verilator, its serial line at a pseudo-terminal.
//!
//! ```text
//! cargo run --release --example simulated_board -- [PRESET]        default: tiny4
//! ```
//!
//! Prints how to use it, and goes on until it is interrupted.

#[path = "../tests/board/simulated.rs"]
mod simulated;

use lsu_model::preset::{Preset, TINY4};
use simulated::SimulatedBoard;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| TINY4.name.to_owned());
    let Some(preset) = Preset::named(&name) else {
        eprintln!("there is no preset `{name}`");
        std::process::exit(2);
    };
    let mut board = SimulatedBoard::start(preset.name, |verilog| verilog, |_, byte| byte);
    println!("lsu board --port {} --preset {name} FILE.toml", board.path.display());
    board.wait();
    std::process::exit(1);
}

//! `lsu board`: one program file on a unit on a board, compared with the golden model.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use lsu_model::preset::Preset;

use crate::board::Board;
use crate::roster::Roster;

use super::engines::named_preset;
use super::program_arguments::ProgramArguments;
use super::run::{is_litmus, run_on};
use super::{CommandError, Status};

/// Arguments of `lsu board`.
#[derive(Clone, Debug, clap::Args)]
pub struct BoardArguments {
    /// The serial port at which the board is.
    #[arg(long, value_name = "DEV")]
    port: PathBuf,
    /// Bits a second on the line: the board's clock divided by its `clocks_per_bit`.
    #[arg(long, value_name = "BITS", default_value_t = 115_200, value_parser = clap::value_parser!(u32).range(300..))]
    baud: u32,
    /// Sizes of the unit [default: those of the program file, else warp32].
    #[arg(long, value_parser = named_preset)]
    preset: Option<Preset>,
    #[command(flatten)]
    program: ProgramArguments,
}

/// Runs a program file on a board.
///
/// # Errors
/// The file, the port or the board cannot be used.
pub fn board(arguments: &BoardArguments) -> Result<Status, CommandError> {
    let BoardArguments { program: of_program, port, baud, preset } = arguments;
    let file = of_program.file.display();
    let needs_more = |message: String| CommandError::Usage { message, help: Some(format!("use: lsu run {file}")) };
    if is_litmus(&of_program.file) {
        return Err(needs_more(format!("{file} is a litmus test, which needs several units, not a program for one")));
    }
    let program = of_program.read(*preset, None)?;
    if program.sms > 1 {
        return Err(needs_more(format!("{file} has sms = {}, and a board has one unit", program.sms)));
    }
    let board = Board::connect(port, *baud, &program.preset)?;
    let roster = Roster::with_board(program.preset, Arc::new(Mutex::new(board)));
    run_on(of_program, &program, &roster)
}

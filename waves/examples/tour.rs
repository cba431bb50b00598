//! Writes `tour.vcd` and `tour.fst` with their views into the folder given: a made-up run with a mismatch.
//!
//! `cargo run --release -p lsu-waves --example tour -- DIR`; `waves/docs/pictures.sh` takes the pictures.

use std::path::Path;
use std::process::ExitCode;

use lsu_waves::{Format, WaveError, Window};

#[path = "../tests/common/story.rs"]
mod story;

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    match write(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> Result<(), WaveError> {
    for (name, format) in [("tour.vcd", Format::Vcd), ("tour.fst", Format::Fst)] {
        let (dump, stories) = story::write(&folder.join(name), format, Window::ALL)?;
        let files = story::view(&dump, &stories).write(&dump)?;
        println!("{}", files.gtkwave.display());
    }
    Ok(())
}

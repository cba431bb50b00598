//! The waves of a run: what the command line says about them, and how they are recorded and opened.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lsu_waves::view::{self, Marker, ViewFiles};
use lsu_waves::{Format, WaveError, Window};

use crate::lockstep::{self, Outcome};
use crate::program::Program;
use crate::report::Surroundings;
use crate::results::Results;
use crate::roster::Roster;
use crate::wave_story::{Both, StoryError, WavePlan, WaveStory, Written};

use super::CommandError;
use super::replace_file::folder_of;

/// Cycles that a window shows before a failure. The run ends with it.
const BEFORE_FAILURE: u64 = 200;

/// Which waves to write, and what becomes of them.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct WaveArguments {
    /// Write the waves as VCD, with views for GTKWave and Surfer beside them.
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Write the waves as FST, with views for GTKWave and Surfer beside them.
    #[arg(long, value_name = "FILE")]
    fst: Option<PathBuf>,
    /// Open the waves in GTKWave, or in Surfer where there is no GTKWave.
    #[arg(long)]
    view: bool,
    /// Show only these cycles, both included [default: all of them; of a failure those around it].
    #[arg(long, value_name = "A..B", value_parser = window)]
    window: Option<Window>,
}

/// Reads `A..B`.
fn window(text: &str) -> Result<Window, String> {
    let cycles = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let Some((from, to)) = cycles else {
        return Err("write A..B, two cycle numbers, for example 100..250".to_owned());
    };
    Window::new(from, to).map_err(|error| error.to_string())
}

impl WaveArguments {
    /// The waves asked for: those of `unit`, in `window` unless the command line names another.
    pub(super) fn plans(&self, program: &Path, window: Window, sm: u32) -> Vec<WavePlan> {
        let window = self.window.unwrap_or(window);
        let files = [(&self.vcd, Format::Vcd), (&self.fst, Format::Fst)];
        let mut plans: Vec<WavePlan> = files
            .into_iter()
            .filter_map(|(path, format)| Some(WavePlan { path: path.clone()?, format, window, sm }))
            .collect();
        if plans.is_empty() && (self.view || self.window.is_some()) {
            plans.push(WavePlan { path: beside_program(program), format: Format::Vcd, window, sm });
        }
        plans
    }

    /// Whether the command line says which cycles to show.
    pub(super) fn names_cycles(&self) -> bool {
        self.window.is_some()
    }

    /// Refuses waves that would be written over what is read, or over each other.
    ///
    /// # Errors
    /// They would.
    pub(super) fn spare<'a>(&self, read: impl Iterator<Item = &'a PathBuf>) -> Result<(), CommandError> {
        let refuse = |option: &str, path: &Path, what: &str| {
            let message = format!("{option} {} is {what}", path.display());
            Err(CommandError::Usage { message, help: Some("name another file for the waves".to_owned()) })
        };
        for path in read {
            for (option, waves) in [("--vcd", &self.vcd), ("--fst", &self.fst)] {
                let Some(waves) = waves else { continue };
                if files_of(waves).iter().any(|file| is_same_file(file, path)) {
                    return refuse(option, waves, "what is to be read, or its view is: nothing would be left of it");
                }
            }
        }
        let (Some(vcd), Some(fst)) = (&self.vcd, &self.fst) else { return Ok(()) };
        let of_both = files_of(vcd).into_iter().flat_map(|one| files_of(fst).map(|other| (one.clone(), other)));
        if of_both.into_iter().any(|(one, other)| resolved(&one) == resolved(&other) || is_same_file(&one, &other)) {
            return refuse("--fst", fst, "the file of --vcd, too, or one of their views is");
        }
        Ok(())
    }

    /// Opens the first of the waves, if the user wants to see them.
    pub(super) fn open(&self, written: &[Written]) -> Result<(), CommandError> {
        match written.first() {
            Some(waves) if self.view => open(&waves.views),
            _ => Ok(()),
        }
    }
}

/// Where the waves of a program go that are not given a name: beside it.
pub(super) fn beside_program(program: &Path) -> PathBuf {
    let path = program.with_extension("vcd");
    // A program may be called so itself.
    if path == program { program.with_added_extension("vcd") } else { path }
}

/// The names that waves in the file `dump` take: its own, and those of its views.
fn files_of(dump: &Path) -> [PathBuf; 4] {
    let [gtkwave, surfer, enums] = view::paths_beside(dump);
    [dump.to_owned(), gtkwave, surfer, enums]
}

/// Whether both names are of one file that there is, by links of any kind. Devices can be shared.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

/// `path` in one spelling, whether or not there is such a file.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| match (folder_of(path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    })
}

/// The window around a failure in `cycle`.
pub(super) fn around(cycle: u64) -> Window {
    Window::around(cycle, BEFORE_FAILURE, 0)
}

/// Refuses waves that a run like the one before would not come to, before an empty file takes the place of others.
///
/// # Errors
/// None of the run's cycles lies in their window, or it was interrupted.
pub(super) fn reach(plan: &WavePlan, outcome: &Outcome) -> Result<(), CommandError> {
    let WavePlan { path, window, .. } = plan;
    if outcome.is_interrupted {
        let message = format!("no waves are written to {}: the run was interrupted before its turn", path.display());
        return Err(CommandError::Usage { message, help: None });
    }
    if window.from() < outcome.cycles {
        return Ok(());
    }
    let last = outcome.cycles.saturating_sub(1);
    let beyond = WaveError::WindowOutsideRun { from: window.from(), to: window.to(), first: 0, last };
    Err(StoryError::from(beyond).into())
}

/// A run whose waves were to be written.
pub(super) struct Recorded {
    /// How it ended.
    pub outcome: Outcome,
    /// What its operations came to.
    pub results: Results,
    /// Its waves, or why there are none.
    pub waves: Result<Written, CommandError>,
}

/// Runs the program and writes its waves. Waves that cannot be completed leave no file.
///
/// # Errors
/// The file cannot be created, or an engine cannot go on: then nothing of the run is known.
pub(super) fn record(program: &Program, roster: &Roster, plan: WavePlan) -> Result<Recorded, CommandError> {
    let mut both = Both(Results::new(program), WaveStory::new(program, plan.clone())?);
    let outcome = lockstep::run(program, roster, &mut both)?;
    let Both(results, story) = both;
    let waves = story.finish(markers(&outcome, &results, plan.window)).map_err(CommandError::from);
    if waves.is_err() && plan.path.metadata().is_ok_and(|file| file.is_file()) {
        // What is there is cut off or empty. That it cannot be removed either is no more than the error says.
        let _ = std::fs::remove_file(&plan.path);
    }
    Ok(Recorded { outcome, results, waves })
}

/// Where to look: the failure and the beginning of the operation that fails, or the first operation.
fn markers(outcome: &Outcome, results: &Results, window: Window) -> Vec<Marker> {
    let marker = |name: &str, cycle| Marker { name: name.to_owned(), cycle };
    let mut markers = Vec::new();
    let mut accepted = results.ops.iter().filter_map(|op| op.accepted).filter(|cycle| window.contains(*cycle)).min();
    if let Some(failure) = &outcome.failure {
        markers.push(marker("failure", failure.cycle));
        accepted = failure.op.and_then(|op| results.ops.get(op)?.accepted);
    }
    markers.extend(accepted.map(|cycle| marker("begin", cycle)));
    markers
}

/// Starts the first viewer that there is, and does not wait for its end.
fn open(views: &ViewFiles) -> Result<(), CommandError> {
    let commands: [Command; 2] = [views.gtkwave_command(), views.surfer_command()];
    for mut command in commands {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.spawn() {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                let message = format!("{} does not start: {error}", command.get_program().display());
                return Err(CommandError::Usage { message, help: None });
            }
        }
    }
    Err(CommandError::Usage {
        message: "there is neither gtkwave nor surfer in PATH".to_owned(),
        help: Some(format!("install one of them; the view is in {}", views.gtkwave.display())),
    })
}

/// Names the files in a report.
pub(super) fn name(written: &[Written], surroundings: &mut Surroundings) {
    for waves in written {
        surroundings.waves.push(waves.dump.clone());
        surroundings.views.extend([waves.views.gtkwave.clone(), waves.views.surfer.clone()]);
    }
}

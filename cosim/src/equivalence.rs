//! The check as a library: a user's own test asks whether their Verilog, with the ports of the unit, is equivalent to the golden model.
//!
//! ```no_run
//! // In `tests/equivalence.rs` of the user's crate:
//! lsu_cosim::assert_equivalent!("rtl/lsu.v", "fpga8");
//! lsu_cosim::assert_equivalent!("rtl/lsu.v", "fpga8", cases = 200, seed = 7);
//! ```
//!
//! The programs are those of `lsu check`: the same seed gives the same ones. Tests of a user's own making take
//! [`programs`] as a strategy of proptest, or read [program files](crate::program), and hand each program to [`Unit::run`]:
//!
//! ```no_run
//! use lsu_cosim::equivalence::{Unit, programs};
//! use lsu_model::preset::Preset;
//! use proptest::prelude::*;
//!
//! let preset = Preset::named("fpga8").expect("a preset");
//! let unit = Unit::build("rtl/lsu.v", preset).expect("Verilog with the ports of the unit");
//! proptest!(|(program in programs(&preset))| {
//!     prop_assert!(unit.run(&program).is_ok());
//! });
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use lsu_model::preset::Preset;
use proptest::prelude::{Strategy, any};

use crate::check::{self, CheckError, CheckOptions, CheckResult, Extent, Shard};
use crate::engine::{EngineError, EngineKind};
use crate::generate;
use crate::lockstep;
use crate::program::{Program, write};
use crate::report::{self, Surroundings};
use crate::roster::{Roster, RosterError, RosterOptions};
use crate::shrink::{Failing, shrink};

/// Nobody asks a test to end but by ending its process.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Asserts that the Verilog in a file and the golden model agree in every output pin of every cycle of random programs.
///
/// Takes the file's path, the preset's name, and if wanted `cases = N` and `seed = S`, in this order. Panics with what `lsu check` reports: what
/// differs, where and when, the last transactions, and the smallest program found that shows it. Paths are taken from the folder in which the
/// test runs, which is that of its crate.
#[macro_export]
macro_rules! assert_equivalent {
    ($verilog:expr, $preset:expr $(, cases = $cases:expr)? $(, seed = $seed:expr)? $(,)?) => {{
        #[allow(unused_mut, reason = "nothing changes it where neither is given")]
        let mut extent = $crate::equivalence::Programs::default();
        $(extent.cases = $cases;)?
        $(extent.seed = $seed;)?
        if let Err(why) = $crate::equivalence::check($verilog, $preset, extent) {
            panic!("{why}");
        }
    }};
}

/// Which random programs: cases 0 to `cases`, exclusive, of `seed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Programs {
    /// How many.
    pub cases: u64,
    /// Which ones.
    pub seed: u64,
}

impl Default for Programs {
    /// Those of `lsu check`.
    fn default() -> Self {
        Self { cases: generate::DEFAULT_CASES, seed: 1 }
    }
}

/// Why Verilog is not known to be equivalent to the golden model.
#[derive(Debug, thiserror::Error)]
pub enum NotEquivalent {
    /// There is no preset of this name.
    #[error("there is no preset {0}")]
    Preset(String),
    /// It cannot be built, or has other ports.
    #[error(transparent)]
    Unit(#[from] RosterError),
    /// The check could not go on.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// An engine could not go on.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A program shows a difference.
    #[error("{0}")]
    Differs(Box<Counterexample>),
}

/// A program that shows that Verilog and golden model are not equivalent, as small as it could be made.
#[derive(Debug)]
pub struct Counterexample {
    /// Which of the random programs it was made from; `None` of one that the user gave.
    pub case: Option<u64>,
    /// The program and its failure.
    pub failing: Failing,
    report: String,
}

impl Counterexample {
    /// The program as a file that `lsu replay` runs.
    pub fn program_file(&self) -> String {
        write(&self.failing.program)
    }
}

impl fmt::Display for Counterexample {
    /// The report of `lsu check`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.report)
    }
}

/// Verilog, built, to be run beside the golden model.
pub struct Unit {
    roster: Roster,
}

impl Unit {
    /// Builds the Verilog in `verilog`, whose top is `lsu` with the ports of `preset`.
    ///
    /// # Errors
    /// There is no tool chain, or the Verilog cannot be built or has other ports.
    pub fn build(verilog: impl AsRef<Path>, preset: Preset) -> Result<Self, NotEquivalent> {
        let options = RosterOptions {
            preset,
            kinds: vec![EngineKind::Model, EngineKind::Verilator],
            dut: Some(verilog.as_ref().to_owned()),
            verilator: None,
        };
        Ok(Self { roster: Roster::prepare(&options)? })
    }

    /// Runs random programs, on a thread for each processor; what they came to.
    ///
    /// # Errors
    /// One shows a difference, or could not be run.
    pub fn check(&self, programs: Programs) -> Result<CheckResult, NotEquivalent> {
        let options = CheckOptions {
            seed: programs.seed,
            extent: Extent::Cases(programs.cases),
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            shard: Shard::WHOLE,
            done: 0,
            stop: &NEVER,
        };
        let mut result = check::check(&self.roster, &options, |_| {})?;
        match result.failure.take() {
            Some((case, failing)) => Err(self.differs(Some(case), failing)?),
            None => Ok(result),
        }
    }

    /// Runs `program`.
    ///
    /// # Errors
    /// It shows a difference, or could not be run.
    pub fn run(&self, program: &Program) -> Result<(), NotEquivalent> {
        match lockstep::run(program, &self.roster, &mut ())?.failure {
            Some(failure) => Err(self.differs(None, Failing { program: program.clone(), failure })?),
            None => Ok(()),
        }
    }

    /// What there is to say of a failure, once it is small.
    fn differs(&self, case: Option<u64>, failing: Failing) -> Result<NotEquivalent, NotEquivalent> {
        let shrunk_from = Some(failing.program.ops.len());
        let failing = shrink(failing, &self.roster, &NEVER);
        let transactions = report::transactions(&failing, &self.roster)?;
        let surroundings = Surroundings { shrunk_from, transactions, ..Surroundings::default() };
        let report = report::render(&failing, &surroundings);
        Ok(NotEquivalent::Differs(Box::new(Counterexample { case, failing, report })))
    }
}

/// Whether the Verilog in `verilog` and the golden model of the preset `preset` agree on `programs`: what [`assert_equivalent!`] asks.
///
/// # Errors
/// They do not, or that could not be found out.
pub fn check(verilog: impl Into<PathBuf>, preset: &str, programs: Programs) -> Result<CheckResult, NotEquivalent> {
    let preset = Preset::named(preset).ok_or_else(|| NotEquivalent::Preset(preset.to_owned()))?;
    Unit::build(verilog.into(), preset)?.check(programs)
}

/// Programs of `lsu check` for `preset`, as a strategy. proptest does not shrink them: [`Unit::run`] does, and knows more of them.
pub fn programs(preset: &Preset) -> impl Strategy<Value = Program> + use<> {
    let preset = *preset;
    any::<(u64, u16)>().no_shrink().prop_filter_map("a case that proptest gave up on", move |(seed, case)| {
        generate::program(&preset, seed, u64::from(case)).ok()
    })
}

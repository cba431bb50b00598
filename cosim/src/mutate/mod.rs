//! Breaks the unit on purpose, in one place at a time, and sees whether the check notices: evidence that "equivalent" means
//! something.
//!
//! All mutants stand in one Verilated model; an input of it chooses one. Each runs the cases of `lsu check` from the first on,
//! until one fails ([`sweep`]). What survives may be no bug at all: [`prove`] asks yosys, [`equivalent`] holds what was found
//! out by reasoning.

pub mod equivalent;
pub mod network;
pub mod prove;

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use lsu_hdl::emit::DEFAULT_PREFIX;
use lsu_hdl::verilog::{Breakage, Chosen, EmittedModule, Mutant};
use lsu_model::preset::Preset;

use crate::check::CheckError;
use crate::engine::{Engine, EngineError, EngineSource, Model, PinWords, WordEngine};
use crate::generate::{self, WALKS};
use crate::lockstep;
use crate::program::Program;
use crate::roster::RosterError;
use crate::verilator::{Build, Direction, Library, Source, Toolchain};

/// The input that chooses a mutant.
const SELECTOR: &str = "mutant";

/// The number of the unit as it should be.
pub const WHOLE: u32 = 0;

/// So many cases kill all but the few mutants for which a proof is worth a try.
pub const FIRST_CASES: u64 = 24;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A case failed.
    Killed {
        /// Its number.
        case: u64,
        /// The cycle of the first difference.
        cycle: u64,
    },
    /// No case of the budget failed.
    Survived,
}

/// The unit of one preset with all its mutants, built.
pub struct Breakable {
    preset: Preset,
    library: Library,
    words: PinWords,
    mutants: Vec<Mutant>,
}

fn emit(preset: &Preset, chosen: Chosen<'_>) -> Result<(Vec<EmittedModule>, Vec<Mutant>), RosterError> {
    lsu_hdl::emit::broken(preset.name, DEFAULT_PREFIX, Breakage::Selected(chosen))
        .map_err(|refusal| RosterError::Emission { preset: preset.name, reason: refusal.to_string() })
}

/// All mutants of a preset, in the order of their numbers.
///
/// # Errors
/// The description cannot be written.
pub fn mutants(preset: &Preset) -> Result<Vec<Mutant>, RosterError> {
    emit(preset, Chosen::Only(&BTreeSet::new())).map(|(_, mutants)| mutants)
}

impl Breakable {
    /// Emits and builds it; only the mutants of `chosen` can be chosen.
    ///
    /// # Errors
    /// The description cannot be written, or the tool chain cannot be used.
    pub fn build(preset: Preset, chosen: Chosen<'_>, toolchain: &Toolchain) -> Result<Self, RosterError> {
        let (modules, mutants) = emit(&preset, chosen)?;
        let text = lsu_hdl::verilog::file(&modules.iter().collect::<Vec<_>>());
        Self::from_text(preset, text, mutants, toolchain)
    }

    /// Builds a unit of which `text` holds the Verilog, and which is `mutants[n]` while its input `mutant` carries n + 1.
    ///
    /// # Errors
    /// The Verilog or the tool chain cannot be used.
    pub fn from_text(
        preset: Preset,
        text: String,
        mutants: Vec<Mutant>,
        toolchain: &Toolchain,
    ) -> Result<Self, RosterError> {
        let library = Build::new("lsu", Source::Text(text)).build(toolchain)?;
        let words = PinWords::with_more(&preset, library.layout(), &[(SELECTOR, 32, Direction::Input)])?;
        Ok(Self { preset, library, words, mutants })
    }

    /// The mutants, in the order of their numbers.
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    /// The unit with the mutant number `id`, or [`WHOLE`].
    pub fn broken(&self, id: u32) -> Broken<'_> {
        Broken { unit: self, id }
    }
}

/// One mutant against the golden model.
pub struct Broken<'a> {
    unit: &'a Breakable,
    id: u32,
}

impl EngineSource for Broken<'_> {
    fn preset(&self) -> &Preset {
        &self.unit.preset
    }

    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        let mut words = self.unit.words.clone();
        words.set_input(self.unit.library.layout(), SELECTOR, self.id);
        let rtl = WordEngine::new(self.unit.library.instantiate()?, words);
        Ok(vec![Box::new(Model::new(&self.unit.preset)), Box::new(rtl)])
    }
}

/// How the mutants are to be tried.
#[derive(Clone, Copy, Debug)]
pub struct SweepOptions<'a> {
    /// Seed of the cases.
    pub seed: u64,
    /// The first case that is tried, and the number of the first that is not.
    pub cases: (u64, u64),
    /// Threads.
    pub jobs: usize,
    /// Becomes true when the user wants to stop.
    pub stop: &'a AtomicBool,
}

/// The cases from `first` to the one before `end`, each once: what few cases kill, those that walk kill soonest.
pub fn later_cases(first: u64, end: u64) -> [(u64, u64); 3] {
    let [begin_of_walks, end_of_walks] = [WALKS.start, WALKS.end].map(|case| case.clamp(first, end));
    [(begin_of_walks, end_of_walks), (first, begin_of_walks), (end_of_walks, end)]
}

/// The fates of the mutants with the numbers `ids`, in that order; `None` for those that were not tried because of a stop.
/// `progress` hears of every one that is done.
///
/// # Errors
/// An engine cannot be made, or a case cannot be generated.
pub fn sweep(
    unit: &Breakable,
    ids: &[u32],
    options: &SweepOptions<'_>,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Option<Fate>>, CheckError> {
    let (first, end) = options.cases;
    let programs: Vec<OnceLock<Program>> = (first..end).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam::channel::unbounded();
    let mut fates = vec![None; ids.len()];
    let mut failure = None;
    let scope = crossbeam::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            let (sender, next, programs) = (sender.clone(), &next, &programs);
            scope.spawn(move |_| {
                while !options.stop.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(id) = ids.get(place) else { break };
                    let fate = fate(&unit.broken(*id), programs, options);
                    if sender.send((place, fate)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut done = 0;
        for (place, fate) in &receiver {
            match fate {
                Ok(fate) => fates[place] = fate,
                Err(error) => {
                    failure = Some(error);
                    next.store(ids.len(), Ordering::Relaxed);
                }
            }
            done += 1;
            progress(done);
        }
    });
    scope.map_err(|_| CheckError::Panic)?;
    match failure {
        Some(error) => Err(error),
        None => Ok(fates),
    }
}

/// Runs the cases until one fails; `None` when it was stopped before.
fn fate(
    source: &Broken<'_>,
    programs: &[OnceLock<Program>],
    options: &SweepOptions<'_>,
) -> Result<Option<Fate>, CheckError> {
    for (case, slot) in (options.cases.0..).zip(programs) {
        if options.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if slot.get().is_none() {
            let program = generate::program(source.preset(), options.seed, case)?;
            // Another thread may have made the same one.
            let _ = slot.set(program);
        }
        let Some(program) = slot.get() else { continue };
        let ran = lockstep::run(program, source, &mut ());
        let outcome = ran.map_err(|source| CheckError::Engine { case, seed: options.seed, source })?;
        if let Some(failure) = outcome.failure {
            return Ok(Some(Fate::Killed { case, cycle: failure.cycle }));
        }
    }
    Ok(Some(Fate::Survived))
}

//! The main job: random programs in lock step, on several threads, with a result that does not depend on their number.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lsu_model::preset::Preset;

use crate::engine::{EngineError, EngineSource};
use crate::generate::{self, GenerationError};
use crate::lockstep::{self, Failure, Observer, Outcome};
use crate::program::Program;
use crate::shrink::Failing;
use crate::tally::{Tally, TallyKeeper};

/// How long to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The cases 0 to this one, exclusive.
    Cases(u64),
    /// Cases for about this long.
    Time(Duration),
}

/// One part of the cases, so that several machines can share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// Which part, from 0.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// All cases.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// How many of the cases 0 to `cases`, exclusive, are in this part.
    pub const fn cases(self, cases: u64) -> u64 {
        cases.saturating_sub(self.index).div_ceil(self.count)
    }
}

/// What to check.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'a> {
    /// Seed of the cases.
    pub seed: u64,
    /// How long.
    pub extent: Extent,
    /// Threads.
    pub jobs: usize,
    /// Which part of the cases.
    pub shard: Shard,
    /// Cases at the start of that part that have been run before, and are not run again.
    pub done: u64,
    /// Becomes true when the user wants to stop.
    pub stop: &'a AtomicBool,
}

/// Programs by number, and what is counted of each run.
pub trait Cases: Sync {
    /// Counts one run.
    type Keeper: Observer + Clone;
    /// What has been counted, over one or more runs.
    type Counts: Default + Send;

    /// The program that is case number `case`.
    ///
    /// # Errors
    /// It cannot be generated.
    fn program(&self, case: u64) -> Result<Program, CheckError>;

    /// Counts the run of `program`, which is case number `case`.
    ///
    /// # Errors
    /// As [`Cases::program`].
    fn keeper(&self, case: u64, program: &Program) -> Result<Self::Keeper, CheckError>;

    /// What a run came to.
    fn counts(keeper: Self::Keeper) -> Self::Counts;

    /// Adds what another run came to.
    fn add(sum: &mut Self::Counts, counts: &Self::Counts);
}

/// The cases of `lsu check`: random programs, and their [`Tally`].
struct Checked {
    preset: Preset,
    seed: u64,
}

impl Cases for Checked {
    type Keeper = TallyKeeper;
    type Counts = Tally;

    fn program(&self, case: u64) -> Result<Program, CheckError> {
        Ok(generate::program(&self.preset, self.seed, case)?)
    }

    fn keeper(&self, case: u64, program: &Program) -> Result<TallyKeeper, CheckError> {
        Ok(TallyKeeper::new(generate::pattern(self.seed, case)?, program))
    }

    fn counts(keeper: TallyKeeper) -> Tally {
        keeper.tally()
    }

    fn add(sum: &mut Tally, counts: &Tally) {
        sum.add(counts);
    }
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct CheckResult<Counts = Tally> {
    /// Cases that ran, up to and with the failing one.
    pub cases: u64,
    /// Operations that completed.
    pub ops: u64,
    /// Cycles.
    pub cycles: u64,
    /// What they exercised.
    pub tally: Counts,
    /// The failing case with the lowest number, and its failure.
    pub failure: Option<(u64, Failing)>,
    /// Cases are missing because the check was asked to end.
    pub is_interrupted: bool,
}

/// A check that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// An engine failed.
    #[error("case {case} of seed {seed}: {source}")]
    Engine {
        /// In which case.
        case: u64,
        /// Seed of the cases.
        seed: u64,
        /// Why.
        source: EngineError,
    },
    /// A case could not be generated.
    #[error(transparent)]
    Generation(#[from] GenerationError),
    /// A thread ended before its time.
    #[error("a worker thread panicked")]
    Panic,
}

#[derive(Debug)]
struct CaseResult<Counts> {
    ops: u64,
    cycles: u64,
    tally: Counts,
    failure: Option<Failure>,
}

/// How far a check has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a, Counts = Tally> {
    /// Cases that have run, in whatever order.
    pub cases: u64,
    /// Their cycles.
    pub cycles: u64,
    /// The result of the first of them, none left out: what would be the result if the check ended here.
    pub result: &'a CheckResult<Counts>,
}

/// Runs the cases that `options` name on the engines of `source`. `progress` hears of every finished case.
///
/// # Errors
/// An engine cannot be made or cannot go on, or a case cannot be generated.
pub fn check(
    source: &dyn EngineSource,
    options: &CheckOptions<'_>,
    progress: impl FnMut(&Progress<'_>),
) -> Result<CheckResult, CheckError> {
    check_cases(&Checked { preset: *source.preset(), seed: options.seed }, source, options, progress)
}

/// The same of other cases.
///
/// # Errors
/// As [`check()`].
pub fn check_cases<C: Cases>(
    cases: &C,
    source: &dyn EngineSource,
    options: &CheckOptions<'_>,
    mut progress: impl FnMut(&Progress<'_, C::Counts>),
) -> Result<CheckResult<C::Counts>, CheckError> {
    let shared = Shared {
        cases,
        source,
        options,
        next: AtomicU64::new(options.done),
        lowest_failure: AtomicU64::new(u64::MAX),
        deadline: match options.extent {
            Extent::Time(time) => Instant::now().checked_add(time),
            Extent::Cases(_) => None,
        },
    };
    let (sender, receiver) = crossbeam::channel::unbounded();
    let first = options.shard.index.saturating_add(options.shard.count.saturating_mul(options.done));
    let total =
        CheckResult { cases: 0, ops: 0, cycles: 0, tally: Default::default(), failure: None, is_interrupted: false };
    let mut sum = Sum { cases, total, next: first, early: BTreeMap::new(), error: None };
    let mut done = 0;
    let scope = crossbeam::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move |_| shared.work(&sender));
        }
        drop(sender);
        let mut cycles = 0;
        for (case, result) in &receiver {
            done += 1;
            cycles += result.as_ref().map_or(0, |result: &CaseResult<C::Counts>| result.cycles);
            sum.add(case, result, options);
            progress(&Progress { cases: done, cycles, result: &sum.total });
        }
    });
    scope.map_err(|_| CheckError::Panic)?;
    let is_complete = match options.extent {
        Extent::Cases(all) => options.done + done == options.shard.cases(all),
        Extent::Time(_) => shared.deadline.is_some_and(|deadline| Instant::now() >= deadline),
    };
    sum.total.is_interrupted = !is_complete && options.stop.load(Ordering::Relaxed);
    match sum.error {
        Some(error) => Err(error),
        None => Ok(sum.total),
    }
}

/// A case by its number, and what came of it.
type Judged<Counts> = (u64, Result<CaseResult<Counts>, CheckError>);

/// Adds up results in the order of the cases, and no further than the first failure: what other threads did beyond it is
/// left out.
struct Sum<'a, C: Cases> {
    cases: &'a C,
    total: CheckResult<C::Counts>,
    /// The case that comes next.
    next: u64,
    /// Results that came before their turn.
    early: BTreeMap<u64, Result<CaseResult<C::Counts>, CheckError>>,
    /// What made an end of it.
    error: Option<CheckError>,
}

impl<C: Cases> Sum<'_, C> {
    fn add(&mut self, case: u64, result: Result<CaseResult<C::Counts>, CheckError>, options: &CheckOptions<'_>) {
        self.early.insert(case, result);
        while self.total.failure.is_none()
            && self.error.is_none()
            && let Some(result) = self.early.remove(&self.next)
        {
            match result.and_then(|result| self.add_next(result)) {
                Ok(()) => self.next += options.shard.count,
                Err(error) => self.error = Some(error),
            }
        }
    }

    fn add_next(&mut self, result: CaseResult<C::Counts>) -> Result<(), CheckError> {
        let total = &mut self.total;
        total.cases += 1;
        total.ops += result.ops;
        total.cycles += result.cycles;
        C::add(&mut total.tally, &result.tally);
        if let Some(failure) = result.failure {
            let program = self.cases.program(self.next)?;
            total.failure = Some((self.next, Failing { program, failure }));
        }
        Ok(())
    }
}

struct Shared<'a, C> {
    cases: &'a C,
    source: &'a dyn EngineSource,
    options: &'a CheckOptions<'a>,
    /// The next case of this shard, counted from 0.
    next: AtomicU64,
    /// No case beyond this one matters any more.
    lowest_failure: AtomicU64,
    deadline: Option<Instant>,
}

impl<C: Cases> Shared<'_, C> {
    fn work(&self, sender: &crossbeam::channel::Sender<Judged<C::Counts>>) {
        while let Some(case) = self.take() {
            // A case that was not run to its end does not count.
            let Some(result) = self.run(case).transpose() else { return };
            let is_failed = !matches!(&result, Ok(CaseResult { failure: None, .. }));
            if is_failed {
                self.lowest_failure.fetch_min(case, Ordering::Relaxed);
            }
            if sender.send((case, result)).is_err() {
                return;
            }
        }
    }

    fn take(&self) -> Option<u64> {
        if self.options.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            return None;
        }
        let Shard { index, count } = self.options.shard;
        let case = self.next.fetch_add(1, Ordering::Relaxed).checked_mul(count)?.checked_add(index)?;
        let is_within = match self.options.extent {
            Extent::Cases(cases) => case < cases,
            Extent::Time(_) => true,
        };
        (is_within && case < self.lowest_failure.load(Ordering::Relaxed)).then_some(case)
    }

    /// The result of `case`; `None` if it was interrupted.
    fn run(&self, case: u64) -> Result<Option<CaseResult<C::Counts>>, CheckError> {
        let program = self.cases.program(case)?;
        let keeper = self.cases.keeper(case, &program)?;
        let ran = lockstep::run_in_batches(&program, self.source, keeper);
        let (outcome, keeper) = ran.map_err(|source| CheckError::Engine { case, seed: self.options.seed, source })?;
        let Outcome { ops, cycles, failure, is_interrupted } = outcome;
        Ok((!is_interrupted).then(|| CaseResult { ops, cycles, tally: C::counts(keeper), failure }))
    }
}

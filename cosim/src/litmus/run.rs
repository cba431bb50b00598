//! Runs of a litmus test in lock step, on several threads, with a result that does not depend on their number.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::histogram::Histogram;
use super::schedule::schedule;
use super::test::{Step, Test};
use super::values::Values;
use crate::engine::{EngineError, EngineSource};
use crate::lockstep;
use crate::program::Program;
use crate::results::Results;
use crate::shrink::Failing;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct LitmusOptions<'a> {
    /// Seed of the runs.
    pub seed: u64,
    /// How many.
    pub runs: u64,
    /// Threads.
    pub jobs: usize,
    /// Becomes true when the user wants to stop.
    pub stop: &'a AtomicBool,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct LitmusResult {
    /// How often each outcome was seen; nothing beside a failure.
    pub histogram: Histogram,
    /// The run with the lowest number in which the engines differ or break a rule.
    pub failure: Option<(u64, Failing)>,
    /// Runs are missing because they were asked to end.
    pub is_interrupted: bool,
}

/// Runs that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum LitmusError {
    /// An engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// What a store sends depends on loads that it waits for: when those are known, it must be.
    #[error("run {run}: loads return other values each time although nothing before them has changed")]
    Unsteady {
        /// Which one.
        run: u64,
    },
    /// A thread ended before its time.
    #[error("a worker thread panicked")]
    Panic,
}

/// One run.
#[derive(Clone, Debug)]
pub enum Ran {
    /// It came to its end.
    Through {
        /// What the test observes.
        values: Vec<u64>,
        /// Whether the condition holds.
        holds: bool,
        /// What ran, for who wants to look at it again.
        program: Box<Program>,
    },
    /// The engines differ or break a rule.
    Failed(Box<Failing>),
    /// It was asked to end.
    Interrupted,
}

/// Runs `test` once: the run number `run` of `seed`.
///
/// A program's stores send numbers, but what a litmus test stores may be what it has loaded. Such a store waits for its loads, and
/// what it sends changes no cycle; so it is guessed, and the program runs again with what the loads have returned. Each time at
/// least one more store is right: the first of those that were wrong.
///
/// # Errors
/// An engine cannot be made or cannot go on.
pub fn run_one(test: &Test, source: &dyn EngineSource, seed: u64, run: u64) -> Result<Ran, LitmusError> {
    let mut scheduled = schedule(test, source.preset(), seed, run);
    scheduled.send(&Values::guess(test, &scheduled));
    let steps = test.threads.iter().flat_map(|thread| &thread.steps);
    let stores = steps.filter(|step| matches!(step, Step::Store { .. })).count();
    for _ in 0..=stores {
        let mut results = Results::new(&scheduled.program);
        let outcome = lockstep::run(&scheduled.program, source, &mut results)?;
        if let Some(failure) = outcome.failure {
            return Ok(Ran::Failed(Box::new(Failing { program: scheduled.program, failure })));
        }
        if outcome.is_interrupted {
            return Ok(Ran::Interrupted);
        }
        let values = Values::of(test, &scheduled, &results);
        if !scheduled.send(&values) {
            let value = |term| values.value(term);
            return Ok(Ran::Through {
                values: test.observed.iter().map(|term| value(*term).number).collect(),
                holds: test.condition.holds(&value),
                program: Box::new(scheduled.program),
            });
        }
    }
    Err(LitmusError::Unsteady { run })
}

/// Runs `test` on the engines of `source`. `progress` hears of every run.
///
/// # Errors
/// An engine cannot be made or cannot go on.
pub fn run(
    test: &Test,
    source: &dyn EngineSource,
    options: &LitmusOptions<'_>,
    mut progress: impl FnMut(),
) -> Result<LitmusResult, LitmusError> {
    let next = AtomicU64::new(0);
    // No run from this one on matters any more.
    let end = AtomicU64::new(options.runs);
    let (sender, receiver) = crossbeam::channel::unbounded();
    let mut result = LitmusResult::default();
    let mut error = None;
    let work = |sender: crossbeam::channel::Sender<(u64, Result<Ran, LitmusError>)>| {
        while !options.stop.load(Ordering::Relaxed) {
            let run = next.fetch_add(1, Ordering::Relaxed);
            if run >= end.load(Ordering::Relaxed) {
                return;
            }
            let ran = run_one(test, source, options.seed, run);
            if !matches!(ran, Ok(Ran::Through { .. })) {
                end.fetch_min(run, Ordering::Relaxed);
            }
            if sender.send((run, ran)).is_err() {
                return;
            }
        }
    };
    let scope = crossbeam::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move |_| work(sender));
        }
        drop(sender);
        for (run, ran) in &receiver {
            progress();
            match ran {
                Ok(Ran::Through { values, holds, .. }) => result.histogram.add(values, holds, run),
                Ok(Ran::Failed(failing)) => {
                    if result.failure.as_ref().is_none_or(|(first, _)| run < *first) {
                        result.failure = Some((run, *failing));
                    }
                }
                Ok(Ran::Interrupted) => result.is_interrupted = true,
                Err(objection) => error = Some(objection),
            }
        }
    });
    scope.map_err(|_| LitmusError::Panic)?;
    if result.failure.is_some() {
        // Which others had come to their end by then hangs on the threads.
        result.histogram = Histogram::default();
    }
    let is_short = result.failure.is_none() && result.histogram.runs() < options.runs;
    result.is_interrupted |= is_short && options.stop.load(Ordering::Relaxed);
    match error {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

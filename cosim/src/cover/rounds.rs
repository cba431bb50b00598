//! The runs: rounds of programs, all of a round chosen before it begins, so that what comes out does not depend on the threads.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::bins::{self, Hits, Keeper};
use super::plan::Plan;
use super::{steer, storm};
use crate::check::{Cases, CheckError, CheckOptions, CheckResult, Extent, Shard, check_cases};
use crate::engine::EngineSource;
use crate::generate;
use crate::program::{Change, Program, Window, WindowPlace};
use crate::random::Random;

/// Stream number of how programs are mixed.
const MIX_STREAM: u64 = 0x006d_6978;

/// How many of 100 mixed programs change their configuration again and again, and before how many of 100 of their operations.
const RESTLESS_PERCENT: u8 = 10;
const CHANGE_PERCENT: u8 = 10;

/// How many of 100 mixed programs are long, so that counters count far, and of how many others such a one has the operations.
const LONG_PERCENT: u8 = 1;
const LONG: u64 = 320;

/// Of how many programs the operations come between one another: with more of them caches of few lines have no hits to count.
const TOGETHER: u64 = 2;

/// Programs of a round.
const ROUND: u64 = 32;

/// One of how many rounds goes to the sources in turn, whatever they have brought.
const TURN: u64 = 4;

/// Where the programs of a round come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Few kinds of operations, in random proportions; aimed at missing pairs of rules.
    Storm,
    /// Those of `lsu check`.
    Random,
    /// Aimed at missing cells.
    Aimed,
    /// Two of those of `lsu check`, one between the other, or many.
    Mixed,
}

impl Origin {
    const ALL: [Self; 4] = [Self::Storm, Self::Random, Self::Aimed, Self::Mixed];
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct CoverOptions<'a> {
    /// Seed of the programs.
    pub seed: u64,
    /// How long: with a time, the round that it ends in is run to its end.
    pub extent: Extent,
    /// Threads.
    pub jobs: usize,
    /// Which part of the programs.
    pub shard: Shard,
    /// Becomes true when the user wants to stop.
    pub stop: &'a AtomicBool,
}

/// What came out.
pub type Coverage = CheckResult<Hits>;

/// What an earlier run of the same shard came to, which the next one goes on from.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Its programs: whole rounds.
    pub cases: u64,
    /// What they have filled.
    pub hits: Hits,
    /// How far its choice of sources had come.
    pub steering: Steering,
}

/// The programs of a round.
struct Round<'a> {
    plan: &'a Plan,
    seed: u64,
    origin: Origin,
    /// Bins that were missing when it began.
    missing: Vec<usize>,
}

impl Round<'_> {
    fn random(&self, case: u64) -> Result<Program, CheckError> {
        Ok(generate::program(&self.plan.preset, self.seed, case)?)
    }

    /// The operations of one program between those of another, or of many others, two at a time: under its configuration, or one that
    /// changes.
    fn mixed(&self, case: u64) -> Result<Program, CheckError> {
        let mut random = Random::new(self.seed, MIX_STREAM ^ case);
        let is_restless = random.chance(RESTLESS_PERCENT);
        let others = if random.chance(LONG_PERCENT) { LONG } else { 1 };
        let mut program = self.random(case)?;
        let (sms, address_bits) = (program.sms, program.preset.address_bits);
        let mut left = vec![std::mem::take(&mut program.ops).into_iter()];
        for other in 1..=others {
            left.push(self.random(case ^ other << 40)?.ops.into_iter());
        }
        while !left.is_empty() {
            let chosen = random.below(TOGETHER.min(left.len() as u64)) as usize;
            let Some(mut operation) = left[chosen].next() else {
                left.swap_remove(chosen);
                continue;
            };
            operation.sm %= sms;
            // What the other program has behind it does not belong there.
            operation.change =
                (is_restless && random.chance(CHANGE_PERCENT)).then(|| anything(address_bits, &mut random).into());
            program.ops.push(operation);
        }
        Ok(program)
    }
}

/// All of the configuration that can change but the banks, to anything: programs of `lsu check` move it a little, and so never most bits of
/// its pins twice.
fn anything(address_bits: u32, random: &mut Random) -> Change {
    let mut number = || Some(random.next_bits() >> (64 - address_bits));
    let mut place = || WindowPlace { base: number(), size: number() };
    let mut window = Window { shared: place(), local: place(), constant: place(), param: place(), ..Window::default() };
    // How much local memory there is does not change.
    window.local.size = None;
    Change {
        compute: Some(random.chance(50)),
        window,
        param_offset: Some(random.next_bits() as u16),
        banks: Vec::new(),
    }
}

impl<'a> Cases for Round<'a> {
    type Keeper = Keeper<'a>;
    type Counts = Hits;

    fn program(&self, case: u64) -> Result<Program, CheckError> {
        match self.origin {
            Origin::Random => self.random(case),
            Origin::Aimed => Ok(steer::aimed(self.plan, &self.missing, self.seed, case)),
            Origin::Storm => Ok(storm::storm(self.plan, &self.missing, self.seed, case)),
            Origin::Mixed => self.mixed(case),
        }
    }

    fn keeper(&self, _case: u64, _program: &Program) -> Result<Keeper<'a>, CheckError> {
        Ok(Keeper::new(self.plan))
    }

    fn counts(keeper: Keeper<'a>) -> Hits {
        keeper.hits()
    }

    fn add(sum: &mut Hits, counts: &Hits) {
        bins::add(sum, counts);
    }
}

/// What the rounds of each source have brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steering {
    /// New bins, each half as much with every later round of the source; more for one that has had no round.
    recent: [u64; Origin::ALL.len()],
    rounds: u64,
}

/// What has brought nothing yet, for want of a round.
const UNTRIED: u64 = u64::MAX / 2;

impl Default for Steering {
    fn default() -> Self {
        Self { recent: [UNTRIED; Origin::ALL.len()], rounds: 0 }
    }
}

impl Steering {
    /// The source of the next round: the one that has brought most lately, storms if nothing has brought anything, or the one whose turn
    /// it is.
    fn next(&mut self) -> Origin {
        let number = self.rounds;
        self.rounds += 1;
        if number % TURN == TURN - 1 {
            return Origin::ALL[(number / TURN) as usize % Origin::ALL.len()];
        }
        let best = (0..Origin::ALL.len()).rev().max_by_key(|origin| self.recent[*origin]);
        Origin::ALL[best.unwrap_or(0)]
    }

    fn brought(&mut self, origin: Origin, new: u64) {
        let recent = &mut self.recent[origin as usize];
        *recent = if *recent == UNTRIED { new } else { *recent / 2 + new };
    }
}

/// Runs programs on the engines of `source` and counts what they fill of `plan`: in cases, operations and cycles without those of
/// `earlier`, in bins with them. `progress` hears of every whole round. Of a round that the user has ended nothing counts but a failure, so
/// that who goes on from there comes to the same as who was not ended.
///
/// # Errors
/// An engine cannot be made or cannot go on, or a program cannot be generated.
pub fn cover(
    plan: &Plan,
    source: &dyn EngineSource,
    options: &CoverOptions<'_>,
    earlier: Earlier,
    mut progress: impl FnMut(&Coverage, &Steering),
) -> Result<Coverage, CheckError> {
    let begin = Instant::now();
    let Earlier { cases: done, hits: mut tally, mut steering } = earlier;
    tally.resize(plan.len(), 0);
    let mut total = Coverage { cases: 0, ops: 0, cycles: 0, tally, failure: None, is_interrupted: false };
    loop {
        let done = done + total.cases;
        let is_over = match options.extent {
            Extent::Cases(cases) => done >= options.shard.cases(cases),
            Extent::Time(time) => begin.elapsed() >= time,
        };
        if is_over || total.failure.is_some() || total.is_interrupted {
            return Ok(total);
        }
        let end = options.shard.count.saturating_mul(done + ROUND);
        let end = match options.extent {
            Extent::Cases(cases) => end.min(cases),
            Extent::Time(_) => end,
        };
        let missing: Vec<usize> = plan.missing(&total.tally).collect();
        let (origin, before) = (steering.next(), missing.len());
        let round = Round { plan, seed: options.seed, origin, missing };
        let CoverOptions { seed, jobs, shard, stop, .. } = *options;
        let options = CheckOptions { seed, extent: Extent::Cases(end), jobs, shard, done, stop };
        let result = check_cases(&round, source, &options, |_| {})?;
        (total.failure, total.is_interrupted) = (result.failure, result.is_interrupted);
        if total.is_interrupted && total.failure.is_none() {
            continue;
        }
        total.cases += result.cases;
        total.ops += result.ops;
        total.cycles += result.cycles;
        bins::add(&mut total.tally, &result.tally);
        steering.brought(origin, (before - plan.missing(&total.tally).count()) as u64);
        if total.failure.is_none() {
            progress(&total, &steering);
        }
    }
}

#[cfg(test)]
mod tests {
    use lsu_model::preset;

    use super::*;
    use crate::program::{Overrides, read, write};

    #[test]
    fn a_file_can_say_what_changes() {
        for preset in preset::ALL {
            let mut random = Random::new(1, MIX_STREAM);
            let mut program = generate::program(&preset, 1, 0).expect("a program");
            program.ops.truncate(1);
            for _ in 0..20 {
                let change = Some(anything(preset.address_bits, &mut random).into());
                program.ops[0].change = change.clone();
                let text = write(&program);
                let again = read(&text, "change.toml", Overrides::default()).expect("a program");
                assert_eq!(again.ops[0].change, change, "{}: {text}", preset.name);
            }
        }
    }
}

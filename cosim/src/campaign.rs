//! What a check has found so far, as `lsu check --json` prints it and `--results` keeps it, or what `lsu cover` has: a shard that was killed
//! goes on from it, and `lsu merge` adds up those of all shards.
//!
//! Findings can be added when they are of the same [`Campaign`] and of different shards, so that no case counts twice.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::check::Shard;
use crate::cover::Steering;

/// Ends the name of a count that is the most of all runs, not their sum.
const MOST: &str = "_most";

/// Parts that a check is cut into at most: each is one process at least.
const MOST_SHARDS: u64 = 65_536;

/// What runs programs and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verb {
    /// `lsu check`.
    #[serde(rename = "check")]
    Check,
    /// `lsu cover`.
    #[serde(rename = "cover")]
    Cover,
    /// `lsu cover --rtl`.
    #[serde(rename = "cover --rtl")]
    CoverRtl,
}

impl fmt::Display for Verb {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Check => "check",
            Self::Cover => "cover",
            Self::CoverRtl => "cover --rtl",
        })
    }
}

/// What all shards of one check have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    /// Which programs are run, and what is counted.
    pub command: Verb,
    /// The preset's name.
    pub preset: String,
    /// The version of `lsu`, which fixes the unit, the model and the programs.
    pub version: String,
    /// Seed of the random programs.
    pub seed: u64,
    /// Cases of all shards together; `None` where time limits them.
    pub cases_asked: Option<u64>,
    /// The engines, the first one drives.
    pub engines: Vec<String>,
    /// SHA-256 of the Verilog that was checked instead of the emitted one.
    pub dut: Option<String>,
}

impl Campaign {
    /// The first thing in which `other` differs, with both values.
    fn difference(&self, other: &Self) -> Option<String> {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
        let each = |campaign: &Self| {
            [
                ("command", campaign.command.to_string()),
                ("preset", campaign.preset.clone()),
                ("version of lsu", campaign.version.clone()),
                ("seed", campaign.seed.to_string()),
                ("cases", or_none(campaign.cases_asked.map(|cases| cases.to_string()))),
                ("engines", campaign.engines.join(",")),
                ("dut", or_none(campaign.dut.clone())),
            ]
        };
        let pairs = each(self).into_iter().zip(each(other));
        let mut differing = pairs.filter(|(own, others)| own != others);
        differing.next().map(|((what, own), (_, others))| format!("{what} {own} and {others}"))
    }
}

/// How far one shard has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardProgress {
    /// Which.
    #[serde(with = "shard_text")]
    pub shard: Shard,
    /// Its cases that have run: its first ones, none left out.
    pub cases: u64,
    /// Nothing is left to run.
    pub is_complete: bool,
}

/// What a check, or some shards of it, came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// What was checked.
    #[serde(flatten)]
    pub campaign: Campaign,
    /// Cases that have run.
    pub cases: u64,
    /// Operations that completed.
    pub ops: u64,
    /// Cycles.
    pub cycles: u64,
    /// Failing cases: at most one of each shard.
    pub mismatches: u64,
    /// Seconds that it took, of several shards the longest.
    pub seconds: f64,
    /// Checked cycles per second, of several shards all together.
    pub cycles_per_second: u64,
    /// Threads, of several shards all together.
    pub jobs: u64,
    /// The counts of [`Tally`](crate::tally::Tally), or how often each bin was filled.
    pub coverage: Value,
    /// Where a failing program is saved, of several shards the first one's.
    pub repro: Option<String>,
    /// What fails in it, as the first line of its report says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The shards, in ascending order.
    pub shards: Vec<ShardProgress>,
    /// Of one shard of `lsu cover`: where it would go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steering: Option<Steering>,
}

/// Findings that cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlike {
    /// They are of two checks.
    #[error("not of the same check: {0}")]
    Campaign(String),
    /// The cases are cut in other ways.
    #[error("the cases are cut into {0} shards and into {1}")]
    Cut(u64, u64),
    /// A shard is in both, and would count twice.
    #[error("shard {0} is in both and would count twice")]
    Twice(Shard),
    /// The counts have another shape, or are too large.
    #[error("the counts of `{0}` cannot be added")]
    Counts(String),
}

impl Findings {
    /// Whether they are of `campaign` and of `shard` alone, so that this shard can go on from them.
    ///
    /// # Errors
    /// They are not, for the reason that is given.
    pub fn are_of(&self, campaign: &Campaign, shard: Shard) -> Result<(), Unlike> {
        if let Some(difference) = self.campaign.difference(campaign) {
            return Err(Unlike::Campaign(difference));
        }
        match self.shards[..] {
            [own] if own.shard == shard => Ok(()),
            [own] => Err(Unlike::Campaign(format!("shard {} and {shard}", own.shard))),
            _ => Err(Unlike::Campaign(format!("{} shards and shard {shard}", self.shards.len()))),
        }
    }

    /// Adds what the same shard found when it went on.
    ///
    /// # Errors
    /// The counts are not of the same kind.
    pub fn go_on(&mut self, later: Findings) -> Result<(), Unlike> {
        self.count_in(&later)?;
        self.seconds += later.seconds;
        self.cycles_per_second = rate(self.cycles, self.seconds);
        self.jobs = later.jobs;
        self.repro = later.repro;
        self.failure = later.failure;
        self.shards = later.shards;
        Ok(())
    }

    /// Adds the findings of other shards.
    ///
    /// # Errors
    /// They are not of the same check, or a shard is in both.
    pub fn merge(&mut self, other: Findings) -> Result<(), Unlike> {
        if let Some(difference) = self.campaign.difference(&other.campaign) {
            return Err(Unlike::Campaign(difference));
        }
        for theirs in &other.shards {
            for own in &self.shards {
                if own.shard.count != theirs.shard.count {
                    return Err(Unlike::Cut(own.shard.count, theirs.shard.count));
                }
                if own.shard == theirs.shard {
                    return Err(Unlike::Twice(own.shard));
                }
            }
        }
        self.count_in(&other)?;
        self.seconds = self.seconds.max(other.seconds);
        self.cycles_per_second = self.cycles_per_second.saturating_add(other.cycles_per_second);
        self.jobs = self.jobs.saturating_add(other.jobs);
        if self.repro.is_none() && (other.repro.is_some() || self.failure.is_none()) {
            self.repro = other.repro;
            self.failure = other.failure;
        }
        self.shards.extend(other.shards);
        self.shards.sort_by_key(|progress| progress.shard.index);
        self.steering = None;
        Ok(())
    }

    /// Adds what `other` has counted.
    fn count_in(&mut self, other: &Findings) -> Result<(), Unlike> {
        for (name, own, others) in [
            ("cases", &mut self.cases, other.cases),
            ("ops", &mut self.ops, other.ops),
            ("cycles", &mut self.cycles, other.cycles),
            ("mismatches", &mut self.mismatches, other.mismatches),
        ] {
            *own = own.checked_add(others).ok_or_else(|| Unlike::Counts(name.to_owned()))?;
        }
        add_counts("coverage", &mut self.coverage, &other.coverage)
    }

    /// The document without what tells one check or shard from another: what a check prints that was not cut up.
    pub fn figures(&self) -> Value {
        let Self {
            campaign,
            cases,
            ops,
            cycles,
            mismatches,
            seconds,
            cycles_per_second,
            jobs,
            coverage,
            repro,
            failure,
            ..
        } = self;
        let mut document = json!({
            "preset": campaign.preset,
            "cases": cases,
            "ops": ops,
            "cycles": cycles,
            "mismatches": mismatches,
            "seconds": seconds,
            "cycles_per_second": cycles_per_second,
            "jobs": jobs,
            "coverage": coverage,
            "repro": repro,
        });
        if let Some(failure) = failure {
            document["failure"] = json!(failure);
        }
        document
    }

    /// What cannot be true of findings, if anything is: they come from a file, which may have been cut, joined or written by hand.
    pub fn contradiction(&self) -> Option<String> {
        let Some(first) = self.shards.first() else { return Some("it names no shard".to_owned()) };
        let mut seen = HashSet::new();
        if !self.shards.iter().all(|progress| seen.insert(progress.shard)) {
            return Some("it names a shard twice".to_owned());
        }
        if let Some(other) = self.shards.iter().find(|progress| progress.shard.count != first.shard.count) {
            return Some(Unlike::Cut(first.shard.count, other.shard.count).to_string());
        }
        let sum = self.shards.iter().try_fold(0_u64, |sum, progress| sum.checked_add(progress.cases));
        if sum != Some(self.cases) {
            return Some(format!("it has {} cases, which is not the sum of its shards", self.cases));
        }
        if !(self.seconds.is_finite() && self.seconds >= 0.0) {
            return Some(format!("it took {} seconds", self.seconds));
        }
        self.shards.iter().find_map(|progress| self.contradiction_of(progress))
    }

    /// What cannot be true of one shard: it has more cases than are its own, or is complete with fewer, though nothing has ended it.
    fn contradiction_of(&self, progress: &ShardProgress) -> Option<String> {
        let ShardProgress { shard, cases, is_complete } = *progress;
        let own = shard.cases(self.campaign.cases_asked?);
        let may_be_fewer = !is_complete || self.mismatches > 0;
        let is_possible = if may_be_fewer { cases <= own } else { cases == own };
        (!is_possible).then(|| format!("its shard {shard} has run {cases} cases, and {own} are its own"))
    }

    /// How far `shard` came, if it is missing or not complete.
    pub fn unfinished_of(&self, shard: Shard) -> Option<ShardProgress> {
        let absent = ShardProgress { shard, cases: 0, is_complete: false };
        let progress = self.shards.iter().find(|progress| progress.shard == shard).unwrap_or(&absent);
        (!progress.is_complete).then_some(*progress)
    }

    /// The shards that are missing or not complete, each with how far it came.
    pub fn unfinished(&self) -> Vec<ShardProgress> {
        let count = self.shards.first().map_or(1, |progress| progress.shard.count);
        (0..count).filter_map(|index| self.unfinished_of(Shard { index, count })).collect()
    }
}

/// Cycles per second.
pub fn rate(cycles: u64, seconds: f64) -> u64 {
    (cycles as f64 / seconds.max(f64::EPSILON)).round() as u64
}

impl fmt::Display for Findings {
    /// One line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { campaign, cases, ops, cycles, mismatches, seconds, cycles_per_second, jobs, .. } = self;
        write!(
            formatter,
            "{}: {cases} cases, {ops} operations, {cycles} cycles, {mismatches} mismatches \
             ({seconds:.1} s, {cycles_per_second} cycles/s, {jobs} jobs)",
            campaign.preset
        )
    }
}

/// Adds counts: numbers, lists of them and tables of them, by name. A name that only one of the two has is kept.
fn add_counts(name: &str, sum: &mut Value, other: &Value) -> Result<(), Unlike> {
    match (sum, other) {
        (Value::Object(sum), Value::Object(other)) => add_tables(sum, other),
        // What no case has counted yet is an empty list.
        (Value::Array(sum), Value::Array(other)) if sum.is_empty() => {
            sum.clone_from(other);
            Ok(())
        }
        (Value::Array(sum), Value::Array(other)) if other.is_empty() || sum.len() == other.len() => {
            sum.iter_mut().zip(other).try_for_each(|(sum, other)| add_counts(name, sum, other))
        }
        (Value::Number(sum), Value::Number(other)) => {
            let (Some(own), Some(others)) = (sum.as_u64(), other.as_u64()) else {
                return Err(Unlike::Counts(name.to_owned()));
            };
            let total = if name.ends_with(MOST) { Some(own.max(others)) } else { own.checked_add(others) };
            *sum = total.ok_or_else(|| Unlike::Counts(name.to_owned()))?.into();
            Ok(())
        }
        _ => Err(Unlike::Counts(name.to_owned())),
    }
}

fn add_tables(sum: &mut Map<String, Value>, other: &Map<String, Value>) -> Result<(), Unlike> {
    for (name, value) in other {
        match sum.get_mut(name) {
            Some(own) => add_counts(name, own, value)?,
            None => {
                sum.insert(name.clone(), value.clone());
            }
        }
    }
    Ok(())
}

impl fmt::Display for Shard {
    /// As `--shard` takes it, counted from 1.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index + 1, self.count)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    /// Reads `I/N`, I from 1 to N.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse::<u64>().ok()?, count.parse::<u64>().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) && count <= MOST_SHARDS => {
                Ok(Self { index: index - 1, count })
            }
            _ => Err("write I/N with I from 1 to N, and N at most 65536, for example 1/4"),
        }
    }
}

/// A shard in a document, as `--shard` takes it.
mod shard_text {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    use crate::check::Shard;

    pub(super) fn serialize<S: Serializer>(shard: &Shard, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(shard)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(shard: &str, cases: u64, coverage: Value) -> Findings {
        let campaign = Campaign {
            command: Verb::Check,
            preset: "tiny4".to_owned(),
            version: "1".to_owned(),
            seed: 7,
            cases_asked: Some(10),
            engines: vec!["model".to_owned()],
            dut: None,
        };
        let shard = shard.parse().expect("a shard");
        Findings {
            campaign,
            cases,
            ops: 2 * cases,
            cycles: 100 * cases,
            mismatches: 0,
            seconds: 2.0,
            cycles_per_second: 50 * cases,
            jobs: 1,
            coverage,
            repro: None,
            failure: None,
            shards: vec![ShardProgress { shard, cases, is_complete: true }],
            steering: None,
        }
    }

    #[test]
    fn a_shard_without_a_case_goes_on_and_is_added() {
        let (none, some) = (json!({ "a": [] }), json!({ "a": [1, 2] }));
        for (first, second) in [(&none, &some), (&some, &none), (&some, &some)] {
            let mut sum = findings("1/2", 0, first.clone());
            sum.merge(findings("2/2", 3, second.clone())).expect("of the same check");
            let twice = first == second;
            assert_eq!(sum.coverage, if twice { json!({ "a": [2, 4] }) } else { some.clone() });
        }
    }

    #[test]
    fn counts_add_by_name_and_the_most_is_the_most() {
        let mut sum = findings("2/3", 3, json!({ "a": [1, 2], "places": { "global_most": 9, "full": 4 } }));
        let other = findings("1/3", 4, json!({ "a": [10, 20], "places": { "global_most": 7, "full": 5 }, "b": 1 }));
        sum.merge(other).expect("of the same check");
        assert_eq!((sum.cases, sum.ops, sum.cycles, sum.seconds, sum.jobs), (7, 14, 700, 2.0, 2));
        assert_eq!(sum.coverage, json!({ "a": [11, 22], "places": { "global_most": 9, "full": 9 }, "b": 1 }));
        let missing: Vec<String> = sum.unfinished().iter().map(|progress| progress.shard.to_string()).collect();
        assert_eq!(missing, ["3/3"]);
        assert_eq!(sum.shards.iter().map(|progress| progress.shard.index).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let own = findings("1/2", 5, json!({}));
        let refused = |other: Findings| own.clone().merge(other).expect_err("unlike").to_string();
        assert_eq!(refused(own.clone()), "shard 1/2 is in both and would count twice");
        assert_eq!(refused(findings("2/3", 3, json!({}))), "the cases are cut into 2 shards and into 3");
        let mut other = findings("2/2", 5, json!({}));
        other.campaign.seed = 8;
        assert_eq!(refused(other), "not of the same check: seed 7 and 8");
        let lists = findings("1/2", 5, json!({ "a": [1] }));
        let unlike = lists.clone().merge(findings("2/2", 5, json!({ "a": [1, 2] }))).expect_err("unlike");
        assert_eq!(unlike, Unlike::Counts("a".to_owned()));
    }

    #[test]
    fn shards_and_counts_have_bounds() {
        assert_eq!("65536/65536".parse::<Shard>().expect("a shard").count, 65_536);
        for text in ["1/65537", "1/18446744073709551615", "0/4", "5/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        let mut twice = findings("1/2", 5, json!({}));
        assert_eq!(twice.contradiction(), None);
        twice.shards.push(twice.shards[0]);
        assert_eq!(twice.contradiction().as_deref(), Some("it names a shard twice"));
        let mut sum = findings("1/2", 5, json!({}));
        let many = Findings { ops: u64::MAX, ..findings("2/2", 5, json!({})) };
        assert_eq!(sum.merge(many), Err(Unlike::Counts("ops".to_owned())));
    }

    #[test]
    fn a_document_reads_back_as_it_was() {
        let written = findings("1/2", 5, json!({ "a": 1 }));
        let text = serde_json::to_string(&written).expect("a document");
        assert_eq!(serde_json::from_str::<Findings>(&text).expect("the same"), written);
        assert!(text.contains("\"shard\":\"1/2\""), "{text}");
    }
}

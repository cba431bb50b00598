//! How often each outcome was seen, and what that says of the condition.

use std::collections::BTreeMap;

use super::test::Quantifier;

/// What is known of one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Runs that came to it.
    pub count: u64,
    /// The first of them.
    pub first: u64,
    /// Whether the condition holds in it.
    pub holds: bool,
}

/// The outcomes of many runs, each the values of what the test observes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    outcomes: BTreeMap<Vec<u64>, Seen>,
}

impl Histogram {
    /// The run number `run` came to `values`.
    pub fn add(&mut self, values: Vec<u64>, holds: bool, run: u64) {
        let seen = self.outcomes.entry(values).or_insert(Seen { count: 0, first: run, holds });
        seen.count += 1;
        seen.first = seen.first.min(run);
    }

    /// All runs.
    pub fn runs(&self) -> u64 {
        self.outcomes.values().map(|seen| seen.count).sum()
    }

    /// The runs in which the condition holds.
    pub fn holding(&self) -> u64 {
        self.outcomes.values().filter(|seen| seen.holds).map(|seen| seen.count).sum()
    }

    /// Whether the runs are as `quantifier` asks.
    pub fn meets(&self, quantifier: Quantifier) -> bool {
        match quantifier {
            Quantifier::Exists => self.holding() > 0,
            Quantifier::NotExists => self.holding() == 0,
            Quantifier::Forall => self.holding() == self.runs(),
        }
    }

    /// The first run that shows that `quantifier` is wrong, if one run can.
    pub fn counterexample(&self, quantifier: Quantifier) -> Option<u64> {
        let against = match quantifier {
            Quantifier::Exists => return None,
            Quantifier::NotExists => true,
            Quantifier::Forall => false,
        };
        self.outcomes.values().filter(|seen| seen.holds == against).map(|seen| seen.first).min()
    }

    /// The outcomes, the most frequent first.
    pub fn by_count(&self) -> Vec<(&[u64], Seen)> {
        let mut outcomes: Vec<_> = self.outcomes.iter().map(|(values, seen)| (values.as_slice(), *seen)).collect();
        outcomes.sort_by_key(|(_, seen)| std::cmp::Reverse(seen.count));
        outcomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn met_is_seen_never_seen_and_always_seen() {
        let mut histogram = Histogram::default();
        for (run, value) in [(3, 0), (1, 0), (2, 1)] {
            histogram.add(vec![value], value == 1, run);
        }
        let all = [Quantifier::Exists, Quantifier::NotExists, Quantifier::Forall];
        assert_eq!(all.map(|quantifier| histogram.meets(quantifier)), [true, false, false]);
        assert_eq!(all.map(|quantifier| histogram.counterexample(quantifier)), [None, Some(2), Some(1)]);
        assert_eq!(histogram.by_count()[0], ([0].as_slice(), Seen { count: 2, first: 1, holds: false }));
        histogram = Histogram::default();
        histogram.add(vec![1], true, 0);
        assert_eq!(all.map(|quantifier| histogram.meets(quantifier)), [true, false, true]);
    }
}

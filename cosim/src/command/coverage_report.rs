//! What `lsu cover` prints, of one shard or of several added up.

use std::collections::BTreeMap;

use lsu_model::preset::Preset;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use crate::campaign::Findings;
use crate::cover::{Hits, Plan, RtlHits, RtlReport, UntoggledList};
use crate::output;

/// How many missing bins are named where not all are asked for.
const SHOWN: usize = 40;

/// What was filled, in the form in which findings keep it: bins and points by name, so that those of shards can be added.
pub(super) fn counts(plan: &Plan, hits: &Hits, rtl: Option<&RtlHits>) -> Value {
    let bins: Map<String, Value> =
        hits.iter().enumerate().map(|(bin, hits)| (plan.name(bin), (*hits).into())).collect();
    match rtl {
        Some(rtl) => json!({ "bins": bins, "rtl": rtl }),
        None => json!({ "bins": bins }),
    }
}

/// The bins of a family.
#[derive(Clone, Copy, Debug, Default)]
struct Family {
    bins: u64,
    reachable: u64,
    filled: u64,
}

impl Family {
    fn to_json(self) -> Value {
        let Self { bins, reachable, filled } = self;
        json!({"bins": bins, "reachable": reachable, "filled": filled})
    }
}

/// Findings of `lsu cover`, held against the plan.
pub(super) struct CoverageReport<'a> {
    findings: &'a Findings,
    plan: Plan,
    pub hits: Hits,
    pub rtl: Option<RtlHits>,
    verilog: Option<RtlReport>,
}

impl<'a> CoverageReport<'a> {
    /// Of these findings.
    ///
    /// # Errors
    /// They are not of the plan's bins, for the reason that is given.
    pub fn read(findings: &'a Findings) -> Result<Self, String> {
        let name = &findings.campaign.preset;
        let preset = Preset::named(name).ok_or_else(|| format!("there is no preset `{name}`"))?;
        let plan = Plan::new(&preset);
        let Some(Value::Object(bins)) = findings.coverage.get("bins") else {
            return Err("it has no `bins`".to_owned());
        };
        let read = |bin: usize| {
            let name = plan.name(bin);
            let hits = bins.get(&name).and_then(Value::as_u64).and_then(|hits| u32::try_from(hits).ok());
            hits.ok_or_else(|| format!("it has no count of the bin `{name}`"))
        };
        let hits = (0..plan.len()).map(read).collect::<Result<Hits, String>>()?;
        let rtl: Option<RtlHits> = match findings.coverage.get("rtl") {
            Some(rtl) => Some(RtlHits::deserialize(rtl).map_err(|error| format!("its `rtl`: {error}"))?),
            None => None,
        };
        let reasons = UntoggledList::of(&preset)?;
        let verilog = rtl.as_ref().map(|hits| RtlReport::new(hits, &reasons));
        Ok(Self { findings, plan, hits, rtl, verilog })
    }

    /// Whether a bin was filled that the plan says cannot be.
    pub fn contradicts_plan(&self) -> bool {
        self.plan.contradicting(&self.hits).next().is_some()
            || self.verilog.as_ref().is_some_and(|verilog| !verilog.contradicting.is_empty())
    }

    /// Prints all of it.
    pub fn print(&self, is_json: bool) {
        if is_json {
            output::print_line(self.document());
        } else {
            output::print(&self.text());
        }
    }

    fn names(&self, bins: impl Iterator<Item = usize>) -> Vec<String> {
        bins.map(|bin| self.plan.name(bin)).collect()
    }

    /// The families in the order of the plan, and what all bins come to.
    fn families(&self) -> (Vec<(&'static str, Family)>, Family) {
        let plan = &self.plan;
        let mut families: Vec<(&'static str, Family)> = Vec::new();
        let mut all = Family::default();
        for bin in 0..plan.len() {
            let name = plan.family(bin);
            if families.last().is_none_or(|(last, _)| *last != name) {
                families.push((name, Family::default()));
            }
            let Some((_, family)) = families.last_mut() else { continue };
            let is_reachable = plan.unreachable(bin).is_none();
            for sum in [family, &mut all] {
                sum.bins += 1;
                sum.reachable += u64::from(is_reachable);
                sum.filled += u64::from(is_reachable && self.hits[bin] > 0);
            }
        }
        (families, all)
    }

    /// What was measured of the Verilog.
    fn measured(&self) -> impl Iterator<Item = (&'static str, Family)> {
        let measures = self.verilog.iter().flat_map(|verilog| &verilog.measures);
        measures.map(|(measure, [bins, reachable, filled])| {
            (measure.name(), Family { bins: *bins, reachable: *reachable, filled: *filled })
        })
    }

    fn text(&self) -> String {
        let row = |name: &str, Family { bins, reachable, filled }: Family| {
            let percent = if reachable == 0 { 100.0 } else { 100.0 * filled as f64 / reachable as f64 };
            format!("{name:<16}{bins:>8}{reachable:>11}{filled:>9}{percent:>8.1} %\n")
        };
        let (families, all) = self.families();
        let mut text = format!("{:<16}{:>8}{:>11}{:>9}\n", "family", "bins", "reachable", "filled");
        families.into_iter().for_each(|(name, family)| text.push_str(&row(name, family)));
        text.push_str(&row("all", all));
        for (name, family) in self.measured() {
            text.push_str(&row(name, family));
        }
        let mut list = |title: &str, names: Vec<String>| {
            if names.is_empty() {
                return;
            }
            text.push_str(&format!("\n{title}:\n"));
            names.iter().take(SHOWN).for_each(|name| text.push_str(&format!("  {name}\n")));
            if names.len() > SHOWN {
                text.push_str(&format!("  and {} others: --json names them all\n", names.len() - SHOWN));
            }
        };
        list("missing", self.names(self.plan.missing(&self.hits)));
        list("filled against what the plan says", self.names(self.plan.contradicting(&self.hits)));
        if let Some(verilog) = &self.verilog {
            list("missing of the Verilog", verilog.missing.clone());
            list("met against what untoggled.toml says", verilog.contradicting.clone());
        }
        text.push_str(&format!("\n{}\n", self.findings));
        text
    }

    fn document(&self) -> Value {
        let (families, all) = self.families();
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for bin in 0..self.plan.len() {
            if let Some(reason) = self.plan.unreachable(bin) {
                reasons.entry(reason).or_default().push(self.plan.name(bin));
            }
        }
        let by_name = |counts: Map<String, Value>| Value::from(counts);
        let Findings { campaign, cases, ops, cycles, mismatches, repro, failure, shards, .. } = self.findings;
        let mut document = json!({
            "preset": campaign.preset,
            "cases": cases,
            "ops": ops,
            "cycles": cycles,
            "mismatches": mismatches,
            "repro": repro,
            "all": all.to_json(),
            "families": by_name(families.into_iter().map(|(name, family)| (name.to_owned(), family.to_json())).collect()),
            "missing": self.names(self.plan.missing(&self.hits)),
            "against_the_plan": self.names(self.plan.contradicting(&self.hits)),
            "unreachable": reasons,
            "rtl": self.verilog.as_ref().map(|verilog| json!({
                "measures": by_name(self.measured().map(|(name, family)| (name.to_owned(), family.to_json())).collect()),
                "missing": verilog.missing,
                "against_the_list": verilog.contradicting,
                "unreachable": verilog.unreachable,
            })),
        });
        if let Some(failure) = failure {
            document["failure"] = json!(failure);
        }
        if shards.len() > 1 || shards.iter().any(|progress| progress.shard.count > 1) {
            document["shards"] = json!(shards);
        }
        document
    }
}

//! Legality of every load and store in a file.

use lsu_model::diagnostic::{Diagnostic, line_column, render};
use lsu_model::{ptx, sass};
use serde_json::{Value, json};

use super::Outcome;

/// Diagnostics that are shown at most; the rest are counted.
const MOST_SHOWN: usize = 1000;

/// What a file holds, in its order.
#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    /// Those of the accepted that this version of the unit does not serve.
    not_served: usize,
    warned: usize,
    shown: Vec<Diagnostic>,
    hidden: usize,
}

impl Tally {
    /// Counts what is legal and not served, where there is a `reason` for it, which is shown with `--unit`.
    fn count_not_served(&mut self, reason: Option<Diagnostic>, with_unit: bool) {
        self.not_served += usize::from(reason.is_some());
        reason.into_iter().filter(|_| with_unit).for_each(|reason| self.keep(reason));
    }

    /// Keeps a diagnostic to show, or counts it.
    fn keep(&mut self, diagnostic: Diagnostic) {
        if !diagnostic.is_error() {
            self.warned += 1;
        }
        if self.shown.len() < MOST_SHOWN { self.shown.push(diagnostic) } else { self.hidden += 1 }
    }
}

/// What kind of text a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A PTX module.
    Ptx,
    /// A listing of nvdisasm or cuobjdump.
    Sass,
}

/// What is said about a file.
#[derive(Debug)]
pub struct Judgement {
    kind: Kind,
    with_unit: bool,
    is_broken: bool,
    tally: Tally,
}

/// Judges `text`; `with_unit` asks also that this version of the unit serves what is legal.
pub fn lint(text: &str, kind: Kind, dialect: ptx::Dialect, with_unit: bool) -> Judgement {
    let (tally, is_broken) = match kind {
        Kind::Ptx => tally_ptx(text, dialect, with_unit),
        Kind::Sass => tally_sass(text, with_unit),
    };
    Judgement { kind, with_unit, is_broken, tally }
}

impl Judgement {
    /// How it ends.
    pub fn outcome(&self) -> Outcome {
        let is_all_served = !self.with_unit || self.tally.not_served == 0;
        if self.tally.refused > 0 || self.is_broken || !is_all_served { Outcome::Refused } else { Outcome::Well }
    }

    /// The findings about the file `name`, whose text is `text`, and a last line with the counts.
    pub fn in_words<'a>(&'a self, name: &'a str, text: &'a str, colour: bool) -> impl Iterator<Item = String> + 'a {
        let Tally { accepted, refused, not_served, warned, shown, hidden } = &self.tally;
        let subject = match self.kind {
            Kind::Ptx => "loads and stores",
            Kind::Sass => "constant loads",
        };
        let total = accepted + refused;
        let which = if *not_served > 0 && !self.with_unit { " (--unit shows them)" } else { "" };
        let last = format!(
            "{name}: {total} {subject}: {accepted} legal, {refused} refused; warnings: {warned}; \
             legal, but not served by this version of the unit: {not_served}{which}"
        );
        let more = (*hidden > 0).then(|| format!("… and {hidden} more"));
        shown.iter().map(move |diagnostic| render(diagnostic, name, text, colour)).chain(more).chain([last])
    }

    /// The same as one JSON document.
    pub fn json(&self, name: &str, text: &str) -> Value {
        report_json(name, text, &self.tally)
    }
}

/// Judges a PTX module; the second value says whether the module itself is broken.
fn tally_ptx(text: &str, dialect: ptx::Dialect, with_unit: bool) -> (Tally, bool) {
    let mut tally = Tally::default();
    let module = ptx::lint(text, dialect, &mut |judged| {
        if judged.verdict.is_accepted() {
            tally.accepted += 1
        } else {
            tally.refused += 1
        }
        tally.count_not_served(judged.not_served, with_unit);
        // The first error decides; the others most often say the same again.
        judged.verdict.errors.into_iter().take(1).chain(judged.verdict.warnings).for_each(|one| tally.keep(one));
    });
    let is_broken = module.remarks.iter().any(Diagnostic::is_error);
    module.remarks.into_iter().for_each(|remark| tally.keep(remark));
    tally.shown.sort_by_key(|diagnostic| diagnostic.span.start);
    (tally, is_broken)
}

/// Judges a SASS listing; the second value says whether the listing itself is broken.
fn tally_sass(text: &str, with_unit: bool) -> (Tally, bool) {
    let mut tally = Tally::default();
    let listing = sass::lint(text);
    let is_broken = listing.remarks.iter().any(Diagnostic::is_error);
    listing.remarks.into_iter().for_each(|remark| tally.keep(remark));
    for finding in listing.findings {
        match finding.refusal {
            None => {
                tally.accepted += 1;
                tally.count_not_served(finding.not_served, with_unit);
            }
            Some(refusal) => {
                tally.refused += 1;
                tally.keep(refusal);
            }
        }
    }
    (tally, is_broken)
}

/// The report as one JSON document.
fn report_json(name: &str, text: &str, tally: &Tally) -> Value {
    let findings = tally.shown.iter().map(|diagnostic| {
        let (line, column) = line_column(text, diagnostic.span.start);
        json!({
            "line": line,
            "column": column,
            "severity": if diagnostic.is_error() { "error" } else { "warning" },
            "rule": diagnostic.rule,
            "message": diagnostic.message,
            "help": diagnostic.help,
        })
    });
    json!({
        "file": name,
        "accepted": tally.accepted,
        "refused": tally.refused,
        "served": tally.accepted - tally.not_served,
        "not_served": tally.not_served,
        "warnings": tally.warned,
        "findings": findings.collect::<Vec<_>>(),
        "findings_left_out": tally.hidden,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every compiled kernel loads its constants through the uniform datapath, too: legal, as NVIDIA's tools wrote it, and not the unit's.
    #[test]
    fn a_uniform_load_is_legal_and_not_served() {
        let text = "\t.target\tsm_90\n        /*0000*/ ULDC.64 UR4, c[0x0][0x208] ;\n        /*0010*/ LDC R1, c[0x0][0x28] ;\n";
        let judged = |with_unit| lint(text, Kind::Sass, ptx::Dialect::Assembler, with_unit);
        assert_eq!((judged(false).outcome(), judged(true).outcome()), (Outcome::Well, Outcome::Refused));
        let json = judged(true).json("a.sass", text);
        assert_eq!((&json["accepted"], &json["served"], &json["refused"]), (&json!(2), &json!(1), &json!(0)));
        assert_eq!(json["findings"][0]["rule"], "outside-unit");
    }

    /// A file of which nothing is understood is not judged, let alone well.
    #[test]
    fn what_is_no_listing_is_refused() {
        let outcome = |text: &str| lint(text, Kind::Sass, ptx::Dialect::Assembler, false).outcome();
        for text in ["hello world\n", ".version 8.8\n", "{\"name\": \"k\", \"instructions\": []}\n"] {
            assert_eq!(outcome(text), Outcome::Refused, "{text}");
        }
        // A kernel that loads no constant, and a line of a listing.
        assert_eq!(outcome("\t.target\tsm_90\n        /*0000*/ EXIT ;\n"), Outcome::Well);
        assert_eq!(outcome("        /*0000*/ LDC R4, c[0x3][R0] ;\n"), Outcome::Well);
    }
}

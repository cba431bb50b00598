//! Reading of the data files for the front end's tests.

use std::io::Read as _;

use lsu_model::ptx::{Context, Dialect, Judged, Target, Version, judge_fragment};

/// The text of a gzip file.
pub fn unpack(packed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("the data file is gzip");
    text
}

/// Every instruction of `text`, judged as JSON lines are: names by convention, inside a kernel.
pub fn judge(text: &str, version: &str, target: &str, dialect: Dialect) -> Vec<Judged> {
    let version = Version::parse(version).unwrap_or_else(|| panic!("version {version}"));
    let target = Target::parse(target).unwrap_or_else(|| panic!("target {target}"));
    judge_fragment(text, version, target, &mut Context::with_conventions(), dialect)
}

/// Whether every instruction is accepted, and otherwise the rule of the first that is not.
pub fn refusal(judged: &[Judged]) -> Option<&'static str> {
    judged.iter().find_map(|one| one.verdict.reason()).map(|reason| reason.rule)
}

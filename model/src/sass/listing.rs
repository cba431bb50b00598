//! Whole listings as nvdisasm and cuobjdump write them: every constant load in them is judged.
//!
//! A line may carry an offset comment, an instruction, and the machine word in comments; from SM70 the upper half of
//! the word stands alone on the next line. Where a word is given, it must decode to the text beside it.

use std::ops::Range;

use crate::diagnostic::Diagnostic;

use super::{Architecture, Instruction, decode, parse};

/// One constant load of a listing.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Bytes of the file that hold the instruction.
    pub span: Range<usize>,
    /// The instruction, where it could be read.
    pub instruction: Option<Instruction>,
    /// Why it is refused; `None` where it is accepted.
    pub refusal: Option<Diagnostic>,
    /// Why this version of the unit does not serve it, though it is accepted.
    pub not_served: Option<Diagnostic>,
}

/// What a listing holds.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Every constant load, in the order of the file.
    pub findings: Vec<Finding>,
    /// Remarks about the file as a whole.
    pub remarks: Vec<Diagnostic>,
}

/// The architecture that a listing is read for where it names none.
const NEWEST: u16 = 121;

/// Judges every constant load of the listing `text`.
pub fn lint(text: &str) -> Listing {
    let mut listing = Listing::default();
    let mut architecture = None;
    let mut pending: Option<(Range<usize>, Instruction, u64)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let offset = start;
        start += line.len();
        if let Some(found) = named_architecture(line) {
            architecture = Some(found);
        }
        let (code, words) = split_comments(line);
        let body = line[code.clone()].trim();
        if body.is_empty() {
            // The upper half of the word of the instruction before.
            if let (Some((span, instruction, low)), Some(high), Some(architecture)) =
                (pending.take(), words.first(), architecture)
            {
                let word = u128::from(*high) << 64 | u128::from(low);
                compare(&mut listing, span, instruction, word, architecture);
            }
            continue;
        }
        pending = None;
        let Some(range) = constant_load(line, code) else {
            continue;
        };
        let span = offset + range.start..offset + range.end;
        let judged_for = architecture.or_else(|| Architecture::new(NEWEST));
        let Some(judged_for) = judged_for else {
            continue;
        };
        if architecture.is_none() && listing.remarks.is_empty() {
            let message = format!("the listing names no architecture before this line: judged for {judged_for}");
            listing.remarks.push(
                Diagnostic::warning("sass-architecture", span.clone(), message)
                    .with_help("keep the listing's header, such as `.target sm_90` or `code for sm_90`"),
            );
        }
        match parse(&line[range.clone()], judged_for) {
            Err(refusal) => {
                let refusal = Some(refusal.shifted(span.start));
                listing.findings.push(Finding { span, instruction: None, refusal, not_served: None });
            }
            Ok(instruction) => {
                let objection = instruction.check(span.clone()).err();
                // A load of the uniform datapath is one of the machine's, if not of the unit's.
                let (not_served, refusal) = match instruction {
                    Instruction::Uniform(_) => (objection, None),
                    Instruction::Ldc(_) => (None, objection),
                };
                let is_accepted = refusal.is_none();
                listing.findings.push(Finding {
                    span: span.clone(),
                    instruction: Some(instruction),
                    refusal,
                    not_served,
                });
                if let (Some(low), Some(architecture), true) = (words.first(), architecture, is_accepted) {
                    if architecture.is_short_word() {
                        compare(&mut listing, span, instruction, u128::from(*low), architecture);
                    } else {
                        pending = Some((span, instruction, *low));
                    }
                }
            }
        }
    }
    if architecture.is_none() && listing.findings.is_empty() {
        let message = "this is no listing: no line names an architecture, and none is a constant load";
        listing.remarks.push(
            Diagnostic::error("sass-listing", 0..text.lines().next().map_or(0, str::len), message).with_help(
                "give the plain output of nvdisasm or `cuobjdump -sass`, with its header, such as `.target sm_90`",
            ),
        );
    }
    listing
}

/// Refuses the latest finding where `word` does not decode to `instruction`.
fn compare(
    listing: &mut Listing,
    span: Range<usize>,
    instruction: Instruction,
    word: u128,
    architecture: Architecture,
) {
    let message = match decode(word, architecture) {
        Ok(decoded) if decoded == instruction => return,
        Ok(decoded) => format!("the machine word beside it says `{}`", decoded.to_text(architecture)),
        Err(refusal) => refusal.message,
    };
    if let Some(finding) = listing.findings.last_mut() {
        finding.refusal =
            Some(Diagnostic::error("encoding-mismatch", span, message).with_label("text and machine word disagree"));
    }
}

/// The architecture that a header line names, if it is one.
fn named_architecture(line: &str) -> Option<Architecture> {
    let names = |marker: &str| {
        let rest = &line[line.find(marker)? + marker.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        Architecture::new(rest[..digits].parse().ok()?)
    };
    if line.len() > 4096 {
        return None;
    }
    if line.contains("EF_CUDA_SM") {
        return names("EF_CUDA_SM");
    }
    let trimmed = line.trim_start();
    let is_header =
        [".target", "code for", "arch =", "\t.target", "Fatbin"].iter().any(|start| trimmed.starts_with(start));
    if is_header { names("sm_") } else { None }
}

/// The bytes of `line` between its comments that hold code, and the machine words that its comments hold.
fn split_comments(line: &str) -> (Range<usize>, Vec<u64>) {
    let mut words = Vec::new();
    let mut code = 0..0;
    let mut position = 0;
    let mut keep = |range: Range<usize>| {
        if code.is_empty() && !line[range.clone()].trim().is_empty() {
            code = range;
        }
    };
    while let Some(begin) = line[position..].find("/*") {
        let begin = position + begin;
        keep(position..begin);
        let Some(length) = line[begin + 2..].find("*/") else {
            position = line.len();
            break;
        };
        let comment = line[begin + 2..begin + 2 + length].trim();
        if let Some(word) = comment.strip_prefix("0x").filter(|digits| digits.len() == 16) {
            words.extend(u64::from_str_radix(word, 16));
        }
        position = begin + length + 4;
    }
    keep(position..line.len());
    (code, words)
}

/// The bytes of `line` that hold a constant load, within its code `code`.
fn constant_load(line: &str, code: Range<usize>) -> Option<Range<usize>> {
    let text = &line[code.clone()];
    let text = text.split("//").next().unwrap_or(text);
    // Dual-issue braces of older listings stand around pairs of instructions.
    let body = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '{');
    let start = code.start + (text.len() - body.len());
    let is_load = |word: &str| {
        let length = word.bytes().take_while(u8::is_ascii_alphanumeric).count();
        matches!(&word[..length], "LDC" | "ULDC" | "LDCU")
    };
    // Behind a guard that is none stands a load, too: reading it says what is wrong.
    let mut words = body.split_whitespace();
    let has_load = if body.starts_with('@') { words.any(is_load) } else { words.next().is_some_and(is_load) };
    if !has_load {
        return None;
    }
    let body = body.find(';').map_or(body, |end| &body[..=end]);
    let body = body.trim_end().trim_end_matches('}').trim_end();
    Some(start..start + body.len())
}

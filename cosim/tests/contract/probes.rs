//! The instructions that the data of the documents quote, judged as the documents do.

use lsu_model::micro_op::MicroOp;
use lsu_model::ptx::{Context, Dialect, Judged, Target, Version, judge_fragment, lower, not_served};
use lsu_model::sass::{Architecture, parse};

use crate::sentences::Sentence;

/// The document whose instructions are SASS.
pub const SASS: &str = "LDC";

/// Where the instructions of a sentence are read, beside the places of the rules that refuse them.
pub fn places(sentence: &Sentence, is_sass: bool) -> Vec<&'static str> {
    let mut places = Vec::new();
    let is_policy = |text: &String| text.starts_with("createpolicy");
    if sentence.legal.iter().any(is_policy) {
        places.push("model/src/ptx/cache_policy.rs");
    } else if !sentence.legal.is_empty() {
        places.push(if is_sass { "model/src/sass/text.rs" } else { "model/src/ptx/parser.rs" });
    }
    if !sentence.carries.is_empty() {
        places.push(if is_sass { "model/src/sass/instruction.rs" } else { "model/src/ptx/lowering.rs" });
    }
    if !sentence.needs.is_empty() {
        places.push("model/src/ptx/rules/gates.rs");
    }
    if !sentence.unserved.is_empty() {
        places.push("model/src/micro_op/served.rs");
    }
    places
}

/// The names that the instructions use: `%r`, `%f`, `%rd`, `%d`, `%h` and `%q` registers, a variable in each space.
fn context() -> Context {
    let mut context = Context::new();
    let mut declare = |name: &str, kind: &str| assert!(context.declare_as(name, kind), "{name}");
    for number in 0..9 {
        for (prefix, kind) in
            [("%r", "b32"), ("%f", "f32"), ("%rd", "b64"), ("%d", "f64"), ("%h", "b16"), ("%q", "b128")]
        {
            declare(&format!("{prefix}{number}"), kind);
        }
    }
    for (name, kind) in [
        ("%p1", "pred"),
        ("gbl", "global"),
        ("ugbl", "unified"),
        ("cst", "const"),
        ("sh", "shared"),
        ("lcl", "local"),
        ("kparam", "param"),
        ("ret", "param::func"),
        ("pol", "b64"),
    ] {
        declare(name, kind);
    }
    context
}

/// `version target` of a text such as `7.8 sm_90`.
fn version_and_target(text: &str) -> Option<(Version, Target)> {
    let (version, target) = text.split_once(' ')?;
    Some((Version::parse(version)?, Target::parse(target)?))
}

/// A text and what it is judged for: `7.8 sm_90: ld…`, or the newest version and a target that has everything.
fn split(text: &str) -> (Version, Target, &str) {
    let given = text.split_once(": ").and_then(|(at, rest)| Some((version_and_target(at)?, rest)));
    match given {
        Some(((version, target), rest)) => (version, target, rest),
        None => (Version::NEWEST, Target::parse("sm_100").expect("a known target"), text),
    }
}

/// The judgement of the PTX `text`, in a kernel, or behind `func:` in a device function.
fn judged(text: &str, version: Version, target: Target) -> Vec<Judged> {
    let mut context = context();
    let text = match text.strip_prefix("func: ") {
        Some(text) => {
            context.is_kernel = false;
            text
        }
        None => text,
    };
    judge_fragment(text, version, target, &mut context, Dialect::Strict)
}

/// The rule that refuses `text`, if one does.
fn refusal(text: &str, is_sass: bool) -> Option<String> {
    if is_sass {
        let instruction = match parse(text, sm()) {
            Ok(instruction) => instruction,
            Err(refusal) => return Some(refusal.rule.to_owned()),
        };
        return instruction.as_ldc()?.check(0..0).err().map(|refusal| refusal.rule.to_owned());
    }
    let (version, target, text) = split(text);
    let judged = judged(text, version, target);
    judged.iter().find_map(|one| one.verdict.reason()).map(|reason| reason.rule.to_owned())
}

/// The architecture of the SASS texts: one of those whose documents these are.
fn sm() -> Architecture {
    Architecture::new(52).expect("a known architecture")
}

/// The micro-op of a legal text.
fn micro_op(text: &str, is_sass: bool) -> Option<MicroOp> {
    if is_sass {
        return parse(text, sm()).ok()?.as_ldc()?.lower();
    }
    let (version, target, text) = split(text);
    let judged = judged(text, version, target);
    let mut context = context();
    context.is_kernel = !text.starts_with("func: ");
    lower(judged.first()?.instruction.as_ref()?, &context).ok().map(|lowered| lowered.micro_op)
}

/// What is wrong with the least version and target of `text`.
fn misgated(text: &str, needs: &str) -> Option<String> {
    let Some((least, target)) = version_and_target(needs) else {
        return Some(format!("{needs} is no version and target"));
    };
    for version in Version::all() {
        for known in Target::all().filter(|known| known.least_version() <= version) {
            let judged = judged(text, version, known);
            let reason = judged.iter().find_map(|one| one.verdict.reason()).map(|reason| reason.rule);
            let is_wanted = version >= least && known.number() >= target.number();
            let is_gate = matches!(reason, Some("gate-version" | "gate-target"));
            if is_wanted != reason.is_none() || (reason.is_some() && !is_gate) {
                return Some(format!("`{text}` in PTX {version} for {known}: {reason:?}, though it needs {needs}"));
            }
        }
    }
    None
}

/// What is wrong with the instructions of a sentence of `document`.
pub fn wrong(document: &str, sentence: &Sentence) -> Vec<String> {
    let is_sass = document == SASS;
    let mut wrong = Vec::new();
    let legal = sentence.legal.iter().chain(sentence.carries.keys()).chain(&sentence.unserved);
    wrong.extend(legal.filter_map(|text| Some(format!("`{text}` is refused: {}", refusal(text, is_sass)?))));
    for (text, rule) in &sentence.refused {
        match refusal(text, is_sass) {
            Some(found) if found == *rule => {}
            Some(found) => wrong.push(format!("`{text}` is refused by {found}, not by {rule}")),
            None => wrong.push(format!("`{text}` is legal, not refused by {rule}")),
        }
    }
    wrong.extend(sentence.needs.iter().filter_map(|(text, needs)| misgated(text, needs)));
    for (text, parts) in &sentence.carries {
        let op = micro_op(text, is_sass).map(|op| format!("{op:?}")).unwrap_or_default();
        let fields: Vec<&str> = op.split(['{', '}', ',']).map(str::trim).collect();
        let lacking = parts.split(", ").filter(|part| !fields.contains(part));
        wrong.extend(lacking.map(|part| format!("`{text}` has no `{part}`: {op}")));
    }
    for text in &sentence.unserved {
        let (version, target, ptx) = split(text);
        let judged = judged(ptx, version, target);
        let is_served =
            judged.iter().filter_map(|one| one.instruction.as_ref()).all(|one| not_served(one, &context()).is_none());
        if is_served {
            wrong.push(format!("`{text}` is served"));
        }
    }
    wrong
}

//! `explain`: one instruction, its legality, its micro-op, and in words what the unit will do.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use clap::Args;
use lsu_model::diagnostic::{Diagnostic, render};
use lsu_model::micro_op::MicroOp;
use lsu_model::ptx::{self, AddressBase, Context, Gate, Lowered, PolicySource, Target, Version};
use lsu_model::sass::{self, Architecture, Bank, Instruction};
use serde_json::{Value, json};

use crate::output;

use super::micro_op_json::{ldc_json, micro_op_json};
use super::{ALL_WELL, REFUSED, UNUSABLE, dialect};

/// Arguments of `explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// PTX (`ld…`, `st…`), SASS (`LDC…`), or a SASS machine word in hexadecimal.
    pub instruction: String,
    /// PTX ISA version to judge for; the newest known by default.
    #[arg(long, default_value_t = Version::NEWEST.to_string())]
    pub ptx_version: String,
    /// Target to judge for, for SASS the architecture.
    #[arg(long, default_value = "sm_100")]
    pub target: String,
    /// Follow the documents to the letter instead of NVIDIA's assembler.
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,
}

/// What is found out about an instruction.
#[derive(Default)]
struct Explanation {
    canonical: Option<String>,
    /// Sentences about what was assumed and what is needed.
    notes: Vec<String>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    micro_op: Option<MicroOp>,
    op_json: Value,
    /// Where per-lane values come from and go to.
    operands: Vec<String>,
}

/// Runs `explain`; returns the exit status.
pub fn explain(arguments: &ExplainArgs) -> i32 {
    let text = arguments.instruction.trim();
    let explanation = match find_out(text, arguments) {
        Ok(explanation) => explanation,
        Err(message) => {
            output::complain(message);
            return UNUSABLE;
        }
    };
    let status = if explanation.errors.is_empty() { ALL_WELL } else { REFUSED };
    if arguments.json {
        output::print_line(report_json(&explanation));
    } else {
        output::print(&report(&explanation, text, io::stdout().is_terminal()));
    }
    status
}

/// Finds everything out about `text`; an error is about the command line.
fn find_out(text: &str, arguments: &ExplainArgs) -> Result<Explanation, String> {
    match kind(text) {
        Kind::Ptx => explain_ptx(text, arguments),
        Kind::Sass => explain_sass(text, arguments, sass::parse),
        Kind::Word => explain_sass(text, arguments, |text, architecture| {
            sass::parse_word(text, architecture).and_then(|word| sass::decode(word, architecture))
        }),
    }
}

/// What kind of text is to be explained.
enum Kind {
    Ptx,
    Sass,
    Word,
}

/// Tells the kinds apart: SASS has upper-case mnemonics, a machine word nothing but hexadecimal digits.
fn kind(text: &str) -> Kind {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    if digits.len() >= 12 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Kind::Word;
    }
    let body = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(char::is_whitespace).map_or("", |(_, body)| body.trim_start()),
        None => text,
    };
    if body.starts_with(|letter: char| letter.is_ascii_uppercase()) { Kind::Sass } else { Kind::Ptx }
}

/// Explains PTX.
fn explain_ptx(text: &str, arguments: &ExplainArgs) -> Result<Explanation, String> {
    let version = Version::parse(&arguments.ptx_version)
        .ok_or_else(|| format!("PTX {} is no version that is known", arguments.ptx_version))?;
    let target =
        Target::parse(&arguments.target).ok_or_else(|| format!("{} is no target that is known", arguments.target))?;
    let mut explanation = Explanation::default();
    let instruction = match ptx::parse(text) {
        Ok(instruction) => instruction,
        Err(refusal) => {
            explanation.errors.push(refusal);
            return Ok(explanation);
        }
    };
    explanation.canonical = Some(instruction.to_string());
    let mut context = Context::with_conventions();
    for (name, assumption) in context.assume_undeclared(&instruction) {
        explanation.notes.push(format!("`{name}` is taken for a {assumption}"));
    }
    let dialect = dialect(arguments.strict);
    let verdict = ptx::judge(&instruction, version, target, &context, dialect);
    let gate = Gate::of(&instruction, &context, dialect);
    explanation.notes.push(format!("needs at least PTX {} and sm_{}", gate.version, gate.target));
    explanation.errors = verdict.errors;
    explanation.warnings = verdict.warnings;
    if explanation.errors.is_empty() {
        match ptx::lower(&instruction, &context) {
            Ok(lowered) => {
                explanation.operands = operands(&lowered);
                explanation.op_json = micro_op_json(&lowered.micro_op);
                explanation.micro_op = Some(lowered.micro_op);
            }
            Err(refusal) => explanation.errors.push(refusal),
        }
    }
    Ok(explanation)
}

/// Where the per-lane values of a lowered instruction come from and go to.
fn operands(lowered: &Lowered) -> Vec<String> {
    let mut operands = vec![match &lowered.address {
        AddressBase::Register { name, bits } => format!("address: the {bits}-bit register {name}"),
        AddressBase::Variable { name, variable } => {
            format!("address: the variable {name} in {}", variable.space.state_space())
        }
        AddressBase::Zero => "address: the immediate alone".to_owned(),
    }];
    for (index, element) in lowered.elements.iter().enumerate() {
        operands.push(format!("element {index}: {}", element.source));
    }
    match &lowered.policy {
        Some(PolicySource::Register(name)) => operands.push(format!("policy: the register {name}")),
        Some(PolicySource::Immediate(value)) => operands.push(format!("policy: {value:#x}")),
        None => {}
    }
    if let Some(guard) = &lowered.guard {
        let condition = if guard.is_negated { "false" } else { "true" };
        operands.push(format!("lanes: those whose {} is {condition}", guard.name));
    }
    operands
}

/// Explains SASS that `read` reads for the architecture.
fn explain_sass(
    text: &str,
    arguments: &ExplainArgs,
    read: impl Fn(&str, Architecture) -> Result<Instruction, Diagnostic>,
) -> Result<Explanation, String> {
    let architecture = Architecture::parse(&arguments.target)
        .ok_or_else(|| format!("{} is no architecture with known machine code", arguments.target))?;
    let mut explanation = Explanation::default();
    let instruction = match read(text, architecture) {
        Ok(instruction) => instruction,
        Err(refusal) => {
            explanation.errors.push(refusal);
            return Ok(explanation);
        }
    };
    explanation.canonical = Some(instruction.to_text(architecture));
    if let Some(word) = instruction.encode(architecture) {
        let digits = if architecture.is_short_word() { 16 } else { 32 };
        explanation.notes.push(format!("machine word on {architecture}, scheduling bits zero: {word:0digits$x}"));
    }
    explanation.errors.extend(instruction.check(0..text.len()).err());
    if let Some(ldc) = instruction.as_ldc() {
        explanation.op_json = ldc_json(ldc);
        if explanation.errors.is_empty() {
            explanation.micro_op = ldc.lower();
            if let Bank::Uniform(register) = ldc.bank {
                explanation.notes.push(format!("the bank is known only at run time, from UR{register}"));
            }
        }
    }
    Ok(explanation)
}

/// The explanation as text.
fn report(explanation: &Explanation, text: &str, colour: bool) -> String {
    let mut report = String::new();
    // Writing to a string cannot fail.
    if let Some(canonical) = &explanation.canonical {
        let _ = writeln!(report, "{canonical}");
    }
    for diagnostic in explanation.errors.iter().chain(&explanation.warnings) {
        let _ = write!(report, "{}", render(diagnostic, "instruction", text, colour));
    }
    match explanation.errors.first() {
        None => {
            let _ = writeln!(report, "legal: no rule refuses it");
        }
        Some(reason) => {
            let _ = writeln!(report, "refused: the rule {} decides", reason.rule);
        }
    }
    for note in &explanation.notes {
        let _ = writeln!(report, "  {note}");
    }
    if let (Some(micro_op), Value::Object(fields)) = (&explanation.micro_op, &explanation.op_json) {
        let _ = writeln!(report, "micro-op:");
        for (name, value) in fields {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let _ = writeln!(report, "  {name:<10} {value}");
        }
        for operand in &explanation.operands {
            let _ = writeln!(report, "  {operand}");
        }
        let _ = writeln!(report, "the unit:");
        for sentence in micro_op.in_words() {
            let _ = writeln!(report, "  {sentence}");
        }
    }
    report
}

/// A diagnostic as JSON.
fn remark(diagnostic: &Diagnostic) -> Value {
    json!({ "rule": diagnostic.rule, "message": diagnostic.message, "help": diagnostic.help })
}

/// The explanation as one JSON document.
fn report_json(explanation: &Explanation) -> Value {
    json!({
        "accept": explanation.errors.is_empty(),
        "rule": explanation.errors.first().map(|reason| reason.rule),
        "canonical": explanation.canonical,
        "errors": explanation.errors.iter().map(remark).collect::<Vec<_>>(),
        "warnings": explanation.warnings.iter().map(remark).collect::<Vec<_>>(),
        "notes": explanation.notes,
        "op": explanation.op_json,
        "operands": explanation.operands,
        "words": explanation.micro_op.map(|micro_op| micro_op.in_words()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `explain` prints for `instruction` on a target, and its exit status.
    fn explained(instruction: &str, target: &str) -> (String, bool) {
        let arguments = ExplainArgs {
            instruction: instruction.to_owned(),
            ptx_version: "8.8".to_owned(),
            target: target.to_owned(),
            strict: false,
            json: false,
        };
        let explanation = find_out(instruction, &arguments).unwrap();
        let is_legal = explanation.errors.is_empty();
        (report(&explanation, instruction, false), is_legal)
    }

    #[test]
    fn ptx_is_explained_with_its_assumptions() {
        let (text, is_legal) = explained("ld.global.cg.f32 d, [a+4];", "sm_100");
        assert!(is_legal, "{text}");
        for part in ["legal", "`d` is taken for a .f32 register", "cop        cg", "neither looks up nor fills the L1"]
        {
            assert!(text.contains(part), "{part} is missing in:\n{text}");
        }
    }

    #[test]
    fn refusals_name_the_rule_and_the_gate() {
        let (text, is_legal) = explained("ld.global.v8.f32 {a,b,c,d,e,f,g,h}, [p];", "sm_90");
        assert!(!is_legal, "{text}");
        for part in ["the rule gate-target decides", "needs at least PTX 8.8 and sm_100"] {
            assert!(text.contains(part), "{part} is missing in:\n{text}");
        }
    }

    #[test]
    fn sass_text_and_its_machine_word_are_explained_alike() {
        let (text, is_legal) = explained("LDC.64 R4, c[0x7][0x400]", "sm_90");
        assert!(is_legal, "{text}");
        assert!(text.contains("the result goes to R4 and R5"), "{text}");
        let word = text.split_whitespace().find(|part| part.len() == 32).unwrap();
        let (from_word, _) = explained(word, "sm_90");
        assert_eq!(from_word, text);
    }
}

//! `explain`: one instruction, its legality, its micro-op, and in words what the unit will do.

use std::fmt::Write as _;

use lsu_model::diagnostic::{Diagnostic, render};
use lsu_model::micro_op::MicroOp;
use lsu_model::ptx::{self, AddressBase, Context, Gate, Lowered, PolicySource, Target, Version};
use lsu_model::sass::{self, Architecture, Bank, Guard, Instruction, PT};
use serde_json::{Value, json};

use super::Outcome;
use super::micro_op_json::{ldc_fields, micro_op_fields, object};

/// Rule of instructions that the unit does not execute in any version.
const OUTSIDE: &str = "outside-unit";

/// What an instruction is judged by.
#[derive(Clone, Debug)]
pub struct Terms {
    /// PTX ISA version.
    pub ptx_version: String,
    /// Target of PTX, architecture of SASS.
    pub target: String,
    /// Whose rules.
    pub dialect: ptx::Dialect,
}

/// A version or target that there is not.
#[derive(Debug)]
pub struct UnknownTerm {
    /// What is wrong.
    pub message: String,
    /// Which there are.
    pub help: String,
}

impl UnknownTerm {
    fn new(message: String, known: impl Iterator<Item = impl ToString>) -> Self {
        let known: Vec<String> = known.map(|term| term.to_string()).collect();
        Self { message, help: format!("known: {}", known.join(", ")) }
    }
}

/// What is found out about an instruction.
#[derive(Debug, Default)]
pub struct Explanation {
    canonical: Option<String>,
    /// Sentences about what was assumed and what is needed.
    notes: Vec<String>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Why this version of the unit does not serve it, though it is legal.
    not_served: Option<String>,
    micro_op: Option<MicroOp>,
    /// The micro-op's fields in the order in which one reads them.
    fields: Option<Vec<(&'static str, Value)>>,
    /// Where per-lane values come from and go to.
    operands: Vec<String>,
}

/// Explains `text`, one instruction.
///
/// # Errors
/// `terms` name a version or target that there is not.
pub fn explain(text: &str, terms: &Terms) -> Result<Explanation, UnknownTerm> {
    find_out(text.trim(), terms)
}

impl Explanation {
    /// How the judgement ends.
    pub fn outcome(&self) -> Outcome {
        if self.errors.is_empty() { Outcome::Well } else { Outcome::Refused }
    }

    /// The explanation of `text` in words, with escape sequences for colours where the reader can show them.
    pub fn in_words(&self, text: &str, colour: bool) -> String {
        report(self, text.trim(), colour)
    }

    /// The explanation as one JSON document.
    pub fn json(&self) -> Value {
        report_json(self)
    }
}

/// Finds everything out about `text`; an error is about the command line.
fn find_out(text: &str, terms: &Terms) -> Result<Explanation, UnknownTerm> {
    // Of SASS and words, too, whose rules have no version of PTX: what is given must be one.
    let version = Version::parse(&terms.ptx_version).ok_or_else(|| {
        UnknownTerm::new(format!("PTX {} is no version that is known", terms.ptx_version), Version::all())
    })?;
    match kind(text) {
        Kind::Ptx => explain_ptx(text, version, terms),
        Kind::Sass => explain_sass(text, terms, sass::parse),
        Kind::Word => explain_sass(text, terms, |text, architecture| {
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
fn explain_ptx(text: &str, version: Version, terms: &Terms) -> Result<Explanation, UnknownTerm> {
    let target = Target::parse(&terms.target)
        .ok_or_else(|| UnknownTerm::new(format!("{} is no target that is known", terms.target), Target::all()))?;
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
    let dialect = terms.dialect;
    let verdict = ptx::judge(&instruction, version, target, &context, dialect);
    let gate = Gate::of(&instruction, &context, dialect);
    explanation.notes.push(format!("needs at least PTX {} and sm_{}", gate.version, gate.target));
    explanation.errors = verdict.errors;
    explanation.warnings = verdict.warnings;
    if explanation.errors.is_empty() {
        explanation.not_served = ptx::not_served(&instruction, &context).map(|reason| reason.message);
        match ptx::lower(&instruction, &context) {
            Ok(lowered) => {
                explanation.operands = operands(&lowered);
                explanation.fields = Some(micro_op_fields(&lowered.micro_op));
                explanation.micro_op = Some(lowered.micro_op);
            }
            // Some of what is not served, such as an explicit constant bank, has no micro-op at all.
            Err(_) if explanation.not_served.is_some() => {}
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
    operands.extend(lowered.guard.as_ref().map(|guard| lanes_where(&guard.name, guard.is_negated)));
    operands
}

/// The lanes that a guard lets run.
fn lanes_where(predicate: &str, is_negated: bool) -> String {
    format!("lanes: those whose {predicate} is {}", !is_negated)
}

/// Explains SASS that `read` reads for the architecture.
fn explain_sass(
    text: &str,
    terms: &Terms,
    read: impl Fn(&str, Architecture) -> Result<Instruction, Diagnostic>,
) -> Result<Explanation, UnknownTerm> {
    let architecture = Architecture::parse(&terms.target).ok_or_else(|| {
        let known = Architecture::all().map(|architecture| format!("sm_{}", architecture.number()));
        UnknownTerm::new(format!("{} is no architecture with known machine code", terms.target), known)
    })?;
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
        explanation.fields = Some(ldc_fields(ldc));
        if explanation.errors.is_empty() {
            explanation.micro_op = ldc.lower();
            explanation.operands.extend(guarded_lanes(ldc.guard));
            if let Bank::Uniform(register) = ldc.bank {
                explanation.notes.push(format!("the bank is known only at run time, from UR{register}"));
            }
        }
    }
    Ok(explanation)
}

/// The lanes that a guard of SASS lets run, if it is one.
fn guarded_lanes(guard: Guard) -> Option<String> {
    match guard {
        Guard::ALWAYS => None,
        Guard { predicate: PT, .. } => Some("lanes: none".to_owned()),
        Guard { predicate, is_negated } => Some(lanes_where(&format!("P{predicate}"), is_negated)),
    }
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
            if let Some(reason) = &explanation.not_served {
                let _ = writeln!(report, "not served: {reason}");
            }
        }
        Some(reason) if reason.rule == OUTSIDE => {
            let _ = writeln!(report, "outside the unit: nothing is said about whether it is legal");
        }
        Some(reason) => {
            let _ = writeln!(report, "refused: the rule {} decides", reason.rule);
        }
    }
    for note in &explanation.notes {
        let _ = writeln!(report, "  {note}");
    }
    if let (Some(micro_op), Some(fields)) = (&explanation.micro_op, &explanation.fields) {
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
        "served": explanation.errors.is_empty().then_some(explanation.not_served.is_none()),
        "not_served": explanation.not_served,
        "rule": explanation.errors.first().map(|reason| reason.rule),
        "canonical": explanation.canonical,
        "errors": explanation.errors.iter().map(remark).collect::<Vec<_>>(),
        "warnings": explanation.warnings.iter().map(remark).collect::<Vec<_>>(),
        "notes": explanation.notes,
        "op": explanation.fields.as_deref().map(object),
        "operands": explanation.operands,
        "words": explanation.micro_op.map(|micro_op| micro_op.in_words()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `explain` prints for `instruction` on a target, and its exit status.
    fn explained(instruction: &str, target: &str) -> (String, bool) {
        explained_in("8.8", instruction, target)
    }

    /// The same in another version of PTX.
    fn explained_in(version: &str, instruction: &str, target: &str) -> (String, bool) {
        let terms =
            Terms { ptx_version: version.to_owned(), target: target.to_owned(), dialect: ptx::Dialect::Assembler };
        let explanation = find_out(instruction, &terms).unwrap();
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
    fn a_version_that_there_is_not_is_refused_whatever_is_explained() {
        for instruction in ["ld.global.u32 %r1, [%rd2];", "LDC R4, c[0x3][R0]", "0x00000c00ff047b82000fe20000000a00"] {
            let terms = |version: &str, target: &str| Terms {
                ptx_version: version.to_owned(),
                target: target.to_owned(),
                dialect: ptx::Dialect::Assembler,
            };
            let refusal =
                |version, target| find_out(instruction, &terms(version, target)).map_err(|error| error.message);
            assert!(refusal("99.9", "sm_100").is_err_and(|message| message.contains("PTX 99.9")), "{instruction}");
            assert!(refusal("8.8", "sm_1").is_err_and(|message| message.contains("sm_1")), "{instruction}");
            assert!(refusal("8.8", "sm_100").is_ok(), "{instruction}");
        }
    }

    #[test]
    fn what_is_legal_and_not_served_is_said() {
        let (text, is_legal) = explained_in("2.0", "ld.const[3].u32 %r1, [%rd2];", "sm_20");
        assert!(is_legal && text.contains("not served: explicit constant banks"), "{text}");
        for instruction in [
            "ld.u32 %r1, [%rd2];",
            "st.global.u32 [%rd2], %r1;",
            "ld.global.nc.u32 %r1, [%rd2];",
            "st.local.u32 [%rd2], %r1;",
            "st.param.b32 [param0+0], %r1;",
            "ld.shared::cluster.u32 %r1, [%r2];",
            "st.shared::cluster.u32 [%r2], %r1;",
        ] {
            assert!(!explained(instruction, "sm_100").0.contains("not served"), "{instruction}");
        }
        assert!(!explained("LDC R4, c[0x3][R0]", "sm_100").0.contains("not served"));
    }

    #[test]
    fn constant_loads_are_explained_with_their_costs() {
        for (instruction, bank, cycles) in [
            ("ld.const.u32 %r1, [%rd2];", "Reads bank 3 ", "after 6 cycles, and 1 cycle later"),
            ("ld.const.v4.b32 {%r1, %r2, %r3, %r4}, [%rd2];", "Reads bank 3 ", "after 9 cycles, and 4 cycles later"),
            ("ld.const.s8 %rd1, [c0];", "Reads bank 3 ", "after 7 cycles, and 2 cycles later"),
            (
                "ld.param.u64 %rd1, [kernel_param_0];",
                "cfg_param_offset of bank 0",
                "after 7 cycles, and 2 cycles later",
            ),
        ] {
            let (text, is_legal) = explained(instruction, "sm_100");
            assert!(is_legal && !text.contains("not served"), "{text}");
            assert!(text.contains(bank) && text.contains(cycles) && text.contains("64-byte line"), "{text}");
        }
    }

    #[test]
    fn local_memory_is_explained_with_what_it_costs() {
        for instruction in ["ld.local.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];", "st.param.b64 [param0], %rd1;"] {
            let (text, _) = explained(instruction, "sm_100");
            for part in ["own local memory", "out of range", "words of 4 bytes", "one after the other"] {
                assert!(text.contains(part), "{part} is missing in:\n{text}");
            }
        }
        for operator in ["cs", "lu"] {
            let (text, _) = explained(&format!("ld.local.{operator}.u32 %r1, [%rd2];"), "sm_100");
            assert!(text.contains("drops every sector of L1 that it reads whole, without write-back"), "{text}");
        }
        let (text, _) = explained("ld.local.cg.u32 %r1, [%rd2];", "sm_100");
        assert!(text.contains("acts as the default in local memory"), "{text}");
    }

    /// The sentences of *Caches and hints*: what a load does and what a store does are told apart.
    #[test]
    fn what_becomes_of_the_line_is_told_of_the_operation() {
        for (instruction, sentence) in [
            ("ld.relaxed.gpu.global.u32 %r1, [%rd1];", "matching L1 sectors are dropped"),
            ("st.relaxed.gpu.global.u32 [%rd1], %r1;", "sectors that the L1 holds are updated and stay"),
            ("st.global.cs.u32 [%rd1], %r1;", "makes a line that it hits evict-first"),
            ("ld.global.cs.u32 %r1, [%rd1];", "fills the L1 as evict-first"),
            ("ld.global.L1::no_allocate.u32 %r1, [%rd1];", "a miss is not kept"),
            ("st.global.L1::no_allocate.u32 [%rd1], %r1;", "A hit in the L1 is updated"),
            // The read-only cache is the cache of `.nc`.
            ("ld.global.nc.cg.u32 %r1, [%rd1];", "neither looks up nor fills the read-only cache"),
            ("ld.global.nc.cs.u32 %r1, [%rd1];", "fills the read-only cache as evict-first"),
            ("ld.global.nc.L1::evict_last.u32 %r1, [%rd1];", "becomes evict-last in the read-only cache"),
            ("ld.global.nc.L1::no_allocate.u32 %r1, [%rd1];", "A hit in the read-only cache is served"),
            // A strong load looks nothing up, so that there is nothing to be marked.
            ("ld.relaxed.gpu.global.L1::no_allocate.u32 %r1, [%rd1];", "The L1 priority changes nothing"),
            ("ld.relaxed.gpu.global.L1::evict_last.u32 %r1, [%rd1];", "The L1 priority changes nothing"),
            ("ld.relaxed.cta.global.L1::evict_last.u32 %r1, [%rd1];", "becomes evict-last in the L1"),
            // Rules SHARED, FLUSH and RELEASE: other CTAs write shared memory, too.
            ("ld.acquire.gpu.shared.u32 %r1, [%r2];", "every global line of the L1 is invalidated"),
            ("ld.acquire.cta.shared.u32 %r1, [%r2];", "as weak"),
            ("st.release.gpu.shared.u32 [%r2], %r1;", "the warp's earlier accesses come first"),
            ("ld.relaxed.gpu.shared.u32 %r1, [%r2];", "no stale copies"),
            // Rule FAULT: these forms are of global memory alone.
            ("ld.mmio.relaxed.sys.u32 %r1, [%rd1];", "window the operation faults with `illegal_instruction`"),
            ("ld.v4.u64 {%rd2, %rd3, %rd4, %rd5}, [%rd1];", "window the operation faults with `illegal_instruction`"),
            ("ld.v2.u64 {%rd2, %rd3}, [%rd1];", "shared inside the shared window"),
            ("st.param.u32 [%rd1], %r1;", "Nobody can write .param::entry"),
            ("ld.global.u32 %r1, [%rd1+8];", "from 8 bytes behind the address on"),
            ("ld.global.u32 %r1, [%rd1+-8];", "from 8 bytes before the address on"),
            ("LDC R4, c[0x1f][R0];", "Gives 0: there is no bank 31 (LDC-7)"),
            ("LDC R4, c[0x0][0x2];", "The address is no multiple of 4: the operation faults"),
            ("LDC.ISL R4, c[0x3][R0];", "without a carry into the bank"),
            ("LDC.64 R4, c[0x3][R0];", "after 7 cycles, and 2 cycles later for each further 64-byte line"),
            ("@!P3 LDC R4, c[0x3][R0];", "lanes: those whose P3 is false"),
            ("LDC.ISL R4, c[0xf][0x4];", "Gives 0"),
            ("LDC.ISL R4, c[0xd][0x4];", "Reads bank 13 at the unsigned address 0x4"),
        ] {
            let (text, _) = explained(instruction, "sm_100");
            assert!(text.contains(sentence), "{instruction}:\n{text}");
        }
    }

    #[test]
    fn a_name_without_percent_is_a_variable() {
        for (instruction, space, immediate) in [
            ("ld.param.u64 %rd1, [kernel_param_0];", ".param", 0),
            ("ld.global.u32 %r1, [buf+4];", ".global", 4),
            ("ld.shared.u32 %r1, [tile+-8];", ".shared", -8),
            ("ld.const.u32 %r1, [c0+4];", ".const", 4),
            ("st.local.u32 [frame], %r1;", ".local", 0),
        ] {
            let (text, is_legal) = explained(instruction, "sm_100");
            assert!(is_legal, "{text}");
            assert!(text.contains(&format!("is taken for a variable in {space}")), "{text}");
            assert!(text.contains("address: the variable ") && text.contains(&format!(" in {space}\n")), "{text}");
            assert!(text.contains(&format!("imm        {immediate}\n")), "{text}");
        }
        let (text, _) = explained("ld.local.u32 %r1, [%SPL+4];", "sm_100");
        assert!(text.contains("`%SPL` is taken for a .b64 register"), "{text}");
    }

    #[test]
    fn a_register_has_the_type_that_its_name_says() {
        let (text, is_legal) = explained("@%p1 ld.local.u8 %rs1, [%rd2];", "sm_100");
        assert!(is_legal && text.contains("`%rs1` is taken for a .b16 register"), "{text}");
        // A 16-bit register is too narrow for 32 bits.
        assert!(!explained("ld.global.u32 %rs1, [%rd2];", "sm_100").1);
    }

    #[test]
    fn the_micro_op_stands_in_reading_order() {
        let (text, _) = explained("ld.global.nc.v2.s16 {%h1, %h2}, [%rd1+4];", "sm_100");
        let fields = text.split_once("micro-op:\n").unwrap().1.lines().map_while(|line| line.split_whitespace().next());
        let expected = [
            "op",
            "space",
            "nc",
            "sem",
            "scope",
            "size",
            "vec",
            "sink",
            "sign",
            "dst_width",
            "imm",
            "cop",
            "l1_evict",
            "l2_evict",
            "prefetch",
            "policy",
            "address:",
        ];
        assert_eq!(fields.take(expected.len()).collect::<Vec<_>>(), expected);
        let (text, _) = explained("@!P2 LDC.S16.IL R4, cx[UR6][R8+0x10]", "sm_90");
        let fields = text.split_once("micro-op:\n").map(|(_, rest)| rest.split_whitespace().step_by(2).take(9));
        // Its bank is known at run time only, so there is no micro-op to print.
        assert!(fields.is_none(), "{text}");
    }

    #[test]
    fn what_is_outside_the_unit_is_called_so() {
        for (instruction, name) in [
            ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];", "st.async"),
            ("st.bulk.weak.shared::cta [%r1], 64, 0;", "st.bulk"),
            ("red.global.add.u32 [%rd1], %r2;", "red"),
            ("atom.global.add.u32 %r1, [%rd1], %r2;", "atom"),
            ("cp.async.ca.shared.global [%r1], [%rd1], 4;", "cp"),
            ("multimem.ld_reduce.relaxed.gpu.global.add.u32 %r1, [%rd1];", "multimem"),
            ("ldu.global.u32 %r1, [%rd1];", "ldu"),
            ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "ldmatrix"),
            ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1};", "stmatrix"),
            ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", "tcgen05"),
        ] {
            let (text, is_legal) = explained(instruction, "sm_100");
            assert!(!is_legal, "{text}");
            assert!(text.contains(&format!("`{name}` is neither `ld` nor `st`")), "{text}");
            assert!(text.contains("\noutside the unit: ") && !text.contains("refused"), "{text}");
        }
    }

    #[test]
    fn loads_and_stores_in_sass_get_a_helpful_word() {
        for (instruction, ptx) in [
            ("LDG.E.64 R2, [R4.64+0x10]", "ld.global"),
            ("@P0 STG.E [R4.64], R2", "st.global"),
            ("LD.E R2, [R4.64]", "ld"),
            ("ST.E [R4.64], R2", "st"),
            ("LDS R2, [R4]", "ld.shared"),
            ("STS [R4], R2", "st.shared"),
            ("LDL R2, [R1]", "ld.local"),
            ("STL [R1], R2", "st.local"),
        ] {
            let (text, is_legal) = explained(instruction, "sm_90");
            assert!(!is_legal, "{text}");
            assert!(text.contains(&format!("is what {ptx} becomes in machine code")), "{text}");
            let help = text.split_once("for example: ").unwrap().1.lines().next().unwrap();
            assert!(explained(help, "sm_90").1, "the advice is no legal PTX: {help}");
        }
        assert!(explained("ULDC UR4, c[0x0][0x118]", "sm_90").0.contains("the unit executes LDC"));
        assert!(explained("LDCU UR4, c[0x0][0x118]", "sm_100").0.contains("the unit executes LDC"));
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

//! `lint --jsonl`: one JSON object per line in, one per line out.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use lsu_model::diagnostic::Diagnostic;
use lsu_model::ptx::{Context, Dialect, Target, Version, judge_fragment};
use lsu_model::sass::{Architecture, Instruction, decode, parse, parse_word};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Outcome;
use super::micro_op_json::ldc_json;

/// Longest line that is read, in bytes; longer ones are answered with a refusal and passed over.
const LONGEST_LINE: usize = 1 << 20;

/// U+FEFF, with which a text may begin.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One line of input: PTX, SASS text or a SASS encoding.
#[derive(Deserialize)]
struct Question<'a> {
    #[serde(borrow)]
    ptx_version: Option<Cow<'a, str>>,
    #[serde(borrow)]
    target: Option<Cow<'a, str>>,
    #[serde(borrow)]
    instr: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    regs: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    #[serde(borrow, default)]
    symbols: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    #[serde(borrow)]
    arch: Option<Cow<'a, str>>,
    #[serde(borrow)]
    sass: Option<Cow<'a, str>>,
    #[serde(borrow)]
    encoding: Option<Cow<'a, str>>,
}

/// A refusal as JSON.
fn refused(rule: &str, message: &str) -> Value {
    json!({ "accept": false, "rule": rule, "message": message })
}

/// Answers one line; `with_unit` says of what is accepted whether this version of the unit serves it. The second value is `false`
/// where the line itself could not be used.
pub fn answer(line: &str, dialect: Dialect, with_unit: bool) -> (Value, bool) {
    // A list would be taken for the members in their order.
    if !line.trim_start().starts_with('{') {
        return (refused("json", "a line is one JSON object"), false);
    }
    let question = match serde_json::from_str::<Question<'_>>(line) {
        Ok(question) => question,
        Err(error) => return (refused("json", &error.to_string()), false),
    };
    let result = match (&question.instr, &question.sass, &question.encoding) {
        (Some(instruction), None, None) => ptx(instruction, &question, dialect),
        (None, Some(text), None) => sass(text, &question),
        (None, None, Some(word)) => encoding(word, &question),
        _ => Err("a line has one of `instr`, `sass` and `encoding`".to_owned()),
    };
    match result {
        Ok((mut value, is_served)) => {
            if with_unit && value["accept"] == Value::Bool(true) {
                value["served"] = json!(is_served);
            }
            (value, true)
        }
        Err(message) => (refused("json", &message), false),
    }
}

/// The verdict on PTX, and whether this version of the unit serves all of it.
fn ptx(instruction: &str, question: &Question<'_>, dialect: Dialect) -> Result<(Value, bool), String> {
    let version = question.ptx_version.as_deref().ok_or("`ptx_version` is missing")?;
    let target = question.target.as_deref().ok_or("`target` is missing")?;
    let Some(version) = Version::parse(version) else {
        return Ok((refused("version-unknown", &format!("PTX {version} is no version that is known")), false));
    };
    let Some(target) = Target::parse(target) else {
        return Ok((refused("target-unknown", &format!("{target} is no target that is known")), false));
    };
    let mut context = Context::with_conventions();
    for (name, kind) in question.regs.iter().chain(&question.symbols) {
        if !context.declare_as(name, kind) {
            return Err(format!("`{name}` cannot be declared as `{kind}`"));
        }
    }
    let judged = judge_fragment(instruction, version, target, &mut context, dialect);
    let verdict = match judged.iter().find_map(|one| one.verdict.reason()) {
        None => json!({ "accept": true }),
        Some(reason) => refused(reason.rule, &reason.message),
    };
    Ok((verdict, judged.iter().all(|one| one.not_served.is_none())))
}

/// The architecture that a SASS line names.
fn architecture(question: &Question<'_>) -> Result<Architecture, String> {
    let name = question.arch.as_deref().ok_or("`arch` is missing")?;
    Architecture::parse(name).ok_or_else(|| format!("`{name}` is no architecture that is known"))
}

/// Verdict, text (under `text_key`) and operation of a constant load.
fn constant_load(read: Result<Instruction, Diagnostic>, architecture: Architecture, text_key: &str) -> Value {
    let instruction = match read {
        Ok(instruction) => instruction,
        Err(refusal) => return refused(refusal.rule, &refusal.message),
    };
    let refusal = instruction.check(0..0).err();
    let mut value = json!({ "accept": refusal.is_none() });
    value[text_key] = json!(instruction.to_text(architecture));
    value["op"] = instruction.as_ldc().map_or(Value::Null, ldc_json);
    if let Some(refusal) = refusal {
        value["rule"] = json!(refusal.rule);
        value["message"] = json!(refusal.message);
    }
    value
}

/// The verdict on SASS text. Every LDC that is accepted is served.
fn sass(text: &str, question: &Question<'_>) -> Result<(Value, bool), String> {
    let architecture = architecture(question)?;
    Ok((constant_load(parse(text, architecture), architecture, "canonical"), true))
}

/// The verdict on a machine word. Every LDC that is accepted is served.
fn encoding(word: &str, question: &Question<'_>) -> Result<(Value, bool), String> {
    let architecture = architecture(question)?;
    let read = parse_word(word, architecture).and_then(|word| decode(word, architecture));
    Ok((constant_load(read, architecture, "text"), true))
}

/// Answers every line of `input` on `output`; the exit status.
pub fn answer_all(
    mut input: impl BufRead,
    mut output: impl Write,
    dialect: Dialect,
    with_unit: bool,
) -> io::Result<Outcome> {
    let mut status = Outcome::Well;
    let mut line = Vec::new();
    let mut is_first = true;
    loop {
        line.clear();
        let is_complete = read_line(&mut input, &mut line).map_err(|error| failed("read stdin", &error))?;
        if line.is_empty() && is_complete {
            break;
        }
        // An editor may mark the file as UTF-8.
        if std::mem::take(&mut is_first) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        let (value, is_usable) = match std::str::from_utf8(&line) {
            _ if !is_complete => (refused("json", "the line is longer than a mebibyte"), false),
            Err(error) => (refused("json", &error.to_string()), false),
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => answer(text.trim_end(), dialect, with_unit),
        };
        if !is_usable {
            status = Outcome::Unusable;
        } else if status == Outcome::Well && [&value["accept"], &value["served"]].contains(&&Value::Bool(false)) {
            status = Outcome::Refused;
        }
        match writeln!(output, "{value}") {
            Ok(()) => {}
            // Whoever reads the answers has seen enough; what has been judged until then still counts.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(status),
            Err(error) => return Err(failed("write to stdout", &error)),
        }
    }
    match output.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed("write to stdout", &error)),
        _ => Ok(status),
    }
}

fn failed(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {what}: {error}"))
}

/// Reads one line with its newline; `false` where it is too long, in which case the rest of it has been passed over.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    let mut is_complete = true;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(is_complete);
        }
        let newline = buffer.iter().position(|byte| *byte == b'\n');
        let length = newline.map_or(buffer.len(), |newline| newline + 1);
        if line.len() + length <= LONGEST_LINE {
            line.extend_from_slice(&buffer[..length]);
        } else {
            is_complete = false;
        }
        input.consume(length);
        if newline.is_some() {
            return Ok(is_complete);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to several lines, and the exit status.
    fn answers(lines: &str) -> (Vec<Value>, Outcome) {
        let mut output = Vec::new();
        let status = answer_all(lines.as_bytes(), &mut output, Dialect::Assembler, false).unwrap();
        let text = String::from_utf8(output).unwrap();
        (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), status)
    }

    #[test]
    fn every_kind_of_line_is_answered() {
        let (values, status) = answers(concat!(
            r#"{"ptx_version":"8.8","target":"sm_100","instr":"ld.global.nc.u32 %r1, [%rd1];"}"#,
            "\n",
            r#"{"ptx_version":"8.8","target":"sm_100","instr":"ld.acquire.u32 %r1, [%rd1];"}"#,
            "\n",
            r#"{"ptx_version":"8.8","target":"sm_100","instr":"ld.const.u32 x, [tab];","#,
            r#""regs":{"x":"b32"},"symbols":{"tab":"const"}}"#,
            "\n",
            r#"{"arch":"SM90","sass":"LDC.64 R4,c[7][0x400]"}"#,
            "\n",
            r#"{"arch":"SM52","encoding":"ef90003040470104"}"#,
            "\n",
        ));
        assert_eq!(values[0], json!({ "accept": true }));
        assert_eq!(values[1]["rule"], "scope-missing");
        assert_eq!(values[2], json!({ "accept": true }));
        assert_eq!(values[3]["canonical"], "LDC.64 R4, c[0x7][0x400]");
        assert_eq!(values[3]["op"]["bank"], 7);
        assert_eq!(values[4]["text"], "LDC.U8 R4, c[0x3][R1+0x404]");
        assert_eq!(status, Outcome::Refused);
    }

    #[test]
    fn a_mark_in_front_of_the_first_line_is_no_part_of_it() {
        let line = "{\"arch\":\"SM90\",\"sass\":\"LDC R4, c[7][0x400]\"}\n";
        let (values, status) = answers(&format!("\u{feff}{line}\u{feff}{line}"));
        assert_eq!((&values[0]["accept"], &values[1]["accept"]), (&json!(true), &json!(false)));
        assert_eq!(status, Outcome::Unusable);
    }

    #[test]
    fn with_the_unit_an_answer_says_whether_it_is_served() {
        let line = |instruction: &str| {
            let text = format!(r#"{{"ptx_version":"8.8","target":"sm_100","instr":"{instruction}"}}"#);
            answer(&text, Dialect::Assembler, true).0
        };
        let of_old = |instruction: &str| {
            let text = format!(r#"{{"ptx_version":"2.1","target":"sm_20","instr":"{instruction}"}}"#);
            answer(&text, Dialect::Assembler, true).0
        };
        assert_eq!(line("ld.global.u32 %r1, [%rd1];"), json!({ "accept": true, "served": true }));
        assert_eq!(line("ld.shared.u32 %r1, [%rd1];"), json!({ "accept": true, "served": true }));
        assert_eq!(line("ld.u32 %r1, [sh];"), json!({ "accept": true, "served": true }));
        assert_eq!(line("ld.local.u32 %r1, [%rd1];"), json!({ "accept": true, "served": true }));
        assert_eq!(line("ld.const.u32 %r1, [%rd1];"), json!({ "accept": true, "served": true }));
        assert_eq!(line("ld.shared::cluster.u32 %r1, [%rd1];"), json!({ "accept": true, "served": true }));
        assert_eq!(of_old("ld.const[2].u32 %r1, [%rd1];"), json!({ "accept": true, "served": false }));
        assert_eq!(of_old("ld.global.u32 %r1, [%rd1]; ld.const[2].u32 %r1, [%rd1];")["served"], json!(false));
        assert_eq!(line("ld.local.u32 %r1, [%f1];").get("served"), None);
        let (value, _) = answer(r#"{"arch":"SM90","sass":"LDC R4, c[7][0x400]"}"#, Dialect::Assembler, true);
        assert_eq!(value["served"], json!(true));
    }

    #[test]
    fn what_is_outside_the_unit_is_refused_as_such() {
        let line = |instruction: &str| {
            let text = format!(r#"{{"ptx_version":"9.0","target":"sm_100","instr":"{instruction}"}}"#);
            answer(&text, Dialect::Assembler, false).0["rule"].clone()
        };
        assert_eq!(
            line("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];"),
            "outside-unit"
        );
        assert_eq!(line("st.bulk.weak [%rd1], 64, 0;"), "outside-unit");
        assert_eq!(line("atom.global.add.u32 %r1, [%rd1], %r2;"), "outside-unit");
        assert_eq!(line("st.global.async.u32 [%rd1], %r2;"), "qualifier-unknown");
    }

    #[test]
    fn unusable_lines_are_answered_and_the_next_is_read() {
        let long = "x".repeat(LONGEST_LINE + 1);
        let (values, status) = answers(&format!(
            "not json\n{long}\n{{\"arch\":\"SM1\",\"sass\":\"LDC\"}}\n{{}}\n{}\n{}",
            r#"["8.8", "sm_100", "ld.global.u32 %r1, [%rd1];", {}, {}, null, null, null]"#,
            r#"{"arch":"SM90","sass":"LDC R4, c[0x7][0x400]"}"#
        ));
        assert_eq!(values.len(), 6);
        assert!(values[..5].iter().all(|value| value["rule"] == "json"), "{values:?}");
        assert_eq!(values[5]["accept"], true);
        assert_eq!(status, Outcome::Unusable);
    }
}

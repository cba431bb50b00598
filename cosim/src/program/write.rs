//! From a [`Program`] back to the text of a program file that reads as an equal program.

use std::fmt::Write as _;

use lsu_model::pins::Request;

use super::instruction::mnemonic;
use super::read::{COMMANDS, FAULT_CAUSES};
use super::{Contents, Expected, Latency, Operation, Program, Wait};

/// The text of a program file that reads as `program`. An operation without a text of its own gets its instruction
/// where there is one, otherwise its pins.
pub fn write(program: &Program) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_program(&mut text, program);
    text
}

/// Operation number `op` in a few words: its instruction, its command, or the pins that no text says.
pub fn describe(program: &Program, op: usize) -> String {
    let Some(operation) = program.ops.get(op) else { return String::new() };
    let request = &operation.request;
    let what = match (&operation.text, command_name(request)) {
        (Some(text), _) => text.clone(),
        (None, Some(command)) => command.to_owned(),
        (None, None) => mnemonic(request, &program.target).unwrap_or_else(|| format!("op {} by pins", request.op)),
    };
    format!("op {op} warp {} {what}", operation.warp)
}

fn write_program(out: &mut String, program: &Program) -> std::fmt::Result {
    let traffic = &program.traffic;
    writeln!(out, "preset = \"{}\"", program.preset.name)?;
    if let Some(version) = &program.ptx_version {
        writeln!(out, "ptx_version = \"{version}\"")?;
    }
    writeln!(out, "target = \"{}\"", program.target)?;
    writeln!(out, "sms = {}", program.sms)?;
    writeln!(out, "seed = {}", traffic.seed as i64)?;
    match traffic.latency {
        Latency::Ideal => writeln!(out, "memory_latency = \"ideal\"")?,
        Latency::Between { least, most } => writeln!(out, "memory_latency = [{least}, {most}]")?,
    }
    writeln!(out, "mode = \"{}\"", if program.compute { "compute" } else { "graphics" })?;
    writeln!(out, "\n[traffic]")?;
    writeln!(out, "stall = {}\ngap = {}\nerror = {}", traffic.stall, traffic.gap, traffic.error)?;
    for block in &program.memory {
        writeln!(out, "\n[[memory]]\nspace = \"global\"\naddress = {:#x}", block.address)?;
        write_contents(out, &block.contents)?;
        if block.contents == Contents::Address {
            writeln!(out, "bytes = {}", block.bytes)?;
        }
    }
    for bank in &program.banks {
        writeln!(out, "\n[[bank]]\nindex = {}\nsize = {:#x}", bank.index, bank.size)?;
        if let Some(base) = bank.base {
            writeln!(out, "base = {base:#x}")?;
        }
        write_contents(out, &bank.contents)?;
    }
    let window = &program.window;
    let bases =
        [("shared", window.shared), ("local", window.local), ("const", window.constant), ("param", window.param)];
    if bases.iter().any(|(_, base)| base.is_some()) {
        writeln!(out, "\n[window]")?;
        for (name, base) in bases {
            if let Some(base) = base {
                writeln!(out, "{name} = {base:#x}")?;
            }
        }
    }
    for operation in &program.ops {
        write_operation(out, program, operation)?;
    }
    for dump in &program.dumps {
        writeln!(out, "\n[[dump]]\nspace = \"global\"\naddress = {:#x}\nbytes = {}", dump.address, dump.bytes)?;
    }
    Ok(())
}

fn write_contents(out: &mut String, contents: &Contents) -> std::fmt::Result {
    match contents {
        Contents::Address => writeln!(out, "pattern = \"address\""),
        Contents::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
            writeln!(out, "words = [{}]", words.join(", "))
        }
    }
}

fn write_operation(out: &mut String, program: &Program, operation: &Operation) -> std::fmt::Result {
    let request = &operation.request;
    let lanes = program.preset.lanes;
    writeln!(out, "\n[[op]]")?;
    if program.sms > 1 {
        writeln!(out, "sm = {}", operation.sm)?;
    }
    writeln!(out, "warp = {}", operation.warp)?;
    match operation.wait {
        Wait::No => {}
        Wait::Warp => writeln!(out, "wait = true")?,
        Wait::All => writeln!(out, "wait = \"all\"")?,
    }
    if let Some(name) = command_name(request) {
        writeln!(out, "command = \"{name}\"")?;
    } else {
        if request.mask != program.preset.lane_mask() {
            writeln!(out, "mask = {:#x}", request.mask)?;
        }
        match mnemonic(request, &program.target) {
            Some(text) => {
                writeln!(out, "instr = \"{text}\"")?;
                if !request.ra_is_rz {
                    writeln!(out, "regs = {{ R0 = {} }}", lane_text(&request.addr[..lanes]))?;
                }
            }
            None => write_pins(out, request, lanes)?,
        }
    }
    let lists: [(&str, bool); 2] = [("expect", false), ("expect_any", true)];
    for (key, is_any) in lists {
        let entries: Vec<String> = operation
            .expect
            .iter()
            .filter_map(|expectation| match (&expectation.values, is_any) {
                (Expected::Lanes(values), false) => {
                    let values: Vec<u64> = values.iter().map(|value| u64::from(*value)).collect();
                    Some(format!("R{} = {}", expectation.register, lane_text(&values)))
                }
                (Expected::AnyOf(values), true) => Some(format!("R{} = {values:?}", expectation.register)),
                _ => None,
            })
            .collect();
        if !entries.is_empty() {
            writeln!(out, "{key} = {{ {} }}", entries.join(", "))?;
        }
    }
    if let Some(cause) = operation.expect_fault
        && let Some((name, _)) = FAULT_CAUSES.iter().find(|(_, number)| *number == cause)
    {
        writeln!(out, "expect_fault = \"{name}\"")?;
    }
    Ok(())
}

/// The name of the command that `request` is, if nothing else is on its pins.
fn command_name(request: &Request) -> Option<&'static str> {
    let (name, _) = COMMANDS.iter().find(|(_, command)| command.code() == u32::from(request.cmd))?;
    (*request == Request { op: 3, cmd: request.cmd, ..Request::default() }).then_some(name)
}

fn write_pins(out: &mut String, request: &Request, lanes: usize) -> std::fmt::Result {
    let numbers = [
        ("cmd", u64::from(request.cmd)),
        ("space", u64::from(request.space)),
        ("sem", u64::from(request.sem)),
        ("scope", u64::from(request.scope)),
        ("cop", u64::from(request.cop)),
        ("l1_evict", u64::from(request.l1_evict)),
        ("l2_evict", u64::from(request.l2_evict)),
        ("prefetch", u64::from(request.prefetch)),
        ("size", u64::from(request.size)),
        ("vec", u64::from(request.vec)),
        ("sink", u64::from(request.sink)),
        ("dst_width", u64::from(request.dst_width)),
        ("rd", u64::from(request.rd)),
        ("imm", u64::from(request.imm)),
        ("bank", u64::from(request.bank)),
        ("mode", u64::from(request.mode)),
    ];
    let flags =
        [("policy_en", request.policy_en), ("nc", request.nc), ("sign", request.sign), ("ra_is_rz", request.ra_is_rz)];
    let mut fields = vec![format!("op = {}", request.op)];
    fields.extend(numbers.iter().filter(|(_, value)| *value != 0).map(|(name, value)| format!("{name} = {value:#x}")));
    fields.extend(flags.iter().filter(|(_, value)| *value).map(|(name, _)| format!("{name} = true")));
    if request.policy != 0 {
        fields.push(format!("policy = {}", request.policy as i64));
    }
    if request.addr.iter().any(|address| *address != 0) {
        fields.push(format!("addr = {}", lane_text(&request.addr[..lanes])));
    }
    writeln!(out, "pins = {{ {} }}", fields.join(", "))
}

/// Lane values as briefly as the format allows: one number, an expression, or the list.
fn lane_text(values: &[u64]) -> String {
    let first = values[0];
    if values.iter().all(|value| *value == first) {
        return format!("{first:#x}");
    }
    let stride = i128::from(values[1]) - i128::from(first);
    let is_linear =
        values.iter().enumerate().all(|(lane, value)| i128::from(*value) == i128::from(first) + stride * lane as i128);
    if is_linear {
        let sign = if stride < 0 { '-' } else { '+' };
        return format!("\"{first:#x} {sign} {:#x}*lane\"", stride.unsigned_abs());
    }
    let values: Vec<String> = values.iter().map(|value| format!("{value:#x}")).collect();
    format!("[{}]", values.join(", "))
}

//! From a [`Program`] back to the text of a program file that reads as an equal program.

use std::fmt::Write as _;

use lsu_model::micro_op::{Command, OpKind, Space};
use lsu_model::pins::{BankWrite, Bundle, FaultCause, Request, Value, Width};

use super::file::is_named;
use super::instruction::{canonical_ldc, is_ptx, mnemonic};
use super::request::{Conventions, Registers};
use super::shared::with_whole_window;
use super::{
    Beat, Breach, Change, Contents, DEFAULT_PARAM_OFFSET, Destination, Expected, Latency, MemoryBlock, MemorySpace,
    Program, ProgramOperation, TagPolicy, Wait, Window, WindowPlace, destinations, ptx,
};

/// The text of a program file that reads as `program`. A PTX text is kept where it still gives its operation; any other
/// operation gets the PTX or SASS instruction that does where there is one, otherwise its pins. What is expected of a
/// register that no longer has its name is left out.
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
        (None, None) => mnemonic(request, &program.target)
            .or_else(|| raised_operands(program, operation).map(|(text, _)| text))
            .unwrap_or_else(|| by_pins(request)),
    };
    format!("op {op} warp {} {what}", operation.warp)
}

/// Whether some text gives the operation, so that it is written without pins.
pub fn has_text(program: &Program, operation: &ProgramOperation) -> bool {
    command_name(&operation.request).is_some()
        || ptx_operands(program, operation).is_some()
        || mnemonic(&operation.request, &program.target).is_some()
}

/// The request of the instruction that comes closest to `request`: pins that the operation does not look at are as its
/// text leaves them. `None` where there is no such instruction, or none that the unit serves.
pub fn canonical(program: &Program, request: &Request) -> Option<Request> {
    canonical_ldc(request).or_else(|| ptx::canonical(request, &conventions(program)))
}

/// A request that no text gives, in a few words.
fn by_pins(request: &Request) -> String {
    let op = OpKind::on_pin(request.op);
    let name = op.name();
    let (elements, bytes) = (1 << request.vec, 1_u32 << request.size);
    match op {
        OpKind::Load | OpKind::Store => {
            let space = Space::on_pin(request.space).name();
            format!("{name} {space} of {elements} x {bytes} bytes by pins")
        }
        OpKind::Ldc => format!("{name} of {bytes} bytes by pins"),
        OpKind::Command => format!("{name} by pins"),
    }
}

fn write_program(out: &mut String, program: &Program) -> std::fmt::Result {
    writeln!(out, "preset = \"{}\"", program.preset.name)?;
    if let Some(version) = &program.ptx_version {
        writeln!(out, "ptx_version = \"{version}\"")?;
    }
    writeln!(out, "target = \"{}\"", program.target)?;
    writeln!(out, "sms = {}", program.sms)?;
    writeln!(out, "seed = {}", program.traffic.seed as i64)?;
    match program.traffic.latency {
        Latency::Ideal => writeln!(out, "memory_latency = \"ideal\"")?,
        Latency::Between { least, most } => writeln!(out, "memory_latency = [{least}, {most}]")?,
    }
    writeln!(out, "mode = \"{}\"", mode(program.compute))?;
    write_traffic(out, program)?;
    for reset in &program.resets {
        writeln!(out, "\n[[reset]]\ncycle = {}", reset.cycle)?;
        if reset.memory {
            writeln!(out, "memory = true")?;
        }
        if !reset.banks {
            writeln!(out, "banks = false")?;
        }
    }
    for block in &program.memory {
        write_memory(out, block)?;
    }
    for bank in &program.banks {
        writeln!(out, "\n[[bank]]\nindex = {}\nsize = {:#x}", bank.index, bank.size)?;
        if let Some(base) = bank.base {
            writeln!(out, "base = {base:#x}")?;
        }
        if !bank.valid {
            writeln!(out, "valid = false")?;
        }
        write_contents(out, &bank.contents)?;
    }
    write_window(out, program)?;
    for operation in &program.ops {
        write_operation(out, program, operation)?;
        if let Some(change) = &operation.change {
            write_change(out, change)?;
        }
    }
    for dump in &program.dumps {
        writeln!(out, "\n[[dump]]")?;
        write_space(out, dump.space)?;
        writeln!(out, "address = {:#x}\nbytes = {}", dump.address, dump.bytes)?;
    }
    Ok(())
}

fn write_traffic(out: &mut String, program: &Program) -> std::fmt::Result {
    let traffic = &program.traffic;
    writeln!(out, "\n[traffic]")?;
    writeln!(out, "stall = {}\ngap = {}", traffic.stall, traffic.gap)?;
    if program.failing.is_empty() {
        writeln!(out, "error = {}", traffic.error)?;
    } else {
        let addresses: Vec<String> = program.failing.iter().map(|address| format!("{address:#x}")).collect();
        writeln!(out, "error = [{}]", addresses.join(", "))?;
    }
    if traffic.wrong_tag != 0 {
        writeln!(out, "wrong_tag = {}", traffic.wrong_tag)?;
    }
    if traffic.jam != 0 {
        writeln!(out, "jam = {}", traffic.jam)?;
    }
    if traffic.strangers != 0 {
        writeln!(out, "strangers = {}", traffic.strangers)?;
    }
    if traffic.tags != TagPolicy::default() {
        writeln!(out, "tags = \"{}\"", traffic.tags.name())?;
    }
    if let Some(Breach { port, response, kind }) = &program.breach {
        let (port, kind) = (port.name(), kind.name());
        writeln!(out, "breach = {{ port = \"{port}\", response = {response}, kind = \"{kind}\" }}")?;
    }
    Ok(())
}

fn write_window(out: &mut String, program: &Program) -> std::fmt::Result {
    let window = &program.window;
    let has_own_offset = program.param_offset != DEFAULT_PARAM_OFFSET;
    if *window == Window::default() && !has_own_offset {
        return Ok(());
    }
    writeln!(out, "\n[window]")?;
    for key in place_keys(window) {
        writeln!(out, "{key}")?;
    }
    if let Some(address) = window.local_memory {
        writeln!(out, "local_memory = {address:#x}")?;
    }
    if window.rank != 0 {
        writeln!(out, "rank = {}", window.rank)?;
    }
    if has_own_offset {
        writeln!(out, "param_offset = {:#x}", program.param_offset)?;
    }
    Ok(())
}

/// Where the windows lie, as far as the file says.
fn place_keys(window: &Window) -> Vec<String> {
    let places = [
        ("shared", window.shared),
        ("local", window.local),
        ("const", window.constant),
        ("param", window.param),
        ("cluster", window.cluster),
    ];
    let keys = |(name, place): (&str, WindowPlace)| {
        let base = place.base.map(|base| format!("{name} = {base:#x}"));
        base.into_iter().chain(place.size.map(|size| format!("{name}_size = {size:#x}")))
    };
    places.into_iter().flat_map(keys).collect()
}

fn write_contents(out: &mut String, contents: &Contents) -> std::fmt::Result {
    match contents {
        Contents::Address => writeln!(out, "pattern = \"address\""),
        Contents::Noise => writeln!(out, "pattern = \"noise\""),
        Contents::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
            writeln!(out, "words = [{}]", words.join(", "))
        }
    }
}

fn mode(compute: bool) -> &'static str {
    if compute { "compute" } else { "graphics" }
}

fn write_change(out: &mut String, change: &Change) -> std::fmt::Result {
    let Change { compute, window, param_offset, banks } = change;
    let mut keys = Vec::new();
    if let Some(compute) = compute {
        keys.push(format!("mode = \"{}\"", mode(*compute)));
    }
    keys.extend(place_keys(window));
    keys.extend(param_offset.map(|offset| format!("param_offset = {offset:#x}")));
    if !banks.is_empty() {
        let bank = |BankWrite { index, base, size, valid }: &BankWrite| {
            let valid = if *valid { "" } else { ", valid = false" };
            format!("{{ index = {index}, base = {base:#x}, size = {size:#x}{valid} }}")
        };
        keys.push(format!("banks = [{}]", banks.iter().map(bank).collect::<Vec<_>>().join(", ")));
    }
    writeln!(out, "change = {{ {} }}", keys.join(", "))
}

fn write_operation(out: &mut String, program: &Program, operation: &ProgramOperation) -> std::fmt::Result {
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
        Wait::Unit => writeln!(out, "wait = \"unit\"")?,
        Wait::All => writeln!(out, "wait = \"all\"")?,
    }
    let mut names = destinations(operation);
    if let Some(name) = command_name(request) {
        writeln!(out, "command = \"{name}\"")?;
    } else {
        if request.mask != program.preset.lane_mask() {
            writeln!(out, "mask = {:#x}", request.mask)?;
        }
        if let Some((text, registers)) = ptx_operands(program, operation) {
            writeln!(out, "instr = {}", toml::Value::from(text))?;
            let registers: Vec<String> = registers
                .iter()
                .map(|(name, values)| format!("{} = {}", toml::Value::from(name.as_str()), lane_text(values)))
                .collect();
            writeln!(out, "regs = {{ {} }}", registers.join(", "))?;
            if request.rd != 0 {
                writeln!(out, "rd = {}", request.rd)?;
            }
            write_cta_window(out, program, request)?;
        } else if let Some(text) = mnemonic(request, &program.target) {
            writeln!(out, "instr = \"{text}\"")?;
            if !request.ra_is_rz {
                writeln!(out, "regs = {{ R0 = {} }}", lane_text(&addresses(request, lanes)))?;
            }
        } else {
            write_pins(out, request, &operation.data, lanes)?;
            names.retain(|name| operation.named.is_empty() || !operation.named.contains(name));
        }
    }
    // Without lanes nothing can be expected.
    if request.mask == 0 { Ok(()) } else { write_expectations(out, operation, &names) }
}

/// What is expected of the registers `names`, and the fault.
fn write_expectations(out: &mut String, operation: &ProgramOperation, names: &[Destination]) -> std::fmt::Result {
    let lists: [(&str, bool); 2] = [("expect", false), ("expect_any", true)];
    for (key, is_any) in lists {
        let entries: Vec<String> = operation
            .expect
            .iter()
            .filter(|expectation| names.contains(&expectation.destination))
            .filter_map(|expectation| {
                let name = toml::Value::from(expectation.destination.name.as_str());
                // Values of 64 bits are written as the negative numbers of the same bits, which the format's integers hold.
                let is_wide = expectation.destination.bits > 64;
                let bits = |value: &u128| if is_wide { *value as i128 } else { i128::from(*value as u64 as i64) };
                let signed = |values: &[u128]| -> Vec<i128> { values.iter().map(bits).collect() };
                match (&expectation.values, is_any) {
                    (Expected::Lanes(values), false) => Some(format!("{name} = {}", lane_text(&signed(values)))),
                    (Expected::AnyOf(values), true) => {
                        let values: Vec<String> = signed(values).into_iter().map(number_text).collect();
                        Some(format!("{name} = [{}]", values.join(", ")))
                    }
                    _ => None,
                }
            })
            .collect();
        if !entries.is_empty() {
            writeln!(out, "{key} = {{ {} }}", entries.join(", "))?;
        }
    }
    if let Some(cause) = operation.expect_fault
        && let Some(cause) = FaultCause::from_code(cause)
    {
        writeln!(out, "expect_fault = \"{}\"", cause.name())?;
    }
    Ok(())
}

/// The window of the operation's CTA in shared memory, where it is not all of that.
fn write_cta_window(out: &mut String, program: &Program, request: &Request) -> std::fmt::Result {
    let whole = with_whole_window(&program.preset, *request);
    if request.shared_base != whole.shared_base {
        writeln!(out, "shared_base = {:#x}", request.shared_base)?;
    }
    if request.shared_size != whole.shared_size {
        writeln!(out, "shared_size = {:#x}", request.shared_size)?;
    }
    Ok(())
}

/// The PTX text of `operation` and the registers with which it gives that operation; `None` where none does.
fn ptx_operands(program: &Program, operation: &ProgramOperation) -> Option<(String, Registers)> {
    let own = operation.text.as_deref().filter(|text| is_ptx(text)).and_then(|text| {
        let registers = ptx::operands(text, &conventions(program), operation)?;
        Some((text.to_owned(), registers))
    });
    own.or_else(|| raised_operands(program, operation))
}

/// As [`ptx_operands`], for a text made from the pins. What is expected of an operation names its registers by number,
/// as such a text does not.
fn raised_operands(program: &Program, operation: &ProgramOperation) -> Option<(String, Registers)> {
    if !operation.expect.is_empty() {
        return None;
    }
    let text = ptx::text_of(&operation.request)?;
    let registers = ptx::operands(&text, &conventions(program), operation)?;
    Some((text, registers))
}

fn conventions(program: &Program) -> Conventions<'_> {
    Conventions { ptx_version: program.ptx_version.as_deref(), target: &program.target, preset: &program.preset }
}

fn addresses(request: &Request, lanes: usize) -> Vec<i128> {
    request.addr[..lanes].iter().map(|address| i128::from(*address)).collect()
}

/// A stretch of memory with its contents.
fn write_memory(out: &mut String, block: &MemoryBlock) -> std::fmt::Result {
    writeln!(out, "\n[[memory]]")?;
    write_space(out, block.space)?;
    writeln!(out, "address = {:#x}", block.address)?;
    write_contents(out, &block.contents)?;
    match block.contents {
        Contents::Words(_) => Ok(()),
        Contents::Address | Contents::Noise => writeln!(out, "bytes = {}", block.bytes),
    }
}

fn write_space(out: &mut String, space: MemorySpace) -> std::fmt::Result {
    writeln!(out, "space = \"{}\"", space.name())?;
    match space {
        MemorySpace::Shared { sm } => writeln!(out, "sm = {sm}"),
        MemorySpace::Global | MemorySpace::Local | MemorySpace::Param => Ok(()),
    }
}

/// The name of the command that `request` is, if nothing else is on its pins.
fn command_name(request: &Request) -> Option<&'static str> {
    let name = Command::from_code(request.cmd)?.name();
    (*request == Request { op: OpKind::Command.code(), cmd: request.cmd, ..Request::default() }).then_some(name)
}

fn write_pins(out: &mut String, request: &Request, data: &[Beat], lanes: usize) -> std::fmt::Result {
    let mut fields = Vec::new();
    let mut pins = Request::PINS.iter();
    request.each(|value: Value<'_>| {
        let Some(pin) = pins.next().filter(|pin| is_named(pin)) else { return };
        let name = pin.field();
        match value {
            // What the operation is stands first, also where it is 0.
            Value::Word(code) if name == "op" => fields.push(format!("op = {code}")),
            Value::Word(0) | Value::Long(0) => {}
            Value::Word(_) if pin.width == Width::Bits(1) => fields.push(format!("{name} = true")),
            Value::Word(number) => fields.push(format!("{name} = {number:#x}")),
            Value::Long(number) => fields.push(format!("{name} = {}", number as i64)),
            Value::Words(_) => {}
            Value::Lanes(lanes_given) if lanes_given.iter().all(|address| *address == 0) => {}
            Value::Lanes(_) => fields.push(format!("{name} = {}", lane_text(&addresses(request, lanes)))),
        }
    });
    if data.iter().flatten().any(|word| *word != 0) {
        let beat = |beat: &Beat| lane_text(&beat[..lanes].iter().map(|word| i128::from(*word)).collect::<Vec<_>>());
        fields.push(format!("data = [{}]", data.iter().map(beat).collect::<Vec<_>>().join(", ")));
    }
    writeln!(out, "pins = {{ {} }}", fields.join(", "))
}

/// Lane values as briefly as the format allows: one number, an expression, or the list.
fn lane_text(values: &[i128]) -> String {
    let first = values[0];
    if values.iter().all(|value| *value == first) {
        return number_text(first);
    }
    let linear = values[1].checked_sub(first).filter(|stride| {
        let at = |lane: usize| stride.checked_mul(lane as i128)?.checked_add(first);
        values.iter().enumerate().all(|(lane, value)| at(lane) == Some(*value))
    });
    if let Some(stride) = linear {
        let sign = if stride < 0 { '-' } else { '+' };
        return format!("\"{} {sign} {:#x}*lane\"", hexadecimal(first), stride.unsigned_abs());
    }
    let values: Vec<String> = values.iter().map(|value| number_text(*value)).collect();
    format!("[{}]", values.join(", "))
}

/// One number. TOML has no sign before hexadecimal digits, and no integers of more than 64 bits.
fn number_text(value: i128) -> String {
    match i64::try_from(value) {
        Ok(number) if number < 0 => number.to_string(),
        Ok(_) => hexadecimal(value),
        Err(_) => format!("\"{}\"", hexadecimal(value)),
    }
}

/// One number of an expression.
fn hexadecimal(value: i128) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{:#x}", value.unsigned_abs())
}

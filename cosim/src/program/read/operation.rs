//! One `[[op]]`.

use std::collections::BTreeMap;
use std::ops::Range;

use lsu_model::micro_op::{Command, OpKind};
use lsu_model::pins::{Bundle, FaultCause, Pin, Request, Slot};
use toml::Spanned;

use super::reader::Reader;
use super::values::{unknown, within};
use crate::program::file::{LaneValue, OpTable, PinValue, PinsTable, WaitValue};
use crate::program::instruction::assemble;
use crate::program::registers::register_bits;
use crate::program::request::{Conventions, Refusal, Registers, bits32};
use crate::program::{
    Beat, Destination, Expectation, Expected, Mistake, Operation, ProgramOperation, SHARED_GRANULE, Wait, destinations,
    may_be_shared, store_beats,
};

impl Reader<'_> {
    pub(super) fn operation(&self, table: &Spanned<OpTable>) -> Result<ProgramOperation, Mistake> {
        let place = table.span();
        let table = table.get_ref();
        let sm = match &table.sm {
            Some(sm) => within(sm, 0..=i64::from(self.sms) - 1, "sm")? as u32,
            None => 0,
        };
        let warp = match &table.warp {
            Some(warp) => within(warp, 0..=0xffff, "warp")? as u32,
            None => 0,
        };
        let wait = wait(table)?;
        let mask = self.mask(table)?;
        let mut operation = ProgramOperation::from(Operation {
            sm,
            warp,
            wait,
            request: Request::default(),
            text: None,
            expect: Vec::new(),
            expect_fault: table.expect_fault.as_ref().map(fault_cause).transpose()?,
        });
        match (&table.instr, &table.command, &table.pins) {
            (Some(instr), None, None) => {
                let registers = self.registers(&table.regs)?;
                let conventions = Conventions {
                    ptx_version: self.ptx_version.as_deref(),
                    target: &self.target,
                    preset: &self.preset,
                };
                let rd = table.rd.as_ref().map(|rd| within(rd, 0..=255, "rd")).transpose()?.map(|rd| rd as u8);
                let assembled = assemble(instr.get_ref(), &conventions, &registers, mask, rd)
                    .map_err(|refusal| self.refused(instr, &table.regs, refusal))?;
                operation.request = assembled.request;
                operation.data = assembled.data;
                operation.named = assembled.named;
                operation.text = Some(instr.get_ref().clone());
                self.cta_window(table, &mut operation.request)?;
            }
            (None, Some(command), None) => {
                if table.mask.is_some() || !table.regs.is_empty() {
                    return Err(Mistake::new(place, "a command has neither mask nor regs"));
                }
                operation.request = command_request(command)?;
            }
            (None, None, Some(pins)) => {
                if !table.regs.is_empty() {
                    return Err(Mistake::new(pins.span(), "pins has no registers").with_help("give addr in pins"));
                }
                operation.request = self.pins(pins, mask)?;
                operation.data = self.data(pins, &operation.request)?;
            }
            _ => {
                return Err(Mistake::new(place, "an [[op]] has exactly one of instr, command and pins")
                    .with_help("for example instr = \"LDC R4, c[0x3][R0]\", or command = \"invalidate_const\""));
            }
        }
        if let (Some(rd), None) = (&table.rd, &table.instr) {
            return Err(Mistake::new(rd.span(), "rd belongs to a PTX load").with_help("in pins, give rd among them"));
        }
        if table.instr.is_none() {
            refuse_cta_window(table, "an operation without a text", "give it among pins; a command has none")?;
        }
        operation.change = table.change.as_ref().map(|change| self.change(change)).transpose()?.map(Box::new);
        refuse_idle_expectations(table, &operation.request)?;
        self.expectations(table, &mut operation)?;
        Ok(operation)
    }

    fn mask(&self, table: &OpTable) -> Result<u32, Mistake> {
        let Some(mask) = &table.mask else { return Ok(self.preset.lane_mask()) };
        let lanes = self.preset.lanes;
        let all = i64::from(self.preset.lane_mask());
        within(mask, 0..=all, "mask")
            .map(|mask| mask as u32)
            .map_err(|mistake| mistake.with_help(format!("preset {} has {lanes} lanes", self.preset.name)))
    }

    /// The register values that must come out.
    fn expectations(&self, table: &OpTable, operation: &mut ProgramOperation) -> Result<(), Mistake> {
        let destinations = destinations(operation);
        for (name, values) in &table.expect {
            let destination = destination(name, &destinations, values.span())?;
            let lanes = self.lane_values(values)?;
            let lanes = register_values(&destination, lanes.into_iter(), values.span())?;
            operation.expect.push(Expectation { destination, values: Expected::Lanes(lanes) });
        }
        for (name, values) in &table.expect_any {
            let destination = destination(name, &destinations, values.span())?;
            if values.get_ref().is_empty() {
                return Err(Mistake::new(values.span(), "no value would do")
                    .with_help("name at least one value; a register that is not looked at needs no line"));
            }
            let any = values.get_ref().iter().map(|value| self.common_number(value, values.span()));
            let any = any.collect::<Result<Vec<_>, _>>()?;
            let any = register_values(&destination, any.into_iter(), values.span())?;
            operation.expect.push(Expectation { destination, values: Expected::AnyOf(any) });
        }
        Ok(())
    }

    /// What the file says of the window of the operation's CTA in shared memory.
    fn cta_window(&self, table: &OpTable, request: &mut Request) -> Result<(), Mistake> {
        if !may_be_shared(request) {
            let help = "shared_base and shared_size belong to ld and st of .shared and of generic addresses";
            return refuse_cta_window(table, "an operation that has no window of shared memory", help);
        }
        // As much as the pins hold: beyond the memory is no CTA's.
        let most = 2 * self.preset.shared_bytes as i64 - i64::from(SHARED_GRANULE);
        let granules = |value: &Spanned<i64>, name: &str| {
            let bytes = within(value, 0..=most, name)? as u32;
            match bytes.is_multiple_of(SHARED_GRANULE) {
                true => Ok(bytes),
                false => Err(Mistake::new(value.span(), format!("{name} is {bytes}, no multiple of {SHARED_GRANULE}"))
                    .with_help("the unit does not look at its low four bits")),
            }
        };
        if let Some(base) = &table.shared_base {
            request.shared_base = granules(base, "shared_base")?;
        }
        if let Some(size) = &table.shared_size {
            request.shared_size = granules(size, "shared_size")?;
        }
        Ok(())
    }

    fn registers(&self, table: &BTreeMap<String, Spanned<LaneValue>>) -> Result<Registers, Mistake> {
        table.iter().map(|(name, value)| Ok((name.clone(), self.lane_values(value)?))).collect()
    }

    /// The store data of `pins`, all 0 where none is given.
    fn data(&self, pins: &Spanned<PinsTable>, request: &Request) -> Result<Vec<Beat>, Mistake> {
        let beats = store_beats(request);
        let Some(data) = &pins.get_ref().data else { return Ok(vec![Beat::default(); beats]) };
        let given = data.get_ref().len();
        if given != beats {
            let message = format!("data has {given} beats; the unit takes {beats} for this operation");
            return Err(Mistake::new(data.span(), message)
                .with_help("a store has 1, 2 or 4 beats an element for up to 32, 64 or 128 bits"));
        }
        data.get_ref()
            .iter()
            .map(|values| {
                let mut beat = Beat::default();
                let lanes = self.lane_bits("data", values)?;
                beat[..lanes.len()].copy_from_slice(&lanes);
                Ok(beat)
            })
            .collect()
    }

    fn refused(
        &self,
        instr: &Spanned<String>,
        regs: &BTreeMap<String, Spanned<LaneValue>>,
        refusal: Refusal,
    ) -> Mistake {
        match refusal {
            Refusal::Text(diagnostic, is_illegal_instruction) => Mistake {
                span: self.inside(instr.span(), instr.get_ref(), diagnostic.span.clone()),
                message: format!("{} [{}]", diagnostic.message, diagnostic.rule),
                help: diagnostic.help,
                is_illegal_instruction,
            },
            Refusal::Registers(message) => Mistake::new(instr.span(), message),
            Refusal::Value { register, message } => {
                Mistake::new(regs.get(&register).map_or(instr.span(), Spanned::span), message)
            }
        }
    }

    pub(super) fn pins(&self, table: &Spanned<PinsTable>, mask: u32) -> Result<Request, Mistake> {
        let place = table.span();
        let pins = table.get_ref();
        let mut request = Request::default();
        let mut mistake = None;
        let mut all = Request::PINS.iter().enumerate();
        request.each_mut(|slot: Slot<'_>| {
            let given = all.next().and_then(|(index, pin)| Some((pin, *pins.values.get(&index)?)));
            if let Some((pin, value)) = given
                && let Err(message) = fill(slot, pin, pin.bits(&self.preset), value)
            {
                mistake.get_or_insert(message);
            }
        });
        if let Some(message) = mistake {
            return Err(Mistake::new(place, message));
        }
        request.mask = mask;
        let addresses = match &pins.addr {
            Some(addresses) => self.lane_values(addresses)?,
            None => Vec::new(),
        };
        for (lane, value) in addresses.into_iter().enumerate() {
            match u64::try_from(value) {
                Ok(address) if address >> self.preset.address_bits == 0 => request.addr[lane] = address,
                _ => {
                    let message =
                        format!("addr is {value} in lane {lane}, which does not fit {} bits", self.preset.address_bits);
                    return Err(Mistake::new(place, message));
                }
            }
        }
        Ok(request)
    }
}

fn wait(table: &OpTable) -> Result<Wait, Mistake> {
    match table.wait.as_ref().map(|wait| (wait.get_ref(), wait.span())) {
        None | Some((WaitValue::Flag(false), _)) => Ok(Wait::No),
        Some((WaitValue::Flag(true), _)) => Ok(Wait::Warp),
        Some((WaitValue::Word(word), _)) if word == "unit" => Ok(Wait::Unit),
        Some((WaitValue::Word(word), _)) if word == "all" => Ok(Wait::All),
        Some((WaitValue::Word(word), span)) => {
            Err(Mistake::new(span, format!("wait is {word:?}")).with_help("write true, false, \"unit\" or \"all\""))
        }
    }
}

/// Puts what a file says of `pin`, of `bits` bits, into its field; the message where it does not fit.
fn fill(slot: Slot<'_>, pin: &Pin, bits: u32, value: PinValue) -> Result<(), String> {
    let name = pin.field();
    match (slot, value) {
        (Slot::Flag(flag), PinValue::Flag(value)) => *flag = value,
        (Slot::Byte(byte), PinValue::Number(value)) => {
            let most = (1_i64 << bits) - 1;
            *byte = u8::try_from(value)
                .ok()
                .filter(|value| i64::from(*value) <= most)
                .ok_or_else(|| format!("{name} is {value}; the pin has {bits} bits, so 0 to {most}"))?;
        }
        // A number of 32 or 64 bits may be written with its sign.
        (Slot::Word(word), PinValue::Number(value)) => {
            *word = match bits {
                32 => bits32(name, 0, value.into()).ok(),
                _ => u32::try_from(value).ok().filter(|value| value >> bits == 0),
            }
            .ok_or_else(|| format!("{name} is {value}, which does not fit {bits} bits"))?;
        }
        (Slot::Long(long), PinValue::Number(value)) => *long = value as u64,
        (slot, value) => return Err(format!("{name} cannot be {value:?}, it is {slot:?}")),
    }
    Ok(())
}

/// An operation that has no window in shared memory is given none.
fn refuse_cta_window(table: &OpTable, beside: &str, help: &str) -> Result<(), Mistake> {
    for (name, value) in [("shared_base", &table.shared_base), ("shared_size", &table.shared_size)] {
        if let Some(value) = value {
            let message = format!("{name} stands beside {beside}");
            return Err(Mistake::new(value.span(), message).with_help(help));
        }
    }
    Ok(())
}

/// What a file expects of an operation that does nothing would always be met.
fn refuse_idle_expectations(table: &OpTable, request: &Request) -> Result<(), Mistake> {
    let first = (table.expect.values().map(Spanned::span))
        .chain(table.expect_any.values().map(Spanned::span))
        .chain(table.expect_fault.iter().map(Spanned::span))
        .min_by_key(|span| span.start);
    let Some(span) = first.filter(|_| request.mask == 0) else { return Ok(()) };
    if table.command.is_some() {
        return Err(Mistake::new(span, "a command writes no register and has no fault").with_help("leave it out"));
    }
    Err(Mistake::new(span, "the operation has no active lane: it writes no register and has no fault")
        .with_help("leave the expectation out, or set a bit of mask (and the guard's predicate)"))
}

fn command_request(command: &Spanned<String>) -> Result<Request, Mistake> {
    let which = Command::from_name(command.get_ref())
        .ok_or_else(|| unknown("command", command, format!("commands: {}", Command::CODES.listed())))?;
    Ok(Request { op: OpKind::Command.code(), cmd: which.code(), ..Request::default() })
}

fn fault_cause(name: &Spanned<String>) -> Result<u8, Mistake> {
    FaultCause::from_name(name.get_ref())
        .map(FaultCause::code)
        .ok_or_else(|| unknown("fault", name, format!("faults: {}", FaultCause::CODES.listed())))
}

fn destination(name: &str, destinations: &[Destination], span: Range<usize>) -> Result<Destination, Mistake> {
    destinations.iter().find(|destination| destination.name == name).cloned().ok_or_else(|| {
        let written: Vec<&str> = destinations.iter().map(|destination| destination.name.as_str()).collect();
        let help = match written.is_empty() {
            true => "it writes no register".to_owned(),
            false => format!("it writes {}", written.join(", ")),
        };
        Mistake::new(span, format!("the instruction does not write {name}")).with_help(help)
    })
}

fn register_values(
    destination: &Destination,
    values: impl Iterator<Item = i128>,
    span: Range<usize>,
) -> Result<Vec<u128>, Mistake> {
    values
        .enumerate()
        .map(|(lane, value)| register_bits(&destination.name, lane, value, destination.bits))
        .collect::<Result<_, _>>()
        .map_err(|message| Mistake::new(span, message))
}

//! From the text of a program file to a [`Program`]: every value checked, every mistake with its place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use lsu_model::micro_op::{Command, OpKind};
use lsu_model::pins::{self, BankWrite, Bundle, FaultCause, Pin, Request, Slot};
use lsu_model::preset::{self, Preset};
use lsu_model::{ptx, sass};
use toml::Spanned;

use super::file::{
    BankTable, ChangeTable, ChangedBankTable, ErrorValue, File, LaneValue, LatencyValue, MemoryTable, NumberValue,
    OpTable, PinValue, PinsTable, WaitValue, WindowTable,
};
use super::instruction::assemble;
use super::registers::register_bits;
use super::request::{Conventions, Refusal, Registers, bits32};
use super::{
    Bank, Beat, Breach, BreachKind, BreachPort, Change, Contents, DEFAULT_TARGET, Destination, Dump, Expectation,
    Expected, Latency, MemoryBlock, MemorySpace, Mistake, Operation, Program, ProgramError, ProgramOperation, Reset,
    SHARED_GRANULE, TagPolicy, Traffic, Wait, Window, WindowPlace, bytes_of_thread, destinations, evaluate,
    may_be_shared, offset_for_others, store_beats,
};
use crate::input_file;

/// Bytes that the dumps of a program have together at most.
const MOST_DUMPED: u64 = 16 << 20;

/// Bytes of the largest bank.
const LARGEST_BANK: u64 = 0x1_0000;

/// Bytes of a sector.
const SECTOR_BYTES: u64 = pins::SECTOR_BYTES as u64;

/// Units that one memory side can serve.
pub const MOST_SMS: i64 = 64;

/// What the command line says instead of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// The preset to use.
    pub preset: Option<Preset>,
}

/// Reads the program file at `path`.
///
/// # Errors
/// [`ProgramError::Unreadable`] if there is no such text file, else as [`read`].
pub fn read_file(path: &Path, overrides: Overrides) -> Result<Program, ProgramError> {
    let name = path.display().to_string();
    let text = match input_file::read_text(path, input_file::LARGEST) {
        Ok(text) => text,
        Err(error) => return Err(ProgramError::Unreadable { file: name, reason: error.to_string() }),
    };
    read(&text, &name, overrides)
}

/// Reads `text`, the contents of the program file called `name`.
///
/// # Errors
/// [`ProgramError::Wrong`] with the first mistake.
pub fn read(text: &str, name: &str, overrides: Overrides) -> Result<Program, ProgramError> {
    let parsed: Result<File, Mistake> = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let mut message = error.message().trim_end().replace('\n', "; ");
        for (type_name, plain) in PLAIN_NAMES {
            message = message.replace(type_name, plain);
        }
        too_large_for_toml(text, &span).unwrap_or_else(|| Mistake::new(span, message))
    });
    parsed
        .and_then(|file| Reader::new(text, overrides, &file)?.program(&file))
        .map_err(|mistake| ProgramError::wrong(name, text, mistake))
}

/// What TOML's reader calls by the names of Rust, and what they are in a file.
const PLAIN_NAMES: [(&str, &str); 4] = [
    ("expected i64", "expected an integer"),
    ("expected a map", "expected a table"),
    ("expected a sequence", "expected a list"),
    ("invalid type: sequence", "invalid type: list"),
];

struct Reader<'a> {
    text: &'a str,
    preset: Preset,
    ptx_version: Option<String>,
    target: String,
    sms: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, overrides: Overrides, file: &File) -> Result<Self, Mistake> {
        let preset = match (&overrides.preset, &file.preset) {
            (Some(preset), _) => *preset,
            (None, Some(name)) => Preset::named(name.get_ref()).ok_or_else(|| {
                Mistake::new(name.span(), format!("there is no preset {:?}", name.get_ref()))
                    .with_help(format!("presets: {}", preset::ALL.map(|preset| preset.name).join(", ")))
            })?,
            (None, None) => preset::ALL[0],
        };
        let target = match &file.target {
            Some(target) => {
                let name = target.get_ref();
                if sass::Architecture::parse(name).is_none() && ptx::Target::parse(name).is_none() {
                    return Err(Mistake::new(target.span(), format!("there is no target {name:?}"))
                        .with_help("write sm_50 to sm_121, for example sm_100"));
                }
                name.clone()
            }
            None => DEFAULT_TARGET.to_owned(),
        };
        let sms = match &file.sms {
            Some(sms) => within(sms, 1..=MOST_SMS, "sms")? as u32,
            None => 1,
        };
        let ptx_version = file.ptx_version.as_ref().map(ptx_version).transpose()?;
        Ok(Self { text, preset, ptx_version, target, sms })
    }

    fn program(&self, file: &File) -> Result<Program, Mistake> {
        let mut program = Program {
            target: self.target.clone(),
            ptx_version: self.ptx_version.clone(),
            sms: self.sms,
            traffic: traffic(file)?,
            breach: breach(file)?,
            failing: self.failing(file)?,
            compute: file.mode.as_ref().map(is_compute).transpose()?.unwrap_or(true),
            ..Program::empty(self.preset)
        };
        for table in &file.reset {
            let cycle = within(&table.cycle, 1..=i64::MAX, "cycle")? as u64;
            program.resets.push(Reset {
                cycle,
                memory: table.memory.unwrap_or(false),
                banks: table.banks.unwrap_or(true),
            });
        }
        for table in &file.bank {
            program.banks.push(self.bank(table.get_ref())?);
        }
        if let Some(window) = &file.window {
            program.window = self.window(window)?;
            if let Some(offset) = &window.param_offset {
                program.param_offset = param_offset(offset)?;
            }
        }
        refuse_local_beyond_room(&program, file)?;
        let thread_bytes = bytes_of_thread(&self.preset, program.windows(0).local.size);
        for table in &file.memory {
            if let (space, address, bytes, Some(contents)) = self.memory(table, true, thread_bytes)? {
                refuse_hidden(table, &program, space, address, bytes)?;
                program.memory.push(MemoryBlock { space, address, bytes, contents });
                self.check_params(file, table, &program)?;
            }
        }
        program.add_param_bank();
        let mut dumped = 0;
        for table in &file.dump {
            let (space, address, bytes, contents) = self.memory(table, false, thread_bytes)?;
            if contents.is_some() {
                return Err(Mistake::new(table.span(), "[[dump]] gives contents")
                    .with_help("give space, address and bytes only; the contents come out of the run"));
            }
            refuse_hidden(table, &program, space, address, bytes)?;
            dumped = bytes.saturating_add(dumped);
            if dumped > MOST_DUMPED {
                return Err(Mistake::new(table.span(), format!("the dumps have {dumped} bytes together"))
                    .with_help(format!("at most {MOST_DUMPED} are printed")));
            }
            program.dumps.push(Dump { space, address, bytes });
        }
        for table in &file.op {
            program.ops.push(self.operation(table)?);
        }
        if let Some(op) = program.stale_banks() {
            let message = "banks change, and a unit may still have words of the old ones in its constant cache";
            return Err(Mistake::new(file.op[op].span(), message).with_help(
                "give this change to an invalidate_const, and put one of each other unit behind it, with change = { }",
            ));
        }
        Ok(program)
    }

    /// A generic window. Its size has as many bits as an address: 0 is no window.
    fn place(&self, base: &Option<Spanned<i64>>, size: &Option<Spanned<i64>>) -> Result<WindowPlace, Mistake> {
        let address = |value: &Option<Spanned<i64>>| value.as_ref().map(|value| self.address(value)).transpose();
        Ok(WindowPlace { base: address(base)?, size: address(size)? })
    }

    /// What changes before an operation.
    fn change(&self, table: &ChangeTable) -> Result<Change, Mistake> {
        let bank = |table: &ChangedBankTable| {
            Ok(BankWrite {
                index: bank_index(&table.index)?,
                base: self.address(&table.base)?,
                size: bank_size(&table.size)?,
                valid: table.valid.unwrap_or(true),
            })
        };
        Ok(Change {
            compute: table.mode.as_ref().map(is_compute).transpose()?,
            window: Window {
                shared: self.place(&table.shared, &table.shared_size)?,
                local: self.place(&table.local, &None)?,
                constant: self.place(&table.constant, &table.constant_size)?,
                param: self.place(&table.param, &table.param_size)?,
                ..Window::default()
            },
            param_offset: table.param_offset.as_ref().map(param_offset).transpose()?,
            banks: table.banks.iter().map(bank).collect::<Result<_, _>>()?,
        })
    }

    fn window(&self, window: &WindowTable) -> Result<Window, Mistake> {
        // As much as the pins hold.
        let most = 2 * self.preset.shared_bytes as i64 - 1;
        let shared_bytes = |value: &Option<Spanned<i64>>, name: &str| {
            value.as_ref().map(|value| within(value, 0..=most, name).map(|bytes| bytes as u64)).transpose()
        };
        Ok(Window {
            shared: self.place(&window.shared, &window.shared_size)?,
            local: self.place(&window.local, &window.local_size)?,
            constant: self.place(&window.constant, &window.constant_size)?,
            param: self.place(&window.param, &window.param_size)?,
            local_memory: window.local_memory.as_ref().map(|address| self.address(address)).transpose()?,
            cluster: WindowPlace {
                base: shared_bytes(&window.cluster, "cluster")?,
                size: shared_bytes(&window.cluster_size, "cluster_size")?,
            },
            rank: match &window.rank {
                Some(rank) => within(rank, 0..=256 - i64::from(self.sms), "rank")? as u8,
                None => 0,
            },
        })
    }

    /// An address within the preset's width.
    fn address(&self, value: &Spanned<i64>) -> Result<u64, Mistake> {
        let bits = self.preset.address_bits;
        let unsigned = *value.get_ref() as u64;
        if *value.get_ref() < 0 || unsigned >> bits != 0 {
            let message = format!("an address of preset {} has {bits} bits", self.preset.name);
            return Err(
                Mistake::new(value.span(), message).with_help(format!("write 0 to {:#x}", u64::MAX >> (64 - bits)))
            );
        }
        Ok(unsigned)
    }

    /// The addresses of `error = [...]`.
    fn failing(&self, file: &File) -> Result<Vec<u64>, Mistake> {
        let Some(value) = file.traffic.as_ref().and_then(|table| table.error.as_ref()) else { return Ok(Vec::new()) };
        match value.get_ref() {
            ErrorValue::Percent(_) => Ok(Vec::new()),
            ErrorValue::Addresses(addresses) => {
                addresses.iter().map(|address| self.address(&Spanned::new(value.span(), *address))).collect()
            }
        }
    }

    fn bank(&self, table: &BankTable) -> Result<Bank, Mistake> {
        let size = bank_size(&table.size)?;
        let contents = match (&table.words, &table.pattern) {
            (Some(words), None) if 4 * words.get_ref().len() > size as usize => {
                let message = format!("{} words are more than the {size} bytes of the bank", words.get_ref().len());
                return Err(
                    Mistake::new(words.span(), message).with_help("make the bank larger, or give it fewer words")
                );
            }
            (Some(words), None) => Contents::Words(self.words(words)?),
            (None, Some(pattern)) => contents_of(pattern)?,
            (None, None) => Contents::Words(Vec::new()),
            (Some(words), Some(_)) => return Err(words_and_pattern(words.span())),
        };
        Ok(Bank {
            index: bank_index(&table.index)?,
            size,
            base: table.base.as_ref().map(|base| self.address(base)).transpose()?,
            contents,
            valid: table.valid.unwrap_or(true),
        })
    }

    /// A block: space, first byte, bytes, and contents, which `[[memory]]` needs. Each thread has `thread_bytes` of local memory.
    fn memory(
        &self,
        table: &Spanned<MemoryTable>,
        needs_contents: bool,
        thread_bytes: u64,
    ) -> Result<(MemorySpace, u64, u64, Option<Contents>), Mistake> {
        let place = table.span();
        let table = table.get_ref();
        let space = match table.space.get_ref().as_str() {
            "global" => MemorySpace::Global,
            "local" if needs_contents => MemorySpace::Local,
            "local" => {
                return Err(Mistake::new(table.space.span(), "every thread has local memory of its own").with_help(
                    "dump its words as global memory, where they lie: local_memory of [window] says where",
                ));
            }
            "param" if needs_contents => MemorySpace::Param,
            "param" => {
                return Err(Mistake::new(table.space.span(), "kernel parameters do not change")
                    .with_help("[[dump]] shows global and shared memory"));
            }
            "shared" => {
                let sm = table.sm.as_ref().map(|sm| within(sm, 0..=i64::from(self.sms) - 1, "sm")).transpose()?;
                MemorySpace::Shared { sm: sm.unwrap_or(0) as u32 }
            }
            other => {
                return Err(Mistake::new(table.space.span(), format!("there is no space {other:?}"))
                    .with_help("spaces: global, shared, local, param"));
            }
        };
        if let Some(sm) = &table.sm {
            let message = match space {
                MemorySpace::Global => Some("global memory belongs to no SM"),
                MemorySpace::Local => Some("the block is that of every thread of every SM"),
                MemorySpace::Param => Some("param memory belongs to no SM"),
                MemorySpace::Shared { .. } => None,
            };
            if let Some(message) = message {
                return Err(Mistake::new(sm.span(), message).with_help("leave sm out"));
            }
        }
        let address = self.address(&table.address)?;
        if address % 4 != 0 {
            return Err(Mistake::new(table.address.span(), "the address is not a multiple of 4"));
        }
        let contents = match (&table.words, &table.pattern) {
            (Some(words), None) => Some(Contents::Words(self.words(words)?)),
            (None, Some(pattern)) => Some(contents_of(pattern)?),
            (None, None) if needs_contents => {
                return Err(Mistake::new(place, "[[memory]] says neither words nor pattern")
                    .with_help("give words = [1, 2, 3], or pattern = \"address\" and bytes = 4096"));
            }
            (None, None) => None,
            (Some(words), Some(_)) => return Err(words_and_pattern(words.span())),
        };
        let bytes = match (&table.bytes, &contents) {
            (Some(bytes), Some(Contents::Words(_))) => {
                return Err(Mistake::new(bytes.span(), "bytes is given beside words")
                    .with_help("leave bytes out: the words say how long the block is"));
            }
            (None, Some(Contents::Words(words))) => 4 * words.len() as u64,
            (Some(bytes), _) => {
                let length = within(bytes, 4..=i64::MAX, "bytes")? as u64;
                if !length.is_multiple_of(4) {
                    return Err(Mistake::new(bytes.span(), "bytes is not a multiple of 4"));
                }
                length
            }
            (None, _) => {
                return Err(Mistake::new(place, "the length is missing").with_help("add bytes = 4096"));
            }
        };
        let (limit, beyond) = match space {
            MemorySpace::Global => {
                let bits = self.preset.address_bits;
                (1 << bits, format!("the {bits} address bits of {}", self.preset.name))
            }
            // Whether they end within bank 0 is said of all of them.
            MemorySpace::Param => (u128::MAX, String::new()),
            MemorySpace::Shared { .. } => {
                let bytes = self.preset.shared_bytes;
                (bytes as u128, format!("the {bytes:#x} bytes of shared memory of {}", self.preset.name))
            }
            MemorySpace::Local => {
                (u128::from(thread_bytes), format!("the {thread_bytes:#x} bytes of local memory that each thread has"))
            }
        };
        if u128::from(address) + u128::from(bytes) > limit {
            let mistake = Mistake::new(table.address.span(), format!("the block ends beyond {beyond}"));
            return Err(match space {
                MemorySpace::Global | MemorySpace::Param | MemorySpace::Shared { .. } => mistake,
                MemorySpace::Local => mistake.with_help("give them more with local_size in [window]"),
            });
        }
        Ok((space, address, bytes, contents))
    }

    /// Whether the parameters that `program` has so far, the last of them by `table`, lie in a bank 0 that can be.
    fn check_params(&self, file: &File, table: &Spanned<MemoryTable>, program: &Program) -> Result<(), Mistake> {
        let (start, end) = (program.param_start(), program.param_end());
        let parameters = format!("the kernel parameters, from {start:#x} on, end at {end:#x} of bank 0");
        if end > LARGEST_BANK {
            return Err(Mistake::new(table.span(), format!("{parameters}, and a bank has {LARGEST_BANK:#x} bytes"))
                .with_help("address 0 is the first parameter; param_offset in [window] says where it lies in bank 0"));
        }
        let Some(number) = program.param_bank() else { return Ok(()) };
        let (bank, given) = (&program.banks[number], &file.bank[number]);
        if end > u64::from(bank.size) {
            let message = format!("{parameters}, and this bank 0 has {:#x} bytes", bank.size);
            return Err(Mistake::new(given.get_ref().size.span(), message)
                .with_help("make it larger, or leave it out: bank 0 is as long as the parameters then"));
        }
        if program.params().next().is_some() && !bank.valid {
            return Err(Mistake::new(given.span(), "the kernel parameters lie in bank 0, which is taken away here")
                .with_help("leave this [[bank]] out, or [[memory]] with space = \"param\""));
        }
        Ok(())
    }

    fn words(&self, words: &Spanned<Vec<i64>>) -> Result<Vec<u32>, Mistake> {
        let word = |(index, value): (usize, &i64)| {
            bits32("word", index, i128::from(*value))
                .map_err(|_| Mistake::new(words.span(), format!("word {index} is {value}, which does not fit 32 bits")))
        };
        words.get_ref().iter().enumerate().map(word).collect()
    }

    fn operation(&self, table: &Spanned<OpTable>) -> Result<ProgramOperation, Mistake> {
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
        let wait = match table.wait.as_ref().map(|wait| (wait.get_ref(), wait.span())) {
            None | Some((WaitValue::Flag(false), _)) => Wait::No,
            Some((WaitValue::Flag(true), _)) => Wait::Warp,
            Some((WaitValue::Word(word), _)) if word == "unit" => Wait::Unit,
            Some((WaitValue::Word(word), _)) if word == "all" => Wait::All,
            Some((WaitValue::Word(word), span)) => {
                return Err(
                    Mistake::new(span, format!("wait is {word:?}")).with_help("write true, false, \"unit\" or \"all\"")
                );
            }
        };
        let mask = match &table.mask {
            Some(mask) => {
                let lanes = self.preset.lanes;
                let all = i64::from(self.preset.lane_mask());
                within(mask, 0..=all, "mask")
                    .map_err(|mistake| mistake.with_help(format!("preset {} has {lanes} lanes", self.preset.name)))?
                    as u32
            }
            None => self.preset.lane_mask(),
        };
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
        let destinations = destinations(&operation);
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
        Ok(operation)
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

    fn lane_values(&self, value: &Spanned<LaneValue>) -> Result<Vec<i128>, Mistake> {
        let lanes = self.preset.lanes;
        match value.get_ref() {
            LaneValue::Integer(integer) => Ok(vec![i128::from(*integer); lanes]),
            LaneValue::List(list) if list.len() == lanes => {
                list.iter().enumerate().map(|(lane, number)| Ok(self.number(number, value.span())?[lane])).collect()
            }
            LaneValue::List(list) => {
                let message =
                    format!("the list has {} values, preset {} has {lanes} lanes", list.len(), self.preset.name);
                Err(Mistake::new(value.span(), message).with_help("give one integer, or an expression in lane"))
            }
            LaneValue::Expression(text) => self.expression(text, value.span()),
        }
    }

    /// The values of an expression in every lane; its string is the value at `place`, or within it.
    fn expression(&self, text: &str, place: Range<usize>) -> Result<Vec<i128>, Mistake> {
        evaluate(text, self.preset.lanes).map_err(|error| {
            let span = self.inside(place, text, error.offset..error.offset + 1);
            Mistake::new(span, error.message)
                .with_help("an expression has integers, lane, ( ) and + - * / % << >> & ^ |")
        })
    }

    /// One value of the list at `place`, as it is in every lane.
    fn number(&self, number: &NumberValue, place: Range<usize>) -> Result<Vec<i128>, Mistake> {
        match number {
            NumberValue::Integer(integer) => Ok(vec![i128::from(*integer); self.preset.lanes]),
            NumberValue::Expression(text) => self.expression(text, place),
        }
    }

    /// One value of the list at `place`, which must be the same in every lane.
    fn common_number(&self, number: &NumberValue, place: Range<usize>) -> Result<i128, Mistake> {
        let lanes = self.number(number, place.clone())?;
        match lanes.iter().all(|value| *value == lanes[0]) {
            true => Ok(lanes[0]),
            false => Err(Mistake::new(place, "a value of expect_any is not the same in every lane")
                .with_help("any lane may hold any of the values; leave lane out of them")),
        }
    }

    fn lane_bits(&self, name: &str, value: &Spanned<LaneValue>) -> Result<Vec<u32>, Mistake> {
        let bits = |(lane, value): (usize, i128)| bits32(name, lane, value);
        self.lane_values(value)?
            .into_iter()
            .enumerate()
            .map(bits)
            .collect::<Result<_, _>>()
            .map_err(|message| Mistake::new(value.span(), message))
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

    /// The bytes of the file that hold `part` of `text`, itself the string value at `outer`; `outer` where the string
    /// is written with escapes.
    fn inside(&self, outer: Range<usize>, text: &str, part: Range<usize>) -> Range<usize> {
        let raw = self.text.get(outer.clone()).unwrap_or_default();
        match raw.find(text) {
            Some(start) => {
                let begin = (outer.start + start + part.start).min(outer.end);
                begin..(outer.start + start + part.end).clamp(begin, outer.end)
            }
            None => outer,
        }
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

    fn pins(&self, table: &Spanned<PinsTable>, mask: u32) -> Result<Request, Mistake> {
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

/// Whether a mode is that of compute.
fn is_compute(mode: &Spanned<String>) -> Result<bool, Mistake> {
    match mode.get_ref().as_str() {
        "compute" => Ok(true),
        "graphics" => Ok(false),
        other => Err(Mistake::new(mode.span(), format!("there is no mode {other:?}"))
            .with_help("mode is \"compute\" (8 constant banks) or \"graphics\" (18)")),
    }
}

fn param_offset(offset: &Spanned<i64>) -> Result<u16, Mistake> {
    Ok(within(offset, 0..=0xffff, "param_offset")? as u16)
}

/// The number of an entry of the bank table, as much as the pins hold.
fn bank_index(index: &Spanned<i64>) -> Result<u8, Mistake> {
    Ok(within(index, 0..=31, "index")? as u8)
}

/// The size of a bank, as much as the pins hold.
fn bank_size(size: &Spanned<i64>) -> Result<u32, Mistake> {
    Ok(within(size, 0..=0x1_ffff, "size")? as u32)
}

/// Local memory that has no place where it usually lies must be given one.
fn refuse_local_beyond_room(program: &Program, file: &File) -> Result<(), Mistake> {
    let Some(size) = file.window.as_ref().and_then(|window| window.local_size.as_ref()) else { return Ok(()) };
    let Some((room, taken)) = program.missing_local_room() else { return Ok(()) };
    if program.window.local_memory.is_some() {
        return Ok(());
    }
    let message = format!(
        "local memory of {:#x} bytes a thread takes {taken:#x} bytes of memory, and there are {room:#x} where it lies",
        size.get_ref()
    );
    Err(Mistake::new(size.span(), message).with_help("write less, or local_memory, the address where it is to lie"))
}

/// Shared memory is filled and read through the window that other CTAs have on it.
fn refuse_hidden(
    table: &Spanned<MemoryTable>,
    program: &Program,
    space: MemorySpace,
    address: u64,
    bytes: u64,
) -> Result<(), Mistake> {
    if !matches!(space, MemorySpace::Shared { .. }) {
        return Ok(());
    }
    let sectors = address / SECTOR_BYTES..(address + bytes).div_ceil(SECTOR_BYTES);
    let hidden =
        sectors.map(|sector| sector * SECTOR_BYTES).find(|sector| offset_for_others(program, *sector).is_none());
    let Some(sector) = hidden else { return Ok(()) };
    let message = format!("the block has bytes of the sector at {sector:#x}, which other CTAs do not see");
    Err(Mistake::new(table.get_ref().address.span(), message).with_help(
        "shared memory is filled and read from outside through cluster and cluster_size of [window]: give them more, or use st and ld",
    ))
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

/// The message for an integer in the bytes `span` of `text` that TOML's integers cannot hold, if there is one.
fn too_large_for_toml(text: &str, span: &Range<usize>) -> Option<Mistake> {
    let part = text.get(span.clone())?;
    let mut offset = 0;
    for (index, piece) in part.split(['"', '\'']).enumerate() {
        // Every other piece stands between quotes.
        if index % 2 == 0 {
            let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
            for word in piece.split(|character| !is_word(character)) {
                if let Some(value) = unsigned(word)
                    && value > i64::MAX as u128
                {
                    let start = span.start + offset + (word.as_ptr() as usize - piece.as_ptr() as usize);
                    let message = format!("{word} is above 2^63 - 1, the largest integer that TOML has");
                    return Some(Mistake::new(start..start + word.len(), message).with_help(format!(
                        "write it in quotes, \"{word}\", where it is the value of a register; policy and seed take the \
                         negative number of the same bits"
                    )));
                }
            }
        }
        offset += piece.len() + 1;
    }
    None
}

/// The value of an unsigned TOML integer.
fn unsigned(word: &str) -> Option<u128> {
    let digits = word.replace('_', "");
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, digits.as_str()),
    };
    u128::from_str_radix(digits, radix).ok()
}

fn within(value: &Spanned<i64>, range: std::ops::RangeInclusive<i64>, name: &str) -> Result<i64, Mistake> {
    if range.contains(value.get_ref()) {
        return Ok(*value.get_ref());
    }
    let message = format!("{name} is {}; it can be {} to {}", value.get_ref(), range.start(), range.end());
    Err(Mistake::new(value.span(), message))
}

fn words_and_pattern(span: Range<usize>) -> Mistake {
    Mistake::new(span, "words and pattern exclude each other").with_help("keep one of them")
}

fn contents_of(pattern: &Spanned<String>) -> Result<Contents, Mistake> {
    match pattern.get_ref().as_str() {
        "address" => Ok(Contents::Address),
        "noise" => Ok(Contents::Noise),
        other => Err(Mistake::new(pattern.span(), format!("there is no pattern {other:?}"))
            .with_help("the patterns are \"address\" and \"noise\"")),
    }
}

fn ptx_version(version: &Spanned<String>) -> Result<String, Mistake> {
    match ptx::Version::parse(version.get_ref()) {
        Some(_) => Ok(version.get_ref().clone()),
        None => {
            let message = format!("{:?} is no PTX version that is known", version.get_ref());
            Err(Mistake::new(version.span(), message)
                .with_help(format!("write it as \"8.8\"; the newest is \"{}\"", ptx::Version::NEWEST)))
        }
    }
}

fn traffic(file: &File) -> Result<Traffic, Mistake> {
    let latency = match file.memory_latency.as_ref().map(|latency| (latency.get_ref(), latency.span())) {
        None => Latency::default(),
        Some((LatencyValue::Word(word), _)) if word == "ideal" => Latency::Ideal,
        Some((LatencyValue::Range([least, most]), _))
            if (1..=100_000).contains(least) && (*least..=100_000).contains(most) =>
        {
            Latency::Between { least: *least as u32, most: *most as u32 }
        }
        Some((LatencyValue::Range(_), span)) => {
            return Err(Mistake::new(span, "the latency is not a range of cycles")
                .with_help("write [least, most] with 1 <= least <= most <= 100000"));
        }
        Some((LatencyValue::Word(word), span)) => {
            return Err(Mistake::new(span, format!("there is no latency {word:?}"))
                .with_help("write [least, most] or \"ideal\""));
        }
    };
    let default = Traffic::default();
    let mut traffic = Traffic {
        seed: file.seed.map_or(default.seed, |seed| seed as u64),
        latency,
        stall: if latency == Latency::Ideal { 0 } else { default.stall },
        ..default
    };
    if let Some(table) = &file.traffic {
        let percent = |value: &Option<Spanned<i64>>, most: i64, name: &str, otherwise: u8| match value {
            Some(value) => within(value, 0..=most, name).map(|percent| percent as u8),
            None => Ok(otherwise),
        };
        // At 100 % nothing would ever move.
        traffic.stall = percent(&table.stall, 95, "stall", traffic.stall)?;
        traffic.gap = percent(&table.gap, 95, "gap", traffic.gap)?;
        if let Some(value) = &table.error
            && let ErrorValue::Percent(error) = value.get_ref()
        {
            traffic.error = within(&Spanned::new(value.span(), *error), 0..=100, "error")? as u8;
        }
        traffic.wrong_tag = percent(&table.wrong_tag, 100, "wrong_tag", traffic.wrong_tag)?;
        traffic.jam = percent(&table.jam, 95, "jam", traffic.jam)?;
        traffic.strangers = percent(&table.strangers, 95, "strangers", traffic.strangers)?;
        if let Some(policy) = &table.tags {
            traffic.tags = tag_policy(policy)?;
        }
    }
    Ok(traffic)
}

fn breach(file: &File) -> Result<Option<Breach>, Mistake> {
    let Some(table) = file.traffic.as_ref().and_then(|table| table.breach.as_ref()) else { return Ok(None) };
    let name = &table.kind;
    let kind = BreachKind::ALL.into_iter().find(|kind| kind.name() == name.get_ref()).ok_or_else(|| {
        Mistake::new(name.span(), format!("there is no breach {:?}", name.get_ref()))
            .with_help(format!("kinds: {}", BreachKind::ALL.map(BreachKind::name).join(", ")))
    })?;
    let port = match &table.port {
        None => BreachPort::default(),
        Some(name) => BreachPort::ALL.into_iter().find(|port| port.name() == name.get_ref()).ok_or_else(|| {
            Mistake::new(name.span(), format!("there is no port {:?} with responses", name.get_ref()))
                .with_help(format!("ports: {}", BreachPort::ALL.map(BreachPort::name).join(", ")))
        })?,
    };
    let response = within(&table.response, 1..=i64::from(u32::MAX), "response")? as u32;
    Ok(Some(Breach { port, response, kind }))
}

fn tag_policy(name: &Spanned<String>) -> Result<TagPolicy, Mistake> {
    let policies = [TagPolicy::InOrder, TagPolicy::Scattered];
    policies.into_iter().find(|policy| policy.name() == name.get_ref()).ok_or_else(|| {
        Mistake::new(name.span(), format!("there is no order of tags {:?}", name.get_ref()))
            .with_help(format!("tags: {}", policies.map(TagPolicy::name).join(", ")))
    })
}

fn command_request(command: &Spanned<String>) -> Result<Request, Mistake> {
    let which = Command::from_name(command.get_ref()).ok_or_else(|| {
        Mistake::new(command.span(), format!("there is no command {:?}", command.get_ref()))
            .with_help(format!("commands: {}", Command::CODES.listed()))
    })?;
    Ok(Request { op: OpKind::Command.code(), cmd: which.code(), ..Request::default() })
}

fn fault_cause(name: &Spanned<String>) -> Result<u8, Mistake> {
    FaultCause::from_name(name.get_ref()).map(FaultCause::code).ok_or_else(|| {
        Mistake::new(name.span(), format!("there is no fault {:?}", name.get_ref()))
            .with_help(format!("faults: {}", FaultCause::CODES.listed()))
    })
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

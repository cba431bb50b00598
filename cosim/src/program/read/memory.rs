//! What memory, banks and kernel parameters hold at first.

use std::ops::Range;

use toml::Spanned;

use super::configuration::{bank_index, bank_size};
use super::reader::Reader;
use super::values::{unknown, within};
use crate::program::file::{BankTable, File, MemoryTable};
use crate::program::request::bits32;
use crate::program::{Bank, Contents, MemorySpace, Mistake, Program, SECTOR_BYTES, offset_for_others};

/// Bytes of the largest bank.
const LARGEST_BANK: u64 = 0x1_0000;

impl Reader<'_> {
    pub(super) fn bank(&self, table: &BankTable) -> Result<Bank, Mistake> {
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
    pub(super) fn memory(
        &self,
        table: &Spanned<MemoryTable>,
        needs_contents: bool,
        thread_bytes: u64,
    ) -> Result<(MemorySpace, u64, u64, Option<Contents>), Mistake> {
        let (place, table) = (table.span(), table.get_ref());
        let space = self.space(table, needs_contents)?;
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
        let bytes = length(table, contents.as_ref(), place)?;
        self.refuse_beyond_end(table, space, u128::from(address) + u128::from(bytes), thread_bytes)?;
        Ok((space, address, bytes, contents))
    }

    /// What a block is of.
    fn space(&self, table: &MemoryTable, needs_contents: bool) -> Result<MemorySpace, Mistake> {
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
            _ => return Err(unknown("space", &table.space, "spaces: global, shared, local, param")),
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
        Ok(space)
    }

    /// Refuses a block of which `end` is the first byte behind it, if `space` ends before.
    fn refuse_beyond_end(
        &self,
        table: &MemoryTable,
        space: MemorySpace,
        end: u128,
        thread_bytes: u64,
    ) -> Result<(), Mistake> {
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
        if end > limit {
            let mistake = Mistake::new(table.address.span(), format!("the block ends beyond {beyond}"));
            return Err(match space {
                MemorySpace::Global | MemorySpace::Param | MemorySpace::Shared { .. } => mistake,
                MemorySpace::Local => mistake.with_help("give them more with local_size in [window]"),
            });
        }
        Ok(())
    }

    /// Whether the parameters that `program` has so far, the last of them by `table`, lie in a bank 0 that can be.
    pub(super) fn check_params(
        &self,
        file: &File,
        table: &Spanned<MemoryTable>,
        program: &Program,
    ) -> Result<(), Mistake> {
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
}

/// The bytes of a block with these contents.
fn length(table: &MemoryTable, contents: Option<&Contents>, place: Range<usize>) -> Result<u64, Mistake> {
    match (&table.bytes, contents) {
        (Some(bytes), Some(Contents::Words(_))) => Err(Mistake::new(bytes.span(), "bytes is given beside words")
            .with_help("leave bytes out: the words say how long the block is")),
        (None, Some(Contents::Words(words))) => Ok(4 * words.len() as u64),
        (Some(bytes), _) => {
            let length = within(bytes, 4..=i64::MAX, "bytes")? as u64;
            if !length.is_multiple_of(4) {
                return Err(Mistake::new(bytes.span(), "bytes is not a multiple of 4"));
            }
            Ok(length)
        }
        (None, _) => Err(Mistake::new(place, "the length is missing").with_help("add bytes = 4096")),
    }
}

/// Shared memory is filled and read through the window that other CTAs have on it.
pub(super) fn refuse_hidden(
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

fn words_and_pattern(span: Range<usize>) -> Mistake {
    Mistake::new(span, "words and pattern exclude each other").with_help("keep one of them")
}

fn contents_of(pattern: &Spanned<String>) -> Result<Contents, Mistake> {
    match pattern.get_ref().as_str() {
        "address" => Ok(Contents::Address),
        "noise" => Ok(Contents::Noise),
        _ => Err(unknown("pattern", pattern, "the patterns are \"address\" and \"noise\"")),
    }
}

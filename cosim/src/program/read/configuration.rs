//! What stands on the `cfg_*` pins: windows, the mode, banks, and changes of them.

use lsu_model::pins::BankWrite;
use toml::Spanned;

use super::reader::Reader;
use super::values::{unknown, within};
use crate::program::file::{ChangeTable, ChangedBankTable, File, WindowTable};
use crate::program::{Change, Mistake, Program, RANK_BITS, Window, WindowPlace};

impl Reader<'_> {
    /// A generic window. Its size has as many bits as an address: 0 is no window.
    fn place(&self, base: &Option<Spanned<i64>>, size: &Option<Spanned<i64>>) -> Result<WindowPlace, Mistake> {
        let address = |value: &Option<Spanned<i64>>| value.as_ref().map(|value| self.address(value)).transpose();
        Ok(WindowPlace { base: address(base)?, size: address(size)? })
    }

    /// What changes before an operation.
    pub(super) fn change(&self, table: &ChangeTable) -> Result<Change, Mistake> {
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

    pub(super) fn window(&self, window: &WindowTable) -> Result<Window, Mistake> {
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
                Some(rank) => within(rank, 0..=(1 << RANK_BITS) - i64::from(self.sms), "rank")? as u8,
                None => 0,
            },
        })
    }
}

/// Whether a mode is that of compute.
pub(super) fn is_compute(mode: &Spanned<String>) -> Result<bool, Mistake> {
    match mode.get_ref().as_str() {
        "compute" => Ok(true),
        "graphics" => Ok(false),
        _ => Err(unknown("mode", mode, "mode is \"compute\" (8 constant banks) or \"graphics\" (18)")),
    }
}

pub(super) fn param_offset(offset: &Spanned<i64>) -> Result<u16, Mistake> {
    Ok(within(offset, 0..=0xffff, "param_offset")? as u16)
}

/// The number of an entry of the bank table, as much as the pins hold.
pub(super) fn bank_index(index: &Spanned<i64>) -> Result<u8, Mistake> {
    Ok(within(index, 0..=31, "index")? as u8)
}

/// The size of a bank, as much as the pins hold.
pub(super) fn bank_size(size: &Spanned<i64>) -> Result<u32, Mistake> {
    Ok(within(size, 0..=0x1_ffff, "size")? as u32)
}

/// Local memory that has no place where it usually lies must be given one.
pub(super) fn refuse_local_beyond_room(program: &Program, file: &File) -> Result<(), Mistake> {
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

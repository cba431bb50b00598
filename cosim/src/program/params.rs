//! Constant loads as a program means them (rule CONST): the banks that they read, and where the kernel parameters lie in theirs.

use lsu_model::micro_op::{OpKind, Space};
use lsu_model::pins::Request;

use super::{Bank, Program};

/// Where the kernel parameters begin in bank 0 if the program does not say: c[0x0][0x160], as from SM70 to SM89.
pub const DEFAULT_PARAM_OFFSET: u16 = 0x160;

/// The bank that holds the kernel parameters.
pub const PARAM_BANK: u8 = 0;

/// The bank of `.const`.
const CONSTANT_BANK: u8 = 3;

/// What the unit does not look at in `cfg_param_offset`.
const GRANULE: u16 = 16;

/// The least bytes by which banks grow.
const BANK_GRANULE: u32 = 16;

/// The bank that `request` reads if it is a constant load.
pub fn constant_bank(request: &Request) -> Option<u8> {
    match (OpKind::on_pin(request.op), Space::on_pin(request.space)) {
        (OpKind::Load, Space::Const) => Some(CONSTANT_BANK),
        (OpKind::Load, Space::ParamEntry) => Some(PARAM_BANK),
        _ => None,
    }
}

impl Program {
    /// The byte of bank 0 at which the kernel parameters begin.
    pub fn param_start(&self) -> u64 {
        u64::from(self.param_offset / GRANULE * GRANULE)
    }

    /// What a constant load adds to its operand and its immediate.
    pub fn constant_start(&self, request: &Request) -> u64 {
        if constant_bank(request) == Some(PARAM_BANK) { self.param_start() } else { 0 }
    }

    /// Bytes of bank 0 up to the last kernel parameter that the program gives.
    pub(super) fn param_end(&self) -> u64 {
        let end = self.params.iter().map(|block| block.address + block.bytes).max();
        end.map_or(0, |end| self.param_start() + end)
    }

    /// The number of the bank, in the order of `banks`, that holds the kernel parameters.
    pub fn param_bank(&self) -> Option<usize> {
        self.banks.iter().rposition(|bank| bank.index == PARAM_BANK)
    }

    /// Adds the bank of the kernel parameters, as long as they are, if the program has none.
    pub(super) fn add_param_bank(&mut self) {
        if self.params.is_empty() || self.param_bank().is_some() {
            return;
        }
        let size = (self.param_end() as u32).next_multiple_of(BANK_GRANULE);
        let contents = super::Contents::Words(Vec::new());
        self.banks.push(Bank { index: PARAM_BANK, size, base: None, contents, valid: true });
    }
}

//! The windows of constants and kernel parameters: which lanes of an operation lie in them, and where in memory these read.

use super::super::constant::{Bank, BankTable, CONSTANT_BANK, PARAM_BANK, first_parameter};
use super::super::lanes::{bits, lanes_where};
use super::super::near::{Comparator, NearMisses};
use super::shared::{SIXTEEN_BYTES, lanes_in};
use crate::micro_op::Space;
use crate::pins::{Inputs, MAX_LANES, Window};
use crate::preset::Preset;

/// The const or the param window as it is looked at.
pub(super) fn generic_window(window: &Window) -> Window {
    Window { base: window.base & SIXTEEN_BYTES, size: window.size & SIXTEEN_BYTES }
}

/// The lanes in one of the windows, and its bank.
#[derive(Clone, Copy, Debug, Default)]
struct BankLanes {
    lanes: u32,
    /// First address of the window, and the byte of the bank that it means.
    origin: u64,
    first: u64,
    address_mask: u64,
    /// The bank's entry, if that is valid.
    bank: Option<Bank>,
}

impl BankLanes {
    /// Of the lanes `in_range`, whose addresses are the low bits of `sums`.
    fn of(
        window: &Window,
        first: u32,
        bank: Option<Bank>,
        sums: &[u64; MAX_LANES],
        in_range: u32,
        address_bits: u32,
    ) -> Self {
        let window = generic_window(window);
        let lanes = lanes_in(&window, sums, address_bits) & in_range;
        let address_mask = u64::MAX >> (64 - address_bits);
        Self { lanes, origin: window.base, first: first.into(), address_mask, bank }
    }

    /// Offset in the bank.
    fn offset(&self, sum: u64) -> u64 {
        (sum.wrapping_sub(self.origin) & self.address_mask) + self.first
    }

    /// The lanes that lie beyond the bank: all of them, if it has no valid entry.
    fn beyond(&self, sums: &[u64; MAX_LANES]) -> u32 {
        let size = self.bank.map_or(0, |bank| bank.size.into());
        if self.lanes == 0 { 0 } else { lanes_where(sums, |sum| self.offset(sum) >= size) & self.lanes }
    }

    /// The address in memory of a lane that is not beyond the bank.
    fn address(&self, sum: u64) -> u64 {
        let base = self.bank.map_or(0, |bank| bank.base);
        base.wrapping_add(self.offset(sum)) & self.address_mask
    }

    fn near_limit(&self, sums: &[u64; MAX_LANES], near: &mut NearMisses) {
        let Some(bank) = self.bank else { return };
        for lane in bits(self.lanes) {
            near.order(Comparator::ConstantLimit, self.offset(sums[usize::from(lane)]), bank.size.into());
        }
    }
}

/// Rule WINDOW: which lanes of an operation are windowed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WindowedLanes {
    pub lanes: u32,
    /// Those of them that lie beyond their bank.
    pub beyond: u32,
    constant: BankLanes,
    param: BankLanes,
}

impl WindowedLanes {
    /// Of the lanes `in_range`, none of them shared or local, whose addresses are the low bits of `sums`.
    pub(super) fn of(
        inputs: &Inputs,
        sums: &[u64; MAX_LANES],
        in_range: u32,
        table: &BankTable,
        preset: &Preset,
    ) -> Self {
        if Space::on_pin(inputs.req.space) != Space::Generic {
            return Self::default();
        }
        let (windows, address_bits) = (&inputs.windows, preset.address_bits);
        let constant = BankLanes::of(&windows.constant, 0, table.get(CONSTANT_BANK), sums, in_range, address_bits);
        let first = first_parameter(inputs.param_offset);
        let in_param_alone = in_range & !constant.lanes;
        let param = BankLanes::of(&windows.param, first, table.get(PARAM_BANK), sums, in_param_alone, address_bits);
        let beyond = constant.beyond(sums) | param.beyond(sums);
        Self { lanes: constant.lanes | param.lanes, beyond, constant, param }
    }

    /// The address in memory of a windowed lane that is not beyond its bank.
    pub(super) fn address(&self, lane: u8, sum: u64) -> u64 {
        let own = if self.constant.lanes >> lane & 1 == 1 { &self.constant } else { &self.param };
        own.address(sum)
    }

    /// Takes note of the lanes that are nearly on the other side of their bank's end.
    pub(super) fn near_limit(&self, sums: &[u64; MAX_LANES], near: &mut NearMisses) {
        self.constant.near_limit(sums, near);
        self.param.near_limit(sums, near);
    }
}

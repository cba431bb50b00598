//! The windows of constants and kernel parameters: which lanes of an operation lie in them, and where in memory these read.

use super::super::constant::{Bank, BankTable, CONSTANT_BANK, PARAM_BANK, first_parameter};
use super::super::near::{Comparator, NearMisses};
use super::shared::SIXTEEN_BYTES;
use super::window_lanes::{WindowLanes, lanes_in};
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
    /// The limit is the bank's bytes: none, if it has no valid entry.
    window: WindowLanes,
    /// The bank's entry, if that is valid.
    bank: Option<Bank>,
}

impl BankLanes {
    /// Of the lanes `in_range`, whose addresses are the low bits of `sums`. The window begins with byte `first` of the bank.
    fn of(
        window: &Window,
        first: u32,
        bank: Option<Bank>,
        sums: &[u64; MAX_LANES],
        in_range: u32,
        address_mask: u64,
    ) -> Self {
        let window = generic_window(window);
        let lanes = lanes_in(&window, sums, address_mask) & in_range;
        let limit = bank.map_or(0, |bank| bank.size.into());
        let (origin, first) = (window.base, first.into());
        let window = WindowLanes { lanes, beyond: 0, origin, first, address_mask, limit };
        Self { window: window.with_beyond(sums), bank }
    }

    /// The address in memory of a lane that is not beyond the bank.
    fn address(&self, sum: u64) -> u64 {
        let base = self.bank.map_or(0, |bank| bank.base);
        base.wrapping_add(self.window.offset(sum)) & self.window.address_mask
    }

    fn near_limit(&self, sums: &[u64; MAX_LANES], near: &mut NearMisses) {
        if self.bank.is_some() {
            self.window.near_limit(sums, Comparator::ConstantLimit, near);
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
        let (windows, address_mask) = (&inputs.windows, preset.address_mask());
        let constant = BankLanes::of(&windows.constant, 0, table.get(CONSTANT_BANK), sums, in_range, address_mask);
        let first = first_parameter(inputs.param_offset);
        let in_param_alone = in_range & !constant.window.lanes;
        let param = BankLanes::of(&windows.param, first, table.get(PARAM_BANK), sums, in_param_alone, address_mask);
        let beyond = constant.window.beyond | param.window.beyond;
        Self { lanes: constant.window.lanes | param.window.lanes, beyond, constant, param }
    }

    /// The address in memory of a windowed lane that is not beyond its bank.
    pub(super) fn address(&self, lane: u8, sum: u64) -> u64 {
        let own = if self.constant.window.lanes >> lane & 1 == 1 { &self.constant } else { &self.param };
        own.address(sum)
    }

    /// Takes note of the lanes that are nearly on the other side of their bank's end.
    pub(super) fn near_limit(&self, sums: &[u64; MAX_LANES], near: &mut NearMisses) {
        self.constant.near_limit(sums, near);
        self.param.near_limit(sums, near);
    }
}

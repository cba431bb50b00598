//! Changes of the configuration between operations, while the units are idle.

use std::collections::BTreeSet;

use lsu_model::micro_op::{Command, OpKind};
use lsu_model::pins::{BankWrite, Request, Windows};

use super::params::constant_start;
use super::{Program, ProgramOperation, Window, WindowPlace};

/// What is on the `cfg_*` pins from one operation on. It changes when every operation before has completed and the unit is idle; nothing
/// behind that operation begins before it has completed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Compute mode or graphics mode.
    pub compute: Option<bool>,
    /// The generic windows. Where local memory lies, how much of it each thread has, and what others see of shared memory stays as it
    /// is: nothing of `local.size`, `local_memory` and `cluster` is looked at.
    pub window: Window,
    /// Where the kernel parameters begin in bank 0.
    pub param_offset: Option<u16>,
    /// Writes of the bank table, one a cycle, before the operation. What the constant cache holds stays.
    pub banks: Vec<BankWrite>,
}

impl Change {
    /// The pins of a unit whose windows were `windows`.
    pub fn windows(&self, mut windows: Windows) -> Windows {
        let Window { shared, local, constant, param, .. } = self.window;
        let places = [
            (&mut windows.shared, shared),
            (&mut windows.local, WindowPlace { size: None, ..local }),
            (&mut windows.constant, constant),
            (&mut windows.param, param),
        ];
        for (window, change) in places {
            window.base = change.base.unwrap_or(window.base);
            window.size = change.size.unwrap_or(window.size);
        }
        windows
    }
}

impl Window {
    /// What a file says that has what `change` says, and else the same.
    pub fn changed(self, change: &Window) -> Window {
        let place = |first: WindowPlace, then: WindowPlace| WindowPlace {
            base: then.base.or(first.base),
            size: then.size.or(first.size),
        };
        Window {
            shared: place(self.shared, change.shared),
            local: place(self.local, WindowPlace { size: None, ..change.local }),
            constant: place(self.constant, change.constant),
            param: place(self.param, change.param),
            ..self
        }
    }
}

impl Program {
    /// The changes up to the operation number `op`, its own one among them.
    fn changes(&self, op: usize) -> impl Iterator<Item = &Change> {
        self.ops.iter().take(op + 1).filter_map(|operation| operation.change.as_deref())
    }

    /// The first operation that changes banks where not every unit empties its constant cache then: what that would still give nobody says.
    /// The operation itself has to, and those of other units right behind it, each with a change, so that nothing else begins before.
    pub fn stale_banks(&self) -> Option<usize> {
        let empties = |operation: &&ProgramOperation| {
            let Request { op, cmd, .. } = operation.request;
            let is_command = OpKind::on_pin(op) == OpKind::Command;
            operation.change.is_some() && is_command && Command::on_pin(cmd) == Command::InvalidateConstant
        };
        let changes_banks = |change: &Change| !change.banks.is_empty();
        let mut changing = (0..self.ops.len()).filter(|op| self.ops[*op].change.as_deref().is_some_and(changes_banks));
        changing.find(|op| {
            let emptied: BTreeSet<u32> =
                self.ops[*op..].iter().take_while(empties).map(|operation| operation.sm).collect();
            emptied.len() < self.sms as usize
        })
    }

    /// The windows of its unit while the operation number `op` is under way.
    pub fn windows_at(&self, op: usize) -> Windows {
        let first = self.windows(self.ops.get(op).map_or(0, |operation| operation.sm));
        self.changes(op).fold(first, |windows, change| change.windows(windows))
    }

    /// What a constant load adds to its operand and its immediate, if the operation number `op` is one.
    pub fn constant_start_at(&self, op: usize) -> u64 {
        let offset = self.param_offset_at(op);
        self.ops.get(op).map_or(0, |operation| constant_start(&operation.request, offset))
    }

    /// The pin `cfg_param_offset` while the operation number `op` is under way.
    fn param_offset_at(&self, op: usize) -> u16 {
        self.changes(op).filter_map(|change| change.param_offset).last().unwrap_or(self.param_offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Overrides, read, write};

    const CHANGED: &str = r#"
        preset = "fpga8"
        [window]
        local = 0x10000
        param_offset = 0x20
        [[op]]
        command = "invalidate_l1"
        [[op]]
        command = "invalidate_const"
        change = { mode = "graphics", shared = 0x4000, const_size = 0x30, param_offset = 0x40, banks = [{ index = 3, base = 0x1000, size = 0x40 }, { index = 9, base = 0, size = 0, valid = false }] }
        [[op]]
        sm = 0
        command = "invalidate_l1"
        [[op]]
        command = "invalidate_l1"
        change = { local = 0x20000 }
    "#;

    fn changed() -> Program {
        read(CHANGED, "change.toml", Overrides::default()).expect("a program")
    }

    #[test]
    fn pins_change_from_an_operation_on() {
        let program = changed();
        let at = |op| {
            let windows = program.windows_at(op);
            (windows.shared.base, windows.local.base, windows.constant.size, program.param_offset_at(op))
        };
        assert_eq!(at(0), (0xfc00_0000, 0x1_0000, 0x20_0000, 0x20));
        assert_eq!(at(1), (0x4000, 0x1_0000, 0x30, 0x40));
        assert_eq!(at(2), at(1));
        assert_eq!(at(3), (0x4000, 0x2_0000, 0x30, 0x40));
        let change = program.ops[1].change.as_deref().expect("a change");
        assert_eq!(change.compute, Some(false));
        let banks: Vec<_> = change.banks.iter().map(|bank| (bank.index, bank.base, bank.size, bank.valid)).collect();
        assert_eq!(banks, [(3, 0x1000, 0x40, true), (9, 0, 0, false)]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let program = changed();
        let text = write(&program);
        assert_eq!(read(&text, "again.toml", Overrides::default()).expect("a program").ops, program.ops, "{text}");
    }

    #[test]
    fn every_unit_empties_its_constant_cache_behind_new_banks() {
        let mut program = changed();
        assert_eq!(program.stale_banks(), None);
        program.sms = 2;
        assert_eq!(program.stale_banks(), Some(1));
        let mut other = program.ops[1].clone();
        (other.sm, other.change) = (1, Some(Box::default()));
        program.ops.insert(2, other);
        assert_eq!(program.stale_banks(), None);
        program.ops[2].change = None;
        assert_eq!(program.stale_banks(), Some(1));
    }

    #[test]
    fn what_does_not_change_is_refused() {
        for (key, said) in
            [("local_memory = 0x1000", "local_memory"), ("cluster = 0", "cluster"), ("local_size = 0x40", "local_size")]
        {
            let text = CHANGED.replace("local = 0x20000", key);
            let refusal = read(&text, "refused.toml", Overrides::default()).expect_err("refused").to_string();
            assert!(refusal.contains(said), "{refusal}");
        }
    }
}

//! Codes of `req_*` that most generated programs use.

use lsu_model::micro_op::{OpKind, Semantics, Space};

pub(crate) const LOAD: u8 = OpKind::Load.code();
pub(crate) const STORE: u8 = OpKind::Store.code();
pub(crate) const LDC: u8 = OpKind::Ldc.code();
pub(super) const COMMAND: u8 = OpKind::Command.code();
pub(super) const GENERIC: u8 = Space::Generic.code();
pub(super) const GLOBAL: u8 = Space::Global.code();
pub(super) const SHARED: u8 = Space::Shared.code();
pub(super) const CLUSTER: u8 = Space::SharedCluster.code();
pub(super) const LOCAL: u8 = Space::Local.code();
pub(super) const CONST: u8 = Space::Const.code();
pub(super) const WEAK: u8 = Semantics::Weak.code();
pub(super) const MMIO: u8 = Semantics::Mmio.code();

/// The codes of 32 and of 128 bits on the pin `req_size`.
pub(crate) const WORD: u8 = 2;
pub(super) const QUAD: u8 = 4;

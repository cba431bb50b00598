//! Front end, architectural oracle and cycle-exact golden model of a GPU load/store unit.
//!
//! Written from the specification alone; it never depends on the hardware description.

pub mod codes;
pub mod diagnostic;
pub mod golden;
pub mod micro_op;
pub mod oracle;
pub mod pins;
pub mod preset;
pub mod ptx;
pub mod sass;

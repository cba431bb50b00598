//! See the README.

pub mod micro_op;

//! The timing contract (`hdl/docs/global_path.md`, `hdl/docs/constant_cache.md`) and what it is kept in: one name for each
//! place, and one for each rule.

#[path = "../harness/mod.rs"]
mod harness;

mod page;
mod picture;
mod places;
mod rules;
mod trace;

//! The timing contract (`hdl/docs/global_path.md`, `hdl/docs/constant_cache.md`) and what it is kept in: one name for each
//! place, and one for each rule, whose program notices when it is broken.

#[path = "../harness/mod.rs"]
mod harness;
#[path = "../planting/mod.rs"]
mod planting;

mod broken;
mod page;
mod picture;
mod places;
mod probes;
mod rules;
mod sentences;
mod trace;

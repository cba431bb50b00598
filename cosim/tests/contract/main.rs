//! The timing contract (`hdl/docs/global_path.md`, `hdl/docs/constant_cache.md`) and the places that it names.

mod page;
mod places;

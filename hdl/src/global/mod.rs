//! Loads and stores of global memory: L1, the non-coherent read path, stores.
//!
//! | module | place of the pipeline |
//! |---|---|
//! | [`global_path`] | all of it, with the timing contract |
//! | [`operation`] | what every place knows about its operation |
//! | [`address_unit`], [`operation_check`] | `intake` and `check`: addresses, faults |
//! | [`coalescer`], [`store_merge`] | `issue` and `merge`: passes, store data |
//! | [`tag_stage`], [`cache_tags`], [`line_index`] | `tag`: order, tags of L1 and RO |
//! | [`miss_table`], [`read_queue`], [`store_port`] | MSHRs, waiters, the memory port |
//! | [`data_places`], [`pass_queue`], [`collector`] | `hit`, `ro_read`, `ro_hit`, `resume`, `collect` and `emit`: lines, registers |
//! | [`counters`] | counters |

pub mod address_unit;
pub mod cache_tags;
pub mod coalescer;
pub mod collector;
#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
pub mod counters;
pub mod data_places;
pub mod global_path;
pub mod line_index;
pub mod miss_table;
#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
pub mod operation;
pub mod operation_check;
pub mod pass_queue;
pub mod read_queue;
pub mod store_merge;
pub mod store_port;
pub mod tag_stage;

use super::{fault_register, prelude};

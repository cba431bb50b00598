//! Loads and stores of global and local memory, with L1 and the non-coherent read path, and of the shared memory of a cluster's CTAs.
//!
//! | module | place of the pipeline |
//! |---|---|
//! | [`global_path`] | all of it, with the timing contract |
//! | [`operation`] | what every place knows about its operation |
//! | [`address_unit`], [`lane_address`], [`window_banks`], [`operation_check`] | `intake` and `check`: addresses, faults |
//! | [`coalescer`], [`same_line`], [`store_merge`] | `issue` and `merge`: passes, store data |
//! | [`bank_pairs`], [`same_blocks`], [`bank_places`] | `issue`: passes of shared memory, and which word of each bank they need |
//! | [`tag_stage`], [`cache_tags`] | `tag`: order, tags of L1 and RO |
//! | [`local_line`], [`dirty_sectors`], [`write_back`] | local lines, what memory does not have of them, its way there |
//! | [`way_row`], [`row_store`], [`row_readers`] | `rows`: numbers of rows, their bytes, who is still to read them |
//! | [`miss_table`], [`read_queue`], [`store_port`], [`answer`] | MSHRs, waiters, the memory port, the cluster port |
//! | [`serve`], [`reply`] | requests of other CTAs for shared memory |
//! | [`pick_stage`], [`pass_queue`], [`census`] | `hit`, `ro_read`, `ro_hit`, `resume` and `bank`: which pass is read |
//! | [`read_stage`], [`collector`] | `read`, `landing`, `collect` and `emit`: quads, registers |
//! | [`counters`] | counters |

pub mod address_unit;
pub mod answer;
pub mod bank_pairs;
pub mod bank_places;
pub mod cache_tags;
pub mod census;
pub mod coalescer;
pub mod collector;
#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
pub mod counters;
pub mod dirty_sectors;
pub mod global_path;
pub mod lane_address;
pub mod local_line;
pub mod miss_table;
#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
pub mod operation;
pub mod operation_check;
pub mod pass_queue;
pub mod pick_stage;
pub mod read_queue;
pub mod read_stage;
pub mod reply;
pub mod row_readers;
#[allow(clippy::reversed_empty_ranges, reason = "a preset may have one sector in its columns")]
pub mod row_store;
pub mod same_blocks;
pub mod same_line;
pub mod serve;
#[allow(clippy::reversed_empty_ranges, reason = "a preset may have no words behind those of a sector")]
pub mod store_merge;
pub mod store_port;
#[allow(clippy::reversed_empty_ranges, reason = "four lanes fill no sector: there `WORD_SECTORS` is 0")]
pub mod tag_stage;
pub mod way_row;
pub mod window_banks;
pub mod write_back;

use super::{fault_register, prelude};

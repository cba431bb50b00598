//! LDC and the indexed constant cache.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/constant_cache.md"))]

pub mod bank_table;
pub mod constant_cache;
pub mod constant_set;
pub mod data_stage;
pub mod intake;
pub mod issue;
pub mod lane_groups;
pub mod ldc_address;
pub mod ldc_extract;
pub mod misses;
#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
pub mod operation;
pub mod tag_stage;

use super::{fault_register, prelude};

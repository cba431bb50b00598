//! The golden model, place by place and rule by rule, on a small memory agent.

mod arbiter;
mod cluster;
mod constant_loads;
mod constant_rig;
mod global_data;
mod global_faults;
mod global_order;
mod global_queues;
mod global_random;
mod global_rig;
mod global_rows;
mod global_timing;
mod local;
mod random;
mod rules;
mod shared;
mod split_mix;
mod status;
mod timing;
mod windows;
mod write_back;

//! One unit: every block whose size a preset decides.
//!
//! Each preset mounts this module once, so that its sizes are plain constants and no block has a list of them: see [`sizes`].

#![allow(
    clippy::collapsible_if,
    reason = "kernels have no `&&`, and `&` with a bit is no comparison of loop variables"
)]

#[path = "constant/mod.rs"]
pub mod constant;
#[path = "fault_register.rs"]
pub mod fault_register;
#[path = "global/mod.rs"]
pub mod global;
#[path = "lsu.rs"]
pub mod lsu;
#[path = "prelude.rs"]
mod prelude;
#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
#[path = "results.rs"]
pub mod results;
#[path = "sizes.rs"]
pub mod sizes;

use rust_hdl::prelude::*;

use crate::codes;
use crate::emit::SOURCES;
use crate::preset::{Broken, Preset, STACK};
use crate::simulator::{Pins, Port, Simulate, SimulationError, settle};
use crate::verilog::{self, Breakage};
use lsu::Lsu;

/// What the rest of the crate does with this unit.
pub(crate) const PRESET: Preset = Preset { sizes: super::SIZES, broken, simulator: || connected() };

fn connected() -> Box<Lsu> {
    stacker::grow(STACK, || {
        let mut unit = Box::<Lsu>::default();
        unit.connect_all();
        unit
    })
}

fn broken(top: &str, prefix: &str, breakage: Breakage<'_>) -> Broken {
    let sizes: String = sizes::ALL.iter().map(|(name, value)| format!("const {name}: usize = {value};\n")).collect();
    verilog::broken(&*connected(), top, prefix, &[SOURCES, &[&sizes, &codes::text()]].concat(), breakage)
}

impl Simulate for Lsu {
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError> {
        Simulate::settle(self, inputs, outputs)?;
        self.clock.next = true.into();
        settle(self)
    }

    fn settle(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError> {
        macro_rules! exchange {
            ($words: ident: $($port: ident)+) => {
                let mut pins = Pins::new($words);
                $(self.$port.exchange(pins.align());)+
            };
        }
        exchange!(
            inputs: cfg_bank_base cfg_bank_index cfg_bank_size cfg_bank_valid cfg_bank_write cfg_compute cfg_const_base
            cfg_const_size cfg_local_base cfg_local_size cfg_param_base cfg_param_offset cfg_param_size cfg_rank
            cfg_shared_base cfg_shared_size cluster_req_ready cluster_rsp_data cluster_rsp_error cluster_rsp_id
            cluster_rsp_valid done_ready fault_ready mem_req_ready mem_rsp_data mem_rsp_error mem_rsp_id
            mem_rsp_valid req_addr req_bank req_cmd req_cop req_dst_width req_imm req_l1_evict req_l2_evict
            req_mask req_mode req_nc req_op req_policy req_policy_en req_prefetch req_ra_is_rz req_rd req_scope
            req_sem req_sign req_sink req_size req_space req_tag req_valid req_vec reset wb_ready wdata_data
            wdata_tag wdata_valid
        );
        self.clock.next = false.into();
        settle(self)?;
        exchange!(
            outputs: cluster_req_addr cluster_req_cop cluster_req_data cluster_req_id cluster_req_l2_evict
            cluster_req_policy cluster_req_policy_en cluster_req_prefetch cluster_req_rank cluster_req_scope
            cluster_req_sem cluster_req_strb cluster_req_valid cluster_req_write cluster_rsp_ready done_tag
            done_valid fault_addr fault_cause fault_lanes fault_tag fault_valid mem_req_addr mem_req_cop
            mem_req_data mem_req_id mem_req_l2_evict mem_req_policy mem_req_policy_en mem_req_prefetch
            mem_req_scope mem_req_sem mem_req_strb mem_req_valid mem_req_write mem_rsp_ready req_ready
            status_cfg_refused status_idle status_l1_hits status_l1_misses status_ldc_hits status_ldc_misses
            status_ldc_passes status_ldc_unpredictable status_replays status_ro_hits status_ro_misses status_sectors_read
            status_sectors_written status_stall_data status_stall_memory status_stall_misses status_stall_order
            status_wavefronts status_wdata_wrong_tag wb_data wb_last wb_mask wb_rd wb_tag wb_valid wdata_ready
        );
        Ok(())
    }
}

//! The golden model's output pins as words: the counterpart of the ports that Verilator has by itself.

use lsu_model::pins::Outputs;

/// Takes one pin out of all.
#[derive(Clone, Copy)]
pub(super) enum Take {
    /// A pin of at most 64 bits.
    Number(fn(&Outputs) -> u64),
    /// A wider one, lowest word first.
    Words(fn(&Outputs) -> &[u32]),
}

use Take::{Number, Words};

/// Every output that the golden model drives, by the name of its port.
pub(super) const OUTPUTS: &[(&str, Take)] = &[
    ("req_ready", Number(|pins| pins.req_ready.into())),
    ("wdata_ready", Number(|pins| pins.wdata_ready.into())),
    ("wb_valid", Number(|pins| pins.wb_valid.into())),
    ("wb_tag", Number(|pins| pins.wb.tag.into())),
    ("wb_rd", Number(|pins| pins.wb.rd.into())),
    ("wb_mask", Number(|pins| pins.wb.mask.into())),
    ("wb_data", Words(|pins| &pins.wb.data)),
    ("wb_last", Number(|pins| pins.wb.last.into())),
    ("fault_valid", Number(|pins| pins.fault_valid.into())),
    ("fault_tag", Number(|pins| pins.fault.tag.into())),
    ("fault_cause", Number(|pins| pins.fault.cause.into())),
    ("fault_lanes", Number(|pins| pins.fault.lanes.into())),
    ("fault_addr", Number(|pins| pins.fault.addr)),
    ("done_valid", Number(|pins| pins.done_valid.into())),
    ("done_tag", Number(|pins| pins.done_tag.into())),
    ("mem_req_valid", Number(|pins| pins.mem_req_valid.into())),
    ("mem_req_id", Number(|pins| pins.mem_req.id.into())),
    ("mem_req_write", Number(|pins| pins.mem_req.write.into())),
    ("mem_req_addr", Number(|pins| pins.mem_req.addr)),
    ("mem_req_strb", Number(|pins| pins.mem_req.strb.into())),
    ("mem_req_data", Words(|pins| &pins.mem_req.data)),
    ("mem_req_l2_evict", Number(|pins| pins.mem_req.l2_evict.into())),
    ("mem_req_policy_en", Number(|pins| pins.mem_req.policy_en.into())),
    ("mem_req_policy", Number(|pins| pins.mem_req.policy)),
    ("mem_req_prefetch", Number(|pins| pins.mem_req.prefetch.into())),
    ("mem_req_cop", Number(|pins| pins.mem_req.cop.into())),
    ("mem_req_sem", Number(|pins| pins.mem_req.sem.into())),
    ("mem_req_scope", Number(|pins| pins.mem_req.scope.into())),
    ("mem_rsp_ready", Number(|pins| pins.mem_rsp_ready.into())),
    ("cluster_req_valid", Number(|pins| pins.cluster_req_valid.into())),
    ("cluster_rsp_ready", Number(|pins| pins.cluster_rsp_ready.into())),
    ("status_ldc_unpredictable", Number(|pins| pins.status.ldc_unpredictable.into())),
    ("status_cfg_refused", Number(|pins| pins.status.cfg_refused.into())),
    ("status_wdata_wrong_tag", Number(|pins| pins.status.wdata_wrong_tag.into())),
    ("status_idle", Number(|pins| pins.status.idle.into())),
    ("status_ldc_passes", Number(|pins| pins.status.ldc_passes.into())),
    ("status_ldc_hits", Number(|pins| pins.status.ldc_hits.into())),
    ("status_ldc_misses", Number(|pins| pins.status.ldc_misses.into())),
    ("status_l1_hits", Number(|pins| pins.status.l1_hits.into())),
    ("status_l1_misses", Number(|pins| pins.status.l1_misses.into())),
    ("status_ro_hits", Number(|pins| pins.status.ro_hits.into())),
    ("status_ro_misses", Number(|pins| pins.status.ro_misses.into())),
    ("status_wavefronts", Number(|pins| pins.status.wavefronts.into())),
    ("status_replays", Number(|pins| pins.status.replays.into())),
    ("status_sectors_read", Number(|pins| pins.status.sectors_read.into())),
    ("status_sectors_written", Number(|pins| pins.status.sectors_written.into())),
    ("status_stall_order", Number(|pins| pins.status.stall_order.into())),
    ("status_stall_misses", Number(|pins| pins.status.stall_misses.into())),
    ("status_stall_data", Number(|pins| pins.status.stall_data.into())),
    ("status_stall_memory", Number(|pins| pins.status.stall_memory.into())),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{PinWords, ports};
    use crate::verilator::Direction;
    use lsu_model::preset::WARP32;

    /// Every output port is here, apart from the payloads that `Outputs` does not have.
    #[test]
    fn every_output_port_can_be_shown() {
        let missing: Vec<&str> = ports(&WARP32)
            .into_iter()
            .filter(|(name, _, direction)| {
                *direction == Direction::Output && !OUTPUTS.iter().any(|(known, _)| known == name)
            })
            .map(|(name, ..)| name)
            .collect();
        assert!(missing.iter().all(|name| name.starts_with("cluster_req_")), "{missing:?}");
        let layout = PinWords::standard_layout(&WARP32);
        for (name, take) in OUTPUTS {
            let port = layout.port(name).unwrap_or_else(|| panic!("no port {name}"));
            assert!(port.direction == Direction::Output && (port.width <= 64) == matches!(take, Number(_)), "{name}");
        }
    }

    /// The words are those that the RTL would have on the same pins.
    #[test]
    fn words_stand_where_the_ports_have_them() {
        let mut outputs = Outputs { wb_valid: true, fault_valid: true, mem_req_valid: true, ..Outputs::default() };
        outputs.wb.data[31] = 7;
        outputs.fault.addr = 0x1_2345_6789_abcd;
        outputs.mem_req.policy = 0xfedc_ba98_7654_3210;
        outputs.status.ldc_misses = 9;
        let words = |name: &str| match OUTPUTS.iter().find(|(known, _)| *known == name).expect("known").1 {
            Number(number) => vec![number(&outputs) as u32, (number(&outputs) >> 32) as u32],
            Words(words) => words(&outputs).to_vec(),
        };
        assert_eq!(words("wb_data")[31], 7);
        assert_eq!(words("fault_addr"), [0x6789_abcd, 0x1_2345]);
        assert_eq!(words("mem_req_policy"), [0x7654_3210, 0xfedc_ba98]);
        assert_eq!(words("status_ldc_misses")[0], 9);
    }
}

//! The golden model's output pins as words: the counterpart of the ports that Verilator has by itself.

use lsu_model::pins::Outputs;

/// Words of the widest output pin.
pub(super) const WORDS: usize = 32;

/// Takes one pin out of all, lowest word first; the words were 0 before.
pub(super) type Take = fn(&Outputs, &mut [u32; WORDS]);

fn wide(value: u64, words: &mut [u32; WORDS]) {
    (words[0], words[1]) = (value as u32, (value >> 32) as u32);
}

/// Every output that the golden model drives, by the name of its port.
pub(super) const OUTPUTS: &[(&str, Take)] = &[
    ("req_ready", |pins, words| words[0] = pins.req_ready.into()),
    ("wdata_ready", |pins, words| words[0] = pins.wdata_ready.into()),
    ("wb_valid", |pins, words| words[0] = pins.wb_valid.into()),
    ("wb_tag", |pins, words| words[0] = pins.wb.tag.into()),
    ("wb_rd", |pins, words| words[0] = pins.wb.rd.into()),
    ("wb_mask", |pins, words| words[0] = pins.wb.mask),
    ("wb_data", |pins, words| words.copy_from_slice(&pins.wb.data)),
    ("wb_last", |pins, words| words[0] = pins.wb.last.into()),
    ("fault_valid", |pins, words| words[0] = pins.fault_valid.into()),
    ("fault_tag", |pins, words| words[0] = pins.fault.tag.into()),
    ("fault_cause", |pins, words| words[0] = pins.fault.cause.into()),
    ("fault_lanes", |pins, words| words[0] = pins.fault.lanes),
    ("fault_addr", |pins, words| wide(pins.fault.addr, words)),
    ("done_valid", |pins, words| words[0] = pins.done_valid.into()),
    ("done_tag", |pins, words| words[0] = pins.done_tag.into()),
    ("mem_req_valid", |pins, words| words[0] = pins.mem_req_valid.into()),
    ("mem_req_id", |pins, words| words[0] = pins.mem_req.id.into()),
    ("mem_req_write", |pins, words| words[0] = pins.mem_req.write.into()),
    ("mem_req_addr", |pins, words| wide(pins.mem_req.addr, words)),
    ("mem_req_strb", |pins, words| words[0] = pins.mem_req.strb),
    ("mem_req_data", |pins, words| words[..pins.mem_req.data.len()].copy_from_slice(&pins.mem_req.data)),
    ("mem_req_l2_evict", |pins, words| words[0] = pins.mem_req.l2_evict.into()),
    ("mem_req_policy_en", |pins, words| words[0] = pins.mem_req.policy_en.into()),
    ("mem_req_policy", |pins, words| wide(pins.mem_req.policy, words)),
    ("mem_req_prefetch", |pins, words| words[0] = pins.mem_req.prefetch.into()),
    ("mem_req_cop", |pins, words| words[0] = pins.mem_req.cop.into()),
    ("mem_req_sem", |pins, words| words[0] = pins.mem_req.sem.into()),
    ("mem_req_scope", |pins, words| words[0] = pins.mem_req.scope.into()),
    ("mem_rsp_ready", |pins, words| words[0] = pins.mem_rsp_ready.into()),
    ("cluster_req_valid", |pins, words| words[0] = pins.cluster_req_valid.into()),
    ("cluster_rsp_ready", |pins, words| words[0] = pins.cluster_rsp_ready.into()),
    ("status_ldc_unpredictable", |pins, words| words[0] = pins.status.ldc_unpredictable.into()),
    ("status_cfg_refused", |pins, words| words[0] = pins.status.cfg_refused.into()),
    ("status_ldc_passes", |pins, words| words[0] = pins.status.ldc_passes),
    ("status_ldc_hits", |pins, words| words[0] = pins.status.ldc_hits),
    ("status_ldc_misses", |pins, words| words[0] = pins.status.ldc_misses),
    ("status_l1_hits", |pins, words| words[0] = pins.status.l1_hits),
    ("status_l1_misses", |pins, words| words[0] = pins.status.l1_misses),
    ("status_ro_hits", |pins, words| words[0] = pins.status.ro_hits),
    ("status_ro_misses", |pins, words| words[0] = pins.status.ro_misses),
    ("status_wavefronts", |pins, words| words[0] = pins.status.wavefronts),
    ("status_replays", |pins, words| words[0] = pins.status.replays),
    ("status_sectors_read", |pins, words| words[0] = pins.status.sectors_read),
    ("status_sectors_written", |pins, words| words[0] = pins.status.sectors_written),
    ("status_stall_order", |pins, words| words[0] = pins.status.stall_order),
    ("status_stall_misses", |pins, words| words[0] = pins.status.stall_misses),
    ("status_stall_data", |pins, words| words[0] = pins.status.stall_data),
    ("status_stall_memory", |pins, words| words[0] = pins.status.stall_memory),
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
        for (name, _) in OUTPUTS {
            let port = layout.port(name).unwrap_or_else(|| panic!("no port {name}"));
            assert!(port.direction == Direction::Output && port.words() <= WORDS);
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
        let words = |name: &str| {
            let take = OUTPUTS.iter().find(|(known, _)| *known == name).expect("known").1;
            let mut words = [0; WORDS];
            take(&outputs, &mut words);
            words
        };
        assert_eq!(words("wb_data")[31], 7);
        assert_eq!(words("fault_addr")[..2], [0x6789_abcd, 0x1_2345]);
        assert_eq!(words("mem_req_policy")[..2], [0x7654_3210, 0xfedc_ba98]);
        assert_eq!(words("status_ldc_misses")[0], 9);
    }
}

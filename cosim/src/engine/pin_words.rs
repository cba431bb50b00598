//! Pins as the 32-bit words that cross into a simulator, and back.
//!
//! Every port begins at a word of its own, least significant word first; lane arrays are packed, lane 0 lowest.

use lsu_model::pins::{Inputs, Outputs, Request, Windows};
use lsu_model::preset::Preset;

use super::ports::{PortSpec, ports};
use crate::verilator::Layout;

/// Where each port that a [`PinWords`] moves begins.
macro_rules! places {
    ($name:ident { $($port:ident),+ $(,)? }) => {
        #[derive(Clone, Debug)]
        struct $name { $($port: usize,)+ }

        impl $name {
            fn new(layout: &Layout) -> Option<Self> {
                Some(Self { $($port: layout.port(stringify!($port))?.word_offset,)+ })
            }
        }
    };
}

places!(InputPlaces {
    rst,
    req_valid,
    req_tag,
    req_op,
    req_cmd,
    req_space,
    req_sem,
    req_scope,
    req_cop,
    req_l1_evict,
    req_l2_evict,
    req_prefetch,
    req_policy_en,
    req_policy,
    req_nc,
    req_size,
    req_vec,
    req_sink,
    req_sign,
    req_dst_width,
    req_rd,
    req_mask,
    req_addr,
    req_imm,
    req_bank,
    req_mode,
    req_ra_is_rz,
    wdata_valid,
    wdata_tag,
    wdata_data,
    wb_ready,
    fault_ready,
    done_ready,
    mem_req_ready,
    mem_rsp_valid,
    mem_rsp_id,
    mem_rsp_data,
    mem_rsp_error,
    cfg_bank_write,
    cfg_bank_index,
    cfg_bank_base,
    cfg_bank_size,
    cfg_bank_valid,
    cfg_compute,
    cfg_shared_base,
    cfg_shared_size,
    cfg_local_base,
    cfg_local_size,
    cfg_const_base,
    cfg_const_size,
    cfg_param_base,
    cfg_param_size,
});

places!(OutputPlaces {
    req_ready,
    wdata_ready,
    wb_valid,
    wb_tag,
    wb_rd,
    wb_mask,
    wb_data,
    wb_last,
    fault_valid,
    fault_tag,
    fault_cause,
    fault_lanes,
    fault_addr,
    done_valid,
    done_tag,
    mem_req_valid,
    mem_req_id,
    mem_req_write,
    mem_req_addr,
    mem_req_strb,
    mem_req_data,
    mem_req_l2_evict,
    mem_req_policy_en,
    mem_req_policy,
    mem_req_prefetch,
    mem_req_cop,
    mem_req_sem,
    mem_req_scope,
    mem_rsp_ready,
    cluster_req_valid,
    cluster_rsp_ready,
    status_ldc_unpredictable,
    status_cfg_refused,
    status_wdata_wrong_tag,
    status_idle,
    status_ldc_passes,
    status_ldc_hits,
    status_ldc_misses,
    status_l1_hits,
    status_l1_misses,
    status_ro_hits,
    status_ro_misses,
    status_wavefronts,
    status_replays,
    status_sectors_read,
    status_sectors_written,
    status_stall_order,
    status_stall_misses,
    status_stall_data,
    status_stall_memory,
});

/// The words of one unit's pins.
#[derive(Clone, Debug)]
pub struct PinWords {
    lanes: usize,
    address_bits: u32,
    input: InputPlaces,
    output: OutputPlaces,
    input_words: Vec<u32>,
    output_words: Vec<u32>,
    /// The request that stands in the words.
    request: Request,
    /// The windows that stand in the words.
    windows: Windows,
}

impl PinWords {
    /// The words of `layout`, which has the ports of `preset`.
    ///
    /// # Errors
    /// [`crate::verilator::Error::PortMismatch`] if it has others.
    pub fn new(preset: &Preset, layout: &Layout) -> Result<Self, crate::verilator::Error> {
        Self::with_more(preset, layout, &[])
    }

    /// The words of `layout`, which has the ports of `preset` and the ports `more`, whose words stay 0 unless
    /// [`PinWords::set_input`] says otherwise.
    ///
    /// # Errors
    /// [`crate::verilator::Error::PortMismatch`] if it has others.
    pub fn with_more(preset: &Preset, layout: &Layout, more: &[PortSpec]) -> Result<Self, crate::verilator::Error> {
        let expected = [&ports(preset), more].concat();
        layout.check_matches(&expected)?;
        // The places are a subset of the ports that have just been checked.
        let (Some(input), Some(output)) = (InputPlaces::new(layout), OutputPlaces::new(layout)) else {
            return Err(crate::verilator::Error::PortMismatch { differences: "  a port is missing".to_owned() });
        };
        Ok(Self {
            lanes: preset.lanes,
            address_bits: preset.address_bits,
            input,
            output,
            input_words: vec![0; layout.input_words()],
            output_words: vec![0; layout.output_words()],
            request: Request::default(),
            windows: Windows::default(),
        })
    }

    /// Gives an input of at most 32 bits that the preset does not know its value for every cycle to come.
    pub fn set_input(&mut self, layout: &Layout, port: &str, value: u32) {
        if let Some(port) = layout.port(port) {
            self.input_words[port.word_offset] = value;
        }
    }

    /// The layout of the ports of `preset`, for simulators that have none of their own.
    pub fn standard_layout(preset: &Preset) -> Layout {
        Layout::new(ports(preset))
    }

    /// Both runs of words: what to drive, and where the outputs go.
    pub fn words_mut(&mut self) -> (&[u32], &mut [u32]) {
        (&self.input_words, &mut self.output_words)
    }

    /// The input words as they are.
    pub fn input_words(&self) -> &[u32] {
        &self.input_words
    }

    /// Puts `inputs` into the input words. Payloads are moved only while their `valid` is high.
    pub fn drive(&mut self, inputs: &Inputs) {
        let place = &self.input;
        let words = &mut self.input_words;
        words[place.rst] = inputs.reset.into();
        words[place.wb_ready] = inputs.wb_ready.into();
        words[place.fault_ready] = inputs.fault_ready.into();
        words[place.done_ready] = inputs.done_ready.into();
        words[place.mem_req_ready] = inputs.mem_req_ready.into();
        words[place.cfg_compute] = inputs.compute.into();
        if inputs.windows != self.windows {
            self.windows = inputs.windows;
            let Windows { shared, local, constant, param } = inputs.windows;
            let ports = [
                (place.cfg_shared_base, shared.base),
                (place.cfg_shared_size, shared.size),
                (place.cfg_local_base, local.base),
                (place.cfg_local_size, local.size),
                (place.cfg_const_base, constant.base),
                (place.cfg_const_size, constant.size),
                (place.cfg_param_base, param.base),
                (place.cfg_param_size, param.size),
            ];
            for (port, value) in ports {
                pack(&[value], self.address_bits, &mut words[port..]);
            }
        }
        words[place.mem_rsp_valid] = inputs.mem_rsp_valid.into();
        // The ready of a response depends on its id even without a response.
        words[place.mem_rsp_id] = inputs.mem_rsp.id.into();
        if inputs.mem_rsp_valid {
            words[place.mem_rsp_error] = inputs.mem_rsp.error.into();
            words[place.mem_rsp_data..place.mem_rsp_data + 8].copy_from_slice(&inputs.mem_rsp.data);
        }
        words[place.cfg_bank_write] = inputs.bank_write_valid.into();
        if inputs.bank_write_valid {
            words[place.cfg_bank_index] = inputs.bank_write.index.into();
            words[place.cfg_bank_base] = inputs.bank_write.base as u32;
            if self.address_bits > 32 {
                words[place.cfg_bank_base + 1] = (inputs.bank_write.base >> 32) as u32;
            }
            words[place.cfg_bank_size] = inputs.bank_write.size;
            words[place.cfg_bank_valid] = inputs.bank_write.valid.into();
        }
        words[place.wdata_valid] = inputs.wdata_valid.into();
        if inputs.wdata_valid {
            words[place.wdata_tag] = inputs.wdata_tag.into();
            words[place.wdata_data..place.wdata_data + self.lanes].copy_from_slice(&inputs.wdata[..self.lanes]);
        }
        words[place.req_valid] = inputs.req_valid.into();
        // The ready of a request depends on these two even without a request.
        words[place.req_op] = inputs.req.op.into();
        words[place.req_cmd] = inputs.req.cmd.into();
        if inputs.req_valid && inputs.req != self.request {
            self.drive_request(&inputs.req);
        }
    }

    fn drive_request(&mut self, request: &Request) {
        let place = &self.input;
        let words = &mut self.input_words;
        words[place.req_tag] = request.tag.into();
        words[place.req_op] = request.op.into();
        words[place.req_cmd] = request.cmd.into();
        words[place.req_space] = request.space.into();
        words[place.req_sem] = request.sem.into();
        words[place.req_scope] = request.scope.into();
        words[place.req_cop] = request.cop.into();
        words[place.req_l1_evict] = request.l1_evict.into();
        words[place.req_l2_evict] = request.l2_evict.into();
        words[place.req_prefetch] = request.prefetch.into();
        words[place.req_policy_en] = request.policy_en.into();
        words[place.req_policy] = request.policy as u32;
        words[place.req_policy + 1] = (request.policy >> 32) as u32;
        words[place.req_nc] = request.nc.into();
        words[place.req_size] = request.size.into();
        words[place.req_vec] = request.vec.into();
        words[place.req_sink] = request.sink.into();
        words[place.req_sign] = request.sign.into();
        words[place.req_dst_width] = request.dst_width.into();
        words[place.req_rd] = request.rd.into();
        words[place.req_mask] = request.mask;
        words[place.req_imm] = request.imm;
        words[place.req_bank] = request.bank.into();
        words[place.req_mode] = request.mode.into();
        words[place.req_ra_is_rz] = request.ra_is_rz.into();
        pack(&request.addr[..self.lanes], self.address_bits, &mut words[place.req_addr..]);
        self.request = *request;
    }

    /// Whether the output words say what `expected` says, payloads compared while their `valid` is high.
    pub fn agrees(&self, expected: &Outputs) -> bool {
        let place = &self.output;
        let words = &self.output_words;
        let flag = |place: usize, expected: bool| words[place] == u32::from(expected);
        let handshakes = flag(place.req_ready, expected.req_ready)
            & flag(place.wb_valid, expected.wb_valid)
            & flag(place.fault_valid, expected.fault_valid)
            & flag(place.done_valid, expected.done_valid)
            & flag(place.mem_req_valid, expected.mem_req_valid)
            & flag(place.mem_rsp_ready, expected.mem_rsp_ready)
            & flag(place.wdata_ready, expected.wdata_ready)
            & flag(place.cluster_req_valid, expected.cluster_req_valid)
            & flag(place.cluster_rsp_ready, expected.cluster_rsp_ready);
        let status = flag(place.status_ldc_unpredictable, expected.status.ldc_unpredictable)
            & flag(place.status_cfg_refused, expected.status.cfg_refused)
            & flag(place.status_wdata_wrong_tag, expected.status.wdata_wrong_tag)
            & flag(place.status_idle, expected.status.idle)
            & (words[place.status_ldc_passes] == expected.status.ldc_passes)
            & (words[place.status_ldc_hits] == expected.status.ldc_hits)
            & (words[place.status_ldc_misses] == expected.status.ldc_misses)
            & (words[place.status_l1_hits] == expected.status.l1_hits)
            & (words[place.status_l1_misses] == expected.status.l1_misses)
            & (words[place.status_ro_hits] == expected.status.ro_hits)
            & (words[place.status_ro_misses] == expected.status.ro_misses)
            & (words[place.status_wavefronts] == expected.status.wavefronts)
            & (words[place.status_replays] == expected.status.replays)
            & (words[place.status_sectors_read] == expected.status.sectors_read)
            & (words[place.status_sectors_written] == expected.status.sectors_written)
            & (words[place.status_stall_order] == expected.status.stall_order)
            & (words[place.status_stall_misses] == expected.status.stall_misses)
            & (words[place.status_stall_data] == expected.status.stall_data)
            & (words[place.status_stall_memory] == expected.status.stall_memory);
        if !(handshakes & status) {
            return false;
        }
        if expected.wb_valid {
            let wb = &expected.wb;
            let is_same = words[place.wb_data..place.wb_data + self.lanes] == wb.data[..self.lanes]
                && words[place.wb_tag] == u32::from(wb.tag)
                && words[place.wb_rd] == u32::from(wb.rd)
                && words[place.wb_mask] == wb.mask
                && flag(place.wb_last, wb.last);
            if !is_same {
                return false;
            }
        }
        if expected.done_valid && words[place.done_tag] != u32::from(expected.done_tag) {
            return false;
        }
        if !expected.fault_valid && !expected.mem_req_valid {
            return true;
        }
        // Rarer: by way of the pins.
        let mut found = Outputs::default();
        self.read(&mut found);
        (!expected.fault_valid || found.fault == expected.fault)
            && (!expected.mem_req_valid || found.mem_req == expected.mem_req)
    }

    /// Takes `outputs` out of the output words. Payloads are moved only while their `valid` is high.
    pub fn read(&self, outputs: &mut Outputs) {
        let place = &self.output;
        let words = &self.output_words;
        let flag = |place: usize| words[place] != 0;
        let wide = |place: usize, bits: u32| match bits {
            33.. => u64::from(words[place]) | u64::from(words[place + 1]) << 32,
            _ => u64::from(words[place]),
        };
        outputs.req_ready = flag(place.req_ready);
        outputs.wdata_ready = flag(place.wdata_ready);
        outputs.wb_valid = flag(place.wb_valid);
        outputs.fault_valid = flag(place.fault_valid);
        outputs.done_valid = flag(place.done_valid);
        outputs.mem_req_valid = flag(place.mem_req_valid);
        outputs.mem_rsp_ready = flag(place.mem_rsp_ready);
        outputs.cluster_req_valid = flag(place.cluster_req_valid);
        outputs.cluster_rsp_ready = flag(place.cluster_rsp_ready);
        outputs.status.ldc_unpredictable = flag(place.status_ldc_unpredictable);
        outputs.status.cfg_refused = flag(place.status_cfg_refused);
        outputs.status.wdata_wrong_tag = flag(place.status_wdata_wrong_tag);
        outputs.status.idle = flag(place.status_idle);
        outputs.status.ldc_passes = words[place.status_ldc_passes];
        outputs.status.ldc_hits = words[place.status_ldc_hits];
        outputs.status.ldc_misses = words[place.status_ldc_misses];
        outputs.status.l1_hits = words[place.status_l1_hits];
        outputs.status.l1_misses = words[place.status_l1_misses];
        outputs.status.ro_hits = words[place.status_ro_hits];
        outputs.status.ro_misses = words[place.status_ro_misses];
        outputs.status.wavefronts = words[place.status_wavefronts];
        outputs.status.replays = words[place.status_replays];
        outputs.status.sectors_read = words[place.status_sectors_read];
        outputs.status.sectors_written = words[place.status_sectors_written];
        outputs.status.stall_order = words[place.status_stall_order];
        outputs.status.stall_misses = words[place.status_stall_misses];
        outputs.status.stall_data = words[place.status_stall_data];
        outputs.status.stall_memory = words[place.status_stall_memory];
        if outputs.wb_valid {
            outputs.wb.tag = words[place.wb_tag] as u8;
            outputs.wb.rd = words[place.wb_rd] as u8;
            outputs.wb.mask = words[place.wb_mask];
            outputs.wb.last = flag(place.wb_last);
            outputs.wb.data[..self.lanes].copy_from_slice(&words[place.wb_data..place.wb_data + self.lanes]);
        }
        if outputs.fault_valid {
            outputs.fault.tag = words[place.fault_tag] as u8;
            outputs.fault.cause = words[place.fault_cause] as u8;
            outputs.fault.lanes = words[place.fault_lanes];
            outputs.fault.addr = wide(place.fault_addr, self.address_bits);
        }
        if outputs.done_valid {
            outputs.done_tag = words[place.done_tag] as u8;
        }
        if outputs.mem_req_valid {
            let request = &mut outputs.mem_req;
            request.id = words[place.mem_req_id] as u8;
            request.write = flag(place.mem_req_write);
            request.addr = wide(place.mem_req_addr, self.address_bits);
            request.strb = words[place.mem_req_strb];
            request.data.copy_from_slice(&words[place.mem_req_data..place.mem_req_data + 8]);
            request.l2_evict = words[place.mem_req_l2_evict] as u8;
            request.policy_en = flag(place.mem_req_policy_en);
            request.policy = wide(place.mem_req_policy, 64);
            request.prefetch = words[place.mem_req_prefetch] as u8;
            request.cop = words[place.mem_req_cop] as u8;
            request.sem = words[place.mem_req_sem] as u8;
            request.scope = words[place.mem_req_scope] as u8;
        }
    }
}

/// Packs `values` of `bits` bits each, the first lowest.
fn pack(values: &[u64], bits: u32, words: &mut [u32]) {
    let mask = u64::MAX >> (64 - bits);
    let mut pending = 0_u128;
    let mut filled = 0;
    let mut next = 0;
    for value in values {
        pending |= u128::from(value & mask) << filled;
        filled += bits;
        while filled >= 32 {
            words[next] = pending as u32;
            next += 1;
            pending >>= 32;
            filled -= 32;
        }
    }
    if filled > 0 {
        words[next] = pending as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilator::Direction;
    use lsu_model::preset::{self, WARP32};

    #[test]
    fn packing_keeps_every_bit() {
        let mut words = [0; 49];
        let values: Vec<u64> = (0..32).map(|lane| 0x1_0000_0000_0001 + (lane << 20)).collect();
        pack(&values, 49, &mut words);
        for (lane, value) in values.iter().enumerate() {
            for bit in 0..49 {
                let place = lane * 49 + bit;
                assert_eq!(words[place / 32] >> (place % 32) & 1, (value >> bit) as u32 & 1);
            }
        }
    }

    #[test]
    fn what_a_request_says_reaches_its_port() {
        for preset in preset::ALL {
            let layout = PinWords::standard_layout(&preset);
            let mut words = PinWords::new(&preset, &layout).expect("same ports");
            let mut inputs = Inputs { req_valid: true, mem_rsp_valid: true, ..Inputs::default() };
            inputs.req.tag = 0x5a;
            inputs.req.policy = 0x1122_3344_5566_7788;
            inputs.req.addr[1] = 3;
            inputs.mem_rsp.data[7] = 9;
            inputs.windows.param.size = 1 << (preset.address_bits - 1);
            words.drive(&inputs);
            let word = |name: &str, index: usize| words.input_words[layout.port(name).expect(name).word_offset + index];
            assert_eq!(word("req_tag", 0), 0x5a);
            assert_eq!(word("req_policy", 1), 0x1122_3344);
            assert_eq!(word("req_addr", 1), if preset.address_bits == 32 { 3 } else { 3 << 17 });
            assert_eq!(word("mem_rsp_data", 7), 9);
            let top = preset.address_bits - 1;
            assert_eq!(word("cfg_param_size", top as usize / 32), 1 << (top % 32));
        }
    }

    #[test]
    fn standard_ports_have_both_directions() {
        let all = ports(&WARP32);
        assert!(all.contains(&("req_addr", 32 * 49, Direction::Input)));
        assert!(all.contains(&("wb_data", 1024, Direction::Output)));
    }
}

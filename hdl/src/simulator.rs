//! rust_hdl's own simulation of the unit, stepped by clock cycles.
//!
//! The same description that becomes Verilog runs here without it, slowly (thousands of cycles a second), so
//! that a difference between engines names its culprit: the description, the Verilog writer, or the specification.
//!
//! Pins are two runs of 32-bit words, inputs and outputs. In each, the ports stand in order of their names, least
//! significant word first, each beginning at a new word; `clk` is driven here and stands in neither.

use rust_hdl::prelude::*;
use thiserror::Error;

use crate::lsu::Lsu;
use crate::preset;
use crate::preset::STACK;

/// Updates after which combinational logic counts as looping.
const MAX_UPDATES: usize = 200;

/// Why a cycle could not be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SimulationError {
    /// The logic did not settle: a combinational loop in the description.
    #[error("the rust_hdl simulation did not settle after {MAX_UPDATES} updates: a combinational loop")]
    Unsettled,
}

/// A unit that can be stepped.
pub trait Simulate {
    /// One clock cycle: applies the inputs, settles, samples every output, then passes the rising edge of `clk`.
    ///
    /// # Errors
    /// The logic does not settle.
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError>;

    /// The outputs of a cycle with these inputs, without the edge that ends it: nothing is remembered.
    ///
    /// # Errors
    /// The logic does not settle.
    fn settle(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError>;
}

/// The simulation of a preset's unit; `None` for a name that is no preset.
pub fn simulator(preset: &str) -> Option<Box<dyn Simulate>> {
    match preset {
        "warp32" => Some(preset::warp32()),
        "fpga8" => Some(preset::fpga8()),
        _ => None,
    }
}

/// Reads ports one after the other.
struct Reader<'a> {
    words: &'a [u32],
    bit: usize,
}

impl Reader<'_> {
    fn align(&mut self) {
        self.bit = self.bit.next_multiple_of(32);
    }

    /// The next `width` bits, at most 64.
    fn take(&mut self, width: usize) -> u64 {
        let mut value = 0;
        let mut taken = 0;
        while taken < width {
            let offset = self.bit % 32;
            let count = (32 - offset).min(width - taken);
            let part = u64::from(self.words[self.bit / 32] >> offset) & ((1 << count) - 1);
            value |= part << taken;
            taken += count;
            self.bit += count;
        }
        value
    }
}

/// Writes ports one after the other.
struct Writer<'a> {
    words: &'a mut [u32],
    bit: usize,
}

impl Writer<'_> {
    fn align(&mut self) {
        self.bit = self.bit.next_multiple_of(32);
    }

    /// Appends the low `width` bits of `value`.
    fn put(&mut self, value: u64, width: usize) {
        let mut put = 0;
        while put < width {
            let offset = self.bit % 32;
            let count = (32 - offset).min(width - put);
            let mask = (((1u64 << count) - 1) << offset) as u32;
            let word = &mut self.words[self.bit / 32];
            *word = (*word & !mask) | ((((value >> put) as u32) << offset) & mask);
            put += count;
            self.bit += count;
        }
    }
}

/// An input port, or an array of them.
trait Load {
    fn load(&mut self, reader: &mut Reader);
}

impl Load for Signal<In, Bit> {
    fn load(&mut self, reader: &mut Reader) {
        self.next = reader.take(1) == 1;
    }
}

impl<const N: usize> Load for Signal<In, Bits<N>> {
    fn load(&mut self, reader: &mut Reader) {
        self.next = reader.take(N).into();
    }
}

impl<T: Load, const N: usize> Load for [T; N] {
    fn load(&mut self, reader: &mut Reader) {
        self.iter_mut().for_each(|port| port.load(reader));
    }
}

/// An output port, or an array of them.
trait Store {
    fn store(&self, writer: &mut Writer);
}

impl Store for Signal<Out, Bit> {
    fn store(&self, writer: &mut Writer) {
        writer.put(self.val().into(), 1);
    }
}

impl<const N: usize> Store for Signal<Out, Bits<N>> {
    fn store(&self, writer: &mut Writer) {
        writer.put(self.val().into(), N);
    }
}

impl<T: Store, const N: usize> Store for [T; N] {
    fn store(&self, writer: &mut Writer) {
        self.iter().for_each(|port| port.store(writer));
    }
}

fn settle(unit: &mut impl Block) -> Result<(), SimulationError> {
    stacker::maybe_grow(STACK / 2, STACK, || {
        for _ in 0..MAX_UPDATES {
            unit.update_all();
            if !unit.has_changed() {
                return Ok(());
            }
        }
        Err(SimulationError::Unsettled)
    })
}

impl<
    const LANES: usize,
    const ADDR: usize,
    const WAYS: usize,
    const WAY_BITS: usize,
    const SLOT_BITS: usize,
    const MISSES: usize,
    const ENTRY_BITS: usize,
    const LINE: usize,
    const GLOBAL_MISSES: usize,
    const GLOBAL_ENTRY_BITS: usize,
    const GLOBAL_WAY_BITS: usize,
    const L1_SETS: usize,
    const L1_SET_BITS: usize,
    const L1_WAYS: usize,
    const L1_WAY_BITS: usize,
    const L1_SECTORS: usize,
    const L1_PAIRS: usize,
    const L1_INDEX: usize,
    const RO_SETS: usize,
    const RO_SET_BITS: usize,
    const RO_WAYS: usize,
    const RO_WAY_BITS: usize,
    const RO_SECTORS: usize,
    const RO_PAIRS: usize,
    const RO_INDEX: usize,
> Simulate
    for Lsu<
        LANES,
        ADDR,
        WAYS,
        WAY_BITS,
        SLOT_BITS,
        MISSES,
        ENTRY_BITS,
        LINE,
        GLOBAL_MISSES,
        GLOBAL_ENTRY_BITS,
        GLOBAL_WAY_BITS,
        L1_SETS,
        L1_SET_BITS,
        L1_WAYS,
        L1_WAY_BITS,
        L1_SECTORS,
        L1_PAIRS,
        L1_INDEX,
        RO_SETS,
        RO_SET_BITS,
        RO_WAYS,
        RO_WAY_BITS,
        RO_SECTORS,
        RO_PAIRS,
        RO_INDEX,
    >
{
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError> {
        Simulate::settle(self, inputs, outputs)?;
        self.clk.next = true.into();
        settle(self)
    }

    fn settle(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError> {
        let mut reader = Reader { words: inputs, bit: 0 };
        macro_rules! load {
            ($($port: ident)+) => { $(reader.align(); self.$port.load(&mut reader);)+ };
        }
        load!(
            cfg_bank_base cfg_bank_index cfg_bank_size cfg_bank_valid cfg_bank_write cfg_compute cfg_const_base
            cfg_const_size cfg_local_base cfg_local_size cfg_param_base cfg_param_offset cfg_param_size cfg_rank
            cfg_shared_base cfg_shared_size cluster_req_ready cluster_rsp_data cluster_rsp_error cluster_rsp_id
            cluster_rsp_valid done_ready fault_ready mem_req_ready mem_rsp_data mem_rsp_error mem_rsp_id
            mem_rsp_valid req_addr req_bank req_cmd req_cop req_dst_width req_imm req_l1_evict req_l2_evict
            req_mask req_mode req_nc req_op req_policy req_policy_en req_prefetch req_ra_is_rz req_rd req_scope
            req_sem req_sign req_sink req_size req_space req_tag req_valid req_vec rst wb_ready wdata_data
            wdata_tag wdata_valid
        );
        self.clk.next = false.into();
        settle(self)?;
        let mut writer = Writer { words: outputs, bit: 0 };
        macro_rules! store {
            ($($port: ident)+) => { $(writer.align(); self.$port.store(&mut writer);)+ };
        }
        store!(
            cluster_req_addr cluster_req_cop cluster_req_data cluster_req_id cluster_req_l2_evict
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

//! What the constant loads of a run were like.

use lsu_model::micro_op::{AccessSize, CacheOperator, DestinationWidth, Space};
use lsu_model::pins::Request;
use lsu_model::preset::Preset;
use serde::Serialize;

use super::{add_each, count};

/// Counts of loads of constant memory and of kernel parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConstantLoadCounts {
    /// `ld.const`.
    pub constants: u64,
    /// `ld.param::entry`.
    pub params: u64,
    /// By size code: 8, 16, 32, 64, 128 bits, then those that are no size.
    pub sizes: [u64; AccessSize::CODE_COUNT],
    /// By element count: 1, 2, 4, 8.
    pub vectors: [u64; 4],
    /// By operator: none, ca, cg, cs, lu, cv, wb, wt.
    pub operators: [u64; CacheOperator::CODE_COUNT],
    /// Of elements of at most 32 bits, into registers of 64.
    pub extended: u64,
    /// The same with sign.
    pub extended_signed: u64,
    /// With a sunk element among those that there are.
    pub sinks: u64,
    /// With all elements sunk.
    pub all_sunk: u64,
    /// With an active lane whose register fits no address.
    pub wide: u64,
    /// With no active lane.
    pub without_lanes: u64,
}

impl ConstantLoadCounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.constants += other.constants;
        self.params += other.params;
        add_each(&mut self.sizes, &other.sizes);
        add_each(&mut self.vectors, &other.vectors);
        add_each(&mut self.operators, &other.operators);
        self.extended += other.extended;
        self.extended_signed += other.extended_signed;
        self.sinks += other.sinks;
        self.all_sunk += other.all_sunk;
        self.wide += other.wide;
        self.without_lanes += other.without_lanes;
    }

    pub(super) fn count(&mut self, request: &Request, preset: &Preset) {
        let is_param = Space::on_pin(request.space) == Space::ParamEntry;
        self.params += u64::from(is_param);
        self.constants += u64::from(!is_param);
        count(&mut self.sizes, request.size);
        count(&mut self.vectors, request.vec);
        count(&mut self.operators, request.cop);
        let is_narrow = AccessSize::on_pin(request.size).bytes().is_some_and(|bytes| bytes <= 4);
        let is_extended = is_narrow && request.dst_width == DestinationWidth::Bits64.code();
        self.extended += u64::from(is_extended);
        self.extended_signed += u64::from(is_extended && request.sign);
        let all = (1_u32 << (1 << request.vec)) - 1;
        let sunk = u32::from(request.sink) & all;
        self.sinks += u64::from(sunk != 0);
        self.all_sunk += u64::from(sunk == all);
        self.wide += u64::from(request.wide & request.mask & preset.lane_mask() != 0);
        self.without_lanes += u64::from(request.mask & preset.lane_mask() == 0);
    }
}

//! An operation on its way from acceptance to its last pass: places `intake`, `check` and `issue`.

use super::super::lanes::lanes_where;
use super::super::near::{Comparator, NearMisses};
use super::bank::Banks;
use super::legality::{self, Lanes};
use super::misses::bits;
use super::pass::Pass;
use super::shape::{Kind, Shape};
use super::shared::SharedAddresses;
use crate::pins::{FaultRecord, Inputs, MAX_LANES};
use crate::preset::Preset;

/// An operation.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Operation {
    pub shape: Shape,
    /// It ends with this record and makes no pass.
    pub fault: Option<FaultRecord>,
    /// Lanes that no pass has served yet.
    pub unserved: u32,
    /// Those of them that the next pass serves.
    group: u32,
    /// No pass has left `issue`.
    pub is_whole: bool,
    /// Lanes in shared memory; their addresses are shared ones.
    shared: u32,
    banks: Banks,
    addresses: [u64; MAX_LANES],
}

impl Operation {
    /// What the pins say.
    pub(super) fn decode(&mut self, inputs: &Inputs, preset: &Preset, near: &mut NearMisses) {
        let request = &inputs.req;
        let address_mask = u64::MAX >> (64 - preset.address_bits);
        self.shape = Shape::of(request);
        self.fault = None;
        self.unserved = 0;
        self.group = 0;
        self.shared = 0;
        self.is_whole = true;
        let active = request.mask & preset.lane_mask();
        if active == 0 || matches!(self.shape.kind, Kind::Command(_)) {
            return;
        }

        let immediate = i64::from(request.imm as i32) as u64;
        for (sum, address) in self.addresses.iter_mut().zip(&request.addr) {
            *sum = (address & address_mask).wrapping_add(immediate);
        }
        for lane in bits(active & !request.wide) {
            let operand = request.addr[usize::from(lane)] & address_mask;
            let sum = self.addresses[usize::from(lane)] & address_mask;
            let (less, more) = if immediate >> 63 == 1 { (operand, sum) } else { (sum, operand) };
            near.order(Comparator::AddressRange, less, more);
        }
        legality::near_windows(request, &self.addresses, active, &inputs.windows, preset.address_bits, near);
        let lanes = Lanes::of(request, &self.addresses, active, &inputs.windows, preset);
        lanes.shared.near_limit(&self.addresses, near);
        let fault =
            legality::fault(request, &self.shape, &self.addresses, &lanes, &inputs.windows, preset.address_bits);
        if let Some((cause, lanes)) = fault {
            let lowest = lanes.trailing_zeros() as usize % MAX_LANES;
            let addr = self.addresses[lowest] & address_mask;
            self.fault = Some(FaultRecord { tag: request.tag, cause: cause.code(), lanes, addr });
            return;
        }
        let all_elements = (1_u32 << (1 << request.vec)) - 1;
        let all_sunk = self.shape.is_load() && u32::from(request.sink) & all_elements == all_elements;
        if !all_sunk {
            self.unserved = active;
            if lanes.shared.lanes != 0 {
                self.shared = lanes.shared.lanes;
                self.banks = Banks::new(u32::from(self.shape.element_bytes) << request.vec, preset.lanes);
                for lane in bits(self.shared) {
                    let address = &mut self.addresses[usize::from(lane)];
                    *address = lanes.shared.address(*address);
                }
            }
            self.group = self.next_group();
        }
    }

    /// Whether the next pass is the last one.
    pub(super) fn is_on_last_pass(&self) -> bool {
        self.unserved == self.group
    }

    /// Passes that are still to be issued.
    pub(super) fn passes_left(&self) -> u32 {
        if self.fault.is_some() || matches!(self.shape.kind, Kind::Command(_)) {
            return 0;
        }
        let mut rest = Self { addresses: self.addresses, ..*self };
        let mut passes = 0;
        while rest.unserved != 0 {
            rest.unserved &= !rest.next_group();
            passes += 1;
        }
        passes.max(u32::from(self.is_whole))
    }

    /// Rule PASS: the lanes that the next pass serves.
    fn next_group(&self) -> u32 {
        if self.unserved == 0 {
            return 0;
        }
        let leader = self.unserved.trailing_zeros();
        if self.shape.mmio {
            return 1 << leader;
        }
        if self.shared >> leader & 1 == 1 {
            return self.banks.group(&self.addresses, self.unserved & self.shared);
        }
        let shared_bits = if self.shape.is_store() { 5 } else { 7 };
        let wanted = self.addresses[leader as usize] >> shared_bits;
        lanes_where(&self.addresses, |address| address >> shared_bits == wanted) & self.unserved & !self.shared
    }

    /// Whether the next pass is a shared one.
    pub(super) fn is_on_shared_pass(&self) -> bool {
        self.group & self.shared != 0
    }

    /// Words of each lane of a shared pass.
    pub(super) fn shared_words(&self) -> u32 {
        self.banks.words()
    }

    /// The shared addresses of a shared pass.
    pub(super) fn shared_addresses(&self) -> SharedAddresses {
        self.addresses.map(|address| address as u32)
    }

    /// Takes note of the lanes that the next pass nearly serves too.
    pub(super) fn near_lanes(&self, near: &mut NearMisses) {
        if self.shape.mmio || self.is_on_last_pass() {
            return;
        }
        let (leader, left) = (self.group.trailing_zeros() as usize % MAX_LANES, self.unserved & !self.group);
        if self.is_on_shared_pass() {
            self.banks.near_lanes(&self.addresses, leader, left & self.shared, near);
            return;
        }
        let (comparator, shared_bits) =
            if self.shape.is_store() { (Comparator::StoreLanes, 5) } else { (Comparator::LoadLanes, 7) };
        let leader = self.addresses[leader] >> shared_bits;
        for lane in bits(left & !self.shared) {
            near.equality(comparator, self.addresses[usize::from(lane)] >> shared_bits, leader);
        }
    }

    /// Issues the next pass.
    pub(super) fn issue(&mut self, pass: &mut Pass) {
        let leader = self.group.trailing_zeros() as usize % MAX_LANES;
        pass.shape = self.shape;
        pass.lanes = self.group;
        pass.shared = self.is_on_shared_pass();
        // Without lanes, or of a shared pass, the line means nothing.
        pass.line = self.addresses[leader] >> 7;
        pass.offsets = self.addresses.map(|address| (address & 127) as u8);
        self.unserved &= !self.group;
        self.is_whole = false;
        self.group = self.next_group();
    }
}

//! An operation on its way from acceptance to its last pass: places `intake`, `check` and `issue`.

use super::super::constant::BankTable;
use super::super::lanes::{bits, lanes_where};
use super::super::near::{Comparator, NearMisses};
use super::bank::Banks;
use super::legality::{self, Lanes};
use super::line::{Line, Memory};
use super::local::LocalWords;
use super::pass::Pass;
use super::shape::{Kind, Shape};
use super::shared::SharedAddresses;
use super::window_lanes::WindowLanes;
use crate::pins::{FaultRecord, Inputs, MAX_LANES, WORD_BYTES};
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
    pub(super) group: u32,
    /// No pass has left `issue`.
    pub is_whole: bool,
    /// Lanes in shared memory; their addresses are shared ones.
    pub(super) shared: u32,
    banks: Banks,
    /// Lanes in shared memory of other CTAs. No lane of their operation lies in global or in local memory.
    pub(super) remote: u32,
    /// Lanes in local memory; their addresses are places in it, those of their words 0.
    pub(super) local: u32,
    words: LocalWords,
    /// Lanes that read a constant bank; their addresses are those in memory.
    pub(super) windowed: u32,
    /// The word that the next pass serves, if its lanes are local ones.
    word: u8,
    /// What the passes of local lanes go on as, and by word whether all its elements are sunk.
    local_shape: Shape,
    sunk_words: u8,
    addresses: [u64; MAX_LANES],
}

impl Operation {
    /// What the pins say, and the banks of `table` where lanes read these.
    pub(super) fn decode(&mut self, inputs: &Inputs, table: &BankTable, preset: &Preset, near: &mut NearMisses) {
        let request = &inputs.req;
        let address_mask = preset.address_mask();
        self.shape = Shape::of(request);
        self.fault = None;
        self.unserved = 0;
        self.group = 0;
        self.shared = 0;
        self.remote = 0;
        self.local = 0;
        self.windowed = 0;
        self.word = 0;
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
        legality::near_windows(request, &self.addresses, active, &inputs.windows, preset, near);
        let lanes = Lanes::of(inputs, &self.addresses, active, table, preset);
        lanes.shared.window.near_limit(&self.addresses, Comparator::SharedLimit, near);
        lanes.local.near_limit(&self.addresses, Comparator::LocalLimit, near);
        lanes.remote.near_limit(&self.addresses, Comparator::ClusterLimit, near);
        if legality::reads_windows(request, &self.shape) {
            lanes.windowed.near_limit(&self.addresses, near);
        }
        legality::near_ranks(request, &self.addresses, &lanes, &inputs.windows, near);
        if let Some((cause, lanes)) = legality::fault(request, &self.shape, &self.addresses, &lanes) {
            let lowest = lanes.trailing_zeros() as usize % MAX_LANES;
            let addr = self.addresses[lowest] & address_mask;
            self.fault = Some(FaultRecord { tag: request.tag, cause: cause.code(), lanes, addr });
            return;
        }
        let all_elements = (1_u32 << (1 << request.vec)) - 1;
        let all_sunk = self.shape.is_load() && u32::from(request.sink) & all_elements == all_elements;
        if !all_sunk {
            self.unserved = active;
            if lanes.shared.window.lanes != 0 {
                self.shared = lanes.shared.window.lanes;
                self.banks = Banks::new(u32::from(self.shape.element_bytes) << request.vec, preset.lanes);
                for lane in bits(self.shared) {
                    let address = &mut self.addresses[usize::from(lane)];
                    *address = lanes.shared.address(*address);
                }
            }
            if lanes.remote.lanes != 0 {
                self.remote = lanes.remote.lanes;
                self.shape = self.shape.of_remote();
            }
            if lanes.local.lanes != 0 {
                self.place_local(inputs, &lanes.local, preset);
            }
            self.windowed = lanes.windowed.lanes;
            for lane in bits(self.windowed) {
                let address = &mut self.addresses[usize::from(lane)];
                *address = lanes.windowed.address(lane, *address);
            }
            self.group = self.next_group();
        }
    }

    /// Rule LOCAL: the words of the local lanes.
    fn place_local(&mut self, inputs: &Inputs, lanes: &WindowLanes, preset: &Preset) {
        let request = &inputs.req;
        let total = u32::from(self.shape.element_bytes) << request.vec;
        self.local = lanes.lanes;
        self.words = LocalWords::new(total, &inputs.windows, preset);
        self.local_shape = self.shape.of_local(request, self.words.count);
        for lane in bits(self.local) {
            let address = &mut self.addresses[usize::from(lane)];
            *address = self.words.place(lanes, *address, request.warp, lane, preset);
        }
        self.sunk_words = 0;
        if self.shape.is_load() {
            let bytes = u32::from(self.shape.element_bytes);
            for word in 0..u32::from(self.words.count) {
                let first = word * WORD_BYTES / bytes;
                let last = ((word + 1) * WORD_BYTES).min(total).div_ceil(bytes);
                let is_sunk = (first..last).all(|element| request.sink >> element & 1 == 1);
                self.sunk_words |= u8::from(is_sunk) << word;
            }
        }
    }

    /// Whether the next pass is the last one.
    pub(super) fn is_on_last_pass(&self) -> bool {
        self.unserved == self.group && self.is_on_last_word()
    }

    /// Whether the next pass serves its lanes for the last time.
    fn is_on_last_word(&self) -> bool {
        !self.is_on_local_pass() || self.word + 1 == self.words.count
    }

    /// Whether the next pass is a local one.
    fn is_on_local_pass(&self) -> bool {
        self.group & self.local != 0
    }

    /// Passes that are still to be issued.
    pub(super) fn passes_left(&self) -> u32 {
        if self.fault.is_some() || matches!(self.shape.kind, Kind::Command(_)) {
            return 0;
        }
        let mut rest = Self { addresses: self.addresses, ..*self };
        let mut passes = 0;
        while rest.unserved != 0 {
            let group = rest.next_group();
            rest.unserved &= !group;
            passes += if group & rest.local != 0 { u32::from(rest.words.count) } else { 1 };
        }
        // Of the group on its way some words have been served.
        passes -= u32::from(self.word);
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
        let alike = if self.local >> leader & 1 == 1 { self.local } else { !(self.shared | self.local) };
        lanes_where(&self.addresses, |address| address >> shared_bits == wanted) & self.unserved & alike
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
        let alike = if self.is_on_local_pass() { self.local } else { !(self.shared | self.local) };
        let leader = self.addresses[leader] >> shared_bits;
        for lane in bits(left & alike) {
            near.equality(comparator, self.addresses[usize::from(lane)] >> shared_bits, leader);
        }
    }

    /// Issues the next pass.
    pub(super) fn issue(&mut self, pass: &mut Pass) {
        let leader = self.group.trailing_zeros() as usize % MAX_LANES;
        pass.shape = self.shape;
        pass.lanes = self.group;
        pass.shared = self.is_on_shared_pass();
        pass.word = 0;
        let memory = if self.group & self.remote != 0 { Memory::Remote } else { Memory::Global };
        pass.line = Line { memory, number: self.addresses[leader] >> 7 };
        if self.is_on_local_pass() {
            self.issue_local(pass, leader);
        } else {
            pass.offsets = self.addresses.map(|address| (address & 127) as u8);
        }
        self.is_whole = false;
        if self.is_on_last_word() {
            self.unserved &= !self.group;
            self.word = 0;
            self.group = self.next_group();
        } else {
            self.word += 1;
        }
    }

    /// Rule PASS: what the pass of a local group's next word is besides.
    fn issue_local(&self, pass: &mut Pass, leader: usize) {
        let (words, word) = (&self.words, self.word);
        pass.shape = self.local_shape;
        pass.word = word;
        pass.line = Line { memory: Memory::Local, number: words.address(self.addresses[leader], word) >> 7 };
        pass.offsets = self.addresses.map(|place| (words.address(place, word) & 127) as u8);
        if self.sunk_words >> word & 1 == 1 {
            pass.lanes = 0;
        }
    }
}

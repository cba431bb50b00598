//! What a load, store or command of the global path must do, by the architecture alone.
//!
//! Sums are exact signed numbers.

use super::super::expectation::{Fault, access_bytes};
use super::super::lanes::lanes_of;
use super::CLUSTER_OFFSET_BITS;
use super::window::{Constant, Constants};
use crate::micro_op::{
    AccessSize, CacheOperator, Command, DestinationWidth, L2Eviction, OpKind, Scope, Semantics, Space,
};
use crate::pins::{FaultCause, MAX_LANES, MemoryRequest, RZ, Request, Window, Windows};
use crate::preset::Preset;

/// Offsets that an address of a cluster's shared memory can have in each CTA's window.
const CLUSTER_OFFSETS: u64 = 1 << CLUSTER_OFFSET_BITS;

/// What the operation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Load,
    Store,
    Command(Command),
}

/// The verdict on an operation, and what follows from its qualifiers. What is asked of each operation in turn stands first.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Expectation {
    pub kind: Kind,
    /// Slot of the warp.
    pub warp: u8,
    /// The lanes that do not access shared memory access that of other CTAs.
    pub is_remote: bool,
    /// A store before which everything earlier of its warp is done.
    pub release: bool,
    /// When it completes, L1 is empty, if it has a lane that is not local.
    pub acquire: bool,
    pub mmio: bool,
    pub nc: bool,
    /// Its value comes from the memory side, not from a cache. (Not that of local lanes.)
    pub from_memory: bool,
    /// It takes what it reads out of L1. (Not what local lanes read.)
    pub drops: bool,
    /// A load after which what it has read of local memory need not be kept.
    pub is_last_use: bool,
    pub rd: u8,
    sink: u8,
    pub sign: bool,
    /// Every second register holds only the sign of the one before it.
    pub extended: bool,
    /// Lanes that access memory.
    pub lanes: u32,
    /// Those of them that access shared memory.
    pub shared: u32,
    /// Those of them that access the local memory of their threads.
    pub local: u32,
    /// It must end with this record and do nothing else.
    pub fault: Option<Fault>,
    /// What the lanes access in memory, which is nothing for shared ones, and where each lane's ends.
    parts: Vec<Part>,
    parts_end: [u8; MAX_LANES],
    /// Bytes of an element, and how many of them; of no use without lanes.
    pub element_bytes: u64,
    pub elements: u64,
    /// Destination registers, or registers of store data.
    pub registers: u64,
    /// Registers of one element.
    pub element_registers: u64,
    local_map: LocalMap,
    /// `mem_req_*` beside address and data.
    attributes: MemoryRequest,
    /// The same of what local lanes ask for.
    local_attributes: MemoryRequest,
    /// By lane; of one in a window of constants or of parameters where that leads.
    pub addresses: [u64; MAX_LANES],
    /// By shared lane: where its bytes begin in shared memory. By local lane: at which byte of its thread's local memory.
    places: [u64; MAX_LANES],
}

/// Bytes that a lane accesses and that lie side by side in memory: all of a global lane's, one word of a local lane's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub lane: u32,
    /// Which word of the access, of a local lane; none of a global one.
    pub word: Option<u64>,
    /// The byte of the access with which it begins.
    first: u64,
    pub address: u64,
    bytes: u64,
}

impl Part {
    pub(super) fn sector(&self) -> u64 {
        self.address / 32 * 32
    }

    pub(super) fn line(&self) -> u64 {
        self.address / 128
    }

    /// Its bytes in its sector.
    pub(super) fn strobes(&self) -> u32 {
        (((1_u64 << self.bytes) - 1) as u32) << (self.address % 32)
    }

    /// Which byte of the access lies at `address`, if one does.
    pub(super) fn byte_at(&self, address: u64) -> Option<u64> {
        let at = address.wrapping_sub(self.address);
        (at < self.bytes).then(|| self.first + at)
    }
}

/// Where the local memory of the threads of a warp lies: their words side by side, and as far apart as all threads of the unit need.
#[derive(Clone, Copy, Debug, Default)]
struct LocalMap {
    base: u64,
    /// Where the words of the warp's lane 0 begin, and how far it is from one of its words to the next.
    slot_first: u64,
    word_pitch: u64,
    end: u64,
}

impl LocalMap {
    fn of(request: &Request, preset: &Preset, windows: &Windows) -> Self {
        let [lanes, slots] = [preset.lanes, preset.warps].map(|count| count as u64);
        let end = 1_u64 << preset.address_bits;
        Self {
            base: windows.local_memory % end / 128 * 128,
            slot_first: u64::from(request.warp) % slots * lanes * 4,
            word_pitch: slots * lanes * 4,
            end,
        }
    }

    /// The address of byte `offset` of the local memory of the thread in `lane`.
    fn address(&self, lane: u32, offset: u64) -> u64 {
        let place = offset / 4 * self.word_pitch + self.slot_first + u64::from(lane) * 4 + offset % 4;
        (self.base ^ place) % self.end
    }

    /// Bytes that each thread has, if `size` stands on the pin.
    fn bytes(&self, size: u64) -> u64 {
        let most = self.end / (self.word_pitch / 4);
        size % most / 16 * 16
    }
}

/// Registers of one element, as a destination or as store data.
fn registers_of_element(request: &Request, kind: Kind) -> u64 {
    match AccessSize::on_pin(request.size) {
        AccessSize::Bits8 | AccessSize::Bits16 | AccessSize::Bits32 if kind == Kind::Load => {
            1 + u64::from(is_extended(request))
        }
        AccessSize::Bits8 | AccessSize::Bits16 | AccessSize::Bits32 => 1,
        AccessSize::Bits64 => 2,
        AccessSize::Bits128 | AccessSize::Invalid5 | AccessSize::Invalid6 | AccessSize::Invalid7 => 4,
    }
}

/// Whether a loaded element of at most 32 bits fills a register more.
fn is_extended(request: &Request) -> bool {
    access_bytes(request.size).is_some_and(|bytes| bytes <= 4)
        && match DestinationWidth::on_pin(request.dst_width) {
            Some(DestinationWidth::Bits64) => true,
            Some(DestinationWidth::Bits16 | DestinationWidth::Bits32) | None => false,
        }
}

/// The three kinds of access that differ in what they may say.
#[derive(Clone, Copy)]
enum Access {
    Load,
    NonCoherentLoad,
    Store,
}

/// Whether a kind of access may have this operator.
fn takes_operator(access: Access, operator: CacheOperator) -> bool {
    use CacheOperator::{Ca, Cg, Cs, Cv, Default, Lu, Wb, Wt};
    match access {
        Access::Load => match operator {
            Default | Ca | Cg | Cs | Lu | Cv => true,
            Wb | Wt => false,
        },
        Access::NonCoherentLoad => match operator {
            Default | Ca | Cg | Cs => true,
            Lu | Cv | Wb | Wt => false,
        },
        Access::Store => match operator {
            Default | Cg | Cs | Wb | Wt => true,
            Ca | Lu | Cv => false,
        },
    }
}

/// Whether a kind of access may have these semantics: a load does not release, a store does not acquire.
fn takes_semantics(access: Access, semantics: Semantics) -> bool {
    use Semantics::{Acquire, Mmio, MmioAcquire, MmioRelease, Relaxed, Release, Volatile, Weak};
    match (semantics, access) {
        (Weak, _) => true,
        (_, Access::NonCoherentLoad) => false,
        (Relaxed | Volatile | Mmio, Access::Load | Access::Store) => true,
        (Acquire | MmioAcquire, Access::Load) | (Release | MmioRelease, Access::Store) => true,
        (Acquire | MmioAcquire, Access::Store) | (Release | MmioRelease, Access::Load) => false,
    }
}

/// Whether the qualifiers and the size rule the operation out, whatever its addresses.
fn is_illegal(request: &Request, kind: Kind) -> bool {
    let access = match (kind, request.nc) {
        (Kind::Load, false) => Access::Load,
        (Kind::Load, true) => Access::NonCoherentLoad,
        (Kind::Store, false) => Access::Store,
        (Kind::Store, true) | (Kind::Command(_), _) => return true,
    };
    let semantics = Semantics::on_pin(request.sem);
    let elements = 1 << request.vec;
    let is_small = access_bytes(request.size).is_some_and(|bytes| bytes * elements <= 32);
    let is_single = elements == 1 || !is_mmio(semantics);
    let is_served = match Space::on_pin(request.space) {
        Space::Generic | Space::Global => true,
        Space::Shared | Space::SharedCluster | Space::Local | Space::ParamFunc => may_be_elsewhere(request),
        Space::Const | Space::ParamEntry => false,
    };
    let may = takes_operator(access, CacheOperator::on_pin(request.cop)) && takes_semantics(access, semantics);
    !(may && is_small && is_single && is_served)
}

/// Whether shared and local memory, and generic addresses in any window, serve such an access: neither the read-only cache's, nor
/// mmio, nor 32 bytes a lane.
fn may_be_elsewhere(request: &Request) -> bool {
    let bytes = access_bytes(request.size).map(|bytes| bytes << request.vec);
    !request.nc && !is_mmio(Semantics::on_pin(request.sem)) && bytes != Some(32)
}

/// The CTA's part of shared memory.
struct CtaWindow {
    first: u64,
    bytes: u64,
}

impl CtaWindow {
    fn of(request: &Request, preset: &Preset) -> Self {
        let all = preset.shared_bytes as u64;
        // A pin holds numbers below twice the bytes, and counts in steps of 16 bytes.
        let [first, size] = [request.shared_base, request.shared_size].map(|pin| u64::from(pin) % (2 * all) / 16 * 16);
        Self { first, bytes: size.min(all.saturating_sub(first)) }
    }

    /// Where the byte at `offset` lies, if it is inside.
    fn place(&self, offset: u64) -> Option<u64> {
        (offset < self.bytes).then(|| self.first + offset)
    }
}

fn is_mmio(semantics: Semantics) -> bool {
    match semantics {
        Semantics::Weak | Semantics::Relaxed | Semantics::Acquire | Semantics::Release | Semantics::Volatile => false,
        Semantics::Mmio | Semantics::MmioAcquire | Semantics::MmioRelease => true,
    }
}

/// Whether a load is served by the memory side alone.
fn is_strong(semantics: Semantics, is_wide_scope: bool) -> bool {
    match semantics {
        Semantics::Weak | Semantics::Release => false,
        Semantics::Relaxed | Semantics::Acquire => is_wide_scope,
        Semantics::Volatile | Semantics::Mmio | Semantics::MmioAcquire | Semantics::MmioRelease => true,
    }
}

/// Whether a load empties L1 when it completes.
fn acquires(semantics: Semantics, is_wide_scope: bool) -> bool {
    match semantics {
        Semantics::Acquire => is_wide_scope,
        Semantics::MmioAcquire => true,
        Semantics::Weak | Semantics::Relaxed | Semantics::Release | Semantics::Volatile => false,
        Semantics::Mmio | Semantics::MmioRelease => false,
    }
}

/// Whether `address` is in the window, in a space of `top` addresses.
fn is_in(window: &Window, address: u64, top: u64) -> bool {
    address.wrapping_sub(window.base) % top < window.size % top
}

impl Expectation {
    /// That of `request`, in the place of one that has room for parts.
    pub(super) fn of(
        request: &Request,
        preset: &Preset,
        windows: &Windows,
        constants: &Constants<'_>,
        room: &mut Self,
    ) -> Self {
        let parts = emptied(&mut room.parts);
        let kind = match OpKind::on_pin(request.op) {
            OpKind::Load => Kind::Load,
            OpKind::Store => Kind::Store,
            // LDC is judged elsewhere.
            OpKind::Command | OpKind::Ldc => Kind::Command(Command::on_pin(request.cmd)),
        };
        let elements = 1 << request.vec;
        let element_registers = registers_of_element(request, kind);
        let is_load = kind == Kind::Load;
        let is_store = kind == Kind::Store;
        let semantics = Semantics::on_pin(request.sem);
        let is_wide_scope = match Scope::on_pin(request.scope) {
            Scope::Cta => false,
            Scope::Cluster | Scope::Gpu | Scope::Sys => true,
        };
        let strong = is_strong(semantics, is_wide_scope);
        let (around_l1, afresh, evicts_first) = match CacheOperator::on_pin(request.cop) {
            CacheOperator::Default | CacheOperator::Ca | CacheOperator::Wb | CacheOperator::Wt => (false, false, false),
            CacheOperator::Cg => (true, false, false),
            CacheOperator::Cs | CacheOperator::Lu => (false, false, true),
            CacheOperator::Cv => (true, true, false),
        };
        let attributes = MemoryRequest {
            l2_evict: if evicts_first { L2Eviction::First.code() } else { request.l2_evict },
            policy_en: request.policy_en,
            policy: request.policy,
            prefetch: request.prefetch,
            cop: request.cop,
            sem: request.sem,
            scope: request.scope,
            ..MemoryRequest::default()
        };
        // Nobody else sees local memory: what is said of others means nothing there.
        let local_operator = if evicts_first { request.cop } else { CacheOperator::Default.code() };
        let local_attributes = MemoryRequest { cop: local_operator, sem: Semantics::Weak.code(), ..attributes };
        let mut expectation = Self {
            kind,
            fault: None,
            lanes: 0,
            shared: 0,
            is_remote: false,
            local: 0,
            addresses: [0; MAX_LANES],
            places: [0; MAX_LANES],
            local_map: LocalMap::of(request, preset, windows),
            parts,
            parts_end: [0; MAX_LANES],
            // The largest where there is none: an illegal operation.
            element_bytes: access_bytes(request.size).unwrap_or(16),
            elements,
            registers: if is_load || is_store { elements * element_registers } else { 0 },
            element_registers,
            rd: request.rd,
            sink: request.sink,
            sign: request.sign,
            extended: is_load && is_extended(request),
            mmio: is_mmio(semantics),
            nc: is_load && request.nc,
            from_memory: is_load && (strong || around_l1),
            drops: is_load && (strong || afresh),
            is_last_use: is_load && evicts_first,
            warp: request.warp,
            acquire: is_load && acquires(semantics, is_wide_scope),
            release: is_store && matches!(semantics, Semantics::Release | Semantics::MmioRelease),
            attributes,
            local_attributes,
        };
        let active = request.mask & preset.lane_mask();
        if active == 0 || matches!(kind, Kind::Command(_)) {
            return expectation;
        }
        expectation.place(request, preset, windows, constants, active);
        expectation
    }

    /// Addresses, fault and lanes.
    fn place(&mut self, request: &Request, preset: &Preset, windows: &Windows, constants: &Constants<'_>, active: u32) {
        let top = 1_u64 << preset.address_bits;
        let space = Space::on_pin(request.space);
        let cta_window = CtaWindow::of(request, preset);
        let Windows { shared, local, .. } = windows;
        let shared = Window { base: shared.base / 16 * 16, ..*shared };
        let local = Window { base: local.base / 16 * 16, size: self.local_map.bytes(local.size) };
        let (mut shared_lanes, mut local_lanes, mut refused, mut misaligned, mut outside) = (0, 0, 0, 0, 0);
        let mut constant_addresses = [None; MAX_LANES];
        for lane in (0..MAX_LANES).filter(|lane| active >> lane & 1 == 1) {
            // Addresses have fewer bits than a signed number of 64, and so has their sum.
            let sum = (request.addr[lane] % top) as i64 + i64::from(request.imm as i32);
            let address = sum as u64 % top;
            self.addresses[lane] = address;
            let is_outside = request.wide >> lane & 1 == 1 || !(0..top as i64).contains(&sum);
            misaligned |= u32::from(!(sum as u64).is_multiple_of(self.bytes())) << lane;
            if is_outside {
                outside |= 1 << lane;
                continue;
            }
            if space == Space::SharedCluster {
                // Eight bits of rank above the offset, and none above these.
                let (offset, rest) = (address % CLUSTER_OFFSETS, address / CLUSTER_OFFSETS);
                let place = cta_window.place(offset).filter(|_| rest < 256);
                outside |= u32::from(place.is_none()) << lane;
                if rest % 256 == u64::from(windows.rank) {
                    self.places[lane] = place.unwrap_or(0);
                    shared_lanes |= 1 << lane;
                }
                continue;
            }
            let is_generic = space == Space::Generic;
            let offset_in = |window: &Window| {
                let origin = if is_generic { window.base } else { 0 };
                address.wrapping_sub(origin) % top
            };
            let is_shared = space == Space::Shared || is_generic && is_in(&shared, address, top);
            let is_local = !is_shared
                && (matches!(space, Space::Local | Space::ParamFunc) || is_generic && is_in(&local, address, top));
            if is_shared {
                match cta_window.place(offset_in(&shared)) {
                    Some(place) => self.places[lane] = place,
                    None => outside |= 1 << lane,
                }
                shared_lanes |= 1 << lane;
            } else if is_local {
                let offset = offset_in(&local);
                self.places[lane] = offset;
                outside |= u32::from(offset >= local.size) << lane;
                local_lanes |= 1 << lane;
            } else if is_generic {
                let found = constants.find(windows, address, 1 << preset.address_bits);
                let is_read = self.kind == Kind::Load && may_be_elsewhere(request);
                refused |= u32::from(found.is_some() && !is_read) << lane;
                match found {
                    Some(Constant::At(address)) => constant_addresses[lane] = Some(address),
                    Some(Constant::Nowhere) => outside |= 1 << lane,
                    None => {}
                }
            }
            refused |= u32::from((is_shared || is_local) && !may_be_elsewhere(request)) << lane;
        }
        let last = u64::from(self.rd) + self.registers - 1;
        let is_load = self.kind == Kind::Load;
        let register_is_bad = !u64::from(self.rd).is_multiple_of(self.registers.min(4)) || last > 254;
        let all_if = |condition: bool| if condition { active } else { 0 };
        // In the order of precedence.
        let faults = [
            (FaultCause::MisalignedRegister, all_if(is_load && self.rd != RZ && self.registers > 1 && register_is_bad)),
            (FaultCause::IllegalInstruction, all_if(is_illegal(request, self.kind))),
            (FaultCause::IllegalInstruction, refused),
            (FaultCause::MisalignedAddress, misaligned),
            (FaultCause::AddressOutOfRange, outside),
        ];
        if let Some((cause, lanes)) = faults.into_iter().find(|(_, lanes)| *lanes != 0) {
            let address = self.addresses[lanes.trailing_zeros() as usize];
            self.fault = Some(Fault { cause, lanes, address });
            return;
        }
        // What has no fault goes on as if it had named these addresses itself.
        for (address, found) in self.addresses.iter_mut().zip(constant_addresses) {
            *address = found.unwrap_or(*address);
        }
        let is_sunk = is_load && (0..self.elements).all(|element| self.sink >> element & 1 == 1);
        self.lanes = if is_sunk { 0 } else { active };
        self.shared = self.lanes & shared_lanes;
        self.local = self.lanes & local_lanes;
        self.is_remote = space == Space::SharedCluster;
        // Nothing of another CTA's shared memory lies in a cache.
        self.from_memory |= self.is_remote && is_load;
        self.drops &= !self.is_remote;
        for lane in 0..MAX_LANES as u32 {
            self.access(lane);
            self.parts_end[lane as usize] = self.parts.len() as u8;
        }
    }

    /// Lanes an acquire in which empties L1: local memory has nobody to acquire from.
    pub(super) fn acquires_in(&self) -> u32 {
        self.lanes & !self.local
    }

    /// Lanes that access global memory, or shared memory of other CTAs.
    pub(super) fn global(&self) -> u32 {
        self.lanes & !(self.shared | self.local)
    }

    /// Words that a local lane's access takes.
    fn local_words(&self) -> u64 {
        self.bytes().div_ceil(4)
    }

    /// Whether word `word` of a local lane's access is looked at: not if a load sinks all that lies in it.
    fn is_wanted(&self, word: u64) -> bool {
        let mut elements = (0..self.elements).filter(|element| {
            let (first, last) = (element * self.element_bytes, (element + 1) * self.element_bytes - 1);
            first / 4 <= word && word <= last / 4
        });
        self.kind != Kind::Load || elements.any(|element| self.sink >> element & 1 == 0)
    }

    /// Adds the parts of a lane's access.
    fn access(&mut self, lane: u32) {
        let (address, place) = (self.addresses[lane as usize], self.places[lane as usize]);
        let bytes = self.bytes();
        if self.global() >> lane & 1 == 1 {
            self.parts.push(Part { lane, word: None, first: 0, address, bytes });
        } else if self.local >> lane & 1 == 1 {
            for word in 0..self.local_words() {
                if self.is_wanted(word) {
                    let address = self.local_map.address(lane, place + 4 * word);
                    self.parts.push(Part { lane, word: Some(word), first: 4 * word, address, bytes: bytes.min(4) });
                }
            }
        }
    }

    /// What the lane accesses in memory; nothing if it is a shared one.
    pub(super) fn parts_of(&self, lane: u32) -> &[Part] {
        let lane = lane as usize % MAX_LANES;
        let begin = lane.checked_sub(1).map_or(0, |before| self.parts_end[before]);
        &self.parts[usize::from(begin)..usize::from(self.parts_end[lane])]
    }

    /// What all lanes access in memory.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The word of a local lane's access in which `register` lies, its sign too; none of another lane.
    pub(super) fn word_of(&self, lane: u32, register: u64) -> Option<u64> {
        let lower = if self.extended { register / 2 * 2 } else { register };
        (self.local >> lane & 1 == 1).then(|| self.offset(lower) / 4)
    }

    /// Where a shared lane's bytes begin in shared memory.
    pub(super) fn place_of(&self, lane: u32) -> u64 {
        self.places[lane as usize % MAX_LANES]
    }

    /// Whether a register of the destination is written at all.
    pub(super) fn writes(&self, register: u64) -> bool {
        let element = register / self.element_registers;
        self.rd != RZ && (element >= 8 || self.sink >> element & 1 == 0)
    }

    /// Bytes of one element in one register.
    pub(super) fn part(&self) -> u64 {
        self.element_bytes.min(4)
    }

    /// Where the bytes of `register` begin, counted from the lane's address. Not for the upper register of an extended
    /// element.
    pub(super) fn offset(&self, register: u64) -> u64 {
        let element = register / self.element_registers;
        element * self.element_bytes + 4 * (register % self.element_registers)
    }

    /// Bytes that a lane accesses.
    pub(super) fn bytes(&self) -> u64 {
        self.element_bytes * self.elements
    }

    /// The words of local lanes, and none for global ones, for which this sector is asked for, that of the lowest lane first.
    pub(super) fn words_in(&self, sector: u64) -> impl Iterator<Item = Option<u64>> {
        let mut seen = 0_u32;
        let words = self.parts.iter().filter(move |part| part.sector() == sector).map(|part| part.word);
        words.filter(move |word| {
            let bit = 1 << word.map_or(0, |word| word + 1);
            let is_new = seen & bit == 0;
            seen |= bit;
            is_new
        })
    }

    /// Lanes of which such a part lies in this sector.
    pub(super) fn lanes_in(&self, word: Option<u64>, sector: u64) -> u32 {
        let parts = self.parts.iter().filter(|part| part.word == word && part.sector() == sector);
        parts.fold(0, |lanes, part| lanes | 1 << part.lane)
    }

    /// Lines that the lanes touch.
    pub(super) fn lines(&self) -> Vec<u64> {
        let mut lines: Vec<u64> = self.parts.iter().map(Part::line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Lines, or blocks of another size, that `lanes` touch, local ones with their first byte.
    fn blocks(&self, lanes: u32, bytes: u64) -> u32 {
        let address = |lane: u32| match self.local >> lane & 1 {
            0 => self.addresses[lane as usize],
            _ => self.local_map.address(lane, self.places[lane as usize]),
        };
        let mut blocks = [0; MAX_LANES];
        let touched = blocks.iter_mut().zip(lanes_of(lanes)).map(|(block, lane)| *block = address(lane) / bytes);
        let count = touched.count();
        distinct(&mut blocks[..count])
    }

    /// Sectors that a load looks up in L1, or in the read-only cache: of local lanes word by word.
    pub(super) fn looked_up(&self) -> u32 {
        let is_looked_up = |part: &&Part| part.word.is_some() || !self.from_memory;
        let mut sectors: Vec<_> =
            self.parts.iter().filter(is_looked_up).map(|part| (part.word, part.sector())).collect();
        sectors.sort_unstable();
        sectors.dedup();
        sectors.len() as u32
    }

    /// Passes of the shared lanes: as many as the worst bank, of as many as a warp has lanes, has different words to give.
    fn shared_passes(&self, preset: &Preset) -> u32 {
        let mut words: Vec<u64> = lanes_of(self.shared)
            .map(|lane| self.place_of(lane))
            .flat_map(|first| first / 4..(first + self.bytes()).div_ceil(4))
            .collect();
        words.sort_unstable();
        words.dedup();
        let mut in_bank = [0; MAX_LANES];
        words.iter().for_each(|word| in_bank[*word as usize % preset.lanes] += 1);
        in_bank.into_iter().max().unwrap_or(0)
    }

    /// Passes: one for each line of a load, each sector of a store, each lane of mmio, those of the shared lanes, and of the local
    /// ones as many for each line or sector as they have words; at least one.
    pub(super) fn passes(&self, preset: &Preset) -> u32 {
        if self.fault.is_some() {
            return 0;
        }
        let bytes = match self.kind {
            Kind::Command(_) => return 0,
            Kind::Load => 128,
            Kind::Store => 32,
        };
        let of_global = match self.mmio {
            true => self.lanes.count_ones(),
            false => self.blocks(self.global(), bytes),
        };
        let of_local = self.blocks(self.local, bytes) * self.local_words() as u32;
        (of_global + of_local + self.shared_passes(preset)).max(1)
    }

    /// Whether a request carries what the operation says, address and data aside, for this word of local lanes or for global ones.
    pub(super) fn carries(&self, word: Option<u64>, request: &MemoryRequest) -> bool {
        let bare = MemoryRequest { id: 0, write: false, addr: 0, strb: 0, data: [0; 8], ..*request };
        bare == if word.is_some() { self.local_attributes } else { self.attributes }
    }
}

/// The list without its elements, but with room for as many.
pub(super) fn emptied<T>(list: &mut Vec<T>) -> Vec<T> {
    let mut list = std::mem::take(list);
    list.clear();
    list
}

/// How many of `keys` are different.
fn distinct(keys: &mut [u64]) -> u32 {
    keys.sort_unstable();
    keys.chunk_by(|one, other| one == other).count() as u32
}

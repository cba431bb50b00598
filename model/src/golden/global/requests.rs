//! Requests: the queue of sectors to read, and what place `write` holds, sectors to write.

use super::line::FIRST_ID;
use super::misses::{MAX_MSHRS, Misses};
use super::pass::Pass;
use super::shape::Attributes;
use crate::pins::{MAX_LANES, MemoryRequest};

/// The id of `sector` of MSHR `number`.
pub(super) fn id_of(number: u8, sector: u8) -> u8 {
    FIRST_ID + 4 * number + sector
}

/// A request of this path for a sector of the line with this number, without data.
pub(super) fn request(id: u8, line: u64, sector: u8, attributes: &Attributes) -> MemoryRequest {
    let Attributes { l2_evict, policy_en, policy, prefetch, cop, sem, scope } = *attributes;
    MemoryRequest {
        id,
        addr: line * 128 + u64::from(sector) * 32,
        l2_evict,
        policy_en,
        policy,
        prefetch,
        cop,
        sem,
        scope,
        ..MemoryRequest::default()
    }
}

/// Waiters with sectors to ask for, in order. A waiter asks once, so there is room for all.
#[derive(Clone, Debug)]
pub(in crate::golden) struct ReadQueue {
    /// Ring.
    waiters: [u8; MAX_MSHRS],
    head: usize,
    length: usize,
    /// What is left to ask for, by waiter.
    asks: [u8; MAX_MSHRS],
}

impl ReadQueue {
    pub(super) fn new() -> Self {
        Self { waiters: [0; MAX_MSHRS], head: 0, length: 0, asks: [0; MAX_MSHRS] }
    }

    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    pub(in crate::golden) fn len(&self) -> usize {
        self.length
    }

    /// The waiter at the head.
    pub(super) fn head(&self) -> Option<u8> {
        (self.length != 0).then(|| self.waiters[self.head])
    }

    pub(super) fn push(&mut self, waiter: u8, ask: u8) {
        self.waiters[(self.head + self.length) % MAX_MSHRS] = waiter;
        self.length += 1;
        self.asks[usize::from(waiter)] = ask;
    }

    /// Rule REQUEST: what `mem_req`, or for a remote pass `cluster_req`, is asked for.
    pub(super) fn request(&self, misses: &Misses) -> Option<MemoryRequest> {
        let number = self.head()?;
        let waiter = misses.waiter(number)?;
        let sector = self.asks[usize::from(number)].trailing_zeros() as u8;
        let pass = &waiter.pass;
        let mut request = request(id_of(waiter.mshr, sector), pass.line.number, sector, &pass.shape.attributes);
        request.strb = strobes(pass);
        Some(request)
    }

    /// The request is taken.
    pub(super) fn advance(&mut self) {
        let Some(waiter) = self.head() else { return };
        let ask = &mut self.asks[usize::from(waiter)];
        *ask &= ask.wrapping_sub(1);
        if *ask == 0 {
            self.head = (self.head + 1) % MAX_MSHRS;
            self.length -= 1;
        }
    }
}

/// The bytes that a read asks for: the whole sector, or for mmio the one lane's element.
fn strobes(pass: &Pass) -> u32 {
    if !pass.shape.mmio {
        return u32::MAX;
    }
    let lane = pass.lanes.trailing_zeros() as usize % MAX_LANES;
    let element = ((1_u64 << pass.shape.element_bytes) - 1) as u32;
    element << (pass.offsets[lane] % 32)
}

/// One of the two sectors for which `write` has room.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Write {
    /// The store's; a sector that is written back belongs to none.
    pub tag: Option<u8>,
    /// It goes to another CTA.
    pub remote: bool,
    pub request: MemoryRequest,
}

//! What fills a unit's shared memory before the first operation, and reads it after the last: by requests on `serve_req`, as another
//! CTA would, so that it is the same for every engine. They carry the unit's own rank, which no other request does.

use std::collections::BTreeMap;

use lsu_model::pins::{SECTOR_WORDS, ServeRequest, ServeResponse};

use super::memory::words;
use crate::program::{MemorySpace, Program, SECTOR_BYTES, offset_for_others};

/// What there is to do, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Filling,
    Waiting,
    Reading,
}

/// The host of one unit.
#[derive(Debug)]
pub(super) struct Host {
    /// The unit's own.
    rank: u8,
    /// Sectors with contents: what to write.
    filled: Vec<ServeRequest>,
    /// Sectors to read at the end.
    read: Vec<ServeRequest>,
    /// By the first byte of the sector in shared memory: what has been read.
    contents: BTreeMap<u64, [u32; SECTOR_WORDS]>,
    /// The first bytes of the sectors of `read` in shared memory.
    places: Vec<u64>,
    phase: Phase,
    /// Of the sectors of the phase: asked for, and answered.
    asked: usize,
    answered: usize,
    accesses: usize,
}

impl Host {
    /// The host of the unit number `sm`.
    pub(super) fn new(program: &Program, sm: u32) -> Self {
        let rank = program.windows(sm).rank;
        let request = |sector: u64| ServeRequest {
            rank,
            addr: offset_for_others(program, sector).unwrap_or_default(),
            ..ServeRequest::default()
        };
        let mut filled = BTreeMap::new();
        for block in program.memory.iter().filter(|block| block.space == MemorySpace::Shared { sm }) {
            for (index, word) in words(block).enumerate() {
                let address = block.address + 4 * index as u64;
                let sector = address / SECTOR_BYTES * SECTOR_BYTES;
                let write = filled.entry(sector).or_insert(ServeRequest { write: true, ..request(sector) });
                let word_number = (address - sector) / 4;
                write.strb |= 0xf << (4 * word_number);
                write.data[word_number as usize] = word;
            }
        }
        let mut contents = BTreeMap::new();
        for dump in program.dumps.iter().filter(|dump| dump.space == MemorySpace::Shared { sm }) {
            let first = dump.address / SECTOR_BYTES * SECTOR_BYTES;
            let sectors = (first..dump.address + dump.bytes).step_by(SECTOR_BYTES as usize);
            contents.extend(sectors.map(|sector| (sector, [0; SECTOR_WORDS])));
        }
        let places: Vec<u64> = contents.keys().copied().collect();
        Self {
            rank,
            filled: filled.into_values().collect(),
            read: places.iter().map(|sector| request(*sector)).collect(),
            contents,
            places,
            phase: Phase::Filling,
            asked: 0,
            answered: 0,
            accesses: 0,
        }
    }

    /// The requests of the phase.
    fn requests(&self) -> &[ServeRequest] {
        match self.phase {
            Phase::Filling => &self.filled,
            Phase::Waiting => &[],
            Phase::Reading => &self.read,
        }
    }

    /// Whether the phase has nothing left to do.
    pub(super) fn is_idle(&self) -> bool {
        self.answered == self.requests().len()
    }

    /// Whether all that it fills is filled.
    pub(super) fn is_filled(&self) -> bool {
        self.phase != Phase::Filling || self.is_idle()
    }

    /// Requests that have been answered, in all.
    pub(super) fn accesses(&self) -> usize {
        self.accesses
    }

    /// From now on it reads.
    pub(super) fn read_back(&mut self) {
        (self.phase, self.asked, self.answered) = (Phase::Reading, 0, 0);
    }

    /// The unit has forgotten what it was asked. Shared memory keeps what it holds.
    pub(super) fn forget(&mut self) {
        self.asked = self.answered;
    }

    /// The next request, which is on its way then.
    pub(super) fn ask(&mut self) -> Option<ServeRequest> {
        let request = *self.requests().get(self.asked)?;
        self.asked += 1;
        Some(request)
    }

    /// Takes a response of the unit if it is to one of these requests.
    pub(super) fn answer(&mut self, response: &ServeResponse) -> bool {
        if response.rank != self.rank || self.answered == self.asked {
            return false;
        }
        if self.phase == Phase::Reading
            && let Some(place) = self.places.get(self.answered)
        {
            self.contents.insert(*place, response.data);
        }
        self.answered += 1;
        self.accesses += 1;
        if self.phase == Phase::Filling && self.is_idle() {
            (self.phase, self.asked, self.answered) = (Phase::Waiting, 0, 0);
        }
        true
    }

    /// What has been read of the word at `address`; 0 if that is nothing.
    pub(super) fn word(&self, address: u64) -> u32 {
        let sector = self.contents.get(&(address / SECTOR_BYTES * SECTOR_BYTES));
        sector.map_or(0, |sector| sector[(address % SECTOR_BYTES / 4) as usize])
    }
}

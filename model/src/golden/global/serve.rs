//! Places `serve` and `reply`: requests of other CTAs for this unit's shared memory, part by part.

use super::shared::{SIXTEEN_BYTES, SharedMemory};
use crate::golden::near::{Comparator, NearMisses};
use crate::pins::{ClusterWindow, Inputs, SECTOR_WORDS, ServeRequest, ServeResponse, WORD_BYTES};
use crate::preset::Preset;

/// The bits of a byte number that say in which sector it lies.
const WHOLE_SECTORS: u64 = !31;

/// What place `serve` holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Served {
    pub request: ServeRequest,
    /// It lies beyond the window.
    pub error: bool,
    /// Where its sector begins in shared memory.
    place: u32,
    /// Parts that have been written, or that have come out of `read`.
    pub parts: u8,
    /// What these were, of a read.
    sector: [u32; SECTOR_WORDS],
}

/// The words of a part, lowest first; a part may have fewer than a sector.
type Part = [u32; SECTOR_WORDS];

/// Rule SERVE: both places, and the read that stands in `read`.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Serve {
    /// The bits of an address, and bytes of shared memory.
    address_mask: u64,
    shared_bytes: u64,
    /// Words of a part.
    part_words: usize,
    serve: Option<Served>,
    read: Option<Part>,
    reply: Option<ServeResponse>,
}

impl Serve {
    pub(super) fn new(preset: &Preset) -> Self {
        Self {
            address_mask: preset.address_mask(),
            shared_bytes: preset.shared_bytes as u64,
            part_words: preset.lanes.min(SECTOR_WORDS),
            serve: None,
            read: None,
            reply: None,
        }
    }

    /// What `serve` holds.
    pub(super) fn get(&self) -> Option<&Served> {
        self.serve.as_ref()
    }

    /// What `reply` holds: the response on `serve_rsp`.
    pub(in crate::golden) fn reply(&self) -> Option<&ServeResponse> {
        self.reply.as_ref()
    }

    /// `serve_req_ready`.
    pub(in crate::golden) fn is_free(&self) -> bool {
        self.serve.is_none()
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.serve.is_none() && self.reply.is_none()
    }

    /// Whether it *writes* in this cycle.
    pub(in crate::golden) fn writes(&self) -> bool {
        self.reply.is_none() && self.serve.is_some_and(|served| served.request.write)
    }

    /// Whether a read of it stands in `read`.
    pub(in crate::golden) fn is_in_read(&self) -> bool {
        self.read.is_some()
    }

    /// Rule PICK: whether it has a part to be read, an update of shared memory aside.
    pub(super) fn wants_read(&self) -> bool {
        self.reply.is_none() && self.read.is_none() && self.serve.is_some_and(|served| !served.request.write)
    }

    /// The edge. `picked` tells that a read of it goes to `read`, `updates` that this is an update cycle. `rst` does not act on
    /// it, but that `read` loses what it holds and what goes there.
    pub(super) fn advance(
        &mut self,
        shared: &mut SharedMemory,
        picked: bool,
        updates: bool,
        inputs: &Inputs,
        near: &mut NearMisses,
    ) {
        if self.is_quiet() && !inputs.serve_req_valid {
            return;
        }
        let (is_free, writes) = (self.is_free(), self.writes());
        if inputs.serve_rsp_ready {
            self.reply = None;
        }
        if let Some(words) = self.read.take().filter(|_| !inputs.reset) {
            self.finish_part(Some(&words));
        }
        if let Some(served) = self.serve.filter(|_| picked && !inputs.reset) {
            self.read = Some(shared.read_words(served.place + self.part_bytes() * u32::from(served.parts)));
        }
        if let Some(served) = self.serve.filter(|_| writes && !updates) {
            if !served.error {
                let first = usize::from(served.parts) * self.part_words;
                let words = &served.request.data[first..first + self.part_words];
                let strobes = served.request.strb >> (first * WORD_BYTES as usize);
                shared.write_words(served.place + self.part_bytes() * u32::from(served.parts), words, strobes);
            }
            self.finish_part(None);
        }
        if is_free && inputs.serve_req_valid {
            self.take(&inputs.serve_req, &inputs.windows.cluster, near);
        }
        if inputs.reset && inputs.reset_memory {
            (self.serve, self.reply) = (None, None);
        }
    }

    fn part_bytes(&self) -> u32 {
        self.part_words as u32 * WORD_BYTES
    }

    fn take(&mut self, request: &ServeRequest, window: &ClusterWindow, near: &mut NearMisses) {
        // The pins have one bit more than a byte number in shared memory.
        let on_pin = |value: u32| u64::from(value) & (2 * self.shared_bytes - 1);
        let offset = request.addr & self.address_mask & WHOLE_SECTORS;
        let size = on_pin(window.size) & SIXTEEN_BYTES;
        near.order(Comparator::ServeLimit, offset, size);
        let place = (on_pin(window.base) & WHOLE_SECTORS).wrapping_add(offset) % self.shared_bytes;
        self.serve = Some(Served {
            request: *request,
            error: offset >= size,
            place: place as u32,
            parts: 0,
            sector: [0; SECTOR_WORDS],
        });
    }

    /// A part has been written, or of a read its `words` have come; the last one fills `reply`.
    fn finish_part(&mut self, words: Option<&Part>) {
        let Some(served) = self.serve.as_mut() else { return };
        if let Some(words) = words {
            let first = usize::from(served.parts) * self.part_words;
            served.sector[first..first + self.part_words].copy_from_slice(&words[..self.part_words]);
        }
        served.parts += 1;
        if usize::from(served.parts) * self.part_words < SECTOR_WORDS {
            return;
        }
        let Served { request: ServeRequest { id, rank, .. }, error, sector, .. } = *served;
        let data = if error { [0; SECTOR_WORDS] } else { sector };
        self.reply = Some(ServeResponse { id, rank, data, error });
        self.serve = None;
    }
}

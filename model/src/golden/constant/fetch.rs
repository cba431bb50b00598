//! Fetch: the queue of lines to ask for, and the sectors that came back.

use super::cache::Line;
use crate::pins::{MemoryResponse, SECTOR_WORDS};
use std::collections::VecDeque;

/// A whole line that came back.
#[derive(Clone, Copy, Debug)]
pub(in crate::golden) struct Arrival {
    /// The entry that started the fetch.
    pub fetch: u8,
    pub line: Line,
    /// By sector.
    pub errors: [bool; 2],
}

/// Requests not yet made and responses not yet used.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Fetch {
    /// Entries whose line must be asked for, in order.
    read_queue: VecDeque<u8>,
    /// The sector that the head of `read_queue` asks for next.
    sector: u8,
    /// Register `response`.
    response: Option<MemoryResponse>,
    /// The first sector of each entry's fetch that came back.
    aside: Vec<Option<MemoryResponse>>,
}

impl Fetch {
    pub(in crate::golden) fn new(entries: usize) -> Self {
        Self { read_queue: VecDeque::with_capacity(entries), sector: 0, response: None, aside: vec![None; entries] }
    }

    pub(in crate::golden) fn clear(&mut self) {
        self.read_queue.clear();
        self.sector = 0;
        self.response = None;
        self.aside.fill(None);
    }

    /// Rule FETCH: the entry and the sector that the memory is asked for.
    pub(in crate::golden) fn request(&self) -> Option<(u8, u8)> {
        self.read_queue.front().map(|entry| (*entry, self.sector))
    }

    pub(in crate::golden) fn queued(&self) -> usize {
        self.read_queue.len()
    }

    pub(in crate::golden) fn response(&self) -> Option<&MemoryResponse> {
        self.response.as_ref()
    }

    pub(in crate::golden) fn start(&mut self, entry: u8) {
        self.read_queue.push_back(entry);
    }

    /// The memory took the request.
    pub(in crate::golden) fn request_taken(&mut self) {
        if self.sector == 1 {
            self.read_queue.pop_front();
        }
        self.sector ^= 1;
    }

    /// Whether `response` holds the second sector of a fetch, which completes a line.
    pub(in crate::golden) fn line_is_complete(&self) -> bool {
        self.response.is_some_and(|response| self.aside.get(fetch_of(&response)).is_some_and(Option::is_some))
    }

    pub(in crate::golden) fn receive(&mut self, response: MemoryResponse) {
        self.response = Some(response);
    }

    /// Empties `response` of a first sector.
    pub(in crate::golden) fn put_aside(&mut self) {
        if let Some(response) = self.response.take()
            && let Some(aside) = self.aside.get_mut(fetch_of(&response))
        {
            *aside = Some(response);
        }
    }

    /// Empties `response` of a second sector: the whole line.
    pub(in crate::golden) fn complete(&mut self) -> Option<Arrival> {
        let second = self.response.take()?;
        let first = self.aside.get_mut(fetch_of(&second))?.take()?;
        let mut arrival = Arrival { fetch: fetch_of(&second) as u8, line: [0; 2 * SECTOR_WORDS], errors: [false; 2] };
        for response in [first, second] {
            let sector = usize::from(response.id & 1);
            arrival.line[sector * SECTOR_WORDS..][..SECTOR_WORDS].copy_from_slice(&response.data);
            arrival.errors[sector] = response.error;
        }
        Some(arrival)
    }
}

/// The entry whose fetch a response belongs to.
fn fetch_of(response: &MemoryResponse) -> usize {
    usize::from(response.id >> 1)
}

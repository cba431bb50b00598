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
    /// Entries whose fetch is that of a short line: of one sector.
    short: Vec<bool>,
}

impl Fetch {
    pub(in crate::golden) fn new(entries: usize) -> Self {
        Self {
            read_queue: VecDeque::with_capacity(entries),
            sector: 0,
            response: None,
            aside: vec![None; entries],
            short: vec![false; entries],
        }
    }

    pub(in crate::golden) fn clear(&mut self) {
        self.read_queue.clear();
        self.sector = 0;
        self.response = None;
        self.aside.fill(None);
        self.short.fill(false);
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

    /// A line is to be asked for; a `short` one has one sector in its bank.
    pub(in crate::golden) fn start(&mut self, entry: u8, short: bool) {
        self.read_queue.push_back(entry);
        self.short[usize::from(entry)] = short;
    }

    /// The memory took the request.
    pub(in crate::golden) fn request_taken(&mut self) {
        let Some(entry) = self.read_queue.front() else { return };
        if self.sector == 0 && !self.short[usize::from(*entry)] {
            self.sector = 1;
        } else {
            self.read_queue.pop_front();
            self.sector = 0;
        }
    }

    /// Whether `response` holds the second sector of a fetch, or the only one of a short line, which completes it.
    pub(in crate::golden) fn line_is_complete(&self) -> bool {
        self.response.is_some_and(|response| {
            let fetch = fetch_of(&response);
            let is_second = self.aside.get(fetch).is_some_and(Option::is_some);
            is_second || self.short.get(fetch) == Some(&true)
        })
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

    /// Empties `response` of a second or only sector: all that there is of the line.
    pub(in crate::golden) fn complete(&mut self) -> Option<Arrival> {
        let last = self.response.take()?;
        let fetch = fetch_of(&last);
        let first = self.aside.get_mut(fetch)?.take();
        *self.short.get_mut(fetch)? = false;
        let mut arrival = Arrival { fetch: fetch as u8, line: [0; 2 * SECTOR_WORDS], errors: [false; 2] };
        for response in first.into_iter().chain([last]) {
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

//! Shared memory without time: the unit's own accesses take effect in the order in which their operations were accepted, and so do
//! those of other CTAs; between the two an access takes effect at some moment from its acceptance to its answer.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::super::versions::bytes_of;
use super::super::violation::Violation;
use super::timeline::{Access, Stream, Timeline};
use crate::pins::{ClusterWindow, SECTOR_BYTES, ServeRequest, ServeResponse};

/// The bytes that a store writes, by their place in shared memory; no values while its data have not all come.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredBytes(Vec<(u64, Option<u8>)>);

impl StoredBytes {
    /// Of several bytes at one place the last one.
    pub(super) fn new(mut bytes: Vec<(u64, Option<u8>)>) -> Self {
        if !bytes.is_sorted_by(|(place, _), (next, _)| place < next) {
            bytes.reverse();
            bytes.sort_by_key(|(place, _)| *place);
            bytes.dedup_by_key(|(place, _)| *place);
        }
        Self(bytes)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn at(&self, place: u64) -> Option<Option<u8>> {
        let found = self.0.binary_search_by_key(&place, |(place, _)| *place);
        found.ok().map(|index| self.0[index].1)
    }

    fn places(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|(place, _)| *place)
    }
}

/// An own operation that accesses shared memory and can still matter.
#[derive(Clone, Debug)]
struct OwnAccess {
    serial: u64,
    /// When it was accepted.
    start: u64,
    /// It has taken effect before this moment; the end of time while that is open.
    end: u64,
    /// What it writes; nothing if it is a load.
    stored: StoredBytes,
    /// It has been answered.
    ended: bool,
}

/// A request of another CTA that has not been answered.
#[derive(Clone, Debug)]
struct Served {
    request: ServeRequest,
    access: Access,
    /// Where its sector lies; none if that is beyond the window.
    place: Option<u64>,
}

impl Served {
    /// The places of the bytes that it writes, with these.
    fn written(&self) -> impl Iterator<Item = (u64, u8)> {
        let ServeRequest { write, strb, data, .. } = self.request;
        let bytes = bytes_of(&data);
        let place = self.place.filter(|_| write);
        let strobed = (0..SECTOR_BYTES).filter(move |byte| strb >> byte & 1 == 1);
        place.into_iter().flat_map(move |place| strobed.clone().map(move |byte| (place + byte as u64, bytes[byte])))
    }
}

/// The bytes as they are when everything that is over has taken effect, and the accesses since.
#[derive(Clone, Debug)]
pub(super) struct SharedMemory {
    bytes: Box<[u8]>,
    /// Those that may hold one of several values.
    timelines: FxHashMap<u64, Timeline>,
    /// Those that are over, which have room for others.
    over: Vec<Timeline>,
    /// In the order of acceptance. The first is not answered, or there is none.
    own: VecDeque<OwnAccess>,
    served: VecDeque<Served>,
    /// Requests of other CTAs so far.
    served_count: u64,
    /// Events so far: the clock.
    moment: u64,
}

impl SharedMemory {
    /// All 0, as at power-up.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            bytes: vec![0; bytes].into_boxed_slice(),
            timelines: FxHashMap::default(),
            over: Vec::new(),
            own: VecDeque::new(),
            served: VecDeque::new(),
            served_count: 0,
            moment: 0,
        }
    }

    fn tick(&mut self) -> u64 {
        self.moment += 1;
        self.moment
    }

    /// An own operation is accepted.
    pub(super) fn accept(&mut self, serial: u64, stored: StoredBytes) {
        let start = self.tick();
        self.own.push_back(OwnAccess { serial, start, end: u64::MAX, stored, ended: false });
    }

    fn write(&mut self, access: Access, place: u64, value: u8) {
        let before = self.bytes[place as usize];
        let new = || Timeline::new(before, self.over.pop());
        self.timelines.entry(place).or_insert_with(new).write(access, value);
    }

    /// All data of a store have come.
    pub(super) fn know(&mut self, serial: u64, stored: StoredBytes) {
        let access = Access { stream: Stream::Own, number: serial, start: self.tick(), end: u64::MAX };
        for (place, value) in &stored.0 {
            if let Some(value) = value {
                self.write(access, *place, *value);
            }
        }
        if let Some(own) = self.own.iter_mut().find(|own| own.serial == serial) {
            own.stored = stored;
        }
    }

    /// A release shows that these own loads, none of which has been answered, have taken effect.
    pub(super) fn release(&mut self, loads: impl Iterator<Item = u64>) {
        let end = self.tick();
        for serial in loads {
            if let Some(own) = self.own.iter_mut().find(|own| own.serial == serial) {
                own.end = own.end.min(end);
            }
        }
    }

    /// An own operation has been answered.
    pub(super) fn end(&mut self, serial: u64) {
        let end = self.tick();
        if let Some(own) = self.own.iter_mut().find(|own| own.serial == serial) {
            own.ended = true;
            for place in own.stored.places() {
                if let Some(timeline) = self.timelines.get_mut(&place) {
                    timeline.end(Stream::Own, serial, end);
                }
            }
        }
        let mut over = Vec::new();
        while let Some(first) = self.own.pop_front_if(|first| first.ended) {
            over.extend(first.stored.places());
        }
        self.forget(over.into_iter());
    }

    /// Forgets of these bytes what nobody can be given any more.
    fn forget(&mut self, places: impl Iterator<Item = u64>) {
        let starts = [self.own.front().map(|own| own.start), self.served.front().map(|served| served.access.start)];
        let oldest = starts.into_iter().flatten().min().unwrap_or(self.moment + 1);
        for place in places {
            let left = self.timelines.get_mut(&place).and_then(|timeline| timeline.forget(oldest));
            if let Some(value) = left {
                self.over.extend(self.timelines.remove(&place));
                self.bytes[place as usize] = value;
            }
        }
    }

    /// After a reset each byte of an own store that was not answered has been written, or has not; without its data it has not. The
    /// same of what other CTAs were writing, if the reset `forgets` them; else that goes on.
    pub(super) fn reset(&mut self, forgets: bool) {
        let end = self.tick();
        for own in std::mem::take(&mut self.own).into_iter().filter(|own| !own.ended) {
            for place in own.stored.places() {
                if let Some(timeline) = self.timelines.get_mut(&place) {
                    timeline.doubt(Stream::Own, own.serial, end);
                }
            }
        }
        if forgets {
            for served in std::mem::take(&mut self.served) {
                for (place, _) in served.written() {
                    if let Some(timeline) = self.timelines.get_mut(&place) {
                        timeline.doubt(Stream::Served, served.access.number, end);
                    }
                }
            }
        }
    }

    fn is_right(&self, reader: &Access, place: u64, value: u8) -> bool {
        match self.timelines.get(&place) {
            Some(timeline) => timeline.read(reader, value),
            None => self.bytes[place as usize] == value,
        }
    }

    /// Whether the own load `serial` may be given `bytes`, those from `first` on; if not, the first that it may not, and the rule
    /// that speaks against it.
    pub(super) fn judge(&self, serial: u64, first: u64, bytes: &[u8]) -> Result<(), (usize, &'static str)> {
        let mut not_later = self.own.iter().rev().skip_while(|own| own.serial > serial).peekable();
        let known = not_later.next_if(|own| own.serial == serial);
        let (start, end) = known.map_or((0, u64::MAX), |own| (own.start, own.end));
        let stores = not_later.filter(|own| !own.stored.is_empty());
        let reader = Access { stream: Stream::Own, number: serial, start, end };
        for (index, (place, value)) in (first..).zip(bytes).enumerate() {
            if stores.clone().find_map(|own| own.stored.at(place)) == Some(None) {
                return Err((index, "a load of shared memory waits for the data of the store before it"));
            }
            if !self.is_right(&reader, place, *value) {
                let rule = "a load of shared memory sees the last store accepted before it, or another CTA's since, until a release";
                return Err((index, rule));
            }
        }
        Ok(())
    }

    /// Another CTA's request is accepted; `window` is the own CTA's.
    pub(super) fn serve(&mut self, request: &ServeRequest, window: &ClusterWindow) {
        let all = self.bytes.len() as u64;
        let [first, size] = [window.base, window.size].map(|pin| u64::from(pin) % (2 * all));
        let sector = request.addr / SECTOR_BYTES as u64 * SECTOR_BYTES as u64;
        let is_inside = sector < size / 16 * 16;
        let place = is_inside.then(|| (first / 32 * 32 + sector) % all);
        self.served_count += 1;
        let access = Access { stream: Stream::Served, number: self.served_count, start: self.tick(), end: u64::MAX };
        let served = Served { request: *request, access, place };
        for (place, value) in served.written() {
            self.write(access, place, value);
        }
        self.served.push_back(served);
    }

    /// Judges the answer to the first of these requests.
    pub(super) fn reply(&mut self, response: &ServeResponse) -> Result<(), Violation> {
        let ServeResponse { id, rank, data, error } = *response;
        let Some(served) = self.served.pop_front() else { return Err(Violation::NobodyAsked { id, rank }) };
        let Served { request, access, place } = &served;
        if (id, rank) != (request.id, request.rank) {
            let (expected_id, expected_rank) = (request.id, request.rank);
            return Err(Violation::WrongReply { id, rank, expected_id, expected_rank });
        }
        if error != place.is_none() {
            return Err(Violation::WrongReplyError { id, rank, address: request.addr, error });
        }
        if let Some(place) = place.filter(|_| !request.write) {
            let wrong = (place..).zip(bytes_of(&data)).find(|(place, got)| !self.is_right(access, *place, *got));
            if let Some((address, got)) = wrong {
                return Err(Violation::ForbiddenReply { id, rank, address, got });
            }
        } else if data != [0; _] {
            return Err(Violation::ReplyWithData { id, rank });
        }
        let end = self.tick();
        let written: Vec<u64> = served.written().map(|(place, _)| place).collect();
        for place in &written {
            if let Some(timeline) = self.timelines.get_mut(place) {
                timeline.end(Stream::Served, access.number, end);
            }
        }
        self.forget(written.into_iter());
        Ok(())
    }

    /// The requests of other CTAs that have not been answered.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &ServeRequest> {
        self.served.iter().map(|served| &served.request)
    }
}

//! What one byte of shared memory may hold while two streams of accesses meet in it: the unit's own, and those of other CTAs. Each
//! stream takes effect in its own order; between the two only time decides, and what a load has been given.

use std::cell::Cell;

/// Who accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// The unit's operations, numbered in the order of their acceptance.
    Own,
    /// Requests of other CTAs, numbered in the order of theirs.
    Served,
}

/// An access, at least as it is seen from one byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub stream: Stream,
    /// Its place in the stream.
    pub number: u64,
    /// It takes effect after this moment.
    pub start: u64,
    /// And before this one; the end of time while that is open.
    pub end: u64,
}

impl Access {
    /// Whether it certainly takes effect before `other`.
    fn precedes(&self, other: &Self) -> bool {
        if self.stream == other.stream { self.number < other.number } else { self.end < other.start }
    }
}

/// A value that was written, or that was there before.
#[derive(Clone, Debug)]
struct Version {
    value: u8,
    access: Access,
    /// By stream: it has taken effect before all accesses with a higher number than this, as that one has read it.
    read_by: [Cell<u64>; 2],
    /// It may never have been written.
    is_doubtful: Cell<bool>,
    /// Nobody can be given it any more.
    is_over: Cell<bool>,
}

impl Version {
    fn new(value: u8, access: Access) -> Self {
        let never = || Cell::new(u64::MAX);
        Self { value, access, read_by: [never(), never()], is_doubtful: Cell::new(false), is_over: Cell::new(false) }
    }

    /// Whether it has certainly taken effect before `other`.
    fn precedes(&self, other: &Access) -> bool {
        let is_known = self.access.stream != other.stream && self.read_by[other.stream as usize].get() < other.number;
        self.access.precedes(other) || is_known
    }
}

/// The values of one byte that somebody may still be given.
#[derive(Clone, Debug)]
pub(super) struct Timeline(Vec<Version>);

impl Timeline {
    /// A byte that has held `value` for ever, in the place of one that nobody asks for any more.
    pub(super) fn new(value: u8, over: Option<Self>) -> Self {
        let mut versions = over.map_or_else(|| Vec::with_capacity(2), |over| over.0);
        versions.clear();
        versions.push(Version::new(value, Access { stream: Stream::Own, number: 0, start: 0, end: 0 }));
        Self(versions)
    }

    /// `access` writes `value`, when is not known yet.
    pub(super) fn write(&mut self, access: Access, value: u8) {
        self.0.push(Version::new(value, access));
    }

    fn written_by(&mut self, stream: Stream, number: u64) -> impl Iterator<Item = &mut Version> {
        self.0.iter_mut().filter(move |version| version.access.stream == stream && version.access.number == number)
    }

    /// The write of this access has taken effect by now, the moment `end`.
    pub(super) fn end(&mut self, stream: Stream, number: u64, end: u64) {
        self.written_by(stream, number).for_each(|version| version.access.end = end);
    }

    /// The write of this access has taken effect by now, the moment `end`, or never will.
    pub(super) fn doubt(&mut self, stream: Stream, number: u64, end: u64) {
        for version in self.written_by(stream, number) {
            version.access.end = end;
            version.is_doubtful.set(true);
        }
    }

    /// Whether the access `reader`, which has been answered, may have been given `value`. Takes note of what that says about the
    /// order of accesses.
    pub(super) fn read(&self, reader: &Access, value: u8) -> bool {
        let is_covered = |version: &Version| {
            let mut others = self.0.iter().filter(|other| !other.is_doubtful.get() && other.precedes(reader));
            others.any(|other| version.precedes(&other.access))
        };
        let is_right =
            |version: &&Version| version.value == value && !reader.precedes(&version.access) && !is_covered(version);
        let mut right = self.0.iter().filter(is_right);
        let Some(version) = right.next() else { return false };
        if right.next().is_none() {
            let read_by = &version.read_by[reader.stream as usize];
            read_by.set(read_by.get().min(reader.number));
            version.is_doubtful.set(false);
        }
        true
    }

    /// Forgets what nobody can be given who began at `oldest` or later. The value, if only one is left.
    pub(super) fn forget(&mut self, oldest: u64) -> Option<u8> {
        let is_covered = |version: &Version| {
            let mut others = self.0.iter().filter(|other| !other.is_doubtful.get() && other.access.end < oldest);
            others.any(|other| version.precedes(&other.access))
        };
        self.0.iter().for_each(|version| version.is_over.set(is_covered(version)));
        self.0.retain(|version| !version.is_over.get());
        match &self.0[..] {
            [version] if version.access.end < oldest && !version.is_doubtful.get() => Some(version.value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(number: u64, start: u64) -> Access {
        Access { stream: Stream::Own, number, start, end: u64::MAX }
    }

    fn served(number: u64, start: u64) -> Access {
        Access { stream: Stream::Served, number, start, end: u64::MAX }
    }

    /// The values, of 0 to 9, that a reader may be given. Asking changes nothing.
    fn values(timeline: &Timeline, reader: Access) -> Vec<u8> {
        (0..10).filter(|value| timeline.clone().read(&reader, *value)).collect()
    }

    #[test]
    fn a_stream_keeps_its_order() {
        let mut timeline = Timeline::new(9, None);
        timeline.write(own(3, 10), 1);
        timeline.write(own(5, 11), 2);
        assert_eq!(values(&timeline, own(2, 5)), [9]);
        assert_eq!(values(&timeline, own(4, 10)), [1]);
        assert_eq!(values(&timeline, own(6, 12)), [2]);
    }

    #[test]
    fn between_streams_time_decides() {
        let mut timeline = Timeline::new(9, None);
        timeline.write(own(3, 10), 1);
        timeline.write(served(1, 12), 2);
        // Both are under way.
        assert_eq!(values(&timeline, own(4, 13)), [1, 2]);
        assert_eq!(values(&timeline, own(2, 9)), [2, 9]);
        assert_eq!(values(&timeline, served(2, 13)), [1, 2]);
        // The own one has ended after the other began: any may be the last.
        timeline.end(Stream::Own, 3, 14);
        assert_eq!(values(&timeline, served(2, 15)), [1, 2]);
        timeline.end(Stream::Served, 1, 16);
        assert_eq!(values(&timeline, own(9, 17)), [1, 2]);
        // A third one comes after both.
        timeline.write(served(3, 18), 3);
        assert_eq!(values(&timeline, own(10, 19)), [1, 2, 3]);
        timeline.end(Stream::Served, 3, 20);
        assert_eq!(values(&timeline, own(11, 21)), [3]);
        assert_eq!(values(&timeline, own(10, 19)), [1, 2, 3]);
    }

    #[test]
    fn who_has_read_is_not_given_what_came_later() {
        let mut timeline = Timeline::new(9, None);
        timeline.write(served(1, 10), 1);
        timeline.write(served(2, 12), 2);
        let until = |end: u64| Access { end, ..own(5, 8) };
        assert_eq!(values(&timeline, until(u64::MAX)), [1, 2, 9]);
        assert_eq!(values(&timeline, until(11)), [1, 9]);
        assert_eq!(values(&timeline, until(9)), [9]);
    }

    #[test]
    fn what_has_been_read_is_not_unread() {
        let mut timeline = Timeline::new(9, None);
        timeline.write(served(1, 10), 2);
        assert_eq!(values(&timeline, own(5, 8)), [2, 9]);
        assert!(timeline.read(&own(5, 8), 2));
        // Operations before that one may still see what was there before, those after it may not.
        assert_eq!(values(&timeline, own(4, 7)), [2, 9]);
        assert_eq!(values(&timeline, own(6, 8)), [2]);
        // Two writes of one value: which of them was read is not known.
        timeline.write(served(2, 11), 3);
        timeline.write(served(3, 12), 2);
        assert!(timeline.read(&own(7, 9), 2));
        assert_eq!(values(&timeline, own(8, 9)), [2, 3]);
    }

    #[test]
    fn a_doubtful_write_covers_nothing_until_it_has_been_read() {
        let mut timeline = Timeline::new(9, None);
        timeline.write(own(3, 10), 1);
        timeline.doubt(Stream::Own, 3, 12);
        assert_eq!(values(&timeline, own(4, 13)), [1, 9]);
        assert_eq!(timeline.forget(100), None);
        assert_eq!(values(&timeline, served(4, 13)), [1, 9]);
        assert!(timeline.read(&own(4, 13), 1));
        assert_eq!(values(&timeline, own(5, 13)), [1]);
        assert_eq!(timeline.forget(100), Some(1));
    }

    #[test]
    fn what_is_covered_is_forgotten_when_nobody_asks_any_more() {
        let mut timeline = Timeline::new(9, None);
        timeline.write(own(3, 10), 1);
        assert_eq!(timeline.forget(11), None);
        timeline.end(Stream::Own, 3, 12);
        assert_eq!(timeline.forget(12), None);
        assert_eq!(timeline.0.len(), 2);
        assert_eq!(timeline.forget(13), Some(1));
        assert_eq!(timeline.0.len(), 1);
    }
}

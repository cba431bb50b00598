//! Which tag an operation gets: any one that no operation in flight has.

use std::collections::VecDeque;

use crate::program::{TagPolicy, Traffic};
use crate::random::Random;

/// Tags that the port can carry.
pub(super) const TAGS: usize = 256;

/// Bits of a tag.
const TAG_BITS: u64 = 8;

/// How far back tags are looked for of which a new one is a neighbour: as many operations as meet in the unit's places.
const RECENT: usize = 4;

/// Stream number of a unit's tags, far from those of its other surroundings.
const TAG_STREAM: u64 = 0x7461_6773;

/// The tags of one unit that are free.
#[derive(Debug)]
pub(super) struct Tags {
    policy: TagPolicy,
    random: Random,
    /// Free ones, those given back last at the end.
    free: VecDeque<u8>,
    is_free: [bool; TAGS],
    /// Those handed out last, in a ring.
    recent: [u8; RECENT],
    /// Where in it the next one goes.
    next: usize,
}

impl Tags {
    /// All tags of the unit number `sm`.
    pub(super) fn new(traffic: &Traffic, sm: u32) -> Self {
        Self {
            policy: traffic.tags,
            random: Random::new(traffic.seed, TAG_STREAM + u64::from(sm)),
            free: (0..=u8::MAX).collect(),
            is_free: [true; TAGS],
            recent: [0; RECENT],
            next: 0,
        }
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// Hands one out; `None` if there is none.
    pub(super) fn take(&mut self) -> Option<u8> {
        let tag = match self.policy {
            TagPolicy::InOrder => *self.free.front()?,
            TagPolicy::Scattered => self.scattered()?,
        };
        if let Some(place) = self.free.iter().position(|free| *free == tag) {
            self.free.remove(place);
        }
        self.is_free[usize::from(tag)] = false;
        self.recent[self.next] = tag;
        self.next = (self.next + 1) % RECENT;
        Some(tag)
    }

    /// One bit away from one of the tags before it, which are most likely in flight; the one given back last; or any.
    fn scattered(&mut self) -> Option<u8> {
        let neighbour = self.recent[self.random.below(RECENT as u64) as usize] ^ 1 << self.random.below(TAG_BITS);
        match self.random.below(8) {
            0..6 if self.is_free[usize::from(neighbour)] => Some(neighbour),
            6 => self.free.back().copied(),
            _ if self.free.is_empty() => None,
            _ => Some(self.free[self.random.below(self.free.len() as u64) as usize]),
        }
    }

    /// The operation that had `tag` is complete.
    pub(super) fn give_back(&mut self, tag: u8) {
        self.free.push_back(tag);
        self.is_free[usize::from(tag)] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(policy: TagPolicy) -> Tags {
        Tags::new(&Traffic { tags: policy, ..Traffic::default() }, 0)
    }

    #[test]
    fn in_order_every_tag_comes_before_one_comes_again() {
        let mut tags = tags(TagPolicy::InOrder);
        for round in 0..600 {
            let tag = tags.take().expect("free");
            assert_eq!(usize::from(tag), round % TAGS);
            tags.give_back(tag);
        }
    }

    #[test]
    fn scattered_tags_are_free_reused_at_once_and_neighbours() {
        let mut tags = tags(TagPolicy::Scattered);
        let mut in_flight = VecDeque::new();
        let mut is_in_flight = [false; TAGS];
        let (mut reused, mut neighbours, mut given_back) = (0, [0; 8], None);
        for _ in 0..10_000 {
            let tag = tags.take().expect("free");
            assert!(!std::mem::replace(&mut is_in_flight[usize::from(tag)], true));
            reused += usize::from(given_back == Some(tag));
            for (bit, count) in neighbours.iter_mut().enumerate() {
                *count += usize::from(is_in_flight[usize::from(tag) ^ 1 << bit]);
            }
            in_flight.push_back(tag);
            if in_flight.len() > 10 {
                given_back = in_flight.pop_front();
                let tag = given_back.expect("in flight");
                is_in_flight[usize::from(tag)] = false;
                tags.give_back(tag);
            }
        }
        assert!(reused > 1000 && neighbours.iter().all(|count| *count > 300), "{reused} {neighbours:?}");
    }

    #[test]
    fn there_are_no_more_than_all() {
        for policy in [TagPolicy::InOrder, TagPolicy::Scattered] {
            let mut tags = tags(policy);
            let mut taken: Vec<u8> = (0..TAGS).map(|_| tags.take().expect("free")).collect();
            assert!(tags.is_empty() && tags.take().is_none());
            taken.sort_unstable();
            assert_eq!(taken, (0..=u8::MAX).collect::<Vec<_>>());
        }
    }
}

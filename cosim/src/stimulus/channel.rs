//! What is on its way from one port to another: it arrives in order if memory is ideal, otherwise as it comes.

use crate::program::Latency;
use crate::random::Random;

/// Things on their way, the oldest first.
#[derive(Debug)]
pub(super) struct Channel<T> {
    is_in_order: bool,
    /// Each with the cycle from which on it may arrive.
    travelling: Vec<(u64, T)>,
}

impl<T> Channel<T> {
    /// An empty channel with room for `room` things before it has to grow.
    pub(super) fn new(latency: Latency, room: usize) -> Self {
        Self { is_in_order: latency == Latency::Ideal, travelling: Vec::with_capacity(room) }
    }

    /// Whether nothing is on its way.
    pub(super) fn is_empty(&self) -> bool {
        self.travelling.is_empty()
    }

    /// What is on its way is lost.
    pub(super) fn clear(&mut self) {
        self.travelling.clear();
    }

    /// Sends `thing`, which may arrive from the cycle `due` on.
    pub(super) fn send(&mut self, due: u64, thing: T) {
        self.travelling.push((due, thing));
    }

    /// One that arrives in `cycle`, if any may: the oldest of those in order, otherwise any.
    pub(super) fn receive(&mut self, cycle: u64, random: &mut Random) -> Option<T> {
        let due = self.travelling.iter().filter(|(due, _)| *due <= cycle).count() as u64;
        if due == 0 {
            return None;
        }
        let rank = if self.is_in_order { 0 } else { random.below(due) as usize };
        let mut all = self.travelling.iter().enumerate();
        let index = all.by_ref().filter(|(_, (due, _))| *due <= cycle).nth(rank).map(|(index, _)| index)?;
        Some(self.travelling.remove(index).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_due_waits_and_the_rest_comes_once() {
        for latency in [Latency::Ideal, Latency::Between { least: 1, most: 9 }] {
            let (mut channel, mut random) = (Channel::new(latency, 8), Random::new(3, 4));
            (0..20).for_each(|number| channel.send(number, number));
            let mut received = Vec::new();
            for cycle in 5..30 {
                let number = channel.receive(cycle, &mut random);
                assert!(number.is_none_or(|number| number <= cycle), "{number:?} in {cycle}");
                received.extend(number);
            }
            assert!(channel.is_empty());
            assert_eq!(received.is_sorted(), latency == Latency::Ideal, "{received:?}");
            received.sort_unstable();
            assert_eq!(received, (0..20).collect::<Vec<_>>());
        }
    }
}

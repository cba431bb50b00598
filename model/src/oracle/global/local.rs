//! Local memory in the order of its threads: what each of them has stored, and when memory took it.

use rustc_hash::FxHashMap;

/// A byte that memory took from a store of local memory.
#[derive(Clone, Copy, Debug)]
struct Stored {
    /// The store.
    serial: u64,
    moment: u64,
}

/// By address: the stores of the one thread whose byte it is, the latest last. (No byte is that of two threads of a unit.)
#[derive(Clone, Debug, Default)]
pub(super) struct LocalStores(FxHashMap<u64, Vec<Stored>>);

impl LocalStores {
    /// Memory took a byte of the store `serial`. No operation before `oldest` is in flight.
    pub(super) fn take(&mut self, address: u64, serial: u64, moment: u64, oldest: u64) {
        let stored = self.0.entry(address).or_default();
        // Of those from before, only the last can be seen.
        let seen = stored.iter().rposition(|stored| stored.serial < oldest).unwrap_or(0);
        stored.drain(..seen);
        stored.push(Stored { serial, moment });
    }

    /// The moments between which the byte at `address` belongs to the operation `serial`: memory has taken its thread's last store
    /// before that, and not yet the first one after it.
    pub(super) fn between(&self, address: u64, serial: u64) -> (u64, u64) {
        let stored = self.0.get(&address).map_or(&[][..], |stored| stored);
        let before = stored.iter().filter(|stored| stored.serial < serial).map(|stored| stored.moment).max();
        let after = stored.iter().filter(|stored| stored.serial > serial).map(|stored| stored.moment).min();
        (before.unwrap_or(0), after.unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_belongs_to_an_operation_between_two_stores() {
        let mut stores = LocalStores::default();
        assert_eq!(stores.between(0x40, 7), (0, u64::MAX));
        stores.take(0x40, 3, 10, 1);
        stores.take(0x40, 5, 20, 1);
        stores.take(0x40, 9, 30, 4);
        assert_eq!(stores.between(0x40, 4), (10, 20));
        assert_eq!(stores.between(0x40, 7), (20, 30));
        assert_eq!(stores.between(0x40, 12), (30, u64::MAX));
        assert_eq!(stores.between(0x41, 7), (0, u64::MAX));
        // What nobody can ask for any more is forgotten.
        stores.take(0x40, 11, 40, 10);
        assert_eq!(stores.0[&0x40].len(), 2);
        assert_eq!(stores.between(0x40, 10), (30, 40));
    }
}

//! Banks of shared memory: which shared lanes one pass serves, and place `bank`, where the passes of shared loads wait to be read.

use super::super::lanes::bits;
use super::pass::Readable;
use super::shared::SharedAddresses;
use crate::golden::near::{Comparator, NearMisses};
use crate::pins::{MAX_LANES, WORD_BYTES};

/// One of the two passes for which `bank` has room.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Banked {
    pub readable: Readable,
    pub addresses: SharedAddresses,
    /// Words of each lane.
    pub words: u32,
}

/// What an operation's lanes access at once, and of how many banks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Banks {
    /// Bytes of a block, w in the contract.
    block_bytes: u32,
    /// Blocks that need different banks, numbered without a gap, before the next one needs the same again.
    sets: u32,
    /// How many banks there are.
    count: u32,
}

impl Banks {
    /// For accesses of `total` bytes, at most 16, with `count` banks.
    pub(super) fn new(total: u32, count: usize) -> Self {
        let block_bytes = total.max(WORD_BYTES);
        let count = count as u32;
        Self { block_bytes, sets: WORD_BYTES * count / block_bytes, count }
    }

    /// Words of a lane.
    pub(super) fn words(self) -> u32 {
        self.block_bytes / WORD_BYTES
    }

    fn block(self, address: u64) -> u32 {
        address as u32 / self.block_bytes
    }

    /// Rule BANK: the lanes of `unserved`, all of them shared, that the next pass serves, by their shared addresses.
    pub(super) fn group(self, addresses: &[u64; MAX_LANES], unserved: u32) -> u32 {
        // By set of banks: the block of the lowest lane that needs them.
        let mut blocks = [0; MAX_LANES];
        let (mut needed, mut group) = (0_u32, 0);
        for lane in bits(unserved) {
            let block = self.block(addresses[usize::from(lane)]);
            let set = (block % self.sets) as usize;
            if needed >> set & 1 == 0 {
                needed |= 1 << set;
                blocks[set] = block;
            }
            group |= u32::from(blocks[set] == block) << lane;
        }
        group
    }

    /// Takes note of the shared lanes of `others` that nearly need the banks, or nearly lie in the block, of the lane at
    /// `leader`.
    pub(super) fn near_lanes(self, addresses: &[u64; MAX_LANES], leader: usize, others: u32, near: &mut NearMisses) {
        let split = |address: u64| {
            let word = address as u32 / WORD_BYTES;
            (u64::from(word % self.count), u64::from(word / self.count))
        };
        let (bank, row) = split(addresses[leader]);
        for lane in bits(others) {
            let (other_bank, other_row) = split(addresses[usize::from(lane)]);
            if other_row != row {
                near.equality(Comparator::SharedBanks, other_bank, bank);
            }
            if other_bank == bank {
                near.equality(Comparator::SharedRows, other_row, row);
            }
        }
    }
}

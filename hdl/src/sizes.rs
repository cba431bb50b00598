//! The sizes of one preset's unit, all of which follow from its [`SIZES`].

use rust_hdl::prelude::clog2;

use super::super::SIZES;

/// Constants, and the same as Rust text for the Verilog writer.
macro_rules! sizes {
    ($($(#[$comment:meta])* $name:ident = $value:expr;)*) => {
        $($(#[$comment])* pub const $name: usize = $value;)*

        /// The name and the value of each.
        pub(crate) const ALL: &[(&str, usize)] = &[$((stringify!($name), $name)),*];
    };
}

sizes! {
    /// Lanes of a warp.
    LANES = SIZES.lanes;
    /// Bits of the number of a lane.
    LANE_BITS = clog2(LANES);
    /// Nodes of a binary tree over them, with one that stands for none.
    NODES = 2 * LANES;
    /// Words of a quad in each lane.
    QUAD_WORDS = 4 * LANES;
    /// Words of a sector in each lane.
    SECTOR_WORDS = 8 * LANES;
    /// Bits of an address.
    ADDR = SIZES.address_bits;
    /// Bits of an address plus immediate, exact and signed.
    SUM = ADDR + 2;
    /// Bits of an offset in a window, and one more: whether it went round.
    OFFSET_SUM = ADDR + 1;
    /// Bits of the number of a 128-byte line in memory.
    MEMORY_LINE = ADDR - 7;
    /// The bit of a line's number that says that it is local: above the one that says that it is remote. So neither is the same as one in memory.
    LOCAL_LINE = MEMORY_LINE + 1;
    /// Bits of the number of any line.
    LINE = MEMORY_LINE + 2;
    /// Lowest bit of the rank in an address of the cluster's shared memory: above it 8 bits, below it the offset.
    RANK = 24;
    /// Bits of the number of a warp's slot.
    WARP = clog2(SIZES.warps);
    /// Lowest bit of the number of a warp's slot in an address of local memory in memory: above the lane, and the byte in a word.
    LOCAL_SLOT = LANE_BITS + 2;
    /// Sectors of local memory that one word of each lane of a warp fills: 0 where it fills half of one.
    WORD_SECTORS = LANES / 8;
    /// Words of each lane of a warp, in whichever slots, that lie side by side in a line.
    LINE_WORDS = 32 / LANES;
    /// Lowest bit of the number of a word of each thread there: above the slot.
    LOCAL_WORD = LOCAL_SLOT + WARP;
    /// Bits of the number of such a word.
    LOCAL_WORD_BITS = ADDR - LOCAL_WORD;
    /// Bits of a number of granules of 16 bytes in a thread's local memory.
    LOCAL_GRANULE_BITS = LOCAL_WORD_BITS - 2;
    /// Bits of a number of bytes of shared memory, none to all.
    SHARED = clog2(SIZES.shared_bytes) + 1;
    /// Granules of 16 bytes in shared memory: a CTA's window begins and ends with one.
    GRANULES = SIZES.shared_bytes / 16;
    /// Bits of the number of a granule.
    GRANULE_BITS = clog2(GRANULES);
    /// Bits of a number of granules, none to all.
    GRANULE_COUNT = GRANULE_BITS + 1;
    /// Bits of an address of shared memory.
    SHARED_BITS = clog2(SIZES.shared_bytes);
    /// Bits of the number of a bank, of which there are LANES.
    BANK_BITS = LANE_BITS;
    /// Number of the last bank: a 1 in each of its bits.
    LAST_BANK = LANES - 1;
    /// Bits of the number of a sector of shared memory.
    SHARED_SECTOR_BITS = SHARED_BITS - 5;
    /// Parts of 4 x LANES bytes of a sector that another CTA asks for.
    PARTS = widest(8, LANES) / LANES;
    /// Number of the last of them.
    LAST_PART = PARTS - 1;
    /// Words of a part; of a sector, if that is shorter.
    PART_WORDS = 8 / PARTS;
    /// Bits of an address of shared memory that lie above byte and bank: which word of its bank.
    PLACE_BITS = SHARED_BITS - BANK_BITS - 2;
    /// Words that a store's pass can write: a sector, or a word of each bank.
    MERGE_WORDS = widest(8, LANES);
    /// Number of the last of them.
    LAST_MERGE_WORD = MERGE_WORDS - 1;
    /// Bits of the number of a byte in them.
    MERGE_BITS = clog2(MERGE_WORDS) + 2;
    /// Memories of words, one beside the other, in which the row store's rows lie: as many as are written at once.
    COLUMNS = MERGE_WORDS;
    /// Words of a row in each of them.
    COLUMN_WORDS = 32 / COLUMNS;
    /// Bits of the number of one of these.
    COLUMN_WORD_BITS = clog2(COLUMN_WORDS);
    /// Those of them that a bank of shared memory has.
    BANK_COLUMNS = COLUMNS / LANES;
    /// Bits of the number of one of these.
    BANK_COLUMN_BITS = clog2(BANK_COLUMNS);
    /// Sectors that lie side by side in them.
    COLUMN_SECTORS = COLUMNS / 8;
    /// Number of the last of these: a 1 in each of its bits.
    LAST_COLUMN_SECTOR = COLUMN_SECTORS - 1;
    /// Bits of the number of one of these.
    COLUMN_SECTOR_BITS = clog2(COLUMN_SECTORS);
    /// Bits of the number of a word in a column: that of its row, above that of the row's word.
    COLUMN_BITS = ROW_BITS + COLUMN_WORD_BITS;

    /// Ways of each of the 4 sets of the constant cache.
    CONSTANT_WAYS = SIZES.constant_ways;
    /// Bits of the number of such a way.
    CONSTANT_WAY_BITS = clog2(CONSTANT_WAYS);
    /// Lines of the constant cache.
    CONSTANT_LINES = 4 * CONSTANT_WAYS;
    /// Bits of the place of a line in the constant cache: way, then set.
    CONSTANT_SLOT_BITS = CONSTANT_WAY_BITS + 2;
    /// Passes of the constant cache that may wait for memory.
    CONSTANT_MISSES = SIZES.constant_misses;
    /// Bits of the number of one of them.
    CONSTANT_ENTRY_BITS = clog2(CONSTANT_MISSES);
    /// 1 if IS and ISL keep 16 address bits instead of running out of bounds (LDC-5).
    IS_WRAPS = SIZES.is_wraps as usize;

    /// MSHRs of the global path, and waiters.
    MISSES = SIZES.misses;
    /// Bits of the number of an MSHR or a waiter.
    ENTRY_BITS = clog2(MISSES);

    /// Ids of requests on the memory port, of both paths.
    IDS = 2 * CONSTANT_MISSES + 4 * MISSES;
    /// Ids of requests on the cluster port.
    CLUSTER_IDS = 4 * MISSES;
    /// Bits of a number of either, none to all.
    UNANSWERED_BITS = clog2(IDS + 1);

    /// Sets of the L1.
    L1_SETS = SIZES.l1_sets;
    /// Bits of the number of such a set.
    L1_SET_BITS = clog2(L1_SETS);
    /// Lowest bit of an address of those that a local line's set takes in beside its own (`LocalLine`).
    SPREAD = L1_SET_BITS + 7;
    /// Ways of the L1.
    L1_WAYS = SIZES.l1_ways;
    /// Bits of the number of such a way.
    L1_WAY_BITS = clog2(L1_WAYS);
    /// Sectors of a set of the L1.
    L1_SECTORS = 4 * L1_WAYS;
    /// Pairs of ways of the L1.
    L1_PAIRS = L1_WAYS * L1_WAYS;
    /// Bits of the place of a line in the L1: way, then set.
    L1_INDEX = L1_SET_BITS + L1_WAY_BITS;

    /// Sets of the read-only cache.
    RO_SETS = SIZES.ro_sets;
    /// Bits of the number of such a set.
    RO_SET_BITS = clog2(RO_SETS);
    /// Ways of the read-only cache.
    RO_WAYS = SIZES.ro_ways;
    /// Bits of the number of such a way.
    RO_WAY_BITS = clog2(RO_WAYS);
    /// Sectors of a set of the read-only cache.
    RO_SECTORS = 4 * RO_WAYS;
    /// Pairs of ways of the read-only cache.
    RO_PAIRS = RO_WAYS * RO_WAYS;
    /// Bits of the place of a line in the read-only cache: way, then set.
    RO_INDEX = RO_SET_BITS + RO_WAY_BITS;

    /// Bits of the place of a row in its region of the row store: L1's rows, RO's rows, the MSHRs' own, or those of shared memory.
    ROW_INDEX = widest(widest(L1_INDEX, RO_INDEX), widest(ENTRY_BITS, SHARED_ROW_BITS));
    /// Bits of the number of a row of shared memory.
    SHARED_ROW_BITS = SHARED_BITS - 7;
    /// First row of L1.
    FIRST_L1_ROW = 0;
    /// First row of the read-only cache.
    FIRST_RO_ROW = 1 << ROW_INDEX;
    /// First of the rows that are an MSHR's own.
    FIRST_OWN_ROW = 2 << ROW_INDEX;
    /// First row of shared memory.
    FIRST_SHARED_ROW = 3 << ROW_INDEX;
    /// Bits of the number of a row.
    ROW_BITS = ROW_INDEX + 2;
    /// Places of which one is picked in a cycle: `resume`, `hit`, `ro_hit`, `bank`.
    CANDIDATES = 4;
    /// Those, and `serve` and `write_back`, which have no pass.
    PICKED = CANDIDATES + 2;
    /// Pairs of them.
    PICKED_PAIRS = PICKED * PICKED;
    /// Those of them but the last, `write_back`.
    PICKED_FIRST = CANDIDATES + 1;
    /// Passes that have a row and may be still to be read: two in each of `resume`, `hit` and `ro_hit`, one in `ro_read`.
    READERS = 7;
    /// Those, and two in `bank`.
    HOLDERS = READERS + 2;
    /// Those, and passes in `issue` and `tag` (two).
    PLACES = HOLDERS + 3;
}

/// The larger number.
const fn widest(one: usize, other: usize) -> usize {
    if one > other { one } else { other }
}

/// Whether `number` counts something that has numbers of at least one bit.
const fn is_count(number: usize) -> bool {
    number >= 2 && number.is_power_of_two()
}

const _: () = {
    assert!(4 <= LANES && LANES <= 32 && is_count(LANES), "`lanes` is a power of two, 4 (the banks of 128 bits) to 32");
    assert!(32 <= ADDR && ADDR <= 64, "`address_bits` is 32 (the addresses of LDC) to 64");
    assert!(is_count(SIZES.warps), "`warps` is a power of two from 2");
    assert!(LOCAL_WORD + 2 < ADDR, "every thread may have local memory of more than 16 bytes");
    assert!(is_count(SIZES.shared_bytes) && SIZES.shared_bytes >= 256, "`shared_bytes` is a power of two from 256");
    assert!(SHARED_BITS < ADDR, "an address is wider than one of shared memory");
    assert!(SHARED_BITS <= RANK, "an address of the cluster's shared memory holds an offset in a CTA's");
    assert!(is_count(CONSTANT_WAYS), "`constant_ways` is a power of two from 2");
    assert!(is_count(CONSTANT_MISSES), "`constant_misses` is a power of two from 2");
    assert!(2 * CONSTANT_MISSES <= 64, "two sectors of each of `constant_misses` have the ids 0 to 63");
    assert!(is_count(MISSES), "`misses` is a power of two from 2");
    assert!(4 * MISSES <= 64, "four sectors of each of `misses` have the ids 64 to 127");
    assert!(is_count(L1_SETS) && is_count(L1_WAYS), "`l1_sets` and `l1_ways` are powers of two from 2");
    assert!(is_count(RO_SETS) && is_count(RO_WAYS), "`ro_sets` and `ro_ways` are powers of two from 2");
    assert!(2 * L1_SET_BITS <= MEMORY_LINE, "a line's number is twice as wide as that of its set in the L1");
    assert!(RO_SET_BITS < MEMORY_LINE, "a line's number is wider than that of its set in the read-only cache");
};

//! Sizes of a unit, by preset name.

/// Lanes of the widest preset.
pub const MAX_LANES: usize = 32;

/// The sizes that the golden model and the oracle depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Name, as on the command line.
    pub name: &'static str,
    /// Lanes of a warp (and of `mask`, `addr`, `wb_data`); a power of two, at least 4.
    pub lanes: usize,
    /// Bits of an address on `req_addr` and `mem_req_addr`.
    pub address_bits: u32,
    /// Slots for warps, which `req_warp` numbers; a power of two.
    pub warps: usize,
    /// Bytes of the unit's shared memory, in which `req_shared_base` and `req_shared_size` name a window; a power of two. It has a bank
    /// of 4-byte words for each lane.
    pub shared_bytes: usize,
    /// Ways of the constant cache; 4 sets of 64-byte lines.
    /// 4 sets x 8 ways is the constant L1 measured on six GPU generations (2 KB, 64 B lines).
    pub constant_ways: usize,
    /// Passes of the constant cache that may wait for memory at the same time.
    pub constant_misses: usize,
    /// Sets of the L1 data cache; 128-byte lines.
    pub l1_sets: usize,
    /// Ways of the L1 data cache. 64 sets x 4 ways are the 32 KB of `warp32`.
    pub l1_ways: usize,
    /// Sets of the read-only cache; 128-byte lines.
    pub ro_sets: usize,
    /// Ways of the read-only cache.
    pub ro_ways: usize,
    /// MSHRs of the global path, and as many passes that may wait for memory at the same time.
    pub misses: usize,
    /// LDC-5: IS and ISL addresses keep 16 bits instead of running out of bounds.
    pub is_wraps: bool,
}

/// 32 lanes, 49-bit addresses, 32 KB L1, 32 KB read-only cache, 2 KB constant cache.
pub const WARP32: Preset = Preset {
    name: "warp32",
    lanes: 32,
    address_bits: 49,
    // An SM of every architecture from SM70 to SM90 but SM75 and SM86 holds 64 warps.
    warps: 64,
    shared_bytes: 32 << 10,
    constant_ways: 8,
    constant_misses: 4,
    l1_sets: 64,
    l1_ways: 4,
    ro_sets: 32,
    ro_ways: 8,
    misses: 16,
    is_wraps: false,
};

/// 8 lanes, 32-bit addresses, 4 KB L1, 4 KB read-only cache, 1 KB constant cache; fits an ECP5-85F.
pub const FPGA8: Preset = Preset {
    name: "fpga8",
    lanes: 8,
    address_bits: 32,
    warps: 8,
    shared_bytes: 4 << 10,
    constant_ways: 4,
    constant_misses: 4,
    l1_sets: 16,
    l1_ways: 2,
    ro_sets: 8,
    ro_ways: 4,
    misses: 4,
    is_wraps: false,
};

/// 4 lanes, 32-bit addresses and the least of everything else: for checks in which size does not matter.
pub const TINY4: Preset = Preset {
    name: "tiny4",
    lanes: 4,
    address_bits: 32,
    warps: 2,
    shared_bytes: 512,
    constant_ways: 2,
    constant_misses: 2,
    l1_sets: 2,
    l1_ways: 2,
    ro_sets: 2,
    ro_ways: 2,
    misses: 2,
    is_wraps: false,
};

/// Every preset, the default one first.
pub const ALL: [Preset; 3] = [WARP32, FPGA8, TINY4];

// What the contracts take for granted.
const _: () = {
    let mut index = 0;
    while index < ALL.len() {
        ALL[index].keeps_the_contract();
        index += 1;
    }
};

impl Preset {
    /// The preset of that name.
    pub fn named(name: &str) -> Option<Preset> {
        ALL.into_iter().find(|preset| preset.name == name)
    }

    /// Fails to compile where a preset has sizes that the contracts rule out.
    const fn keeps_the_contract(&self) {
        assert!(
            self.lanes >= 4,
            "an access of 16 bytes needs four banks of shared memory, of which each lane brings one"
        );
        assert!(self.lanes <= MAX_LANES && self.lanes.is_power_of_two(), "lanes number banks and mask bits");
        assert!(self.warps.is_power_of_two(), "every code of `req_warp` is a slot");
        assert!(self.shared_bytes.is_power_of_two(), "rows of shared memory are numbered by address bits");
        assert!(self.shared_bytes >= 4 * self.lanes, "every bank of shared memory has a word");
        assert!(self.l1_sets.is_power_of_two() && self.ro_sets.is_power_of_two(), "sets are numbered by address bits");
    }

    /// The bits of a 64-bit number that an address has.
    pub const fn address_mask(&self) -> u64 {
        u64::MAX >> (64 - self.address_bits)
    }

    /// One bit for each lane.
    pub fn lane_mask(&self) -> u32 {
        u32::MAX >> (32 - self.lanes)
    }
}

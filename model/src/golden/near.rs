//! Near misses: how often each comparison was asked about two values between which a single bit decides.
//!
//! A comparator that ignores one bit errs only there. A check that never sees such a pair cannot find that comparator, so
//! these counts are part of what a check says about itself. They change nothing in the model.

use super::named::named;
use crate::preset::Preset;

/// Sets of the constant cache, as a power of two.
const CONSTANT_SET_BITS: u32 = 2;

/// Bits of a constant line's key: bank and line.
const KEY_BITS: u32 = 15;

/// Bits of an operation's tag.
const TAG_BITS: u32 = 8;

named! {
    /// A comparison of the unit, told apart by what it is asked for.
    Comparator {
        /// Line of a pass against those of the ways of its set in L1.
        L1Tags = "l1_tags";
        /// The same in the read-only cache.
        ReadOnlyTags = "ro_tags";
        /// Line that a way of L1 takes against that of the pass that enters the tag place at the same edge.
        L1NextLine = "l1_next_line";
        /// The same in the read-only cache.
        ReadOnlyNextLine = "ro_next_line";
        /// Line that an MSHR takes against that of the pass that enters the tag place at the same edge.
        MshrNextLine = "mshr_next_line";
        /// Line of a pass against an MSHR's: rule ORDER.
        MshrOrder = "mshr_order";
        /// Line of a pass against an MSHR's that it could join.
        MshrJoin = "mshr_join";
        /// Line of an ordered load against an MSHR's that would lose its place in the cache.
        MshrDrop = "mshr_drop";
        /// Lane against leader, lines of a load: from address bit 7 on.
        LoadLanes = "load_lanes";
        /// Lane against leader, sectors of a store: from address bit 5 on.
        StoreLanes = "store_lanes";
        /// Offset in the shared window against its size.
        SharedWindow = "shared_window";
        /// Offset in shared memory against the bytes of the CTA's window.
        SharedLimit = "shared_limit";
        /// Rank in a cluster's address against the own CTA's.
        ClusterRanks = "cluster_ranks";
        /// Offset in another CTA's shared memory against the bytes of the window.
        ClusterLimit = "cluster_limit";
        /// Offset that another CTA asks for against the bytes of the own CTA's window.
        ServeLimit = "serve_limit";
        /// Bank of a shared lane against the leader's, in another row.
        SharedBanks = "shared_banks";
        /// Row of a shared lane against the leader's, in the same bank.
        SharedRows = "shared_rows";
        /// Offset in the local window against its size.
        LocalWindow = "local_window";
        /// Offset in local memory against its bytes.
        LocalLimit = "local_limit";
        /// Offset in the constant window against its size.
        ConstantWindow = "const_window";
        /// Offset in the parameter window against its size.
        ParamWindow = "param_window";
        /// Offset in a constant bank that a generic address reads against the bank's bytes.
        ConstantLimit = "const_limit";
        /// Sum of operand and immediate against the operand: past the end of the addresses?
        AddressRange = "address_range";
        /// Tag of a pass against those of the waiters: rules ACQUIRE and RELEASE.
        OrderTags = "order_tags";
        /// Warp of a pass against those of other operations' waiters: rules ACQUIRE and RELEASE.
        OrderWarps = "order_warps";
        /// Tag of the collected words against that of the read that comes next.
        CollectTags = "collect_tags";
        /// Tag of the collected words against those of the passes that are on their way.
        AheadTags = "ahead_tags";
        /// Tag of a leaving pass against those of the passes behind it: the operation's last?
        LastTags = "last_tags";
        /// Key of a constant pass against those of the ways of its set.
        ConstantTags = "constant_tags";
        /// Key of a constant pass against those of the miss entries.
        ConstantEntries = "constant_entries";
        /// Lane against leader, keys of an LDC or of a constant load.
        LdcLanes = "ldc_lanes";
        /// Bank sum against the highest bank that there is (LDC-6, LDC-7).
        BankNumber = "bank_number";
        /// LDC address against the last that a bank can have (LDC-3, LDC-5).
        LdcAddress = "ldc_address";
        /// Address of a constant load against the last that a bank can have (CONST).
        ConstantAddress = "constant_address";
        /// Address of a constant load against its operand: past the end of the addresses (CONST)?
        ConstantRange = "constant_range";
        /// Address in a bank against the bank's size (LDC-8).
        BankSize = "bank_size";
        /// Tag of a leaving constant pass against those of the passes behind it.
        ConstantLastTags = "constant_last_tags";
    }
}

impl Comparator {
    /// Bits of the values that it compares.
    pub const fn bits(self, preset: &Preset) -> u32 {
        match self {
            Self::L1Tags
            | Self::ReadOnlyTags
            | Self::L1NextLine
            | Self::ReadOnlyNextLine
            | Self::MshrNextLine
            | Self::MshrOrder
            | Self::MshrJoin
            | Self::MshrDrop
            | Self::LoadLanes => preset.address_bits - 7,
            Self::StoreLanes => preset.address_bits - 5,
            Self::SharedWindow | Self::LocalWindow | Self::ConstantWindow | Self::ParamWindow => preset.address_bits,
            Self::SharedLimit | Self::LocalLimit | Self::AddressRange => preset.address_bits,
            Self::ConstantAddress | Self::ConstantRange => preset.address_bits,
            Self::ClusterRanks => 8,
            Self::ClusterLimit => 24,
            Self::ServeLimit => preset.address_bits,
            Self::SharedBanks => preset.lanes.ilog2(),
            Self::SharedRows => preset.shared_bytes.ilog2() - 2 - preset.lanes.ilog2(),
            Self::OrderTags | Self::CollectTags | Self::AheadTags | Self::LastTags | Self::ConstantLastTags => TAG_BITS,
            Self::OrderWarps => preset.warps.ilog2(),
            Self::ConstantTags | Self::ConstantEntries | Self::LdcLanes => KEY_BITS,
            Self::BankNumber | Self::BankSize | Self::ConstantLimit => 17,
            Self::LdcAddress => 32,
        }
    }

    /// The first and the last bit by which two values that meet here can differ, where a single bit decides: a set holds
    /// no lines of another one, sizes of banks are multiples of 16, and so on.
    pub const fn reachable(self, preset: &Preset) -> (u32, u32) {
        let last = self.bits(preset) - 1;
        match self {
            Self::L1Tags | Self::L1NextLine => (preset.l1_sets.trailing_zeros(), last),
            Self::ReadOnlyTags | Self::ReadOnlyNextLine => (preset.ro_sets.trailing_zeros(), last),
            Self::ConstantTags => (CONSTANT_SET_BITS, last),
            // An immediate of 32 bits carries over the bits below the highest.
            Self::AddressRange | Self::ConstantRange => (1, last),
            // All limits are odd.
            Self::BankNumber => (1, last),
            Self::LdcAddress | Self::ConstantAddress => (16, last),
            // What an address is compared with is a multiple of 16.
            Self::BankSize | Self::ConstantLimit | Self::SharedLimit | Self::LocalLimit | Self::ClusterLimit => {
                (4, last)
            }
            Self::LocalWindow | Self::ConstantWindow | Self::ParamWindow => (4, last),
            // Who asks has a window of its own that lies in as much shared memory.
            Self::ServeLimit => (4, preset.shared_bytes.ilog2()),
            _ => (0, last),
        }
    }
}

/// The counts, by comparator and bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearMisses {
    counts: Vec<Box<[u64]>>,
}

impl NearMisses {
    /// Nothing counted yet, in a unit of `preset`.
    pub fn new(preset: &Preset) -> Self {
        let zeros = |comparator: Comparator| vec![0; comparator.bits(preset) as usize].into_boxed_slice();
        Self { counts: Comparator::ALL.into_iter().map(zeros).collect() }
    }

    /// The counts of `comparator`, bit 0 first; none at all if nothing was counted for any unit.
    pub fn of(&self, comparator: Comparator) -> &[u64] {
        self.counts.get(comparator as usize).map_or(&[], |counts| counts)
    }

    /// Adds the counts of another unit or run of the same preset.
    pub fn add(&mut self, other: &Self) {
        if self.counts.is_empty() {
            self.counts.clone_from(&other.counts);
            return;
        }
        for (counts, others) in self.counts.iter_mut().zip(&other.counts) {
            for (count, other) in counts.iter_mut().zip(others) {
                *count += other;
            }
        }
    }

    /// `comparator` has asked whether two values are equal.
    #[inline]
    pub(super) fn equality(&mut self, comparator: Comparator, one: u64, other: u64) {
        let difference = one ^ other;
        if difference.is_power_of_two() {
            self.count(comparator, difference.trailing_zeros());
        }
    }

    /// `comparator` has asked whether two operations are the same.
    #[inline]
    pub(super) fn tag(&mut self, comparator: Comparator, one: u8, other: u8) {
        self.equality(comparator, one.into(), other.into());
    }

    /// `comparator` has asked whether `one` is less than `other`. The highest bit in which they differ decides, and if
    /// it were not there the bits below would say otherwise.
    #[inline]
    pub(super) fn order(&mut self, comparator: Comparator, one: u64, other: u64) {
        let difference = one ^ other;
        if difference == 0 {
            return;
        }
        let bit = difference.ilog2();
        let below = (1 << bit) - 1;
        if (one < other) != (one & below < other & below) {
            self.count(comparator, bit);
        }
    }

    fn count(&mut self, comparator: Comparator, bit: u32) {
        if let Some(count) = self.counts[comparator as usize].get_mut(bit as usize) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{FPGA8, WARP32};

    #[test]
    fn one_bit_decides_where_leaving_it_out_changes_the_answer() {
        let mut random = 1_u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (one, other) = (random >> 20 & 0x1f, random >> 40 & 0x1f);
            let mut near = NearMisses::new(&FPGA8);
            near.equality(Comparator::MshrJoin, one, other);
            near.order(Comparator::BankSize, one, other);
            for bit in 0..5 {
                let (left, right) = (one & !(1 << bit), other & !(1 << bit));
                let equality = (one == other) != (left == right);
                let order = (one < other) != (left < right);
                assert_eq!(near.of(Comparator::MshrJoin)[bit], u64::from(equality), "{one} {other}");
                assert_eq!(near.of(Comparator::BankSize)[bit], u64::from(order), "{one} {other}");
            }
        }
    }

    #[test]
    fn sums_begin_with_any() {
        let mut near = NearMisses::new(&WARP32);
        near.equality(Comparator::L1Tags, 5, 5 ^ 1 << 41);
        let mut sum = NearMisses::default();
        assert!(sum.of(Comparator::L1Tags).is_empty());
        sum.add(&near);
        sum.add(&near);
        assert_eq!((sum.of(Comparator::L1Tags).len(), sum.of(Comparator::L1Tags)[41]), (42, 2));
    }
}

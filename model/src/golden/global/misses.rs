//! MSHRs, the sectors on their way; and waiters, the passes that wait for them.

use super::super::lanes::bits;
use super::line::Line;
use super::pass::Pass;
use super::rows::Row;
use super::shape::Shape;

/// Room for the MSHRs, and the waiters, of every preset.
pub(super) const MAX_MSHRS: usize = 16;

/// What an MSHR is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::golden) enum Purpose {
    /// Sectors that loads read.
    #[default]
    Load,
    /// The acknowledgement of a store.
    Store,
    /// The rest of the sector of which a local store has written the bytes of these strobes.
    LocalStore { strobes: u32 },
    /// The acknowledgement of a sector that is written back.
    WriteBack,
}

impl Purpose {
    /// Whether its request is a write.
    pub(in crate::golden) fn writes(self) -> bool {
        match self {
            Self::Load | Self::LocalStore { .. } => false,
            Self::Store | Self::WriteBack => true,
        }
    }

    pub(super) fn is_store(self) -> bool {
        match self {
            Self::Store | Self::LocalStore { .. } => true,
            Self::Load | Self::WriteBack => false,
        }
    }
}

/// One line of which sectors are on their way, or a store that is not acknowledged.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Mshr {
    pub line: Line,
    pub ordered: bool,
    /// Of the read-only cache.
    pub read_only: bool,
    pub purpose: Purpose,
    /// What arrives becomes valid in the cache, where the way of `row` is reserved; of a store: its bytes are in that row.
    pub keep: bool,
    /// A way's row or its own.
    pub row: Row,
    /// By sector.
    pub asked: u8,
    pub arrived: u8,
    pub failed: u8,
    /// Waiters that refer to it; it is in use while there is one, and for a cycle more. A write-back's has none.
    pub waiters: u32,
}

/// A pass that waits.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Waiter {
    pub pass: Pass,
    pub mshr: u8,
    /// Sectors that it needs.
    pub needs: u8,
}

/// Whose pass waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Owner {
    pub tag: u8,
    pub warp: u8,
}

/// All of them, by number.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Misses {
    count: usize,
    /// The own row of MSHR 0.
    first_row: u16,
    mshrs: Box<[Mshr; MAX_MSHRS]>,
    waiters: Box<[Waiter; MAX_MSHRS]>,
    /// Tags and warps of the waiters.
    owners: [Owner; MAX_MSHRS],
    /// MSHRs in use.
    mshrs_used: u32,
    /// Those of them to which no waiter refers any more, or whose write-back was answered, since the last edge.
    mshrs_left: u32,
    /// Those of write-backs whose responses are awaited.
    write_backs: u32,
    /// Waiters in use, and those of them whose sectors have all arrived.
    waiters_used: u32,
    ready: u32,
    /// Waiters in use that are acquires.
    acquires: u32,
}

impl Misses {
    /// MSHRs whose own rows have the numbers from `first_row` on.
    pub(super) fn new(count: usize, first_row: usize) -> Self {
        assert!((1..=MAX_MSHRS).contains(&count), "a preset has 1 to {MAX_MSHRS} MSHRs");
        Self {
            count,
            first_row: first_row as u16,
            mshrs: Box::new([Mshr::default(); MAX_MSHRS]),
            waiters: Box::new([Waiter::default(); MAX_MSHRS]),
            owners: [Owner::default(); MAX_MSHRS],
            mshrs_used: 0,
            mshrs_left: 0,
            write_backs: 0,
            waiters_used: 0,
            ready: 0,
            acquires: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        for mshr in self.mshrs.iter_mut() {
            *mshr = Mshr::default();
        }
        (self.mshrs_used, self.mshrs_left, self.write_backs) = (0, 0, 0);
        (self.waiters_used, self.ready, self.acquires) = (0, 0, 0);
    }

    /// MSHRs, and waiters, that the preset has.
    pub(in crate::golden) fn count(&self) -> usize {
        self.count
    }

    /// The MSHR, if it is in use.
    pub(in crate::golden) fn mshr(&self, number: u8) -> Option<&Mshr> {
        (self.mshrs_used >> number & 1 == 1).then(|| &self.mshrs[usize::from(number)])
    }

    /// The waiter, if it is in use.
    pub(in crate::golden) fn waiter(&self, number: u8) -> Option<&Waiter> {
        (self.waiters_used >> number & 1 == 1).then(|| &self.waiters[usize::from(number)])
    }

    /// Whether no pass waits, and no response of a write-back is awaited.
    pub(super) fn is_quiet(&self) -> bool {
        self.waiters_used == 0 && self.write_backs == 0
    }

    /// The lowest-numbered free waiter.
    pub(super) fn free_waiter(&self) -> Option<u8> {
        let number = self.waiters_used.trailing_ones() as usize;
        (number < self.count).then_some(number as u8)
    }

    /// Rule ROW: the own row of an MSHR.
    pub(super) fn own_row(&self, number: u8) -> Row {
        Row(self.first_row + u16::from(number))
    }

    /// Rule MISS: the lowest-numbered MSHR that can be taken: not in use, and its own row not among those `to_be_read`.
    pub(super) fn free_mshr(&self, to_be_read: impl Iterator<Item = Row>) -> Option<u8> {
        let own = to_be_read.filter_map(|row| row.0.checked_sub(self.first_row));
        let blocked = own.fold(self.mshrs_used, |blocked, number| blocked | 1 << number);
        let number = blocked.trailing_ones() as usize;
        (number < self.count).then_some(number as u8)
    }

    /// Whether a pass of the operation `tag` waits.
    pub(super) fn holds(&self, tag: u8) -> bool {
        bits(self.waiters_used).any(|number| self.owners[usize::from(number)].tag == tag)
    }

    /// Whether one of `waiters` is another operation of the same warp.
    fn holds_other(&self, waiters: u32, owner: Owner) -> bool {
        let mut owners = bits(waiters).map(|number| self.owners[usize::from(number)]);
        owners.any(|other| other.warp == owner.warp && other.tag != owner.tag)
    }

    /// Rule ORDER.
    pub(super) fn conflicts(&self, pass: &Pass, need: u8) -> bool {
        let conflicts = |mshr: &Mshr| {
            let is_same_sector = mshr.line == pass.line && mshr.asked & need != 0;
            !mshr.read_only && is_same_sector && (pass.shape.ordered || mshr.ordered)
        };
        bits(self.mshrs_used).any(|number| conflicts(&self.mshrs[usize::from(number)]))
    }

    /// Whether another operation of the warp waits that is an acquire.
    pub(super) fn acquires_before(&self, shape: &Shape) -> bool {
        self.holds_other(self.acquires, Owner { tag: shape.tag, warp: shape.warp })
    }

    /// Whether another operation of the warp waits.
    pub(super) fn waits_before(&self, shape: &Shape) -> bool {
        self.holds_other(self.waiters_used, Owner { tag: shape.tag, warp: shape.warp })
    }

    /// MSHRs in use.
    pub(super) fn mshrs(&self) -> impl Iterator<Item = &Mshr> {
        bits(self.mshrs_used).map(|number| &self.mshrs[usize::from(number)])
    }

    /// Owners of the waiters in use.
    pub(super) fn waiters_owners(&self) -> impl Iterator<Item = Owner> {
        bits(self.waiters_used).map(|number| self.owners[usize::from(number)])
    }

    /// Owners of the waiters in use that are acquires.
    pub(super) fn acquires_owners(&self) -> impl Iterator<Item = Owner> {
        bits(self.acquires).map(|number| self.owners[usize::from(number)])
    }

    /// How many MSHRs and how many waiters are in use.
    pub(in crate::golden) fn in_use(&self) -> [u32; 2] {
        [self.mshrs_used.count_ones(), self.waiters_used.count_ones()]
    }

    /// Rule JOIN: the MSHR that a kept load of `line` joins.
    pub(super) fn joinable(&self, read_only: bool, line: Line) -> Option<u8> {
        bits(self.mshrs_used).find(|number| {
            let mshr = &self.mshrs[usize::from(*number)];
            mshr.keep && !mshr.purpose.is_store() && mshr.read_only == read_only && mshr.line == line
        })
    }

    /// Rule KEEP-LOST: MSHRs of L1, or of the read-only cache, that `picked` names lose `keep`.
    pub(super) fn lose_keep(&mut self, read_only: bool, picked: impl Fn(&Mshr) -> bool) {
        for number in bits(self.mshrs_used) {
            let mshr = &mut self.mshrs[usize::from(number)];
            if mshr.read_only == read_only && picked(mshr) {
                mshr.keep = false;
            }
        }
    }

    /// Takes an MSHR; it is in use once a waiter is taken for it, which happens at the same edge.
    pub(super) fn take_mshr(&mut self, number: u8, mshr: Mshr) {
        self.mshrs[usize::from(number)] = mshr;
    }

    /// Rule WRITE-BACK: takes an MSHR to which no waiter refers; it is in use until its response has come, and for a cycle more.
    pub(super) fn take_for_write_back(&mut self, number: u8, mshr: Mshr) {
        self.take_mshr(number, mshr);
        self.mshrs_used |= 1 << number;
        self.write_backs |= 1 << number;
    }

    /// A joining waiter needs these sectors; gives those that must still be asked for. The MSHR stays in use even if its last waiter
    /// has left: the joining one is taken at the same edge.
    pub(super) fn ask(&mut self, number: u8, sectors: u8) -> u8 {
        let mshr = &mut self.mshrs[usize::from(number)];
        let ask = sectors & !mshr.asked;
        mshr.asked |= ask;
        ask
    }

    /// Takes a waiter.
    pub(super) fn take_waiter(&mut self, number: u8, pass: &Pass, lanes: u32, mshr: u8, needs: u8) {
        let waiter = &mut self.waiters[usize::from(number)];
        waiter.pass = *pass;
        waiter.pass.lanes = lanes;
        waiter.mshr = mshr;
        waiter.needs = needs;
        self.owners[usize::from(number)] = Owner { tag: pass.shape.tag, warp: pass.shape.warp };
        self.waiters_used |= 1 << number;
        self.acquires |= u32::from(pass.shape.acquire) << number;
        self.mshrs_used |= 1 << mshr;
        let mshr = &mut self.mshrs[usize::from(mshr)];
        mshr.waiters |= 1 << number;
        self.ready |= u32::from(needs & !mshr.arrived == 0) << number;
    }

    /// Rule RESPONSE: `sector` of MSHR `number` has come, perhaps with an `error`; gives the MSHR. None if it is not in use:
    /// responses that nobody asked for break the port contract.
    pub(super) fn arrive(&mut self, number: u8, sector: u8, error: bool) -> Option<Mshr> {
        let mshr = self.mshrs.get_mut(usize::from(number)).filter(|_| self.mshrs_used >> number & 1 == 1)?;
        mshr.arrived |= 1 << sector;
        mshr.failed |= u8::from(error) << sector;
        let answered = self.write_backs & 1 << number;
        self.write_backs &= !answered;
        self.mshrs_left |= answered;
        for waiter in bits(mshr.waiters) {
            let needs = self.waiters[usize::from(waiter)].needs;
            self.ready |= u32::from(needs & !mshr.arrived == 0) << waiter;
        }
        Some(*mshr)
    }

    /// Rule READY: the lowest-numbered waiter whose sectors have all arrived.
    pub(super) fn ready(&self) -> Option<u8> {
        (self.ready != 0).then(|| self.ready.trailing_zeros() as u8)
    }

    /// MSHRs that are in use only for this cycle more, if nobody joins them.
    pub(super) fn left(&mut self) -> u32 {
        std::mem::take(&mut self.mshrs_left)
    }

    /// Those of `left` that nobody joined are not in use any more. (One that was joined at the edge at which it was left may be left
    /// again at the next.)
    pub(super) fn end_use(&mut self, left: u32) {
        for number in bits(left & !self.mshrs_left) {
            if self.mshrs[usize::from(number)].waiters == 0 {
                self.mshrs_used &= !(1 << number);
            }
        }
    }

    /// Rule READY: frees a waiter; gives it, and the MSHR that it waited for, which stays in use for a cycle more.
    pub(super) fn release(&mut self, number: u8) -> (&Waiter, &Mshr) {
        let waiter = &self.waiters[usize::from(number)];
        let mshr = &mut self.mshrs[usize::from(waiter.mshr)];
        mshr.waiters &= !(1 << number);
        if mshr.waiters == 0 {
            self.mshrs_left |= 1 << waiter.mshr;
        }
        self.waiters_used &= !(1 << number);
        self.ready &= !(1 << number);
        self.acquires &= !(1 << number);
        (waiter, mshr)
    }
}

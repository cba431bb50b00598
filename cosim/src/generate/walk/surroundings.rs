//! What other CTAs and strangers ask for, and what is on its way when a reset comes.

use lsu_model::pins::Request;

use super::super::access::{GENERIC, LOAD, SHARED, STORE};
use super::super::banks::{BANK, Place};
use super::super::cluster::CLUSTER;
use super::super::constant_load::CONST;
use super::super::ground::SECTOR;
use super::super::ldc::uniform_request;
use super::super::tiles::Cta;
use super::{LATE, SOON, Walk};
use crate::program::{Latency, OFFSET_BITS, Program, Reset, SHARED_GRANULE, Wait};

/// Units of a program in which one asks the other.
const UNITS: u32 = 2;

/// Percent of cycles in which a stranger asks, and operations meanwhile, some ten cycles each.
const STRANGERS: u8 = 50;
const BESIDE_STRANGERS: u64 = 40;

/// Percent of cycles in which no answer is taken, how many resets there are then, and cycles from one to the next.
const STALLED: u8 = 50;
const FORGOTTEN: u64 = 20;
const APART: u64 = 31;

/// Loads that read banks, and a cycle in which some of them are through.
const BESIDE_RESET: usize = 60;
const AMONG_LOADS: u64 = 60;

/// The largest unit has asked for all that it can then, and memory answers later.
const ALL_ASKED: u64 = 90;
const BEHIND_RESET: Latency = Latency::Between { least: 100, most: 120 };

/// Operations before a reset, cycles from one reset to the next, and how many there are.
const UNANSWERED: usize = 64;
const RESET_CYCLES: u64 = 90;
const RESETS: u64 = 6;

impl Walk<'_> {
    /// A read and a write of another CTA's memory at each offset of one bit, from the one that every CTA has to those that none has.
    pub(super) fn one_offset_bit(&mut self) -> Latency {
        self.sms = UNITS;
        let other = 1 << OFFSET_BITS;
        for bit in SHARED_GRANULE.trailing_zeros()..OFFSET_BITS {
            for op in [STORE, LOAD] {
                let remote = Request { space: CLUSTER, ..self.access(op, other | 1 << bit) };
                self.push(Wait::No, Cta::whole(self.preset).request(remote));
            }
        }
        SOON
    }

    /// A CTA whose window begins beyond shared memory, which one bit of its beginning tells alone: each bit. It has nothing.
    pub(super) fn one_window_bit(&mut self) -> Latency {
        let shared_size = self.preset.shared_bytes as u32;
        for bit in SHARED_GRANULE.trailing_zeros()..shared_size.ilog2() {
            for op in [STORE, LOAD] {
                let own =
                    Request { space: SHARED, shared_base: shared_size | 1 << bit, shared_size, ..self.access(op, 0) };
                self.push(Wait::No, own);
            }
        }
        SOON
    }

    /// Strangers ask for what is beyond shared memory, one bit of the address after the other, while the CTA uses its own.
    pub(super) fn one_stranger_bit(&mut self) -> Latency {
        self.traffic.strangers = STRANGERS;
        for number in 0..BESIDE_STRANGERS {
            let op = if number % 2 == 0 { STORE } else { LOAD };
            let own = Request { space: SHARED, ..self.access(op, 4 * number) };
            self.push(Wait::All, Cta::whole(self.preset).request(own));
        }
        SOON
    }

    /// Resets while strangers and the other unit ask and answers are held up: what they have asked for is forgotten if the memory side
    /// forgets, too, and is answered if not; and so is what the unit has asked the other.
    pub(super) fn one_stranger_forgotten(&mut self) -> Latency {
        self.sms = UNITS;
        (self.traffic.strangers, self.traffic.stall) = (STRANGERS, STALLED);
        let whole = Cta::whole(self.preset);
        for number in 0..BESIDE_STRANGERS {
            let own = Request { space: SHARED, ..self.access(STORE, 4 * number) };
            let mut remote = Request { space: CLUSTER, ..self.access(LOAD, 1 << OFFSET_BITS) };
            (0..self.preset.lanes).for_each(|lane| remote.addr[lane] += SECTOR * lane as u64);
            [own, remote].into_iter().for_each(|request| self.push(Wait::No, whole.request(request)));
        }
        let resets =
            (1..=FORGOTTEN).map(|number| Reset { cycle: number * APART, memory: number % 2 == 0, banks: true });
        self.resets.extend(resets);
        SOON
    }

    /// A reset when all sectors are asked for that can be, and none has come: the count of those unanswered is the highest, and goes down one by
    /// one.
    pub(super) fn one_reset_while_full(&mut self) -> Latency {
        self.lines_of_constants(self.preset.constant_misses, &mut 0);
        (0..2 * self.preset.misses).for_each(|_| self.whole_line());
        self.resets.push(Reset { cycle: ALL_ASKED, memory: false, banks: true });
        BEHIND_RESET
    }

    /// A reset that nobody writes the bank table after: LDCs, constant loads and lanes in the window of constants find no bank, where they
    /// found one before.
    pub(super) fn one_reset_without_banks(&mut self) -> Latency {
        let constants = Program::empty(*self.preset).windows(0).constant.base;
        for number in 0..BESIDE_RESET {
            let request = match number % 3 {
                0 => uniform_request(self.preset, Place { bank: BANK, address: 0 }),
                1 => Request { space: CONST, ..self.access(LOAD, 0) },
                _ => Request { space: GENERIC, ..self.access(LOAD, constants) },
            };
            self.push(Wait::No, request);
        }
        self.resets.push(Reset { cycle: AMONG_LOADS, memory: false, banks: false });
        SOON
    }

    /// Loads and stores past L1, and resets among them, each some cycles later after the one before than in the step before.
    pub(super) fn one_reset(&mut self, step: usize) -> Latency {
        for number in 0..UNANSWERED {
            match number % 2 {
                0 => self.miss(),
                _ => {
                    let address = self.lines(super::LINE);
                    let store = Request { mask: 1, ..self.access(STORE, address) };
                    self.push(Wait::No, store);
                }
            }
        }
        let first = 20 + 7 * step as u64;
        self.resets = (0..RESETS)
            .map(|number| Reset { cycle: first + RESET_CYCLES * number, memory: false, banks: true })
            .collect();
        LATE
    }
}

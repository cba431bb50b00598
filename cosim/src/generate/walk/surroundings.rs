//! What other CTAs and strangers ask for, and what is on its way when a reset comes.

use std::iter;

use lsu_model::micro_op::Command;
use lsu_model::pins::Request;

use super::super::banks::{BANK, Place};
use super::super::bare;
use super::super::codes::{CLUSTER, CONST, GENERIC, LOAD, LOCAL, SHARED, STORE};
use super::super::ground::SECTOR;
use super::super::ldc::uniform_request;
use super::super::tiles::Cta;
use super::{FIRST_UPPER_BANK, LATE, SOON, Walk};
use crate::program::{Latency, OFFSET_BITS, Program, Reset, SHARED_GRANULE, Wait};

/// Units of a program in which one asks the other.
pub(super) const UNITS: u32 = 2;

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

/// Operations of each unit among resets, how many resets there are, and cycles from one to the next: more by one than from that to the
/// one before, over so many, so that each comes in another moment of a request's way.
const AMONG_RESETS: u64 = 120;
const MOMENTS: u64 = 60;
const LEAST_APART: u64 = 17;
const MORE_APART: u64 = 13;

/// Stores of a unit beside a read of all lanes of another one.
const STORES_BESIDE: u64 = 6;

/// Runs of resets, cycles from one to the next, and the resets of a run: the bits of its number say at which the memory side forgets, too.
const RUNS: u64 = 16;
const RUNS_APART: u64 = 60;
const RUN_RESETS: u64 = 4;

/// Percent of cycles in which no port moves, so that most transfers wait for about a hundred, and rounds of operations meanwhile.
const HARDLY_EVER: u8 = 99;
const ROUNDS: u64 = 3;

/// Resets while so many lines of constants are on their way, and cycles from one to the next.
const SOURCES: u64 = 72;
const SOURCE_LINES: usize = 6;
const SOURCES_LEAST_APART: u64 = 41;
const SOURCES_MORE_APART: u64 = 23;

/// Resets among the stores of one unit to another: over so many cycles each comes a cycle later after the one before than that one did.
const WRITES: u64 = 128;
const WRITES_LEAST_APART: u64 = 20;
const WRITES_MORE_APART: u64 = 32;

/// Rounds of [`Walk::one_event_at_reset`], and percent of beats with a wrong tag.
const EVENTS: usize = 400;
const WRONG_TAG: u8 = 40;

/// Pairs of resets of which the second comes a cycle later than in the pair before, until all banks have been written; loads in each window
/// for a pair, and cycles from one to the next.
const BANKS_AT_RESET: u64 = 10;
const LOADS_AT_RESET: usize = 12;
const BANKS_APART: u64 = 60;

/// Resets while the port to other units has asked for all that it can: over so many cycles each comes a cycle later after the one before than
/// that one did.
const FULL_RESETS: u64 = 40;
const FULL_LEAST_APART: u64 = 40;

/// Loads of shared memory that take about as long as a request to another unit in an ideal network, and resets for each number of them, each
/// a cycle later after the one before than that one.
const UNTIL_RETURN: std::ops::Range<u64> = 20..25;
const RETURN_RESETS: u64 = 34;
const RETURN_LEAST_APART: u64 = 26;

/// Later than any counter of cycles that somebody may think is long enough ends.
const VERY_LATE: Latency = Latency::Between { least: 300, most: 300 };

/// A cycle in which the count of those that the release has waited needs a 17th bit, and answers that do not come before it.
const CARRIED: u64 = (1 << 16) + 500;
const BEYOND_CARRY: Latency = Latency::Between { least: CARRIED as u32, most: CARRIED as u32 };

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
            self.push(Wait::No, whole.request(own));
            self.push(Wait::No, self.remote_sectors());
        }
        let resets =
            (1..=FORGOTTEN).map(|number| Reset { cycle: number * APART, memory: number % 2 == 0, banks: true });
        self.resets.extend(resets);
        SOON
    }

    /// Each unit writes to the other, reads what it has written, and reads memory, among resets at every moment of it; what the other had
    /// taken is done all the same.
    pub(super) fn one_moment_of_reset(&mut self) -> Latency {
        self.exchange(AMONG_RESETS);
        self.reset_at_every_moment();
        SOON
    }

    /// The same among resets of several cycles, in some of which the memory side forgets: in any of them, but not in others.
    pub(super) fn one_run_of_resets(&mut self) -> Latency {
        self.exchange(AMONG_RESETS);
        for run in 0..RUNS {
            let first = RUNS_APART * (run + 1);
            let resets = (0..RUN_RESETS).map(|number| Reset {
                cycle: first + number,
                memory: run >> number & 1 == 1,
                banks: true,
            });
            self.resets.extend(resets);
        }
        SOON
    }

    /// A unit stores to its shared memory all the time, and another one reads it, a sector for each lane, among resets at every moment: a read
    /// that waits for a store's bytes goes on as soon as they are lost.
    pub(super) fn one_moment_between_stores(&mut self) -> Latency {
        self.sms = UNITS;
        let whole = Cta::whole(self.preset);
        for number in 0..AMONG_RESETS {
            self.push_to(0, Wait::No, self.remote_sectors());
            for part in 0..STORES_BESIDE {
                let own = Request { space: SHARED, ..self.access(STORE, 4 * (number + part)) };
                self.push_to(1, Wait::No, whole.request(own));
            }
        }
        self.reset_at_every_moment();
        SOON
    }

    /// Resets that the memory side does not know.
    fn reset_at_every_moment(&mut self) {
        let others = (1..MOMENTS).map(|number| LEAST_APART + (number - 1) % MORE_APART);
        self.reset_after(iter::once(LEAST_APART).chain(others));
    }

    /// Resets that the memory side does not know, each so many cycles after the one before.
    fn reset_after(&mut self, cycles: impl Iterator<Item = u64>) {
        let mut cycle = 0;
        for more in cycles {
            cycle += more;
            self.resets.push(Reset { cycle, memory: false, banks: true });
        }
    }

    /// Some of everything, while hardly any port moves.
    pub(super) fn one_port_at_a_time(&mut self) -> Latency {
        self.exchange(ROUNDS);
        for _ in 0..ROUNDS {
            let line = self.lines(super::LINE);
            let local = Request { space: LOCAL, ..self.access(STORE, 0) };
            let misaligned = self.access(LOAD, line + 1);
            let store = Request { mask: 1, ..self.access(STORE, line) };
            let constant = uniform_request(self.preset, Place { bank: BANK, address: 0 });
            for request in [local, misaligned, store, constant, bare(Command::WriteBackLocal)] {
                self.push(Wait::No, request);
            }
        }
        self.traffic.stall = HARDLY_EVER;
        SOON
    }

    /// A load of another unit's shared memory, a sector for each lane.
    pub(super) fn remote_sectors(&self) -> Request {
        let mut remote = Request { space: CLUSTER, ..self.access(LOAD, 1 << OFFSET_BITS) };
        (0..self.preset.lanes).for_each(|lane| remote.addr[lane] += SECTOR * lane as u64);
        Cta::whole(self.preset).request(remote)
    }

    /// So many times, two units write to each other, read that, and read memory past L1.
    fn exchange(&mut self, times: u64) {
        self.sms = UNITS;
        let whole = Cta::whole(self.preset);
        for number in 0..times {
            for sm in 0..u64::from(UNITS) {
                let place = ((1 - sm) << OFFSET_BITS) + SECTOR * (number % 4);
                for op in [STORE, LOAD] {
                    let remote = Request { space: CLUSTER, ..self.access(op, place) };
                    self.push_to(sm as u32, Wait::No, whole.request(remote));
                }
                self.miss_of(sm as u32);
            }
        }
    }

    /// A reset while lines of constants are asked for, and then a load and an LDC that come to the memory port in one cycle, as loads of shared
    /// memory before them take as long as that needs: the first source goes first, whoever was last before the reset.
    pub(super) fn one_source_after_reset(&mut self) -> Latency {
        let (mut line, mut cycle) = (0, 0);
        for number in 0..SOURCES {
            self.when_done(|walk| walk.lines_of_constants(SOURCE_LINES, &mut line));
            let mut conflicts = Request { mask: u32::MAX >> (31 - number % 3), ..self.shared_load(0) };
            (0..3).for_each(|lane| conflicts.addr[lane] = 4 * (self.preset.lanes * lane) as u64);
            self.push(Wait::All, conflicts);
            let address = self.lines(super::LINE);
            self.push(Wait::No, Request { mask: 1, ..self.access(LOAD, address) });
            self.lines_of_constants(1, &mut line);
            cycle += SOURCES_LEAST_APART + 5 * number % SOURCES_MORE_APART;
            self.resets.push(Reset { cycle, memory: number % 2 == 1, banks: true });
        }
        SOON
    }

    /// A unit writes to another, which reads that: among resets one of which comes as the write is done, which the memory side knows, or not.
    pub(super) fn one_write_at_reset(&mut self) -> Latency {
        self.sms = UNITS;
        let whole = Cta::whole(self.preset);
        let mut cycle = 0;
        for number in 0..WRITES {
            let remote = Request { space: CLUSTER, ..self.access(STORE, 1 << OFFSET_BITS) };
            self.push_to(0, Wait::All, whole.request(remote));
            // The first of these is lost with the write, as it is taken at the reset's edge.
            (0..2).for_each(|_| self.push_to(1, Wait::All, self.shared_load(0)));
            cycle += WRITES_LEAST_APART + number % WRITES_MORE_APART;
            self.resets.push(Reset { cycle, memory: number / WRITES_MORE_APART % 2 == 1, banks: true });
        }
        SOON
    }

    /// Answers to what was asked before a reset that come hundreds of cycles later: the unit waits for each of them.
    pub(super) fn one_answer_long_after(&mut self) -> Latency {
        (0..3).for_each(|_| self.miss());
        self.resets.push(Reset { cycle: LEAST_APART, memory: false, banks: true });
        VERY_LATE
    }

    /// A release waits for a load for more cycles than 16 bits count, and a reset then ends all that.
    pub(super) fn one_counter_carried(&mut self) -> Latency {
        self.miss();
        let line = self.lines(super::LINE);
        self.push(Wait::No, self.release(line));
        self.resets.push(Reset { cycle: CARRIED, memory: true, banks: true });
        BEYOND_CARRY
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

    /// Resets among LDCs that read no bank that there is, commands, and stores whose beats have another operation's tag: what would set a
    /// sticky pin, or be done, in the very cycle of a reset is not.
    pub(super) fn one_event_at_reset(&mut self) -> Latency {
        self.traffic.wrong_tag = WRONG_TAG;
        let beyond = self.banks_beyond(BANK, FIRST_UPPER_BANK - u64::from(BANK));
        for _ in 0..EVENTS {
            let address = self.lines(super::LINE);
            for request in [beyond, bare(Command::InvalidateConstant), self.access(STORE, address)] {
                self.push(Wait::No, request);
            }
        }
        self.reset_at_every_moment();
        SOON
    }

    /// Resets while the bank table is written, which nobody writes again: loads in both windows of constants find no bank.
    pub(super) fn one_bank_at_reset(&mut self) -> Latency {
        let windows = Program::empty(*self.preset).windows(0);
        let mut cycle = 0;
        for bank in 1..=BANKS_AT_RESET {
            let generic = [windows.constant.base, windows.param.base]
                .map(|base| Request { space: GENERIC, ..self.access(LOAD, base) });
            for request in generic {
                (0..LOADS_AT_RESET).for_each(|_| self.push(Wait::No, request));
            }
            cycle += BANKS_APART;
            let written = [(cycle, true), (cycle + bank, false)];
            self.resets.extend(written.map(|(cycle, banks)| Reset { cycle, memory: true, banks }));
        }
        SOON
    }

    /// Resets while a unit has asked another for all that it can: the count of those unanswered is the highest, in some moment.
    pub(super) fn one_reset_while_cluster_full(&mut self) -> Latency {
        self.sms = UNITS;
        for _ in 0..FULL_RESETS {
            for line in 0..2 * self.preset.misses as u64 {
                let mut remote = self.remote_sectors();
                (0..self.preset.lanes).for_each(|lane| remote.addr[lane] += super::LINE * line);
                self.push(Wait::No, remote);
            }
        }
        self.reset_after((0..FULL_RESETS).map(|number| FULL_LEAST_APART + number));
        Latency::Ideal
    }

    /// A unit asks another one again as its only request is answered, which it does after about as many loads of its own memory as that takes, and
    /// a reset comes then, at every moment of that.
    pub(super) fn one_return_at_reset(&mut self) -> Latency {
        self.sms = UNITS;
        let remote = Request { mask: 1, ..self.remote_sectors() };
        let own = Request { space: SHARED, ..self.access(STORE, 0) };
        self.push(Wait::No, Cta::whole(self.preset).request(own));
        for loads in UNTIL_RETURN {
            for _ in 0..RETURN_RESETS {
                self.push(Wait::All, remote);
                (0..loads).for_each(|_| self.push(Wait::No, self.shared_load(0)));
                self.push(Wait::No, remote);
            }
        }
        let cycles = UNTIL_RETURN.flat_map(|_| (0..RETURN_RESETS).map(|number| RETURN_LEAST_APART + number));
        self.reset_after(cycles);
        Latency::Ideal
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

//! LDCs and fetches of the constant cache that fail, which lanes they fail, and what is left of it in the entry that held them; and fetches
//! that an invalidation kills.

use lsu_model::micro_op::{AccessSize, Command, LdcMode};
use lsu_model::pins::{BankWrite, Request};

use super::super::banks::{BANK, LARGEST, LINE, Place, bank};
use super::super::bare;
use super::super::changes::carrier;
use super::super::codes::{CONST, GENERIC, LOAD};
use super::super::ground::SECTOR;
use super::super::ldc::uniform_request;
use super::{FIRST_UPPER_BANK, IN_TURN, SOON, STEADY, Walk};
use crate::program::{Bank, CONSTANT_BANK, Change, Latency, PARAM_BANK, Program, Wait};

/// A bank whose first line fails, and one that is a line of one sector.
const FAILING_BANK: u8 = 5;
const SHORT_BANK: u8 = 6;

/// Bytes from one line of a set to the next: there are four sets.
const SET_STRIDE: u32 = 4 * LINE;

/// Fetches that are killed one after the other, and when they come: what memory is asked for the first time, long after what it had.
const KILLED: u32 = 6;
const FIRST_LATE: Latency = Latency::Between { least: 4, most: 300 };

/// Rounds of which each has one empty pass more before the invalidation than the one before it.
const SHARED_ROUNDS: usize = 6;

/// Registers of 64 bits, and answers while an operation still gives them.
const WIDE: u8 = 2;
const AT_ONCE: Latency = Latency::Between { least: 1, most: 1 };

/// Lines of memory in which a bank lies that changes.
const BANK_LINES: u64 = 16;

/// The highest number of a bank.
const LAST_BANK: u8 = 31;

impl Walk<'_> {
    /// The banks of both windows, and one of LDCs, with another size and then another base in turn, at least none at all: what lies behind
    /// the end that was, or is, and before it.
    pub(super) fn one_bank_in_place(&mut self) -> Latency {
        let windows = Program::empty(*self.preset).windows(0);
        let place = self.lines(BANK_LINES * super::LINE);
        for (index, window) in
            [(CONSTANT_BANK, Some(windows.constant)), (PARAM_BANK, Some(windows.param)), (BANK, None)]
        {
            for (size, base) in
                [(0x100, 0), (0x200, 0), (0, 0), (0x100, 0x100), (0, 0x100), (0x200, 0x100), (0x100, 0x100)]
            {
                let write = BankWrite { index, base: place + base, size, valid: true };
                let change = Change { banks: vec![write], ..Change::default() };
                self.ops.push(carrier(change, 0));
                for address in [0, 0x10, 0xfc, 0x100, 0x1fc, 0x200_u32] {
                    let request = match window {
                        Some(window) => {
                            Request { space: GENERIC, mask: 1, ..self.access(LOAD, window.base + u64::from(address)) }
                        }
                        None => uniform_request(self.preset, Place { bank: index, address }),
                    };
                    self.push(Wait::No, request);
                }
            }
        }
        SOON
    }

    /// LDCs of a bank that compute mode does not have, each with another fault: none of them sets the sticky pin, as none reads a bank.
    pub(super) fn one_fault_beyond(&mut self) -> Latency {
        let request = self.banks_beyond(BANK, FIRST_UPPER_BANK);
        let misaligned_register = Request { size: AccessSize::Bits64.code(), rd: 9, ..request };
        let illegal = Request { size: AccessSize::Invalid7.code(), ..request };
        let misaligned_address = Request { imm: 2, ..request };
        for faulty in [misaligned_register, illegal, misaligned_address] {
            self.push(Wait::No, faulty);
        }
        SOON
    }

    /// An LDC whose bank sum has one bit more than banks have, and nothing in the others that compute mode does not have: the first such
    /// operation sets a sticky pin.
    pub(super) fn one_bank_carried(&mut self) -> Latency {
        let request = self.banks_beyond(LAST_BANK, 1);
        self.push(Wait::No, request);
        SOON
    }

    /// Each lane alone in a line that fails, while the others are in one that does not.
    pub(super) fn one_constant_failed(&mut self) -> Latency {
        self.failing_bank();
        for lane in 0..self.preset.lanes {
            let mut request = uniform_request(self.preset, Place { bank: FAILING_BANK, address: LINE });
            request.addr[lane] = 0;
            self.push(Wait::No, request);
        }
        IN_TURN
    }

    /// A line fails that was fetched into each of the entries in turn, and then a line of one sector comes through the same entry: of that
    /// nothing fails, and it is kept. Between them comes nothing, or a line that does not fail.
    pub(super) fn one_entry_failed(&mut self) -> Latency {
        self.failing_bank();
        self.banks.push(bank(SHORT_BANK, SECTOR as u32));
        let mut fresh = 0;
        for (entry, behind) in (0..self.preset.constant_misses).flat_map(|entry| [(entry, 0), (entry, 1)]) {
            self.command(Command::InvalidateConstant);
            for bank in [FAILING_BANK, SHORT_BANK] {
                self.when_done(|walk| {
                    walk.lines_of_constants(entry, &mut fresh);
                    walk.push(Wait::No, uniform_request(walk.preset, Place { bank, address: 0 }));
                    walk.lines_of_constants(behind, &mut fresh);
                });
            }
            self.push(Wait::All, uniform_request(self.preset, Place { bank: SHORT_BANK, address: 0 }));
        }
        IN_TURN
    }

    /// A fetch that an invalidation kills, and that comes when its set is full again: memory has had the lines of the set before, and not
    /// that one. It takes a way, and leaves nothing in it.
    pub(super) fn one_line_killed(&mut self) -> Latency {
        let ways = self.preset.constant_ways as u32;
        let line = |number| Place { bank: BANK, address: number * SET_STRIDE };
        for round in 0..KILLED {
            let killed = line(ways + round);
            self.push(Wait::All, uniform_request(self.preset, killed));
            self.push(Wait::No, bare(Command::InvalidateConstant));
            (0..ways).for_each(|way| self.push(Wait::No, uniform_request(self.preset, line(way))));
            self.push(Wait::All, uniform_request(self.preset, killed));
        }
        FIRST_LATE
    }

    /// Loads that share the fetch of a line, an invalidation, and a load of the line, which has a fetch of its own: a line of one sector,
    /// and a whole one.
    pub(super) fn one_shared_fetch_killed(&mut self) -> Latency {
        self.banks.push(bank(SHORT_BANK, SECTOR as u32));
        for bank in [SHORT_BANK, BANK] {
            let load = |word: u32| Place { bank, address: 4 * word };
            for before in 0..SHARED_ROUNDS {
                self.command(Command::InvalidateConstant);
                self.push(Wait::All, uniform_request(self.preset, load(0)));
                self.push(Wait::No, uniform_request(self.preset, load(1)));
                self.pause(before);
                self.push(Wait::No, bare(Command::InvalidateConstant));
                self.push(Wait::No, uniform_request(self.preset, load(2)));
            }
        }
        STEADY
    }

    /// An operation of two passes, of which one misses, and the other hits and gives registers for so long that the line of the first
    /// comes: killed, by the invalidation behind the operation.
    pub(super) fn one_pass_killed(&mut self) -> Latency {
        for before in 0..SHARED_ROUNDS {
            self.push(Wait::All, uniform_request(self.preset, Place { bank: CONSTANT_BANK, address: LINE }));
            let mut both = Request { space: CONST, vec: 2, dst_width: WIDE, ..self.access(LOAD, 0) };
            (1..self.preset.lanes).step_by(2).for_each(|lane| both.addr[lane] = LINE.into());
            self.push(Wait::All, both);
            self.pause(before);
            self.push(Wait::No, bare(Command::InvalidateConstant));
        }
        AT_ONCE
    }

    /// An LDC of mode IL whose lanes all read the first word of the bank so many behind `bank`.
    pub(super) fn banks_beyond(&self, bank: u8, behind: u64) -> Request {
        let mut request = uniform_request(self.preset, Place { bank, address: 0 });
        request.mode = LdcMode::Il.code();
        request.addr[..self.preset.lanes].fill(behind << 16);
        request
    }

    /// LDCs of so many lines, from `fresh` on.
    pub(super) fn lines_of_constants(&mut self, count: usize, fresh: &mut u32) {
        for _ in 0..count {
            self.push(Wait::No, uniform_request(self.preset, Place { bank: BANK, address: *fresh }));
            *fresh += LINE;
        }
    }

    /// The bank whose first line fails.
    fn failing_bank(&mut self) {
        let base = self.lines(LARGEST.into());
        self.failing.extend([base, base + SECTOR]);
        self.banks.push(Bank { base: Some(base), ..bank(FAILING_BANK, LARGEST) });
    }
}

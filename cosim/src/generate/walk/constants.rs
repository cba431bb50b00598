//! Fetches of the constant cache that fail: which lanes they fail, and what is left of it in the entry that held them.

use lsu_model::micro_op::Command;

use super::super::banks::{BANK, LARGEST, LINE, Place, bank};
use super::super::ground::SECTOR;
use super::super::ldc::uniform_request;
use super::{IN_TURN, Walk};
use crate::program::{Bank, Latency, Wait};

/// A bank whose first line fails, and one that is a line of one sector.
const FAILING_BANK: u8 = 5;
const SHORT_BANK: u8 = 6;

impl Walk<'_> {
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
    /// nothing fails, and it is kept.
    pub(super) fn one_entry_failed(&mut self) -> Latency {
        self.failing_bank();
        self.banks.push(bank(SHORT_BANK, SECTOR as u32));
        let mut fresh = 0;
        for entry in 0..self.preset.constant_misses {
            self.command(Command::InvalidateConstant);
            for bank in [FAILING_BANK, SHORT_BANK] {
                self.when_done(|walk| {
                    for _ in 0..entry {
                        walk.push(Wait::No, uniform_request(walk.preset, Place { bank: BANK, address: fresh }));
                        fresh += LINE;
                    }
                    walk.push(Wait::No, uniform_request(walk.preset, Place { bank, address: 0 }));
                });
            }
            self.push(Wait::All, uniform_request(self.preset, Place { bank: SHORT_BANK, address: 0 }));
        }
        IN_TURN
    }

    /// The bank whose first line fails.
    fn failing_bank(&mut self) {
        let base = self.lines(LARGEST.into());
        self.failing.extend([base, base + SECTOR]);
        self.banks.push(Bank { base: Some(base), ..bank(FAILING_BANK, LARGEST) });
    }
}

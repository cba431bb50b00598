//! Every code of the pins that decide whether an operation is legal.

use lsu_model::micro_op::{AccessSize, CacheOperator, Scope, Semantics, Space};
use lsu_model::pins::Request;

use super::super::codes::{GENERIC, GLOBAL, LOAD, STORE};
use super::super::ground::LINE;
use super::super::tiles::Cta;
use super::{SOON, Walk};
use crate::program::{Latency, Wait};

/// Codes of the pin `req_vec`.
const VECTORS: u8 = 4;

impl Walk<'_> {
    /// Loads and stores of one lane in every space: of all semantics with all operators, non-coherent and not; of all sizes with all counts of
    /// elements.
    pub(super) fn one_code(&mut self) -> Latency {
        for space in 0..Space::CODE_COUNT as u8 {
            for op in [STORE, LOAD] {
                let address = if [GENERIC, GLOBAL].contains(&space) { self.lines(LINE) } else { 0 };
                let within = Request { space, mask: 1, ..self.access(op, address) };
                let whole = Cta::whole(self.preset).request(within);
                for sem in 0..Semantics::CODE_COUNT as u8 {
                    for cop in 0..CacheOperator::CODE_COUNT as u8 {
                        for nc in [false, true] {
                            let scope = self.random.below(Scope::CODE_COUNT as u64) as u8;
                            self.push(Wait::No, Request { sem, cop, nc, scope, ..whole });
                        }
                    }
                }
                for size in 0..AccessSize::CODE_COUNT as u8 {
                    for vec in 0..VECTORS {
                        self.push(Wait::No, Request { size, vec, ..whole });
                    }
                }
            }
        }
        SOON
    }
}

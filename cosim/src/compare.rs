//! Which output pins differ between two engines in one cycle: payloads only while their `valid` is high in both.

use std::fmt;

use lsu_model::pins::{Bundle, Outputs, Value, Width};

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Port group: `req`, `wb`, `fault`, `done`, `mem_req`, `mem_rsp`, `cluster_req`, `cluster_rsp`, `serve_req`,
    /// `serve_rsp`, `wdata`, `status`.
    pub port: &'static str,
    /// Lane, for a field that has one value for each lane.
    pub lane: Option<usize>,
    /// Field within the group.
    pub field: &'static str,
    /// What the engine that drives the run says.
    pub expected: u64,
    /// What the other one says.
    pub found: u64,
}

impl Difference {
    /// The place, such as `wb lane 7: data`.
    pub fn place(&self) -> String {
        match self.lane {
            Some(lane) => format!("{} lane {lane}: {}", self.port, self.field),
            None => format!("{}: {}", self.port, self.field),
        }
    }

    /// The values, such as `RTL 0x2, model 0x1`.
    pub fn values(&self, found_name: impl fmt::Display, expected_name: impl fmt::Display) -> String {
        format!("{found_name} {:#x}, {expected_name} {:#x}", self.found, self.expected)
    }
}

/// Every field of the outputs that differs, the first of which names the failure: handshakes before payloads, and lanes
/// before what they have in common.
pub fn differences(expected: &Outputs, found: &Outputs, lanes: usize) -> Vec<Difference> {
    let mut list = List { differences: Vec::new(), lanes };
    list.flags(expected, found);
    if expected.wb_valid && found.wb_valid {
        list.bundle(&expected.wb, &found.wb);
    }
    if expected.fault_valid && found.fault_valid {
        list.bundle(&expected.fault, &found.fault);
    }
    if expected.done_valid && found.done_valid {
        list.bundle(&expected.done, &found.done);
    }
    if expected.mem_req_valid && found.mem_req_valid {
        list.bundle(&expected.mem_req, &found.mem_req);
    }
    if expected.cluster_req_valid && found.cluster_req_valid {
        list.bundle(&expected.cluster_req, &found.cluster_req);
    }
    if expected.serve_rsp_valid && found.serve_rsp_valid {
        list.bundle(&expected.serve_rsp, &found.serve_rsp);
    }
    list.bundle(&expected.status, &found.status);
    list.differences
}

struct List {
    differences: Vec<Difference>,
    lanes: usize,
}

impl List {
    /// The pins in no bundle.
    fn flags(&mut self, expected: &Outputs, found: &Outputs) {
        let flags = |outputs: &Outputs| {
            let mut flags = 0_u64;
            outputs.each(|value: Value<'_>| flags = flags << 1 | number(value));
            flags
        };
        if flags(expected) != flags(found) {
            self.pins(expected, found);
        }
    }

    fn bundle<B: Bundle + PartialEq>(&mut self, expected: &B, found: &B) {
        if expected != found {
            self.pins(expected, found);
        }
    }

    fn pins<B: Bundle>(&mut self, expected: &B, found: &B) {
        let (expected, found) = (numbers(expected), numbers(found));
        for is_by_lane in [true, false] {
            let all = B::PINS.iter().zip(expected.iter().zip(&found));
            for (pin, (expected, found)) in all.filter(|(pin, _)| (pin.width == Width::LaneWords) == is_by_lane) {
                let elements = expected.iter().zip(found).enumerate();
                for (index, (expected, found)) in elements.take(if is_by_lane { self.lanes } else { usize::MAX }) {
                    if expected != found {
                        let (port, field, lane) = (pin.group(), pin.field(), is_by_lane.then_some(index));
                        self.differences.push(Difference { port, lane, field, expected: *expected, found: *found });
                    }
                }
            }
        }
    }
}

/// The elements of every pin.
fn numbers<B: Bundle>(bundle: &B) -> Vec<Vec<u64>> {
    let mut all = Vec::with_capacity(B::PINS.len());
    bundle.each(|value: Value<'_>| {
        all.push(match value {
            Value::Word(_) | Value::Long(_) => vec![number(value)],
            Value::Words(words) => words.iter().map(|word| u64::from(*word)).collect(),
            Value::Lanes(lanes) => lanes.to_vec(),
        });
    });
    all
}

/// The value of a pin that has one element; 0 for others.
fn number(value: Value<'_>) -> u64 {
    match value {
        Value::Word(word) => word.into(),
        Value::Long(long) => long,
        Value::Words(_) | Value::Lanes(_) => 0,
    }
}

//! What every operation of a run came to: times, registers, fault, costs, and whether that is what the program expects.

use lsu_model::golden::Account;
use lsu_model::pins::{FaultCause, FaultRecord, MAX_LANES};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::lockstep::{CycleView, Observer};
use crate::program::{Destination, Dump, Expected, MemorySpace, Program, destinations};
use crate::stimulus::{L2Counts, Memory, Network};

/// One register of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenRegister {
    /// Its number.
    pub register: u8,
    /// Lanes that were written.
    pub mask: u32,
    /// Their values.
    pub values: [u32; MAX_LANES],
}

/// What one operation came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationResult {
    /// The cycle of its `req` transfer.
    pub accepted: Option<u64>,
    /// The cycle in which it was complete.
    pub done: Option<u64>,
    /// Its fault record; of several memory errors the first, with the lanes of all.
    pub fault: Option<FaultRecord>,
    /// The registers that it wrote, in ascending order.
    pub registers: Vec<WrittenRegister>,
    /// What it cost, where the model takes part.
    pub account: Option<Account>,
}

impl OperationResult {
    /// The value of `destination` in `lane`; `None` where it was not written.
    pub fn value(&self, destination: &Destination, lane: usize) -> Option<u128> {
        destination.value(|index| {
            let number = destination.first.checked_add(index)?;
            let place = self.registers.binary_search_by_key(&number, |written| written.register).ok()?;
            let written = &self.registers[place];
            (written.mask >> lane & 1 == 1).then_some(written.values[lane])
        })
    }
}

/// The results of a run of one program.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// One for each operation.
    pub ops: Vec<OperationResult>,
    /// The words of each dump.
    pub dumps: Vec<Vec<u32>>,
    dump_places: Vec<Dump>,
    /// What the second-level cache saw.
    pub l2: L2Counts,
    /// Sticky status bits that any unit has set.
    pub sticky: StickyBits,
}

/// The status bits that stay set until reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StickyBits {
    /// `status_ldc_unpredictable`.
    pub ldc_unpredictable: bool,
    /// `status_cfg_refused`.
    pub cfg_refused: bool,
    /// `status_wdata_wrong_tag`.
    pub wdata_wrong_tag: bool,
    /// `status_write_back_error`.
    pub write_back_error: bool,
}

/// An expectation that was not met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// The operation.
    pub index: usize,
    /// What was expected and what came.
    pub message: String,
}

impl Results {
    /// No results yet, for `program`.
    pub fn new(program: &Program) -> Self {
        Self {
            ops: vec![OperationResult::default(); program.ops.len()],
            dump_places: program.dumps.clone(),
            ..Self::default()
        }
    }

    /// The expectations of `program` that these results do not meet, and illegal instructions that nobody expected.
    pub fn unmet(&self, program: &Program) -> Vec<Unmet> {
        let mut unmet = Vec::new();
        for (index, (operation, result)) in program.ops.iter().zip(&self.ops).enumerate() {
            // A reset has ended it.
            if result.done.is_none() && !program.resets.is_empty() {
                continue;
            }
            let mut push = |message: String| unmet.push(Unmet { index, message });
            let cause = result.fault.map(|fault| fault.cause);
            match (operation.expect_fault, cause) {
                (Some(expected), came) if came != Some(expected) => {
                    let came = came.map_or("no fault", fault_name);
                    push(format!("expected the fault {}, got {came}", fault_name(expected)));
                }
                (None, Some(cause)) if FaultCause::from_code(cause) == Some(FaultCause::IllegalInstruction) => {
                    push("illegal_instruction".to_owned());
                }
                _ => {}
            }
            for expectation in &operation.expect {
                let destination = &expectation.destination;
                for lane in (0..program.preset.lanes).filter(|lane| operation.request.mask >> lane & 1 == 1) {
                    let value = result.value(destination, lane);
                    let (is_met, expected) = match &expectation.values {
                        Expected::Lanes(values) => (value == Some(values[lane]), format!("{:#x}", values[lane])),
                        Expected::AnyOf(values) => {
                            (value.is_some_and(|value| values.contains(&value)), format!("one of {values:#x?}"))
                        }
                    };
                    if !is_met {
                        let came = value.map_or("not written".to_owned(), |value| format!("{value:#x}"));
                        push(format!("{} lane {lane} is {came}, expected {expected}", destination.name));
                        break;
                    }
                }
            }
        }
        unmet
    }

    /// The `ops` of `lsu run --json`.
    pub fn ops_json(&self, program: &Program) -> Value {
        let ops = program.ops.iter().zip(&self.ops).enumerate().map(|(index, (operation, result))| {
            let lanes = program.preset.lanes;
            let destinations = destinations(operation);
            let mut registers: Map<String, Value> = destinations
                .iter()
                .map(|destination| {
                    let values = (0..lanes).map(|lane| register_json(destination, result.value(destination, lane)));
                    (destination.name.clone(), values.collect())
                })
                .collect();
            // What should not have been written is shown all the same.
            for written in &result.registers {
                let is_named = |named: &Destination| written.register.wrapping_sub(named.first) < named.count;
                if !destinations.iter().any(is_named) {
                    let register = Destination::numbered(written.register);
                    let values = (0..lanes).map(|lane| register_json(&register, result.value(&register, lane)));
                    registers.insert(register.name.clone(), values.collect());
                }
            }
            let fault = result.fault.map(|fault| {
                let lanes: Vec<u32> = (0..32).filter(|lane| fault.lanes >> lane & 1 == 1).collect();
                json!({ "cause": fault_name(fault.cause), "lanes": lanes, "address": fault.addr })
            });
            let account = |figure: fn(&Account) -> u32| result.account.as_ref().map(figure);
            json!({
                "index": index,
                "sm": operation.sm,
                "warp": operation.warp,
                "accepted": result.accepted,
                "done": result.done,
                "fault": fault,
                "regs": registers,
                "wavefronts": account(|account| account.wavefronts),
                "l1_hit_sectors": account(|account| account.hit_sectors),
                "l1_miss_sectors": account(|account| account.miss_sectors),
                "mem_sectors": account(|account| account.mem_sectors),
            })
        });
        ops.collect()
    }

    /// The `l2` of `lsu run --json`.
    pub fn l2_json(&self) -> Value {
        json!(self.l2)
    }

    /// The `memory` of `lsu run --json`.
    pub fn memory_json(&self) -> Value {
        self.dump_places
            .iter()
            .zip(&self.dumps)
            .map(|(Dump { space, address, .. }, words)| {
                let name = space.name();
                match space {
                    MemorySpace::Shared { sm } => {
                        json!({ "space": name, "sm": sm, "address": address, "words": words })
                    }
                    _ => json!({ "space": name, "address": address, "words": words }),
                }
            })
            .collect()
    }
}

/// A value as JSON: an integer, or for registers of 128 bits, which JSON's integers do not hold, hexadecimal digits.
fn register_json(destination: &Destination, value: Option<u128>) -> Value {
    match value {
        None => Value::Null,
        Some(value) if destination.bits > 64 => format!("{value:#034x}").into(),
        Some(value) => Value::from(value as u64),
    }
}

/// The name of the fault cause `cause`.
pub fn fault_name(cause: u8) -> &'static str {
    FaultCause::from_code(cause).map_or("unknown", FaultCause::name)
}

impl Observer for Results {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let finished = view.finished;
        if let Some(result) = finished.accepted.and_then(|op| self.ops.get_mut(op)) {
            result.accepted = Some(view.cycle);
        }
        if let Some(result) = finished.fault.and_then(|op| self.ops.get_mut(op)) {
            let record = view.outputs.fault;
            match &mut result.fault {
                Some(fault) => {
                    if record.lanes.trailing_zeros() < fault.lanes.trailing_zeros() {
                        fault.addr = record.addr;
                    }
                    fault.lanes |= record.lanes;
                }
                None => result.fault = Some(record),
            }
        }
        if let Some(result) = finished.writeback.and_then(|op| self.ops.get_mut(op)) {
            let wb = &view.outputs.wb;
            let place = result.registers.binary_search_by_key(&wb.rd, |written| written.register);
            let place = place.unwrap_or_else(|place| {
                let empty = WrittenRegister { register: wb.rd, mask: 0, values: [0; MAX_LANES] };
                result.registers.insert(place, empty);
                place
            });
            let written = &mut result.registers[place];
            for lane in (0..MAX_LANES).filter(|lane| wb.mask >> lane & 1 == 1) {
                written.values[lane] = wb.data[lane];
            }
            written.mask |= wb.mask;
        }
        let tags = [view.outputs.fault.tag, view.outputs.wb.tag, view.outputs.done.tag];
        for (op, tag) in finished.completed.iter().zip(tags) {
            if let Some(result) = op.and_then(|op| self.ops.get_mut(op)) {
                result.done = Some(view.cycle);
                result.account = view.engine.account(tag);
            }
        }
        let status = &view.outputs.status;
        self.sticky.ldc_unpredictable |= status.ldc_unpredictable;
        self.sticky.cfg_refused |= status.cfg_refused;
        self.sticky.wdata_wrong_tag |= status.wdata_wrong_tag;
        self.sticky.write_back_error |= status.write_back_error;
    }

    fn end(&mut self, memory: &Memory, network: &Network) {
        self.l2 = memory.l2().counts();
        let word = |space, address| match space {
            MemorySpace::Shared { sm } => network.word(sm, address),
            _ => memory.word(address),
        };
        let words =
            |dump: &Dump| (0..dump.bytes).step_by(4).map(|offset| word(dump.space, dump.address + offset)).collect();
        self.dumps = self.dump_places.iter().map(words).collect();
    }
}

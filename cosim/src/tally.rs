//! What a run has exercised, counted at the ports: the `coverage` of `lsu check`.

use serde::Serialize;

use crate::lockstep::{CycleView, Observer};

/// Counts over one or more runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// LDC by address mode: IA, IL, IS, ISL.
    pub ldc_modes: [u64; 4],
    /// LDC by size code: 8, 16, 32, 64, 128 bits, then those that are no size.
    pub ldc_sizes: [u64; 8],
    /// LDC without a register operand.
    pub ldc_without_register: u64,
    /// LDC with no active lane.
    pub ldc_without_lanes: u64,
    /// LDC in compute mode.
    pub ldc_compute: u64,
    /// Commands: invalidate L1, read-only cache, constant cache, write back local.
    pub commands: [u64; 4],
    /// Fault records by cause: misaligned_register, illegal_instruction, misaligned_address, address_out_of_range,
    /// memory_error.
    pub faults: [u64; 5],
    /// Registers written.
    pub writebacks: u64,
    /// Passes that hit.
    pub hits: u64,
    /// Passes that missed.
    pub misses: u64,
    /// Cycles in which a result was not taken.
    pub stalled_cycles: u64,
}

impl Tally {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Tally) {
        fn add_each<const N: usize>(sum: &mut [u64; N], other: &[u64; N]) {
            for (sum, other) in sum.iter_mut().zip(other) {
                *sum += other;
            }
        }
        add_each(&mut self.ldc_modes, &other.ldc_modes);
        add_each(&mut self.ldc_sizes, &other.ldc_sizes);
        add_each(&mut self.commands, &other.commands);
        add_each(&mut self.faults, &other.faults);
        self.ldc_without_register += other.ldc_without_register;
        self.ldc_without_lanes += other.ldc_without_lanes;
        self.ldc_compute += other.ldc_compute;
        self.writebacks += other.writebacks;
        self.hits += other.hits;
        self.misses += other.misses;
        self.stalled_cycles += other.stalled_cycles;
    }
}

/// Counts one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct TallyKeeper {
    tally: Tally,
    /// The counters of the last cycle seen; a unit's begin at 0.
    hits: u32,
    misses: u32,
}

impl TallyKeeper {
    /// What has been counted.
    pub fn tally(&self) -> Tally {
        Tally { hits: self.hits.into(), misses: self.misses.into(), ..self.tally }
    }
}

impl Observer for TallyKeeper {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let tally = &mut self.tally;
        let (inputs, outputs) = (view.inputs, view.outputs);
        if view.finished.accepted.is_some() {
            let request = &inputs.req;
            match request.op {
                2 => {
                    tally.ldc_modes[usize::from(request.mode & 3)] += 1;
                    tally.ldc_sizes[usize::from(request.size & 7)] += 1;
                    tally.ldc_without_register += u64::from(request.ra_is_rz);
                    tally.ldc_without_lanes += u64::from(request.mask == 0);
                    tally.ldc_compute += u64::from(inputs.compute);
                }
                3 => tally.commands[usize::from(request.cmd & 3)] += 1,
                _ => {}
            }
        }
        if view.finished.fault.is_some()
            && let Some(count) = tally.faults.get_mut(usize::from(outputs.fault.cause).wrapping_sub(1))
        {
            *count += 1;
        }
        tally.writebacks += u64::from(view.finished.writeback.is_some());
        tally.stalled_cycles += u64::from(outputs.wb_valid && !inputs.wb_ready);
        // Generated programs have one unit.
        (self.hits, self.misses) = (outputs.status.ldc_hits, outputs.status.ldc_misses);
    }
}

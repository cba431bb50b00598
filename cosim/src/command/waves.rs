//! Waves of a run, from the Verilated model.

use std::path::{Path, PathBuf};

use lsu_model::pins::Inputs;

use crate::engine::Engine;
use crate::lockstep::{CycleView, Observer};
use crate::results::Results;
use crate::stimulus::Memory;
use crate::verilator;

/// Cycles that a window shows before the failure.
pub(super) const WINDOW: u64 = 200;

/// Dumps the waves of unit 0 while something else looks on as well.
pub(super) struct WaveRecorder {
    path: PathBuf,
    first: u64,
    is_begun: bool,
    /// Results of the same run.
    pub results: Results,
    /// Why there are no waves, if there are none.
    pub error: Option<verilator::Error>,
}

impl WaveRecorder {
    /// Dumps into `path` from cycle `first` on.
    pub(super) fn new(path: &Path, first: u64, results: Results) -> Self {
        Self { path: path.to_owned(), first, is_begun: false, results, error: None }
    }
}

impl Observer for WaveRecorder {
    fn before(&mut self, cycle: u64, sm: u32, _inputs: &Inputs, engines: &mut [Box<dyn Engine>]) {
        if sm != 0 || self.is_begun || cycle < self.first {
            return;
        }
        self.is_begun = true;
        if let Some(dut) = engines.iter_mut().find_map(|engine| engine.dut()) {
            self.error = dut.open_vcd(&self.path).err();
        }
    }

    fn cycle(&mut self, view: &CycleView<'_>) {
        self.results.cycle(view);
    }

    fn end(&mut self, memory: &Memory) {
        self.results.end(memory);
    }
}

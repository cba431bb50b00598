//! Two observers of one run.

use lsu_model::pins::Inputs;

use crate::engine::Engine;
use crate::lockstep::{CycleView, Observer, StepView};
use crate::stimulus::{Memory, Network};

/// Both look on.
pub struct Both<First, Second>(
    /// Sees everything first.
    pub First,
    /// Sees everything second.
    pub Second,
);

impl<First: Observer, Second: Observer> Observer for Both<First, Second> {
    fn before(&mut self, cycle: u64, sm: u32, inputs: &Inputs, engines: &mut [Box<dyn Engine>]) {
        self.0.before(cycle, sm, inputs, engines);
        self.1.before(cycle, sm, inputs, engines);
    }

    fn stepped(&mut self, view: &StepView<'_>) {
        self.0.stepped(view);
        self.1.stepped(view);
    }

    fn cycle(&mut self, view: &CycleView<'_>) {
        self.0.cycle(view);
        self.1.cycle(view);
    }

    fn unit_end(&mut self, sm: u32, engine: &dyn Engine) {
        self.0.unit_end(sm, engine);
        self.1.unit_end(sm, engine);
    }

    fn end(&mut self, memory: &Memory, network: &Network) {
        self.0.end(memory, network);
        self.1.end(memory, network);
    }
}

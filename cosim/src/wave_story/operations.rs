//! `ops.*`: what every warp is doing, in words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lsu_model::golden::{Activity, Golden};
use lsu_waves::{Stories, Wave};

use super::instruction;
use crate::lockstep::{CycleView, StepView};
use crate::program::Program;

/// An operation and how far it is; without an activity it is offered and not yet accepted.
type Doing = (Option<Activity>, usize);

#[derive(Default)]
struct Lane {
    sm: u32,
    warp: u32,
    /// What is to be told of the lane's operations.
    foremost: Option<Doing>,
    /// Operations accepted and not complete.
    in_flight: u32,
    /// The last one accepted.
    latest: usize,
    /// What the lane shows, with the number of other operations in flight; `None` before anything is shown.
    shown: Option<Option<(Doing, u32)>>,
    /// The operation that `name` names.
    named: Option<usize>,
    name: String,
    text: String,
}

/// Shows the operations of all warps.
pub(super) struct Operations<'p> {
    program: &'p Program,
    lanes: Vec<Lane>,
    lane_of_op: Vec<u32>,
    /// What the model says is in flight in the unit that steps, by tag.
    activities: Vec<(u8, Activity)>,
    has_model: bool,
}

impl<'p> Operations<'p> {
    /// A lane for every warp of `program`, in the order of their numbers.
    pub(super) fn new(program: &'p Program) -> Self {
        let warps: BTreeMap<(u32, u32), ()> = program.ops.iter().map(|op| ((op.sm, op.warp), ())).collect();
        let lanes: Vec<Lane> = warps.keys().map(|&(sm, warp)| Lane { sm, warp, ..Lane::default() }).collect();
        let number: BTreeMap<_, u32> = warps.keys().copied().zip(0..).collect();
        let lane_of_op = program.ops.iter().map(|op| number[&(op.sm, op.warp)]).collect();
        Self { program, lanes, lane_of_op, activities: Vec::new(), has_model: false }
    }

    /// The names of the lanes.
    pub(super) fn lane_names(&self) -> Vec<String> {
        let name = |lane: &Lane| match self.program.sms {
            1 => format!("warp{}", lane.warp),
            _ => format!("sm{}_warp{}", lane.sm, lane.warp),
        };
        self.lanes.iter().map(name).collect()
    }

    /// Takes note of what is in flight before a unit's cycle.
    pub(super) fn look(&mut self, golden: Option<&Golden>) {
        self.activities.clear();
        self.has_model = golden.is_some();
        if let Some(golden) = golden {
            golden.visit_activities(|tag, activity| self.activities.push((tag, activity)));
        }
    }

    /// Shows the lanes of the unit that has stepped.
    pub(super) fn show(&mut self, wave: &mut Wave, stories: &Stories, view: &StepView<'_>) {
        let (inputs, outputs) = (view.inputs, view.expected);
        if !self.has_model {
            // The ports still tell the beginning and the end.
            if outputs.fault_valid {
                self.activities.push((outputs.fault.tag, Activity::Fault(outputs.fault.cause)));
            }
            if outputs.done_valid {
                self.activities.push((outputs.done.tag, Activity::Done));
            }
            if outputs.wb_valid {
                self.activities.push((outputs.wb.tag, Activity::WriteBack(outputs.wb.rd)));
            }
            for lane in self.lanes.iter_mut().filter(|lane| lane.sm == view.sm && lane.in_flight > 0) {
                lane.foremost = Some((Some(Activity::Accepted), lane.latest));
            }
        }
        let offered = inputs.req_valid.then_some((inputs.req.tag, None));
        let doing = self.activities.iter().map(|(tag, activity)| (*tag, Some(*activity)));
        for (tag, activity) in offered.into_iter().chain(doing) {
            let Some(op) = view.driver.operation(tag) else { continue };
            let lane = &mut self.lanes[self.lane_of_op[op] as usize];
            let is_ahead = |(other, before): Doing| activity > other || activity == other && op < before;
            if lane.foremost.is_none_or(is_ahead) {
                lane.foremost = Some((activity, op));
            }
        }
        for (index, lane) in self.lanes.iter_mut().enumerate().filter(|(_, lane)| lane.sm == view.sm) {
            let doing = lane.foremost.take();
            let wanted = doing.map(|doing| (doing, lane.in_flight - u32::from(doing.0.is_some()).min(lane.in_flight)));
            if lane.shown != Some(wanted) {
                lane.shown = Some(wanted);
                lane.tell(self.program);
                stories.set_operation(wave, index, &lane.text);
            }
        }
    }

    /// Counts what begins and ends in a cycle.
    pub(super) fn count(&mut self, view: &CycleView<'_>) {
        if let Some(op) = view.finished.accepted {
            let lane = &mut self.lanes[self.lane_of_op[op] as usize];
            lane.in_flight += 1;
            lane.latest = op;
        }
        for op in view.finished.completed.into_iter().flatten() {
            let lane = &mut self.lanes[self.lane_of_op[op] as usize];
            lane.in_flight = lane.in_flight.saturating_sub(1);
        }
    }
}

impl Lane {
    /// Puts what the lane shows into words: `LDC.64 w3 hit 2/4`.
    fn tell(&mut self, program: &Program) {
        self.text.clear();
        let Some(Some(((activity, op), others))) = self.shown else { return };
        if self.named != Some(op) {
            self.named = Some(op);
            self.name = format!("{} w{}", instruction::name(&program.ops[op], &program.target), self.warp);
        }
        // Writing to a string cannot fail.
        let _ = match activity {
            Some(activity) => write!(self.text, "{} {activity}", self.name),
            None => write!(self.text, "{} request", self.name),
        };
        if others > 0 {
            let _ = write!(self.text, " (+{others})");
        }
    }
}

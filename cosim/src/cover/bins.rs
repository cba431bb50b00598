//! Which bins a run fills.

use lsu_model::golden::{PlaceCycle, Rule};
use lsu_model::micro_op::OpKind;
use lsu_model::pins::Inputs;

use super::plan::Plan;
use super::point::Point;
use super::tables::{Subject, TABLES};
use crate::engine::Engine;
use crate::lockstep::{CycleView, Observer};

/// How many runs have filled each bin.
pub type Hits = Vec<u32>;

/// Adds the hits of other runs; `sum` may still be empty.
pub fn add(sum: &mut Hits, hits: &Hits) {
    sum.resize(sum.len().max(hits.len()), 0);
    sum.iter_mut().zip(hits).for_each(|(sum, hits)| *sum += hits);
}

/// An operation in flight.
#[derive(Clone, Copy, Debug)]
struct Flying {
    /// Its number in the program.
    op: usize,
    subject: Subject,
    point: Point,
}

/// Watches one run.
#[derive(Clone)]
pub struct Keeper<'a> {
    plan: &'a Plan,
    /// By unit and tag.
    flying: Vec<[Option<Flying>; 256]>,
    /// Rules that answered yes in one cycle with each, and those that answered no at all.
    yes: [u64; Rule::ALL.len()],
    no: u64,
    /// States of each place.
    places: Vec<u8>,
    hits: Hits,
}

impl<'a> Keeper<'a> {
    /// Of a run of units of the plan's preset.
    pub fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            flying: Vec::new(),
            yes: [0; Rule::ALL.len()],
            no: 0,
            places: vec![0; plan.place_count()],
            hits: vec![0; plan.len()],
        }
    }

    /// 1 for each bin that the run has filled.
    pub fn hits(mut self) -> Hits {
        for rule in 0..Rule::ALL.len() {
            let together = self.yes[rule];
            self.hits[self.plan.answer(rule, true)] = u32::from(together != 0);
            self.hits[self.plan.answer(rule, false)] = (self.no >> rule & 1) as u32;
            for other in rule + 1..Rule::ALL.len() {
                self.hits[self.plan.pair(rule, other)] = (together >> other & 1) as u32;
            }
        }
        for (place, states) in self.places.iter().enumerate() {
            for state in 0..super::plan::STATES.len() {
                self.hits[self.plan.place(place, state)] = u32::from(states >> state & 1);
            }
        }
        self.hits
    }

    fn complete(&mut self, unit: usize, tag: u8, engine: &dyn Engine) {
        let Some(Flying { subject, mut point, .. }) = self.flying[unit][usize::from(tag)].take() else { return };
        if let Some(account) = engine.account(tag) {
            point.ends(&account);
        }
        for (number, _) in TABLES.iter().enumerate().filter(|(_, table)| table.subject == subject) {
            self.hits[self.plan.cell(number, &point)] = 1;
        }
    }
}

/// A bit for each of the states of a place.
fn states(PlaceCycle { held, room, moves, .. }: PlaceCycle) -> u8 {
    let is = |state: bool, number: u8| u8::from(state) << number;
    is(held == 0, 0) | is(held > 0 && held < room, 1) | is(held == room, 2) | is(held > 0 && !moves, 3)
}

impl Observer for Keeper<'_> {
    fn before(&mut self, cycle: u64, _sm: u32, inputs: &Inputs, engines: &mut [Box<dyn Engine>]) {
        let Some(golden) = engines.first().and_then(|engine| engine.golden()) else { return };
        // Before the first reset edge nothing means anything.
        if cycle == 0 || inputs.reset {
            return;
        }
        let rules = golden.rules(inputs);
        let mut left = rules.yes;
        while left != 0 {
            self.yes[left.trailing_zeros() as usize] |= rules.yes;
            left &= left - 1;
        }
        self.no |= rules.no;
        let mut known = self.places.iter_mut();
        golden.visit_fullness(inputs, |place| {
            if let Some(known) = known.next() {
                *known |= states(place);
            }
        });
    }

    fn cycle(&mut self, view: &CycleView<'_>) {
        let unit = view.sm as usize;
        if unit >= self.flying.len() {
            self.flying.resize(unit + 1, [None; 256]);
        }
        let outputs = view.outputs;
        // A record can come when the tag is another's already.
        if let Some(flying) = &mut self.flying[unit][usize::from(outputs.fault.tag)]
            && view.finished.fault == Some(flying.op)
        {
            flying.point.faults(outputs.fault.cause);
        }
        let tags = [outputs.fault.tag, outputs.wb.tag, outputs.done.tag];
        for (tag, _) in tags.into_iter().zip(view.finished.completed).filter(|(_, completed)| completed.is_some()) {
            self.complete(unit, tag, view.engine);
        }
        if let Some(op) = view.finished.accepted {
            let request = &view.inputs.req;
            let subject = match OpKind::on_pin(request.op) {
                OpKind::Load | OpKind::Store => Subject::Access,
                OpKind::Ldc => Subject::Ldc,
                OpKind::Command => Subject::Command,
            };
            let point = Point::of(request, &self.plan.preset);
            self.flying[unit][usize::from(request.tag)] = Some(Flying { op, subject, point });
        }
        if view.inputs.reset {
            self.flying[unit] = [None; 256];
        }
    }
}

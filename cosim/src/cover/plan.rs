//! The plan: every bin there is, by family, with its name and, where no run can fill it, the reason.

use lsu_model::golden::{Golden, PlaceCycle, Rule};
use lsu_model::pins::Inputs;
use lsu_model::preset::Preset;

use super::demand;
use super::point::{Axis, Point};
use super::reach;
use super::tables::{CellNumbers, TABLES};

/// What a place is found to be.
pub(super) const STATES: [&str; 4] = ["empty", "partly full", "full", "blocked"];

/// A place, by its name and its room.
#[derive(Clone, Copy, Debug)]
struct PlaceBins {
    name: &'static str,
    room: u32,
}

/// A bin by what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bin {
    /// A cell of a cross table, by the table's number.
    Cell(usize, Vec<(Axis, u8)>),
    /// A rule that answers yes, or no.
    Answer(Rule, bool),
    /// Two rules that answer yes in one cycle.
    Pair(Rule, Rule),
    /// A place, by its number, in one of the states.
    Place(usize, usize),
}

/// Every bin of a preset, by number.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sizes of the unit.
    pub preset: Preset,
    places: Vec<PlaceBins>,
    cells: CellNumbers,
    answers: usize,
    pairs: usize,
    place_bins: usize,
    /// By bin: why no run can fill it.
    unreachable: Vec<Option<&'static str>>,
}

const RULES: usize = Rule::ALL.len();

impl Plan {
    /// The plan for units of `preset`.
    pub fn new(preset: &Preset) -> Self {
        let mut places = Vec::new();
        let inputs = Inputs::default();
        Golden::new(preset)
            .visit_fullness(&inputs, |PlaceCycle { name, room, .. }| places.push(PlaceBins { name, room }));
        let cells = CellNumbers::new();
        let answers = cells.count();
        let pairs = answers + 2 * RULES;
        let place_bins = pairs + RULES * (RULES - 1) / 2;
        let count = place_bins + STATES.len() * places.len();
        let reached = reach::cells(preset, &cells);
        let mut plan = Self { preset: *preset, places, cells, answers, pairs, place_bins, unreachable: Vec::new() };
        let reason = |number| match plan.bin(number) {
            Bin::Cell(table, _) => (!reached[number]).then(|| reach::reason(&TABLES[table])),
            Bin::Answer(rule, answer) => demand::never(rule, preset).filter(|_| answer),
            Bin::Pair(first, second) => demand::excludes(first, second, preset),
            Bin::Place(place, state) => plan.places[place].unreachable(state),
        };
        plan.unreachable = (0..count).map(reason).collect();
        plan
    }

    /// How many bins there are.
    pub fn len(&self) -> usize {
        self.unreachable.len()
    }

    /// Whether there are none, which is never so.
    pub fn is_empty(&self) -> bool {
        self.unreachable.is_empty()
    }

    /// Why no run can fill the bin; `None` where one can.
    pub fn unreachable(&self, number: usize) -> Option<&'static str> {
        self.unreachable[number]
    }

    /// Bins that a run can fill and none of those of `hits` has.
    pub fn missing(&self, hits: &[u32]) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|bin| self.unreachable(*bin).is_none() && hits[*bin] == 0)
    }

    /// Bins that no run could fill, by what the plan says, and that those of `hits` have: the plan is wrong.
    pub fn contradicting(&self, hits: &[u32]) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|bin| self.unreachable(*bin).is_some() && hits[*bin] > 0)
    }

    /// What bin number `number` is about.
    pub fn bin(&self, number: usize) -> Bin {
        if number < self.answers {
            let (table, values) = self.cells.cell_of(number);
            Bin::Cell(table, values)
        } else if number < self.pairs {
            let place = number - self.answers;
            Bin::Answer(Rule::ALL[place / 2], place.is_multiple_of(2))
        } else if number < self.place_bins {
            let mut place = number - self.pairs;
            let mut first = 0;
            while place >= RULES - 1 - first {
                place -= RULES - 1 - first;
                first += 1;
            }
            Bin::Pair(Rule::ALL[first], Rule::ALL[first + 1 + place])
        } else {
            let place = number - self.place_bins;
            Bin::Place(place / STATES.len(), place % STATES.len())
        }
    }

    /// The bin of a cell.
    pub(super) fn cell(&self, table: usize, point: &Point) -> usize {
        self.cells.number(table, point)
    }

    /// The bin of an answer.
    pub(super) fn answer(&self, rule: usize, answer: bool) -> usize {
        self.answers + 2 * rule + usize::from(!answer)
    }

    /// The bin of two rules, the first of which has the lower number.
    pub(super) fn pair(&self, first: usize, second: usize) -> usize {
        self.pairs + first * (2 * RULES - first - 1) / 2 + second - first - 1
    }

    /// The bin of a place's state.
    pub(super) fn place(&self, place: usize, state: usize) -> usize {
        self.place_bins + STATES.len() * place + state
    }

    /// How many places there are.
    pub(super) fn place_count(&self) -> usize {
        self.places.len()
    }

    /// The family that the bin belongs to.
    pub fn family(&self, number: usize) -> &'static str {
        match self.bin(number) {
            Bin::Cell(table, _) => TABLES[table].name,
            Bin::Answer(..) => "rule",
            Bin::Pair(..) => "pair of rules",
            Bin::Place(..) => "place",
        }
    }

    /// The bin's name, of which there is no second one.
    pub fn name(&self, number: usize) -> String {
        let what = match self.bin(number) {
            Bin::Cell(_, values) => {
                let values = values.into_iter().map(|(axis, value)| match axis {
                    // The only axes with values that do not tell what they are of.
                    Axis::Width => format!("to {}", axis.value_name(value.into())),
                    Axis::Prefetch => format!("prefetch {}", axis.value_name(value.into())),
                    Axis::L1Eviction => format!("L1 {}", axis.value_name(value.into())),
                    Axis::L2Eviction => format!("L2 {}", axis.value_name(value.into())),
                    _ => axis.value_name(value.into()),
                });
                values.collect::<Vec<_>>().join(", ")
            }
            Bin::Answer(rule, answer) => format!("{} {}", rule.name(), if answer { "yes" } else { "no" }),
            Bin::Pair(first, second) => format!("{} + {}", first.name(), second.name()),
            Bin::Place(place, state) => format!("{} {}", self.places[place].name, STATES[state]),
        };
        format!("{}: {what}", self.family(number))
    }
}

impl PlaceBins {
    fn unreachable(self, state: usize) -> Option<&'static str> {
        match STATES[state] {
            "partly full" if self.room == 1 => Some("a place with room for one is never partly full"),
            "blocked" if self.name == "global_update" => {
                Some("an update is a cycle: what it holds always leaves (UPDATE)")
            }
            _ => None,
        }
    }
}

//! The plan: every bin there is, by family, with its name and, where no run can fill it, the reason.

use lsu_model::golden::{Golden, PlaceCycle, Rule};
use lsu_model::pins::Inputs;
use lsu_model::preset::Preset;

use super::demand;
use super::point::{Axis, Point};
use super::reach;

/// The operations that a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Loads and stores.
    Access,
    /// LDC.
    Ldc,
    /// Commands.
    Command,
}

/// A cross table: a bin for every combination of the values of its axes, filled by operations that complete.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Whose.
    pub subject: Subject,
    /// The axes, the first one first in names.
    pub axes: &'static [Axis],
}

/// All cross tables.
pub const TABLES: &[Table] = &[
    Table { name: "shape", subject: Subject::Access, axes: &[Axis::Kind, Axis::Space, Axis::Size, Axis::Vector] },
    Table { name: "order", subject: Subject::Access, axes: &[Axis::Kind, Axis::Space, Axis::Semantics, Axis::Scope] },
    Table { name: "cached", subject: Subject::Access, axes: &[Axis::Kind, Axis::Space, Axis::Operator, Axis::Look] },
    Table { name: "strong", subject: Subject::Access, axes: &[Axis::Kind, Axis::Semantics, Axis::Scope, Axis::Look] },
    Table {
        name: "priority",
        subject: Subject::Access,
        axes: &[Axis::Kind, Axis::Operator, Axis::L1Eviction, Axis::Look],
    },
    Table { name: "fault", subject: Subject::Access, axes: &[Axis::Kind, Axis::Space, Axis::Size, Axis::Fault] },
    Table {
        name: "refused",
        subject: Subject::Access,
        axes: &[Axis::Kind, Axis::Semantics, Axis::Operator, Axis::Fault],
    },
    Table { name: "conflict", subject: Subject::Access, axes: &[Axis::Kind, Axis::Space, Axis::Size, Axis::Passes] },
    Table { name: "lanes", subject: Subject::Access, axes: &[Axis::Kind, Axis::Space, Axis::Lanes, Axis::Look] },
    Table {
        name: "extension",
        subject: Subject::Access,
        axes: &[Axis::Kind, Axis::Size, Axis::Vector, Axis::Width, Axis::Sign],
    },
    Table { name: "hint", subject: Subject::Access, axes: &[Axis::Kind, Axis::L2Eviction, Axis::Prefetch] },
    Table { name: "ldc fault", subject: Subject::Ldc, axes: &[Axis::Mode, Axis::Size, Axis::Fault] },
    Table { name: "ldc conflict", subject: Subject::Ldc, axes: &[Axis::Mode, Axis::Passes, Axis::Look] },
    Table { name: "command", subject: Subject::Command, axes: &[Axis::Command] },
];

impl Table {
    fn count(&self) -> usize {
        self.axes.iter().map(|axis| axis.count()).product()
    }

    /// The number of the bin in which `point` lies.
    pub(super) fn index(&self, point: &Point) -> usize {
        self.axes.iter().fold(0, |index, axis| index * axis.count() + usize::from(point.get(*axis)))
    }

    /// The values of bin number `index`.
    pub(super) fn values(&self, mut index: usize) -> Vec<(Axis, u8)> {
        let value = |axis: &Axis| {
            let count = axis.count();
            let value = index % count;
            index /= count;
            (*axis, value as u8)
        };
        let mut values: Vec<_> = self.axes.iter().rev().map(value).collect();
        values.reverse();
        values
    }
}

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
    /// Where the cells of each table begin.
    tables: Vec<usize>,
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
        let mut count = 0;
        let tables = TABLES.iter().map(|table| {
            let first = count;
            count += table.count();
            first
        });
        let tables = tables.collect();
        let answers = count;
        let pairs = answers + 2 * RULES;
        let place_bins = pairs + RULES * (RULES - 1) / 2;
        let count = place_bins + STATES.len() * places.len();
        let mut plan =
            Self { preset: *preset, places, tables, answers, pairs, place_bins, unreachable: vec![None; count] };
        let cells = reach::cells(&plan);
        for (number, is_filled) in cells.into_iter().enumerate() {
            plan.unreachable[number] = match plan.bin(number) {
                Bin::Cell(table, _) => (!is_filled).then(|| reach::reason(&TABLES[table])),
                Bin::Answer(rule, answer) => demand::never(rule, preset).filter(|_| answer),
                Bin::Pair(first, second) => demand::excludes(first, second, preset),
                Bin::Place(place, state) => plan.places[place].unreachable(state),
            };
        }
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
            let table = self.tables.partition_point(|first| *first <= number) - 1;
            Bin::Cell(table, TABLES[table].values(number - self.tables[table]))
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
        self.tables[table] + TABLES[table].index(point)
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

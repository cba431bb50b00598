//! The cross tables, and how their cells are numbered.

use super::point::{Axis, Point};

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
    fn index(&self, point: &Point) -> usize {
        self.axes.iter().fold(0, |index, axis| index * axis.count() + usize::from(point.get(*axis)))
    }

    /// The values of bin number `index`.
    fn values(&self, mut index: usize) -> Vec<(Axis, u8)> {
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

/// The numbers of the cells of all tables, one table after the other.
#[derive(Clone, Debug)]
pub(super) struct CellNumbers {
    /// That of the first cell of each table.
    firsts: Vec<usize>,
    count: usize,
}

impl CellNumbers {
    pub(super) fn new() -> Self {
        let mut count = 0;
        let firsts = TABLES.iter().map(|table| {
            let first = count;
            count += table.count();
            first
        });
        let firsts = firsts.collect();
        Self { firsts, count }
    }

    /// How many cells there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// That of the cell of table number `table` in which `point` lies.
    pub(super) fn number(&self, table: usize, point: &Point) -> usize {
        self.firsts[table] + TABLES[table].index(point)
    }

    /// The table, and the values, of cell number `number`.
    pub(super) fn cell_of(&self, number: usize) -> (usize, Vec<(Axis, u8)>) {
        let table = self.firsts.partition_point(|first| *first <= number) - 1;
        (table, TABLES[table].values(number - self.firsts[table]))
    }
}

//! Rule ROW, looked at from outside: no sector is written that a pass has still to read.

use lsu_model::golden::{Golden, PlaceVisitor};

/// The first id of the global path.
const FIRST_ID: u8 = 64;

/// A sector of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sector {
    row: u64,
    sector: u8,
}

/// What an MSHR in use says of its row.
#[derive(Clone, Copy, Debug, Default)]
struct Fetch {
    row: u64,
    is_store: bool,
}

/// The rows that the places of the global path name in a cycle.
#[derive(Clone, Debug, Default)]
pub struct RowsInUse {
    place: &'static str,
    number: usize,
    is_occupied: bool,
    /// The row of the place that is visited.
    row: u64,
    /// Rows, each with its sectors that are to be read.
    to_be_read: Vec<(u64, u64)>,
    fetches: Vec<Option<Fetch>>,
    update: Option<Sector>,
    /// The id of the response from the cluster that has not acted.
    answer: Option<u8>,
}

impl PlaceVisitor for RowsInUse {
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool) {
        (self.place, self.number, self.is_occupied) = (name, number.unwrap_or(0), is_occupied);
        if name == "global_mshr" {
            self.fetches.push(is_occupied.then(Fetch::default));
        }
    }

    fn value(&mut self, name: &'static str, _: u32, value: Option<u64>) {
        let Some(value) = value.filter(|_| self.is_occupied) else { return };
        if name == "row" {
            self.row = value;
        }
        match (self.place, name) {
            ("global_hit" | "global_ro_read" | "global_ro_hit" | "global_resume", "to_be_read") if value != 0 => {
                self.to_be_read.push((self.row, value));
            }
            ("global_mshr", "row" | "write") => {
                if let Some(fetch) = &mut self.fetches[self.number] {
                    if name == "row" { fetch.row = value } else { fetch.is_store = value == 1 }
                }
            }
            ("global_answer", "id") => self.answer = Some(value as u8),
            ("global_update", "sector") => self.update = Some(Sector { row: self.row, sector: value as u8 }),
            _ => {}
        }
    }
}

impl RowsInUse {
    /// As the values of this cycle are.
    pub fn of(golden: &Golden) -> Self {
        let mut rows = Self::default();
        golden.visit_places(&mut rows);
        rows
    }

    /// Whether a pass has still to read this sector.
    pub fn is_to_be_read(&self, Sector { row, sector }: Sector) -> bool {
        self.to_be_read.iter().any(|(of, sectors)| *of == row && sectors >> sector & 1 == 1)
    }

    /// Whether this is the update of a local store that waits for nothing: a load may be right behind it, and be read an edge later.
    pub fn updates_at_once(&self, written: Sector) -> bool {
        let mut fetches = self.fetches.iter().flatten();
        self.update == Some(written) && !fetches.any(|fetch| fetch.is_store && fetch.row == written.row)
    }

    /// What is written at the edge of this cycle, in which the response with the id `response` is taken from memory; `after` is as it
    /// is behind that edge.
    pub fn written(&self, response: Option<u8>, after: &Self) -> Vec<Sector> {
        let from_memory = response.and_then(|id| id.checked_sub(FIRST_ID));
        let from_cluster = self.answer.filter(|_| after.answer.is_none());
        let fetched = from_memory.into_iter().chain(from_cluster).filter_map(|id| {
            let fetch = self.fetches.get(usize::from(id / 4)).copied().flatten()?;
            (!fetch.is_store).then_some(Sector { row: fetch.row, sector: id % 4 })
        });
        let written: Vec<Sector> = self.update.into_iter().chain(fetched).collect();
        assert!(written.len() <= 1, "one sector at one edge: {written:?}");
        written
    }
}

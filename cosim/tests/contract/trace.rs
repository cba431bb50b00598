//! A run of a program, place by place and cycle by cycle.

use std::path::Path;

use lsu_cosim::engine::Engine;
use lsu_cosim::lockstep::{self, Observer, StepView};
use lsu_cosim::program::{Overrides, Program, read_file};
use lsu_cosim::results::Results;
use lsu_cosim::roster::Roster;
use lsu_model::golden::PlaceVisitor;
use lsu_model::pins::Inputs;
use lsu_model::preset::FPGA8;

/// Cycles that fit a line of the page.
const MAX_CYCLES: usize = 48;

/// The unit that is shown.
const SHOWN_UNIT: u32 = 0;

/// First id of the global path at the memory port.
const FIRST_ID: u8 = 64;

/// What an id at the memory port stands for: the MSHR, or the miss entry, and the sector.
fn sector(id: u8) -> String {
    match id.checked_sub(FIRST_ID) {
        Some(id) => format!("{:x}{}", id / 4, id % 4),
        None => format!("{:x}{}", id / 2, id % 2),
    }
}

/// The same of an id at the ports to other units: the MSHR of the unit that asks, and the sector.
fn remote_sector(id: u8) -> String {
    sector(FIRST_ID + id)
}

/// A program that shows a rule.
pub struct Shown {
    /// Its name.
    pub rule: String,
    /// What it shows, in lines.
    pub text: Vec<String>,
    /// The first operation that is traced.
    first: u32,
    /// Values that get rows of their own: place and value.
    values: Vec<(String, String)>,
    /// Whether the trace stands on the page as a picture too.
    pub is_drawn: bool,
    /// What stands before the names of the places that its page names.
    prefix: &'static str,
    /// The program.
    pub program: Program,
}

impl Shown {
    /// Reads a program and what its head says: the rule, `Trace:` and `Picture`.
    pub fn read(path: &Path, prefix: &'static str) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let head = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        let mut shown = Self {
            rule: String::new(),
            text: Vec::new(),
            first: 0,
            values: Vec::new(),
            is_drawn: false,
            prefix,
            program: read_file(path, Overrides { preset: Some(FPGA8) })
                .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error))),
        };
        for line in head {
            if let Some(trace) = line.strip_prefix("Trace: from operation ") {
                let (first, values) = trace.trim_end_matches('.').split_once(", with ").unwrap_or((trace, ""));
                shown.first = first.trim_end_matches('.').parse().expect("the number of an operation");
                let values = values.split(", ").filter_map(|value| value.split_once('.'));
                shown.values = values.map(|(place, value)| (place.to_owned(), value.to_owned())).collect();
            } else if line == "Picture." {
                shown.is_drawn = true;
            } else if shown.rule.is_empty() {
                let (rule, rest) = line.split_once(": ").expect("the rule and what is shown of it");
                shown.rule = rule.to_owned();
                shown.text.push(rest.to_owned());
            } else {
                shown.text.push(line.to_owned());
            }
        }
        shown
    }
}

/// One row: what it is of, and what stands in each cycle.
pub struct Row {
    /// The place, or the port.
    pub name: String,
    /// By cycle; empty where there is nothing.
    pub cells: Vec<String>,
}

/// A place in a cycle.
struct Seen {
    name: String,
    number: Option<usize>,
    is_occupied: bool,
    values: Vec<(&'static str, Option<u64>)>,
}

impl Seen {
    fn value(&self, name: &str) -> Option<u64> {
        self.values.iter().find(|(other, _)| *other == name).and_then(|(_, value)| *value)
    }
}

#[derive(Default)]
struct Places(Vec<Seen>);

impl PlaceVisitor for Places {
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool) {
        self.0.push(Seen { name: name.to_owned(), number, is_occupied, values: Vec::new() });
    }

    fn value(&mut self, name: &'static str, _: u32, value: Option<u64>) {
        if let Some(place) = self.0.last_mut() {
            place.values.push((name, value.filter(|_| place.is_occupied)));
        }
    }
}

/// Looks on while the program runs.
struct Trace<'s> {
    shown: &'s Shown,
    /// The places as they are in this cycle.
    places: Vec<Seen>,
    rows: Vec<Row>,
    /// Cycles since the first traced operation was accepted; nothing is traced before.
    cycle: Option<usize>,
}

impl Trace<'_> {
    /// The operation of a tag by its letter, if it is traced.
    fn letter(&self, tag: u64) -> Option<char> {
        let number = u32::try_from(tag).ok()?.checked_sub(self.shown.first)?;
        char::from_u32(u32::from('a') + number)
    }

    /// Adds `text` to what the row `name` says of this cycle.
    fn put(&mut self, name: &str, text: &str) {
        let cycle = self.cycle.unwrap_or_default();
        let number = self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.rows.push(Row { name: name.to_owned(), cells: Vec::new() });
            self.rows.len() - 1
        });
        let cells = &mut self.rows[number].cells;
        cells.resize(cells.len().max(cycle + 1), String::new());
        cells[cycle].push_str(text);
    }

    /// The operations that wait for an MSHR: two of them, or the first and `+`.
    fn waiting(&self, places: &[Seen], mshr: usize) -> String {
        let waiters = places.iter().filter(|place| place.name == "global_waiter" && place.is_occupied);
        let here = waiters.filter(|waiter| waiter.value("mshr") == Some(mshr as u64));
        let letters: Vec<char> = here.filter_map(|waiter| self.letter(waiter.value("tag")?)).collect();
        match letters[..] {
            [first, _, _, ..] => format!("{first}+"),
            _ => letters.into_iter().collect(),
        }
    }

    /// The rows of the places.
    fn show(&mut self, places: &[Seen]) {
        for place in places {
            let short = place.name.strip_prefix("global_").unwrap_or(&place.name);
            // Of the other path the name is said in full.
            let (path, prefix) = if short.len() < place.name.len() { ("global", "global_") } else { ("constant", "") };
            let is_table = matches!(short, "waiter" | "mshr" | "miss");
            let number = place.number.filter(|_| is_table).map_or(String::new(), |number| number.to_string());
            let name = match prefix == self.shown.prefix {
                true => format!("{short}{number}"),
                false => format!("{path} {short}{number}"),
            };
            let text = match short {
                _ if !place.is_occupied => String::new(),
                "mshr" => self.waiting(places, place.number.unwrap_or_default()),
                "read_queue" => {
                    place.value("length").filter(|length| *length > 0).map_or(String::new(), |n| n.to_string())
                }
                "response" => sector(place.value("id").unwrap_or_default() as u8),
                "answer" | "serve" | "reply" => remote_sector(place.value("id").unwrap_or_default() as u8),
                "update" => "*".to_owned(),
                _ => place.value("tag").and_then(|tag| self.letter(tag)).map_or(String::new(), String::from),
            };
            self.put(&name, &text);
            for (of, value) in &self.shown.values {
                if *of == name {
                    let text = place.value(value).map_or(String::new(), |value| format!("{value:x}"));
                    self.put(&format!("{of}.{value}"), &text);
                }
            }
        }
    }
}

impl Observer for Trace<'_> {
    fn before(&mut self, _: u64, sm: u32, _: &Inputs, engines: &mut [Box<dyn Engine>]) {
        if sm != SHOWN_UNIT {
            return;
        }
        let mut places = Places::default();
        if let Some(golden) = engines.iter().find_map(|engine| engine.golden()) {
            golden.visit_places(&mut places);
        }
        self.places = places.0;
    }

    fn stepped(&mut self, view: &StepView<'_>) {
        if view.sm != SHOWN_UNIT {
            return;
        }
        let (inputs, outputs) = (view.inputs, view.expected);
        let accepted = (inputs.req_valid && outputs.req_ready && view.cycle > 0).then_some(inputs.req.tag.into());
        let accepted = accepted.and_then(|tag| self.letter(tag));
        self.cycle = match self.cycle {
            Some(cycle) => Some(cycle + 1),
            None if accepted == Some('a') => Some(0),
            None => return,
        };
        self.put("port req", &accepted.map_or(String::new(), String::from));
        let beats = (inputs.wdata_valid && outputs.wdata_ready).then_some(inputs.wdata.tag.into());
        self.put("port wdata", &beats.and_then(|tag| self.letter(tag)).map_or(String::new(), String::from));
        let places = std::mem::take(&mut self.places);
        self.show(&places);
        let asked = (outputs.mem_req_valid && inputs.mem_req_ready).then_some(outputs.mem_req.id);
        self.put("port mem_req", &asked.map_or(String::new(), sector));
        let answered = (inputs.mem_rsp_valid && outputs.mem_rsp_ready).then_some(inputs.mem_rsp.id);
        self.put("port mem_rsp", &answered.map_or(String::new(), sector));
        let remote = (outputs.cluster_req_valid && inputs.cluster_req_ready).then_some(outputs.cluster_req.id);
        self.put("port cluster_req", &remote.map_or(String::new(), remote_sector));
        let remote = (inputs.cluster_rsp_valid && outputs.cluster_rsp_ready).then_some(inputs.cluster_rsp.id);
        self.put("port cluster_rsp", &remote.map_or(String::new(), remote_sector));
        let served = (inputs.serve_req_valid && outputs.serve_req_ready).then_some(inputs.serve_req.id);
        self.put("port serve_req", &served.map_or(String::new(), remote_sector));
        let served = (outputs.serve_rsp_valid && inputs.serve_rsp_ready).then_some(outputs.serve_rsp.id);
        self.put("port serve_rsp", &served.map_or(String::new(), remote_sector));
        let writes = (outputs.wb_valid && inputs.wb_ready).then_some(outputs.wb.tag.into());
        let written = writes.and_then(|tag| self.letter(tag)).map_or(String::new(), String::from);
        let last = if outputs.wb.last && !written.is_empty() { "!" } else { "" };
        self.put("port wb", &format!("{written}{last}"));
    }
}

/// Runs the program on RTL and model, where every expectation must be met, and gives what the model's places held.
pub fn run(shown: &Shown, both: &Roster, alone: &Roster) -> Vec<Row> {
    let program = &shown.program;
    let mut results = Results::new(program);
    let outcome = lockstep::run(program, both, &mut results).expect("the engines run");
    assert_eq!(outcome.failure, None, "{}", shown.rule);
    assert_eq!(results.unmet(program), [], "{}", shown.rule);

    let mut trace = Trace { shown, places: Vec::new(), rows: Vec::new(), cycle: None };
    lockstep::run(program, alone, &mut trace).expect("the model runs");
    let mut rows = trace.rows;
    let is_used = |row: &Row| row.cells.iter().any(|cell| !cell.is_empty());
    rows.retain(is_used);
    let moves = |row: &Row| {
        if row.name.contains('.') {
            0
        } else {
            row.cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1)
        }
    };
    let cycles = rows.iter().map(moves).max().unwrap_or_default();
    assert!(cycles <= MAX_CYCLES, "{}: {cycles} cycles do not fit a line", shown.rule);
    for row in &mut rows {
        row.cells.resize(cycles, String::new());
    }
    rows
}

/// The rows as text, at most 160 columns wide.
pub fn text(rows: &[Row]) -> String {
    let name_width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default().max("cycle".len());
    let cycles = rows.first().map_or(0, |row| row.cells.len());
    let mut text = format!("{:name_width$}", "cycle");
    (0..cycles).for_each(|cycle| text.push_str(&format!(" {cycle:<2}")));
    for row in rows {
        text = format!("{}\n{:name_width$}", text.trim_end(), row.name);
        for cell in &row.cells {
            let cell = if cell.is_empty() { "." } else { cell };
            text.push_str(&format!(" {cell:<2}"));
        }
    }
    text.trim_end().to_owned()
}

//! Coverage of the Verilog: lines and branches, as Verilator counts them in a build of its own, summed over all
//! instances of a module, units, cases and threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::Preset;

use crate::engine::{Engine, EngineError, EngineKind, EngineSource, Model, PinWords, WordEngine};
use crate::interrupt;
use crate::roster::{RosterError, emitted_verilog};
use crate::verilator::{Build, Cache, Coverage, Dut, Error, Library, Source, Toolchain};

/// What is measured of the Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Blocks of statements.
    Line,
    /// Both ways of every condition.
    Branch,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Line, Self::Branch];

    /// What it counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "lines",
            Self::Branch => "branches",
        }
    }
}

/// One thing that is measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RtlPoint {
    /// Of which sort.
    pub measure: Measure,
    /// The module.
    pub module: String,
    /// Line of the Verilog.
    pub line: u32,
    /// Column in that line; two branches of one line may have the same name.
    pub column: u32,
    /// The sort of branch.
    pub what: String,
}

impl std::fmt::Display for RtlPoint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {} line {} {}", self.measure.name(), self.module, self.line, self.what)
    }
}

/// How often each point was met.
pub type RtlHits = BTreeMap<RtlPoint, u64>;

/// What all models so far came to, or why it cannot be known.
type Gathered = Arc<Mutex<Result<RtlHits, String>>>;

/// The golden model, and the emitted Verilog built so that it counts.
pub struct Rtl {
    preset: Preset,
    library: Library,
    words: PinWords,
    gathered: Gathered,
}

impl Rtl {
    /// Builds the unit of `preset`.
    ///
    /// # Errors
    /// The tool chain cannot be used.
    pub fn prepare(preset: &Preset, verilator: Option<&Path>) -> Result<Self, RosterError> {
        let toolchain = Toolchain::find(verilator, Cache::user()?)?;
        let build = Build::new("lsu", Source::Text(emitted_verilog(preset)?));
        let library = build.coverage([Coverage::Line]).build(&toolchain)?;
        let words = PinWords::new(preset, library.layout())?;
        Ok(Self { preset: *preset, library, words, gathered: Arc::new(Mutex::new(Ok(RtlHits::new()))) })
    }

    /// What all runs so far came to.
    ///
    /// # Errors
    /// Verilator's counts could not be written or read.
    pub fn hits(&self) -> Result<RtlHits, EngineError> {
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        gathered.clone().map_err(|reason| EngineError::Stopped { kind: EngineKind::Verilator, reason })
    }
}

impl EngineSource for Rtl {
    fn preset(&self) -> &Preset {
        &self.preset
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_requested()
    }

    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        let engine = WordEngine::new(self.library.instantiate()?, self.words.clone());
        let counted = Counted { engine, gathered: Arc::clone(&self.gathered) };
        Ok(vec![Box::new(Model::new(&self.preset)), Box::new(counted)])
    }
}

/// An engine that hands over what it has counted when it is dropped.
struct Counted {
    engine: WordEngine<Dut>,
    gathered: Gathered,
}

impl Counted {
    fn counts(&mut self) -> Result<RtlHits, String> {
        let Some(dut) = self.engine.dut() else { return Ok(RtlHits::new()) };
        let mut text = || -> Result<String, Error> {
            let file = tempfile::NamedTempFile::new()
                .map_err(|error| Error::Output { path: std::env::temp_dir(), reason: error.to_string() })?;
            dut.write_coverage(file.path())?;
            fs::read_to_string(file.path())
                .map_err(|error| Error::Output { path: file.path().to_owned(), reason: error.to_string() })
        };
        read(&text().map_err(|error| error.to_string())?)
    }
}

impl Engine for Counted {
    fn kind(&self) -> EngineKind {
        self.engine.kind()
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.engine.step(inputs, outputs)
    }

    fn agrees(&mut self, inputs: &Inputs, expected: &Outputs, found: &mut Outputs) -> Result<bool, EngineError> {
        self.engine.agrees(inputs, expected, found)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let counts = self.counts();
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        match (gathered.as_mut(), counts) {
            (Ok(sum), Ok(counts)) => {
                for (point, count) in counts {
                    *sum.entry(point).or_default() += count;
                }
            }
            (Ok(_), Err(reason)) => *gathered = Err(reason),
            (Err(_), _) => {}
        }
    }
}

/// Reads Verilator's text: a line `C 'KEY' COUNT` for each point of each instance, where the key's fields are a byte 1, a name, a byte 2
/// and a value each.
fn read(text: &str) -> Result<RtlHits, String> {
    let mut hits = RtlHits::new();
    for line in text.lines().filter(|line| line.starts_with("C '")) {
        let (key, count) = line[3..].rsplit_once("' ").ok_or_else(|| format!("no point: {line:?}"))?;
        let count: u64 = count.trim().parse().map_err(|_| format!("no count: {line:?}"))?;
        let field = |name: &str| {
            let mut fields = key.split('\u{1}').filter_map(|field| field.split_once('\u{2}'));
            fields.find_map(|(known, value)| (known == name).then_some(value)).unwrap_or_default()
        };
        let Some((sort, module)) = field("page").split_once('/') else { return Err(format!("no page: {line:?}")) };
        let measure = match sort {
            "v_line" => Measure::Line,
            "v_branch" => Measure::Branch,
            _ => return Err(format!("coverage of a sort that was not asked for: {line:?}")),
        };
        let number = |name| field(name).parse().map_err(|_| format!("no number {name}: {line:?}"));
        let point = RtlPoint {
            measure,
            module: module.to_owned(),
            line: number("l")?,
            column: number("n")?,
            what: field("o").to_owned(),
        };
        *hits.entry(point).or_default() += count;
    }
    Ok(hits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_of_a_module_are_one() {
        let point = |place: &str, count| {
            format!(
                "C '\u{1}f\u{2}lsu.v\u{1}l\u{2}12\u{1}n\u{2}5\u{1}page\u{2}v_branch/fifo\u{1}o\u{2}else\u{1}h\u{2}{place}' {count}\n"
            )
        };
        let text = format!("# SystemC::Coverage-3\n{}{}", point("TOP.lsu.a", 2), point("TOP.lsu.b", 3));
        let hits = read(&text).expect("the format");
        let (measure, what) = (Measure::Branch, "else".to_owned());
        let expected = RtlPoint { measure, module: "fifo".to_owned(), line: 12, column: 5, what };
        assert_eq!(hits.into_iter().collect::<Vec<_>>(), [(expected, 5)]);
        assert!(read("C 'x' y\n").is_err());
        assert!(read("C '\u{1}page\u{2}v_line/a' 1\n").is_err(), "without line and column");
    }
}

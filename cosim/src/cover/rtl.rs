//! Coverage of the Verilog, in a build of its own: lines and branches as Verilator counts them, and toggles; summed over all instances of a
//! module, units, cases and threads.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use lsu_hdl::emit::{DEFAULT_PREFIX, EmitError, WHOLE_UNIT, modules, verilog_file};

use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::Preset;
use serde::{Deserialize, Serialize};

use super::toggles::{Instances, Points, Toggles};
use super::untoggled::UntoggledList;
use crate::engine::{Ahead, Engine, EngineError, EngineKind, EngineSource, Model, PinWords, Stopped, WordEngine};
use crate::interrupt;
use crate::roster::{RosterError, unless_interrupted};
use crate::verilator::{Build, Cache, Coverage, Dut, Error, Library, Source, Toolchain};

/// What is measured of the Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Blocks of statements.
    Line,
    /// Both ways of every condition.
    Branch,
    /// Bits of signals, which have to rise and to fall.
    Toggle,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Line, Self::Branch, Self::Toggle];

    /// What it counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "lines",
            Self::Branch => "branches",
            Self::Toggle => "toggles",
        }
    }
}

/// How often each thing that is measured was met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RtlHits {
    lines: Points,
    branches: Points,
    toggles: Points,
}

impl RtlHits {
    /// Those of one sort.
    pub fn of(&self, measure: Measure) -> &Points {
        match measure {
            Measure::Line => &self.lines,
            Measure::Branch => &self.branches,
            Measure::Toggle => &self.toggles,
        }
    }

    fn of_mut(&mut self, measure: Measure) -> &mut Points {
        match measure {
            Measure::Line => &mut self.lines,
            Measure::Branch => &mut self.branches,
            Measure::Toggle => &mut self.toggles,
        }
    }

    /// Adds what other runs have met.
    pub fn add(&mut self, other: &Self) {
        for measure in Measure::ALL {
            let points = self.of_mut(measure);
            for (name, counts) in other.of(measure) {
                let known = points.entry(name.clone()).or_insert_with(|| vec![0; counts.len()]);
                known.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
    }
}

/// What is measured of the Verilog of a preset, held against the reasons for what is never met.
#[derive(Clone, Debug, Default)]
pub struct RtlReport {
    /// Of each sort: all points, those that can be met, and those that were.
    pub measures: Vec<(Measure, [u64; 3])>,
    /// What was not met and should have been, by name; bits of a signal as in Verilog.
    pub missing: Vec<String>,
    /// What was met although it cannot be.
    pub contradicting: Vec<String>,
    /// What was not met, by reason.
    pub unreachable: BTreeMap<String, Vec<String>>,
}

impl RtlReport {
    /// Of these hits.
    pub fn new(hits: &RtlHits, reasons: &UntoggledList) -> Self {
        let mut report = Self::default();
        for measure in Measure::ALL {
            let mut sums = [0; 3];
            for (name, counts) in hits.of(measure) {
                let reasons = match measure {
                    Measure::Line | Measure::Branch => vec![None; counts.len()],
                    Measure::Toggle => reasons.bits(name, counts.len()),
                };
                let is_met = |bit: usize| counts[bit] > 0;
                let is_fixed = |bit: usize| reasons[bit].is_some_and(|reason| !reason.is_rare);
                let is_reachable = |bit: usize| reasons[bit].is_none() || is_met(bit) && !is_fixed(bit);
                let bits = |is: &dyn Fn(usize) -> bool| (0..counts.len()).filter(|bit| is(*bit)).count() as u64;
                sums[0] += counts.len() as u64;
                sums[1] += bits(&is_reachable);
                sums[2] += bits(&|bit| is_reachable(bit) && is_met(bit));
                let names = |is: &dyn Fn(usize) -> bool| named(measure, name, counts.len(), is);
                report.missing.extend(names(&|bit| is_reachable(bit) && !is_met(bit)));
                report.contradicting.extend(names(&|bit| is_fixed(bit) && is_met(bit)));
                let mut known: Vec<&str> = reasons.iter().flatten().map(|untoggled| untoggled.reason).collect();
                known.dedup();
                for reason in known {
                    let is_why = |bit: usize| reasons[bit].is_some_and(|known| known.reason == reason);
                    let unmet = names(&|bit| is_why(bit) && !is_met(bit));
                    report.unreachable.entry(reason.to_owned()).or_default().extend(unmet);
                }
            }
            report.measures.push((measure, sums));
        }
        report
    }
}

/// The names of those of `width` bits that are so, neighbours together.
fn named(measure: Measure, name: &str, width: usize, is_so: &dyn Fn(usize) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    let mut bits = (0..width).filter(|bit| is_so(*bit)).peekable();
    while let Some(first) = bits.next() {
        let mut last = first;
        while let Some(next) = bits.next_if_eq(&(last + 1)) {
            last = next;
        }
        let range = match (width, last - first) {
            (1, _) => String::new(),
            (_, 0) => format!("[{first}]"),
            _ => format!("[{last}:{first}]"),
        };
        names.push(format!("{}: {name}{range}", measure.name()));
    }
    names
}

/// What all models so far came to, or why it cannot be known.
type Gathered = Arc<Mutex<Result<RtlHits, String>>>;

/// The golden model, and the emitted Verilog built so that it counts.
pub struct Rtl {
    preset: Preset,
    library: Library,
    words: PinWords,
    instances: Instances,
    gathered: Gathered,
}

impl Rtl {
    /// Builds the unit of `preset`.
    ///
    /// # Errors
    /// The tool chain cannot be used.
    pub fn prepare(preset: &Preset, verilator: Option<&Path>) -> Result<Self, RosterError> {
        let toolchain = Toolchain::find(verilator, Cache::user()?)?;
        let refused = |refusal: EmitError| RosterError::Emission { preset: preset.name, reason: refusal.to_string() };
        // With its header, so that line numbers are those of the file that a user has.
        let file = verilog_file(preset.name, DEFAULT_PREFIX, WHOLE_UNIT).map_err(refused)?;
        let build = Build::new(WHOLE_UNIT, Source::Text(file.text));
        let library = build.trace(true).coverage([Coverage::Line]).build(&toolchain);
        let library = library.map_err(|error| unless_interrupted(error.into()))?;
        let words = PinWords::new(preset, library.layout())?;
        let modules = modules(preset.name, DEFAULT_PREFIX).map_err(refused)?;
        let instances = Instances::of(&modules);
        Ok(Self { preset: *preset, library, words, instances, gathered: Arc::new(Mutex::new(Ok(RtlHits::default()))) })
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
        let mut dut = self.library.instantiate()?;
        let toggles = Rc::new(RefCell::new(Toggles::new(self.instances.clone(), WHOLE_UNIT)));
        let reader = Rc::clone(&toggles);
        dut.pipe_vcd(move |piece| reader.borrow_mut().read(piece))?;
        let engine = WordEngine::new(dut, self.words.clone());
        let counted = Counted { engine, toggles, gathered: Arc::clone(&self.gathered) };
        Ok(vec![Box::new(Model::new(&self.preset)), Box::new(counted)])
    }
}

/// An engine that hands over what it has counted when it is dropped.
struct Counted {
    engine: WordEngine<Dut>,
    toggles: Rc<RefCell<Toggles>>,
    gathered: Gathered,
}

impl Counted {
    fn counts(&mut self) -> Result<RtlHits, String> {
        let Some(dut) = self.engine.dut() else { return Ok(RtlHits::default()) };
        let mut text = || -> Result<String, Error> {
            let file = tempfile::NamedTempFile::new()
                .map_err(|error| Error::Output { path: std::env::temp_dir(), reason: error.to_string() })?;
            dut.write_coverage(file.path())?;
            fs::read_to_string(file.path())
                .map_err(|error| Error::Output { path: file.path().to_owned(), reason: error.to_string() })
        };
        let mut hits = read(&text().map_err(|error| error.to_string())?)?;
        dut.close_vcd().map_err(|error| error.to_string())?;
        hits.toggles = self.toggles.borrow().hits()?;
        Ok(hits)
    }
}

impl Engine for Counted {
    fn kind(&self) -> EngineKind {
        self.engine.kind()
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.engine.step(inputs, outputs)
    }

    fn follow(&mut self, ahead: &[Ahead], lanes: usize, found: &mut Outputs) -> Result<Option<usize>, Stopped> {
        self.engine.follow(ahead, lanes, found)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let counts = self.counts();
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        match (gathered.as_mut(), counts) {
            (Ok(sum), Ok(counts)) => sum.add(&counts),
            (Ok(_), Err(reason)) => *gathered = Err(reason),
            (Err(_), _) => {}
        }
    }
}

/// Reads Verilator's text: a line `C 'KEY' COUNT` for each point of each instance, where the key's fields are a byte 1, a name, a byte 2
/// and a value each.
fn read(text: &str) -> Result<RtlHits, String> {
    let mut hits = RtlHits::default();
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
        let number = |name| field(name).parse::<u32>().map_err(|_| format!("no number {name}: {line:?}"));
        // Two branches of one line may have the same name.
        let point = format!("{module} line {}:{} {}", number("l")?, number("n")?, field("o"));
        hits.of_mut(measure).entry(point).or_insert_with(|| vec![0])[0] += count;
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
        let expected = Points::from([("fifo line 12:5 else".to_owned(), vec![5])]);
        assert_eq!(hits, RtlHits { branches: expected, ..RtlHits::default() });
        assert!(read("C 'x' y\n").is_err());
        assert!(read("C '\u{1}page\u{2}v_line/a' 1\n").is_err(), "without line and column");
    }
}

//! Looks on while a program runs, and writes its stories.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use lsu_model::pins::Inputs;
use lsu_waves::view::{Marker, ViewFiles};
use lsu_waves::{DutSource, Format, Layout, Stories, TraceSource, Wave, WaveError, Window};

use super::operations::Operations;
use super::pins::PinStory;
use super::places::PlaceStory;
use super::{StoryError, view};
use crate::engine::Engine;
use crate::lockstep::{CycleView, Observer, StepView};
use crate::program::Program;

/// What to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WavePlan {
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub format: Format,
    /// The cycles that it shows.
    pub window: Window,
    /// The unit whose pins and state it shows. The operations of all units are shown.
    pub sm: u32,
}

/// The files that a run has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The waves.
    pub dump: PathBuf,
    /// Their views.
    pub views: ViewFiles,
}

/// Writes the waves of a run that it observes.
pub struct WaveStory<'p> {
    program: &'p Program,
    plan: WavePlan,
    telling: Option<Telling<'p>>,
    operations: Option<Operations<'p>>,
    /// The first error; nothing is written after it.
    error: Option<StoryError>,
}

/// What exists once the engines are there.
struct Telling<'p> {
    wave: Wave,
    stories: Stories,
    pins: PinStory,
    places: Option<PlaceStory>,
    operations: Operations<'p>,
    is_probe: bool,
    /// The cycle begun last.
    cycle: Option<u64>,
    /// Whether Verilator dumps.
    is_dumping: bool,
}

impl<'p> WaveStory<'p> {
    /// Waves of a run of `program`. The file is created at once, so that nobody waits for a run that cannot be written.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn new(program: &'p Program, plan: WavePlan) -> Result<Self, StoryError> {
        File::create(&plan.path).map_err(|source| WaveError::File {
            action: "create",
            path: plan.path.clone(),
            source,
        })?;
        Ok(Self { program, plan, telling: None, operations: Some(Operations::new(program)), error: None })
    }

    /// Completes the file after the run, and writes its views with those of `markers` that lie in the window.
    ///
    /// # Errors
    /// Not everything could be written, or the window lies outside the run.
    pub fn finish(self, mut markers: Vec<Marker>) -> Result<Written, StoryError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let Some(Telling { wave, stories, places, .. }) = self.telling else {
            return Err(WaveError::NoCycles.into());
        };
        let dump = wave.finish()?;
        markers.retain(|marker| (dump.first_cycle..=dump.last_cycle).contains(&marker.cycle));
        let views = view::view(&dump, &stories, places.as_ref(), markers).write(&dump)?;
        Ok(Written { dump: dump.path, views })
    }

    fn start(&mut self, engines: &mut [Box<dyn Engine>]) -> Result<(), StoryError> {
        let Some(operations) = self.operations.take() else { return Ok(()) };
        let has_model = engines.iter().any(|engine| engine.golden().is_some());
        let is_alone = engines.len() == 1;
        let mut trace = None;
        if let Some(dut) = engines.iter_mut().find_map(|engine| engine.dut()) {
            let (mut sink, source) = TraceSource::pipe();
            // Memory takes every byte.
            dut.pipe_vcd(move |bytes| drop(sink.write_all(bytes)))?;
            trace = Some(source);
        }
        let dut = match trace {
            Some(_) => DutSource::Trace,
            None if has_model && is_alone => DutSource::None,
            None => DutSource::Probe,
        };
        let preset = &self.program.preset;
        let mut layout = Layout::new();
        let (declared, pins) = PinStory::new(preset, &mut layout)?;
        let stories = Stories::declare(&mut layout, declared, &operations.lane_names(), dut, has_model)?;
        let places = match stories.model_scope() {
            Some(model) => Some(PlaceStory::new(preset, &mut layout, model)?),
            None => None,
        };
        let wave = Wave::create(&self.plan.path, self.plan.format, layout, self.plan.window, trace)?;
        let is_probe = dut == DutSource::Probe;
        self.telling =
            Some(Telling { wave, stories, pins, places, operations, is_probe, cycle: None, is_dumping: true });
        Ok(())
    }

    fn begin(&mut self, cycle: u64, sm: u32, engines: &mut [Box<dyn Engine>]) -> Result<(), StoryError> {
        let is_unit = sm == self.plan.sm;
        if self.telling.is_none() {
            // Units before this one have nothing to tell in the reset cycle.
            if !is_unit {
                return Ok(());
            }
            self.start(engines)?;
        }
        let Some(telling) = &mut self.telling else { return Ok(()) };
        if telling.cycle != Some(cycle) {
            telling.cycle = Some(cycle);
            telling.wave.begin_cycle(cycle)?;
        }
        let is_shown = self.plan.window.contains(cycle);
        if is_unit && is_shown != telling.is_dumping {
            telling.is_dumping = is_shown;
            if let Some(dut) = engines.iter_mut().find_map(|engine| engine.dut()) {
                dut.dump(is_shown);
            }
        }
        if is_shown {
            let golden = engines.iter().find_map(|engine| engine.golden());
            telling.operations.look(golden);
            if let (true, Some(places), Some(golden)) = (is_unit, &mut telling.places, golden) {
                places.show(&mut telling.wave, golden);
            }
        }
        Ok(())
    }
}

impl Observer for WaveStory<'_> {
    fn before(&mut self, cycle: u64, sm: u32, _inputs: &Inputs, engines: &mut [Box<dyn Engine>]) {
        if self.error.is_none() {
            self.error = self.begin(cycle, sm, engines).err();
        }
    }

    fn stepped(&mut self, view: &StepView<'_>) {
        let Some(telling) = &mut self.telling else { return };
        if self.error.is_some() || !self.plan.window.contains(view.cycle) {
            return;
        }
        let Telling { wave, stories, pins, operations, is_probe, .. } = telling;
        operations.show(wave, stories, view);
        if view.sm == self.plan.sm {
            pins.show(wave, stories, view, *is_probe);
        }
    }

    fn cycle(&mut self, view: &CycleView<'_>) {
        if let Some(telling) = &mut self.telling {
            telling.operations.count(view);
        }
    }
}

//! `model.places.*`: the state of the golden model, by the names that it gives itself.

use lsu_model::golden::{Golden, PlaceVisitor};
use lsu_model::preset::Preset;
use lsu_waves::{Layout, ScopeId, SignalId, Wave, WaveError};

/// Shows the places cycle by cycle.
pub(super) struct PlaceStory {
    signals: Vec<SignalId>,
    /// Full names of the signals.
    paths: Vec<String>,
    /// Which signals have meant something and not been 0.
    is_used: Vec<bool>,
    /// What each signal shows; `None` before anything is shown.
    shown: Vec<Option<Option<u64>>>,
}

impl PlaceStory {
    /// Declares `places` below `model`.
    pub(super) fn new(preset: &Preset, layout: &mut Layout, model: ScopeId) -> Result<Self, WaveError> {
        let places = layout.scope(Some(model), "places")?;
        let mut declaration =
            Declaration { layout: &mut *layout, places, place: None, signals: Vec::new(), error: None };
        Golden::new(preset).visit_places(&mut declaration);
        let Declaration { signals, error, .. } = declaration;
        match error {
            Some(error) => Err(error),
            None => Ok(Self {
                paths: signals.iter().map(|signal| layout.path(*signal)).collect(),
                is_used: vec![false; signals.len()],
                shown: vec![None; signals.len()],
                signals,
            }),
        }
    }

    /// The signals that have shown a place in use, by their full names.
    pub(super) fn used(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().zip(&self.is_used).filter(|(_, is_used)| **is_used).map(|(path, _)| path.as_str())
    }

    /// Shows the state of `golden`.
    pub(super) fn show(&mut self, wave: &mut Wave, golden: &Golden) {
        golden.visit_places(&mut Showing { story: self, wave, next: 0 });
    }
}

struct Declaration<'a> {
    layout: &'a mut Layout,
    places: ScopeId,
    place: Option<ScopeId>,
    signals: Vec<SignalId>,
    error: Option<WaveError>,
}

impl Declaration<'_> {
    fn signal(&mut self, name: &str, bits: u32) {
        let Some(scope) = self.place else { return };
        let signal = match bits {
            1 => self.layout.flag(scope, name),
            _ => self.layout.bits(scope, name, bits),
        };
        match signal {
            Ok(signal) => self.signals.push(signal),
            Err(error) => self.error = Some(error),
        }
    }
}

impl PlaceVisitor for Declaration<'_> {
    fn place(&mut self, name: &'static str, number: Option<usize>, _is_occupied: bool) {
        let name = number.map_or(name.to_owned(), |number| format!("{name}{number}"));
        match self.layout.scope(Some(self.places), &name) {
            Ok(scope) => self.place = Some(scope),
            Err(error) => self.error = Some(error),
        }
        self.signal("valid", 1);
    }

    fn value(&mut self, name: &'static str, bits: u32, _value: Option<u64>) {
        self.signal(name, bits);
    }
}

struct Showing<'a> {
    story: &'a mut PlaceStory,
    wave: &'a mut Wave,
    next: usize,
}

impl Showing<'_> {
    fn show(&mut self, value: Option<u64>) {
        let index = self.next;
        self.next += 1;
        if self.story.shown[index] == Some(value) {
            return;
        }
        self.story.shown[index] = Some(value);
        let signal = self.story.signals[index];
        self.story.is_used[index] |= value.is_some_and(|value| value != 0);
        match value {
            Some(value) => self.wave.set_number(signal, value),
            None => self.wave.set_unknown(signal),
        }
    }
}

impl PlaceVisitor for Showing<'_> {
    fn place(&mut self, _name: &'static str, _number: Option<usize>, is_occupied: bool) {
        self.show(Some(is_occupied.into()));
    }

    fn value(&mut self, _name: &'static str, _bits: u32, value: Option<u64>) {
        self.show(value);
    }
}

//! A dump while it is being written: values come in per cycle, changes go out.

use std::path::{Path, PathBuf};

use crate::dump::list_dut;
use crate::dut_trace::{DUT_SCOPE, DutTrace};
use crate::fst_sink::FstSink;
use crate::layout::{Kind, Layout};
use crate::merge::{Merge, Sink};
use crate::value_lines::{push_flag, push_text, push_text_vector, push_unknown, push_vector};
use crate::vcd_sink::VcdSink;
use crate::{Dump, Entry, SignalId, TextId, TraceSource, WaveError, Window};

/// Time units (of 1 ns in the file) per clock cycle: cycle `t` is shown from `10 t` to `10 t + 9`.
///
/// Verilator's trace of the same run must use the same units: dump at `10 t` with the clock high and the inputs of
/// cycle `t` applied, and at `10 t + 5` with the clock low.
pub const TICKS_PER_CYCLE: u64 = 10;

/// File format of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value change dump, text; read by everything.
    Vcd,
    /// GTKWave's compressed format; read by GTKWave and Surfer.
    Fst,
}

/// Words of one signal within the value arenas.
#[derive(Clone, Copy)]
struct Place {
    first_word: u32,
    words: u32,
}

/// An id code as it stands in value lines.
#[derive(Clone, Copy)]
struct IdText {
    bytes: [u8; 8],
    length: u8,
}

impl IdText {
    fn new(code: u64) -> Self {
        let text = vcd::IdCode::from(code).to_string();
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { bytes, length: text.len() as u8 }
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// Values of every signal: bits in one arena, text apart.
#[derive(Clone)]
struct Values {
    words: Vec<u32>,
    is_known: Vec<bool>,
    texts: Vec<Vec<u8>>,
}

/// A dump being written.
///
/// Values that are set between two [`Wave::begin_cycle`] belong to the cycle begun first; the last one set counts, and
/// only those that differ from the cycle before are written. A signal that was never set is unknown (`x`).
pub struct Wave {
    layout: Layout,
    path: PathBuf,
    format: Format,
    window: Window,
    places: Vec<Place>,
    ids: Vec<IdText>,
    /// What is in the file.
    shown: Values,
    /// What the current cycle holds.
    next: Values,
    /// Signals set in the current cycle, each once.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    cycle: Option<u64>,
    first_cycle: u64,
    dumped: Option<(u64, u64)>,
    merge: Merge,
    dut_entries: Vec<Entry>,
}

impl Wave {
    /// Creates the file and writes its header.
    ///
    /// `dut_trace` is the VCD that Verilator writes in the same run; it must have been opened and flushed once, so that
    /// its header is there. Its hierarchy appears as `dut` in the dump, and its values are merged in as the file grows.
    /// The trace may hold only cycles of the window (see [`Wave::dumps`]) and stays as it is.
    ///
    /// # Errors
    /// [`WaveError::File`] if a file cannot be created or written, [`WaveError::DutTrace`] if the trace's header is not
    /// complete, [`WaveError::Name`] if the layout has a scope `dut` of its own beside the trace.
    pub fn create(
        path: &Path,
        format: Format,
        layout: Layout,
        window: Window,
        dut_trace: Option<TraceSource>,
    ) -> Result<Self, WaveError> {
        let dut = dut_trace.map(DutTrace::open).transpose()?;
        if dut.is_some() && layout.has_top_scope(DUT_SCOPE) {
            return Err(WaveError::Name { name: DUT_SCOPE.to_owned(), reason: "taken by the trace" });
        }
        let first_code = dut.as_ref().map_or(0, DutTrace::first_free_code);
        let dut_scope = dut.as_ref().map(DutTrace::scope);
        let mut dut_entries = Vec::new();
        if let Some(scope) = dut_scope {
            list_dut(scope, DUT_SCOPE, &mut dut_entries);
        }
        let sink = match format {
            Format::Vcd => Sink::Vcd(VcdSink::create(path, &layout, first_code, dut_scope)?),
            Format::Fst => Sink::Fst(Box::new(FstSink::create(path, &layout, first_code, dut_scope)?)),
        };
        let mut places = Vec::with_capacity(layout.signals.len());
        let mut total = 0;
        for signal in &layout.signals {
            let words = match signal.kind {
                Kind::Text(_) => 0,
                _ => signal.width.div_ceil(32),
            };
            places.push(Place { first_word: total, words });
            total += words;
        }
        let count = layout.signals.len();
        let is_known = layout.signals.iter().map(|signal| matches!(signal.kind, Kind::Text(_))).collect();
        let values = Values { words: vec![0; total as usize], is_known, texts: vec![Vec::new(); count] };
        Ok(Self {
            path: path.to_owned(),
            format,
            window,
            places,
            ids: (0..count as u64).map(|index| IdText::new(first_code + index)).collect(),
            shown: values.clone(),
            next: values,
            touched: Vec::with_capacity(count),
            is_touched: vec![false; count],
            cycle: None,
            first_cycle: 0,
            dumped: None,
            merge: Merge::new(sink, dut),
            dut_entries,
            layout,
        })
    }

    /// Whether `cycle` is dumped; Verilator's own dump is to be called only then.
    pub fn dumps(&self, cycle: u64) -> bool {
        self.window.contains(cycle)
    }

    /// Ends the cycle before and begins `cycle`.
    ///
    /// # Errors
    /// [`WaveError::CycleOrder`] unless `cycle` is later than the one before; [`WaveError::File`] if the disk is full.
    pub fn begin_cycle(&mut self, cycle: u64) -> Result<(), WaveError> {
        match self.cycle {
            None => self.first_cycle = cycle,
            Some(previous) if cycle <= previous => {
                return Err(WaveError::CycleOrder { cycle, previous });
            }
            Some(_) => self.end_cycle()?,
        }
        self.cycle = Some(cycle);
        Ok(())
    }

    /// Sets a signal from 32-bit words, lowest first. Missing words are 0; bits above the width are dropped.
    pub fn set(&mut self, signal: SignalId, words: &[u32]) {
        let index = signal.0 as usize;
        let width = self.layout.signals[index].width;
        let target = self.next.bits_mut(self.places[index]);
        let given = target.len().min(words.len());
        target[..given].copy_from_slice(&words[..given]);
        target[given..].fill(0);
        if let (Some(highest), 1..) = (target.last_mut(), width % 32) {
            *highest &= u32::MAX >> (32 - width % 32);
        }
        self.next.is_known[index] = true;
        self.touch(signal.0);
    }

    /// Sets a signal of at most 64 bits; bits above the width are dropped.
    pub fn set_number(&mut self, signal: SignalId, value: u64) {
        self.set(signal, &[value as u32, (value >> 32) as u32]);
    }

    /// Sets a signal of one bit.
    pub fn set_flag(&mut self, signal: SignalId, value: bool) {
        self.set(signal, &[u32::from(value)]);
    }

    /// Makes every bit of a signal unknown (`x`), for a payload that means nothing while its `valid` is low.
    pub fn set_unknown(&mut self, signal: SignalId) {
        self.next.is_known[signal.0 as usize] = false;
        self.touch(signal.0);
    }

    /// Sets a text; an empty one leaves its lane empty. Characters other than printable ASCII become `?`, and a text
    /// that is longer than its columns ends in `~`.
    pub fn set_text(&mut self, signal: TextId, text: &str) {
        let index = signal.0 as usize;
        let columns = match self.layout.signals[index].kind {
            Kind::Text(columns) => columns as usize,
            _ => 0,
        };
        let target = &mut self.next.texts[index];
        target.clear();
        target.extend(text.chars().map(|letter| match letter {
            ' '..='~' => letter as u8,
            _ => b'?',
        }));
        if target.len() > columns {
            target.truncate(columns);
            if let Some(last) = target.last_mut() {
                *last = b'~';
            }
        }
        self.touch(signal.0);
    }

    /// Hands everything so far to the operating system, so that the file opens although its writer is killed. A VCD
    /// then holds every cycle before the current one; an FST gets a new section when the next cycle begins.
    ///
    /// # Errors
    /// [`WaveError::File`] if the disk is full.
    pub fn flush(&mut self) -> Result<(), WaveError> {
        self.merge.flush()
    }

    /// Ends the last cycle and completes the file. Verilator's trace must have been closed.
    ///
    /// # Errors
    /// [`WaveError::WindowOutsideRun`] or [`WaveError::NoCycles`] if nothing was dumped (the file is complete, but
    /// empty); [`WaveError::File`] if the disk is full.
    pub fn finish(mut self) -> Result<Dump, WaveError> {
        if self.cycle.is_some() {
            self.end_cycle()?;
        }
        let end = self.dumped.map_or(0, |(_, last)| last.saturating_add(1).saturating_mul(TICKS_PER_CYCLE));
        self.merge.finish(end)?;
        let Some((first_cycle, last_cycle)) = self.dumped else {
            let Some(last) = self.cycle else {
                return Err(WaveError::NoCycles);
            };
            let (from, to) = (self.window.from(), self.window.to());
            return Err(WaveError::WindowOutsideRun { from, to, first: self.first_cycle, last });
        };
        let mut entries = self.dut_entries;
        for (index, signal) in (0..).zip(&self.layout.signals) {
            let path = self.layout.signal_path(index);
            let range = (signal.width > 1 && !(self.format == Format::Vcd && matches!(signal.kind, Kind::Text(_))))
                .then(|| format!("[{}:0]", signal.width - 1));
            entries.push(Entry { path, range, width: signal.width, kind: signal.kind });
        }
        let Layout { enums, .. } = self.layout;
        Ok(Dump { path: self.path, format: self.format, first_cycle, last_cycle, entries, enums })
    }

    fn touch(&mut self, index: u32) {
        let mark = &mut self.is_touched[index as usize];
        if !*mark {
            *mark = true;
            self.touched.push(index);
        }
    }

    fn end_cycle(&mut self) -> Result<(), WaveError> {
        let Some(cycle) = self.cycle.filter(|&cycle| self.window.contains(cycle)) else {
            return Ok(());
        };
        if self.dumped.is_none() {
            self.merge.lines().extend_from_slice(b"$dumpvars\n");
            for index in 0..self.layout.signals.len() {
                self.show(index);
            }
            self.merge.lines().extend_from_slice(b"$end\n");
            self.touched.clear();
            self.is_touched.fill(false);
        } else {
            for position in 0..self.touched.len() {
                let index = self.touched[position] as usize;
                self.is_touched[index] = false;
                if self.differs(index) {
                    self.show(index);
                }
            }
            self.touched.clear();
        }
        let first = self.dumped.map_or(cycle, |(first, _)| first);
        self.dumped = Some((first, cycle));
        self.merge.close_group(cycle.saturating_mul(TICKS_PER_CYCLE))
    }

    fn differs(&self, index: usize) -> bool {
        let place = self.places[index];
        let is_known = self.next.is_known[index];
        is_known != self.shown.is_known[index]
            || is_known && self.next.bits(place) != self.shown.bits(place)
            || self.next.texts[index] != self.shown.texts[index]
    }

    /// Writes a signal's value.
    fn show(&mut self, index: usize) {
        let signal = &self.layout.signals[index];
        let place = self.places[index];
        let id = self.ids[index].as_bytes();
        let lines = self.merge.lines();
        if let Kind::Text(_) = signal.kind {
            let text = &self.next.texts[index];
            match self.format {
                Format::Vcd => push_text(lines, text, id),
                Format::Fst => push_text_vector(lines, text, id),
            }
            self.shown.texts[index].clone_from(text);
            return;
        }
        self.shown.is_known[index] = self.next.is_known[index];
        let words = self.next.bits(place);
        if !self.next.is_known[index] {
            push_unknown(lines, signal.width, id);
        } else if signal.width == 1 {
            push_flag(lines, words[0] != 0, id);
        } else {
            push_vector(lines, words, id);
        }
        self.shown.bits_mut(place).copy_from_slice(words);
    }
}

impl Values {
    fn bits(&self, place: Place) -> &[u32] {
        &self.words[place.first_word as usize..][..place.words as usize]
    }

    fn bits_mut(&mut self, place: Place) -> &mut [u32] {
        &mut self.words[place.first_word as usize..][..place.words as usize]
    }
}

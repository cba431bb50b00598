//! Two streams of value lines, our own and the trace of the device under test, merged by time.

use std::collections::VecDeque;

use crate::WaveError;
use crate::dut_trace::DutTrace;
use crate::fst_sink::FstSink;
use crate::vcd_sink::VcdSink;

/// Own lines kept before they are merged. Together with what Verilator itself holds back this bounds the memory.
const PENDING_BYTES: usize = 1 << 16;

pub(crate) enum Sink {
    Vcd(VcdSink),
    Fst(Box<FstSink>),
}

impl Sink {
    fn at(&mut self, time: u64, lines: &[u8]) -> Result<(), WaveError> {
        match self {
            Sink::Vcd(sink) => {
                sink.time(time)?;
                sink.lines(lines)
            }
            Sink::Fst(sink) => {
                sink.time(time)?;
                sink.lines(lines)
            }
        }
    }
}

pub(crate) struct Merge {
    sink: Sink,
    dut: Option<DutTrace>,
    pending: Vec<u8>,
    /// Time of each group of own lines, and the end of its lines in `pending`.
    groups: VecDeque<(u64, usize)>,
    /// Start of the first group's lines in `pending`.
    taken: usize,
    /// Latest time up to which all own lines are known; the trace waits there.
    horizon: Option<u64>,
    /// Latest time handed to the sink.
    latest: u64,
}

impl Merge {
    pub(crate) fn new(sink: Sink, dut: Option<DutTrace>) -> Self {
        Self { sink, dut, pending: Vec::new(), groups: VecDeque::new(), taken: 0, horizon: None, latest: 0 }
    }

    /// Where own lines of the group that [`Merge::close_group`] ends are appended.
    pub(crate) fn lines(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Ends the own lines of one time. A time without lines leaves no trace.
    pub(crate) fn close_group(&mut self, time: u64) -> Result<(), WaveError> {
        let begin = self.groups.back().map_or(self.taken, |&(_, end)| end);
        if self.pending.len() > begin {
            self.groups.push_back((time, self.pending.len()));
        }
        self.horizon = Some(time);
        let is_waiting = self.dut.as_ref().is_some_and(DutTrace::is_waiting);
        if is_waiting || self.pending.len() - self.taken >= PENDING_BYTES {
            self.drain(false)?;
        }
        Ok(())
    }

    /// Hands everything that is known to be complete to the file, and the file's buffer to the system.
    pub(crate) fn flush(&mut self) -> Result<(), WaveError> {
        self.drain(false)?;
        match &mut self.sink {
            Sink::Vcd(sink) => sink.flush(),
            Sink::Fst(sink) => {
                sink.flush();
                Ok(())
            }
        }
    }

    /// Writes what is left, and a last time stamp `end`, so that the last values have a length.
    pub(crate) fn finish(mut self, end: u64) -> Result<(), WaveError> {
        self.drain(true)?;
        self.sink.at(end.max(self.latest), b"")?;
        match self.sink {
            Sink::Vcd(mut sink) => sink.flush(),
            Sink::Fst(sink) => sink.finish(),
        }
    }

    fn drain(&mut self, is_last: bool) -> Result<(), WaveError> {
        loop {
            let own = self.groups.front().copied();
            let dut = match &mut self.dut {
                Some(trace) => trace.next_time()?,
                None => None,
            };
            match (own, dut) {
                (Some((time, end)), Some(dut_time)) if time <= dut_time => self.emit_own(time, end)?,
                (_, Some(dut_time)) if is_last || Some(dut_time) <= self.horizon => {
                    let Some(trace) = &mut self.dut else { break };
                    let Some(lines) = trace.take_lines(is_last)? else {
                        break;
                    };
                    self.latest = self.latest.max(dut_time);
                    self.sink.at(self.latest, lines)?;
                }
                (Some((time, end)), None) if is_last || self.dut.is_none() => self.emit_own(time, end)?,
                _ => break,
            }
        }
        self.pending.drain(..self.taken);
        for (_, end) in &mut self.groups {
            *end -= self.taken;
        }
        self.taken = 0;
        Ok(())
    }

    fn emit_own(&mut self, time: u64, end: usize) -> Result<(), WaveError> {
        self.latest = self.latest.max(time);
        self.sink.at(self.latest, &self.pending[self.taken..end])?;
        self.taken = end;
        self.groups.pop_front();
        Ok(())
    }
}

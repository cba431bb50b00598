//! The serial line, and the unit behind it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lsu_model::preset::{self, Preset};
use serial2::SerialPort;
use sha2::{Digest, Sha256};

use super::error::BoardError;
use super::frame::{EXTRA, IDENTIFY, IDENTITY, IDENTITY_BYTES, STEP, STEPPED, opened, seal};
use super::packing::Packing;
use crate::engine::{EngineError, EngineKind, PinWords, WordStepper, ports};
use crate::verilator::Direction;

/// Bits on the line for each byte: with its start and its stop.
const BITS: u32 = 10;

/// How long a board and what is between may take beyond the time of the bits.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long nothing must come until nothing more does.
const QUIET: Duration = Duration::from_millis(200);

/// A board with a unit, at a serial port.
#[derive(Debug)]
pub struct Board {
    path: PathBuf,
    baud: u32,
    port: SerialPort,
    inputs: Packing,
    outputs: Packing,
    /// The frame that is sent or that came last.
    frame: Vec<u8>,
}

/// A board that the engines of one run after the other use.
pub type SharedBoard = Arc<Mutex<Board>>;

impl Board {
    /// The board at this port, which must have a unit of `preset`.
    ///
    /// # Errors
    /// There is no such port, or at it no board with that unit.
    pub fn connect(path: &Path, baud: u32, preset: &Preset) -> Result<Board, BoardError> {
        let layout = PinWords::standard_layout(preset);
        let port =
            SerialPort::open(path, baud).map_err(|source| BoardError::Open { port: path.to_owned(), baud, source })?;
        let inputs = Packing::new(&layout, Direction::Input);
        let outputs = Packing::new(&layout, Direction::Output);
        let mut board = Board { path: path.to_owned(), baud, port, inputs, outputs, frame: Vec::new() };
        board.synchronize()?;
        let found = board.said_identity()?;
        if identity(preset) == Some(found) {
            return Ok(board);
        }
        Err(BoardError::OtherUnit {
            port: path.to_owned(),
            expected: preset.name,
            identity: found,
            found: preset::ALL.iter().find(|other| identity(other) == Some(found)).map(|other| other.name),
        })
    }

    /// Ends a frame that someone else may have left in the middle: between frames, a byte of 0 is nothing.
    fn synchronize(&mut self) -> Result<(), BoardError> {
        let longest = self.inputs.bytes() + EXTRA;
        self.frame.clear();
        self.frame.resize(longest, 0);
        self.send()?;
        self.wait_for(QUIET + self.time(longest))?;
        // What comes now is at most the answers to two frames.
        for _ in 0..2 * (self.outputs.bytes() + EXTRA) {
            match self.port.read(&mut [0]) {
                Ok(_) => self.wait_for(QUIET)?,
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    return self.wait_for(PATIENCE + 2 * self.time(longest + self.outputs.bytes()));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(self.failed(source)),
            }
        }
        Err(self.garbled())
    }

    /// What the board says of itself.
    fn said_identity(&mut self) -> Result<u32, BoardError> {
        self.frame.clear();
        self.frame.push(IDENTIFY);
        seal(&mut self.frame);
        self.send()?;
        self.receive(IDENTITY_BYTES)?;
        let found = opened(&self.frame, IDENTITY).and_then(|payload| payload.try_into().ok());
        found.map(u32::from_le_bytes).ok_or_else(|| self.garbled())
    }

    /// Runs so many cycles. While the answer to one comes, the next one is sent, and no more: the board has no room for two.
    fn run(&mut self, inputs: &[u32], outputs: &mut [u32], cycles: usize) -> (usize, Result<(), BoardError>) {
        let (words, out) = (inputs.len() / cycles, outputs.len() / cycles);
        let mut ahead = inputs.chunks_exact(words);
        let mut step = |board: &mut Board| ahead.next().map_or(Ok(()), |words| board.send_inputs(words));
        if let Err(error) = step(self) {
            return (0, Err(error));
        }
        for (cycle, outputs) in outputs.chunks_exact_mut(out).enumerate() {
            if let Err(error) = step(self).and_then(|()| self.receive_outputs(outputs)) {
                return (cycle, Err(error));
            }
        }
        (cycles, Ok(()))
    }

    fn send_inputs(&mut self, words: &[u32]) -> Result<(), BoardError> {
        self.frame.clear();
        self.frame.push(STEP);
        self.inputs.pack(words, &mut self.frame);
        seal(&mut self.frame);
        self.send()
    }

    fn receive_outputs(&mut self, words: &mut [u32]) -> Result<(), BoardError> {
        self.receive(self.outputs.bytes())?;
        match opened(&self.frame, STEPPED) {
            Some(payload) => self.outputs.unpack(payload, words),
            None => return Err(self.garbled()),
        }
        Ok(())
    }

    /// Sends the frame.
    fn send(&self) -> Result<(), BoardError> {
        self.port.write_all(&self.frame).map_err(|source| self.failed(source))
    }

    /// Waits for a frame with so many bytes that belong to it. One that says that the frame before was none is shorter.
    fn receive(&mut self, bytes: usize) -> Result<(), BoardError> {
        self.frame.resize(EXTRA, 0);
        let read = |board: &mut Board, from: usize| {
            board.port.read_exact(&mut board.frame[from..]).map_err(|source| board.failed(source))
        };
        read(self, 0)?;
        if ![STEPPED, IDENTITY].contains(&self.frame[0]) {
            return Err(self.garbled());
        }
        self.frame.resize(EXTRA + bytes, 0);
        read(self, EXTRA)
    }

    /// How long so many bytes take on the line.
    fn time(&self, bytes: usize) -> Duration {
        Duration::from_secs(bytes as u64 * u64::from(BITS)) / self.baud
    }

    /// From now on, what does not come for so long does not come.
    fn wait_for(&mut self, time: Duration) -> Result<(), BoardError> {
        self.port.set_read_timeout(time).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> BoardError {
        let port = self.path.clone();
        match source.kind() {
            io::ErrorKind::TimedOut => BoardError::Silent { port, baud: self.baud },
            _ => BoardError::Port { port, source },
        }
    }

    fn garbled(&self) -> BoardError {
        BoardError::Garbled { port: self.path.clone(), baud: self.baud }
    }
}

/// What a board with the unit of `preset` says of itself: the first four bytes of the SHA-256 of the preset's name and its pins, a line each.
fn identity(preset: &Preset) -> Option<u32> {
    let line = |(name, width, direction): (_, _, Direction)| format!("{name} {} {width}\n", direction.keyword());
    let mut pins: Vec<String> = ports(preset).into_iter().map(line).collect();
    pins.sort_unstable();
    let hash = Sha256::digest(format!("{}\n{}", preset.name, pins.concat()));
    hash.first_chunk().copied().map(u32::from_le_bytes)
}

impl WordStepper for SharedBoard {
    fn kind(&self) -> EngineKind {
        EngineKind::Board
    }

    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), EngineError> {
        self.run(inputs, outputs, 1).1
    }

    fn run(&mut self, inputs: &[u32], outputs: &mut [u32], cycles: usize) -> (usize, Result<(), EngineError>) {
        let mut board = self.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, ended) = board.run(inputs, outputs, cycles);
        (done, ended.map_err(EngineError::from))
    }
}

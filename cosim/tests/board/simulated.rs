//! A board without hardware: `lsu_board` under Verilator, its serial line at a pseudo-terminal.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use lsu_cosim::verilator::{Build, Cache, Dut, Error, Library, Source, Toolchain};
use lsu_hdl::emit::{BOARD_UNIT, verilog_for};
use lsu_hdl::verilog::CONTRACTS;
use nix::fcntl::OFlag;
use nix::pty::{PtyMaster, grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};

/// Clocks of a bit on the line: the least that the link allows.
const CLOCKS_PER_BIT: usize = 4;
/// Clocks of a byte: start, eight bits, stop.
const CLOCKS: usize = 10 * CLOCKS_PER_BIT;
/// Bytes in which nothing happens until the board may rest.
const RESTS_AFTER: u32 = 4;

/// A board at `path`, until it is dropped.
pub struct SimulatedBoard {
    pub path: PathBuf,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What changes bytes on their way to the board; it is given the number of the byte.
pub type Noise = fn(u64, u8) -> u8;

impl SimulatedBoard {
    /// A board with the unit of `preset`, whose Verilog `change` may change.
    pub fn start(preset: &str, change: impl FnOnce(String) -> String, noise: Noise) -> SimulatedBoard {
        let verilog = change(verilog_for(preset, BOARD_UNIT).expect("the board's Verilog"));
        // It is built here, so that nobody waits for an answer meanwhile.
        let library = built(verilog);

        let master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK).expect("a pseudo-terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        let path = PathBuf::from(ptsname_r(&master).expect("a name"));
        // Somebody holds the other end, so that it stays as it is between two users.
        let other = File::options().read(true).write(true).open(&path).expect("the other end");
        let mut settings = tcgetattr(&other).expect("settings");
        cfmakeraw(&mut settings);
        tcsetattr(other.as_fd(), SetArg::TCSANOW, &settings).expect("a raw line");

        let ends = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&ends);
        let thread = std::thread::spawn(move || {
            let pins = Pins::new(&library);
            let line =
                Line { master, pins, to_board: VecDeque::new(), sent: 0, noise, from_board: Receiver::default() };
            line.run(&is_over);
            drop(other);
        });
        SimulatedBoard { path, ends, thread: Some(thread) }
    }

    /// Waits for the end of the board, which is none that was wished for unless the board is dropped.
    pub fn wait(&mut self) {
        if let Some(Err(_)) = self.thread.take().map(JoinHandle::join) {
            eprintln!("the board's simulation failed");
        }
    }
}

impl Drop for SimulatedBoard {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        self.wait();
    }
}

/// The line between the pseudo-terminal and the pins.
struct Line {
    master: PtyMaster,
    pins: Pins,
    to_board: VecDeque<u8>,
    sent: u64,
    noise: Noise,
    from_board: Receiver,
}

impl Line {
    fn run(mut self, is_over: &AtomicBool) {
        let mut quiet = 0;
        while !is_over.load(Ordering::Relaxed) {
            self.take();
            let byte = self.to_board.pop_front().map(|byte| {
                self.sent += 1;
                (self.noise)(self.sent, byte)
            });
            quiet = if byte.is_some() || self.from_board.is_busy() { 0 } else { quiet + 1 };
            if quiet > RESTS_AFTER {
                std::thread::sleep(Duration::from_millis(1));
            }
            let levels = self.pins.clocks(false, byte).expect("the board's contracts hold");
            for answer in levels.into_iter().filter_map(|level| self.from_board.clock(level)).collect::<Vec<_>>() {
                quiet = 0;
                self.give(answer);
            }
        }
    }

    /// Takes what there is for the board.
    fn take(&mut self) {
        let mut bytes = [0; 256];
        match self.master.read(&mut bytes) {
            Ok(count) => self.to_board.extend(&bytes[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => panic!("the pseudo-terminal fails: {error}"),
        }
    }

    fn give(&mut self, byte: u8) {
        while let Err(error) = self.master.write_all(&[byte]) {
            assert!(error.kind() == ErrorKind::WouldBlock, "the pseudo-terminal fails: {error}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A board with this Verilog, its contracts among it.
pub fn built(verilog: String) -> Library {
    let toolchain = Cache::user().and_then(|cache| Toolchain::find(None, cache)).expect("a tool chain");
    let build = Build::new(BOARD_UNIT, Source::Text(verilog)).arguments([format!("+define+{CONTRACTS}")]);
    build.build(&toolchain).expect("the board builds")
}

/// The pins of a board, and the clock.
pub struct Pins {
    dut: Dut,
    /// Clocks of a bit on the line.
    pub clocks_per_bit: usize,
}

impl Pins {
    /// The pins of a board after a reset.
    pub fn new(library: &Library) -> Pins {
        let mut pins = Pins { dut: library.instantiate().expect("an instance"), clocks_per_bit: CLOCKS_PER_BIT };
        pins.clocks(true, None).expect("a reset");
        pins
    }

    /// The clocks of a byte, with this one on the line to the board or none; the levels of the line back.
    ///
    /// # Errors
    /// A contract is broken.
    pub fn clocks(&mut self, reset: bool, byte: Option<u8>) -> Result<Vec<bool>, Error> {
        let bits = byte.map_or(0x3ff, |byte| u32::from(byte) << 1 | 0x200);
        let layout = self.dut.layout();
        let place = |name| layout.port(name).expect("a port of the board").word_offset;
        let (words, outs) = (layout.input_words(), layout.output_words());
        let (clocks_per_bit, rst, rx, tx) = (place("clocks_per_bit"), place("rst"), place("rx"), place("tx"));
        let mut inputs = vec![0; words * CLOCKS];
        for (clock, row) in inputs.chunks_exact_mut(words).enumerate() {
            row[clocks_per_bit] = self.clocks_per_bit as u32;
            row[rst] = reset.into();
            row[rx] = bits >> (clock / CLOCKS_PER_BIT) & 1;
        }
        let mut outputs = vec![0; outs * CLOCKS];
        self.dut.run(&inputs, &mut outputs, CLOCKS as u64)?;
        Ok(outputs.chunks_exact(outs).map(|row| row[tx] & 1 == 1).collect())
    }
}

/// Bytes from the board.
#[derive(Default)]
struct Receiver {
    /// Clocks since the start bit began.
    clocks: Option<usize>,
    bits: u32,
}

impl Receiver {
    fn is_busy(&self) -> bool {
        self.clocks.is_some()
    }

    /// The level of a clock; a byte, if one is complete.
    fn clock(&mut self, level: bool) -> Option<u8> {
        let clocks = match self.clocks {
            None if level => return None,
            None => 0,
            Some(clocks) => clocks + 1,
        };
        self.clocks = Some(clocks);
        if clocks % CLOCKS_PER_BIT == CLOCKS_PER_BIT / 2 {
            self.bits = self.bits >> 1 | u32::from(level) << 9;
        }
        // The last bit is looked at in its middle; the next byte may follow at once.
        if clocks < CLOCKS - CLOCKS_PER_BIT / 2 {
            return None;
        }
        assert!(self.bits & 1 == 0 && self.bits >> 9 == 1, "a byte without start or stop: {:#x}", self.bits);
        self.clocks = None;
        Some((self.bits >> 1) as u8)
    }
}

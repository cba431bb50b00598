//! Ctrl-C, SIGTERM and SIGHUP: the work is asked to end and keeps what it has found; programs that it has started are
//! ended at once. A second signal before the work has ended ends the process, and so does work that does not come back: Verilog may
//! hold a loop without an end.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::sys::signal::{SigHandler, Signal, killpg, signal};
use nix::unistd::Pid;

use crate::output;
use crate::status::Status;

/// How long work may go on behind a signal. It looks for one every few cycles, and between programs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A signal has come and the work has not ended yet.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// How many signals have asked the work to end.
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

/// Process groups of the programs that run now.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// From now on a signal asks the work to end.
pub fn listen() {
    // SAFETY: to ignore a signal runs no code of ours.
    let hang_up = unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) };
    // A handler can be set once only; the one that is there does the same.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            std::process::exit(Status::Interrupted as i32);
        }
        running().iter().for_each(|group| end(*group));
        let request = REQUESTS.fetch_add(1, Ordering::SeqCst) + 1;
        std::thread::spawn(move || end_what_does_not(request));
    });
    // Whoever started this with nohup wants it to outlive its terminal.
    if matches!(hang_up, Ok(SigHandler::SigIgn)) {
        // SAFETY: as above.
        let _ = unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) };
    }
}

/// Ends the process where the work goes on long after the signal with this number.
fn end_what_does_not(request: usize) {
    std::thread::sleep(PATIENCE);
    if is_requested() && REQUESTS.load(Ordering::SeqCst) == request {
        output::message_line(format_args!(
            "lsu: what runs has not come back for {} seconds since the signal, as Verilog with an endless loop does not; ended as it is",
            PATIENCE.as_secs()
        ));
        std::process::exit(Status::Interrupted as i32);
    }
}

/// True from a signal on until the work has followed it.
pub fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// Whether the work should end.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// What was to end has ended; the next signal is meant for what follows.
pub fn acknowledge() {
    REQUESTED.store(false, Ordering::SeqCst);
}

/// Runs a program to its end and gives what it printed, as [`Command::output`] does. A signal to this process ends it and
/// whatever it has started: it runs in a process group of its own.
///
/// # Errors
/// It does not start, or the work has been asked to end.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (child, group) = {
        // The handler waits for this lock, so it sees every program that began before its signal.
        let mut running = running();
        if is_requested() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = command.spawn()?;
        let group = Pid::from_raw(child.id() as i32);
        running.push(group);
        (child, group)
    };
    let output = child.wait_with_output();
    running().retain(|other| *other != group);
    output
}

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end(group: Pid) {
    // One that has ended by itself needs no signal.
    let _ = killpg(group, Signal::SIGTERM);
}

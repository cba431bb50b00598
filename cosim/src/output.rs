//! Everything that the command prints goes through here: `println!` panics when nobody reads any more.
//!
//! A reader that has gone away has seen enough. What would follow is dropped, and the exit status stays that of the work:
//! a refused file stays refused. Any other failure to write, such as a full disk, is kept until the end ([`conclude`]).
//! What cannot be written to stderr is lost, because there is nobody left to tell.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;

use crate::status::Status;

/// Why stdout takes no more.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// Prints `text` on stdout.
pub fn print(text: &str) {
    if FAILURE.get().is_some() {
        return;
    }
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        let _ = FAILURE.set(error);
    }
}

/// Prints `text` and a line's end on stdout.
pub fn print_line(text: impl Display) {
    print(&format!("{text}\n"));
}

/// Prints `text` on stderr.
pub fn message(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints `text` and a line's end on stderr.
pub fn message_line(text: impl Display) {
    message(&format!("{text}\n"));
}

/// Prints an error on stderr, with its help and its place in a file where it has them.
pub fn error(error: impl miette::Diagnostic + Send + Sync + 'static) {
    // Every message of ours holds its cause already.
    let style = miette::MietteHandlerOpts::new().without_cause_chain();
    // A file or a tool has no width.
    let style = style.wrap_lines(io::stderr().is_terminal());
    // A hook can be set once only; the one that is there is this one.
    let _ = miette::set_hook(Box::new(move |_| Box::new(style.clone().build())));
    message_line(format_args!("{:?}", miette::Report::new(error)));
}

/// An error that is a message and perhaps advice.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{message}")]
pub struct Complaint {
    /// What is wrong.
    pub message: String,
    /// What to do.
    #[help]
    pub help: Option<String>,
}

/// Prints `message` as an error.
pub fn complain(message: impl Into<String>) {
    error(Complaint { message: message.into(), help: None });
}

/// The exit status of a command whose work came to `status`: that its output could not be written spoils success only.
pub fn conclude(status: i32) -> i32 {
    match FAILURE.get() {
        Some(failure) if failure.kind() != io::ErrorKind::BrokenPipe => {
            complain(format!("cannot write to stdout: {failure}"));
            if status == Status::Well as i32 { Status::Unusable as i32 } else { status }
        }
        _ => status,
    }
}

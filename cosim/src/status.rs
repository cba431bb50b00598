//! The exit status of the command.

use lsu_judge::Outcome;

/// How the command ends, as an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All well.
    Well = 0,
    /// A check failed.
    Failed = 1,
    /// The input, the command line or the place for the output could not be used.
    Unusable = 2,
    /// The tool chain is missing or broken.
    Toolchain = 3,
    /// A signal ended the work before it was done; shells give 128 and the number of SIGINT.
    Interrupted = 130,
}

impl From<Outcome> for Status {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Well => Self::Well,
            Outcome::Refused => Self::Failed,
            Outcome::Unusable => Self::Unusable,
        }
    }
}

//! Why a description was not written.

/// The block, the signal in it and the reason for which no exact Verilog can be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{module}{}{signal}: {reason}", if signal.is_empty() { "" } else { "." })]
pub struct Refusal {
    /// The block, by its type or by its path below the top.
    pub module: String,
    /// The signal, empty if the block as a whole is meant.
    pub signal: String,
    /// What is wrong, and what to do where that is not evident.
    pub reason: String,
}

impl Refusal {
    pub(crate) fn new(module: impl Into<String>, signal: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { module: module.into(), signal: signal.into(), reason: reason.into() }
    }
}

//! What the arbiters and the pins behind them give one path in this cycle.

/// One flag for each shared output; set where the path presents something and it is taken at this edge.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grants {
    pub wb: bool,
    pub fault: bool,
    pub done: bool,
    pub memory: bool,
}

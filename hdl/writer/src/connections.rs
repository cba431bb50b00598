//! How the inputs of sub-blocks get their values where no wire is needed.

use std::collections::BTreeMap;

use super::expression::{Expression, SignalId};

/// How a sub-block's input gets its value.
pub(crate) enum Connection {
    /// All elements from one place: printed at the port itself.
    Uniform(Expression),
    /// Element by element from an array, which stands at the port itself: of all sub-blocks together, or the same one of each.
    Identity(SignalId),
}

/// By the input.
pub(crate) type Connections = BTreeMap<SignalId, Connection>;

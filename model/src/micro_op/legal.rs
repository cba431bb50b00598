//! Which accesses may have which cache operator. It is said here and nowhere else in the front end.

use super::CacheOperator;

/// The kinds of access that differ in what they may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `ld`.
    Load,
    /// `ld.global.nc`.
    NonCoherentLoad,
    /// `st`.
    Store,
}

impl CacheOperator {
    /// Whether accesses of this kind may have the operator.
    pub const fn is_legal_for(self, access: Access) -> bool {
        match self {
            Self::Default | Self::Cg | Self::Cs => true,
            Self::Ca => matches!(access, Access::Load | Access::NonCoherentLoad),
            Self::Lu | Self::Cv => matches!(access, Access::Load),
            Self::Wb | Self::Wt => matches!(access, Access::Store),
        }
    }

    /// The operators that accesses of this kind may have, none first.
    pub fn legal_for(access: Access) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |operator| operator.is_legal_for(access))
    }

    /// The same as they are written, none left out.
    pub(crate) fn choices(access: Access) -> String {
        let written = Self::legal_for(access).filter(|operator| *operator != Self::Default);
        written.map(|operator| format!(".{}", operator.name())).collect::<Vec<_>>().join(" ")
    }
}

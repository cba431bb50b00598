//! The qualifiers that follow `ld` and `st`, by name.

use crate::micro_op::{CacheOperator, L1Eviction, L2Eviction, Prefetch, Scope};

use super::instruction::{Order, StateSpace};
use super::types::DataType;

/// One qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Qualifier {
    Mmio,
    Order(Order),
    Scope(Scope),
    Space(StateSpace),
    Operator(CacheOperator),
    NonCoherent,
    L1(L1Eviction),
    L2(L2Eviction),
    CacheHint,
    Prefetch(Prefetch),
    Vector(u8),
    Type(DataType),
}

/// Every qualifier but the types, with its name.
const NAMED: [(&str, Qualifier); 45] = [
    ("mmio", Qualifier::Mmio),
    ("weak", Qualifier::Order(Order::Weak)),
    ("relaxed", Qualifier::Order(Order::Relaxed)),
    ("acquire", Qualifier::Order(Order::Acquire)),
    ("release", Qualifier::Order(Order::Release)),
    ("volatile", Qualifier::Order(Order::Volatile)),
    ("cta", Qualifier::Scope(Scope::Cta)),
    ("cluster", Qualifier::Scope(Scope::Cluster)),
    ("gpu", Qualifier::Scope(Scope::Gpu)),
    ("sys", Qualifier::Scope(Scope::Sys)),
    ("global", Qualifier::Space(StateSpace::Global)),
    ("shared", Qualifier::Space(StateSpace::Shared)),
    ("shared::cta", Qualifier::Space(StateSpace::SharedCta)),
    ("shared::cluster", Qualifier::Space(StateSpace::SharedCluster)),
    ("local", Qualifier::Space(StateSpace::Local)),
    ("const", Qualifier::Space(StateSpace::Const)),
    ("param", Qualifier::Space(StateSpace::Param)),
    ("param::entry", Qualifier::Space(StateSpace::ParamEntry)),
    ("param::func", Qualifier::Space(StateSpace::ParamFunc)),
    ("ca", Qualifier::Operator(CacheOperator::Ca)),
    ("cg", Qualifier::Operator(CacheOperator::Cg)),
    ("cs", Qualifier::Operator(CacheOperator::Cs)),
    ("lu", Qualifier::Operator(CacheOperator::Lu)),
    ("cv", Qualifier::Operator(CacheOperator::Cv)),
    ("wb", Qualifier::Operator(CacheOperator::Wb)),
    ("wt", Qualifier::Operator(CacheOperator::Wt)),
    ("nc", Qualifier::NonCoherent),
    ("L1::evict_normal", Qualifier::L1(L1Eviction::Normal)),
    ("L1::evict_unchanged", Qualifier::L1(L1Eviction::Unchanged)),
    ("L1::evict_first", Qualifier::L1(L1Eviction::First)),
    ("L1::evict_last", Qualifier::L1(L1Eviction::Last)),
    ("L1::no_allocate", Qualifier::L1(L1Eviction::NoAllocate)),
    ("L2::evict_normal", Qualifier::L2(L2Eviction::Normal)),
    ("L2::evict_first", Qualifier::L2(L2Eviction::First)),
    ("L2::evict_last", Qualifier::L2(L2Eviction::Last)),
    ("L2::cache_hint", Qualifier::CacheHint),
    ("L2::64B", Qualifier::Prefetch(Prefetch::Bytes64)),
    ("L2::128B", Qualifier::Prefetch(Prefetch::Bytes128)),
    ("L2::256B", Qualifier::Prefetch(Prefetch::Bytes256)),
    ("v2", Qualifier::Vector(2)),
    ("v4", Qualifier::Vector(4)),
    ("v8", Qualifier::Vector(8)),
    // Types are looked up by `DataType::parse`; these three stand here for the suggestions.
    ("u32", Qualifier::Type(DataType { class: super::types::Class::Unsigned, bits: 32 })),
    ("b64", Qualifier::Type(DataType { class: super::types::Class::Bits, bits: 64 })),
    ("f32", Qualifier::Type(DataType { class: super::types::Class::Float, bits: 32 })),
];

impl Qualifier {
    /// The qualifier called `name`, without its dot.
    pub fn parse(name: &str) -> Option<Self> {
        match DataType::parse(name) {
            Some(data_type) => Some(Self::Type(data_type)),
            None => NAMED.iter().find(|(known, _)| *known == name).map(|(_, qualifier)| *qualifier),
        }
    }

    /// The known name that `name` is most likely a misspelling of.
    pub fn closest(name: &str) -> Option<&'static str> {
        if name.len() > 24 {
            return None;
        }
        NAMED
            .iter()
            .map(|(known, _)| (distance(name, known), *known))
            .filter(|(distance, known)| *distance <= 2 && *distance < known.len().min(name.len()))
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, known)| known)
    }
}

/// How many letters must be inserted, removed or replaced to turn `from` into `to`.
fn distance(from: &str, to: &str) -> usize {
    let mut row = (0..=to.len()).collect::<Vec<_>>();
    for (row_number, letter) in from.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = row_number + 1;
        for (column, other) in to.bytes().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_guessed() {
        assert_eq!(Qualifier::closest("gloal"), Some("global"));
        assert_eq!(Qualifier::closest("L1::evict_lst"), Some("L1::evict_last"));
        assert_eq!(Qualifier::closest("completely_else"), None);
        assert_eq!(Qualifier::closest("xx"), None);
    }

    #[test]
    fn every_name_is_its_own_qualifier() {
        for (name, qualifier) in NAMED {
            assert_eq!(Qualifier::parse(name), Some(qualifier), "{name}");
        }
    }
}

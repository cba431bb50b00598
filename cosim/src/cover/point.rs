//! What an operation asks for and how it ends, as a value on each of a few axes.

use lsu_model::codes::Codes;
use lsu_model::golden::Account;
use lsu_model::micro_op::{
    AccessSize, CacheOperator, Command, DestinationWidth, L1Eviction, L2Eviction, LdcMode, OpKind, Prefetch, Scope,
    Semantics, Space,
};
use lsu_model::pins::{FaultCause, Request};
use lsu_model::preset::Preset;

/// Something in which operations differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Load, non-coherent load, store.
    Kind,
    /// State space.
    Space,
    /// Bits of an element.
    Size,
    /// Elements.
    Vector,
    /// Memory semantics.
    Semantics,
    /// Scope.
    Scope,
    /// Cache operator.
    Operator,
    /// L1 eviction priority.
    L1Eviction,
    /// L2 eviction priority.
    L2Eviction,
    /// Prefetch size.
    Prefetch,
    /// Bits of a destination register.
    Width,
    /// Sign-extended or not.
    Sign,
    /// Active lanes.
    Lanes,
    /// The cause of its last fault record.
    Fault,
    /// What its sectors found in a cache.
    Look,
    /// Its passes: what conflicts of lines and banks make of it.
    Passes,
    /// Address mode of LDC.
    Mode,
    /// Which command.
    Command,
}

impl Axis {
    /// How many axes there are.
    pub const COUNT: usize = 18;

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Space => "space",
            Self::Size => "size",
            Self::Vector => "vector",
            Self::Semantics => "semantics",
            Self::Scope => "scope",
            Self::Operator => "operator",
            Self::L1Eviction => "L1 priority",
            Self::L2Eviction => "L2 priority",
            Self::Prefetch => "prefetch",
            Self::Width => "register width",
            Self::Sign => "sign",
            Self::Lanes => "lanes",
            Self::Fault => "fault",
            Self::Look => "look-up",
            Self::Passes => "passes",
            Self::Mode => "mode",
            Self::Command => "command",
        }
    }

    /// The enumeration on its pin, where it is one.
    const fn codes(self) -> Option<&'static Codes> {
        Some(match self {
            Self::Space => &Space::CODES,
            Self::Size => &AccessSize::CODES,
            Self::Semantics => &Semantics::CODES,
            Self::Scope => &Scope::CODES,
            Self::Operator => &CacheOperator::CODES,
            Self::L1Eviction => &L1Eviction::CODES,
            Self::L2Eviction => &L2Eviction::CODES,
            Self::Prefetch => &Prefetch::CODES,
            Self::Width => &DestinationWidth::CODES,
            Self::Mode => &LdcMode::CODES,
            Self::Command => &Command::CODES,
            _ => return None,
        })
    }

    /// The names of its values, where they stand on no pin of their own.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Kind => &["ld", "ld.nc", "st"],
            Self::Vector => &["v1", "v2", "v4", "v8"],
            Self::Sign => &["unsigned", "signed"],
            Self::Lanes => &["no lane", "one lane", "some lanes", "all lanes"],
            Self::Fault => &["no fault", "register", "illegal", "misaligned", "out of range", "memory error"],
            Self::Look => &["nothing looked up", "hit", "miss", "hit and miss"],
            Self::Passes => {
                &["0 passes", "1 pass", "2 passes", "3-4 passes", "5-8 passes", "9-16 passes", "17+ passes"]
            }
            _ => &[],
        }
    }

    /// How many values it has.
    pub fn count(self) -> usize {
        self.codes().map_or(self.names().len(), |codes| 1 << codes.width)
    }

    /// The name of a value.
    pub fn value_name(self, value: usize) -> String {
        match self.codes() {
            None => self.names()[value].to_owned(),
            Some(codes) => codes.name(value as u8).map_or_else(|| format!("code {value}"), str::to_owned),
        }
    }
}

/// Where the values of [`Axis::Kind`] stand.
pub(super) const LOAD: u8 = 0;
/// Non-coherent loads.
pub(super) const NON_COHERENT: u8 = 1;
/// Stores.
pub(super) const STORE: u8 = 2;

/// The value of [`Axis::Fault`] without a fault; each cause follows with its code.
pub(super) const NO_FAULT: u8 = 0;

/// Where those of [`Axis::Look`] stand.
pub(super) const NO_LOOK: u8 = 0;
/// All sectors hit.
pub(super) const HIT: u8 = 1;
/// All sectors miss.
pub(super) const MISS: u8 = 2;
/// Both.
pub(super) const BOTH: u8 = 3;

/// The value of [`Axis::Lanes`] for so many active lanes.
pub(super) fn lanes_class(count: u32, preset: &Preset) -> u8 {
    match count {
        0 | 1 => count as u8,
        _ => 2 + u8::from(count == preset.lanes as u32),
    }
}

/// The value of [`Axis::Passes`] for so many passes.
pub(super) fn passes_class(count: u32) -> u8 {
    match count {
        0..3 => count as u8,
        _ => ((count - 1).ilog2() as u8 + 2).min(6),
    }
}

/// A value on each axis; those that an operation does not have mean nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point([u8; Axis::COUNT]);

impl Point {
    /// The value on `axis`.
    pub fn get(&self, axis: Axis) -> u8 {
        self.0[axis as usize]
    }

    pub(super) fn set(&mut self, axis: Axis, value: u8) {
        self.0[axis as usize] = value;
    }

    /// The same with other values.
    pub(super) fn with(mut self, values: impl IntoIterator<Item = (Axis, u8)>) -> Self {
        values.into_iter().for_each(|(axis, value)| self.set(axis, value));
        self
    }

    /// What a request asks for. How it ends is still to be said.
    pub fn of(request: &Request, preset: &Preset) -> Self {
        let mask = request.mask & preset.lane_mask();
        let lanes = lanes_class(mask.count_ones(), preset);
        let kind = match (OpKind::on_pin(request.op), request.nc) {
            (OpKind::Store, _) => STORE,
            (_, true) => NON_COHERENT,
            (_, false) => LOAD,
        };
        Self::default().with([
            (Axis::Kind, kind),
            (Axis::Space, request.space),
            (Axis::Size, request.size),
            (Axis::Vector, request.vec),
            (Axis::Semantics, request.sem),
            (Axis::Scope, request.scope),
            (Axis::Operator, request.cop),
            (Axis::L1Eviction, request.l1_evict),
            (Axis::L2Eviction, request.l2_evict),
            (Axis::Prefetch, request.prefetch),
            (Axis::Width, request.dst_width),
            (Axis::Sign, request.sign.into()),
            (Axis::Lanes, lanes),
            (Axis::Mode, request.mode),
            (Axis::Command, request.cmd),
        ])
    }

    /// A fault record of it.
    pub(super) fn faults(&mut self, cause: u8) {
        self.set(Axis::Fault, if cause as usize <= FaultCause::COUNT { cause } else { NO_FAULT });
    }

    /// What it has cost by its end.
    pub(super) fn ends(&mut self, account: &Account) {
        let look = match (account.hit_sectors, account.miss_sectors) {
            (0, 0) => NO_LOOK,
            (_, 0) => HIT,
            (0, _) => MISS,
            _ => BOTH,
        };
        self.set(Axis::Look, look);
        self.set(Axis::Passes, passes_class(account.wavefronts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_fall_into_their_names() {
        let named = |count| Axis::Passes.value_name(passes_class(count).into());
        let expected = [(0, "0"), (1, "1"), (2, "2"), (3, "3-4"), (4, "3-4"), (5, "5-8"), (8, "5-8"), (9, "9-16")];
        for (count, name) in expected.into_iter().chain([(16, "9-16"), (17, "17+"), (32, "17+"), (128, "17+")]) {
            assert_eq!(named(count).split(' ').next(), Some(name), "{count}");
        }
    }
}

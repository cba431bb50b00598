//! What the table of pins is made of: pins, the values on them, and the bundles that carry them.

use crate::codes::Codes;
use crate::preset::Preset;

/// Which way a pin goes, seen from the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Driven by the surroundings.
    Input,
    /// Driven by the unit.
    Output,
}

impl Direction {
    /// `input` or `output`, as Verilog writes it.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// How wide a pin is, and what its bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// So many bits, at most 64: a number or a flag.
    Bits(u32),
    /// An enumeration.
    Codes(&'static Codes),
    /// One bit for each lane.
    Lanes,
    /// A byte address.
    Address,
    /// A byte address for each lane, lane 0 lowest.
    LaneAddresses,
    /// A 32-bit word for each lane, lane 0 lowest.
    LaneWords,
    /// The 256 bits of a sector, lowest byte first.
    Sector,
    /// The number of a warp's slot.
    Warp,
    /// Bytes of shared memory, none to all.
    SharedBytes,
}

impl Width {
    /// Bits of one element, and how many elements there are.
    pub const fn elements(self, preset: &Preset) -> (u32, usize) {
        match self {
            Self::Bits(bits) => (bits, 1),
            Self::Codes(codes) => (codes.width, 1),
            Self::Lanes => (preset.lanes as u32, 1),
            Self::Address => (preset.address_bits, 1),
            Self::LaneAddresses => (preset.address_bits, preset.lanes),
            Self::LaneWords => (32, preset.lanes),
            Self::Sector => (32, 8),
            Self::Warp => (preset.warps.ilog2(), 1),
            Self::SharedBytes => (preset.shared_bytes.ilog2() + 1, 1),
        }
    }

    /// The width as documents say it, in terms of LANES, ADDR, WARP and SHARED.
    pub fn in_words(self) -> String {
        match self {
            Self::Bits(bits) => bits.to_string(),
            Self::Codes(codes) => codes.width.to_string(),
            Self::Lanes => "LANES".to_owned(),
            Self::Address => "ADDR".to_owned(),
            Self::LaneAddresses => "LANES x ADDR".to_owned(),
            Self::LaneWords => "LANES x 32".to_owned(),
            Self::Sector => "256".to_owned(),
            Self::Warp => "WARP".to_owned(),
            Self::SharedBytes => "SHARED".to_owned(),
        }
    }
}

/// One pin of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Its name, such as `mem_req_addr`.
    pub name: &'static str,
    /// How wide it is.
    pub width: Width,
    /// Which way it goes.
    pub direction: Direction,
    /// The pin that says whether this one means anything; `None` where it always does.
    pub gate: Option<&'static str>,
    /// What it says, line by line.
    pub contract: &'static [&'static str],
}

/// Groups whose name is not the first word of their pins' names.
const LONG_GROUPS: [&str; 6] = ["mem_req", "mem_rsp", "cluster_req", "cluster_rsp", "serve_req", "serve_rsp"];

impl Pin {
    /// Its width in bits.
    pub const fn bits(&self, preset: &Preset) -> u32 {
        let (bits, count) = self.width.elements(preset);
        bits * count as u32
    }

    /// The enumeration on it.
    pub const fn codes(&self) -> Option<&'static Codes> {
        match self.width {
            Width::Codes(codes) => Some(codes),
            _ => None,
        }
    }

    /// The port that it belongs to: `mem_req` for `mem_req_addr`, `wb` for `wb_rd`, `rst` for itself.
    pub fn group(&self) -> &'static str {
        let is_in = |group: &&&str| self.name.strip_prefix(**group).is_some_and(|rest| rest.starts_with('_'));
        match LONG_GROUPS.iter().find(is_in) {
            Some(group) => group,
            None => self.name.split('_').next().unwrap_or(self.name),
        }
    }

    /// Its name within its port: `addr` for `mem_req_addr`; empty for a pin that is a port by itself.
    pub fn field(&self) -> &'static str {
        self.name[self.group().len()..].trim_start_matches('_')
    }
}

/// What a bundle holds for one of its pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Up to 32 bits.
    Word(u32),
    /// Up to 64 bits.
    Long(u64),
    /// 32-bit words, lane 0 or the lowest first; there may be more than the pin has.
    Words(&'a [u32]),
    /// Addresses, lane 0 first; there may be more than the pin has.
    Lanes(&'a [u64]),
}

/// Where a bundle holds the value of one of its pins.
#[derive(Debug)]
pub enum Slot<'a> {
    /// One bit.
    Flag(&'a mut bool),
    /// Up to 8 bits.
    Byte(&'a mut u8),
    /// Up to 32 bits.
    Word(&'a mut u32),
    /// Up to 64 bits.
    Long(&'a mut u64),
    /// 32-bit words.
    Words(&'a mut [u32]),
    /// Addresses.
    Lanes(&'a mut [u64]),
}

/// Pins that travel together, as one value.
pub trait Bundle {
    /// Its pins, in the order of the table.
    const PINS: &'static [Pin];

    /// Shows the value of every pin, in the order of [`Bundle::PINS`].
    fn each(&self, visitor: impl Visitor);

    /// The same for those who change them.
    fn each_mut(&mut self, filler: impl Filler);
}

/// Whoever looks at the values of a bundle: a closure, or a type whose method is inlined where that matters.
pub trait Visitor {
    /// The value of the next pin.
    fn visit(&mut self, value: Value<'_>);
}

impl<F: FnMut(Value<'_>)> Visitor for F {
    fn visit(&mut self, value: Value<'_>) {
        self(value);
    }
}

/// Whoever fills a bundle, as a [`Visitor`] looks at one.
pub trait Filler {
    /// The place of the next pin's value.
    fn fill(&mut self, slot: Slot<'_>);
}

impl<F: FnMut(Slot<'_>)> Filler for F {
    fn fill(&mut self, slot: Slot<'_>) {
        self(slot);
    }
}

/// A type that a bundle's field can have.
pub(super) trait Field {
    fn value(&self) -> Value<'_>;
    fn slot(&mut self) -> Slot<'_>;
}

macro_rules! fields {
    ($($type:ty, $(<const $size:ident>,)? $value:ident => $view:expr, $slot:ident;)+) => {
        $(impl $(<const $size: usize>)? Field for $type {
            #[inline(always)]
            fn value(&self) -> Value<'_> {
                let $value = self;
                $view
            }

            #[inline(always)]
            fn slot(&mut self) -> Slot<'_> {
                Slot::$slot(self)
            }
        })+
    };
}

fields! {
    bool, flag => Value::Word(u32::from(*flag)), Flag;
    u8, byte => Value::Word(u32::from(*byte)), Byte;
    u32, word => Value::Word(*word), Word;
    u64, long => Value::Long(*long), Long;
    [u32; N], <const N>, words => Value::Words(words), Words;
    [u64; N], <const N>, lanes => Value::Lanes(lanes), Lanes;
}

/// Says which pins a type's fields stand on: `"name" field = width;`, each with its contract above it.
macro_rules! pins_of {
    ($type:ty, $direction:ident $(, $gate:literal)? {
        $($(#[doc = $doc:literal])+ $name:expr, $($field:ident).+ = $width:expr;)+
    }) => {
        impl Bundle for $type {
            const PINS: &'static [Pin] = {
                use Width::*;
                const GATE: Option<&str> = pins_of!(@gate $($gate)?);
                &[$(Pin {
                    name: $name,
                    width: $width,
                    direction: Direction::$direction,
                    gate: GATE,
                    contract: &[$($doc),+],
                }),+]
            };

            #[inline(always)]
            fn each(&self, mut visitor: impl Visitor) {
                $(visitor.visit(self.$($field).+.value());)+
            }

            #[inline(always)]
            fn each_mut(&mut self, mut filler: impl Filler) {
                $(filler.fill(self.$($field).+.slot());)+
            }
        }
    };
    (@gate) => { None };
    (@gate $gate:literal) => { Some($gate) };
}

/// Declares a bundle: a structure whose fields are pins of the port `prefix`, called `prefix_field`.
macro_rules! bundle {
    ($(#[$meta:meta])* $name:ident, $prefix:literal, $direction:ident $(, $gate:literal)? {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $width:expr;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        pins_of! {
            $name, $direction $(, $gate)? {
                $($(#[doc = $doc])+ concat!($prefix, "_", stringify!($field)), $field = $width;)+
            }
        }
    };
}

pub(super) use {bundle, pins_of};

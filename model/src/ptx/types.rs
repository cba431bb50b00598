//! Data types of instructions, registers and variables.

use std::fmt;

/// What the bits of a type mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// `.b8` to `.b128`: bits without a meaning.
    Bits,
    /// `.u8` to `.u64`.
    Unsigned,
    /// `.s8` to `.s64`.
    Signed,
    /// `.f32` and `.f64`, and of registers and variables `.f16`.
    Float,
    /// Narrow and packed formats (`.f16x2`, `.bf16`, …), of which registers and variables may have `.f16x2`; no load or store has one.
    Packed,
    /// `.pred`.
    Predicate,
}

/// A data type: its class and its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataType {
    /// What the bits mean.
    pub class: Class,
    /// Width in bits; 1 for a predicate.
    pub bits: u16,
}

impl Class {
    /// `.u` or `.s`.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::Unsigned | Self::Signed)
    }
}

impl DataType {
    /// The type that `name` (without its dot) stands for.
    pub fn parse(name: &str) -> Option<Self> {
        let of = |class, bits| Some(Self { class, bits });
        match name {
            "b8" => of(Class::Bits, 8),
            "b16" => of(Class::Bits, 16),
            "b32" => of(Class::Bits, 32),
            "b64" => of(Class::Bits, 64),
            "b128" => of(Class::Bits, 128),
            "u8" => of(Class::Unsigned, 8),
            "u16" => of(Class::Unsigned, 16),
            "u32" => of(Class::Unsigned, 32),
            "u64" => of(Class::Unsigned, 64),
            "s8" => of(Class::Signed, 8),
            "s16" => of(Class::Signed, 16),
            "s32" => of(Class::Signed, 32),
            "s64" => of(Class::Signed, 64),
            "f32" => of(Class::Float, 32),
            "f64" => of(Class::Float, 64),
            "f16" => of(Class::Float, 16),
            "bf16" => of(Class::Packed, 16),
            "f16x2" | "bf16x2" | "tf32" => of(Class::Packed, 32),
            "u16x2" | "s16x2" | "u8x4" | "s8x4" => of(Class::Packed, 32),
            "f32x2" => of(Class::Packed, 64),
            "e4m3" | "e5m2" | "ue8m0" => of(Class::Packed, 8),
            "e4m3x2" | "e5m2x2" | "ue8m0x2" => of(Class::Packed, 16),
            "pred" => of(Class::Predicate, 1),
            _ => None,
        }
    }

    /// Whether loads and stores may have this type.
    pub fn is_memory_type(self) -> bool {
        match self.class {
            Class::Packed | Class::Predicate => false,
            Class::Float => self.bits >= 32,
            Class::Bits | Class::Unsigned | Class::Signed => true,
        }
    }

    /// Whether it is an integer, or bits that may be one.
    pub fn is_integral(self) -> bool {
        self.class == Class::Bits || self.class.is_integer()
    }

    /// Whether a value is extended by its sign.
    pub fn is_signed(self) -> bool {
        self.class == Class::Signed
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.class {
            Class::Bits => "b",
            Class::Unsigned => "u",
            Class::Signed => "s",
            Class::Float => "f",
            Class::Packed => "packed ",
            Class::Predicate => return formatter.write_str("pred"),
        };
        write!(formatter, "{letter}{}", self.bits)
    }
}

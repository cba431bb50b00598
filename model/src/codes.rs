//! Enumerations that stand on a pin: their variants, codes, names and the width of the pin, once.

/// The codes of one enumeration, for whoever shows or counts them.
#[derive(Debug, PartialEq, Eq)]
pub struct Codes {
    /// Bits of the pin.
    pub width: u32,
    /// The codes that have a meaning, ascending, with their names.
    pub names: &'static [(u8, &'static str)],
}

impl Codes {
    /// The name of `code`; `None` where it has no meaning.
    pub fn name(&self, code: u8) -> Option<&'static str> {
        self.names.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
    }

    /// The names, with commas between them.
    pub fn listed(&self) -> String {
        self.names.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    }

    /// Whether every code that the pin can carry has a meaning.
    pub const fn is_complete(&self) -> bool {
        self.names.len() == 1 << self.width
    }
}

/// Declares an enumeration on a pin: its width, its variants with their codes and names, and the conversions.
///
/// `every code` says that each code of the pin has a meaning, `some codes` that others are left; a const assertion checks
/// it. `on_pin` gives a variant in the first case and an `Option` in the second: a match over it has an arm for the codes
/// without a meaning exactly where there are some, and stops compiling when that changes.
macro_rules! port_enum {
    (
        $(#[$meta:meta])*
        $name:ident: $width:literal bits, $which:ident $code_or_codes:ident {
            $($(#[$doc:meta])* $variant:ident = $code:literal, $text:literal;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// Bits of the pin.
            pub const WIDTH: u32 = $width;

            /// Codes that the pin can carry, with a meaning or without.
            pub const CODE_COUNT: usize = 1 << Self::WIDTH;

            /// How many variants there are.
            pub const COUNT: usize = Self::ALL.len();

            /// Every variant, in the order of the codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Width, codes and names.
            pub const CODES: $crate::codes::Codes =
                $crate::codes::Codes { width: Self::WIDTH, names: &[$(($code, $text)),+] };

            /// The number that stands for this variant on the pin.
            pub const fn code(self) -> u8 {
                match self {
                    $(Self::$variant => $code,)+
                }
            }

            /// The name used in JSON, reports and waves.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// The variant that `code` stands for; `None` where it has no meaning.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The variant called `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.name() == name)
            }
        }

        // Ascending codes that fit the pin.
        const _: () = {
            let mut index = 0;
            while index < $name::COUNT {
                let code = $name::ALL[index].code();
                assert!((code as usize) < $name::CODE_COUNT, "a code does not fit the width of the pin");
                assert!(index == 0 || $name::ALL[index - 1].code() < code, "the codes do not ascend");
                index += 1;
            }
        };

        port_enum!(@$which $name);
    };
    (@every $name:ident) => {
        const _: () = assert!($name::CODES.is_complete(), "a code has no meaning: say `some codes`");

        impl $name {
            /// The variant on the pin, where every code has a meaning. Bits that the pin does not have do not count.
            pub const fn on_pin(code: u8) -> Self {
                Self::ALL[code as usize % Self::CODE_COUNT]
            }
        }
    };
    (@some $name:ident) => {
        const _: () = assert!(!$name::CODES.is_complete(), "every code has a meaning: say `every code`");

        impl $name {
            /// The variant on the pin; `None` for a code without a meaning. Bits that the pin does not have do not count.
            pub const fn on_pin(code: u8) -> Option<Self> {
                Self::from_code((code as usize % Self::CODE_COUNT) as u8)
            }
        }
    };
}

pub(crate) use port_enum;

//! Enumerations that are counted and reported: their variants and names, once.

/// Declares an enumeration: of each variant its name, behind its documentation.
macro_rules! named {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])+ $variant:ident = $text:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$doc])+ $variant,)+
        }

        impl $name {
            /// All of them, in the order of their declaration.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// Its name in reports.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    };
}

pub(super) use named;

//! PTX ISA versions and targets.

use std::fmt;

/// A PTX ISA version, as `.version` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number before the dot.
    pub major: u8,
    /// The number after the dot.
    pub minor: u8,
}

/// The last minor version of each major version, from 1 on.
const LAST_MINOR: [u8; 9] = [5, 3, 2, 3, 1, 5, 8, 8, 5];

impl Version {
    /// The first version of all.
    pub const OLDEST: Self = Self::new(1, 0);
    /// The newest version known here.
    pub const NEWEST: Self = Self::new(9, 5);

    /// The version `major.minor`, known or not.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Reads `8.8`; `None` where that is no known version.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        let is_plain = |digits: &str| digits.len() == 1 && digits.as_bytes()[0].is_ascii_digit();
        if !is_plain(major) || !is_plain(minor) {
            return None;
        }
        let version = Self::new(major.parse().ok()?, minor.parse().ok()?);
        let last = LAST_MINOR.get(usize::from(version.major).checked_sub(1)?)?;
        (version.minor <= *last).then_some(version)
    }

    /// Every known version, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..).zip(LAST_MINOR).flat_map(|(major, last)| (0..=last).map(move |minor| Self::new(major, minor)))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

/// What a target's suffix promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Suffix {
    None,
    Architecture,
    Family,
}

/// A target architecture, as `.target` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    number: u16,
    suffix: Suffix,
}

/// Targets with the first version that knows them.
const TARGETS: [(u16, Version); 32] = [
    (10, Version::new(1, 0)),
    (11, Version::new(1, 0)),
    (12, Version::new(1, 2)),
    (13, Version::new(1, 2)),
    (20, Version::new(2, 0)),
    (21, Version::new(2, 0)),
    (30, Version::new(3, 0)),
    (32, Version::new(4, 0)),
    (35, Version::new(3, 1)),
    (37, Version::new(4, 1)),
    (50, Version::new(4, 0)),
    (52, Version::new(4, 1)),
    (53, Version::new(4, 2)),
    (60, Version::new(5, 0)),
    (61, Version::new(5, 0)),
    (62, Version::new(5, 0)),
    // The documents say 6.0; the assembler takes it one version earlier.
    (70, Version::new(5, 1)),
    (72, Version::new(6, 1)),
    (75, Version::new(6, 3)),
    (80, Version::new(7, 0)),
    (86, Version::new(7, 1)),
    (87, Version::new(7, 4)),
    (88, Version::new(9, 0)),
    (89, Version::new(7, 8)),
    (90, Version::new(7, 8)),
    (100, Version::new(8, 6)),
    (101, Version::new(8, 6)),
    (103, Version::new(8, 8)),
    (107, Version::new(9, 4)),
    (110, Version::new(9, 0)),
    (120, Version::new(8, 7)),
    (121, Version::new(8, 8)),
];

impl Target {
    /// The target `sm_<number>` without a suffix, where it is a known one.
    pub fn new(number: u16) -> Option<Self> {
        TARGETS.iter().any(|(known, _)| *known == number).then_some(Self { number, suffix: Suffix::None })
    }

    /// Reads `sm_90`, `sm_90a` or `sm_100f`; `None` where that is no known target.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("sm_")?;
        let (digits, suffix) = match rest.as_bytes().last()? {
            b'a' => (&rest[..rest.len() - 1], Suffix::Architecture),
            b'f' => (&rest[..rest.len() - 1], Suffix::Family),
            _ => (rest, Suffix::None),
        };
        if digits.starts_with('0') || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let number = Self::new(digits.parse().ok()?)?.number;
        let least = match suffix {
            Suffix::None => 0,
            Suffix::Architecture => 90,
            Suffix::Family => 100,
        };
        (number >= least).then_some(Self { number, suffix })
    }

    /// Every known target without a suffix, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        TARGETS.iter().map(|(number, _)| Self { number: *number, suffix: Suffix::None })
    }

    /// The SM number.
    pub fn number(self) -> u16 {
        self.number
    }

    /// The first version that knows the target.
    pub fn least_version(self) -> Version {
        let base =
            TARGETS.iter().find(|(number, _)| *number == self.number).map_or(Version::NEWEST, |(_, least)| *least);
        match self.suffix {
            Suffix::None => base,
            Suffix::Architecture => base.max(Version::new(8, 0)),
            Suffix::Family => base.max(Version::new(8, 8)),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::None => "",
            Suffix::Architecture => "a",
            Suffix::Family => "f",
        };
        write!(formatter, "sm_{}{suffix}", self.number)
    }
}

/// The least version and target that an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Least PTX ISA version.
    pub version: Version,
    /// Least target, as an SM number.
    pub target: u16,
}

impl Gate {
    /// The rule that is broken where what needs this stands in a module of `version` for `target`, if one is.
    pub(super) fn broken(self, version: Version, target: Target) -> Option<&'static str> {
        match (version < self.version, target.number() < self.target) {
            (true, _) => Some("gate-version"),
            (false, true) => Some("gate-target"),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_exist() {
        assert_eq!(Version::parse("8.8"), Some(Version::new(8, 8)));
        for text in ["8.9", "0.9", "10.0", "8", "8.08", "+8.1", "", "1.6"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
        // Forty-five from 1.4 on, which is the first with kernel parameter lists, and four before.
        assert_eq!(Version::all().filter(|version| *version >= Version::new(1, 4)).count(), 45);
        assert_eq!(Version::all().last(), Some(Version::NEWEST));
    }

    #[test]
    fn suffixes_have_versions_of_their_own() {
        let least = |text| Target::parse(text).map(Target::least_version);
        assert_eq!(least("sm_90"), Some(Version::new(7, 8)));
        assert_eq!(least("sm_90a"), Some(Version::new(8, 0)));
        assert_eq!(least("sm_100a"), Some(Version::new(8, 6)));
        assert_eq!(least("sm_100f"), Some(Version::new(8, 8)));
        assert_eq!(least("sm_121f"), Some(Version::new(8, 8)));
        for text in ["sm_80a", "sm_90f", "sm_91", "sm_", "sm_090", "90", "sm_1000000", "sm_90b"] {
            assert_eq!(least(text), None, "{text}");
        }
    }

    #[test]
    fn targets_print_as_they_are_written() {
        for text in ["sm_10", "sm_90a", "sm_103f"] {
            assert_eq!(Target::parse(text).map(|target| target.to_string()).as_deref(), Some(text));
        }
    }
}

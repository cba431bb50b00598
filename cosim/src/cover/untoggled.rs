//! Bits of the Verilog that no program toggles, each with the reason.

use lsu_model::preset::Preset;
use serde::Deserialize;

/// The list, beside this file.
const LIST: &str = include_str!("untoggled.toml");

/// Bits that do not toggle for one reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: String,
    /// They toggle in some presets, or in programs that are long enough or that nobody writes; the others cannot.
    #[serde(default)]
    is_rare: bool,
    /// The presets that it is about; all of them if there is no list.
    presets: Option<Vec<String>>,
    /// `MODULE.SIGNAL[LAST:FIRST]`, with or without bits; a `*` stands for any letters.
    signals: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    untoggled: Vec<Reason>,
}

/// Why bits of a signal do not toggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untoggled<'a> {
    /// Why.
    pub reason: &'a str,
    /// They may toggle, and where they do they count.
    pub is_rare: bool,
}

/// The list for one preset.
#[derive(Clone, Debug)]
pub struct UntoggledList(Vec<Reason>);

impl UntoggledList {
    /// For `preset`.
    ///
    /// # Errors
    /// What is wrong with the list.
    pub fn of(preset: &Preset) -> Result<Self, String> {
        let list: List = toml::from_str(LIST).map_err(|error| format!("untoggled.toml: {error}"))?;
        let mut reasons = list.untoggled;
        reasons.retain(|reason| {
            reason.presets.as_ref().is_none_or(|presets| presets.iter().any(|name| name == preset.name))
        });
        for signal in reasons.iter().flat_map(|reason| &reason.signals) {
            split(signal).ok_or_else(|| format!("untoggled.toml: `{signal}` is no signal"))?;
        }
        Ok(Self(reasons))
    }

    /// For each bit of the signal `name`, bit 0 first, why it does not toggle, if there is a reason.
    pub fn bits(&self, name: &str, width: usize) -> Vec<Option<Untoggled<'_>>> {
        let mut bits = vec![None; width];
        for reason in &self.0 {
            let known = reason.signals.iter().filter_map(|signal| split(signal));
            for (_, first, last) in known.filter(|(pattern, _, _)| matches(pattern, name)) {
                let untoggled = Untoggled { reason: &reason.reason, is_rare: reason.is_rare };
                bits.iter_mut().take(last.saturating_add(1)).skip(first).for_each(|bit| *bit = Some(untoggled));
            }
        }
        bits
    }
}

/// Name, first and last bit.
fn split(signal: &str) -> Option<(&str, usize, usize)> {
    let Some((name, bits)) = signal.strip_suffix(']').and_then(|signal| signal.rsplit_once('[')) else {
        return Some((signal, 0, usize::MAX));
    };
    let (last, first) = bits.split_once(':').unwrap_or((bits, bits));
    Some((name, first.parse().ok()?, last.parse().ok()?))
}

/// Whether `name` is what `pattern` says, in which a `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|from| rest.is_char_boundary(from) && matches(after, &rest[from..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use lsu_model::preset::ALL;

    use super::*;

    #[test]
    fn the_list_can_be_read() {
        for preset in ALL {
            UntoggledList::of(&preset).expect("a list");
        }
    }

    #[test]
    fn patterns_take_any_letters() {
        for (pattern, name) in [("a.b", "a.b"), ("*.b", "a.b"), ("a.*b*", "a.xxbyy"), ("*", "a.b"), ("a*b*b", "abb")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a.b", "a.bc"), ("*.b", "a.bc"), ("a.*b", "a.bc"), ("a*b*b", "ab")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
        assert_eq!(split("a.b[31:8]"), Some(("a.b", 8, 31)));
        assert_eq!(split("a.b[3]"), Some(("a.b", 3, 3)));
        assert_eq!(split("a.b[x]"), None);
    }
}

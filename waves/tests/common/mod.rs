//! A dump read back with wellen, as sampled values.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::collections::BTreeMap;
use std::path::Path;

use wellen::SignalValueRef;

/// Changes of every variable, by full name: time, and value as ones, zeros and `x`, or as text.
pub struct ReadBack {
    changes: BTreeMap<String, Vec<(u64, String)>>,
    pub last_time: u64,
}

impl ReadBack {
    pub fn open(path: &Path) -> Self {
        let mut waves = wellen::simple::read(path).expect("wellen reads the file");
        let hierarchy = waves.hierarchy();
        let variables: Vec<(String, wellen::SignalRef)> = hierarchy
            .all_vars()
            .map(|variable| (hierarchy[variable].full_name(hierarchy), hierarchy[variable].signal_ref()))
            .collect();
        let signals: Vec<_> = variables.iter().map(|(_, signal)| *signal).collect();
        waves.load_signals(&signals);
        let times = waves.time_table();
        let mut changes = BTreeMap::new();
        for (name, signal) in variables {
            let signal = waves.get_signal(signal).expect("loaded");
            let values: Vec<_> = signal
                .iter_changes()
                .map(|(time, value)| {
                    let value = match value {
                        SignalValueRef::BitVec(bits) => bits.bit_string(),
                        SignalValueRef::String(text) => text.to_owned(),
                        SignalValueRef::Real(number) => number.to_string(),
                        SignalValueRef::Event => String::new(),
                    };
                    (times[time as usize], value)
                })
                .collect();
            assert!(changes.insert(name.clone(), values).is_none(), "{name} is declared once");
        }
        Self { changes, last_time: times.last().copied().unwrap_or(0) }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.changes.keys().map(String::as_str)
    }

    pub fn changes(&self, name: &str) -> &[(u64, String)] {
        self.changes.get(name).unwrap_or_else(|| panic!("no variable {name}"))
    }

    /// Value at a time, `None` before the first one.
    pub fn at(&self, name: &str, time: u64) -> Option<&str> {
        let changes = self.changes(name);
        let after = changes.partition_point(|&(changed, _)| changed <= time);
        after.checked_sub(1).map(|index| changes[index].1.as_str())
    }
}

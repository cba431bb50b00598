//! A finished dump: what is in it, for the views.

use std::path::PathBuf;

use crate::layout::EnumType;
use crate::{EnumId, Format, Kind};

/// A variable of a finished dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Full dotted name, without a bit range.
    pub path: String,
    /// Bit range as viewers append it, for example `[31:0]`.
    pub range: Option<String>,
    /// Bits.
    pub width: u32,
    /// How it is shown.
    pub kind: Kind,
}

impl Entry {
    /// The name under which GTKWave knows the variable.
    pub fn viewer_name(&self) -> String {
        match &self.range {
            Some(range) => format!("{}{range}", self.path),
            None => self.path.clone(),
        }
    }
}

/// A finished dump: what is in it, for the views.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub format: Format,
    /// First cycle shown.
    pub first_cycle: u64,
    /// Last cycle shown.
    pub last_cycle: u64,
    /// Every variable, the device under test's first.
    pub entries: Vec<Entry>,
    pub(crate) enums: Vec<EnumType>,
}

impl Dump {
    /// The variable with this full dotted name.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.path == path)
    }

    pub(crate) fn enum_type(&self, id: EnumId) -> &EnumType {
        &self.enums[id.0 as usize]
    }
}

/// Lists the variables of the device under test.
pub(crate) fn list_dut(scope: &vcd::Scope, path: &str, entries: &mut Vec<Entry>) {
    for item in &scope.items {
        match item {
            vcd::ScopeItem::Scope(child) => list_dut(child, &format!("{path}.{}", child.identifier), entries),
            vcd::ScopeItem::Var(variable) => entries.push(Entry {
                path: format!("{path}.{}", variable.reference),
                range: variable.index.map(|range| range.to_string()),
                width: variable.size,
                kind: if variable.size == 1 { Kind::Flag } else { Kind::Bits(variable.size) },
            }),
            _ => {}
        }
    }
}

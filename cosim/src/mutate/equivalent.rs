//! Mutants that are no bugs although no tool proves it: what makes them so lies outside their module. Each has its reason.

use lsu_hdl::verilog::Mutant;
use lsu_model::preset::Preset;
use serde::Deserialize;

/// The list, beside this file.
const LIST: &str = include_str!("equivalent.toml");

/// Mutants that change nothing for one reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// Why nothing changes.
    pub reason: String,
    /// Which ones.
    pub mutants: Vec<Bits>,
}

/// Some bits of some places.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bits {
    /// The presets that it is about; all of them if there is no list.
    pub presets: Option<Vec<String>>,
    /// The module, without the prefix of all modules.
    pub module: String,
    /// What is wrong: the name of a kind ([`lsu_hdl::verilog::Fault::name`]).
    pub fault: String,
    /// The places, as the Verilog has them.
    pub places: Vec<String>,
    /// The bits; all of them if there is no list.
    pub bits: Option<Vec<u32>>,
}

#[derive(Deserialize)]
struct List {
    equivalent: Vec<Equivalent>,
}

impl Equivalent {
    /// Whether `mutant` of `preset` is one of these.
    pub fn holds(&self, preset: &Preset, mutant: &Mutant) -> bool {
        self.mutants.iter().any(|bits| bits.holds(preset, mutant))
    }
}

impl Bits {
    /// Whether `mutant` of `preset` is one of these.
    pub fn holds(&self, preset: &Preset, mutant: &Mutant) -> bool {
        self.presets.as_ref().is_none_or(|presets| presets.iter().any(|name| name == preset.name))
            && self.module == mutant.module
            && self.fault == mutant.fault.name()
            && self.places.contains(&mutant.place)
            && self.bits.as_ref().is_none_or(|bits| bits.contains(&mutant.bit))
    }
}

/// All of them.
///
/// # Errors
/// What is wrong with the list.
pub fn list() -> Result<Vec<Equivalent>, toml::de::Error> {
    toml::from_str::<List>(LIST).map(|list| list.equivalent)
}

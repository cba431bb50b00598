//! The arguments that choose engines, shared by the verbs that run programs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lsu_model::preset::{self, Preset};

use crate::engine::EngineKind;
use crate::roster::RosterOptions;

use super::CommandError;

/// Which engines take part, and where Verilator and the Verilog come from.
#[derive(Clone, Debug, clap::Args)]
pub struct EngineArguments {
    /// Sizes of the unit [default: those of the program file, fpga8 for a litmus test, else warp32].
    #[arg(long, value_parser = named_preset)]
    pub preset: Option<Preset>,
    /// Engines to run in lock step, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "verilator,model", value_name = "ENGINES")]
    pub engine: Vec<EngineKind>,
    /// Check this Verilog instead of the emitted one.
    #[arg(long, value_name = "FILE.v")]
    pub dut: Option<PathBuf>,
    /// Use the Verilator in this folder.
    #[arg(long, value_name = "DIR")]
    pub verilator: Option<PathBuf>,
}

/// Reads a preset's name.
pub(super) fn named_preset(name: &str) -> Result<Preset, String> {
    Preset::named(name).ok_or_else(|| format!("presets: {}", preset::ALL.map(|preset| preset.name).join(", ")))
}

/// `path` as one word of a shell's command line, which no command takes for an option.
pub(super) fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let text = if path.starts_with('-') { format!("./{path}") } else { path };
    // What no shell can be given stands as it is.
    shlex::try_quote(&text).map(String::from).unwrap_or(text)
}

impl EngineArguments {
    /// The roster of these arguments for a unit of `preset`.
    pub(super) fn roster_options(&self, preset: Preset) -> Result<RosterOptions, CommandError> {
        let kinds = self.engine.clone();
        if let Some((_, twice)) = kinds.iter().enumerate().find(|(number, kind)| kinds[..*number].contains(kind)) {
            return Err(CommandError::Usage {
                message: format!("--engine names `{}` twice, which would be compared with itself", twice.option()),
                help: Some("engines that are compared are two different ones, such as verilator,model".to_owned()),
            });
        }
        if self.dut.is_some() && !kinds.contains(&EngineKind::Verilator) {
            return Err(CommandError::Usage {
                message: "--dut is given, but no engine runs Verilog".to_owned(),
                help: Some("add verilator to --engine".to_owned()),
            });
        }
        if self.verilator.is_some() && !kinds.contains(&EngineKind::Verilator) {
            return Err(CommandError::Usage {
                message: "--verilator is given, but no engine runs Verilog".to_owned(),
                help: Some("add verilator to --engine, or leave it out".to_owned()),
            });
        }
        Ok(RosterOptions { preset, kinds, dut: self.dut.clone(), verilator: self.verilator.clone() })
    }

    /// These arguments as they stand on a command line, with a blank before each; the preset is left out.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        let mut kinds = self.engine.clone();
        kinds.sort_unstable();
        if kinds != [EngineKind::Model, EngineKind::Verilator] {
            let names: Vec<&str> = self.engine.iter().map(|kind| kind.option()).collect();
            // Writing to a string cannot fail.
            let _ = write!(text, " --engine {}", names.join(","));
        }
        if let Some(path) = &self.dut {
            let _ = write!(text, " --dut {}", quoted(path));
        }
        if let Some(path) = &self.verilator {
            let _ = write!(text, " --verilator {}", quoted(path));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_and_no_option() {
        for (path, word) in [
            ("a/b.toml", "a/b.toml"),
            ("-r/b.toml", "./-r/b.toml"),
            ("--dut", "./--dut"),
            ("- a.toml", "'./- a.toml'"),
            ("a b.toml", "'a b.toml'"),
        ] {
            assert_eq!(quoted(Path::new(path)), word);
        }
    }
}

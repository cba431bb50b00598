//! The unit as Verilog files.

use thiserror::Error;

use crate::codes;
use crate::header::{self, Header};
use crate::preset;
use crate::verilog::{self, Breakage, EmittedModule, Mutant, Refusal};

/// Every file that holds a block or a constant that a kernel names.
const SOURCES: &[&str] = &[
    include_str!("arbiter.rs"),
    include_str!("constant/bank_table.rs"),
    include_str!("constant/constant_cache.rs"),
    include_str!("constant/constant_set.rs"),
    include_str!("constant/data_stage.rs"),
    include_str!("constant/intake.rs"),
    include_str!("constant/issue.rs"),
    include_str!("constant/lane_groups.rs"),
    include_str!("constant/ldc_address.rs"),
    include_str!("constant/ldc_extract.rs"),
    include_str!("constant/misses.rs"),
    include_str!("constant/tag_stage.rs"),
    include_str!("fault_register.rs"),
    include_str!("global/address_unit.rs"),
    include_str!("global/cache_tags.rs"),
    include_str!("global/coalescer.rs"),
    include_str!("global/collector.rs"),
    include_str!("global/counters.rs"),
    include_str!("global/data_places.rs"),
    include_str!("global/global_path.rs"),
    include_str!("global/line_index.rs"),
    include_str!("global/miss_table.rs"),
    include_str!("global/operation.rs"),
    include_str!("global/operation_check.rs"),
    include_str!("global/pass_queue.rs"),
    include_str!("global/read_queue.rs"),
    include_str!("global/store_merge.rs"),
    include_str!("global/store_port.rs"),
    include_str!("global/tag_stage.rs"),
    include_str!("lsu.rs"),
    include_str!("memory.rs"),
    include_str!("register.rs"),
    include_str!("sticky.rs"),
    include_str!("strobe_memory.rs"),
];

/// The prefix of module names where none is asked for.
pub const DEFAULT_PREFIX: &str = "lsu_";

/// What asks for the whole unit in the place of a block's name.
pub const WHOLE_UNIT: &str = "lsu";

/// Why there is no Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// No such preset.
    #[error("there is no preset `{0}`: use warp32 or fpga8")]
    UnknownPreset(String),
    /// No such block.
    #[error("there is no block `{name}` in preset `{preset}`")]
    UnknownBlock {
        /// What was asked for.
        name: String,
        /// Of which preset.
        preset: String,
        /// What there is, without the prefix; the whole unit first.
        blocks: Vec<String>,
    },
    /// Names with this prefix are none.
    #[error("`{prefix}` cannot begin the names of modules: `{name}` is no free name in Verilog")]
    BadPrefix {
        /// What was asked for.
        prefix: String,
        /// The name of the top module that it gives.
        name: String,
    },
    /// A kernel has no exact translation.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The name of the top module where all others begin with `prefix`: the prefix without the underscores at its end.
///
/// # Errors
/// [`EmitError::BadPrefix`] if that is no name in Verilog.
pub fn top_name(prefix: &str) -> Result<&str, EmitError> {
    let name = prefix.trim_end_matches('_');
    if verilog::is_module_name(name) {
        Ok(name)
    } else {
        Err(EmitError::BadPrefix { prefix: prefix.to_string(), name: name.to_string() })
    }
}

/// The modules of a preset's unit, the top level first; the names of the others begin with `prefix`.
///
/// # Errors
/// The preset does not exist, the prefix gives no names, or a kernel cannot be written exactly.
pub fn modules(preset: &str, prefix: &str) -> Result<Vec<EmittedModule>, EmitError> {
    Ok(broken(preset, prefix, Breakage::None)?.0)
}

/// The same with the mutants that `breakage` names in them, and a list of all ([`verilog::broken`]).
///
/// # Errors
/// As [`modules`].
pub fn broken(preset: &str, prefix: &str, breakage: Breakage) -> Result<(Vec<EmittedModule>, Vec<Mutant>), EmitError> {
    let (top, codes) = (top_name(prefix)?, codes::text());
    let sources = [SOURCES, &[&codes]].concat();
    Ok(match preset {
        "warp32" => verilog::broken(&*preset::warp32(), top, prefix, &sources, breakage)?,
        "fpga8" => verilog::broken(&*preset::fpga8(), top, prefix, &sources, breakage)?,
        _ => return Err(EmitError::UnknownPreset(preset.to_string())),
    })
}

/// The module that `block` names and everything below it. `block` is `lsu` for the whole unit or the name of a block such as
/// `constant_cache`, with the prefix or without.
fn chosen<'a>(
    modules: &'a [EmittedModule],
    preset: &str,
    prefix: &str,
    block: &str,
) -> Result<Vec<&'a EmittedModule>, EmitError> {
    let bare = block.strip_prefix(prefix).unwrap_or(block);
    let found = match (block, modules) {
        (WHOLE_UNIT, [top, ..]) => Some(top),
        (_, [_, rest @ ..]) => rest.iter().find(|module| module.block == bare),
        (_, []) => None,
    };
    let Some(top) = found else {
        let blocks = modules.iter().skip(1).map(|module| module.block.clone());
        return Err(EmitError::UnknownBlock {
            name: block.to_string(),
            preset: preset.to_string(),
            blocks: std::iter::once(WHOLE_UNIT.to_string()).chain(blocks).collect(),
        });
    };
    Ok(verilog::below(modules, &top.name))
}

/// The modules of one Verilog file without a header: the module `block` of a preset's unit and everything below it, under the
/// default prefix. `block` is `lsu` or the name of a block, such as `constant_cache`.
///
/// # Errors
/// As [`modules`], and if no block has that name.
pub fn verilog_for(preset: &str, block: &str) -> Result<String, EmitError> {
    let modules = modules(preset, DEFAULT_PREFIX)?;
    Ok(verilog::file(&chosen(&modules, preset, DEFAULT_PREFIX, block)?))
}

/// A file as it is written for a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFile {
    /// Its name, by prefix, preset and block: `lsu_fpga8.v`, `lsu_fpga8_constant_cache.v`.
    pub name: String,
    /// Its text: a header that says what it is and seals it, and the modules.
    pub text: String,
}

/// The file with the module `block` of a preset's unit and everything below it.
///
/// # Errors
/// As [`verilog_for`].
pub fn verilog_file(preset: &str, prefix: &str, block: &str) -> Result<UnitFile, EmitError> {
    let modules = modules(preset, prefix)?;
    let chosen = chosen(&modules, preset, prefix, block)?;
    let (unit, top) = (top_name(prefix)?, chosen[0]);
    let sizes = preset::sizes(preset).ok_or_else(|| EmitError::UnknownPreset(preset.to_string()))?;
    let mut command = format!("lsu verilog --preset {preset}");
    let mut name = format!("{unit}_{preset}");
    if block != WHOLE_UNIT {
        command += &format!(" --top {}", top.block);
        name += &format!("_{}", top.block);
    }
    if prefix != DEFAULT_PREFIX {
        command += &format!(" --prefix {prefix}");
    }
    let texts: Vec<&str> = chosen.iter().map(|module| module.text.as_str()).collect();
    let body = format!("{}{}", verilog::ONE_FILE, texts.join("\n"));
    let header = Header { preset, sizes: &sizes, top: &top.name, command: &command };
    Ok(UnitFile { name: format!("{name}.v"), text: header::seal(&header.head(), &body) })
}

//! The unit as Verilog files.

use thiserror::Error;

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

/// Why there is no Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// No such preset.
    #[error("there is no preset `{0}`: use warp32 or fpga8")]
    UnknownPreset(String),
    /// No such block.
    #[error("there is no block `{name}` in preset `{preset}`: use one of {}", .blocks.join(", "))]
    UnknownBlock {
        /// What was asked for.
        name: String,
        /// Of which preset.
        preset: String,
        /// What there is.
        blocks: Vec<String>,
    },
    /// A kernel has no exact translation.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The modules of a preset's unit, the top level `lsu` first.
///
/// # Errors
/// The preset does not exist, or a kernel cannot be written exactly.
pub fn modules(preset: &str) -> Result<Vec<EmittedModule>, EmitError> {
    Ok(broken(preset, Breakage::None)?.0)
}

/// The modules of a preset's unit, top level `lsu`, with the mutants that `breakage` names in them, and a list of all
/// ([`verilog::broken`]).
///
/// # Errors
/// As [`modules`].
pub fn broken(preset: &str, breakage: Breakage) -> Result<(Vec<EmittedModule>, Vec<Mutant>), EmitError> {
    Ok(match preset {
        "warp32" => verilog::broken(&*preset::warp32(), "lsu", SOURCES, breakage)?,
        "fpga8" => verilog::broken(&*preset::fpga8(), "lsu", SOURCES, breakage)?,
        _ => return Err(EmitError::UnknownPreset(preset.to_string())),
    })
}

/// One Verilog file with the module `top` of a preset's unit and everything below it. `top` is `lsu` or the name of a block,
/// such as `constant_cache`.
///
/// # Errors
/// As [`modules`], and if no module has that name.
pub fn verilog_for(preset: &str, top: &str) -> Result<String, EmitError> {
    let modules = modules(preset)?;
    if !modules.iter().any(|module| module.name == top) {
        return Err(EmitError::UnknownBlock {
            name: top.to_string(),
            preset: preset.to_string(),
            blocks: modules.into_iter().map(|module| module.name).collect(),
        });
    }
    Ok(verilog::file(&verilog::below(&modules, top)))
}

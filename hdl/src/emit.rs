//! The unit as Verilog files.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::header;
use crate::preset;
use crate::verilog::{self, Breakage, EmittedModule, Mutant, Port, Refusal};

macro_rules! sources {
    ($($file:literal)+) => { &[$(include_str!($file)),+] };
}

/// Every file that holds a block or a constant that a kernel names.
pub(crate) const SOURCES: &[&str] = sources! {
    "arbiter.rs" "axi_master.rs" "board/board_link.rs" "board/crc16.rs" "board/serial_receiver.rs"
    "board/serial_transmitter.rs" "cluster.rs" "constant/bank_table.rs" "constant/constant_cache.rs"
    "constant/constant_set.rs" "constant/data_stage.rs" "constant/intake.rs" "constant/issue.rs"
    "constant/lane_groups.rs" "constant/ldc_address.rs" "constant/ldc_extract.rs" "constant/misses.rs"
    "constant/operation.rs" "constant/tag_stage.rs" "drain.rs" "event_counter.rs" "fault_register.rs"
    "global/address_unit.rs" "global/answer.rs" "global/bank_pairs.rs" "global/bank_places.rs" "global/cache_tags.rs"
    "global/census.rs" "global/coalescer.rs" "global/collector.rs" "global/counters.rs" "global/dirty_sectors.rs"
    "global/global_path.rs" "global/lane_address.rs" "global/local_line.rs" "global/miss_table.rs" "global/operation.rs"
    "global/operation_check.rs" "global/pass_queue.rs" "global/pick_stage.rs" "global/read_queue.rs"
    "global/read_stage.rs" "global/reply.rs" "global/row_readers.rs" "global/row_store.rs" "global/same_blocks.rs"
    "global/same_line.rs" "global/serve.rs" "global/store_merge.rs" "global/store_port.rs" "global/tag_stage.rs"
    "global/way_row.rs" "global/window_banks.rs" "global/write_back.rs" "load_destination.rs" "lsu.rs" "memory.rs"
    "register.rs" "results.rs" "sticky.rs" "strobe_memory.rs" "unanswered.rs"
};

/// The prefix of module names where none is asked for.
pub const DEFAULT_PREFIX: &str = "lsu_";

/// What asks for the whole unit in the place of a block's name.
pub const WHOLE_UNIT: &str = "lsu";

/// What asks for the unit with an AXI4 port.
pub const AXI_UNIT: &str = "lsu_axi";

/// What asks for the unit that a host steps over a serial line.
pub const BOARD_UNIT: &str = "lsu_board";

/// What gives the unit an AXI4 port.
const AXI_MASTER: &str = "axi_master";

/// What the unit with that is.
const AXI_COMMENT: &str = "The load/store unit with its memory port as an AXI4 master.";

/// What steps the unit.
const BOARD_LINK: &str = "board_link";

/// What the unit with that is.
const BOARD_COMMENT: &str =
    "The load/store unit on a board, where a host drives its pins over a serial line, a cycle a frame.";

/// Why there is no Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// No such preset.
    #[error("there is no preset `{0}`: use {names}", names = preset::names())]
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
    let bad = || EmitError::BadPrefix { prefix: prefix.to_string(), name: name.to_string() };
    verilog::is_module_name(name).then_some(name).ok_or_else(bad)
}

fn named(preset: &str) -> Result<&'static preset::Preset, EmitError> {
    preset::named(preset).ok_or_else(|| EmitError::UnknownPreset(preset.to_string()))
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
pub fn broken(
    preset: &str,
    prefix: &str,
    breakage: Breakage<'_>,
) -> Result<(Vec<EmittedModule>, Vec<Mutant>), EmitError> {
    let top = top_name(prefix)?;
    Ok((named(preset)?.broken)(top, prefix, breakage)?)
}

/// As [`modules`], and behind them those that hold the unit and something beside it, each with what that is.
///
/// # Errors
/// As [`modules`].
pub fn all_modules(preset: &str, prefix: &str) -> Result<Vec<EmittedModule>, EmitError> {
    let mut all = written(preset, prefix)?.to_vec();
    let (of, unit, top) = (named(preset)?, &all[0], top_name(prefix)?);
    let masters = (of.axi_master)(&format!("{prefix}{AXI_MASTER}"), prefix)?;
    let links = (of.board_link)(&format!("{prefix}{BOARD_LINK}"), prefix)?;
    let axi = verilog::joined(&format!("{top}_axi"), AXI_COMMENT, ("unit", unit), ("axi", &masters[0]))?;
    let board = verilog::stepped(&format!("{top}_board"), BOARD_COMMENT, unit, &links[0], identity(preset, unit))?;
    for (mut whole, block, mut parts, part) in
        [(axi, AXI_UNIT, masters, AXI_MASTER), (board, BOARD_UNIT, links, BOARD_LINK)]
    {
        whole.block = block.to_string();
        parts[0].block = part.to_string();
        for module in std::iter::once(whole).chain(parts) {
            match all.iter().find(|known| known.name == module.name) {
                // A block that both have.
                Some(known) if *known == module => {}
                Some(_) => {
                    let reason = "is one block in the unit and another one beside it".to_string();
                    return Err(Refusal { module: module.name, signal: String::new(), reason }.into());
                }
                None => all.push(module),
            }
        }
    }
    Ok(all)
}

/// What tells a board with the unit of a preset from others: the first four bytes of the SHA-256 of its name, and of name, direction and width of each
/// of its pins, a line each, in order of their names.
fn identity(preset: &str, unit: &EmittedModule) -> u32 {
    let direction = |is_input| if is_input { "input" } else { "output" };
    let line = |port: &Port| format!("{} {} {}\n", port.name, direction(port.is_input()), port.width());
    let mut lines: Vec<String> = unit.ports.iter().map(line).collect();
    lines.sort();
    let hash = Sha256::digest(format!("{preset}\n{}", lines.concat()));
    hash.iter().take(4).rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The module that `block` names, first, and everything below it. `block` is `lsu` for the whole unit, `lsu_axi` for that with an AXI4
/// port, `lsu_board` for that which a host steps, or the name of a block such as `constant_cache`, with the prefix or without.
fn chosen<'a>(
    modules: &'a [EmittedModule],
    preset: &str,
    prefix: &str,
    block: &str,
) -> Result<Vec<&'a EmittedModule>, EmitError> {
    let bare = block.strip_prefix(prefix).unwrap_or(block);
    let below = modules.iter().skip(1);
    let found = if block == WHOLE_UNIT {
        modules.first()
    } else {
        below.clone().find(|module| [bare, block].contains(&&*module.block))
    };
    let Some(top) = found else {
        return Err(EmitError::UnknownBlock {
            name: block.to_string(),
            preset: preset.to_string(),
            blocks: std::iter::once(WHOLE_UNIT).chain(below.map(|module| &*module.block)).map(str::to_string).collect(),
        });
    };
    Ok(verilog::below(modules, &top.name))
}

/// As [`modules`], written once in a process for each preset and prefix.
fn written(preset: &str, prefix: &str) -> Result<Arc<[EmittedModule]>, EmitError> {
    type Written = BTreeMap<(String, String), Arc<[EmittedModule]>>;
    static WRITTEN: Mutex<Written> = Mutex::new(BTreeMap::new());
    // What stands there is whole, whatever became of who was there before.
    let lock = || WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (preset.to_string(), prefix.to_string());
    if let Some(modules) = lock().get(&key) {
        return Ok(modules.clone());
    }
    let modules: Arc<[EmittedModule]> = modules(preset, prefix)?.into();
    lock().insert(key, modules.clone());
    Ok(modules)
}

/// Modules among which `block` is, if it is any: those of the unit, or else what stands beside it, too.
fn written_with(preset: &str, prefix: &str, block: &str) -> Result<Arc<[EmittedModule]>, EmitError> {
    let unit = written(preset, prefix)?;
    match chosen(&unit, preset, prefix, block) {
        Err(_) => Ok(all_modules(preset, prefix)?.into()),
        Ok(_) => Ok(unit),
    }
}

/// The modules of one Verilog file without a header: the module `block` of a preset's unit and everything below it, under the
/// default prefix. `block` is `lsu`, `lsu_axi`, `lsu_board` or the name of a block, such as `constant_cache`.
///
/// # Errors
/// As [`modules`], and if no block has that name.
pub fn verilog_for(preset: &str, block: &str) -> Result<String, EmitError> {
    let modules = written_with(preset, DEFAULT_PREFIX, block)?;
    Ok(verilog::file(&chosen(&modules, preset, DEFAULT_PREFIX, block)?))
}

/// A file as it is written for a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFile {
    /// Its name, by prefix, preset and block: `lsu_fpga8.v`, `lsu_axi_fpga8.v`, `lsu_fpga8_constant_cache.v`.
    pub name: String,
    /// Its text: a header that says what it is and seals it, and the modules.
    pub text: String,
    /// Its top holds the unit, whose file stands beside it.
    pub needs_unit: bool,
}

/// The file with the module `block` of a preset's unit and everything below it; of `lsu_axi` and `lsu_board` without the unit, which is a file of
/// its own.
///
/// # Errors
/// As [`verilog_for`].
pub fn verilog_file(preset: &str, prefix: &str, block: &str) -> Result<UnitFile, EmitError> {
    let modules = written_with(preset, prefix, block)?;
    let mut chosen = chosen(&modules, preset, prefix, block)?;
    let (unit, top) = (top_name(prefix)?, chosen[0]);
    let sizes = named(preset)?.sizes;
    let mut command = format!("lsu verilog --preset {preset}");
    let whole = format!("{unit}_{preset}");
    if block != WHOLE_UNIT {
        command += &format!(" --top {}", top.block);
    }
    let needs_unit = top.children.iter().any(|child| child == unit);
    let name = if block == WHOLE_UNIT {
        whole.clone()
    } else if needs_unit {
        let in_unit = verilog::below(&modules, unit);
        chosen.retain(|module| !in_unit.contains(module));
        format!("{}_{preset}", top.name)
    } else {
        format!("{whole}_{}", top.block)
    };
    if prefix != DEFAULT_PREFIX {
        command += &format!(" --prefix {prefix}");
    }
    let texts: Vec<&str> = chosen.iter().map(|module| module.text.as_str()).collect();
    let body = format!("{}{}", verilog::one_file_head(), texts.join("\n"));
    let needs = needs_unit.then(|| format!("{whole}.v"));
    let head = header::unit_head(&sizes, &top.name, needs.as_deref(), &command);
    Ok(UnitFile { name: format!("{name}.v"), text: header::seal(&head, &body), needs_unit })
}

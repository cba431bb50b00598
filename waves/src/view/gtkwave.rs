//! GTKWave: a save file (`.gtkw`), and a translate-filter file for each enum type.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::{Colour, MARKER_LIMIT, Radix, Trace, View, beside, create_folder, write_file};
use crate::layout::EnumType;
use crate::{Dump, Format, TICKS_PER_CYCLE, WaveError};

/// Flags of a trace, as the save file codes them in one hexadecimal number.
mod flag {
    pub(super) const HEXADECIMAL: u32 = 0x2;
    pub(super) const DECIMAL: u32 = 0x4;
    pub(super) const BINARY: u32 = 0x8;
    pub(super) const RIGHT: u32 = 0x20;
    pub(super) const BLANK: u32 = 0x200;
    pub(super) const ASCII: u32 = 0x800;
    pub(super) const FOLDED: u32 = 0x1000;
    pub(super) const TRANSLATED: u32 = 0x2000;
    pub(super) const GROUP_BEGIN: u32 = 0x80_0000;
    pub(super) const GROUP_END: u32 = 0x100_0000;
}

/// Cycles that fit into the window at the zoom of [`ZOOM`], some 30 pixels each.
const VISIBLE_CYCLES: u64 = 38;

/// Fewest cycles that the window shows.
const FEWEST_CYCLES: u64 = 10;

/// GTKWave's zoom, a power of two, for [`VISIBLE_CYCLES`].
const ZOOM: f64 = -6.0;

/// Ending of the save file, after the dump's own.
pub(super) const ENDING: &str = "gtkw";

/// The same of the folder with the names of values.
pub(super) const NAMES_ENDING: &str = "enums";

pub(super) fn write(view: &View, dump: &Dump, path: &Path) -> Result<(), WaveError> {
    let folder = beside(path, NAMES_ENDING);
    let enums = view.enums(dump);
    if !enums.is_empty() {
        create_folder(&folder)?;
    }
    for names in enums {
        write_file(&translate_path(&folder, names), &translate_text(names))?;
    }
    write_file(&beside(path, ENDING), &save_text(view, dump, path, &folder))
}

fn translate_path(folder: &Path, names: &EnumType) -> PathBuf {
    folder.join(format!("{}.txt", names.name))
}

/// One line per value: the value as GTKWave would print it in hexadecimal, and its name.
fn translate_text(names: &EnumType) -> String {
    let digits = names.width.div_ceil(4) as usize;
    let mut text = String::new();
    for (value, name) in &names.variants {
        let _ = writeln!(text, "{value:0digits$X} {name}");
    }
    text
}

fn save_text(view: &View, dump: &Dump, path: &Path, folder: &Path) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "[*] lsu-waves");
    let _ = writeln!(text, "[dumpfile] \"{}\"", path.display());
    let _ = writeln!(text, "[savefile] \"{}\"", beside(path, ENDING).display());
    let centre = view.markers.first().map_or(dump.first_cycle, |marker| marker.cycle);
    // Sixteen cycles before the first marker are visible to its left, but nothing beyond the end, which GTKWave would
    // answer by starting at 0.
    let cycles = (dump.last_cycle - dump.first_cycle).saturating_add(1);
    let visible = cycles.clamp(FEWEST_CYCLES, VISIBLE_CYCLES);
    let latest = dump.last_cycle.saturating_add(1).saturating_sub(visible);
    let start = centre.saturating_sub(16).min(latest).max(dump.first_cycle) * TICKS_PER_CYCLE;
    let _ = writeln!(text, "[timestart] {start}");
    let _ = writeln!(text, "[size] 1600 900");
    let _ = writeln!(text, "[pos] -1 -1");
    // A short dump fills the window. Then come the primary marker and A to Z.
    let zoom = ZOOM + (VISIBLE_CYCLES as f64 / visible as f64).log2();
    let _ = write!(text, "*{zoom:.6} {}", centre * TICKS_PER_CYCLE);
    for letter in 0..MARKER_LIMIT {
        match view.markers.get(letter) {
            Some(marker) => {
                let _ = write!(text, " {}", marker.cycle * TICKS_PER_CYCLE);
            }
            None => text.push_str(" -1"),
        }
    }
    text.push('\n');
    for (letter, marker) in ('A'..='Z').zip(&view.markers) {
        let _ = writeln!(text, "[markername] {letter}{}", marker.name);
    }
    let _ = writeln!(text, "[sst_width] 20\n[signals_width] 320\n[sst_expanded] 0\n[sst_vpaned_height] 300");
    let mut translated = 0;
    for group in &view.groups {
        let folded = if group.is_folded { flag::FOLDED } else { 0 };
        let _ = writeln!(text, "@{:x}\n-{}", flag::GROUP_BEGIN | flag::BLANK | folded, group.name);
        for trace in &group.traces {
            trace_text(&mut text, trace, dump, folder, &mut translated);
        }
        let _ = writeln!(text, "@{:x}\n-{}", flag::GROUP_END | flag::BLANK | folded, group.name);
    }
    let _ = writeln!(text, "[pattern_trace] 1\n[pattern_trace] 0");
    text
}

fn trace_text(text: &mut String, trace: &Trace, dump: &Dump, folder: &Path, translated: &mut u32) {
    let Some(entry) = dump.entry(&trace.path) else {
        return;
    };
    let radix = match trace.radix {
        Radix::Hexadecimal => flag::HEXADECIMAL,
        Radix::Decimal => flag::DECIMAL,
        Radix::Binary => flag::BINARY,
        // A VCD string needs no radix.
        Radix::Text if dump.format == Format::Vcd => flag::HEXADECIMAL,
        Radix::Text => flag::ASCII,
        Radix::Names(_) => flag::HEXADECIMAL | flag::TRANSLATED,
    };
    let _ = writeln!(text, "@{:x}", radix | flag::RIGHT);
    if trace.colour != Colour::Normal {
        let _ = writeln!(text, "[color] {}", colour_number(trace.colour));
    }
    if let Radix::Names(names) = trace.radix {
        *translated += 1;
        let _ = writeln!(text, "^{translated} {}", translate_path(folder, dump.enum_type(names)).display());
    }
    // GTKWave shows what comes after the last dot; the alias keeps `dut` and `model` in sight.
    let _ = writeln!(text, "+{{{}}} {}", entry.path.replace('.', ":"), entry.viewer_name());
}

/// GTKWave's colours are red, orange, yellow, green, blue, indigo, violet from 1.
fn colour_number(colour: Colour) -> u32 {
    match colour {
        Colour::Normal => 0,
        Colour::Red => 1,
        Colour::Orange => 2,
        Colour::Yellow => 3,
        Colour::Green => 4,
    }
}

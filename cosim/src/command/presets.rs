//! `lsu presets`: the sizes that the unit comes in.

use lsu_model::preset::{self, Preset};
use serde_json::{Value, json};

use crate::output;
use crate::program::LINE_BYTES;

use super::{CommandError, Status};

/// Sets of the constant cache.
const CONSTANT_SETS: usize = 4;
/// Bytes of a line of the constant cache.
const CONSTANT_LINE_BYTES: usize = 64;

/// Arguments of `lsu presets`.
#[derive(Clone, Debug, clap::Args)]
pub struct PresetsArguments {
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// One cache: sets, ways and bytes of a line.
struct Cache(usize, usize, usize);

impl Cache {
    fn bytes(&self) -> usize {
        self.0 * self.1 * self.2
    }

    fn text(&self) -> String {
        let Self(sets, ways, line) = self;
        let bytes = self.bytes();
        let size = if bytes.is_multiple_of(1024) { format!("{} KB", bytes / 1024) } else { format!("{bytes} bytes") };
        format!("{size} ({sets} sets x {ways} ways x {line} bytes)")
    }

    fn json(&self) -> Value {
        json!({ "sets": self.0, "ways": self.1, "line_bytes": self.2, "bytes": self.bytes() })
    }
}

/// L1, read-only and constant cache of a preset.
fn caches(preset: &Preset) -> [Cache; 3] {
    [
        Cache(preset.l1_sets, preset.l1_ways, LINE_BYTES as usize),
        Cache(preset.ro_sets, preset.ro_ways, LINE_BYTES as usize),
        Cache(CONSTANT_SETS, preset.constant_ways, CONSTANT_LINE_BYTES),
    ]
}

/// Prints the presets with their numbers.
///
/// # Errors
/// None.
pub fn presets(arguments: &PresetsArguments) -> Result<Status, CommandError> {
    if arguments.json {
        output::print_line(Value::Array(preset::ALL.iter().map(document).collect()));
    } else {
        output::print(&table());
    }
    Ok(Status::Well)
}

fn document(preset: &Preset) -> Value {
    let [l1, read_only, constant] = caches(preset);
    json!({
        "preset": preset.name,
        "lanes": preset.lanes,
        "address_bits": preset.address_bits,
        "warps": preset.warps,
        "shared_bytes": preset.shared_bytes,
        "mshrs": preset.misses,
        "l1": l1.json(),
        "read_only": read_only.json(),
        "constant": constant.json(),
        "constant_misses": preset.constant_misses,
    })
}

/// A row of the table: what it shows, and the number of a preset.
struct Row(&'static str, fn(&Preset) -> String);

const ROWS: [Row; 8] = [
    Row("LANES, lanes of a warp", |preset| preset.lanes.to_string()),
    Row("ADDR, bits of an address", |preset| preset.address_bits.to_string()),
    Row("slots for warps", |preset| preset.warps.to_string()),
    Row("L1", |preset| caches(preset)[0].text()),
    Row("read-only cache", |preset| caches(preset)[1].text()),
    Row("constant cache", |preset| caches(preset)[2].text()),
    Row("MSHRs, passes that may wait for lines", |preset| preset.misses.to_string()),
    Row("constant passes that may wait", |preset| preset.constant_misses.to_string()),
];

/// One column for each preset.
fn table() -> String {
    let line = |Row(name, cell): &Row| {
        let cells: String = preset::ALL.iter().map(|preset| format!("  {:<36}", cell(preset))).collect();
        format!("{name:<38}{}\n", cells.trim_end())
    };
    let head = Row("", |preset| preset.name.to_owned());
    std::iter::once(&head).chain(&ROWS).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_description() {
        let described = lsu_hdl::preset::sizes().collect::<Vec<_>>();
        let expected = preset::ALL.map(|preset| lsu_hdl::preset::Sizes {
            name: preset.name,
            lanes: preset.lanes,
            address_bits: preset.address_bits as usize,
            warps: preset.warps,
            shared_bytes: preset.shared_bytes,
            constant_ways: preset.constant_ways,
            constant_misses: preset.constant_misses,
            misses: preset.misses,
            l1_sets: preset.l1_sets,
            l1_ways: preset.l1_ways,
            ro_sets: preset.ro_sets,
            ro_ways: preset.ro_ways,
            is_wraps: preset.is_wraps,
        });
        assert_eq!(described, expected);
    }

    #[test]
    fn the_table_has_a_column_for_each_preset() {
        let table = table();
        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
            .collect();
        assert_eq!(rows[0], ["warp32", "fpga8", "tiny4"]);
        assert_eq!(rows[1], ["LANES, lanes of a warp", "32", "8", "4"]);
        let l1 = ["64 sets x 4 ways", "16 sets x 2 ways", "2 sets x 2 ways"];
        for ((cell, size), sets) in rows[4][1..].iter().zip(["32 KB", "4 KB", "512 bytes"]).zip(l1) {
            assert_eq!(*cell, format!("{size} ({sets} x 128 bytes)"));
        }
        assert!(rows[1..].iter().all(|row| row.len() == 4), "{table}");
        assert_eq!(document(&preset::FPGA8)["constant"]["bytes"], 1024);
    }
}

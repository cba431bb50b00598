//! The header of an emitted file: what it is, and a checksum that tells whether someone has edited it since.

use sha2::{Digest, Sha256};

use crate::preset::Sizes;
use crate::verilog::CONTRACTS;

/// Begins the line that holds the checksum.
const SEAL: &str = "// sha256 of all other lines: ";

/// The header, without its checksum, of a file that holds a module `top` of the preset of these sizes, needs the file `needs` beside it, and was
/// written by `command`.
pub(crate) fn unit_head(sizes: &Sizes, top: &str, needs: Option<&str>, command: &str) -> String {
    let Sizes { name, lanes, address_bits, warps, constant_ways, constant_misses, misses, .. } = *sizes;
    let cache = |sets: usize, ways: usize, bytes: usize| {
        format!("{sets} sets x {ways} ways x {bytes} bytes = {}", bytes_text(sets * ways * bytes))
    };
    let needs = needs.map_or_else(String::new, |file| format!(" What is below it stands in {file}."));
    head(&[
        &format!("lsu {}, an open GPU load/store unit. Top module: {top}.{needs}", env!("CARGO_PKG_VERSION")),
        &format!(
            "Preset {name}: LANES {lanes}, ADDR {address_bits} (bits of an address), MSHRs {misses}, slots for warps {warps},"
        ),
        &format!("  L1 {},", cache(sizes.l1_sets, sizes.l1_ways, 128)),
        &format!("  read-only cache {},", cache(sizes.ro_sets, sizes.ro_ways, 128)),
        &format!("  constant cache {}, with {constant_misses} misses.", cache(CONSTANT_SETS, constant_ways, 64)),
        &format!("Written by: {command}"),
        &format!(
            "Contracts of the blocks stand under the macro {CONTRACTS}: define it in simulation, and each that is"
        ),
        "  broken prints its sentence and stops. Synthesis needs no macro.",
    ]) + "// No timescale is set, on purpose: there are no delays here, so that of your own files holds.\n"
}

/// The first lines of a file: its licence, what `lines` say, and whose it is.
pub(crate) fn head(lines: &[&str]) -> String {
    let lines: String = lines.iter().map(|line| format!("// {line}\n")).collect();
    format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n//\n{lines}\
         // Generated, do not edit: `lsu verilog` overwrites this file as long as the checksum below holds.\n"
    )
}

/// `head`, the checksum of all else, and `body`.
pub(crate) fn seal(head: &str, body: &str) -> String {
    format!("{head}{SEAL}{}\n{body}", checksum([head, body]))
}

/// A number of bytes, in KB where it is one.
fn bytes_text(bytes: usize) -> String {
    if bytes.is_multiple_of(1024) { format!("{} KB", bytes / 1024) } else { format!("{bytes} bytes") }
}

/// Sets of the constant cache in every preset.
const CONSTANT_SETS: usize = 4;

/// Whether `text` is a file that some version of this writer wrote and nobody has edited since.
pub fn is_as_written(text: &str) -> bool {
    let Some(begin) = text.find(SEAL).filter(|begin| text[..*begin].ends_with('\n')) else { return false };
    let (head, rest) = text.split_at(begin);
    let Some((line, body)) = rest.split_once('\n') else { return false };
    line.strip_prefix(SEAL) == Some(checksum([head, body]).as_str())
}

/// SHA-256 of the parts one behind the other, in hexadecimal.
fn checksum(parts: [&str; 2]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

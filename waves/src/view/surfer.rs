//! Surfer: a command file (`.sucl`), and a mapping file for each enum type.

use std::fmt::Write;
use std::path::Path;

use super::{Colour, Radix, Trace, View, beside, create_folder, write_file};
use crate::layout::EnumType;
use crate::{Dump, Format, TICKS_PER_CYCLE, WaveError};

/// Ending of the command file, after the dump's own.
pub(super) const ENDING: &str = "sucl";

pub(super) fn write(view: &View, dump: &Dump, path: &Path) -> Result<(), WaveError> {
    let enums = view.enums(dump);
    if !enums.is_empty() {
        // Surfer looks for mappings here, below the folder that it is started in.
        let folder = path.parent().unwrap_or(Path::new(".")).join(".surfer").join("mappings");
        create_folder(&folder)?;
        for names in enums {
            write_file(&folder.join(format!("{}.txt", names.name)), &mapping_text(names))?;
        }
    }
    write_file(&beside(path, ENDING), &command_text(view, dump))
}

fn mapping_text(names: &EnumType) -> String {
    let mut text = format!("Name = {}\nBits = {}\n", names.name, names.width);
    for (value, name) in &names.variants {
        let _ = writeln!(text, "{value} {name}");
    }
    text
}

fn command_text(view: &View, dump: &Dump) -> String {
    let mut text = String::new();
    let mut position = 0;
    for group in &view.groups {
        let _ = writeln!(text, "divider_add {}", group.name);
        position += 1;
        for trace in &group.traces {
            let _ = writeln!(text, "variable_add {}", trace.path);
            let _ = writeln!(text, "item_focus {}_{}", item_letters(position), trace.path);
            if let Some(format) = format_name(trace, dump) {
                let _ = writeln!(text, "item_set_format {format}");
            }
            if let Some(colour) = colour_name(trace.colour) {
                let _ = writeln!(text, "item_set_color {colour}");
            }
            let _ = writeln!(text, "item_unfocus");
            position += 1;
        }
    }
    for marker in &view.markers {
        let _ = writeln!(text, "marker_set {} {}", marker.name, marker.cycle * TICKS_PER_CYCLE);
    }
    if let Some(first) = view.markers.first() {
        let _ = writeln!(text, "cursor_set {}\ngoto_cursor", first.cycle * TICKS_PER_CYCLE);
    }
    text
}

fn format_name(trace: &Trace, dump: &Dump) -> Option<String> {
    match trace.radix {
        Radix::Hexadecimal => Some("Hexadecimal".to_owned()),
        Radix::Decimal => Some("Unsigned".to_owned()),
        Radix::Binary => None,
        Radix::Text => (dump.format == Format::Fst).then(|| "ASCII".to_owned()),
        Radix::Names(names) => Some(dump.enum_type(names).name.clone()),
    }
}

fn colour_name(colour: Colour) -> Option<&'static str> {
    match colour {
        Colour::Normal => None,
        Colour::Red => Some("Red"),
        Colour::Orange => Some("Orange"),
        Colour::Yellow => Some("Yellow"),
        Colour::Green => Some("Green"),
    }
}

/// An item's position as Surfer spells it: hexadecimal, with `a` to `p` for the digits.
fn item_letters(position: usize) -> String {
    let letter = |digit: char| char::from(b'a' + digit.to_digit(16).map_or(0, |value| value as u8));
    format!("{position:x}").chars().map(letter).collect()
}

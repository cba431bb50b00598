//! A trace as a picture: as WaveDrom JSON, and as an SVG of our own.

use std::fmt::Write as _;

use crate::trace::Row;

/// Width of a cycle and height of a row, in pixels.
const CYCLE: usize = 24;
const HEIGHT: usize = 22;
/// Width of a letter, in pixels.
const LETTER: usize = 8;
/// One colour for each operation, in turn: light enough for black text.
const COLOURS: [&str; 8] = ["#bcd9f5", "#f8d3a8", "#c7e8c1", "#f3c1cf", "#ddd0f0", "#f5eaa4", "#bfe6e6", "#dfdfdf"];

/// The runs of equal cells: first cycle, number of cycles, text.
fn runs(cells: &[String]) -> Vec<(usize, usize, &str)> {
    let mut runs: Vec<(usize, usize, &str)> = Vec::new();
    for (cycle, cell) in cells.iter().enumerate() {
        match runs.last_mut() {
            Some((_, length, text)) if text == cell => *length += 1,
            _ => runs.push((cycle, 1, cell)),
        }
    }
    runs
}

/// The rows for WaveDrom: `=` where something stands, `0` where nothing does.
pub fn wavedrom(rule: &str, rows: &[Row]) -> String {
    let mut text = format!("{{ \"head\": {{ \"text\": \"{rule}\", \"tick\": 0 }},\n  \"signal\": [\n");
    for (number, row) in rows.iter().enumerate() {
        let (mut wave, mut data) = (String::new(), Vec::new());
        for (_, length, cell) in runs(&row.cells) {
            wave.push(if cell.is_empty() { '0' } else { '=' });
            wave.extend(std::iter::repeat_n('.', length - 1));
            if !cell.is_empty() {
                data.push(format!("\"{cell}\""));
            }
        }
        let comma = if number + 1 < rows.len() { "," } else { "" };
        let data = data.join(", ");
        writeln!(text, "    {{ \"name\": \"{}\", \"wave\": \"{wave}\", \"data\": [{data}] }}{comma}", row.name)
            .expect("text");
    }
    text + "  ]\n}\n"
}

/// The rows as an SVG: a box for as long as something stands in a place.
pub fn svg(rule: &str, rows: &[Row]) -> String {
    let left = LETTER * (rows.iter().map(|row| row.name.len()).max().unwrap_or_default() + 2);
    let cycles = rows.first().map_or(0, |row| row.cells.len());
    let (width, height) = (left + CYCLE * cycles + LETTER, HEIGHT * (rows.len() + 1) + LETTER);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<title>{rule}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for cycle in 0..cycles {
        let x = left + CYCLE * cycle;
        writeln!(text, "<path d=\"M{x} {HEIGHT}V{height}\" stroke=\"#dddddd\"/>").expect("text");
        let middle = x + CYCLE / 2;
        writeln!(text, "<text x=\"{middle}\" y=\"15\" text-anchor=\"middle\" fill=\"#777777\">{cycle}</text>")
            .expect("text");
    }
    for (number, row) in rows.iter().enumerate() {
        let top = HEIGHT * (number + 1);
        let (base, line) = (top + 15, top + HEIGHT - 3);
        writeln!(text, "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{}</text>", left - LETTER, row.name)
            .expect("text");
        let right = left + CYCLE * cycles;
        writeln!(text, "<path d=\"M{left} {line}H{right}\" stroke=\"#aaaaaa\"/>").expect("text");
        for (first, length, cell) in runs(&row.cells).into_iter().filter(|(_, _, cell)| !cell.is_empty()) {
            let x = left + CYCLE * first;
            let colour = cell.bytes().next().map_or(0, usize::from) % COLOURS.len();
            let (wide, high, colour) = (CYCLE * length, HEIGHT - 5, COLOURS[colour]);
            writeln!(
                text,
                "<rect x=\"{x}\" y=\"{}\" width=\"{wide}\" height=\"{high}\" fill=\"{colour}\" stroke=\"#555555\"/>",
                top + 2
            )
            .expect("text");
            let middle = x + wide / 2;
            writeln!(text, "<text x=\"{middle}\" y=\"{base}\" text-anchor=\"middle\">{cell}</text>").expect("text");
        }
    }
    text + "</svg>\n"
}

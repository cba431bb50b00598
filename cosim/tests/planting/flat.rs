//! Verilog without its layout.

/// `text` in one line. The writer breaks long lines: blanks count as one, and a comment must not swallow what follows it.
pub fn flat(text: &str) -> String {
    let code = text.lines().filter_map(|line| line.split("//").next()).flat_map(str::split_whitespace);
    code.collect::<Vec<_>>().join(" ")
}

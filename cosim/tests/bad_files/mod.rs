//! What is said of files that are wrong, as a user sees it without colours.

use std::fmt::Debug;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

/// The report of each of `files`, a name and a text, under its name. `read` must refuse every one.
pub fn reports<T: Debug, E: Diagnostic>(files: &[(&str, &str)], read: impl Fn(&str) -> Result<T, E>) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::none()).with_width(100);
    let mut all = String::new();
    for (name, text) in files {
        let error = read(text).expect_err(name);
        let mut shown = String::new();
        handler.render_report(&mut shown, &error).expect("a string grows");
        let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
        all.push_str(&format!("== {name}\n{}\n\n", lines.join("\n").trim_matches('\n')));
    }
    all
}

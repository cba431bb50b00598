//! Programs that are saved because a run of them is worth looking at: failures, and outcomes of litmus tests.

use std::path::{Path, PathBuf};

use crate::program::{Program, write};

use super::CommandError;
use super::replace_file::replace_file;

/// Saves `program` in `folder`, below comments that say where it comes from and what it came to; gives its file. That is `name`, or, where
/// that has another program, such as the failure of other Verilog, `name` and a number: what was found is kept.
///
/// # Errors
/// The folder cannot be written, or is full.
pub(super) fn save_program(
    folder: &Path,
    name: &str,
    comments: [&str; 2],
    program: &Program,
) -> Result<PathBuf, CommandError> {
    std::fs::create_dir_all(folder).map_err(|source| CommandError::Write { path: folder.to_owned(), source })?;
    let [origin, what] = comments.map(one_line);
    let text = format!("# {origin}\n# {what}\n{}", write(program));
    let mut path = folder.join(format!("{name}.toml"));
    let mut number = 1;
    while std::fs::read(&path).is_ok_and(|there| there != text.as_bytes()) {
        number += 1;
        path = folder.join(format!("{name}-{number}.toml"));
    }
    replace_file(&path, &text)?;
    Ok(path)
}

/// `text` in one line, whatever it says.
fn one_line(text: &str) -> String {
    let escaped = text.chars().map(|letter| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Overrides, read};

    #[test]
    fn what_was_saved_before_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = |register: u32| {
            let text = format!(
                "preset = \"tiny4\"\n[[op]]\ninstr = \"ld.global.u32 %r{register}, [%rd1];\"\nregs = {{ \"%rd1\" = 0 }}\n"
            );
            read(&text, "program", Overrides::default()).expect("a program")
        };
        let save = |what: &str, register| {
            let path = save_program(folder.path(), "case1", ["a check\nof mine", what], &program(register));
            path.expect("saved").file_name().expect("a name").to_string_lossy().into_owned()
        };
        assert_eq!(save("first", 1), "case1.toml");
        assert_eq!(save("second", 2), "case1-2.toml");
        assert_eq!(save("first", 1), "case1.toml");
        assert_eq!(save("third", 3), "case1-3.toml");
        let text = std::fs::read_to_string(folder.path().join("case1.toml")).expect("it is there");
        assert!(text.starts_with("# a check\\nof mine\n# first\npreset"), "{text}");
    }
}

//! Files that a user names, read whole. How much one may hold is asked of what comes, not of the length that the system tells: a device or
//! a pipe has none, and may never end.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// Bytes of the largest file that is read, unless its kind has fewer.
pub(crate) const LARGEST: u64 = 256 << 20;

/// What `path` holds, `most` bytes at most.
///
/// # Errors
/// It cannot be read, or holds more.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it has more than {most} bytes, the most that is read"),
        ));
    }
    Ok(bytes)
}

/// The text that `path` holds, `most` bytes at most, without the mark of its encoding that an editor may have put in front of it.
///
/// # Errors
/// As [`read`], or it is no text.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        io::Error::new(ErrorKind::InvalidData, format!("not UTF-8 text: byte {place} is wrong"))
    })?;
    Ok(without_mark(text))
}

/// `text` without a U+FEFF in front of it.
pub(crate) fn without_mark(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_refused() {
        let error = read(Path::new("/dev/zero"), 1000).expect_err("it has no end");
        assert_eq!(error.to_string(), "it has more than 1000 bytes, the most that is read");
    }

    #[test]
    fn the_most_is_read_and_one_more_is_not() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "four").expect("writable");
        assert_eq!(read_text(file.path(), 4).expect("it fits"), "four");
        assert!(read(file.path(), 3).is_err());
        std::fs::write(file.path(), b"ab\xff").expect("writable");
        let error = read_text(file.path(), 4).expect_err("no text");
        assert_eq!(error.to_string(), "not UTF-8 text: byte 2 is wrong");
        std::fs::write(file.path(), "\u{feff}a\u{feff}").expect("writable");
        assert_eq!(read_text(file.path(), 9).expect("a text"), "a\u{feff}");
    }
}

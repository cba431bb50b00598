//! A text file that holds whole lines at every moment, so that what a killed process leaves can be read.
//!
//! Linux cuts the write of a process that is killed at a page of the file, in the middle of whatever line lies across it.
//! So no line lies across one: where the next does not fit, blanks and a line's end fill the page up.

use std::fs::File;
use std::io::{self, Write};

/// Bytes gathered before they go to the file.
const BUFFER_BYTES: usize = 1 << 16;
/// The smallest page of a file: larger ones are multiples of it.
const PAGE_BYTES: usize = 1 << 12;

/// A file written from its beginning, and the bytes that have not reached it.
pub(crate) struct LineFile {
    file: File,
    waiting: Vec<u8>,
    /// Place of the first waiting byte in its page.
    offset: usize,
    /// Bytes of the last waiting line, of which the end is not known.
    unfinished: usize,
}

impl LineFile {
    pub(crate) fn new(file: File) -> Self {
        Self { file, waiting: Vec::with_capacity(2 * BUFFER_BYTES), offset: 0, unfinished: 0 }
    }

    fn append(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        self.unfinished = match bytes.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => bytes.len() - end - 1,
            None => self.unfinished + bytes.len(),
        };
    }

    /// Puts an empty line of `length` bytes before the unfinished one.
    fn fill(&mut self, length: usize) {
        let blanks = (1..=length).map(|place| if place == length { b'\n' } else { b' ' });
        let begin = self.waiting.len() - self.unfinished;
        self.waiting.splice(begin..begin, blanks);
    }

    /// Bytes of the last page that are taken.
    fn in_page(&self) -> usize {
        (self.offset + self.waiting.len()) % PAGE_BYTES
    }

    fn write_first(&mut self, length: usize) -> io::Result<()> {
        self.file.write_all(&self.waiting[..length])?;
        self.waiting.drain(..length);
        self.offset = (self.offset + length) % PAGE_BYTES;
        Ok(())
    }
}

impl Write for LineFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        loop {
            let in_page = self.in_page();
            let room = PAGE_BYTES - in_page;
            if rest.len() <= room {
                self.append(rest);
                break;
            }
            let (fitting, behind) = match rest[..room].iter().rposition(|&byte| byte == b'\n') {
                Some(end) => rest.split_at(end + 1),
                None if self.unfinished < in_page => rest.split_at(0),
                // A line that is longer than a page.
                None => rest.split_at(room),
            };
            self.append(fitting);
            self.fill(match fitting.len() {
                0 => room + self.unfinished,
                length => room - length,
            });
            rest = behind;
        }
        if self.waiting.len() >= BUFFER_BYTES {
            self.write_first(self.waiting.len() - self.in_page())?;
        }
        Ok(bytes.len())
    }

    /// Writes everything: to be called behind a line's end.
    fn flush(&mut self) -> io::Result<()> {
        self.write_first(self.waiting.len())
    }
}

/// What a dump that is given up has written so far stays in its file; an error has nobody left to hear of it.
impl Drop for LineFile {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

//! Verilator's own VCD of the same run, read while it grows.
//!
//! The header is read once. The body is handed on in pieces of one time stamp each, as bytes: the final file keeps
//! Verilator's id codes, so nothing is rewritten.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::WaveError;
use crate::value_lines::code_number;
use crate::vcd_sink::file_error;

/// Scope under which the hierarchy stands in the final file.
pub(crate) const DUT_SCOPE: &str = "dut";

/// Most id codes that a trace may use; a larger number means a damaged header.
const CODE_LIMIT: u64 = 1 << 24;
const READ_BYTES: usize = 1 << 18;

pub(crate) struct DutTrace {
    file: File,
    path: PathBuf,
    scope: vcd::Scope,
    first_free_code: u64,
    /// Bytes read and not yet handed on, from `start` on.
    buffer: Vec<u8>,
    start: usize,
    /// Bytes from `start` on that are known to hold no further time stamp.
    searched: usize,
    /// Time of the piece at `start`, once its time stamp is complete.
    time: Option<u64>,
}

impl DutTrace {
    /// Opens a trace whose header is complete.
    pub(crate) fn open(path: &Path) -> Result<Self, WaveError> {
        let mut file = File::open(path).map_err(|source| file_error(path, "open", source))?;
        let mut text = Vec::new();
        let body = loop {
            let searched = text.len().saturating_sub(END.len());
            if read_more(&mut file, &mut text).map_err(|source| file_error(path, "read", source))? == 0 {
                return Err(trace_error(path, "the header is not complete; flush the trace after opening it"));
            }
            if let Some(at) = memmem::find(&text[searched..], END) {
                break searched + at + END.len();
            }
        };
        let header = vcd::Parser::new(&text[..body]).parse_header();
        let header = header.map_err(|error| trace_error(path, &format!("the header cannot be read: {error}")))?;
        let scope = design_scope(header).ok_or_else(|| trace_error(path, "the header declares no scope"))?;
        let mut last_code = 0;
        last_code_of(&scope, &mut last_code);
        if last_code >= CODE_LIMIT {
            return Err(trace_error(path, "the header uses more than 16 million id codes"));
        }
        file.seek(SeekFrom::Start(body as u64)).map_err(|source| file_error(path, "read", source))?;
        Ok(Self {
            file,
            path: path.to_owned(),
            scope,
            first_free_code: last_code + 1,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            time: None,
        })
    }

    /// The design's hierarchy, renamed to `dut`.
    pub(crate) fn scope(&self) -> &vcd::Scope {
        &self.scope
    }

    /// The lowest id code above all of the trace's.
    pub(crate) fn first_free_code(&self) -> u64 {
        self.first_free_code
    }

    /// Time of the next piece, `None` if the trace holds no further one yet.
    pub(crate) fn next_time(&mut self) -> Result<Option<u64>, WaveError> {
        if self.time.is_some() {
            return Ok(self.time);
        }
        loop {
            let rest = &self.buffer[self.start..];
            let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = &rest[blank..];
            if let Some(end) = memchr::memchr(b'\n', rest) {
                let digits = rest[..end].trim_ascii().strip_prefix(b"#");
                let time = digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
                let Some(time) = time else {
                    let line = String::from_utf8_lossy(&rest[..end.min(40)]).into_owned();
                    return Err(trace_error(&self.path, &format!("`{line}` stands where a time stamp should be")));
                };
                // The newline stays, so that a piece without changes still ends in `\n#`.
                self.start += blank + end;
                self.searched = 0;
                self.time = Some(time);
                return Ok(self.time);
            }
            if self.read()? == 0 {
                return Ok(None);
            }
        }
    }

    /// Value lines of the piece whose time [`DutTrace::next_time`] gave, `None` while they may still grow. With `is_last`
    /// the end of the file ends them.
    pub(crate) fn take_lines(&mut self, is_last: bool) -> Result<Option<&[u8]>, WaveError> {
        let end = loop {
            let rest = &self.buffer[self.start..];
            if let Some(at) = memmem::find(&rest[self.searched..], b"\n#") {
                break self.start + self.searched + at + 1;
            }
            self.searched = rest.len().saturating_sub(1);
            if self.read()? == 0 {
                if !is_last {
                    return Ok(None);
                }
                // A trace that was cut off may end inside a line.
                let rest = &self.buffer[self.start..];
                break self.start + memchr::memrchr(b'\n', rest).map_or(0, |newline| newline + 1);
            }
        };
        let begin = (self.start + 1).min(end);
        self.start = end;
        self.searched = 0;
        self.time = None;
        Ok(Some(&self.buffer[begin..end]))
    }

    fn read(&mut self) -> Result<usize, WaveError> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        read_more(&mut self.file, &mut self.buffer).map_err(|source| file_error(&self.path, "read", source))
    }
}

const END: &[u8] = b"$enddefinitions $end\n";

fn read_more(file: &mut File, buffer: &mut Vec<u8>) -> std::io::Result<usize> {
    let length = buffer.len();
    buffer.resize(length + READ_BYTES, 0);
    let read = file.read(&mut buffer[length..]);
    buffer.truncate(length + *read.as_ref().unwrap_or(&0));
    read
}

/// The design under Verilator's wrapper. The wrapper only repeats the ports of the design, under the same id codes.
fn design_scope(header: vcd::Header) -> Option<vcd::Scope> {
    let scopes = |items: &[vcd::ScopeItem]| -> Vec<vcd::Scope> {
        let scope = |item: &vcd::ScopeItem| match item {
            vcd::ScopeItem::Scope(scope) => Some(scope.clone()),
            _ => None,
        };
        items.iter().filter_map(scope).collect()
    };
    let mut roots = scopes(&header.items);
    let mut design = if roots.len() == 1 {
        roots.remove(0)
    } else if roots.is_empty() {
        return None;
    } else {
        let mut all = vcd::Scope::new(vcd::ScopeType::Module, DUT_SCOPE.to_owned());
        all.items = roots.into_iter().map(vcd::ScopeItem::Scope).collect();
        all
    };
    let mut inner = scopes(&design.items);
    if inner.len() == 1 {
        let repeated = design.items.iter().all(|item| match item {
            vcd::ScopeItem::Var(port) => inner[0].find_var(&port.reference).is_some_and(|same| same.code == port.code),
            _ => true,
        });
        if repeated {
            design = inner.remove(0);
        }
    }
    design.identifier = DUT_SCOPE.to_owned();
    Some(design)
}

fn last_code_of(scope: &vcd::Scope, last: &mut u64) {
    for item in &scope.items {
        match item {
            vcd::ScopeItem::Scope(child) => last_code_of(child, last),
            vcd::ScopeItem::Var(variable) => {
                let code = code_number(variable.code.to_string().as_bytes()).unwrap_or(u64::MAX);
                *last = code.max(*last);
            }
            _ => {}
        }
    }
}

fn trace_error(path: &Path, reason: &str) -> WaveError {
    WaveError::DutTrace { path: path.to_owned(), reason: reason.to_owned() }
}

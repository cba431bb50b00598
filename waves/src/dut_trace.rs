//! Verilator's own VCD of the same run, read while it grows.
//!
//! The header is read once. The body is handed on in pieces of one time stamp each, as bytes: the final file keeps
//! Verilator's id codes, so nothing is rewritten.

use std::path::Path;

use memchr::memmem;

use crate::WaveError;
use crate::trace_source::TraceSource;
use crate::value_lines::code_number;

/// Scope under which the hierarchy stands in the final file.
pub(crate) const DUT_SCOPE: &str = "dut";

/// Most id codes that a trace may use; a larger number means a damaged header.
const CODE_LIMIT: u64 = 1 << 24;

pub(crate) struct DutTrace {
    source: TraceSource,
    scope: vcd::Scope,
    first_free_code: u64,
    /// Bytes read and not yet handed on, from `start` on.
    buffer: Vec<u8>,
    start: usize,
    /// Bytes from `start` on that are known to hold no further time stamp.
    searched: usize,
    /// Finds the next time stamp.
    stamp: memmem::Finder<'static>,
    /// Time of the piece at `start`, once its time stamp is complete.
    time: Option<u64>,
}

impl DutTrace {
    /// Takes up a trace whose header is complete.
    pub(crate) fn open(mut source: TraceSource) -> Result<Self, WaveError> {
        let mut text = Vec::new();
        let mut searched = 0;
        let body = loop {
            if !source.read(&mut text)? {
                let reason = "the header is not complete; flush the trace after opening it";
                return Err(trace_error(source.name(), reason));
            }
            if let Some(at) = memmem::find(&text[searched..], END) {
                break searched + at + END.len();
            }
            searched = text.len().saturating_sub(END.len());
        };
        let header = vcd::Parser::new(&text[..body]).parse_header();
        let header =
            header.map_err(|error| trace_error(source.name(), &format!("the header cannot be read: {error}")))?;
        let scope = design_scope(header).ok_or_else(|| trace_error(source.name(), "the header declares no scope"))?;
        let mut last_code = 0;
        last_code_of(&scope, &mut last_code);
        if last_code >= CODE_LIMIT {
            return Err(trace_error(source.name(), "the header uses more than 16 million id codes"));
        }
        Ok(Self {
            source,
            scope,
            first_free_code: last_code + 1,
            buffer: text,
            start: body,
            searched: 0,
            stamp: memmem::Finder::new(b"\n#"),
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

    /// Whether so much of the trace waits in memory that it should be merged now.
    pub(crate) fn is_waiting(&self) -> bool {
        self.source.is_waiting()
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
                    return Err(trace_error(
                        self.source.name(),
                        &format!("`{line}` stands where a time stamp should be"),
                    ));
                };
                // The newline stays, so that a piece without changes still ends in `\n#`.
                self.start += blank + end;
                self.searched = 0;
                self.time = Some(time);
                return Ok(self.time);
            }
            if !self.read()? {
                return Ok(None);
            }
        }
    }

    /// Value lines of the piece whose time [`DutTrace::next_time`] gave, `None` while they may still grow. With
    /// `is_last` the end of the file ends them.
    pub(crate) fn take_lines(&mut self, is_last: bool) -> Result<Option<&[u8]>, WaveError> {
        let end = loop {
            let rest = &self.buffer[self.start..];
            if let Some(at) = self.stamp.find(&rest[self.searched..]) {
                break self.start + self.searched + at + 1;
            }
            self.searched = rest.len().saturating_sub(1);
            if !self.read()? {
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

    fn read(&mut self) -> Result<bool, WaveError> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.source.read(&mut self.buffer)
    }
}

const END: &[u8] = b"$enddefinitions $end\n";

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

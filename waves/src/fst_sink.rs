//! FST through the crate `fst-writer`, fed with the same value lines as VCD.
//!
//! The crate has no strings of varying length, so a text is a vector of its bytes.

use std::fs::File;
use std::path::{Path, PathBuf};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType, FstWriteError,
};

use crate::error::file_error;
use crate::layout::{Kind, Layout};
use crate::staged_file::{FstCounts, SharedFile};
use crate::value_lines::code_number;
use crate::{ScopeId, WaveError};

/// Encoded changes kept in memory before they become a section of the file. A killed process loses at most these.
const SECTION_BYTES: usize = 4 << 20;

pub(crate) struct FstSink {
    body: FstBodyWriter<SharedFile>,
    file: SharedFile,
    path: PathBuf,
    /// Signal of each id code; `None` where the header declares none.
    signals: Vec<Option<Target>>,
    counts: FstCounts,
    /// Whether a time has begun since the last section.
    open_section: bool,
    flush_wanted: bool,
    time: u64,
}

#[derive(Clone, Copy)]
struct Target {
    signal: FstSignalId,
    /// Bits.
    width: u32,
    is_real: bool,
}

struct Header {
    writer: FstHeaderWriter<SharedFile>,
    signals: Vec<Option<Target>>,
    counts: FstCounts,
}

impl FstSink {
    pub(crate) fn create(
        path: &Path,
        layout: &Layout,
        first_code: u64,
        dut: Option<&vcd::Scope>,
    ) -> Result<Self, WaveError> {
        let file = File::create(path).map_err(|source| file_error(path, "create", source))?;
        let file = SharedFile::new(file);
        let fst = |error| fst_error(path, error);
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: -9,
            version: "lsu-waves".to_owned(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let codes = first_code as usize + layout.signals.len();
        let mut header = Header {
            writer: FstHeaderWriter::new(file.clone(), &info).map_err(fst)?,
            signals: vec![None; codes],
            counts: FstCounts { end_time: 0, scopes: 0, variables: 0, signals: 0, sections: 0 },
        };
        if let Some(scope) = dut {
            header.dut_scope(scope).map_err(fst)?;
        }
        for scope in layout.children(None) {
            header.layout_scope(layout, first_code, scope).map_err(fst)?;
        }
        let mut sink = Self {
            body: header.writer.finish().map_err(fst)?,
            file,
            path: path.to_owned(),
            signals: header.signals,
            counts: header.counts,
            open_section: false,
            flush_wanted: false,
            time: 0,
        };
        sink.commit()?;
        Ok(sink)
    }

    pub(crate) fn time(&mut self, time: u64) -> Result<(), WaveError> {
        if time <= self.time {
            return Ok(());
        }
        // The encoder can close a section only right before time moves on.
        if self.open_section && (self.flush_wanted || self.body.size() >= SECTION_BYTES) {
            self.body.flush().map_err(|error| fst_error(&self.path, error))?;
            self.counts.sections += 1;
            self.counts.end_time = self.time;
            self.flush_wanted = false;
            self.commit()?;
        }
        self.body.time_change(time).map_err(|error| fst_error(&self.path, error))?;
        self.open_section = true;
        self.time = time;
        Ok(())
    }

    pub(crate) fn lines(&mut self, lines: &[u8]) -> Result<(), WaveError> {
        for line in lines.split(|&byte| byte == b'\n') {
            self.line(line.trim_ascii())?;
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), WaveError> {
        let (value, id): (&[u8], &[u8]) = match line {
            // Commands such as `$dumpvars`, and blank lines.
            [] | [b'$', ..] => return Ok(()),
            [b'b' | b'B' | b'r' | b'R', rest @ ..] => match rest.iter().position(|&byte| byte == b' ') {
                Some(blank) => (&rest[..blank], &rest[blank + 1..]),
                None => return Err(self.bad_line(line)),
            },
            [b'0' | b'1' | b'x' | b'z' | b'X' | b'Z', id @ ..] => (&line[..1], id),
            _ => return Err(self.bad_line(line)),
        };
        let target = code_number(id).and_then(|code| self.signals.get(code as usize).copied().flatten());
        let Some(Target { signal, width, is_real }) = target else {
            return Err(self.bad_line(line));
        };
        if is_real {
            let number = std::str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok());
            let Some(number) = number else {
                return Err(self.bad_line(line));
            };
            return self.change(signal, &number.to_le_bytes());
        }
        if value.is_empty() || value.len() > width as usize || !value.iter().all(|digit| b"01xXzZ".contains(digit)) {
            return Err(self.bad_line(line));
        }
        self.change(signal, value)
    }

    fn change(&mut self, signal: FstSignalId, value: &[u8]) -> Result<(), WaveError> {
        self.body.signal_change(signal, value).map_err(|error| fst_error(&self.path, error))
    }

    /// Asks for a section at the next change of time.
    pub(crate) fn flush(&mut self) {
        self.flush_wanted = true;
    }

    pub(crate) fn finish(self) -> Result<(), WaveError> {
        let path = self.path;
        self.body.finish().map_err(|error| fst_error(&path, error))?;
        self.file.commit().map_err(|source| file_error(&path, "write waves to", source))
    }

    fn commit(&mut self) -> Result<(), WaveError> {
        let write = |source| file_error(&self.path, "write waves to", source);
        // Its header first: readers leave out a section that begins behind the end that it tells.
        self.file.update_fst_header(self.counts).map_err(write)?;
        self.file.commit().map_err(write)
    }

    fn bad_line(&self, line: &[u8]) -> WaveError {
        let shown = &line[..line.len().min(40)];
        let reason = format!("value line `{}` has no meaning", String::from_utf8_lossy(shown));
        WaveError::Fst { path: self.path.clone(), reason }
    }
}

impl Header {
    fn dut_scope(&mut self, scope: &vcd::Scope) -> Result<(), FstWriteError> {
        self.begin_scope(&scope.identifier)?;
        for item in &scope.items {
            match item {
                vcd::ScopeItem::Scope(child) => self.dut_scope(child)?,
                vcd::ScopeItem::Var(variable) => {
                    let name = match variable.index {
                        Some(range) => format!("{} {range}", variable.reference),
                        None => variable.reference.clone(),
                    };
                    let kind = match variable.var_type {
                        vcd::VarType::Real => FstVarType::Real,
                        vcd::VarType::Parameter => FstVarType::Parameter,
                        _ => FstVarType::Wire,
                    };
                    let code = code_number(variable.code.to_string().as_bytes());
                    self.variable(&name, kind, variable.size, code)?;
                }
                _ => {}
            }
        }
        self.writer.up_scope()
    }

    fn layout_scope(&mut self, layout: &Layout, first_code: u64, scope: ScopeId) -> Result<(), FstWriteError> {
        self.begin_scope(layout.scope_name(scope))?;
        for (index, signal) in layout.signals_in(scope) {
            let kind = match signal.kind {
                Kind::Flag | Kind::Bits(_) | Kind::Integer | Kind::Enum(_) => FstVarType::Wire,
                Kind::Text(_) => FstVarType::Reg,
            };
            let name = match signal.width {
                1 => signal.name.clone(),
                width => format!("{} [{}:0]", signal.name, width - 1),
            };
            self.variable(&name, kind, signal.width, Some(first_code + u64::from(index)))?;
        }
        for child in layout.children(Some(scope)) {
            self.layout_scope(layout, first_code, child)?;
        }
        self.writer.up_scope()
    }

    fn begin_scope(&mut self, name: &str) -> Result<(), FstWriteError> {
        self.counts.scopes += 1;
        self.writer.scope(name, "", FstScopeType::Module)
    }

    /// Declares a variable of `width` bits; a code that was declared before makes it an alias.
    fn variable(&mut self, name: &str, kind: FstVarType, width: u32, code: Option<u64>) -> Result<(), FstWriteError> {
        let is_real = kind == FstVarType::Real;
        let shape = if is_real { FstSignalType::real() } else { FstSignalType::bit_vec(width) };
        let place = code.and_then(|code| self.signals.get_mut(code as usize));
        let alias = place.as_ref().and_then(|place| place.map(|target| target.signal));
        let signal = self.writer.var(name, shape, kind, FstVarDirection::Implicit, alias)?;
        self.counts.variables += 1;
        if alias.is_none() {
            self.counts.signals += 1;
            if let Some(place) = place {
                *place = Some(Target { signal, width, is_real });
            }
        }
        Ok(())
    }
}

fn fst_error(path: &Path, error: FstWriteError) -> WaveError {
    match error {
        FstWriteError::Io(source) => file_error(path, "write waves to", source),
        other => WaveError::Fst { path: path.to_owned(), reason: other.to_string() },
    }
}

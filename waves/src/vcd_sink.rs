//! VCD: the header through the crate `vcd`, value lines as bytes through the same writer.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use vcd::{IdCode, ReferenceIndex, TimescaleUnit, VarType};

use crate::error::file_error;
use crate::layout::{Kind, Layout};
use crate::line_file::LineFile;
use crate::{ScopeId, WaveError};

pub(crate) struct VcdSink {
    writer: vcd::Writer<LineFile>,
    path: PathBuf,
    time: Option<u64>,
}

impl VcdSink {
    pub(crate) fn create(
        path: &Path,
        layout: &Layout,
        first_code: u64,
        dut: Option<&vcd::Scope>,
    ) -> Result<Self, WaveError> {
        let file = File::create(path).map_err(|source| file_error(path, "create", source))?;
        let writer = vcd::Writer::new(LineFile::new(file));
        let mut sink = Self { writer, path: path.to_owned(), time: None };
        sink.header(layout, first_code, dut).map_err(|source| file_error(path, "write waves to", source))?;
        Ok(sink)
    }

    fn header(&mut self, layout: &Layout, first_code: u64, dut: Option<&vcd::Scope>) -> io::Result<()> {
        self.writer.version("lsu-waves")?;
        self.writer.timescale(1, TimescaleUnit::NS)?;
        if let Some(scope) = dut {
            self.writer.scope(scope)?;
        }
        for scope in layout.children(None) {
            self.scope(layout, first_code, scope)?;
        }
        self.writer.enddefinitions()?;
        self.writer.flush()
    }

    fn scope(&mut self, layout: &Layout, first_code: u64, scope: ScopeId) -> io::Result<()> {
        self.writer.add_module(layout.scope_name(scope))?;
        for (index, signal) in layout.signals_in(scope) {
            let (kind, width) = match signal.kind {
                Kind::Flag => (VarType::Wire, 1),
                Kind::Bits(width) => (VarType::Wire, width),
                Kind::Integer | Kind::Enum(_) => (VarType::Wire, signal.width),
                Kind::Text(_) => (VarType::String, 1),
            };
            let range = (width > 1).then(|| ReferenceIndex::Range(width as i32 - 1, 0));
            self.writer.var_def(kind, width, IdCode::from(first_code + u64::from(index)), &signal.name, range)?;
        }
        for child in layout.children(Some(scope)) {
            self.scope(layout, first_code, child)?;
        }
        self.writer.upscope()
    }

    pub(crate) fn time(&mut self, time: u64) -> Result<(), WaveError> {
        if self.time == Some(time) {
            return Ok(());
        }
        self.time = Some(time);
        self.writer.timestamp(time).map_err(|source| file_error(&self.path, "write waves to", source))
    }

    pub(crate) fn lines(&mut self, lines: &[u8]) -> Result<(), WaveError> {
        self.writer.writer().write_all(lines).map_err(|source| file_error(&self.path, "write waves to", source))
    }

    pub(crate) fn flush(&mut self) -> Result<(), WaveError> {
        self.writer.flush().map_err(|source| file_error(&self.path, "write waves to", source))
    }
}

//! Where the trace of the device under test comes from: a file that grows, or bytes handed over in memory.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::WaveError;
use crate::error::file_error;

const READ_BYTES: usize = 1 << 18;
/// Bytes handed over in memory that are worth a merge: few enough to stay in a processor's cache.
const WAITING_BYTES: usize = 1 << 15;

/// Verilator's VCD of the run that is being dumped.
///
/// Either way its header must have been written before [`Wave::create`](crate::Wave::create): open the trace and flush
/// it.
#[derive(Debug)]
pub struct TraceSource {
    kind: Kind,
    name: PathBuf,
}

#[derive(Debug)]
enum Kind {
    File(File),
    Pipe(Arc<Mutex<Vec<u8>>>),
}

/// The writing end of [`TraceSource::pipe`]: what Verilator would write to its file.
#[derive(Clone, Debug)]
pub struct TraceSink(Arc<Mutex<Vec<u8>>>);

impl TraceSource {
    /// A file that Verilator writes; it is read while it grows.
    ///
    /// # Errors
    /// [`WaveError::File`] if it cannot be opened.
    pub fn file(path: &Path) -> Result<Self, WaveError> {
        let file = File::open(path).map_err(|source| file_error(path, "open", source))?;
        Ok(Self { kind: Kind::File(file), name: path.to_owned() })
    }

    /// No file at all: a `VerilatedVcdFile` whose `write` passes its bytes to the sink. That saves writing and reading
    /// every byte once more.
    pub fn pipe() -> (TraceSink, Self) {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let source = Self { kind: Kind::Pipe(Arc::clone(&bytes)), name: PathBuf::from("(in memory)") };
        (TraceSink(bytes), source)
    }

    /// The file, for messages.
    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// Whether so much waits in memory that it should be merged now.
    pub(crate) fn is_waiting(&self) -> bool {
        match &self.kind {
            Kind::File(_) => false,
            Kind::Pipe(bytes) => locked(bytes).len() >= WAITING_BYTES,
        }
    }

    /// Appends what is there; `false` if that is nothing.
    pub(crate) fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool, WaveError> {
        match &mut self.kind {
            Kind::File(file) => {
                let length = buffer.len();
                buffer.resize(length + READ_BYTES, 0);
                let read = file.read(&mut buffer[length..]);
                buffer.truncate(length + *read.as_ref().unwrap_or(&0));
                read.map(|count| count > 0).map_err(|source| file_error(&self.name, "read", source))
            }
            Kind::Pipe(bytes) => {
                let mut bytes = locked(bytes);
                let is_some = !bytes.is_empty();
                if buffer.is_empty() {
                    std::mem::swap(buffer, &mut bytes);
                } else {
                    buffer.append(&mut bytes);
                }
                Ok(is_some)
            }
        }
    }
}

impl Write for TraceSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn locked(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The file under an FST encoder: whole sections reach it at once, and its header is kept true between them.
//!
//! The encoder fixes section lengths by seeking back, and fills the counts of the header only at the very end, so a
//! process that is killed would leave a file that nothing opens. Here a section is put together in memory and written
//! by [`StagedFile::commit`] in one piece, and the header's counts are brought up to date before each.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Type of an FST block that readers pass over.
const FST_SKIPPED_BLOCK: u8 = 255;

/// Bytes that are still in memory (from `base` on) on top of a file.
#[derive(Debug)]
pub(crate) struct StagedFile {
    file: File,
    base: u64,
    staged: Vec<u8>,
    position: u64,
}

impl StagedFile {
    fn new(file: File) -> Self {
        Self { file, base: 0, staged: Vec::new(), position: 0 }
    }

    /// Appends what is staged to the file. It begins as a block that readers skip, and gets its type only when it is whole:
    /// a process can be killed in the middle of a long write.
    fn commit(&mut self) -> io::Result<()> {
        let Some(block_type) = self.staged.first_mut() else { return Ok(()) };
        let block_type = std::mem::replace(block_type, FST_SKIPPED_BLOCK);
        self.file.seek(SeekFrom::Start(self.base))?;
        self.file.write_all(&self.staged)?;
        self.file.seek(SeekFrom::Start(self.base))?;
        self.file.write_all(&[block_type])?;
        self.base += self.staged.len() as u64;
        self.staged.clear();
        Ok(())
    }

    fn end(&self) -> u64 {
        self.base + self.staged.len() as u64
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(offset) = self.position.checked_sub(self.base) else {
            // A part of the file that is already written: the header.
            let count = bytes.len().min((self.base - self.position) as usize);
            self.file.seek(SeekFrom::Start(self.position))?;
            self.file.write_all(&bytes[..count])?;
            self.position += count as u64;
            return Ok(count);
        };
        let offset = offset as usize;
        let overlap = bytes.len().min(self.staged.len() - offset);
        self.staged[offset..offset + overlap].copy_from_slice(&bytes[..overlap]);
        self.staged.extend_from_slice(&bytes[overlap..]);
        self.position += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for StagedFile {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let position = match target {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(delta) => self.position.checked_add_signed(delta),
            SeekFrom::End(delta) => self.end().checked_add_signed(delta),
        };
        match position {
            Some(position) if position <= self.end() => {
                self.position = position;
                Ok(position)
            }
            _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "seek outside the file")),
        }
    }
}

/// A [`StagedFile`] that the encoder owns and its user still reaches.
#[derive(Clone, Debug)]
pub(crate) struct SharedFile(Arc<Mutex<StagedFile>>);

/// Counts in an FST header that change while the body grows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FstCounts {
    pub(crate) end_time: u64,
    pub(crate) scopes: u64,
    pub(crate) variables: u64,
    pub(crate) signals: u64,
    pub(crate) sections: u64,
}

impl SharedFile {
    pub(crate) fn new(file: File) -> Self {
        Self(Arc::new(Mutex::new(StagedFile::new(file))))
    }

    /// Writes out what is staged.
    pub(crate) fn commit(&self) -> io::Result<()> {
        self.staged().commit()
    }

    /// Brings the FST header up to date, for the reader of a file whose writer was killed.
    pub(crate) fn update_fst_header(&self, counts: FstCounts) -> io::Result<()> {
        // FST header: block type (1), block length (8), start time (8), end time (8), byte-order mark (8), memory (8),
        // scopes (8), variables (8), signals (8), sections (8), all numbers big-endian.
        const END_TIME: u64 = 17;
        const SCOPES: u64 = 41;
        let mut staged = self.staged();
        let end = staged.end();
        staged.seek(SeekFrom::Start(END_TIME))?;
        staged.write_all(&counts.end_time.to_be_bytes())?;
        staged.seek(SeekFrom::Start(SCOPES))?;
        for count in [counts.scopes, counts.variables, counts.signals, counts.sections] {
            staged.write_all(&count.to_be_bytes())?;
        }
        staged.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    fn staged(&self) -> MutexGuard<'_, StagedFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.staged().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.staged().flush()
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.staged().seek(target)
    }
}

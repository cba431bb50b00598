//! A line, in which memory it lies, and the numbers that all requests for lines have in common.

/// Sectors of a line.
pub(super) const SECTORS: u8 = 4;

/// The first id of this path; those below are the constant cache's.
pub(in crate::golden) const FIRST_ID: u8 = 64;

/// The memories that have lines. They are not the same even where their numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) enum Memory {
    #[default]
    Global,
    /// Rule LOCAL: that of the threads.
    Local,
    /// Rule CLUSTER: shared memory of other CTAs.
    Remote,
}

/// 128 bytes of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Line {
    pub memory: Memory,
    /// Address bits from 7 on; of a local line those of the address in memory.
    pub number: u64,
}

impl Line {
    pub(in crate::golden) fn is_local(&self) -> bool {
        self.memory == Memory::Local
    }

    pub(in crate::golden) fn is_remote(&self) -> bool {
        self.memory == Memory::Remote
    }
}

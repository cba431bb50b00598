//! Constant loads as a program means them (rule CONST): the banks that they read, and where the kernel parameters lie in theirs.

use lsu_model::micro_op::{OpKind, Space};
use lsu_model::pins::Request;

use super::{Bank, MemoryBlock, MemorySpace, Program};

/// Where the kernel parameters begin in bank 0 if the program does not say: c[0x0][0x160], as from SM70 to SM89.
pub const DEFAULT_PARAM_OFFSET: u16 = 0x160;

/// The bank that holds the kernel parameters.
pub const PARAM_BANK: u8 = 0;

/// The bank of `.const`.
pub const CONSTANT_BANK: u8 = 3;

/// What the unit does not look at in `cfg_param_offset`.
const GRANULE: u16 = 16;

/// The least bytes by which banks grow.
const BANK_GRANULE: u32 = 16;

/// The bank that `request` reads if it is a constant load.
pub fn constant_bank(request: &Request) -> Option<u8> {
    match (OpKind::on_pin(request.op), Space::on_pin(request.space)) {
        (OpKind::Load, Space::Const) => Some(CONSTANT_BANK),
        (OpKind::Load, Space::ParamEntry) => Some(PARAM_BANK),
        _ => None,
    }
}

/// The byte of bank 0 at which the kernel parameters begin where `offset` stands on `cfg_param_offset`.
pub fn param_start(offset: u16) -> u64 {
    u64::from(offset / GRANULE * GRANULE)
}

/// What a constant load adds to its operand and its immediate.
pub(super) fn constant_start(request: &Request, offset: u16) -> u64 {
    if constant_bank(request) == Some(PARAM_BANK) { param_start(offset) } else { 0 }
}

impl Program {
    /// The byte of bank 0 at which the kernel parameters begin.
    pub fn param_start(&self) -> u64 {
        param_start(self.param_offset)
    }

    /// The blocks of kernel parameters.
    pub fn params(&self) -> impl Iterator<Item = &MemoryBlock> {
        self.memory.iter().filter(|block| block.space == MemorySpace::Param)
    }

    /// Bytes of bank 0 up to the last kernel parameter that the program gives.
    pub(super) fn param_end(&self) -> u64 {
        let end = self.params().map(|block| block.address + block.bytes).max();
        end.map_or(0, |end| self.param_start() + end)
    }

    /// The number of the bank, in the order of `banks`, that holds the kernel parameters.
    pub fn param_bank(&self) -> Option<usize> {
        self.banks.iter().rposition(|bank| bank.index == PARAM_BANK)
    }

    /// Adds the bank of the kernel parameters, as long as they are, if the program has none.
    pub(super) fn add_param_bank(&mut self) {
        if self.params().next().is_none() || self.param_bank().is_some() {
            return;
        }
        let size = (self.param_end() as u32).next_multiple_of(BANK_GRANULE);
        let contents = super::Contents::Words(Vec::new());
        self.banks.push(Bank { index: PARAM_BANK, size, base: None, contents, valid: true });
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{Contents, Overrides, Program, read, write};
    use crate::stimulus::Memory;

    fn program(text: &str) -> Result<Program, String> {
        let program = read(&format!("preset = \"fpga8\"\n{text}"), "params.toml", Overrides::default());
        program.map_err(|error| error.to_string())
    }

    /// A block of parameters.
    fn block(address: u64, rest: &str) -> String {
        format!("[[memory]]\nspace = \"param\"\naddress = {address}\n{rest}\n")
    }

    #[test]
    fn parameters_make_their_bank() {
        let text = format!("{}{}", block(8, "words = [7, 8, 9]"), block(0, "words = [5]"));
        let program = program(&text).expect("a right file");
        assert_eq!((program.param_offset, program.param_start(), program.banks.len()), (0x160, 0x160, 1));
        // 0x174 bytes, as 16-byte steps.
        assert_eq!((program.banks[0].index, program.banks[0].size), (0, 0x180));
        let memory = Memory::new(&program);
        let base = memory.bank_bases()[0];
        let words = [0x15c, 0x160, 0x164, 0x168, 0x170, 0x174].map(|at| memory.word(base + at));
        assert_eq!(words, [0, 5, 0, 7, 9, 0]);
    }

    #[test]
    fn parameters_lie_over_the_bank_that_is_given() {
        let bank = "[[bank]]\nindex = 0\nsize = 0x40\npattern = \"address\"\n[[bank]]\nindex = 3\nsize = 0x40\n";
        let text = format!("[window]\nparam_offset = 0x27\n{bank}{}", block(4, "pattern = \"address\"\nbytes = 8"));
        let program = program(&text).expect("a right file");
        assert_eq!((program.param_start(), program.banks.len()), (0x20, 2));
        let memory = Memory::new(&program);
        let base = memory.bank_bases()[0];
        let words = [0x20, 0x24, 0x28, 0x2c].map(|at| memory.word(base + at));
        assert_eq!(words, [0x20, 4, 8, 0x2c]);
    }

    #[test]
    fn parameters_are_written_and_read_back() {
        let text = format!("[window]\nparam_offset = 0x127\n{}", block(0x10, "pattern = \"noise\"\nbytes = 64"));
        let first = program(&text).expect("a right file");
        assert_eq!(first.memory[0].contents, Contents::Noise);
        let again = read(&write(&first), "again.toml", Overrides::default()).expect("a written file");
        assert_eq!(again, first);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let bank = |size: u32| format!("[[bank]]\nindex = 0\nsize = {size}\n");
        let words = block(0, "words = [1, 2, 3, 4, 5]");
        let refused = |text: String| program(&text).expect_err("a wrong file");
        let small = refused(format!("{}{words}", bank(0x170)));
        assert_eq!(
            small,
            "the kernel parameters, from 0x160 on, end at 0x174 of bank 0, and this bank 0 has 0x170 bytes"
        );
        assert!(program(&format!("{}{words}", bank(0x180))).is_ok());
        let large = refused(block(0xfea0, "pattern = \"address\"\nbytes = 4"));
        assert!(large.contains("end at 0x10004 of bank 0, and a bank has 0x10000 bytes"), "{large}");
        assert!(program(&block(0xfe9c, "pattern = \"address\"\nbytes = 4")).is_ok());
        let absent = refused(format!("{}valid = false\n{words}", bank(0x1000)));
        assert!(absent.contains("bank 0, which is taken away here"), "{absent}");
        let dump = refused("[[dump]]\nspace = \"param\"\naddress = 0\nbytes = 4\n".to_owned());
        assert!(dump.contains("do not change"), "{dump}");
        let offset = refused("[window]\nparam_offset = 0x10000\n".to_owned());
        assert!(offset.contains("param_offset is 65536"), "{offset}");
    }
}

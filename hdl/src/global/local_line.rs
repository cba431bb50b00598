//! `LocalLine`: the number by which the unit knows a local line, from its number in memory, and back. Rule HIT. Combinational.
//!
//! ```text
//! │ local │ remote │ number in memory                 │ of a line that is not local
//! │ local │ remote │ as in memory │ set exclusive-or  │ of a local line: its low bits are its set in the L1 (rule HIT), as those of any line
//! ```
//!
//! Doing it twice gives what there was.

use super::prelude::*;

/// The number of a local line, from that in memory, and back.
#[derive(LogicBlock, Default)]
pub struct LocalLine {
    /// Line, by either number.
    pub line: Signal<In, Bits<LINE>>,
    /// By the other one, if it is local.
    pub other: Signal<Out, Bits<LINE>>,
}

impl Logic for LocalLine {
    #[hdl_gen]
    fn update(&mut self) {
        self.other.next = self.line.val();
        if self.line.val().get_bit(LOCAL_LINE) {
            for i in 0..L1_SET_BITS {
                self.other.next = self
                    .other
                    .val()
                    .replace_bit(i, self.line.val().get_bit(i) ^ self.line.val().get_bit(i + L1_SET_BITS));
            }
        }
    }
}

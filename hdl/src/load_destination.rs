//! `LoadDestination`: what a load's destination says before any address is known. Rules FAULT, REGISTERS, CONST. Combinational.
//!
//! ```text
//! rd, registers ─► misaligned
//! vec, sink ─────► all_sunk
//! ```

use rust_hdl::prelude::*;

use crate::codes::*;

/// Checks of the registers that a load writes.
#[derive(LogicBlock, Default)]
pub struct LoadDestination {
    /// First destination register; `RD_RZ` is none.
    pub rd: Signal<In, Bits<8>>,
    /// log2 of the registers of each lane, 0 to 5.
    pub registers: Signal<In, Bits<3>>,
    /// log2 of the element count.
    pub vec: Signal<In, Bits<2>>,
    /// Elements that are not written.
    pub sink: Signal<In, Bits<8>>,
    /// The registers do not begin at a multiple of their number, or of four, or run past R254.
    pub misaligned: Signal<Out, Bit>,
    /// No element is written.
    pub all_sunk: Signal<Out, Bit>,
    elements: Signal<Local, Bits<8>>,
}

impl Logic for LoadDestination {
    #[hdl_gen]
    fn update(&mut self) {
        // Their number is a power of two; from four on they begin at a multiple of four.
        self.misaligned.next = false;
        if self.rd.val() != RD_RZ {
            if self.registers.val() == 1 {
                self.misaligned.next = self.rd.val().get_bit(0) | (self.rd.val() > 253);
            }
            if self.registers.val() > 1 {
                self.misaligned.next = self.rd.val().get_bits::<2>(0).any() | (self.rd.val() > 251);
            }
            if (self.registers.val() == 3) & (self.rd.val() > 247) {
                self.misaligned.next = true;
            }
            if (self.registers.val() == 4) & (self.rd.val() > 239) {
                self.misaligned.next = true;
            }
            if (self.registers.val() == 5) & (self.rd.val() > 223) {
                self.misaligned.next = true;
            }
        }

        self.elements.next = 1.into();
        if self.vec.val() == 1 {
            self.elements.next = 3.into();
        }
        if self.vec.val() == 2 {
            self.elements.next = 15.into();
        }
        if self.vec.val() == 3 {
            self.elements.next = 255.into();
        }
        self.all_sunk.next = (self.sink.val() & self.elements.val()) == self.elements.val();
    }
}

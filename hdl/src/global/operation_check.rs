//! `OperationCheck`: place `check` of the global path: faults in their order of precedence, and the first leader.
//!
//! Rule FREE: `check` is a queue of two: the elder is checked, the other waits behind it, so that whether `check` is free is known from the start of the cycle.
//!
//! Rule FAULT, against the operation's lanes: `misaligned_register`, `illegal_instruction` (with the generic windows, whose
//! spaces are not served here, and which the address unit finds), `misaligned_address`, `address_out_of_range`.

use super::prelude::*;

/// Place `check` of the global path: faults in their order of precedence, and the first leader.
#[derive(LogicBlock, Default)]
pub struct OperationCheck {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// `check` holds fewer than two: the operation is taken at this edge.
    pub in_ready: Signal<Out, Bit>,
    /// The operation.
    pub in_addressed: Signal<In, AddressedOperation>,
    /// Address of each lane.
    pub in_address: Many<Signal<In, Bits<ADDR>>, LANES>,

    /// An operation is offered to `issue`.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// The operation.
    pub operation: Signal<Out, Operation>,
    /// Fault cause, 0 for none.
    pub cause: Signal<Out, Bits<3>>,
    /// Lanes that make passes, or that the fault names.
    pub lanes: Signal<Out, Bits<LANES>>,
    /// The lowest of them.
    pub leader: Signal<Out, Bits<LANES>>,
    /// Its address.
    pub leader_address: Signal<Out, Bits<ADDR>>,
    /// Address of each lane.
    pub address: Many<Signal<Out, Bits<ADDR>>, LANES>,

    full: Register<Bit>,
    held: Register<AddressedOperation>,
    address_held: Registers<Bits<ADDR>, LANES>,
    second_full: Register<Bit>,
    second: Register<AddressedOperation>,
    second_address: Registers<Bits<ADDR>, LANES>,
    leaves: Signal<Local, Bit>,
    is_load: Signal<Local, Bit>,
    registers: Signal<Local, Bits<3>>,
    misaligned_register: Signal<Local, Bit>,
    total: Signal<Local, Bits<4>>,
    align_mask: Signal<Local, Bits<5>>,
    illegal: Signal<Local, Bit>,
    misaligned: Signal<Local, Bits<LANES>>,
    elements: Signal<Local, Bits<8>>,
}

impl Logic for OperationCheck {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, address_held, second_full, second, second_address);
        self.in_ready.next = !self.second_full.q.val();
        self.leaves.next = !self.full.q.val() | self.next_ready.val();
        if self.second_full.q.val() {
            self.second_full.d.next = !self.leaves.val();
        } else {
            self.second_full.d.next = self.in_valid.val() & !self.leaves.val();
            self.second.d.next = self.in_addressed.val();
            Arrays::join(&mut self.second_address.d, &mut self.in_address);
        }
        if self.leaves.val() {
            self.full.d.next = self.second_full.q.val() | self.in_valid.val();
            // What the second place holds, or else what it would take.
            self.held.d.next = self.second.d.val();
            Arrays::join(&mut self.address_held.d, &mut self.second_address.d);
        }
        self.valid.next = self.full.q.val();
        self.operation.next = self.held.q.val().operation;
        self.is_load.next = !self.operation.val().is_store;

        // Rule FAULT. Registers: their number is a power of two; from four on they begin at a multiple of four.
        self.registers.next =
            bit_cast::<3, 2>(self.operation.val().element_registers) + bit_cast::<3, 2>(self.operation.val().vec);
        self.misaligned_register.next = false;
        if self.is_load.val() & (self.operation.val().rd != RD_RZ) {
            if self.registers.val() == 1 {
                self.misaligned_register.next = self.operation.val().rd.get_bit(0) | (self.operation.val().rd > 253);
            }
            if self.registers.val() > 1 {
                self.misaligned_register.next =
                    self.operation.val().rd.get_bits::<2>(0).any() | (self.operation.val().rd > 251);
            }
            if (self.registers.val() == 3) & (self.operation.val().rd > 247) {
                self.misaligned_register.next = true;
            }
            if (self.registers.val() == 4) & (self.operation.val().rd > 239) {
                self.misaligned_register.next = true;
            }
            if (self.registers.val() == 5) & (self.operation.val().rd > 223) {
                self.misaligned_register.next = true;
            }
        }

        self.total.next = bit_cast::<4, 3>(self.operation.val().size) + bit_cast::<4, 2>(self.operation.val().vec);
        self.illegal.next = (self.operation.val().size > SIZE_128)
            | (self.total.val() > 5)
            | (self.operation.val().space > SPACE_GLOBAL)
            | (self.operation.val().mmio & self.operation.val().vec.any());
        if self.is_load.val() {
            if (self.operation.val().cop > COP_CV)
                | (self.operation.val().sem == SEM_RELEASE)
                | (self.operation.val().sem == SEM_MMIO_RELEASE)
            {
                self.illegal.next = true;
            }
            if self.operation.val().nc
                & (self.operation.val().sem.any()
                    | (self.operation.val().cop == COP_LU)
                    | (self.operation.val().cop == COP_CV))
            {
                self.illegal.next = true;
            }
        } else if (self.operation.val().cop == COP_CA)
            | (self.operation.val().cop == COP_LU)
            | (self.operation.val().cop == COP_CV)
            | (self.operation.val().sem == SEM_ACQUIRE)
            | (self.operation.val().sem == SEM_MMIO_ACQUIRE)
            | self.operation.val().nc
        {
            self.illegal.next = true;
        }

        self.align_mask.next = 0.into();
        for i in 0..5 {
            self.align_mask.next = self.align_mask.val().replace_bit(i, self.total.val() > i.to_bits::<4>());
        }
        self.misaligned.next = 0.into();
        for i in 0..LANES {
            self.address[i].next = self.address_held.q[i].val();
            self.misaligned.next = self
                .misaligned
                .val()
                .replace_bit(i, (self.address_held.q[i].val().get_bits::<5>(0) & self.align_mask.val()).any());
        }

        // A load whose elements are all sunk needs nothing.
        self.elements.next = 1.into();
        if self.operation.val().vec == 1 {
            self.elements.next = 3.into();
        }
        if self.operation.val().vec == 2 {
            self.elements.next = 15.into();
        }
        if self.operation.val().vec == 3 {
            self.elements.next = 255.into();
        }
        self.cause.next = CAUSE_NONE.into();
        self.lanes.next = self.held.q.val().mask;
        if self.held.q.val().mask.any() {
            if self.misaligned_register.val() {
                self.cause.next = CAUSE_MISALIGNED_REGISTER.into();
            } else if self.illegal.val() {
                self.cause.next = CAUSE_ILLEGAL_INSTRUCTION.into();
            } else if (self.held.q.val().windowed & self.held.q.val().mask).any() {
                self.cause.next = CAUSE_ILLEGAL_INSTRUCTION.into();
                self.lanes.next = self.held.q.val().windowed & self.held.q.val().mask;
            } else if (self.misaligned.val() & self.held.q.val().mask).any() {
                self.cause.next = CAUSE_MISALIGNED_ADDRESS.into();
                self.lanes.next = self.misaligned.val() & self.held.q.val().mask;
            } else if (self.held.q.val().outside & self.held.q.val().mask).any() {
                self.cause.next = CAUSE_ADDRESS_OUT_OF_RANGE.into();
                self.lanes.next = self.held.q.val().outside & self.held.q.val().mask;
            } else if self.is_load.val() & ((self.operation.val().sink & self.elements.val()) == self.elements.val()) {
                self.lanes.next = 0.into();
            }
        }

        // x & -x keeps the lowest 1.
        self.leader.next = self.lanes.val() & (!self.lanes.val() + 1);
        self.leader_address.next = 0.into();
        for i in 0..LANES {
            if self.leader.val().get_bit(i) {
                self.leader_address.next = self.leader_address.val() | self.address_held.q[i].val();
            }
        }
    }
}

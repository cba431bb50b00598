//! `AddressUnit`: place `intake` of the global path: decodes the operation and adds the immediate in every lane.
//!
//! ```text
//! req ─► registers ─┬─► operand + immediate of each lane ─► sums, out of range
//!                   ├─► operand + (immediate - window's base) of each lane and window ─► in a window
//!                   └─► decode ─► Operation
//! ```

use super::prelude::*;

/// Place `intake` of the global path: decodes the operation and adds the immediate in every lane.
#[derive(LogicBlock, Default)]
pub struct AddressUnit {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An operation of this path is offered.
    pub pins: RequestPort,

    /// An operation is offered to `check`.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// The operation.
    pub addressed: Signal<Out, AddressedOperation>,
    /// Low bits of each lane's sum.
    pub address: Many<Signal<Out, Bits<ADDR>>, LANES>,

    full: Register<Bit>,
    held: Register<Operation>,
    dst_width: Register<Bits<2>>,
    mask_held: Register<Bits<LANES>>,
    wide: Register<Bits<LANES>>,
    operand: Registers<Bits<ADDR>, LANES>,
    /// The immediate, as wide as an address.
    addend: Register<Bits<ADDR>>,
    /// Immediate minus base of each window: one sum less where every lane is compared.
    window_shift: Registers<Bits<ADDR>, 4>,
    req_addend: Signal<Local, Bits<ADDR>>,
    window_offset: Signal<Local, Bits<ADDR>>,
    ones: Signal<Local, Bits<32>>,
    operation: Signal<Local, Operation>,
    outside: Signal<Local, Bits<LANES>>,
    in_window: Signal<Local, Bits<LANES>>,
    is_load: Signal<Local, Bit>,
    is_wide_scope: Signal<Local, Bit>,
    is_strong: Signal<Local, Bit>,
    is_mmio: Signal<Local, Bit>,
    ordered_load: Signal<Local, Bit>,
    looked_up: Signal<Local, Bit>,
    total: Signal<Local, Bits<4>>,
}

impl Logic for AddressUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, dst_width, mask_held, wide, operand, addend, window_shift);
        self.ones.next = 0xffffffffu64.into();
        self.req_addend.next = bit_cast::<ADDR, 32>(self.pins.req_imm.val());
        if self.pins.req_imm.val().get_bit(31) {
            self.req_addend.next =
                bit_cast::<ADDR, 32>(self.pins.req_imm.val()) | !bit_cast::<ADDR, 32>(self.ones.val());
        }
        self.pins.req_ready.next = !self.full.q.val() | self.next_ready.val();
        if self.pins.req_ready.val() {
            self.full.d.next = self.pins.req_valid.val();
            self.held.d.next = self.pins.req.val();
            self.dst_width.d.next = self.pins.req_dst_width.val();
            self.mask_held.d.next = self.pins.req_mask.val();
            self.wide.d.next = self.pins.req_wide.val();
            self.addend.d.next = self.req_addend.val();
            for i in 0..4 {
                self.window_shift.d[i].next = self.req_addend.val() - self.pins.window_base[i].val();
            }
            Arrays::join(&mut self.operand.d, &mut self.pins.req_addr);
        }
        self.valid.next = self.full.q.val();

        // Decode.
        self.is_load.next = !self.held.q.val().is_store & !self.held.q.val().is_command;
        self.is_wide_scope.next = self.held.q.val().scope != SCOPE_CTA;
        self.is_mmio.next = self.held.q.val().sem > SEM_VOLATILE;
        self.is_strong.next = (self.held.q.val().sem > SEM_RELEASE)
            | (self.is_wide_scope.val()
                & ((self.held.q.val().sem == SEM_RELAXED) | (self.held.q.val().sem == SEM_ACQUIRE)));
        self.ordered_load.next = self.is_load.val() & (self.is_strong.val() | (self.held.q.val().cop == COP_CV));
        self.looked_up.next = self.is_load.val() & !self.ordered_load.val() & (self.held.q.val().cop != COP_CG);
        self.total.next = bit_cast::<4, 3>(self.held.q.val().size) + bit_cast::<4, 2>(self.held.q.val().vec);

        self.operation.next = self.held.q.val();
        self.operation.next.extended =
            self.is_load.val() & (self.held.q.val().size < SIZE_64) & (self.dst_width.q.val() == DST_WIDTH_64);
        self.operation.next.element_registers = 2.into();
        if self.held.q.val().size < SIZE_64 {
            self.operation.next.element_registers = 0.into();
            if self.is_load.val() & (self.dst_width.q.val() == DST_WIDTH_64) {
                self.operation.next.element_registers = 1.into();
            }
        }
        if self.held.q.val().size == SIZE_64 {
            self.operation.next.element_registers = 1.into();
        }
        self.operation.next.unit = 2.into();
        if self.held.q.val().size < SIZE_32 {
            self.operation.next.unit = self.held.q.val().size.get_bits::<2>(0);
        }
        self.operation.next.two_reads =
            self.is_load.val() & (self.total.val() == 5) & (self.held.q.val().size <= SIZE_128);
        self.operation.next.mmio = self.is_mmio.val();
        self.operation.next.ordered = self.held.q.val().is_store | self.ordered_load.val();
        self.operation.next.looked_up = self.looked_up.val();
        self.operation.next.kept = self.looked_up.val() & (self.held.q.val().l1_evict != L1_EVICT_NO_ALLOCATE);
        self.operation.next.acquire = self.is_load.val()
            & (((self.held.q.val().sem == SEM_ACQUIRE) & self.is_wide_scope.val())
                | (self.held.q.val().sem == SEM_MMIO_ACQUIRE));
        self.operation.next.release = self.held.q.val().is_store
            & ((self.held.q.val().sem == SEM_RELEASE) | (self.held.q.val().sem == SEM_MMIO_RELEASE));
        self.operation.next.touches =
            (self.held.q.val().l1_evict != L1_EVICT_UNCHANGED) & (self.held.q.val().l1_evict != L1_EVICT_NO_ALLOCATE);
        self.operation.next.evict_first = (self.held.q.val().l1_evict == L1_EVICT_FIRST)
            | (self.held.q.val().cop == COP_CS)
            | (self.held.q.val().cop == COP_LU);
        self.operation.next.evict_last = self.held.q.val().l1_evict == L1_EVICT_LAST;

        // Addresses: the immediate is signed, the operand is not.
        self.addressed.next.mask = self.mask_held.q.val();
        if self.held.q.val().is_command {
            self.addressed.next.mask = 0.into();
        }
        self.outside.next = self.wide.q.val();
        self.in_window.next = 0.into();
        for i in 0..LANES {
            self.address[i].next = self.operand.q[i].val() + self.addend.q.val();
            // Past the top, or below zero: the sum went round. The immediate is less than half of the range, so that the top bits tell.
            if (self.operand.q[i].val().get_bit(ADDR - 1) != self.address[i].val().get_bit(ADDR - 1))
                & (self.address[i].val().get_bit(ADDR - 1) == self.addend.q.val().get_bit(31))
            {
                self.outside.next = self.outside.val().replace_bit(i, true);
            }
            for j in 0..4 {
                self.window_offset.next = self.operand.q[i].val() + self.window_shift.q[j].val();
                if self.window_offset.val() < self.pins.window_size[j].val() {
                    self.in_window.next = self.in_window.val().replace_bit(i, true);
                }
            }
        }
        self.addressed.next.windowed = 0.into();
        if self.held.q.val().space == SPACE_GENERIC {
            self.addressed.next.windowed = self.in_window.val() & !self.outside.val();
        }
        self.addressed.next.operation = self.operation.val();
        self.addressed.next.outside = self.outside.val();
    }
}

//! `LaneGroups`: place `group` of the unit: which lanes share a line (LDC-14).
//!
//! ```text
//! addressed operation ─► registers ─┬─► compare every pair of lanes ─► leaders (to issue)
//!                                   └─► faults of addresses, lanes that ride ─► operation (to issue)
//! ```
//!
//! LDC-9, CONST: `misaligned_address` and `address_out_of_range` are decided here, of what `intake` told of each lane.
//!
//! Rule GROUP: a lane leads its group when no lower lane that needs a line has the same bank and line. Comparing all pairs
//! here, once, leaves the issue stage with nothing but "take the lowest leader", so that one pass can
//! leave it every cycle without a find-and-match loop in its critical path. The pairs are compared only while an operation is held: a
//! simulation skips them otherwise.

use super::prelude::*;

/// Place `group` of the constant path: which lanes are on one line.
#[derive(LogicBlock, Default)]
pub struct LaneGroups {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An addressed operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at this edge, whether or not `data` is free; with what is here, if it is.
    pub in_ready: Signal<Out, Bit>,
    /// The operation. Its cause is one that its instruction has, whatever the addresses; its `ride` are lanes whose bank does not exist,
    /// which are still among its lanes.
    pub in_operation: Signal<In, LdcOperation>,
    /// Active lanes whose address is no multiple of their bytes; a command has none.
    pub in_misaligned_lanes: Signal<In, Bits<LANES>>,
    /// Active lanes of a load whose operand or sum does not fit.
    pub in_outside_lanes: Signal<In, Bits<LANES>>,
    /// Lanes that leave their bank, or all banks: they ride, too.
    pub in_beyond_lanes: Signal<In, Bits<LANES>>,
    /// Active lanes of an LDC that use bank 8 or more in compute mode.
    pub in_unpredictable: Signal<In, Bits<LANES>>,
    /// Sum of each lane; the low half is the byte address inside its bank.
    pub in_address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// Bank of each lane.
    pub in_bank: Many<Signal<In, Bits<5>>, LANES>,

    /// A grouped operation is offered.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge, whether or not `data` is free.
    pub next_ready: Signal<In, Bit>,
    /// It is taken at this edge if `data` is free.
    pub next_follows: Signal<In, Bit>,
    /// `data` is free.
    pub data_ready: Signal<In, Bit>,
    /// The operation, with its cause.
    pub operation: Signal<Out, LdcOperation>,
    /// The lowest lane of each group.
    pub leaders: Signal<Out, Bits<LANES>>,
    /// Sum of each lane; the low half is the byte address inside its bank.
    pub address: Many<Signal<Out, Bits<ADDR>>, LANES>,
    /// Bank of each lane.
    pub bank: Many<Signal<Out, Bits<5>>, LANES>,
    /// Sets the sticky status bit: the operation moves on and is unpredictable (LDC-7).
    pub unpredictable: Signal<Out, Bit>,

    full: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing is offered: those before it learn from it whether it is free.
    vacant: Register<Bit>,
    held: Register<LdcOperation>,
    misaligned_held: Register<Bits<LANES>>,
    outside_held: Register<Bits<LANES>>,
    beyond_held: Register<Bits<LANES>>,
    /// Lanes that need a line, or that the fault of the instruction names.
    lanes: Signal<Local, Bits<LANES>>,
    unsupported: Signal<Local, Bits<LANES>>,
    unpredictable_held: Register<Bits<LANES>>,
    address_held: Registers<Bits<ADDR>, LANES>,
    bank_held: Registers<Bits<5>, LANES>,
    followers: Signal<Local, Bits<LANES>>,
    next_takes: Signal<Local, Bit>,
}

impl Logic for LaneGroups {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            full,
            vacant,
            held,
            misaligned_held,
            outside_held,
            beyond_held,
            unpredictable_held,
            address_held,
            bank_held
        );
        self.next_takes.next = self.next_ready.val() | (self.next_follows.val() & self.data_ready.val());
        self.in_ready.next = self.vacant.q.val() | self.next_ready.val();
        if !self.full.q.val() | self.next_takes.val() {
            self.full.d.next = self.in_valid.val();
            self.vacant.d.next = !self.in_valid.val();
            self.held.d.next = self.in_operation.val();
            self.misaligned_held.d.next = self.in_misaligned_lanes.val();
            self.outside_held.d.next = self.in_outside_lanes.val();
            self.beyond_held.d.next = self.in_beyond_lanes.val();
            self.unpredictable_held.d.next = self.in_unpredictable.val();
            Arrays::join(&mut self.address_held.d, &mut self.in_address);
            Arrays::join(&mut self.bank_held.d, &mut self.in_bank);
        }

        // LDC-5, LDC-7: a lane whose bank does not exist rides with the first pass.
        self.unsupported.next = 0.into();
        if self.held.q.val().cause == CAUSE_NONE {
            self.unsupported.next = self.held.q.val().lanes & (self.held.q.val().ride | self.beyond_held.q.val());
        }
        self.lanes.next = self.held.q.val().lanes & !self.unsupported.val();

        // Rule GROUP: lanes of one bank and line are served together, by the lowest of them.
        self.followers.next = 0.into();
        if self.full.q.val() {
            for i in 0..LANES {
                for j in 0..LANES {
                    if j < i {
                        if self.lanes.val().get_bit(j)
                            & (self.bank_held.q[i].val() == self.bank_held.q[j].val())
                            & (self.address_held.q[i].val().get_bits::<10>(6)
                                == self.address_held.q[j].val().get_bits::<10>(6))
                        {
                            self.followers.next = self.followers.val().replace_bit(i, true);
                        }
                    }
                }
            }
        }
        Arrays::join(&mut self.address, &mut self.address_held.q);
        Arrays::join(&mut self.bank, &mut self.bank_held.q);

        self.valid.next = self.full.q.val();
        // LDC-9, CONST: what only the addresses tell is told a place later, as they are sums and what they are compared with is one.
        self.operation.next = self.held.q.val();
        self.operation.next.lanes = self.lanes.val();
        self.operation.next.ride = self.unsupported.val();
        if self.held.q.val().cause == CAUSE_NONE {
            if self.misaligned_held.q.val().any() {
                self.operation.next.cause = CAUSE_MISALIGNED_ADDRESS.into();
                self.operation.next.lanes = self.misaligned_held.q.val();
            } else if self.outside_held.q.val().any() {
                self.operation.next.cause = CAUSE_ADDRESS_OUT_OF_RANGE.into();
                self.operation.next.lanes = self.outside_held.q.val();
            }
        }
        self.leaders.next = self.lanes.val() & !self.followers.val();
        self.unpredictable.next = self.full.q.val()
            & self.next_takes.val()
            & self.unpredictable_held.q.val().any()
            & (self.operation.val().cause == CAUSE_NONE);
    }
}

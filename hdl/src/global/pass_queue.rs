//! `PassQueue`: a queue of two passes that know their row: place `hit`, `ro_hit`, `resume` or `bank` of the global path.
//!
//! ```text
//! push ─► second ─► first ─► picked pass
//!   └── empty ───────►
//! ```
//!
//! Rule FREE: whether it takes a pass is known from the start of the cycle. No bytes of a line are in it: a row is read when its pass is picked.
//!
//! Assertions: `contract_room`.

use super::prelude::*;

/// A queue of two passes that know their row: place `hit`, `ro_hit`, `resume` or `bank` of the global path.
#[derive(LogicBlock, Default)]
pub struct PassQueue {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A pass comes in at this edge.
    pub push: Signal<In, Bit>,
    /// It holds fewer than two.
    pub has_room: Signal<Out, Bit>,
    /// The pass that comes.
    pub pass: Signal<In, RowPass>,
    /// Offset in the line of each lane.
    pub offset: Many<Signal<In, Bits<7>>, LANES>,

    /// It holds a pass.
    pub full: Signal<Out, Bit>,
    /// The first pass.
    pub first_pass: Signal<Out, RowPass>,
    /// Offset in the line of each lane.
    pub first_offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Its operation.
    pub first_operation: Signal<Out, Operation>,
    /// Operation of the second.
    pub second_operation: Signal<Out, Operation>,
    /// It holds a second pass.
    pub second_full: Signal<Out, Bit>,
    /// Tags of the first and the second pass.
    pub tag: Many<Signal<Out, Bits<8>>, 2>,
    /// Their rows.
    pub row: Many<Signal<Out, Bits<ROW_BITS>>, 2>,
    /// Sectors of these that are to be read; 0 where there is no pass.
    pub sectors: Many<Signal<Out, Bits<4>>, 2>,
    /// The first pass leaves at this edge.
    pub leaves: Signal<In, Bit>,
    /// The first place takes what the second holds, or else what comes: for those who keep more of a pass beside it.
    pub shifts: Signal<Out, Bit>,

    first_occupied: Register<Bit>,
    first: Register<RowPass>,
    first_offset_held: Registers<Bits<7>, LANES>,
    second_occupied: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing comes: half of what hangs on either.
    vacant: Register<Bit>,
    second: Register<RowPass>,
    second_offset: Registers<Bits<7>, LANES>,

    /// A pass comes in only while has_room.
    contract_room: Signal<Local, Bit>,
}

impl Logic for PassQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, first_occupied, first, first_offset_held, second_occupied, second, second_offset);
        dff_setup!(self, clock, vacant);
        self.full.next = self.first_occupied.q.val();
        self.first_pass.next = self.first.q.val();
        self.second_full.next = self.second_occupied.q.val();
        self.first_operation.next = self.first.q.val().operation;
        self.second_operation.next = self.second.q.val().operation;
        self.tag[0].next = self.first_operation.val().tag;
        self.tag[1].next = self.second_operation.val().tag;
        self.row[0].next = self.first.q.val().row;
        self.row[1].next = self.second.q.val().row;
        self.sectors[0].next = 0.into();
        self.sectors[1].next = 0.into();
        if self.first_occupied.q.val() {
            self.sectors[0].next = self.first.q.val().sectors;
        }
        if self.second_occupied.q.val() {
            self.sectors[1].next = self.second.q.val().sectors;
        }
        self.has_room.next = self.vacant.q.val();
        self.shifts.next = !self.first_occupied.q.val() | self.leaves.val();
        if self.second_occupied.q.val() {
            self.second_occupied.d.next = !self.shifts.val();
            self.vacant.d.next = self.shifts.val();
        } else {
            self.second_occupied.d.next = self.push.val() & !self.shifts.val();
            self.vacant.d.next = !self.push.val() | self.shifts.val();
            self.second.d.next = self.pass.val();
            Arrays::join(&mut self.second_offset.d, &mut self.offset);
        }
        if self.shifts.val() {
            self.first_occupied.d.next = self.second_occupied.q.val() | self.push.val();
            // What the second place holds, or else what it would take.
            self.first.d.next = self.second.d.val();
            Arrays::join(&mut self.first_offset_held.d, &mut self.second_offset.d);
        }
        Arrays::join(&mut self.first_offset, &mut self.first_offset_held.q);

        self.contract_room.next = !self.push.val() | self.has_room.val();
    }
}

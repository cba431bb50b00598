//! `PassQueue`: a queue of two passes that have their line: place `hit`, `ro_hit` or `resume` of the global path.
//!
//! ```text
//! push ─► newer (its line stands in `line`, outside) ─► elder (with its line) ─► picked pass
//!           └────────────── nothing elder ──────────────────────────────────────►
//! ```
//!
//! Rule FREE. A pass comes in as the newer one and becomes the elder at the next edge, unless it leaves there or an elder still waits. So the
//! elder's registers load whenever it is empty, and neither their enable nor `has_room` looks at what leaves in this cycle: that keeps the
//! choice of the pass that is read out of `tag`'s way.
//!
//! Two registers say once more what `elder_full` and `has_room` say, for the thousand registers of a line and the choice between two
//! lines: a signal with that many ends is too slow to decide anything else. In the first cycle after reset, when nothing is here, they
//! say nothing.
//!
//! Assertions: `contract_room`, `contract_line`.

use super::prelude::*;

/// A queue of two passes that have their line: place `hit`, `ro_hit` or `resume` of the global path.
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
    pub pass: Signal<In, LinePass>,
    /// Offset in the line of each lane.
    pub offset: Many<Signal<In, Bits<7>>, LANES>,
    /// Line of the newer pass.
    pub line: Many<Signal<In, Bits<32>>, 32>,

    /// It holds a pass.
    pub full: Signal<Out, Bit>,
    /// Operation of the first pass, for what is decided in this cycle.
    pub first_operation: Signal<Out, Operation>,
    /// The first pass, for what is only handed on.
    pub first_pass: Signal<Out, LinePass>,
    /// Offset in the line of each lane.
    pub first_offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Its line.
    pub first_line: Many<Signal<Out, Bits<32>>, 32>,
    /// It holds a second pass.
    pub second_full: Signal<Out, Bit>,
    /// Its operation.
    pub second_tag: Signal<Out, Bits<8>>,
    /// The first pass leaves at this edge.
    pub leaves: Signal<In, Bit>,
    /// The newer pass's line may be loaded at this edge.
    pub loads: Signal<Out, Bit>,

    newer_full: Register<Bit>,
    newer: Register<LinePass>,
    newer_offset: Registers<Bits<7>, LANES>,
    elder_full: Register<Bit>,
    elder: Register<LinePass>,
    elder_offset: Registers<Bits<7>, LANES>,
    elder_line: Registers<Bits<32>, 32>,
    /// No elder: the newer line shows, and the elder's registers load.
    shows_newer: Register<Bit>,
    /// `has_room`: the newer's registers load.
    opens: Register<Bit>,
    second_operation: Signal<Local, Operation>,

    /// A pass comes in only while has_room.
    contract_room: Signal<Local, Bit>,
    /// From the cycle after its push until no elder is in front of it, the newer pass's line stays in line.
    contract_line: Signal<Local, Bit>,
    contract_waited: Register<Bit>,
    contract_line_before: Registers<Bits<32>, 32>,
}

impl Logic for PassQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, newer_full, newer, newer_offset, elder_full, elder, elder_offset, elder_line);
        dff_setup!(self, clock, shows_newer, opens);
        self.full.next = self.elder_full.q.val() | self.newer_full.q.val();
        self.second_full.next = self.elder_full.q.val() & self.newer_full.q.val();
        self.has_room.next = !self.second_full.val();
        self.second_operation.next = self.newer.q.val().operation;
        self.second_tag.next = self.second_operation.val().tag;
        self.first_operation.next = self.second_operation.val();
        if self.elder_full.q.val() {
            self.first_operation.next = self.elder.q.val().operation;
        }
        self.first_pass.next = self.elder.q.val();
        if self.shows_newer.q.val() {
            self.first_pass.next = self.newer.q.val();
        }
        for i in 0..LANES {
            self.first_offset[i].next = self.elder_offset.q[i].val();
            if self.shows_newer.q.val() {
                self.first_offset[i].next = self.newer_offset.q[i].val();
            }
        }
        for i in 0..32 {
            self.first_line[i].next = self.elder_line.q[i].val();
            if self.shows_newer.q.val() {
                self.first_line[i].next = self.line[i].val();
            }
        }

        if self.elder_full.q.val() {
            self.elder_full.d.next = !self.leaves.val();
            self.newer_full.d.next = self.newer_full.q.val() | self.push.val();
        } else {
            self.elder_full.d.next = self.newer_full.q.val() & !self.leaves.val();
            self.newer_full.d.next = self.push.val();
        }
        self.shows_newer.d.next = !self.elder_full.d.val();
        self.opens.d.next = !(self.elder_full.d.val() & self.newer_full.d.val());
        self.loads.next = self.opens.q.val();
        if self.shows_newer.q.val() {
            self.elder.d.next = self.newer.q.val();
            Arrays::join(&mut self.elder_offset.d, &mut self.newer_offset.q);
            Arrays::join(&mut self.elder_line.d, &mut self.line);
        }
        if self.opens.q.val() {
            self.newer.d.next = self.pass.val();
            Arrays::join(&mut self.newer_offset.d, &mut self.offset);
        }

        dff_setup!(self, clock, contract_waited, contract_line_before);
        self.contract_room.next = !self.push.val() | self.has_room.val();
        self.contract_waited.d.next = self.second_full.val();
        self.contract_line.next = true;
        if self.contract_waited.q.val() {
            for i in 0..32 {
                if self.line[i].val() != self.contract_line_before.q[i].val() {
                    self.contract_line.next = false;
                }
            }
        }
        if self.second_full.val() {
            Arrays::join(&mut self.contract_line_before.d, &mut self.line);
        }
    }
}

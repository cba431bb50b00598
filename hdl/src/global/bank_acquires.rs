//! `BankAcquires`: acquires in `bank` for which the pass in `tag` waits (rule ACQUIRE).
//!
//! ```text
//! passes in bank, and what comes ─┬─ against the pass that comes to tag ─┬─► registers ─► conflict
//!                                 └─ against the pass in tag ────────────┘
//! ```
//!
//! Compared one edge early, as the waiters are in the [`miss_table`](super::miss_table): whether `tag` moves hangs on it.

use super::prelude::*;

/// Acquires in `bank` for which the pass in `tag` waits.
#[derive(LogicBlock, Default)]
pub struct BankAcquires {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// `bank` holds a first and a second pass.
    pub holds: Signal<In, Bits<2>>,
    /// Operation of the first.
    pub first: Signal<In, Operation>,
    /// Operation of the second.
    pub second: Signal<In, Operation>,
    /// A pass comes to `bank` at this edge.
    pub push: Signal<In, Bit>,
    /// Its operation.
    pub pushed: Signal<In, Operation>,
    /// The first place takes what the second holds, or else what comes.
    pub shifts: Signal<In, Bit>,

    /// The pass in `tag` is one that waits for acquires.
    pub waits: Signal<In, Bit>,
    /// Its operation.
    pub operation: Signal<In, Operation>,
    /// `tag` takes another pass at this edge.
    pub next_comes: Signal<In, Bit>,
    /// That is one that waits for acquires.
    pub next_waits: Signal<In, Bit>,
    /// Its operation.
    pub next_operation: Signal<In, Operation>,
    /// The pass in `tag` waits for one in `bank`.
    pub conflict: Signal<Out, Bit>,

    /// It waits for the first, and for the second pass there.
    precedes: Register<Bits<2>>,
    /// For any of them.
    waits_held: Register<Bit>,
    comes_before: Signal<Local, Bit>,
    first_before: Signal<Local, Bit>,
    second_before: Signal<Local, Bit>,
    next_comes_before: Signal<Local, Bit>,
    next_first_before: Signal<Local, Bit>,
    next_second_before: Signal<Local, Bit>,
    later_before: Signal<Local, Bit>,
}

impl Logic for BankAcquires {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, precedes, waits_held);
        // Against the pass in `tag`: those that were there are known.
        self.first_before.next = self.precedes.q.val().get_bit(0);
        self.second_before.next = self.precedes.q.val().get_bit(1);
        self.comes_before.next = self.waits.val()
            & self.push.val()
            & self.pushed.val().acquire
            & (self.pushed.val().warp == self.operation.val().warp)
            & (self.pushed.val().tag != self.operation.val().tag);
        // Against the pass that comes to `tag`.
        self.next_first_before.next = self.next_waits.val()
            & self.holds.val().get_bit(0)
            & self.first.val().acquire
            & (self.first.val().warp == self.next_operation.val().warp)
            & (self.first.val().tag != self.next_operation.val().tag);
        self.next_second_before.next = self.next_waits.val()
            & self.holds.val().get_bit(1)
            & self.second.val().acquire
            & (self.second.val().warp == self.next_operation.val().warp)
            & (self.second.val().tag != self.next_operation.val().tag);
        self.next_comes_before.next = self.next_waits.val()
            & self.push.val()
            & self.pushed.val().acquire
            & (self.pushed.val().warp == self.next_operation.val().warp)
            & (self.pushed.val().tag != self.next_operation.val().tag);
        if self.next_comes.val() {
            self.first_before.next = self.next_first_before.val();
            self.second_before.next = self.next_second_before.val();
            self.comes_before.next = self.next_comes_before.val();
        }
        // Nothing comes while there is a second one: either of them follows the first.
        self.later_before.next = self.second_before.val() | self.comes_before.val();
        self.precedes.d.next = 0.into();
        if self.shifts.val() {
            self.precedes.d.next = self.precedes.d.val().replace_bit(0, self.later_before.val());
            self.waits_held.d.next = self.later_before.val();
        } else {
            self.precedes.d.next = self.precedes.d.val().replace_bit(0, self.first_before.val());
            self.precedes.d.next = self.precedes.d.val().replace_bit(1, self.later_before.val());
            self.waits_held.d.next = self.first_before.val() | self.later_before.val();
        }
        self.conflict.next = self.waits_held.q.val();
    }
}

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
    /// `bank` holds a pass.
    pub holds_first: Signal<In, Bit>,
    /// It holds a second one.
    pub holds_second: Signal<In, Bit>,
    /// Operation of the first.
    pub first: Signal<In, Precedence>,
    /// Operation of the second.
    pub second: Signal<In, Precedence>,
    /// A pass comes to `bank` at this edge.
    pub push: Signal<In, Bit>,
    /// Its operation.
    pub pushed: Signal<In, Precedence>,
    /// The first place takes what the second holds, or else what comes.
    pub shifts: Signal<In, Bit>,

    /// The pass in `tag` is one that waits for acquires.
    pub waits: Signal<In, Bit>,
    /// Its operation.
    pub operation: Signal<In, Precedence>,
    /// `tag` takes another pass at this edge.
    pub next_comes: Signal<In, Bit>,
    /// That is one that waits for acquires.
    pub next_waits: Signal<In, Bit>,
    /// Its operation.
    pub next_operation: Signal<In, Precedence>,
    /// The pass in `tag` waits for one in `bank`.
    pub conflict: Signal<Out, Bit>,

    /// The pass in `tag` waits for the first, and for the second pass there.
    waits_for_first: Register<Bit>,
    waits_for_second: Register<Bit>,
    /// For either of them.
    waits_for_any: Register<Bit>,
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
        dff_setup!(self, clock, waits_for_first, waits_for_second, waits_for_any);
        // Against the pass in `tag`: those that were there are known.
        self.first_before.next = self.waits_for_first.q.val();
        self.second_before.next = self.waits_for_second.q.val();
        self.comes_before.next = self.waits.val()
            & self.push.val()
            & self.pushed.val().acquire
            & (self.pushed.val().warp == self.operation.val().warp)
            & (self.pushed.val().tag != self.operation.val().tag);
        // Against the pass that comes to `tag`.
        self.next_first_before.next = self.next_waits.val()
            & self.holds_first.val()
            & self.first.val().acquire
            & (self.first.val().warp == self.next_operation.val().warp)
            & (self.first.val().tag != self.next_operation.val().tag);
        self.next_second_before.next = self.next_waits.val()
            & self.holds_second.val()
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
        if self.shifts.val() {
            self.waits_for_first.d.next = self.later_before.val();
            self.waits_for_second.d.next = false;
            self.waits_for_any.d.next = self.later_before.val();
        } else {
            self.waits_for_first.d.next = self.first_before.val();
            self.waits_for_second.d.next = self.later_before.val();
            self.waits_for_any.d.next = self.first_before.val() | self.later_before.val();
        }
        self.conflict.next = self.waits_for_any.q.val();
    }
}

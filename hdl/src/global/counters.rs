//! `Counters`: what a prototype can read about the global path. All are 32 bits wide and wrap.

use super::prelude::*;

/// The counters of the global path.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Counts {
    /// Sectors that hit L1.
    pub l1_hits: Bits<32>,
    /// Sectors that missed L1.
    pub l1_misses: Bits<32>,
    /// Sectors that hit the read-only cache.
    pub ro_hits: Bits<32>,
    /// Sectors that missed it.
    pub ro_misses: Bits<32>,
    /// Passes issued.
    pub wavefronts: Bits<32>,
    /// Passes after their operation's first.
    pub replays: Bits<32>,
    /// Sectors read.
    pub sectors_read: Bits<32>,
    /// Sectors written.
    pub sectors_written: Bits<32>,
    /// Cycles in which `tag` waited for something before it.
    pub stall_order: Bits<32>,
    /// Cycles in which `tag` waited for a waiter.
    pub stall_misses: Bits<32>,
    /// Cycles in which `tag` waited for the next place.
    pub stall_data: Bits<32>,
    /// Cycles in which a memory request waited.
    pub stall_memory: Bits<32>,
}

/// Counts what happens on the global path.
#[derive(LogicBlock, Default)]
pub struct Counters {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A looked-up load moves, not of the read-only cache.
    pub counts_l1: Signal<In, Bit>,
    /// One of the read-only cache moves.
    pub counts_ro: Signal<In, Bit>,
    /// Sectors that hit.
    pub hits: Signal<In, Bits<4>>,
    /// Sectors that miss.
    pub misses: Signal<In, Bits<4>>,
    /// A pass leaves `issue`.
    pub issues: Signal<In, Bit>,
    /// It is not its operation's first.
    pub replays: Signal<In, Bit>,
    /// A read request is taken.
    pub reads: Signal<In, Bit>,
    /// A write request is taken.
    pub writes: Signal<In, Bit>,
    /// `tag` waits for something before it.
    pub stalls_order: Signal<In, Bit>,
    /// `tag` waits for a waiter.
    pub stalls_misses: Signal<In, Bit>,
    /// `tag` waits for the next place.
    pub stalls_data: Signal<In, Bit>,
    /// A memory request waits.
    pub stalls_memory: Signal<In, Bit>,
    /// The counters.
    pub counts: Signal<Out, Counts>,
    held: Register<Counts>,
    hit_count: Signal<Local, Bits<3>>,
    miss_count: Signal<Local, Bits<3>>,
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        self.hit_count.next = 0.into();
        self.miss_count.next = 0.into();
        for i in 0..4 {
            if self.hits.val().get_bit(i) {
                self.hit_count.next = self.hit_count.val() + 1;
            }
            if self.misses.val().get_bit(i) {
                self.miss_count.next = self.miss_count.val() + 1;
            }
        }
        // Added up before it is known whether it counts.
        if self.counts_ro.val() {
            self.held.d.next.ro_hits = self.held.q.val().ro_hits + bit_cast::<32, 3>(self.hit_count.val());
            self.held.d.next.ro_misses = self.held.q.val().ro_misses + bit_cast::<32, 3>(self.miss_count.val());
        }
        if self.counts_l1.val() {
            self.held.d.next.l1_hits = self.held.q.val().l1_hits + bit_cast::<32, 3>(self.hit_count.val());
            self.held.d.next.l1_misses = self.held.q.val().l1_misses + bit_cast::<32, 3>(self.miss_count.val());
        }
        if self.issues.val() {
            self.held.d.next.wavefronts = self.held.q.val().wavefronts + 1;
        }
        if self.replays.val() {
            self.held.d.next.replays = self.held.q.val().replays + 1;
        }
        if self.reads.val() {
            self.held.d.next.sectors_read = self.held.q.val().sectors_read + 1;
        }
        if self.writes.val() {
            self.held.d.next.sectors_written = self.held.q.val().sectors_written + 1;
        }
        if self.stalls_order.val() {
            self.held.d.next.stall_order = self.held.q.val().stall_order + 1;
        }
        if self.stalls_misses.val() {
            self.held.d.next.stall_misses = self.held.q.val().stall_misses + 1;
        }
        if self.stalls_data.val() {
            self.held.d.next.stall_data = self.held.q.val().stall_data + 1;
        }
        if self.stalls_memory.val() {
            self.held.d.next.stall_memory = self.held.q.val().stall_memory + 1;
        }
        self.counts.next = self.held.q.val();
    }
}

//! `Counters`: what a prototype can read about the global path. All are 32 bits wide and wrap.
//!
//! What happened in a cycle is kept as it is and added behind the registers, in the next ([`event_counter`](crate::event_counter)).

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
    /// Cycles in which `tag` waited for what comes before it.
    pub stall_order: Bits<32>,
    /// Cycles in which `tag` waited for a waiter, an MSHR, a way or a write-back.
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
    /// `tag` waits for what comes before it.
    pub stalls_order: Signal<In, Bit>,
    /// `tag` waits for a waiter, an MSHR, a way or a write-back.
    pub stalls_misses: Signal<In, Bit>,
    /// `tag` waits for the next place.
    pub stalls_data: Signal<In, Bit>,
    /// A memory request waits.
    pub stalls_memory: Signal<In, Bit>,
    /// The counters.
    pub counts: Signal<Out, Counts>,
    wavefront_counter: EventCounter,
    replay_counter: EventCounter,
    read_counter: EventCounter,
    write_counter: EventCounter,
    order_counter: EventCounter,
    misses_counter: EventCounter,
    data_counter: EventCounter,
    memory_counter: EventCounter,
    /// The sectors looked up in the last cycle.
    l1_looked_up: Register<Bit>,
    ro_looked_up: Register<Bit>,
    sectors_hit: Register<Bits<4>>,
    sectors_missed: Register<Bits<4>>,
    /// All before them.
    l1_hits: Register<Bits<32>>,
    l1_misses: Register<Bits<32>>,
    ro_hits: Register<Bits<32>>,
    ro_misses: Register<Bits<32>>,
    hit_count: Signal<Local, Bits<3>>,
    miss_count: Signal<Local, Bits<3>>,
    l1_hit_count: Signal<Local, Bits<3>>,
    l1_miss_count: Signal<Local, Bits<3>>,
    ro_hit_count: Signal<Local, Bits<3>>,
    ro_miss_count: Signal<Local, Bits<3>>,
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, l1_looked_up, ro_looked_up, sectors_hit, sectors_missed);
        dff_setup!(self, clock, l1_hits, l1_misses, ro_hits, ro_misses);
        clock!(self, clock, wavefront_counter, replay_counter, read_counter, write_counter);
        clock!(self, clock, order_counter, misses_counter, data_counter, memory_counter);

        // Events.
        self.wavefront_counter.happens.next = self.issues.val();
        self.replay_counter.happens.next = self.replays.val();
        self.read_counter.happens.next = self.reads.val();
        self.write_counter.happens.next = self.writes.val();
        self.order_counter.happens.next = self.stalls_order.val();
        self.misses_counter.happens.next = self.stalls_misses.val();
        self.data_counter.happens.next = self.stalls_data.val();
        self.memory_counter.happens.next = self.stalls_memory.val();
        self.counts.next.wavefronts = self.wavefront_counter.count.val();
        self.counts.next.replays = self.replay_counter.count.val();
        self.counts.next.sectors_read = self.read_counter.count.val();
        self.counts.next.sectors_written = self.write_counter.count.val();
        self.counts.next.stall_order = self.order_counter.count.val();
        self.counts.next.stall_misses = self.misses_counter.count.val();
        self.counts.next.stall_data = self.data_counter.count.val();
        self.counts.next.stall_memory = self.memory_counter.count.val();

        // Sectors.
        self.l1_looked_up.d.next = self.counts_l1.val();
        self.ro_looked_up.d.next = self.counts_ro.val();
        self.sectors_hit.d.next = self.hits.val();
        self.sectors_missed.d.next = self.misses.val();
        self.hit_count.next = 0.into();
        self.miss_count.next = 0.into();
        for i in 0..4 {
            if self.sectors_hit.q.val().get_bit(i) {
                self.hit_count.next = self.hit_count.val() + 1;
            }
            if self.sectors_missed.q.val().get_bit(i) {
                self.miss_count.next = self.miss_count.val() + 1;
            }
        }
        self.l1_hit_count.next = 0.into();
        self.l1_miss_count.next = 0.into();
        if self.l1_looked_up.q.val() {
            self.l1_hit_count.next = self.hit_count.val();
            self.l1_miss_count.next = self.miss_count.val();
        }
        self.ro_hit_count.next = 0.into();
        self.ro_miss_count.next = 0.into();
        if self.ro_looked_up.q.val() {
            self.ro_hit_count.next = self.hit_count.val();
            self.ro_miss_count.next = self.miss_count.val();
        }
        self.counts.next.l1_hits = self.l1_hits.q.val() + bit_cast::<32, 3>(self.l1_hit_count.val());
        self.l1_hits.d.next = self.counts.val().l1_hits;
        self.counts.next.l1_misses = self.l1_misses.q.val() + bit_cast::<32, 3>(self.l1_miss_count.val());
        self.l1_misses.d.next = self.counts.val().l1_misses;
        self.counts.next.ro_hits = self.ro_hits.q.val() + bit_cast::<32, 3>(self.ro_hit_count.val());
        self.ro_hits.d.next = self.counts.val().ro_hits;
        self.counts.next.ro_misses = self.ro_misses.q.val() + bit_cast::<32, 3>(self.ro_miss_count.val());
        self.ro_misses.d.next = self.counts.val().ro_misses;
    }
}

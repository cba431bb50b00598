//! `Counters`: what a prototype can read about the global path. All are 32 bits wide and wrap.

use rust_hdl::prelude::*;

use crate::{Register, dff_setup};

/// The counters of the global path.
#[derive(LogicBlock, Default)]
pub struct Counters {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Sectors that hit now.
    pub hits: Signal<In, Bits<4>>,
    /// Sectors that miss now.
    pub misses: Signal<In, Bits<4>>,
    /// They are the read-only cache's.
    pub is_ro: Signal<In, Bit>,
    /// A pass leaves S.
    pub issues: Signal<In, Bit>,
    /// It is not its operation's first.
    pub replays: Signal<In, Bit>,
    /// A read request is taken.
    pub reads: Signal<In, Bit>,
    /// A write request is taken.
    pub writes: Signal<In, Bit>,
    /// T waits for something before it.
    pub stalls_order: Signal<In, Bit>,
    /// T waits for a waiter.
    pub stalls_misses: Signal<In, Bit>,
    /// T waits for the next place.
    pub stalls_data: Signal<In, Bit>,
    /// A memory request waits.
    pub stalls_memory: Signal<In, Bit>,
    /// Sectors that hit L1.
    pub l1_hits: Signal<Out, Bits<32>>,
    /// Sectors that missed L1.
    pub l1_misses: Signal<Out, Bits<32>>,
    /// Sectors that hit the read-only cache.
    pub ro_hits: Signal<Out, Bits<32>>,
    /// Sectors that missed it.
    pub ro_misses: Signal<Out, Bits<32>>,
    /// Passes issued.
    pub wavefronts: Signal<Out, Bits<32>>,
    /// Passes after their operation's first.
    pub replay_count: Signal<Out, Bits<32>>,
    /// Sectors read.
    pub sectors_read: Signal<Out, Bits<32>>,
    /// Sectors written.
    pub sectors_written: Signal<Out, Bits<32>>,
    /// Cycles of each stall.
    pub stall_order: Signal<Out, Bits<32>>,
    /// Cycles of each stall.
    pub stall_misses: Signal<Out, Bits<32>>,
    /// Cycles of each stall.
    pub stall_data: Signal<Out, Bits<32>>,
    /// Cycles of each stall.
    pub stall_memory: Signal<Out, Bits<32>>,
    l1_hits_held: Register<Bits<32>>,
    l1_misses_held: Register<Bits<32>>,
    ro_hits_held: Register<Bits<32>>,
    ro_misses_held: Register<Bits<32>>,
    wavefronts_held: Register<Bits<32>>,
    replays_held: Register<Bits<32>>,
    sectors_read_held: Register<Bits<32>>,
    sectors_written_held: Register<Bits<32>>,
    stall_order_held: Register<Bits<32>>,
    stall_misses_held: Register<Bits<32>>,
    stall_data_held: Register<Bits<32>>,
    stall_memory_held: Register<Bits<32>>,
    hit_count: Signal<Local, Bits<3>>,
    miss_count: Signal<Local, Bits<3>>,
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            l1_hits_held,
            l1_misses_held,
            ro_hits_held,
            ro_misses_held,
            wavefronts_held,
            replays_held,
            sectors_read_held,
            sectors_written_held,
            stall_order_held,
            stall_misses_held,
            stall_data_held,
            stall_memory_held
        );
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
        if self.is_ro.val() {
            self.ro_hits_held.d.next = self.ro_hits_held.q.val() + bit_cast::<32, 3>(self.hit_count.val());
            self.ro_misses_held.d.next = self.ro_misses_held.q.val() + bit_cast::<32, 3>(self.miss_count.val());
        } else {
            self.l1_hits_held.d.next = self.l1_hits_held.q.val() + bit_cast::<32, 3>(self.hit_count.val());
            self.l1_misses_held.d.next = self.l1_misses_held.q.val() + bit_cast::<32, 3>(self.miss_count.val());
        }
        if self.issues.val() {
            self.wavefronts_held.d.next = self.wavefronts_held.q.val() + 1;
        }
        if self.replays.val() {
            self.replays_held.d.next = self.replays_held.q.val() + 1;
        }
        if self.reads.val() {
            self.sectors_read_held.d.next = self.sectors_read_held.q.val() + 1;
        }
        if self.writes.val() {
            self.sectors_written_held.d.next = self.sectors_written_held.q.val() + 1;
        }
        if self.stalls_order.val() {
            self.stall_order_held.d.next = self.stall_order_held.q.val() + 1;
        }
        if self.stalls_misses.val() {
            self.stall_misses_held.d.next = self.stall_misses_held.q.val() + 1;
        }
        if self.stalls_data.val() {
            self.stall_data_held.d.next = self.stall_data_held.q.val() + 1;
        }
        if self.stalls_memory.val() {
            self.stall_memory_held.d.next = self.stall_memory_held.q.val() + 1;
        }
        self.l1_hits.next = self.l1_hits_held.q.val();
        self.l1_misses.next = self.l1_misses_held.q.val();
        self.ro_hits.next = self.ro_hits_held.q.val();
        self.ro_misses.next = self.ro_misses_held.q.val();
        self.wavefronts.next = self.wavefronts_held.q.val();
        self.replay_count.next = self.replays_held.q.val();
        self.sectors_read.next = self.sectors_read_held.q.val();
        self.sectors_written.next = self.sectors_written_held.q.val();
        self.stall_order.next = self.stall_order_held.q.val();
        self.stall_misses.next = self.stall_misses_held.q.val();
        self.stall_data.next = self.stall_data_held.q.val();
        self.stall_memory.next = self.stall_memory_held.q.val();
    }
}

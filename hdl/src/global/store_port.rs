//! `StorePort`: place Q of the global path: one store sector on its way to memory, and the update of L1 beside it.
//!
//! The update happens in the one cycle after T moved, in which the memory side's responses wait: the line is still where T found it.

use std::array::from_fn;

use rust_hdl::prelude::*;

use super::operation::Operation;
use crate::{Register, Registers, dff_setup};

/// Place Q.
#[derive(LogicBlock)]
pub struct StorePort<const ADDR: usize, const LINE: usize, const ENTRY_BITS: usize, const WAY_BITS: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// T hands over a store's pass.
    pub push: Signal<In, Bit>,
    /// Q is free at this edge.
    pub free: Signal<Out, Bit>,
    /// Its operation.
    pub operation: Signal<In, Operation>,
    /// Its line.
    pub line: Signal<In, Bits<LINE>>,
    /// Its sector, one of four.
    pub need: Signal<In, Bits<4>>,
    /// Bytes that are written, four for each word.
    pub strobe: [Signal<In, Bits<4>>; 8],
    /// The sector.
    pub data: [Signal<In, Bits<32>>; 8],
    /// Its MSHR.
    pub mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// L1 holds the sector and takes the bytes.
    pub hits: Signal<In, Bit>,
    /// In this way.
    pub way: Signal<In, Bits<WAY_BITS>>,

    /// A write is offered.
    pub valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub ready: Signal<In, Bit>,
    /// Its operation.
    pub request: Signal<Out, Operation>,
    /// Its MSHR.
    pub request_mshr: Signal<Out, Bits<ENTRY_BITS>>,
    /// Its sector.
    pub request_sector: Signal<Out, Bits<2>>,
    /// Sector-aligned byte address.
    pub address: Signal<Out, Bits<ADDR>>,
    /// Bytes that are written, four for each word.
    pub request_strobe: [Signal<Out, Bits<4>>; 8],
    /// The sector; 0 where nothing is written.
    pub request_data: [Signal<Out, Bits<32>>; 8],
    /// L1 takes the bytes of `request_data` at this edge.
    pub updates: Signal<Out, Bit>,
    /// In this way.
    pub update_way: Signal<Out, Bits<WAY_BITS>>,
    /// Of this line.
    pub update_line: Signal<Out, Bits<LINE>>,

    full: Register<Bit>,
    held: Register<Operation>,
    line_held: Register<Bits<LINE>>,
    sector: Register<Bits<2>>,
    mshr_held: Register<Bits<ENTRY_BITS>>,
    strobe_held: Registers<Bits<4>, 8>,
    data_held: Registers<Bits<32>, 8>,
    update: Register<Bit>,
    way_held: Register<Bits<WAY_BITS>>,
}

impl<const ADDR: usize, const LINE: usize, const ENTRY_BITS: usize, const WAY_BITS: usize> Default
    for StorePort<ADDR, LINE, ENTRY_BITS, WAY_BITS>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            push: Default::default(),
            free: Default::default(),
            operation: Default::default(),
            line: Default::default(),
            need: Default::default(),
            strobe: from_fn(|_| Default::default()),
            data: from_fn(|_| Default::default()),
            mshr: Default::default(),
            hits: Default::default(),
            way: Default::default(),
            valid: Default::default(),
            ready: Default::default(),
            request: Default::default(),
            request_mshr: Default::default(),
            request_sector: Default::default(),
            address: Default::default(),
            request_strobe: from_fn(|_| Default::default()),
            request_data: from_fn(|_| Default::default()),
            updates: Default::default(),
            update_way: Default::default(),
            update_line: Default::default(),
            full: Default::default(),
            held: Default::default(),
            line_held: Default::default(),
            sector: Default::default(),
            mshr_held: Default::default(),
            strobe_held: Default::default(),
            data_held: Default::default(),
            update: Default::default(),
            way_held: Default::default(),
        }
    }
}

impl<const ADDR: usize, const LINE: usize, const ENTRY_BITS: usize, const WAY_BITS: usize> Logic
    for StorePort<ADDR, LINE, ENTRY_BITS, WAY_BITS>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, line_held, sector, mshr_held, strobe_held, data_held, update, way_held);
        self.free.next = !self.full.q.val() | self.ready.val();
        if self.free.val() {
            self.full.d.next = self.push.val();
            self.held.d.next = self.operation.val();
            self.line_held.d.next = self.line.val();
            self.sector.d.next = 0.into();
            if self.need.val().get_bit(1) {
                self.sector.d.next = 1.into();
            }
            if self.need.val().get_bit(2) {
                self.sector.d.next = 2.into();
            }
            if self.need.val().get_bit(3) {
                self.sector.d.next = 3.into();
            }
            self.mshr_held.d.next = self.mshr.val();
            self.way_held.d.next = self.way.val();
            for i in 0..8 {
                self.strobe_held.d[i].next = self.strobe[i].val();
                self.data_held.d[i].next = self.data[i].val();
            }
        }
        self.update.d.next = self.push.val() & self.hits.val();
        self.valid.next = self.full.q.val();
        self.request.next = self.held.q.val();
        self.request_mshr.next = self.mshr_held.q.val();
        self.request_sector.next = self.sector.q.val();
        self.address.next =
            (bit_cast::<ADDR, LINE>(self.line_held.q.val()) << 7) | (bit_cast::<ADDR, 2>(self.sector.q.val()) << 5);
        self.updates.next = self.update.q.val();
        self.update_way.next = self.way_held.q.val();
        self.update_line.next = self.line_held.q.val();
        for i in 0..8 {
            self.request_strobe[i].next = self.strobe_held.q[i].val();
            self.request_data[i].next = self.data_held.q[i].val();
        }
    }
}

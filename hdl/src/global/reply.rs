//! `Reply`: place `reply` of the global path: the response to a request of another CTA.
//!
//! ```text
//! serve, row of its read ─► sector, part by part ─► serve_rsp
//! ```
//!
//! Rule SERVE. Its data are 0 while it is empty, so that a write and an error find them so.
//!
//! `reset` is that which forgets requests, with `rst_mem`.
//!
//! Assertions: `contract_empty`.

use super::prelude::*;

/// Place `reply` of the global path: the response to a request of another CTA.
#[derive(LogicBlock, Default)]
pub struct Reply {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset that forgets the requests of others.
    pub reset: Signal<In, Bit>,
    /// A part that was read comes at this edge.
    pub lands: Signal<In, Bit>,
    /// Which.
    pub part: Signal<In, Bits<1>>,
    /// The row store's output: the sector, word 0 lowest.
    pub word: Many<Signal<In, Bits<32>>, 8>,
    /// The response is whole after this edge.
    pub ends: Signal<In, Bit>,
    /// The request's id.
    pub id: Signal<In, Bits<6>>,
    /// Who asked.
    pub rank: Signal<In, Bits<8>>,
    /// The address lies beyond the window.
    pub error: Signal<In, Bit>,
    /// `reply` is full.
    pub full: Signal<Out, Bit>,
    /// What it holds stays there at this edge.
    pub stays: Signal<Out, Bit>,

    /// A response is offered.
    pub response: ServeResponsePort,

    holds: Register<Bit>,
    held_id: Register<Bits<6>>,
    held_rank: Register<Bits<8>>,
    held_error: Register<Bit>,
    held_data: Registers<Bits<32>, 8>,
    leaves: Signal<Local, Bit>,

    /// A part comes only while it is empty.
    contract_empty: Signal<Local, Bit>,
}

impl Logic for Reply {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, holds, held_id, held_rank, held_error, held_data);
        self.leaves.next = self.holds.q.val() & self.response.serve_rsp_ready.val();
        if !self.holds.q.val() {
            self.holds.d.next = self.ends.val();
            self.held_id.d.next = self.id.val();
            self.held_rank.d.next = self.rank.val();
            self.held_error.d.next = self.error.val();
        }
        if self.lands.val() & !self.error.val() {
            for i in 0..PARTS {
                for j in 0..PART_WORDS {
                    if self.part.val() == i.to_bits::<1>() {
                        self.held_data.d[i * PART_WORDS + j].next = self.word[i * PART_WORDS + j].val();
                    }
                }
            }
        }
        if self.leaves.val() {
            self.holds.d.next = false;
            for i in 0..8 {
                self.held_data.d[i].next = 0.into();
            }
        }
        self.full.next = self.holds.q.val();
        self.stays.next = self.holds.q.val() & !self.response.serve_rsp_ready.val();
        self.response.serve_rsp_valid.next = self.holds.q.val();
        self.response.serve_rsp_id.next = self.held_id.q.val();
        self.response.serve_rsp_rank.next = self.held_rank.q.val();
        self.response.serve_rsp_error.next = self.held_error.q.val();
        Arrays::join(&mut self.response.serve_rsp_data, &mut self.held_data.q);

        self.contract_empty.next = !(self.lands.val() | self.ends.val()) | !self.holds.q.val();
    }
}

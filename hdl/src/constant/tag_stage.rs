//! `TagStage`: place `tag`: bank table and tags of the constant cache (LDC-7, LDC-8).
//!
//! ```text
//! pass (from issue) ─┬─► bank table ─┬─► bounds, line address
//!                    └─► registers ──┴─► ConstantSet ─► hit, way
//!        ─► hit, or no line needed: to data    ─► miss: to a miss entry    ─► command: takes effect, to done
//! ```
//!
//! Whether `tag` moves never depends on the look-up's outcome: it asks for a free `data` *and* an empty miss
//! entry, and only then the outcome steers the pass. That keeps the tag comparison out of the stall chain.
//!
//! Assertions: `contract_install`.

use super::prelude::*;
use super::{bank_table::BankTable, constant_set::ConstantSet};

/// Place `tag` of the constant path, the bank table and the tags.
#[derive(LogicBlock, Default)]
pub struct TagStage {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Write to the bank table.
    pub cfg_bank: Signal<In, BankWrite>,
    /// It is taken at this edge.
    pub cfg_takes: Signal<Out, Bit>,
    /// Sticky: a table write was refused.
    pub cfg_refused: Signal<Out, Bit>,

    /// A pass or a command is offered.
    pub pass_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub pass_ready: Signal<Out, Bit>,
    /// It is taken whether or not `data` is free.
    pub free_anyway: Signal<Out, Bit>,
    /// What `tag` holds moves if `data` is free.
    pub may_move: Signal<Out, Bit>,
    /// The pass.
    pub pass: Signal<In, LdcPass>,
    /// Byte in its line, for each lane.
    pub pass_offset: Many<Signal<In, Bits<6>>, LANES>,

    /// `data` is free at this edge.
    pub data_ready: Signal<In, Bit>,
    /// A ready miss entry goes first.
    pub replay_waits: Signal<In, Bit>,
    /// A miss entry is empty.
    pub miss_ready: Signal<In, Bit>,
    /// `done` is free at this edge.
    pub done_ready: Signal<In, Bit>,
    /// The pass enters `data`.
    pub to_data: Signal<Out, Bit>,
    /// The pass takes a miss entry.
    pub to_miss: Signal<Out, Bit>,
    /// A command took effect: `done` takes `tag`.
    pub to_done: Signal<Out, Bit>,
    /// It invalidated the constant cache.
    pub kills: Signal<Out, Bit>,
    /// The pass that moves hit a line (for the counter).
    pub hits: Signal<Out, Bit>,
    /// `tag` holds a pass.
    pub holds: Signal<Out, Bit>,
    /// The pass in `tag`, or the tag of a command.
    pub data: Signal<Out, DataPass>,
    /// Byte in the line, for each lane.
    pub offset: Many<Signal<Out, Bits<6>>, LANES>,
    /// Bank, then line.
    pub key: Signal<Out, Bits<15>>,
    /// Way that holds the line.
    pub way: Signal<Out, Bits<CONSTANT_WAY_BITS>>,
    /// Byte address of the line in memory.
    pub line_address: Signal<Out, Bits<ADDR>>,
    /// Of a line that is needed: nothing of its second sector lies in the bank.
    pub is_short: Signal<Out, Bit>,

    /// A line enters its set's oldest way at this edge.
    pub install: Signal<In, Bit>,
    /// Bank, then line.
    pub install_key: Signal<In, Bits<15>>,
    /// The line may be kept.
    pub install_keep: Signal<In, Bit>,
    /// The way that it takes.
    pub install_way: Signal<Out, Bits<CONSTANT_WAY_BITS>>,

    bank_table: BankTable,
    sets: ConstantSet,
    full: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing is offered: those before it learn from it whether it is free.
    vacant: Register<Bit>,
    /// It holds a pass, not a command.
    holds_pass: Register<Bit>,
    held: Register<LdcPass>,
    offset_held: Registers<Bits<6>, LANES>,
    set_key: Signal<Local, Bits<13>>,
    found: Signal<Local, Bit>,
    needs_line: Signal<Local, Bit>,
    /// The bank ends behind the line; or in it; and each lane's quarter of a line begins before that end.
    line_is_inside: Signal<Local, Bit>,
    line_is_last: Signal<Local, Bit>,
    below_end: Signal<Local, Bits<LANES>>,
    in_bounds: Signal<Local, Bits<LANES>>,
    /// Nothing but `data` holds back a pass.
    is_free_to: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    pass_moves: Signal<Local, Bit>,

    /// Nothing leaves `tag` in the cycle of an install.
    contract_install: Signal<Local, Bit>,
}

impl Logic for TagStage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, vacant, holds_pass, held, offset_held);

        // Rule ENTRY-FREE: `tag` moves when everything that its content could need is there.
        self.is_free_to.next = !self.install.val() & !self.replay_waits.val() & self.miss_ready.val();
        self.pass_moves.next =
            self.full.q.val() & !self.held.q.val().is_command & self.is_free_to.val() & self.data_ready.val();
        // The same, but for `data`, for those before it: of a register of their own, or synthesis sends both the longer way.
        self.may_move.next = self.holds_pass.q.val() & self.is_free_to.val();
        self.to_done.next =
            self.full.q.val() & self.held.q.val().is_command & !self.install.val() & self.done_ready.val();
        self.moves.next = self.pass_moves.val() | self.to_done.val();
        // Whether `data` is free is known last.
        self.free_anyway.next = self.vacant.q.val() | self.to_done.val();
        self.pass_ready.next = !self.full.q.val() | self.moves.val();
        if self.pass_ready.val() {
            self.full.d.next = self.pass_valid.val();
            self.vacant.d.next = !self.pass_valid.val();
            self.holds_pass.d.next = self.pass_valid.val() & !self.pass.val().is_command;
            self.held.d.next = self.pass.val();
            Arrays::join(&mut self.offset_held.d, &mut self.pass_offset);
        }
        self.kills.next = self.to_done.val() & (self.held.q.val().cmd == CMD_INVALIDATE_CONST);

        // Rule LINE, LDC-7, LDC-8: one look-up for the whole pass; a bank's size is a multiple of 16 bytes.
        clock!(self, clock, bank_table);
        self.bank_table.write.next = self.cfg_bank.val();
        self.bank_table.reads.next = self.pass_ready.val();
        self.bank_table.read_index.next = self.pass.val().bank;
        self.cfg_takes.next = self.bank_table.takes.val();
        self.cfg_refused.next = self.bank_table.refused.val();
        self.line_is_inside.next =
            bit_cast::<11, 10>(self.held.q.val().line) < self.bank_table.size.val().get_bits::<11>(6);
        self.line_is_last.next =
            bit_cast::<11, 10>(self.held.q.val().line) == self.bank_table.size.val().get_bits::<11>(6);
        self.is_short.next = !self.line_is_inside.val() & (self.bank_table.size.val().get_bits::<2>(4) != 3);
        self.line_address.next = self.bank_table.base.val() + (bit_cast::<ADDR, 10>(self.held.q.val().line) << 6);

        // Which lanes of the group are in bounds.
        Arrays::join(&mut self.offset, &mut self.offset_held.q);
        self.below_end.next = 0.into();
        for i in 0..LANES {
            if self.offset_held.q[i].val().get_bits::<2>(4) < self.bank_table.size.val().get_bits::<2>(4) {
                self.below_end.next = self.below_end.val().replace_bit(i, true);
            }
        }
        self.in_bounds.next = 0.into();
        if self.line_is_inside.val() {
            self.in_bounds.next = self.held.q.val().group;
        } else if self.line_is_last.val() {
            self.in_bounds.next = self.held.q.val().group & self.below_end.val();
        }
        // The group of a line that lies inside has a lane, if the pass has a group: no need to look at them.
        self.needs_line.next = self.bank_table.valid.val()
            & ((self.line_is_inside.val() & self.held.q.val().has_group)
                | (self.line_is_last.val() & (self.held.q.val().group & self.below_end.val()).any()));
        self.data.next.write = self.held.q.val().group | self.held.q.val().ride;
        self.data.next.value = 0.into();
        if self.bank_table.valid.val() {
            self.data.next.value = self.in_bounds.val();
        }
        self.data.next.segment = self.held.q.val().bank - self.held.q.val().named_bank;

        // Rule LOOK-UP.
        self.key.next = (bit_cast::<15, 5>(self.held.q.val().bank) << 10) | bit_cast::<15, 10>(self.held.q.val().line);
        self.set_key.next = self.key.val().get_bits::<13>(2);
        clock!(self, clock, sets);
        self.sets.reads.next = self.pass_ready.val();
        self.sets.holds.next = self.full.q.val();
        self.sets.read_set.next = self.pass.val().line.get_bits::<2>(0);
        self.sets.set.next = self.held.q.val().line.get_bits::<2>(0);
        self.sets.key.next = self.set_key.val();
        self.sets.install_set.next = self.install_key.val().get_bits::<2>(0);
        self.sets.install_key.next = self.install_key.val().get_bits::<13>(2);
        self.sets.install.next = self.install.val();
        self.sets.install_keep.next = self.install_keep.val();
        self.sets.flush.next = self.kills.val();
        self.found.next = self.sets.hit_ways.val().any();
        self.way.next = self.sets.hit_way.val();
        self.install_way.next = self.sets.oldest_way.val();
        self.sets.touch.next = self.pass_moves.val();
        self.sets.touch_counts.next = self.needs_line.val();
        self.hits.next = self.pass_moves.val() & self.needs_line.val() & self.found.val();
        self.to_miss.next = self.pass_moves.val() & self.needs_line.val() & !self.found.val();
        self.to_data.next = self.pass_moves.val() & (!self.needs_line.val() | self.found.val());

        self.holds.next = self.full.q.val();
        self.data.next.tag = self.held.q.val().tag;
        self.data.next.result = self.held.q.val().result;

        self.contract_install.next = !self.install.val() | !self.moves.val();
    }
}

//! `ConstantCache`: the indexed constant cache: LDC and constant loads from a grouped operation to their registers.
//!
//! ```text
//!                ┌───────┐ pass ┌──────────┐ hit  ┌───────────┐
//! from group ──► │ Issue │ ───► │ TagStage │ ───► │ DataStage │ ──► wb
//!                └───┬───┘      └────┬─────┘      └─────▲─────┘
//!                    │ fault    miss │ ▲ install  replay│
//!                    ▼               ▼ │                │
//!               FaultRegister      ┌───┴────┐           │
//!                                  │ Misses │ ──────────┘
//!                                  └───┬────┘ ──► mem_req, ◄── mem_rsp
//! ```
//!
//! The page `docs/constant_cache.md` is its timing contract.

use super::prelude::*;
use super::{data_stage::DataStage, fault_register::FaultRegister, issue::Issue, misses::Misses, tag_stage::TagStage};

/// The constant cache, from place `issue` on.
#[derive(LogicBlock, Default)]
pub struct ConstantCache {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A grouped operation is offered.
    pub grouped: GroupedPort,
    /// `data` is free.
    pub data_ready: Signal<Out, Bit>,
    /// Write to the bank table.
    pub cfg_bank: Signal<In, BankWrite>,
    /// It is taken at this edge.
    pub cfg_takes: Signal<Out, Bit>,
    /// Sticky: a table write was refused.
    pub cfg_refused: Signal<Out, Bit>,
    /// Nothing is in flight from `issue` on.
    pub idle: Signal<Out, Bit>,
    /// A sector is asked for.
    pub memory: LinePort,
    /// A register is offered.
    pub out: WritebackPort,
    /// A record is offered.
    pub faults: FaultPort,
    /// A command has taken effect.
    pub done_valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub done_ready: Signal<In, Bit>,
    /// Its tag.
    pub done_tag: Signal<Out, Bits<8>>,
    /// Passes issued; wraps.
    pub passes: Signal<Out, Bits<32>>,
    /// Passes that hit; wraps.
    pub hits: Signal<Out, Bits<32>>,
    /// Passes that missed; wraps.
    pub misses: Signal<Out, Bits<32>>,

    issue: Issue,
    tag: TagStage,
    miss: Misses,
    data: DataStage,
    fault_register: FaultRegister,
    done_full: Register<Bit>,
    done_held: Register<Bits<8>>,
    pass_counter: EventCounter,
    hit_counter: EventCounter,
    miss_counter: EventCounter,
    done_free: Signal<Local, Bit>,
    reports: Signal<Local, Bit>,
}

impl Logic for ConstantCache {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, done_full, done_held);
        clock!(self, clock, issue, tag, miss, data, fault_register, pass_counter, hit_counter, miss_counter);

        // `issue`.
        GroupedPort::link(&mut self.grouped, &mut self.issue.grouped);
        self.data_ready.next = self.data.in_ready.val();
        self.issue.pass_ready.next = self.tag.free_anyway.val();
        self.issue.pass_follows.next = self.tag.may_move.val();
        self.issue.data_ready.next = self.data.in_ready.val();
        self.issue.faults.fault_ready.next = self.fault_register.issue_ready.val();

        // `issue` to `tag`.
        self.tag.cfg_bank.next = self.cfg_bank.val();
        self.cfg_takes.next = self.tag.cfg_takes.val();
        self.cfg_refused.next = self.tag.cfg_refused.val();
        self.tag.pass_valid.next = self.issue.pass_valid.val();
        self.tag.pass.next = self.issue.pass.val();
        Arrays::join(&mut self.tag.pass_offset, &mut self.issue.pass_offset);
        self.tag.data_ready.next = self.data.in_ready.val();
        self.tag.replay_waits.next = self.miss.replay_valid.val();
        self.tag.miss_ready.next = self.miss.has_empty.val();
        self.tag.install.next = self.miss.install.val();
        self.tag.install_key.next = self.miss.install_key.val();
        self.tag.install_keep.next = self.miss.install_keep.val();

        // `tag` to a miss entry, and memory.
        self.miss.allocate.next = self.tag.to_miss.val();
        self.miss.allocate_key.next = self.tag.key.val();
        self.miss.allocate_address.next = self.tag.line_address.val();
        self.miss.allocate_short.next = self.tag.is_short.val();
        self.miss.allocate_pass.next = self.tag.data.val();
        self.miss.kill.next = self.tag.kills.val();
        self.miss.replay_ready.next = self.data.in_ready.val();
        self.miss.data_is_replay.next = self.data.is_replay.val();
        self.miss.data_tag.next = self.data.tag.val();
        LinePort::link(&mut self.memory, &mut self.miss.memory);

        // `tag` or a miss entry to `data`.
        self.data.in_valid.next = self.miss.replay_valid.val() | self.tag.to_data.val();
        self.data.in_is_replay.next = self.miss.replay_valid.val();
        self.data.in_way.next = self.tag.way.val();
        self.data.in_failed.next = 0.into();
        if self.miss.replay_valid.val() {
            self.data.in_failed.next = self.miss.replay_failed.val();
            self.data.in_pass.next = self.miss.replay.val();
            self.data.in_line.next = self.miss.replay_line.val();
        } else {
            self.data.in_pass.next = self.tag.data.val();
            self.data.in_line.next = self.tag.key.val().get_bits::<10>(0);
        }
        for i in 0..LANES {
            self.miss.allocate_offset[i].next = self.tag.offset[i].val();
            if self.miss.replay_valid.val() {
                self.data.in_offset[i].next = self.miss.replay_offset[i].val();
            } else {
                self.data.in_offset[i].next = self.tag.offset[i].val();
            }
        }
        self.data.install.next = self.miss.install.val();
        self.data.install_set.next = self.miss.install_key.val().get_bits::<2>(0);
        self.data.install_way.next = self.tag.install_way.val();
        self.data.install_sector.next = self.miss.install_sector.val();
        Arrays::join(&mut self.data.install_data, &mut self.miss.install_data);
        // Rule WB-LAST: no other pass of the operation in `issue`, `tag` or a miss entry.
        self.data.has_more.next = (self.issue.pass_valid.val() & (self.issue.pass.val().tag == self.data.tag.val()))
            | (self.tag.holds.val() & (self.tag.data.val().tag == self.data.tag.val()))
            | self.miss.holds_data_tag.val();
        WritebackPort::link(&mut self.out, &mut self.data.out);

        // `fault`.
        self.reports.next = self.data.fault_valid.val() & self.fault_register.free.val();
        self.fault_register.failed_waits.next = self.reports.val();
        self.fault_register.failed_valid.next = self.reports.val();
        self.fault_register.failed.next = self.data.fault.val();
        self.data.fault_ready.next = self.fault_register.free.val();
        self.fault_register.issue_valid.next = self.issue.faults.fault_valid.val();
        self.fault_register.issue.next = self.issue.faults.fault.val();
        FaultPort::link(&mut self.faults, &mut self.fault_register.faults);

        // `done`: a command's acknowledgement.
        self.done_free.next = !self.done_full.q.val() | self.done_ready.val();
        self.tag.done_ready.next = self.done_free.val();
        if self.done_free.val() {
            self.done_full.d.next = self.tag.to_done.val();
            self.done_held.d.next = self.tag.data.val().tag;
        }
        self.done_valid.next = self.done_full.q.val();
        self.done_tag.next = self.done_held.q.val();

        // `response` is full only while an entry is in use.
        self.idle.next = !self.issue.pass_valid.val()
            & !self.issue.faults.fault_valid.val()
            & !self.tag.holds.val()
            & self.miss.idle.val()
            & !self.data.holds.val()
            & !self.data.out.wb_valid.val()
            & !self.fault_register.faults.fault_valid.val()
            & !self.done_full.q.val();

        // Counters.
        self.pass_counter.happens.next =
            self.issue.pass_valid.val() & self.tag.pass_ready.val() & !self.issue.pass.val().is_command;
        self.hit_counter.happens.next = self.tag.hits.val();
        self.miss_counter.happens.next = self.tag.to_miss.val();
        self.passes.next = self.pass_counter.count.val();
        self.hits.next = self.hit_counter.count.val();
        self.misses.next = self.miss_counter.count.val();
    }
}

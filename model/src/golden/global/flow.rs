//! Flow: which places move their content on at the edge that ends this cycle.
//!
//! Everything is decided on the values of the cycle before anything moves, from the last place to the first.

use super::Global;
use super::cache::WaySector;
use super::pick::Picked;
use super::shape::Kind;
use super::tag::Stall;

/// What the arbiters and the pins behind them give this path: set where something is presented and taken at this edge.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct GlobalGrants {
    pub wb: bool,
    pub fault: bool,
    pub done: bool,
    pub read: bool,
    pub write: bool,
    /// The same of the cluster port.
    pub cluster_read: bool,
    pub cluster_write: bool,
}

/// What rule WRITE-BACK does at an edge beside what is picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::golden) enum Step {
    #[default]
    Nothing,
    /// `write_back` takes a dirty sector.
    Take(WaySector),
    /// `CMD_WRITE_BACK_LOCAL` looks at the next set.
    NextSet,
}

/// The decisions of one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Flow {
    /// Nothing is in flight, so nothing can move.
    pub quiet: bool,
    /// `emit` sends its last register.
    pub emit_leaves: bool,
    /// `collect` moves to `emit`.
    pub collect_moves: bool,
    /// `landing` moves to `collect`.
    pub landing_moves: bool,
    /// `read` moves to `landing`.
    pub read_moves: bool,
    pub picked: Picked,
    /// A waiter moves to `resume`.
    pub waiter_moves: Option<u8>,
    /// `ro_read` moves to `ro_hit`.
    pub ro_read_moves: bool,
    pub tag_moves: bool,
    pub tag_stall: Option<Stall>,
    pub write_back: Step,
    /// `merge` moves to `tag`.
    pub merge_moves: bool,
    /// `issue` hands a pass or a command on.
    pub issue_sends: bool,
    /// `issue` hands its fault record to `fault`.
    pub issue_faults: bool,
    pub check_moves: bool,
    pub intake_moves: bool,
    /// `req_ready`, if the request is this path's.
    pub intake_free: bool,
    /// `wdata_ready`.
    pub takes_data: bool,
}

impl Flow {
    pub(in crate::golden) fn of(unit: &Global, grants: &GlobalGrants) -> Self {
        if unit.is_quiet() {
            return Self { quiet: true, intake_free: true, ..Self::default() };
        }
        let emit_leaves = grants.wb && unit.emit.get().is_some_and(|emission| emission.is_on_last_register());
        let emit_free = !unit.emit.is_full() || emit_leaves;
        let fault_free = unit.fault.is_none() || grants.fault;
        let done_free = unit.done.is_none() || grants.done;

        let (collected, landed) = (unit.collect.get(), unit.landing.get());
        let same = collected.zip(landed).is_some_and(|(collected, read)| collected.is_same(read));
        let collect_moves = collected
            .is_some_and(|collected| emit_free && !same && (landed.is_some() || !unit.is_ahead(collected.shape.tag)));
        let landing_moves = landed.is_some() && (collected.is_none() || same || collect_moves);
        // A read of `serve` or `write_back` always moves on.
        let read_moves = unit.read.is_full() && (landed.is_none() || landing_moves);
        let read_free = !unit.read.is_full() || read_moves;

        let picked = unit.pick(read_free, fault_free, done_free);

        let ro_read_moves = unit.ro_read.is_full() && unit.ro_hit.is_free();
        let ro_read_free = !unit.ro_read.is_full() || ro_read_moves;

        let tag_stall = unit.tag_stall(ro_read_free);
        let tag_moves = !unit.tag.is_empty() && tag_stall.is_none();
        let tag_free = unit.tag.is_free();

        let merge_moves = tag_free && unit.merge.get().is_some_and(|merging| merging.is_complete_after_cycle());
        let merge_free = !unit.merge.is_full() || merge_moves;

        let (mut issue_sends, mut issue_faults, mut issue_free, mut takes_data) = (false, false, true, false);
        if let Some(operation) = unit.issue.get() {
            let is_store = operation.shape.is_store();
            let has_data = unit.store_data.taken >= operation.shape.beats;
            takes_data = is_store && !has_data && !unit.merge.is_full();
            if operation.fault.is_some() {
                let resume_failed = unit.resume.get().is_some_and(|readable| readable.failed != 0);
                issue_faults = fault_free && !resume_failed && (!is_store || has_data);
            } else if is_store {
                issue_sends = merge_free && has_data;
            } else if operation.is_on_shared_pass() {
                issue_sends = unit.bank.is_free() && !unit.merge.is_full() && !unit.holds_shared_store();
            } else {
                issue_sends = tag_free && !unit.merge.is_full();
            }
            let is_command = matches!(operation.shape.kind, Kind::Command(_));
            issue_free = issue_faults || (issue_sends && (is_command || operation.is_on_last_pass()));
        }
        let check_free = unit.check.is_free();

        Self {
            quiet: false,
            emit_leaves,
            collect_moves,
            landing_moves,
            read_moves,
            picked,
            waiter_moves: unit.misses.ready().filter(|_| unit.resume.is_free()),
            ro_read_moves,
            tag_moves,
            tag_stall,
            write_back: unit.write_back_step(tag_stall),
            merge_moves,
            issue_sends,
            issue_faults,
            check_moves: !unit.check.is_empty() && issue_free,
            intake_moves: unit.intake.is_full() && check_free,
            intake_free: !unit.intake.is_full() || check_free,
            takes_data,
        }
    }
}

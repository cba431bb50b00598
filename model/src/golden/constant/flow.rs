//! Flow: which places move their content on at the edge that ends this cycle.
//!
//! Everything is decided on the values of the cycle before anything moves, from the last place to the first.

use super::Constant;
use super::operation::Kind;
use super::tag::TagContent;

/// What the arbiters and the pins behind them give this path: set where something is presented and taken at this edge.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Grants {
    pub wb: bool,
    pub fault: bool,
    pub done: bool,
    pub memory: bool,
}

/// The decisions of one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Flow {
    /// Nothing is in flight, so nothing can move.
    pub quiet: bool,
    /// `data` sends a register to `wb`.
    pub data_sends: bool,
    /// A ready entry enters `data`.
    pub ready_enters: bool,
    /// A line enters the cache.
    pub install: bool,
    /// `response` is emptied, by an install or because it holds a first sector.
    pub response_consumed: bool,
    /// `tag` moves its content on.
    pub tag_moves: bool,
    /// `issue` hands a pass or a command to `tag`.
    pub issue_sends: bool,
    /// `issue` hands a fault record to `fault`.
    pub issue_faults: bool,
    /// `group` moves to `issue`.
    pub group_moves: bool,
    /// `intake` moves to `group`.
    pub intake_moves: bool,
    /// `req_ready`.
    pub intake_free: bool,
}

impl Flow {
    /// Rules ADVANCE, ENTRY-FREE.
    pub(in crate::golden) fn of(unit: &Constant, grants: &Grants) -> Self {
        if unit.is_quiet() {
            return Self { quiet: true, intake_free: true, ..Self::default() };
        }
        let wb_free = unit.wb.is_none() || grants.wb;
        let fault_free = unit.fault.is_none() || grants.fault;
        let done_free = unit.done.is_none() || grants.done;

        let data_has_fault = unit.data.as_ref().is_some_and(|data| data.has_fault());
        let data_sends = unit.data.is_some() && wb_free && (!data_has_fault || fault_free);
        let data_free = unit.data.as_ref().is_none_or(|data| data_sends && data.is_on_last_register());

        let any_ready = unit.misses.any_ready();
        let holds_miss = unit.data.as_ref().is_some_and(|data| data.is_replay);
        let line_is_complete = unit.fetch.line_is_complete();
        let install = line_is_complete && !any_ready && !holds_miss;

        let tag_moves = !install
            && match &unit.tag {
                None => false,
                Some(TagContent::Command { .. }) => done_free,
                Some(TagContent::Pass(_)) => data_free && !any_ready && unit.misses.lowest_empty().is_some(),
            };
        let tag_free = unit.tag.is_none() || tag_moves;

        let (issue_sends, issue_faults, issue_empties) = match &unit.issue {
            None => (false, false, false),
            Some(operation) => match operation.kind {
                Kind::Faulty(_) => {
                    let faults = fault_free && !(data_sends && data_has_fault);
                    (false, faults, faults)
                }
                Kind::Command(_) => (tag_free, false, tag_free),
                Kind::Load => (tag_free, false, tag_free && operation.is_on_last_pass()),
            },
        };
        let issue_free = unit.issue.is_none() || issue_empties;
        let group_free = unit.group.is_none() || issue_free;
        let intake_free = unit.intake.is_none() || group_free;

        Self {
            quiet: false,
            data_sends,
            ready_enters: any_ready && data_free,
            install,
            response_consumed: unit.fetch.response().is_some() && (install || !line_is_complete),
            tag_moves,
            issue_sends,
            issue_faults,
            group_moves: unit.group.is_some() && issue_free,
            intake_moves: unit.intake.is_some() && group_free,
            intake_free,
        }
    }
}

//! Which rules of the timing contracts act in a cycle, and how full every place is: the golden model's own decisions, for whoever
//! counts what programs have exercised.
//!
//! All of it is read off the state of a cycle before [`Golden::step`] moves it on. The model itself never asks, so that a cycle that
//! nobody asks about costs nothing more.

use super::named::named;
use super::{Arbiters, Decisions, Golden, is_global};
use crate::pins::Inputs;

/// Declares the rules with their names and questions.
macro_rules! rules {
    ($($variant:ident = $name:literal, $question:literal;)+) => {
        named! {
            /// A rule of the timing contracts, by its name in them, and the question that it answers with yes or no. It is asked in a
            /// cycle only where there is something to ask about: nobody misses in a cycle in which `tag` does not move. First come
            /// the rules of the global path, then those of the constant cache.
            Rule { $(#[doc = $question] $variant = $name;)+ }
        }

        impl Rule {
            /// What it is asked.
            pub const fn question(self) -> &'static str {
                match self {
                    $(Self::$variant => $question,)+
                }
            }
        }
    };
}

rules! {
    Free = "FREE", "`intake`, `check`, `ro_read` or `read` holds something: does it move?";
    Path = "PATH", "A request is on the pins: is it one of the global path?";
    Fault = "FAULT", "`check` holds an operation: is it faulty?";
    Shared = "SHARED", "`intake` holds a load or a store without a fault: are lanes of it shared?";
    Cluster = "CLUSTER", "The same: are lanes of it remote?";
    Serve = "SERVE", "`serve` holds a request: is a part of it read or written?";
    Local = "LOCAL", "As SHARED: are lanes of it local?";
    Window = "WINDOW", "As SHARED: are lanes of it windowed?";
    Pass = "PASS", "`issue` holds passes or a command: does one leave?";
    Bank = "BANK", "A shared pass leaves `issue`: does it leave shared lanes behind?";
    Beats = "BEATS", "`issue` holds a store: is a beat taken, should there be one?";
    Merge = "MERGE", "`merge` holds a pass: does it leave?";
    Stall = "STALL", "`tag` holds something: does it stay?";
    Order = "ORDER", "`tag` holds a pass with a line, not nc: is it held by an MSHR?";
    ReadFirst = "READ-FIRST", "`tag` holds a store with a line: is it held by what is to be read?";
    Acquire = "ACQUIRE", "`tag` holds a load with a line, not nc, and an acquire waits: is it held by that?";
    Release = "RELEASE", "`tag` holds a release that is not empty: is it held by a waiter?";
    BankOrder = "BANK-ORDER", "A shared store is in `tag`, or a shared load's pass in `issue`: is it held by one of the other sort?";
    Hit = "HIT", "A load with a line leaves `tag`: does a sector hit?";
    Miss = "MISS", "A load with a line leaves `tag`: does a sector miss?";
    Join = "JOIN", "A kept load misses: does it join an MSHR?";
    NotKept = "NOT-KEPT", "A kept load misses in a way that is found: does the way take nothing new?";
    Pinned = "PINNED", "A kept load or a local store that leaves `tag` looks for a victim: is a way of its set pinned?";
    Victim = "VICTIM", "The same: is there one?";
    KeepLost = "KEEP-LOST", "A cache is emptied, or a line dropped: does an MSHR lose `keep`?";
    Drop = "DROP", "An ordered load with a line leaves `tag`: is its line found?";
    Touch = "TOUCH", "A kept load leaves `tag`: does a way become the youngest?";
    Update = "UPDATE", "A store with lanes leaves `tag`: is the next cycle an update?";
    Flush = "FLUSH", "A command leaves `tag`, a waiter its place, or a pass `bank`: are valid bits cleared?";
    WriteBack = "WRITE-BACK", "`tag` holds what needs a set that is not dirty: is it held by that?";
    LastUse = "LAST-USE", "A local load that needs whole words for the last time leaves `tag`: does a sector go with it?";
    Request = "REQUEST", "`read_queue` or `write` has a request: is one taken?";
    Arbiter = "ARBITER", "An arbiter has a source: has it both?";
    Response = "RESPONSE", "There is a response to this path, from memory or in `answer`: does it act?";
    Row = "ROW", "The row store is read or written: is it both?";
    Ready = "READY", "There are waiters: does one leave?";
    Pick = "PICK", "A place is picked: does it go?";
    Report = "REPORT", "The picked pass reports: does it go?";
    Same = "SAME", "`collect` and `landing` are full: do they belong together?";
    Ahead = "AHEAD", "`collect` is full and `landing` is empty: is more ahead?";
    Last = "LAST", "A picked pass leaves: is it its operation's last?";
    Emit = "EMIT", "`emit` is full: is a register sent?";
    Drain = "DRAIN", "Requests are unanswered: does the unit drain?";
    Advance = "ADVANCE", "`intake`, `group` or `issue` of the constant cache holds something: does it move?";
    EntryFree = "ENTRY-FREE", "`tag` of the constant cache holds something: does it move?";
    Registers = "REGISTERS", "`intake` of the constant cache holds an operation: does it take several registers?";
    Const = "CONST", "`intake` of the constant cache holds no command: is it a constant load?";
    Group = "GROUP", "A pass leaves `issue` of the constant cache: does it leave lanes behind?";
    Line = "LINE", "A pass leaves `tag` of the constant cache: does it need its line?";
    LookUp = "LOOK-UP", "A pass that needs its line leaves `tag` of the constant cache: does it hit?";
    Share = "SHARE", "A constant pass misses: does it share a fetch?";
    Kill = "KILL", "The constant cache is emptied: is a waiting entry killed?";
    Fetch = "FETCH", "The constant cache has a request: is it taken?";
    Install = "INSTALL", "`response` completes a line: is it installed?";
    Replay = "REPLAY", "An entry is ready: does one enter `data`?";
    Beat = "BEAT", "`data` holds a pass: does it send a register?";
    WbLast = "WB-LAST", "`data` sends the last register of a pass: is it its operation's last?";
}

const _: () = assert!(Rule::ALL.len() <= 64, "the rules do not fit a bit set");

/// What the rules answer in one cycle. A rule that is asked about several things at once may answer both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleCycle {
    /// Rules that answer yes: bit n is that of `Rule::ALL[n]`.
    pub yes: u64,
    /// Those that answer no.
    pub no: u64,
}

impl RuleCycle {
    pub(super) fn answer(&mut self, rule: Rule, answer: bool) {
        let bits = if answer { &mut self.yes } else { &mut self.no };
        *bits |= 1 << rule as u32;
    }

    /// The answer, if the rule is asked.
    pub(super) fn ask(&mut self, rule: Rule, answer: Option<bool>) {
        if let Some(answer) = answer {
            self.answer(rule, answer);
        }
    }

    /// For each of these places, whether what it holds, if anything, moves.
    pub(super) fn move_on<const N: usize>(&mut self, rule: Rule, places: [(bool, bool); N]) {
        places.into_iter().filter(|(is_held, _)| *is_held).for_each(|(_, moves)| self.answer(rule, moves));
    }
}

/// How full a place is in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceCycle {
    /// Its name in the contract; those of the global path begin with `global_`, as in waves.
    pub name: &'static str,
    /// How much it holds.
    pub held: u32,
    /// How much it has room for.
    pub room: u32,
    /// Something of it moves on at the edge.
    pub moves: bool,
}

impl Golden {
    /// What the rules answer in the cycle with these inputs, before [`Golden::step`] ends it. Nothing while `rst` is high.
    pub fn rules(&self, inputs: &Inputs) -> RuleCycle {
        let mut cycle = RuleCycle::default();
        if inputs.reset {
            return cycle;
        }
        let decisions = self.decide(inputs);
        cycle.ask(Rule::Path, inputs.req_valid.then(|| is_global(&inputs.req)));
        cycle.ask(Rule::Drain, (self.drain.unanswered() != 0).then(|| self.drain.drains()));
        let sources = Arbiters::sources(&self.constant, &self.global);
        cycle.move_on(Rule::Arbiter, sources.map(|[first, second]| (first || second, first && second)));
        let Decisions { constant_flow, constant_grants, global_flow, global_grants, .. } = &decisions;
        self.constant.rules(constant_flow, constant_grants, &mut cycle);
        self.global.rules(global_flow, global_grants, self.response_acts(inputs), &mut cycle);
        cycle
    }

    /// Whether the response of memory to the global path on the pins acts; `None` where there is none, or it is thrown away.
    fn response_acts(&self, inputs: &Inputs) -> Option<bool> {
        let is_ours = inputs.mem_rsp_valid && inputs.mem_rsp.id >= super::global::FIRST_ID && !self.drain.drains();
        is_ours.then(|| self.global.takes_response())
    }

    /// Shows `visitor` every place in the cycle with these inputs, before [`Golden::step`] ends it: always the same ones in the same
    /// order.
    pub fn visit_fullness(&self, inputs: &Inputs, mut visitor: impl FnMut(PlaceCycle)) {
        let decisions = self.decide(inputs);
        self.constant.visit_fullness(&decisions.constant_flow, &decisions.constant_grants, &mut visitor);
        let response_acts = self.response_acts(inputs) == Some(true);
        let reply_leaves = inputs.serve_rsp_ready;
        let (flow, grants) = (&decisions.global_flow, &decisions.global_grants);
        self.global.visit_fullness(flow, grants, response_acts, reply_leaves, &mut visitor);
    }
}

//! What a rule that answers yes says of its cycle, as far as that keeps another rule from answering yes in the same one.
//!
//! A cycle has a value in each of a few variables; a rule demands one of some values of each. Two rules that leave no common value
//! in a variable never answer yes together, and the variable's name says why.

use lsu_model::golden::Rule;
use lsu_model::preset::Preset;

/// Something that has one value in each cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    Tag,
    Look,
    Serve,
    RowStore,
    Picked,
    Collect,
    Intake,
    Issue,
    Merge,
    ConstantTag,
    ConstantData,
    Entries,
    Drain,
}

const VARIABLES: usize = 13;

/// Why two demands of the variable exclude each other, by its number.
const REASONS: [&str; VARIABLES] = [
    "`tag` holds one elder, which moves or stays (STALL)",
    "one look-up has one end: it hits, joins, enters the found way or takes a victim (HIT, MISS, NOT-KEPT)",
    "`serve` reads or writes, and while it writes no store leaves `tag` (SERVE)",
    "the row store writes one thing at an edge (ROW)",
    "one place is picked (PICK)",
    "`landing` is full or empty (SAME, AHEAD)",
    "no lane beside a remote one lies in local memory (CLUSTER)",
    "`issue` holds one operation, whose passes wait for its beats (PASS, BEATS)",
    "beats are taken, and shared loads leave `issue`, while `merge` is empty (BEATS, PASS)",
    "`tag` of the constant cache holds one pass or command; an install and a ready entry keep passes there (ENTRY-FREE, INSTALL)",
    "`data` takes a pass only when it is free (ENTRY-FREE, REPLAY, BEAT)",
    "a line is installed while no entry is ready (INSTALL)",
    "while the unit drains nothing is asked for and nothing arrives, so that no sector is valid but what a pass of local stores has \
     written all of (DRAIN, UPDATE)",
];

/// Words of a sector, of which each lane of a local pass has one.
const SECTOR_WORDS: usize = 8;

/// Values of the elder of `tag`, and the same one further on if it stays.
mod tag {
    pub const COMMAND: u32 = 1 << 0;
    pub const SHARED_STORE: u32 = 1 << 1;
    pub const STORE: u32 = 1 << 2;
    /// Loads that are kept.
    pub const KEPT: u32 = 1 << 3;
    /// Looked up and not kept.
    pub const LOOKED_UP: u32 = 1 << 4;
    /// Neither ordered nor looked up.
    pub const PAST: u32 = 1 << 5;
    pub const ORDERED: u32 = 1 << 6;
    /// Passes without lanes.
    pub const EMPTY: u32 = 1 << 7;
    pub const LOCAL_STORE: u32 = 1 << 8;
    pub const STORES: u32 = STORE | LOCAL_STORE;
    pub const LOADS: u32 = KEPT | LOOKED_UP | PAST | ORDERED;
    pub const ALL: u32 = COMMAND | SHARED_STORE | STORES | LOADS | EMPTY;
    /// What stays instead of moving.
    pub const STAYS: u32 = 9;
    pub const ANY_STAYS: u32 = ALL << STAYS;
}

/// Ends of a look-up.
mod look {
    pub const ALL_HIT: u32 = 1 << 0;
    pub const JOIN: u32 = 1 << 1;
    pub const NOT_KEPT: u32 = 1 << 2;
    pub const ENTERS: u32 = 1 << 3;
    pub const VICTIM: u32 = 1 << 4;
    pub const NO_VICTIM: u32 = 1 << 5;
    /// Of what is not kept.
    pub const OTHER: u32 = 1 << 6;
    pub const MISSES: u32 = JOIN | NOT_KEPT | ENTERS | VICTIM | NO_VICTIM | OTHER;
}

/// What a rule demands: by variable, the values that it allows.
#[derive(Clone, Copy)]
struct Demand([u32; VARIABLES]);

impl Demand {
    const NOTHING: Self = Self([u32::MAX; VARIABLES]);

    fn of(variable: Variable, values: u32) -> Self {
        Self::NOTHING.and(variable, values)
    }

    fn and(mut self, variable: Variable, values: u32) -> Self {
        self.0[variable as usize] &= values;
        self
    }

    /// Nothing of it can be while the unit drains.
    fn answered(self) -> Self {
        self.and(Variable::Drain, 1)
    }

    /// The same, unless local stores can make a sector valid without memory.
    fn valid(self, preset: &Preset) -> Self {
        if fills_sector(preset) { self } else { self.answered() }
    }
}

/// LOCAL: whether the lanes of one local pass can be all words of a sector.
fn fills_sector(preset: &Preset) -> bool {
    preset.lanes >= SECTOR_WORDS
}

/// Why the rule never answers yes; `None` where it does.
pub(super) fn never(rule: Rule, preset: &Preset) -> Option<&'static str> {
    (rule == Rule::LastUse && !fills_sector(preset))
        .then_some("no local pass has all words of a sector (LOCAL, LAST-USE)")
}

/// What the rule demands of a cycle in which it answers yes.
fn demand(rule: Rule, preset: &Preset) -> Demand {
    use Variable::{
        Collect, ConstantData, ConstantTag, Drain, Entries, Intake, Issue, Look, Merge, Picked, RowStore, Serve, Tag,
    };
    // Of `serve`: reads, or nothing; writes.
    const READS: u32 = 1;
    const WRITES: u32 = 2;
    // Of the row store: an update, a part, a response, nothing.
    const UPDATE: u32 = 1;
    const PART: u32 = 2;
    const RESPONSE: u32 = 4;
    // Of what is picked: a load or a store that goes, `serve`, a command, `write_back`, nothing that goes.
    const ACCESS: u32 = 1;
    const SERVE: u32 = 2;
    const COMMAND: u32 = 4;
    const WRITE_BACK: u32 = 8;
    // Of `issue`: a shared load or a store with its data, both of which leave; others that do; a store without its data.
    const SHARED_LOAD_LEAVES: u32 = 1;
    const STORE_LEAVES: u32 = 2;
    const OTHER_LEAVES: u32 = 4;
    const WITHOUT_DATA: u32 = 8;
    // Of `merge`: empty, moves.
    const EMPTY: u32 = 1;
    const MOVES: u32 = 2;
    // Of the `tag` of the constant cache: a command, a pass that needs no line, that hits, that shares, that fetches; it stays.
    const KILL: u32 = 1;
    const NO_LINE: u32 = 2;
    const HIT: u32 = 4;
    const SHARE: u32 = 8;
    const FETCH: u32 = 16;
    const STAYS: u32 = 32;
    const PASSES: u32 = NO_LINE | HIT | SHARE | FETCH;
    // Of its `data`: empty, sends the last register, sends another one, stays.
    const FREE: u32 = 1;
    const LAST: u32 = 2;
    const SENDS: u32 = 4;

    let kept = Demand::of(Tag, tag::KEPT);
    let entering = Demand::of(Tag, tag::KEPT | tag::LOCAL_STORE);
    match rule {
        Rule::Free | Rule::Path | Rule::Fault | Rule::Arbiter | Rule::Emit => Demand::NOTHING,
        Rule::Advance | Rule::Registers | Rule::Const | Rule::Group | Rule::Flush | Rule::KeepLost => Demand::NOTHING,
        Rule::Shared => Demand::of(Intake, 1 | 2 | 4),
        Rule::Cluster => Demand::of(Intake, 2),
        Rule::Local => Demand::of(Intake, 1 | 8),
        Rule::Window => Demand::of(Intake, 1),
        Rule::Serve => Demand::of(Serve, READS | WRITES),
        Rule::Pass => Demand::of(Issue, SHARED_LOAD_LEAVES | STORE_LEAVES | OTHER_LEAVES),
        Rule::Bank => Demand::of(Issue, SHARED_LOAD_LEAVES | STORE_LEAVES),
        Rule::Beats => Demand::of(Issue, WITHOUT_DATA).and(Merge, EMPTY),
        Rule::Merge => Demand::of(Merge, MOVES),
        Rule::Stall => Demand::of(Tag, tag::ANY_STAYS),
        Rule::Order => Demand::of(Tag, (tag::STORES | tag::LOADS) << tag::STAYS),
        Rule::ReadFirst => Demand::of(Tag, tag::STORES << tag::STAYS).valid(preset),
        Rule::Acquire => Demand::of(Tag, tag::LOADS << tag::STAYS),
        Rule::Release => Demand::of(Tag, (tag::STORES | tag::SHARED_STORE) << tag::STAYS),
        Rule::BankOrder => Demand::of(Tag, tag::ALL | tag::ANY_STAYS),
        Rule::Hit => {
            let looks = look::ALL_HIT | look::JOIN | look::NOT_KEPT | look::ENTERS | look::OTHER;
            Demand::of(Tag, tag::KEPT | tag::LOOKED_UP).and(Look, looks).valid(preset)
        }
        Rule::Miss => Demand::of(Tag, tag::LOADS).and(Look, look::MISSES),
        Rule::Join => kept.and(Look, look::JOIN),
        Rule::NotKept => kept.and(Look, look::NOT_KEPT).valid(preset),
        Rule::Pinned => entering.and(Look, look::VICTIM | look::NO_VICTIM),
        Rule::Victim => entering.and(Look, look::VICTIM),
        Rule::Touch => kept.and(Look, !(look::NO_VICTIM | look::OTHER)),
        Rule::Drop => Demand::of(Tag, tag::ORDERED),
        Rule::Update => Demand::of(Tag, tag::STORES | tag::SHARED_STORE).and(Serve, READS),
        Rule::WriteBack => Demand::of(Tag, (tag::COMMAND | tag::KEPT | tag::LOCAL_STORE) << tag::STAYS),
        Rule::LastUse => {
            // All lanes of a unit that has no more lie in the one sector that goes.
            let misses = if preset.lanes > SECTOR_WORDS { look::OTHER } else { 0 };
            Demand::of(Tag, tag::LOOKED_UP).and(Look, look::ALL_HIT | misses)
        }
        Rule::Request => Demand::of(Drain, 1),
        Rule::Response => Demand::of(RowStore, RESPONSE).and(Serve, READS).answered(),
        Rule::Row => Demand::of(RowStore, UPDATE | PART | RESPONSE).and(Picked, ACCESS | SERVE | WRITE_BACK),
        Rule::Ready => Demand::NOTHING.answered(),
        Rule::Pick => Demand::of(Picked, ACCESS | SERVE | COMMAND | WRITE_BACK),
        Rule::Report => Demand::of(Picked, ACCESS).answered(),
        Rule::Last => Demand::of(Picked, ACCESS | COMMAND),
        Rule::Same => Demand::of(Collect, 1),
        Rule::Ahead => Demand::of(Collect, 2),
        Rule::Drain => Demand::of(Drain, 2).and(RowStore, !RESPONSE),
        Rule::EntryFree => Demand::of(ConstantTag, KILL | PASSES),
        Rule::Line => Demand::of(ConstantTag, HIT | SHARE | FETCH).and(ConstantData, FREE | LAST),
        Rule::LookUp => Demand::of(ConstantTag, HIT).and(ConstantData, FREE | LAST).answered(),
        Rule::Share => Demand::of(ConstantTag, SHARE).and(ConstantData, FREE | LAST),
        Rule::Kill => Demand::of(ConstantTag, KILL),
        Rule::Fetch => Demand::of(Drain, 1),
        Rule::Install => Demand::of(ConstantTag, STAYS).and(Entries, 1).answered(),
        Rule::Replay => Demand::of(ConstantTag, KILL | STAYS).and(Entries, 2).and(ConstantData, FREE | LAST).answered(),
        Rule::Beat => Demand::of(ConstantData, LAST | SENDS),
        Rule::WbLast => Demand::of(ConstantData, LAST),
    }
}

/// Why the two rules never answer yes in one cycle; `None` where they may.
pub(super) fn excludes(first: Rule, second: Rule, preset: &Preset) -> Option<&'static str> {
    if let Some(reason) = never(first, preset).or_else(|| never(second, preset)) {
        return Some(reason);
    }
    let (Demand(first), Demand(second)) = (demand(first, preset), demand(second, preset));
    let disjoint = first.into_iter().zip(second).position(|(first, second)| first & second == 0);
    disjoint.map(|variable| REASONS[variable])
}

//! Storms: programs of few kinds of operations in random proportions, chosen so that rules which seldom act do so all the time, and
//! beside each other; as soon as few pairs of rules are missing, mostly of the kinds that bring these.

use lsu_model::golden::Rule;
use lsu_model::micro_op::{CacheOperator, Command, Scope, Semantics, Space};
use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use super::plan::{Bin, Plan};
use super::steer::{SHORT_BANK, SHORTEST};
use crate::generate::{
    BANK, CONSTANT_LINE, LARGEST, LDC, LINE, LOAD, SECTOR, STORE, WORD, bank, bare, plain, with_data,
};
use crate::program::{CONSTANT_BANK, Latency, OFFSET_BITS, Program, Reset, TagPolicy, Traffic, Wait};
use crate::random::Random;

/// Stream number of such a program.
const STORM_STREAM: u64 = 0x0073_746f_726d;

/// Operations of a program.
const LENGTH: usize = 240;

/// Of 100 programs, those of two kinds or three, and of these those of one of the kinds whose rules act most seldom, and those of three.
const FEW_PERCENT: u8 = 60;
const RARE_PERCENT: u8 = 60;
const THIRD_PERCENT: u8 = 40;

/// Of 100 programs, those of the kinds that bring a missing pair of rules, if any pair is missing.
const WANTED_PERCENT: u8 = 80;

/// Of 100 of these, those of one of the two kinds alone: what it is made of can bring both rules.
const ALONE_PERCENT: u8 = 40;

/// Of 100 programs, those with resets, and cycles in which they fall.
const RESET_PERCENT: u8 = 30;
const RESETS: u64 = 8;
const RESET_CYCLES: u64 = 1500;

/// Where global accesses begin.
const GROUND: u64 = 0x4_0000;

/// What a storm is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gust {
    /// Loads of few lines.
    Hits,
    /// The same of the read-only cache.
    ReadOnlyHits,
    /// Loads of lines of few sets that nothing has accessed lately, some twice.
    Misses,
    /// Stores to the few lines, some right behind a load of the same.
    Stores,
    /// A line of which a sector is fetched, another one dropped, and a third fetched while the first is on its way (NOT-KEPT).
    Refetch,
    /// Loads that drop what they find.
    Drops,
    /// Acquires, and loads of their warp behind them.
    Acquires,
    /// Releases behind loads of their warp.
    Releases,
    /// Loads and stores of shared memory, with conflicts.
    Shared,
    /// Stores of shared memory and loads right behind them.
    SharedPairs,
    /// Acquires and releases in shared memory.
    SharedOrder,
    /// Loads and stores of another unit's shared memory.
    Remote,
    /// What other units ask this one for.
    Served,
    /// Loads and stores of local memory, one or several words.
    Local,
    /// Words of local memory that all lanes store, and then load as the last to need them (LAST-USE).
    LastUse,
    /// A line of local memory that is written back and stored to while what was there is still to be read.
    WrittenBack,
    /// Lanes in global, shared, local and constant memory.
    Mixed,
    /// What is refused.
    Faults,
    /// Commands of the global path.
    Commands,
    /// LDCs and constant loads of few lines, and of others.
    Constants,
    /// The constant cache emptied behind LDCs that miss.
    Kills,
}

impl Gust {
    const ALL: [Self; 21] = [
        Self::Hits,
        Self::ReadOnlyHits,
        Self::Misses,
        Self::Stores,
        Self::Refetch,
        Self::Drops,
        Self::Acquires,
        Self::Releases,
        Self::Shared,
        Self::SharedPairs,
        Self::SharedOrder,
        Self::Remote,
        Self::Served,
        Self::Local,
        Self::LastUse,
        Self::WrittenBack,
        Self::Mixed,
        Self::Faults,
        Self::Commands,
        Self::Constants,
        Self::Kills,
    ];
}

/// What brings a rule to answer yes; nothing for those that most kinds bring.
fn bringing(rule: Rule) -> &'static [Gust] {
    use Gust::{
        Acquires, Commands, Constants, Drops, Faults, Hits, Kills, LastUse, Local, Misses, Mixed, ReadOnlyHits,
        Refetch, Releases, Remote, Served, Shared, SharedOrder, SharedPairs, Stores, WrittenBack,
    };
    match rule {
        Rule::Fault => &[Faults],
        Rule::Shared | Rule::Bank => &[Shared],
        Rule::BankOrder => &[SharedPairs],
        Rule::Cluster => &[Remote],
        Rule::Serve => &[Served],
        Rule::Local => &[Local, LastUse],
        Rule::WriteBack => &[Local, LastUse, WrittenBack],
        Rule::Window => &[Mixed],
        Rule::ReadFirst => &[Stores, LastUse, WrittenBack],
        Rule::Acquire => &[Acquires, SharedOrder],
        Rule::Release => &[Releases, SharedOrder],
        Rule::Hit => &[Hits, ReadOnlyHits, LastUse],
        Rule::Join | Rule::Pinned | Rule::Victim => &[Misses],
        Rule::NotKept => &[Refetch],
        Rule::KeepLost | Rule::Flush => &[Acquires, SharedOrder, Commands, Drops],
        Rule::Drop => &[Drops],
        Rule::LastUse => &[LastUse],
        Rule::Update | Rule::Merge | Rule::Beats => &[Stores, Local, Shared],
        Rule::Const | Rule::Line | Rule::LookUp | Rule::Share | Rule::Fetch | Rule::Install | Rule::Replay => {
            &[Constants]
        }
        Rule::Advance | Rule::EntryFree | Rule::Registers | Rule::Group | Rule::Beat | Rule::WbLast => &[Constants],
        Rule::Kill => &[Kills],
        Rule::Free | Rule::Path | Rule::Pass | Rule::Stall | Rule::Order | Rule::Miss | Rule::Touch | Rule::Request => {
            &[]
        }
        Rule::Arbiter | Rule::Response | Rule::Row | Rule::Ready | Rule::Pick | Rule::Report | Rule::Same => &[],
        Rule::Ahead | Rule::Last | Rule::Emit | Rule::Drain => &[],
    }
}

struct Storm {
    preset: Preset,
    random: Random,
    program: Program,
    /// The warp of what comes next.
    warp: u32,
    /// L1 is wanted empty while something is fetched anew.
    empties: bool,
}

/// Whether L1 is wanted empty while something is fetched anew, all of which one kind brings.
fn empties_while_refetching(wanted: [Rule; 2]) -> bool {
    wanted.contains(&Rule::NotKept) && (wanted.contains(&Rule::KeepLost) || wanted.contains(&Rule::Flush))
}

/// How many of each kind: those that bring both of `wanted`; or most are absent, and of the others some are many; or two of them, or
/// three, beside each other.
fn weights(random: &mut Random, wanted: Option<[Rule; 2]>) -> [u64; Gust::ALL.len()] {
    if let Some(wanted) = wanted {
        let mut weights = [0; Gust::ALL.len()];
        if empties_while_refetching(wanted) {
            weights[Gust::Refetch as usize] = 1;
            return weights;
        }
        let alone = random.chance(ALONE_PERCENT).then(|| random.below(2));
        for (number, rule) in (0..).zip(wanted) {
            let gusts = if bringing(rule).is_empty() { &Gust::ALL } else { bringing(rule) };
            let gust = gusts[random.below(gusts.len() as u64) as usize];
            if alone.is_none_or(|alone| alone == number) {
                weights[gust as usize] += 1 + random.below(3);
            }
        }
        if random.chance(THIRD_PERCENT) {
            weights[random.below(Gust::ALL.len() as u64) as usize] += 1;
        }
        return weights;
    }
    if !random.chance(FEW_PERCENT) {
        return Gust::ALL.map(|_| [0, 0, 0, 1, 1, 3, 9][random.below(7) as usize]);
    }
    let mut weights = [0; Gust::ALL.len()];
    let draw = |random: &mut Random| random.below(Gust::ALL.len() as u64) as usize;
    let rare = [Gust::Refetch, Gust::LastUse][random.below(2) as usize];
    weights[if random.chance(RARE_PERCENT) { rare as usize } else { draw(random) }] = 3;
    for _ in 0..if random.chance(THIRD_PERCENT) { 2 } else { 1 } {
        weights[draw(random)] += 1 + random.below(3);
    }
    weights
}

/// The storm number `case` of `seed`, while these bins are missing.
pub(super) fn storm(plan: &Plan, missing: &[usize], seed: u64, case: u64) -> Program {
    let preset = &plan.preset;
    let mut random = Random::new(seed, STORM_STREAM ^ case);
    let pairs: Vec<[Rule; 2]> = missing
        .iter()
        .filter_map(|bin| match plan.bin(*bin) {
            Bin::Pair(first, second) => Some([first, second]),
            Bin::Cell(..) | Bin::Answer(..) | Bin::Place(..) => None,
        })
        .collect();
    let is_wanted = !pairs.is_empty() && random.chance(WANTED_PERCENT);
    let wanted = is_wanted.then(|| pairs[random.below(pairs.len() as u64) as usize]);
    let wants = |rule| wanted.is_some_and(|rules| rules.contains(&rule));
    // What is fetched anew has to come while what was found is still to be read.
    let refetches = wants(Rule::NotKept);
    let least = 1 + if refetches { 0 } else { [0, 0, 8, 30, 80][random.below(5) as usize] };
    // The wider, the more often what was asked for later comes first.
    let spread = [4, 20, 80][random.below(3) as usize];
    let traffic = Traffic {
        seed: random.next_bits() >> 1,
        latency: Latency::Between { least, most: least + random.below(spread) as u32 },
        stall: [0, 15, 50, if refetches { 80 } else { 0 }][random.below(4) as usize],
        gap: [0, 0, 40, if refetches { 80 } else { 0 }][random.below(4) as usize],
        error: [0, 0, 0, 15][random.below(4) as usize],
        wrong_tag: 0,
        jam: [0, 0, 60, 90][random.below(4) as usize],
        strangers: [0, 0, 0, 30][random.below(4) as usize],
        tags: TagPolicy::Scattered,
    };
    let banks = vec![bank(BANK, LARGEST), bank(CONSTANT_BANK, LARGEST), bank(SHORT_BANK, SHORTEST)];
    let mut program = Program { traffic, banks, sms: 1 + random.below(2) as u32, ..Program::empty(*preset) };
    if wants(Rule::Drain) || random.chance(RESET_PERCENT) {
        let mut cycles: Vec<u64> = (0..1 + random.below(RESETS)).map(|_| 1 + random.below(RESET_CYCLES)).collect();
        cycles.sort_unstable();
        cycles.dedup();
        program.resets = cycles.into_iter().map(|cycle| Reset { cycle, memory: false, banks: true }).collect();
    }
    let weights = weights(&mut random, wanted);
    let total: u64 = weights.iter().sum();
    let empties = wanted.is_some_and(empties_while_refetching);
    let mut storm = Storm { preset: *preset, random, program, warp: 0, empties };
    while storm.program.ops.len() < LENGTH {
        let mut left = storm.random.below(total.max(1));
        let chosen = weights.iter().position(|weight| {
            left < *weight || {
                left -= weight;
                false
            }
        });
        storm.warp = storm.random.below(3) as u32;
        storm.blow(Gust::ALL[chosen.unwrap_or(0)]);
    }
    storm.program
}

impl Storm {
    fn blow(&mut self, gust: Gust) {
        let near = self.line(0);
        match gust {
            Gust::Hits => self.load(near, CacheOperator::Default, false),
            Gust::ReadOnlyHits => self.load(near, CacheOperator::Default, true),
            Gust::Misses => {
                let (far, nc) = (self.line(8), self.random.chance(30));
                let operator = [CacheOperator::Default, CacheOperator::Cg][self.random.below(2) as usize];
                self.load(far, operator, nc);
                if self.random.chance(30) {
                    self.load(far, operator, nc);
                }
            }
            Gust::Stores => {
                let cop = [CacheOperator::Default, CacheOperator::Cg][self.random.below(2) as usize].code();
                let request = Request { op: STORE, cop, ..self.at(near) };
                if self.random.chance(30) {
                    self.push(Request { op: LOAD, ..request });
                }
                self.push(request);
            }
            Gust::Refetch => self.refetch(),
            Gust::Drops => self.load(near, CacheOperator::Cv, false),
            Gust::Acquires => {
                let far = self.line(8);
                let (sem, scope) = (Semantics::Acquire.code(), Scope::Gpu.code());
                let request = Request { sem, scope, ..self.at(far) };
                self.push(request);
                self.load(near, CacheOperator::Default, false);
            }
            Gust::Releases => {
                let far = self.line(8);
                self.load(far, CacheOperator::Default, false);
                let (sem, scope) = (Semantics::Release.code(), Scope::Gpu.code());
                let request = Request { op: STORE, sem, scope, ..self.at(near) };
                self.push(request);
            }
            Gust::Shared => self.shared(Semantics::Weak),
            Gust::SharedPairs => {
                let store = Request { op: STORE, ..self.windowed(Space::Shared, 0) };
                self.push(store);
                self.shared_load(Semantics::Weak);
            }
            Gust::SharedOrder => {
                let sem = if self.random.chance(50) { Semantics::Acquire } else { Semantics::Release };
                self.shared(sem);
            }
            Gust::Remote => self.remote(0, 1),
            Gust::Served => self.remote(self.program.sms - 1, 0),
            Gust::Local => {
                let first = LINE * self.random.below(4);
                let mut request = self.windowed(Space::Local, first);
                if request.op == LOAD && self.random.chance(30) {
                    request.cop = CacheOperator::Lu.code();
                }
                self.push(request);
            }
            Gust::LastUse => self.last_use(),
            Gust::WrittenBack => self.written_back(),
            Gust::Mixed => self.mixed(near),
            Gust::Faults => {
                let mut request = self.at(near);
                match self.random.below(3) {
                    0 => request.addr[0] += 1,
                    1 => request.sem = Semantics::Release.code(),
                    _ => (request.op, request.wide) = (STORE, 1),
                }
                self.push(request);
            }
            Gust::Commands => {
                let commands = [Command::InvalidateL1, Command::InvalidateReadOnly, Command::WriteBackLocal];
                let chosen = commands[self.random.below(3) as usize];
                self.push(bare(chosen));
            }
            Gust::Constants => self.constant(),
            Gust::Kills => {
                self.constant();
                self.push(bare(Command::InvalidateConstant));
            }
        }
    }

    /// A line among few, from number `first` on, all of which fall into few sets.
    fn line(&mut self, first: u64) -> u64 {
        let sets = self.preset.l1_sets as u64;
        let ways = self.preset.l1_ways as u64;
        let count = if first == 0 { ways.min(4) } else { 4 * ways };
        GROUND + LINE * (sets * (first + self.random.below(count)) + self.random.below(2))
    }

    /// A load of 4 bytes a lane, one after the other in the line or all lanes in one sector.
    fn at(&mut self, line: u64) -> Request {
        let mask = self.preset.lane_mask();
        let mut request = Request {
            op: LOAD,
            space: Space::Global.code(),
            size: WORD,
            dst_width: 1,
            rd: 8,
            mask,
            ..Request::default()
        };
        let first = line + SECTOR * self.random.below(4);
        let spread = self.random.chance(40);
        for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
            *address = if spread {
                line + LINE / self.preset.lanes as u64 * lane as u64
            } else {
                first + 4 * (lane as u64 % 8)
            };
        }
        if self.random.chance(10) {
            request.mask = 0;
        }
        request
    }

    fn load(&mut self, line: u64, operator: CacheOperator, nc: bool) {
        let nc = nc && operator != CacheOperator::Cv;
        let vec = self.random.below(3) as u8;
        let mut request = Request { cop: operator.code(), nc, ..self.at(line) };
        if self.random.chance(20) {
            request.vec = vec;
            request.addr.iter_mut().for_each(|address| *address &= !15);
        }
        self.push(request);
    }

    /// Sectors of one line, of which one is found valid from before, and one is fetched that the line's row cannot take: as what was
    /// fetched for another has lost its place, or as it is still to be read from when it was valid.
    fn refetch(&mut self) {
        use CacheOperator::{Cv, Default};
        let line = self.line(0);
        let first = self.random.below(4);
        let sector = |number: u64| line + SECTOR * ((first + number) % 4);
        let last_wait = if self.random.chance(50) { Wait::Warp } else { Wait::No };
        if self.random.chance(if self.empties { 30 } else { 50 }) {
            self.of_sector(sector(2), Default, 0, Wait::No);
            self.of_sector(sector(0), Default, 0, Wait::Warp);
            self.of_sector(sector(3), Cv, 0, Wait::No);
            self.of_sector(sector(1), Default, 0, Wait::No);
        } else {
            self.of_sector(sector(0), Default, 0, last_wait);
            self.of_sector(sector(1), Default, 0, Wait::No);
            // Two reads each, and many registers: they are in the way of what is to be read.
            let hits = 1 + self.random.below(3);
            (0..hits).for_each(|_| self.of_sector(sector(1), Default, 3, Wait::No));
            self.of_sector(sector(0), Default, 0, Wait::No);
            self.of_sector(sector(0), Cv, 0, Wait::No);
            if self.random.chance(if self.empties { 90 } else { 50 }) {
                // All sectors of another line, the last of which comes late, and shared memory of another warp, the last load of which
                // empties L1 when it has been read.
                let (far, warp) = (self.line(8), self.warp);
                let mut request = self.at(far);
                for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
                    *address = far + SECTOR * (lane as u64 % 4);
                }
                self.push(request);
                self.warp += 1;
                for _ in 0..self.random.below(3) {
                    self.shared_load(Semantics::Weak);
                }
                self.shared_load(Semantics::Acquire);
                self.warp = warp;
            }
            self.of_sector(sector(0), Default, 0, Wait::No);
        }
    }

    fn shared_load(&mut self, semantics: Semantics) {
        let (sem, scope) = (semantics.code(), Scope::Gpu.code());
        let request = Request { op: LOAD, sem, scope, ..self.windowed(Space::Shared, 0) };
        self.push(request);
    }

    /// A load of one sector.
    fn of_sector(&mut self, sector: u64, operator: CacheOperator, vec: u8, wait: Wait) {
        let mut request = Request { cop: operator.code(), vec, mask: self.preset.lane_mask(), ..self.at(sector) };
        for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
            *address = sector + if vec == 0 { 4 * (lane as u64 % 8) } else { 0 };
        }
        self.push_waiting(0, wait, request);
    }

    /// A load or store of shared memory, in its own space or by a window.
    fn windowed(&mut self, space: Space, first: u64) -> Request {
        let op = if self.random.chance(60) { LOAD } else { STORE };
        let vec = self.random.below(3) as u8;
        let stride = [0, 4 << vec, 4 * self.preset.lanes as u64][self.random.below(3) as usize];
        let mask = self.preset.lane_mask();
        let mut request =
            Request { op, space: space.code(), size: WORD, vec, dst_width: 1, rd: 8, mask, ..Request::default() };
        request.shared_size = self.preset.shared_bytes as u32;
        for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
            *address = ((first + stride * lane as u64) % self.preset.shared_bytes as u64) & !15;
        }
        request
    }

    /// A store of one word of every lane, which fills sectors, and a load that needs them for the last time; some are loaded before, and some
    /// stored or loaded again, while what was there is still to be read.
    fn last_use(&mut self) {
        let offset = 4 * self.random.below(8);
        let mut store = Request { op: STORE, vec: 0, ..self.windowed(Space::Local, 0) };
        store.addr[..self.preset.lanes].fill(offset);
        let load = Request { op: LOAD, ..store };
        // One sector of several, or all.
        let sector = 0xff_u32.wrapping_shl(8 * self.random.below(4) as u32) & self.preset.lane_mask();
        let mask = if sector != 0 && self.random.chance(50) { sector } else { load.mask };
        self.push(store);
        if self.random.chance(50) {
            self.push(load);
        }
        self.push(Request { cop: CacheOperator::Lu.code(), mask, ..load });
        match self.random.below(3) {
            0 => self.push(Request { mask, ..load }),
            1 => self.push(store),
            _ => {}
        }
    }

    /// A load of local memory that misses, behind one that takes long to be read; then all is written back, a line of the same set is
    /// stored to, and the first one again.
    fn written_back(&mut self) {
        let far = self.line(8);
        self.of_sector(far, CacheOperator::Default, 3, Wait::No);
        // So many bytes of one thread apart, words lie in different lines.
        let line = LINE / 4 / self.preset.lanes as u64 * 4;
        let number = self.random.below(64);
        let of_line = |number: u64, op: u8, storm: &mut Self| {
            let mut request = Request { op, vec: 0, ..storm.windowed(Space::Local, 0) };
            request.addr[..storm.preset.lanes].fill(line * number);
            storm.push(request);
        };
        of_line(number, LOAD, self);
        self.push(bare(Command::WriteBackLocal));
        of_line(number + 1 + self.random.below(4), STORE, self);
        of_line(number, STORE, self);
    }

    fn shared(&mut self, semantics: Semantics) {
        let mut request = self.windowed(Space::Shared, 0);
        if semantics != Semantics::Weak {
            request.op = if semantics == Semantics::Acquire { LOAD } else { STORE };
            (request.sem, request.scope) = (semantics.code(), Scope::Gpu.code());
        }
        self.push(request);
    }

    /// Unit `sm` accesses shared memory of `rank`.
    fn remote(&mut self, sm: u32, rank: u64) {
        let mut request = self.windowed(Space::SharedCluster, 0);
        request.addr[..self.preset.lanes].iter_mut().for_each(|address| *address |= rank << OFFSET_BITS);
        self.push_waiting(sm, Wait::No, request);
    }

    fn mixed(&mut self, line: u64) {
        let windows = self.program.windows(0);
        let mut request = self.windowed(Space::Generic, 0);
        // Nobody stores constants.
        let spaces = if request.op == LOAD { 4 } else { 3 };
        for address in &mut request.addr[..self.preset.lanes] {
            *address += match self.random.below(spaces) {
                0 => line,
                1 => windows.shared.base,
                2 => windows.local.base,
                _ => windows.constant.base,
            };
        }
        self.push(request);
    }

    fn constant(&mut self) {
        let mask = self.preset.lane_mask();
        let is_load = self.random.chance(40);
        let (op, space) = if is_load { (LOAD, Space::Const.code()) } else { (LDC, 0) };
        let size = if self.random.chance(30) { 3 } else { WORD };
        let mut request = Request { op, space, size, dst_width: 1, rd: 8, bank: BANK, mask, ..Request::default() };
        let lines = if self.random.chance(50) { 4 } else { 200 };
        let first = self.random.below(lines);
        let step = if self.random.chance(30) { CONSTANT_LINE.into() } else { 0 };
        if !is_load && self.random.chance(20) {
            // Beyond the end of a bank, where no line is needed.
            request.bank = SHORT_BANK;
        }
        for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
            *address = u64::from(CONSTANT_LINE) * first + step * lane as u64;
        }
        if self.random.chance(40) {
            // The second one shares what the first one fetches.
            self.push(request);
        }
        self.push(request);
    }

    fn push(&mut self, request: Request) {
        self.push_waiting(0, Wait::No, request);
    }

    fn push_waiting(&mut self, sm: u32, wait: Wait, request: Request) {
        let operation = plain(sm, self.warp, wait, request);
        let operation = with_data(&self.preset, operation, &mut self.random);
        self.program.ops.push(operation);
    }
}

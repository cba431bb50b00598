//! One run of a litmus test as a program. What is drawn: places, lanes, warp slots, delays, the order in which warps are offered,
//! what the caches hold, and the memory side. What is not drawn: the duties of a scheduler.
//!
//! * An instruction that reads or overwrites the register of an earlier load begins when that has completed.
//! * What comes behind an acquire begins when that has completed; but a load begins at once where the acquire's scope is wider
//!   than the CTA, since the unit itself holds it.
//! * A fence is complete when every earlier operation of its warp is, and where its scope is wider than the CTA, L1 has been
//!   invalidated then.
//!
//! Everything else of a warp is offered as soon as the unit takes it.

use lsu_model::micro_op::{Command, MicroOp, Op, Scope, Semantics, Space};
use lsu_model::pins::{MAX_LANES, Request};
use lsu_model::preset::Preset;

use super::placement::{ROOM, address_elsewhere, addresses};
use super::test::{Operand, Order, Step, Test, Thread};
use crate::program::{
    Contents, Dump, Latency, MemoryBlock, MemorySpace, Operation, Program, ProgramOperation, TagPolicy, Traffic, Wait,
    request_of, store_beats,
};
use crate::random::Random;

/// A run of a test, ready to go.
#[derive(Clone, Debug)]
pub(super) struct Scheduled {
    /// The program.
    pub program: Program,
    /// The active lane, by thread.
    pub lanes: Vec<usize>,
    /// The operation of each step, by thread; `None` for steps that ask the unit nothing.
    pub ops: Vec<Vec<Option<usize>>>,
}

/// How a run behaves as a whole.
struct Mood {
    /// Percent of the locations that a unit has in its L1 at the start.
    warm: u8,
    /// Most links of the chain that delays a thread.
    delay: u64,
    /// Percent of the gaps between two steps in which a warp has something else to do, and for how many operations at most.
    idle: u8,
    busy: u64,
    /// Most accesses of a bystander, a warp of the unit that has no part in the test.
    bystanders: u64,
}

/// An operation of a warp, and the step that it carries out.
struct Queued {
    operation: ProgramOperation,
    step: Option<(usize, usize)>,
}

/// The operations of one warp in program order.
struct Warp {
    unit: u32,
    number: u32,
    queue: Vec<Queued>,
}

impl Warp {
    fn push(&mut self, wait: Wait, request: Request, step: Option<(usize, usize)>) {
        let operation = Operation {
            sm: self.unit,
            warp: self.number,
            wait,
            request,
            text: None,
            expect: Vec::new(),
            expect_fault: None,
        };
        let data = vec![[0; MAX_LANES]; store_beats(&request)];
        self.queue.push(Queued { operation: ProgramOperation { data, ..operation.into() }, step });
    }

    /// `count` operations that do nothing but take their time.
    fn pass_time(&mut self, count: u64, wait: Wait) {
        for _ in 0..count {
            self.push(wait, load(Order::WEAK, 0, 0, 0), None);
        }
    }
}

impl Order {
    /// That of a weak access.
    const WEAK: Self = Self { semantics: Semantics::Weak, scope: Scope::Cta };
}

/// A load of 32 bits.
fn load(order: Order, address: u64, lane: usize, mask: u32) -> Request {
    let micro_op =
        MicroOp { op: Op::Load, space: Space::Global, sem: order.semantics, scope: order.scope, ..MicroOp::default() };
    at(&micro_op, address, lane, mask)
}

/// The request of `micro_op` in `lane`.
fn at(micro_op: &MicroOp, address: u64, lane: usize, mask: u32) -> Request {
    let mut request = request_of(micro_op);
    request.mask = mask;
    request.addr[lane] = address;
    request
}

/// The run number `run` of `test` under `seed`.
pub(super) fn schedule(test: &Test, preset: &Preset, seed: u64, run: u64) -> Scheduled {
    let mut random = Random::new(seed, run);
    let random = &mut random;
    let addresses = addresses(preset, test.locations.len(), random);
    // Fast memory behind a port that is often stalled and always wanted: what waits there is overtaken most.
    let is_rush = random.chance(40);
    let mood = mood(is_rush, random);
    let mut program = Program { sms: test.units, traffic: traffic(is_rush, random), ..Program::empty(*preset) };
    for (location, address) in test.locations.iter().zip(&addresses) {
        let words = vec![location.initial as u32, (location.initial >> 32) as u32];
        program.memory.push(MemoryBlock {
            space: MemorySpace::Global,
            address: *address,
            bytes: ROOM,
            contents: Contents::Words(words),
        });
        program.dumps.push(Dump { space: MemorySpace::Global, address: *address, bytes: ROOM });
    }
    let lanes: Vec<usize> = test.threads.iter().map(|_| random.below(preset.lanes as u64) as usize).collect();
    let mut warps = Vec::new();
    for unit in 0..test.units {
        let members: Vec<usize> = (0..test.threads.len()).filter(|index| test.threads[*index].unit == unit).collect();
        let mut slots = slots(members.len() + 1, preset.warps, random);
        let mut bystander = Warp { unit, number: slots.pop().unwrap_or(0), queue: Vec::new() };
        let mut own: Vec<Warp> = slots.into_iter().map(|number| Warp { unit, number, queue: Vec::new() }).collect();
        for address in &addresses {
            if random.chance(mood.warm) {
                let warp = match random.below(own.len() as u64 + 1) as usize {
                    0 => &mut bystander,
                    index => &mut own[index - 1],
                };
                warp.push(Wait::No, glance(*address, preset, random), None);
            }
        }
        for _ in 0..random.below(mood.bystanders + 1) {
            bystander.pass_time(random.below(mood.delay + 1), Wait::Warp);
            let request = match addresses.get(random.below(1 + 2 * addresses.len() as u64) as usize) {
                Some(address) => glance(*address, preset, random),
                None => elsewhere(preset, random),
            };
            bystander.push(Wait::No, request, None);
        }
        for (warp, index) in own.iter_mut().zip(&members) {
            warp.pass_time(random.below(mood.delay + 1), Wait::Warp);
            let thread = Threading { test, index: *index, addresses: &addresses, lane: lanes[*index] };
            thread.steps(warp, &mood, random);
        }
        warps.append(&mut own);
        warps.push(bystander);
    }
    let mut ops: Vec<Vec<Option<usize>>> = test.threads.iter().map(|thread| vec![None; thread.steps.len()]).collect();
    for queued in merged(warps, random) {
        if let Some((thread, step)) = queued.step {
            ops[thread][step] = Some(program.ops.len());
        }
        program.ops.push(queued.operation);
    }
    Scheduled { program, lanes, ops }
}

fn mood(is_rush: bool, random: &mut Random) -> Mood {
    if is_rush {
        return Mood { warm: [0, 100][random.below(2) as usize], delay: 1, idle: 10, busy: 12, bystanders: 12 };
    }
    Mood {
        warm: [0, 50, 100][random.below(3) as usize],
        delay: [0, 3, 10][random.below(3) as usize],
        idle: [0, 0, 30, 60][random.below(4) as usize],
        busy: [4, 12, 60][random.below(3) as usize],
        bystanders: [0, 2, 6, 16][random.below(4) as usize],
    }
}

fn traffic(is_rush: bool, random: &mut Random) -> Traffic {
    let latency = match random.below(5) {
        _ if is_rush => between(1, 3, random),
        0 => Latency::Ideal,
        1 => between(1, 8, random),
        2 => Latency::default(),
        3 => between(40, 40, random),
        _ => between(40, 300, random),
    };
    Traffic {
        // Fits the integers of program files.
        seed: random.next_bits() >> 1,
        latency,
        stall: if is_rush { 40 + random.below(50) as u8 } else { [0, 10, 30, 60][random.below(4) as usize] },
        gap: if is_rush { 0 } else { [0, 0, 10, 40][random.below(4) as usize] },
        jam: if !is_rush && random.chance(25) { random.below(60) as u8 } else { 0 },
        tags: if random.chance(50) { TagPolicy::InOrder } else { TagPolicy::Scattered },
        ..Traffic::default()
    }
}

/// A latency of at least 1 to `least` cycles, and as many as `more` above that.
fn between(least: u64, more: u64, random: &mut Random) -> Latency {
    let least = 1 + random.below(least) as u32;
    Latency::Between { least, most: least + random.below(more) as u32 }
}

/// Different warps that have slots of their own, as long as there are slots.
fn slots(count: usize, slots: usize, random: &mut Random) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..slots.max(count) as u32).collect();
    for index in (1..numbers.len()).rev() {
        numbers.swap(index, random.below(index as u64 + 1) as usize);
    }
    numbers.truncate(count);
    numbers
}

/// A load that brings the location at `address` into L1, of a thread that does nothing with it.
fn glance(address: u64, preset: &Preset, random: &mut Random) -> Request {
    let semantics = if random.chance(50) { Semantics::Weak } else { Semantics::Relaxed };
    let lane = random.below(preset.lanes as u64) as usize;
    load(Order { semantics, scope: Scope::Cta }, address, lane, 1 << lane)
}

/// A load or store of several lanes in lines that hold no location: it keeps the memory port busy, and takes lines from L1.
fn elsewhere(preset: &Preset, random: &mut Random) -> Request {
    let op = if random.chance(50) { Op::Load } else { Op::Store };
    let mut request = at(&access(op, Order::WEAK), 0, 0, random.next_bits() as u32 & preset.lane_mask());
    request.addr[..preset.lanes].fill_with(|| address_elsewhere(random));
    request
}

/// The operations of `warps`, each warp's in their order. Of those that may begin in a cycle, a unit is offered the first.
fn merged(warps: Vec<Warp>, random: &mut Random) -> Vec<Queued> {
    let mut queues: Vec<_> = warps.into_iter().map(|warp| warp.queue.into_iter().peekable()).collect();
    let mut merged = Vec::new();
    loop {
        queues.retain_mut(|queue| queue.peek().is_some());
        if queues.is_empty() {
            return merged;
        }
        let next = random.below(queues.len() as u64) as usize;
        merged.extend(queues[next].next());
    }
}

/// A thread of a run.
struct Threading<'a> {
    test: &'a Test,
    index: usize,
    addresses: &'a [u64],
    lane: usize,
}

impl Threading<'_> {
    fn thread(&self) -> &Thread {
        &self.test.threads[self.index]
    }

    /// Appends the steps to `warp`.
    fn steps(&self, warp: &mut Warp, mood: &Mood, random: &mut Random) {
        // What came before delays the first step.
        let mut must_wait = !warp.queue.is_empty();
        // An acquire may be under way that holds loads, and no stores.
        let mut holds_loads = false;
        // Registers whose loads may still be under way.
        let mut loading = vec![false; self.thread().registers.len()];
        for (number, step) in self.thread().steps.iter().enumerate() {
            let named = Some((self.index, number));
            if number > 0 && random.chance(mood.idle) {
                warp.pass_time(1 + random.below(mood.busy), Wait::No);
            }
            must_wait |= registers_of(step).any(|register| loading[register]);
            must_wait |= holds_loads && matches!(step, Step::Store { .. });
            let wait = if must_wait { Wait::Warp } else { Wait::No };
            let (micro_op, location, order) = match step {
                Step::Compute { register, left, right, .. } => {
                    // It takes the unit no time; but who reads its result waits for what it is made of.
                    let is_late = [left, right]
                        .into_iter()
                        .any(|operand| matches!(operand, Operand::Register(source) if loading[*source]));
                    loading[*register] |= is_late;
                    continue;
                }
                Step::Fence { scope } => {
                    if is_wide(*scope) {
                        let invalidate = MicroOp { op: Op::Command(Command::InvalidateL1), ..MicroOp::default() };
                        warp.push(Wait::Warp, request_of(&invalidate), named);
                    }
                    must_wait = true;
                    continue;
                }
                Step::Load { location, order, size, sign, .. } => {
                    (MicroOp { size: *size, sign: *sign, ..access(Op::Load, *order) }, location, order)
                }
                Step::Store { location, order, size, .. } => {
                    (MicroOp { size: *size, ..access(Op::Store, *order) }, location, order)
                }
            };
            warp.push(wait, at(&micro_op, self.addresses[*location], self.lane, 1 << self.lane), named);
            if wait == Wait::Warp {
                loading.fill(false);
                holds_loads = false;
            }
            if let Step::Load { register, .. } = step {
                loading[*register] = true;
            }
            // Only a load is one.
            let is_acquire = order.semantics == Semantics::Acquire;
            must_wait = is_acquire && !is_wide(order.scope);
            holds_loads |= is_acquire && is_wide(order.scope);
        }
    }
}

fn access(op: Op, order: Order) -> MicroOp {
    MicroOp { op, space: Space::Global, sem: order.semantics, scope: order.scope, ..MicroOp::default() }
}

/// Whether it reaches beyond the CTA.
fn is_wide(scope: Scope) -> bool {
    scope != Scope::Cta
}

/// The registers that an access reads or overwrites.
fn registers_of(step: &Step) -> impl Iterator<Item = usize> {
    let register = match step {
        Step::Load { register, .. } => Some(*register),
        Step::Store { value: Operand::Register(register), .. } => Some(*register),
        Step::Store { .. } | Step::Fence { .. } | Step::Compute { .. } => None,
    };
    register.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::read;
    use lsu_model::micro_op::OpKind;
    use lsu_model::preset::FPGA8;

    /// What the operations of a thread behind its first step wait for, in 50 runs the same; an invalidation is in parentheses.
    fn waits(steps: &str) -> String {
        let text = format!("PTX test\n{{ }}\nP0@cta 0,gpu 0 ;\n{steps} ;\n").replace("; ", ";\n");
        let test = read(&(text + "exists (0 == 0)"), "test.litmus").unwrap_or_else(|error| panic!("{error}"));
        let said = |run| {
            let scheduled = schedule(&test, &FPGA8, 1, run);
            let ops = scheduled.ops.last().expect("a thread").iter().flatten();
            let said = |op: &usize| {
                let operation = &scheduled.program.ops[*op];
                let wait = format!("{:?}", operation.wait);
                if operation.request.op == OpKind::Command.code() { format!("({wait})") } else { wait }
            };
            ops.map(said).skip(1).collect::<Vec<_>>().join(" ")
        };
        let first = said(0);
        assert!((1..50).all(|run| said(run) == first), "{first}");
        first
    }

    #[test]
    fn a_scheduler_has_few_duties() {
        assert_eq!(waits("st.weak x,1; ld.weak r0,y; ld.relaxed.gpu r1,x; st.release.gpu z,1"), "No No No");
        assert_eq!(waits("ld.acquire.cta r0,x; st.weak y,1; st.weak z,1"), "Warp No");
        assert_eq!(waits("ld.acquire.cta r0,x; ld.weak r1,y; ld.weak r2,z"), "Warp No");
        assert_eq!(waits("ld.acquire.gpu r0,x; ld.weak r1,y; st.weak z,1; st.weak w,1"), "No Warp No");
        assert_eq!(waits("ld.acquire.gpu r0,x; ld.acquire.cta r1,y; ld.weak r2,z; st.weak w,1"), "No Warp No");
        assert_eq!(waits("st.weak x,1; fence.sc.cta; ld.weak r0,y; ld.weak r1,z"), "Warp No");
        assert_eq!(waits("st.weak x,1; fence.acq_rel.gpu; ld.weak r0,y; ld.weak r1,z"), "(Warp) Warp No");
        assert_eq!(waits("ld.weak r0,x; ld.weak r1,y; st.weak z,r0; st.weak w,r1"), "No Warp No");
        assert_eq!(waits("ld.weak r0,x; add r1,r0,1; mov r2,5; st.weak y,r2; st.weak z,r1"), "No Warp");
        assert_eq!(waits("ld.weak r0,x; ld.weak r0,y"), "Warp");
    }
}

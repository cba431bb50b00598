//! Requests as instruction texts: every request that some legal PTX text gives is written as one, none that none gives is,
//! and what is written reads back as the same request.

use lsu_cosim::generate;
use lsu_cosim::program::{Operation, Overrides, Program, ProgramOperation, canonical, describe, has_text, read, write};
use lsu_cosim::program::{Wait, store_beats};
use lsu_cosim::random::Random;
use lsu_model::pins::Request;
use lsu_model::preset::{self, FPGA8, Preset, WARP32};

const LOAD: u8 = 0;
const STORE: u8 = 1;
const LDC: u8 = 2;

/// Whether the PTX documents and NVIDIA's assembler have an instruction for the load or store `request`, as this unit
/// serves it, on sm_100: said here once more, field by field.
fn is_sayable(request: &Request) -> bool {
    let Request { op, space, sem, scope, cop, l1_evict, l2_evict, prefetch, policy_en, policy, nc, size, .. } =
        *request;
    let Request { vec, sink, sign, dst_width, rd, cmd, bank, mode, ra_is_rz, shared_base, shared_size, .. } = *request;
    let is_load = op == LOAD;
    let is_wide = (size, vec) == (2, 3) || (size, vec) == (3, 2);
    let is_mmio = (5..8).contains(&sem);
    let is_constant = is_load && matches!(space, 5 | 6);
    let elements = 1_u16 << vec;
    let rules = [
        // Shape: at most 128 bits, and two forms of 256.
        size <= 4 && (is_wide || vec < 3 && elements << size <= 16),
        matches!(space, 0..=4 | 7) || is_constant,
        // The window of the CTA stands beside the text, in steps of 16 bytes; other spaces have none.
        match space {
            0 | 2..=3 => (shared_base | shared_size) % 16 == 0,
            _ => (shared_base, shared_size) == (0, 0),
        },
        // Of constants and kernel parameters: weak loads without hints of caches, no 256 bits.
        !is_constant || sem == 0 && l1_evict == 0 && prefetch == 0 && !policy_en && !is_wide,
        // Of shared and local memory: no hints of caches, no mmio, no 256 bits.
        space <= 1 || is_constant || l1_evict == 0 && prefetch == 0 && !policy_en && !is_mmio && !is_wide,
        // Local memory knows no order but volatile, parameters none at all.
        match space {
            4 => matches!(sem, 0 | 4),
            7 => sem == 0,
            _ => true,
        },
        // Order and scope.
        if is_load { matches!(sem, 0 | 1 | 2 | 4 | 5 | 6) } else { matches!(sem, 0 | 1 | 3 | 4 | 5 | 7) },
        match sem {
            0 => scope == 0,
            1..=3 => true,
            _ => scope == 3,
        },
        // Operators stand beside weak accesses without an L1 priority.
        if is_load { cop <= 5 } else { matches!(cop, 0 | 2 | 3 | 6 | 7) },
        cop == 0 || sem == 0 && l1_evict == 0,
        !nc || is_load && space == 1 && sem == 0 && cop <= 3,
        l1_evict <= 4 && (l1_evict == 0 || sem != 4),
        l2_evict == 0 || l2_evict <= 2 && is_wide,
        prefetch == 0 || is_load,
        if policy_en { sem != 4 } else { policy == 0 },
        !is_mmio || vec == 0 && l1_evict == 0 && l2_evict == 0 && prefetch == 0 && !policy_en,
        // Registers: at least as wide as the access, and one of them at least.
        match (is_load, size) {
            (true, 0 | 1) => dst_width <= 2,
            (true, 2) => matches!(dst_width, 1 | 2),
            (false, 0..=2) => dst_width == 1,
            _ => dst_width == 2,
        },
        !sign || is_load && size < 4,
        sink == 0 || vec > 0 && (is_load || is_wide) && u16::from(sink) < (1 << elements) - 1,
        is_load || rd == 0,
        // The bank of constant memory stands on its pin, too.
        (cmd, bank, mode, ra_is_rz) == (0, if space == 5 { 3 } else { 0 }, 0, false),
    ];
    rules.into_iter().all(|holds| holds)
}

/// A program with the one operation `request`, whose data is random.
fn program_of(preset: Preset, request: Request, random: &mut Random) -> Program {
    let operation =
        Operation { sm: 0, warp: 0, wait: Wait::No, request, text: None, expect: Vec::new(), expect_fault: None };
    let mut operation = ProgramOperation::from(operation);
    operation.data.resize(store_beats(&request), [0; 32]);
    for beat in &mut operation.data {
        beat[..preset.lanes].fill_with(|| random.next_bits() as u32);
    }
    Program { ops: vec![operation], ..Program::empty(preset) }
}

/// Asserts that `program`, of one operation, is written with or without a text as it should be, and reads back.
fn assert_said(program: &Program) {
    let operation = &program.ops[0];
    let text = write(program);
    let is_by_pins = text.contains("pins = {");
    assert_eq!(has_text(program, operation), !is_by_pins, "{text}");
    assert_eq!(describe(program, 0).ends_with("by pins"), is_by_pins, "{text}");
    if operation.request.op <= STORE {
        assert_eq!(is_sayable(&operation.request), !is_by_pins, "{text}\n{:?}", operation.request);
    }
    let mut again = read(&text, "written.toml", Overrides::default())
        .unwrap_or_else(|error| panic!("{text}\n{:?}", miette::Report::new(error)));
    (again.ops[0].text, again.ops[0].named) = (None, Vec::new());
    assert_eq!(again.ops, program.ops, "{text}");
}

/// A load or store with most fields as they usually are, the others anything that their pins hold.
fn drawn(preset: &Preset, random: &mut Random) -> Request {
    let mut odd = |percent: u8, below: u64| if random.chance(percent) { random.below(below) as u8 } else { 0 };
    let mut request = Request {
        op: odd(50, 2),
        space: [0, 1, 2, 0, 1, 1, 4, 7, 5, 6][usize::from(odd(80, 10))],
        sem: odd(40, 8),
        cop: odd(20, 8),
        l1_evict: odd(20, 8),
        l2_evict: odd(20, 4),
        prefetch: odd(20, 4),
        policy_en: odd(20, 2) == 1,
        nc: odd(20, 2) == 1,
        size: odd(90, 6),
        vec: odd(60, 4),
        sign: odd(30, 2) == 1,
        dst_width: 1 + odd(40, 2),
        sink: odd(10, 256),
        rd: 8 * odd(30, 32),
        ..Request::default()
    };
    if random.chance(50) {
        request.scope = random.below(4) as u8;
    }
    if request.space == 5 && random.chance(90) {
        request.bank = 3;
    }
    if random.chance(30) {
        request.shared_base = random.below(2 * preset.shared_bytes as u64) as u32;
        request.shared_size = (random.below(2 * preset.shared_bytes as u64) as u32) & !15;
    }
    if random.chance(70) {
        request.shared_base &= !15;
    }
    if request.policy_en {
        request.policy = random.next_bits();
    }
    if request.size > 2 && random.chance(80) {
        request.dst_width = 2;
    }
    if request.op == STORE && random.chance(80) {
        (request.rd, request.sign, request.sink) = (0, false, 0);
    }
    request.mask = random.next_bits() as u32 & preset.lane_mask();
    request.imm = if random.chance(50) { random.next_bits() as u32 } else { 0 };
    request.addr[..preset.lanes].fill_with(|| random.next_bits() >> (64 - preset.address_bits));
    request
}

#[test]
fn what_a_text_can_give_is_written_as_one() {
    let mut random = Random::new(1, 0);
    let mut sayable = 0;
    for number in 0..50_000 {
        let preset = if number % 2 == 0 { FPGA8 } else { WARP32 };
        let request = drawn(&preset, &mut random);
        assert_said(&program_of(preset, request, &mut random));
        sayable += usize::from(is_sayable(&request));
    }
    // Both sides must be there in numbers, or the comparison says nothing.
    assert!((5_000..45_000).contains(&sayable), "{sayable} of 50000");
}

#[test]
fn generated_operations_are_texts_where_that_is_possible() {
    let (mut total, mut texts, mut near) = (0, 0, 0);
    for preset in preset::ALL {
        for case in 0..25 {
            let whole = generate::program(&preset, 3, case).expect("generated");
            for operation in &whole.ops {
                let program = Program { sms: whole.sms, ops: vec![operation.clone()], ..Program::empty(preset) };
                assert_said(&program);
                let is_text = has_text(&program, operation);
                // The nearest text differs in pins that do not count, or the shrinker will not take it.
                let canonical = canonical(&program, &operation.request).is_some_and(|request| {
                    let mut program = program.clone();
                    program.ops[0].operation.request = request;
                    assert_eq!(request.mask, operation.request.mask);
                    has_text(&program, &program.ops[0])
                });
                assert!(canonical || !is_text || operation.request.op > LDC, "{}", describe(&program, 0));
                total += 1;
                texts += usize::from(is_text);
                near += usize::from(canonical || is_text);
            }
        }
    }
    println!("{total} operations: {texts} have a text, {near} are near one");
    assert!(total > 3_000 && texts * 4 > total && near * 2 > total, "{total}, {texts}, {near}");
}

/// The complaint that began this: a legal store whose report showed pins.
#[test]
fn a_vector_store_of_half_words_is_ptx() {
    let mut random = Random::new(2, 0);
    let mut request = Request { op: STORE, space: 1, size: 1, vec: 2, dst_width: 1, mask: 0x80, ..Request::default() };
    request.addr[7] = 0x1008;
    let program = program_of(FPGA8, request, &mut random);
    assert_eq!(describe(&program, 0), "op 0 warp 0 st.global.v4.u16 [%rd1], {%r1,%r2,%r3,%r4};");
    request = Request { op: LOAD, nc: true, size: 3, vec: 1, imm: 16, dst_width: 2, rd: 8, ..request };
    let program = program_of(FPGA8, request, &mut random);
    assert_eq!(describe(&program, 0), "op 0 warp 0 ld.global.nc.v2.u64 {%rd2,%rd3}, [%rd1+16];");
    assert!(write(&program).contains("\nrd = 8\n"));
    request.size = 6;
    let program = program_of(FPGA8, request, &mut random);
    assert_eq!(describe(&program, 0), "op 0 warp 0 load global of 2 x 64 bytes by pins");
}

//! PTX texts: from a text and the values of its registers to a request with its store data, and back to the values.

use lsu_model::diagnostic::Diagnostic;
use lsu_model::micro_op::{MicroOp, Op};
use lsu_model::pins::{MAX_LANES, RZ, Request};
use lsu_model::ptx::{
    AddressBase, Base, Context, Dialect, Element, Guard, Lowered, PolicySource, Source, Target, Version, judge, lower,
    nearest, not_served, parse, raise,
};

use super::registers::{Destination, beats_per_element, register_bits, registers_per_element};
use super::request::{
    Assembled, Conventions, Refusal, Registers, micro_op_of, predicate_lanes, refused, request_of, source,
};
use super::shared::{with_whole_window, with_window_of};
use super::{Beat, ProgramOperation};

/// Rule of texts that are no PTX at all.
const SYNTAX: &str = "syntax";

/// First destination register where the file names none: every count of registers is aligned there.
const FIRST_REGISTER: u8 = 0;

/// The request, tag 0, and the store data of `text` with the operands `registers`; `mask` holds the active lanes, and
/// `rd` is the first destination register of a load.
pub(super) fn assemble(
    text: &str,
    conventions: &Conventions<'_>,
    registers: &Registers,
    mask: u32,
    rd: Option<u8>,
) -> Result<Assembled, Refusal> {
    let lowered = lowered(text, conventions)?;
    if rd.is_some() && lowered.micro_op.op == Op::Store {
        return Err(Refusal::Registers("rd is given, but a store has no destination register".to_owned()));
    }
    let lanes = conventions.preset.lanes;
    let micro_op = MicroOp { rd: rd.unwrap_or(FIRST_REGISTER), ..lowered.micro_op };
    let mut request = with_whole_window(conventions.preset, request_of(&micro_op));
    request.mask = mask;
    if let Some(guard) = &lowered.guard {
        let truth = predicate_lanes(&guard.name, registers)?;
        request.mask &= if guard.is_negated { !truth } else { truth };
    }
    if let AddressBase::Register { name, bits } = &lowered.address {
        let address_bits = conventions.preset.address_bits;
        for (lane, value) in source(name, registers)?.iter().take(lanes).enumerate() {
            let is_active = request.mask >> lane & 1 == 1;
            let value = match register_bits(name, lane, *value, *bits) {
                Ok(value) => value as u64,
                // An address that nobody uses may be anything.
                Err(_) if !is_active => *value as u64,
                Err(message) => return Err(Refusal::of_value(name, message)),
            };
            request.wide |= u32::from(value >> address_bits != 0) << lane;
            request.addr[lane] = value & conventions.preset.address_mask();
        }
    }
    if let Some(PolicySource::Register(name)) = &lowered.policy {
        let values = source(name, registers)?;
        let Some(first) = values.first().filter(|first| values.iter().all(|value| value == *first)) else {
            return Err(Refusal::of_value(
                name,
                format!("{name} is a cache policy: it must be the same in every lane"),
            ));
        };
        request.policy = register_bits(name, 0, *first, 64).map_err(|message| Refusal::of_value(name, message))? as u64;
    }
    let is_store = micro_op.op == Op::Store;
    let data = if is_store { store_data(&lowered, request.size, registers, lanes)? } else { Vec::new() };
    let named = if is_store { Vec::new() } else { destinations(&lowered, &request) };
    Ok(Assembled { request, data, named })
}

/// Reads, judges and lowers `text`; what this version of the unit does not serve is refused.
fn lowered(text: &str, conventions: &Conventions<'_>) -> Result<Lowered, Refusal> {
    let whole = 0..text.len();
    let illegal = |diagnostic: Diagnostic| Refusal::Text(Box::new(diagnostic), true);
    let version = match conventions.ptx_version {
        None => Version::NEWEST,
        Some(version) => Version::parse(version).ok_or_else(|| {
            refused("version-unknown", whole.clone(), format!("PTX {version} is no version that is known"), false)
        })?,
    };
    let Some(target) = Target::parse(conventions.target) else {
        let message = format!("{} is no PTX target that is known", conventions.target);
        return Err(refused("target-unknown", whole, message, false));
    };
    let instruction = parse(text).map_err(|diagnostic| {
        let is_illegal = diagnostic.rule != SYNTAX;
        Refusal::Text(Box::new(diagnostic), is_illegal)
    })?;
    let mut context = Context::with_conventions();
    // A program declares no variables: a name in an address is a register too, whose value `regs` gives.
    if let Base::Name(name) = &instruction.address.value.base.value
        && context.look_up(name).is_none()
    {
        context.declare_as(name, "b64");
    }
    context.assume_undeclared(&instruction);
    let verdict = judge(&instruction, version, target, &context, Dialect::Assembler);
    if let Some(reason) = verdict.errors.into_iter().next() {
        return Err(illegal(reason));
    }
    if let Some(reason) = not_served(&instruction, &context) {
        return Err(illegal(reason));
    }
    let lowered = lower(&instruction, &context).map_err(illegal)?;
    if let AddressBase::Variable { name, .. } = &lowered.address {
        let span = instruction.address.value.base.span.clone();
        let diagnostic = Diagnostic::error("address-symbol", span, format!("nothing says where {name} lies"))
            .with_help("give the address in a register: [%rd1], with regs = { \"%rd1\" = 0x1000 }");
        return Err(Refusal::Text(Box::new(diagnostic), false));
    }
    Ok(lowered)
}

fn store_data(lowered: &Lowered, size: u8, registers: &Registers, lanes: usize) -> Result<Vec<Beat>, Refusal> {
    let beats = beats_per_element(size);
    let mut data = vec![[0; MAX_LANES]; beats * lowered.elements.len()];
    for (element, words) in lowered.elements.iter().zip(data.chunks_exact_mut(beats)) {
        let mut put = |lane: usize, value: u128| {
            for (index, word) in words.iter_mut().enumerate() {
                word[lane] = (value >> (32 * index)) as u32;
            }
        };
        match &element.source {
            Source::Immediate(_) => {
                let value = element.number(element.data_type.bits).unwrap_or_default();
                (0..lanes).for_each(|lane| put(lane, value.into()));
            }
            name => {
                let (name, bits) = (name.to_string(), element.data_type.bits);
                for (lane, value) in source(&name, registers)?.iter().take(lanes).enumerate() {
                    let value = register_bits(&name, lane, *value, bits);
                    put(lane, value.map_err(|message| Refusal::of_value(&name, message))?);
                }
            }
        }
    }
    Ok(data)
}

/// The registers of a load by their names. Of a register that stands twice the later element is left, as in the unit.
fn destinations(lowered: &Lowered, request: &Request) -> Vec<Destination> {
    if request.rd == RZ {
        return Vec::new();
    }
    let count = registers_per_element(request);
    let mut named: Vec<Destination> = Vec::with_capacity(lowered.elements.len());
    for (index, Element { source, data_type, upper_half }) in lowered.elements.iter().enumerate() {
        if *source == Source::Sink {
            continue;
        }
        let name = source.to_string();
        named.retain(|earlier| earlier.name != name);
        let first = request.rd.wrapping_add(count * index as u8);
        named.push(Destination { name, first, count, bits: data_type.bits, upper_half: *upper_half });
    }
    named
}

/// The register values with which `text` gives `operation` again, where there are any.
pub(super) fn operands(text: &str, conventions: &Conventions<'_>, operation: &ProgramOperation) -> Option<Registers> {
    let lowered = lowered(text, conventions).ok()?;
    let request = &operation.request;
    let lanes = conventions.preset.lanes;
    let mut registers = Registers::new();
    if let Some(Guard { name, is_negated }) = &lowered.guard {
        registers.insert(name.to_string(), vec![i128::from(!is_negated); lanes]);
    }
    if let AddressBase::Register { name, .. } = &lowered.address {
        let top = 1_i128 << conventions.preset.address_bits;
        let register = |lane: usize| i128::from(request.addr[lane]) + i128::from(request.wide >> lane & 1) * top;
        registers.insert(name.to_string(), (0..lanes).map(register).collect());
    }
    if let Some(PolicySource::Register(name)) = &lowered.policy {
        registers.insert(name.to_string(), vec![i128::from(request.policy as i64); lanes]);
    }
    if lowered.micro_op.op == Op::Store {
        let beats = beats_per_element(request.size);
        for (element, words) in lowered.elements.iter().zip(operation.data.chunks_exact(beats)) {
            if !matches!(element.source, Source::Register { .. }) {
                continue;
            }
            let value = |lane: usize| {
                let bits = words.iter().rev().fold(0_u128, |bits, word| bits << 32 | u128::from(word[lane]));
                // The format's integers are signed and have 64 bits.
                if beats == 2 { i128::from(bits as u64 as i64) } else { bits as i128 }
            };
            registers.insert(element.source.to_string(), (0..lanes).map(value).collect());
        }
    }
    let rd = (lowered.micro_op.op == Op::Load).then_some(request.rd);
    let mut again = assemble(text, conventions, &registers, request.mask, rd).ok()?;
    // It stands beside the text.
    again.request = with_window_of(request, again.request);
    // An operation that came from no text has no names yet.
    let has_names = operation.named.is_empty() || again.named == operation.named;
    let is_same = again.request == *request && again.data == operation.data && has_names;
    is_same.then_some(registers)
}

/// The PTX text of a load or store that has none, in the names of [`nearest`]; whether it gives the operation is for
/// [`operands`] to say.
pub(super) fn text_of(request: &Request) -> Option<String> {
    raise(&micro_op_of(request)?).map(|instruction| instruction.to_string())
}

/// The request of the load or store that comes closest to `request`; `None` where that is not one that the unit serves.
pub(super) fn canonical(request: &Request, conventions: &Conventions<'_>) -> Option<Request> {
    let instruction = nearest(&micro_op_of(request)?)?;
    let lowered = lowered(&instruction.to_string(), conventions).ok()?;
    let is_load = lowered.micro_op.op == Op::Load;
    let micro_op = MicroOp { rd: if is_load { request.rd } else { FIRST_REGISTER }, ..lowered.micro_op };
    let Request { tag, mask, addr, .. } = *request;
    Some(with_window_of(request, Request { tag, mask, addr, ..request_of(&micro_op) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Expected, Overrides, Program, ProgramError, read, store_beats, write};

    fn program(ops: &str) -> Result<Program, ProgramError> {
        read(&format!("preset = \"fpga8\"\n{ops}"), "test.toml", Overrides::default())
    }

    /// One operation: an instruction and the rest of its table.
    fn operation(instr: &str, rest: &str) -> ProgramOperation {
        let text = format!("[[op]]\ninstr = \"{instr}\"\n{rest}\n");
        program(&text).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error))).ops.remove(0)
    }

    fn refusal(instr: &str, rest: &str) -> String {
        program(&format!("[[op]]\ninstr = \"{instr}\"\n{rest}\n")).expect_err(instr).to_string()
    }

    #[test]
    fn a_register_beyond_the_addresses_makes_its_lane_wide() {
        let regs = "regs = { \"%rd1\" = \"0x1000 + 4*lane + (lane / 7) * 0x100000000\" }";
        let request = operation("ld.global.u32 %r1, [%rd1];", regs).request;
        assert_eq!((request.wide, request.addr[7]), (0x80, 0x101c));
    }

    #[test]
    fn a_load_has_registers_by_name() {
        let load = operation(
            "ld.global.nc.L1::evict_last.v2.u64 {%rd2, %rd3}, [%rd1+-16];",
            "regs = { \"%rd1\" = \"0x1010 + 16*lane\" }\nexpect = { \"%rd3\" = -1 }",
        );
        let request = &load.request;
        assert_eq!((request.op, request.space, request.nc, request.size, request.vec), (0, 1, true, 3, 1));
        assert_eq!((request.imm, request.addr[7], request.rd, request.l1_evict), (0xffff_fff0, 0x1080, 0, 3));
        let named: Vec<_> = load.named.iter().map(|it| (it.name.as_str(), it.first, it.count, it.bits)).collect();
        assert_eq!(named, [("%rd2", 0, 2, 64), ("%rd3", 2, 2, 64)]);
        assert_eq!(load.expect[0].values, Expected::Lanes(vec![u64::MAX.into(); 8]));
    }

    #[test]
    fn widths_and_sinks_count_registers_of_the_unit() {
        let counts = |instr: &str| -> Vec<_> {
            let load = operation(instr, "regs = { \"%rd1\" = 0 }");
            load.named.iter().map(|it| (it.name.clone(), it.first, it.count, it.bits)).collect()
        };
        let of = |name: &str, first, count, bits| (name.to_owned(), first, count, bits);
        assert_eq!(counts("ld.global.v2.u8 {%h1, %h2}, [%rd1];"), [of("%h1", 0, 1, 16), of("%h2", 1, 1, 16)]);
        assert_eq!(counts("ld.global.s8 %rd4, [%rd1];"), [of("%rd4", 0, 2, 64)]);
        assert_eq!(counts("ld.global.b128 %q1, [%rd1];"), [of("%q1", 0, 4, 128)]);
        let wide = "ld.global.v8.b32 {%r1, _, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1];";
        assert_eq!(counts(wide)[1], of("%r3", 2, 1, 32));
    }

    #[test]
    fn constant_loads_have_their_spaces() {
        let request = |instr: &str| operation(instr, "regs = { \"%rd1\" = \"4*lane\" }").request;
        let load = request("ld.const.v2.s16 {%rd2, _}, [%rd1+-4];");
        assert_eq!((load.op, load.space, load.size, load.vec, load.sink, load.dst_width), (0, 5, 1, 1, 2, 2));
        assert_eq!((load.imm, load.addr[7], load.sign), (0xffff_fffc, 28, true));
        // A program's instructions stand in a kernel.
        assert_eq!(request("ld.param.u32 %r1, [%rd1];").space, 6);
        assert_eq!(request("ld.param::entry.u32 %r1, [%rd1];").space, 6);
    }

    #[test]
    fn a_store_has_its_data() {
        let store = operation(
            "st.global.v2.f64 [%rd1], {%fd1, 1.0};",
            "regs = { \"%rd1\" = \"16*lane\", \"%fd1\" = \"(lane << 32) + 5\" }",
        );
        assert_eq!(store.request.op, 1);
        assert_eq!(store.data.len(), store_beats(&store.request));
        assert_eq!([store.data[0][3], store.data[1][3], store.data[2][3], store.data[3][3]], [5, 3, 0, 0x3ff0_0000]);
        let narrow = operation("st.global.u8 [%rd1], %r9;", "regs = { \"%rd1\" = 0, \"%r9\" = -2 }");
        assert_eq!((narrow.data.len(), narrow.data[0][0]), (1, 0xffff_fffe));
    }

    #[test]
    fn policy_and_guard_come_from_registers() {
        let load = operation(
            "@!%p1 ld.global.L2::cache_hint.u32 %r1, [%rd1], pol;",
            "mask = 0x3f\nregs = { \"%rd1\" = 64, pol = 0x12345, \"%p1\" = \"lane % 2\" }",
        );
        assert_eq!((load.request.policy_en, load.request.policy, load.request.mask), (true, 0x12345, 0x15));
        let rest = "regs = { \"%rd1\" = 64, pol = \"lane\" }";
        assert!(refusal("ld.global.L2::cache_hint.u32 %r1, [%rd1], pol;", rest).contains("the same in every lane"));
    }

    #[test]
    fn what_cannot_run_is_refused_by_name() {
        let at = "regs = { \"%rd1\" = 0 }";
        assert!(refusal("ld.global.u32 %r1, [gbl+8];", "").contains("address-symbol"));
        assert!(refusal("ld.const.u32 %r1, [cst];", "").contains("nothing says where cst lies"));
        assert!(refusal("ld.global.u32 %r1, [%rd1];", "").contains("reads %rd1"));
        assert!(refusal("ld.global.wb.u32 %r1, [%rd1];", at).contains("operator"));
        // Versions and targets gate.
        let gated = |head: &str| program(&format!("{head}[[op]]\ninstr = \"ld.global.b128 %q1, [%rd1];\"\n{at}\n"));
        assert!(gated("ptx_version = \"8.3\"\ntarget = \"sm_90\"\n").is_ok());
        let error = gated("ptx_version = \"8.2\"\ntarget = \"sm_90\"\n").expect_err("too old");
        assert!(error.is_illegal_instruction());
    }

    #[test]
    fn a_lane_that_is_off_may_have_any_address() {
        let load = operation("ld.global.u32 %r1, [%rd1];", "mask = 0xfc\nregs = { \"%rd1\" = \"4*(lane - 2)\" }");
        assert_eq!(load.request.addr[2..4], [0, 4]);
    }

    #[test]
    fn texts_are_written_and_read_back() {
        let texts = [
            (
                "ld.global.nc.v2.u64 {%rd2, _}, [%rd1+8];",
                "regs = { \"%rd1\" = \"8*lane\" }\nexpect = { \"%rd2\" = -5 }",
            ),
            ("@%p1 ld.u32 %r1, [%r2];", "regs = { \"%r2\" = \"0x20 - lane\", \"%p1\" = \"lane / 4\" }"),
            (
                "st.global.wt.v4.u16 [%rd1], {%h1, %h2, 7, %h1};",
                "regs = { \"%rd1\" = [8, 7, 6, 5, 4, 3, 2, 1], \"%h1\" = \"-lane\", \"%h2\" = \"lane*lane\" }",
            ),
            (
                "st.global.L2::cache_hint.u64 [%rd1], %rd2, pol;",
                "regs = { \"%rd1\" = 8, \"%rd2\" = \"-lane\", pol = -9 }\nexpect_fault = \"misaligned_address\"",
            ),
            ("ld.global.s8 %r1, [%rd1];", "regs = { \"%rd1\" = 8 }\nexpect_any = { \"%r1\" = [-1, 4] }"),
            (
                "st.shared.v2.u32 [%rd1], {%r1, 7};",
                "regs = { \"%rd1\" = \"8*lane\", \"%r1\" = 5 }\nshared_base = 0x100\nshared_size = 0x40",
            ),
            ("ld.shared::cta.u64 %rd2, [%rd1];", "regs = { \"%rd1\" = 0 }\nshared_size = 0"),
            ("ld.shared::cluster.u32 %r1, [%rd1];", "regs = { \"%rd1\" = \"lane * 0x1000000\" }\nshared_size = 0x40"),
            ("st.shared::cluster.v2.u32 [%rd1], {%r1, 7};", "regs = { \"%rd1\" = 8, \"%r1\" = 5 }"),
            ("ld.local.v2.u32 {%r1, %r2}, [%rd1+8];", "regs = { \"%rd1\" = \"16*lane\" }"),
            ("st.param::func.u32 [%rd1], %r1;", "regs = { \"%rd1\" = 4, \"%r1\" = \"lane\" }"),
            ("ld.u32 %r1, [%rd1];", "regs = { \"%rd1\" = 0xfc000000 }\nshared_base = 0x1ff0"),
            ("ld.const.v2.s16 {%rd2, _}, [%rd1+-4];", "regs = { \"%rd1\" = \"4*lane\" }\nexpect = { \"%rd2\" = -3 }"),
            ("ld.param::entry.u64 %rd2, [%rd1+8];", "regs = { \"%rd1\" = 0 }"),
        ];
        for (instr, rest) in texts {
            let first = program(&format!("[[op]]\ninstr = \"{instr}\"\n{rest}\n"))
                .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
            let text = write(&first);
            assert!(text.contains(instr), "{text}");
            let again = read(&text, "again.toml", Overrides::default());
            assert_eq!(
                again.unwrap_or_else(|error| panic!("{text}\n{:?}", miette::Report::new(error))),
                first,
                "{text}"
            );
        }
    }

    #[test]
    fn a_text_has_the_window_of_its_cta() {
        let window = |instr: &str, rest: &str| {
            let request = operation(instr, &format!("regs = {{ \"%rd1\" = 0 }}\n{rest}")).request;
            (request.space, request.shared_base, request.shared_size)
        };
        let load = "ld.shared.u32 %r1, [%rd1];";
        assert_eq!(window(load, ""), (2, 0, 0x1000));
        assert_eq!(window("ld.shared::cta.u32 %r1, [%rd1];", ""), (2, 0, 0x1000));
        assert_eq!(window("ld.shared::cluster.u32 %r1, [%rd1];", "shared_base = 0x20"), (3, 0x20, 0x1000));
        assert_eq!(window("ld.u32 %r1, [%rd1];", "shared_base = 0x20"), (0, 0x20, 0x1000));
        assert_eq!(window(load, "shared_base = 0x20\nshared_size = 0x30"), (2, 0x20, 0x30));
        // Global memory has none.
        assert_eq!(window("ld.global.u32 %r1, [%rd1];", ""), (1, 0, 0));
        let refused = |instr: &str, rest: &str| refusal(instr, &format!("regs = {{ \"%rd1\" = 0 }}\n{rest}"));
        assert!(refused(load, "shared_base = 0x18").contains("shared_base is 24, no multiple of 16"));
        assert!(refused(load, "shared_size = 0x2000").contains("shared_size is 8192; it can be 0 to 8176"));
        assert!(refused("ld.global.u32 %r1, [%rd1];", "shared_size = 16").contains("no window of shared memory"));
        assert!(program("[[op]]\npins = { op = 0, space = 2 }\nshared_base = 16\n").is_err());
        assert!(program("[[op]]\ncommand = \"invalidate_l1\"\nshared_base = 16\n").is_err());
    }

    #[test]
    fn a_window_that_no_key_gives_is_written_by_pins() {
        let mut first =
            program("[[op]]\ninstr = \"ld.shared.u32 %r1, [%rd1];\"\nregs = { \"%rd1\" = 8 }\n").expect("a right file");
        (first.ops[0].request.shared_base, first.ops[0].request.shared_size) = (0x1fff, 0x18);
        let text = write(&first);
        assert!(text.contains("shared_base = 0x1fff") && !text.contains("instr"), "{text}");
        let again = read(&text, "again.toml", Overrides::default()).expect("a written file");
        assert_eq!(again.ops[0].request, first.ops[0].request);
    }

    #[test]
    fn a_text_that_no_longer_fits_gives_way_to_pins() {
        let mut first =
            program("[[op]]\ninstr = \"st.global.u32 [%rd1], %r1;\"\nregs = { \"%rd1\" = 8, \"%r1\" = 3 }\n")
                .expect("a right file");
        first.ops[0].request.imm = 4;
        first.ops[0].request.scope = 2;
        let text = write(&first);
        assert!(!text.contains("instr"), "{text}");
        let again = read(&text, "again.toml", Overrides::default()).expect("a written file");
        assert_eq!((again.ops[0].request, &again.ops[0].data), (first.ops[0].request, &first.ops[0].data));
    }
}

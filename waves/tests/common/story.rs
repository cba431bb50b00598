//! A made-up run of a small unit, so that views can be tried without any RTL: a hit, a divergent LDC in four passes, a
//! miss whose fill comes back wrong in the device under test, and a fault.

use std::path::Path;

use lsu_waves::view::{Marker, View};
use lsu_waves::{Dump, DutSource, Format, Layout, Pin, Shape, Stories, Wave, WaveError, Window};

/// Cycles of the run.
pub const CYCLES: u64 = 60;
/// Cycle in which the device under test writes back a wrong word.
pub const MISMATCH: u64 = 44;
/// Cycle in which the operation that goes wrong is offered.
pub const BEGIN: u64 = 14;

/// Texts of the lanes: first cycle, lane, instruction, step.
const STEPS: &[(u64, usize, &str, &str)] = &[
    (3, 0, "LDC", "request"),
    (4, 0, "LDC", "accepted"),
    (7, 0, "LDC", "pass 1/1 hit"),
    (9, 0, "LDC", "write-back R4"),
    (10, 0, "", ""),
    (4, 1, "LDC.64", "request"),
    (5, 1, "LDC.64", "accepted"),
    (8, 1, "LDC.64", "pass 1/4 hit"),
    (9, 1, "LDC.64", "pass 2/4 hit"),
    (10, 1, "LDC.64", "pass 3/4 miss"),
    (11, 1, "LDC.64", "pass 4/4 hit"),
    (12, 1, "LDC.64", "pass 3/4 miss"),
    (34, 1, "LDC.64", "pass 3/4 fill"),
    (36, 1, "LDC.64", "write-back R6"),
    (38, 1, "", ""),
    (BEGIN, 2, "LDC", "request"),
    (BEGIN + 1, 2, "LDC", "accepted"),
    (BEGIN + 4, 2, "LDC", "pass 1/1 miss"),
    (41, 2, "LDC", "pass 1/1 fill"),
    (MISMATCH, 2, "LDC", "write-back R10"),
    (MISMATCH + 1, 2, "", ""),
    (48, 3, "LDC.64", "request"),
    (49, 3, "LDC.64", "accepted"),
    (51, 3, "LDC.64", "fault misaligned_register"),
    (53, 3, "", ""),
];

/// Write-backs: cycle, tag, register.
const WRITE_BACKS: &[(u64, u32, u32)] =
    &[(9, 0, 4), (10, 1, 6), (11, 1, 7), (13, 1, 6), (14, 1, 7), (36, 1, 6), (37, 1, 7), (MISMATCH, 2, 10)];
const REQUESTS: &[(u64, u32)] = &[(3, 0), (4, 1), (BEGIN, 2), (48, 3)];
const MEMORY_REQUESTS: &[(u64, u32, u32)] =
    &[(11, 0, 0x1_0040), (12, 1, 0x1_0060), (19, 2, 0x5_0040), (20, 3, 0x5_0060)];
const MEMORY_RESPONSES: &[(u64, u32)] = &[(31, 0), (33, 1), (39, 2), (40, 3)];
const FAULT: u64 = 51;

fn pins(layout: &mut Layout) -> Result<Vec<Pin>, WaveError> {
    let op = layout.enum_type("op", 2, &[(0, "load"), (1, "store"), (2, "ldc"), (3, "command")])?;
    let mode = layout.enum_type("mode", 2, &[(0, "IA"), (1, "IL"), (2, "IS"), (3, "ISL")])?;
    let causes = [(0, "none"), (1, "misaligned_register"), (2, "illegal_instruction"), (3, "misaligned_address")];
    let cause = layout.enum_type("fault_cause", 3, &causes)?;
    Ok(vec![
        Pin::input("req", "req_valid", Shape::Flag),
        Pin::output("req", "req_ready", Shape::Flag),
        Pin::input("req", "req_tag", Shape::Bits(8)),
        Pin::input("req", "req_op", Shape::Enum(op)),
        Pin::input("req", "req_mode", Shape::Enum(mode)),
        Pin::output("wb", "wb_valid", Shape::Flag),
        Pin::output("wb", "wb_tag", Shape::Bits(8)),
        Pin::output("wb", "wb_rd", Shape::Bits(8)),
        Pin::output("wb", "wb_data", Shape::Bits(256)),
        Pin::output("fault", "fault_valid", Shape::Flag),
        Pin::output("fault", "fault_cause", Shape::Enum(cause)),
        Pin::output("mem_req", "mem_req_valid", Shape::Flag),
        Pin::output("mem_req", "mem_req_id", Shape::Bits(6)),
        Pin::output("mem_req", "mem_req_addr", Shape::Bits(49)),
        Pin::input("mem_rsp", "mem_rsp_valid", Shape::Flag),
        Pin::input("mem_rsp", "mem_rsp_id", Shape::Bits(6)),
        Pin::output("status", "status_ldc_misses", Shape::Counter),
    ])
}

/// Values of the pins in one cycle, in their order; `None` is a payload that means nothing.
fn model(cycle: u64) -> Vec<Option<Vec<u32>>> {
    let flag = |value: bool| Some(vec![u32::from(value)]);
    let request = REQUESTS.iter().find(|request| request.0 == cycle);
    let write_back = WRITE_BACKS.iter().find(|write| write.0 == cycle);
    let memory_request = MEMORY_REQUESTS.iter().find(|request| request.0 == cycle);
    let response = MEMORY_RESPONSES.iter().find(|response| response.0 == cycle);
    let misses = MEMORY_REQUESTS.iter().filter(|request| request.0 < cycle && request.1 % 2 == 0).count();
    vec![
        flag(request.is_some()),
        flag(true),
        request.map(|request| vec![request.1]),
        request.map(|_| vec![2]),
        request.map(|request| vec![request.1 % 3]),
        flag(write_back.is_some()),
        write_back.map(|write| vec![write.1]),
        write_back.map(|write| vec![write.2]),
        write_back.map(|write| (0..8).map(|lane| write.2 * 0x0101_0000 + lane * 4).collect()),
        flag(cycle == FAULT),
        (cycle == FAULT).then(|| vec![1]),
        flag(memory_request.is_some()),
        memory_request.map(|request| vec![request.1]),
        memory_request.map(|request| vec![request.2, 1]),
        flag(response.is_some()),
        response.map(|response| vec![response.1]),
        Some(vec![misses as u32]),
    ]
}

/// The same with the fault that the check is to find: one word of one write-back.
fn device(cycle: u64) -> Vec<Option<Vec<u32>>> {
    let mut pins = model(cycle);
    if cycle == MISMATCH
        && let Some(data) = &mut pins[8]
    {
        data[7] ^= 0x2;
    }
    pins
}

/// Writes the run's dump.
pub fn write(path: &Path, format: Format, window: Window) -> Result<(Dump, Stories), WaveError> {
    let mut layout = Layout::new();
    let pins = pins(&mut layout)?;
    let lanes = ["warp0", "warp1", "warp2", "warp3"];
    let mut stories = Stories::declare(&mut layout, pins, &lanes, DutSource::Probe, true)?;
    let mut wave = Wave::create(path, format, layout, window, None)?;
    for cycle in 0..CYCLES {
        wave.begin_cycle(cycle)?;
        let (model, device) = (model(cycle), device(cycle));
        for (pin, words) in model.iter().enumerate() {
            match words {
                Some(words) => stories.set_model(&mut wave, pin, words),
                None => stories.set_model_unknown(&mut wave, pin),
            }
        }
        for (pin, words) in device.iter().enumerate() {
            // Hardware drives something also when it means nothing.
            stories.set_dut(&mut wave, pin, words.as_deref().unwrap_or(&[0]));
        }
        stories.set_differences(&mut wave, cycle, |pin| model[pin] != device[pin]);
        for &(first, lane, instruction, step) in STEPS {
            if first == cycle {
                let text = if step.is_empty() { String::new() } else { format!("{instruction} w{lane} {step}") };
                stories.set_operation(&mut wave, lane, &text);
            }
        }
    }
    Ok((wave.finish()?, stories))
}

/// The view that shows the mismatch.
pub fn view(dump: &Dump, stories: &Stories) -> View {
    let markers = vec![
        Marker { name: "mismatch".to_owned(), cycle: MISMATCH },
        Marker { name: "begin".to_owned(), cycle: BEGIN },
    ];
    View::standard(dump, stories, markers)
}

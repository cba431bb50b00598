//! Speed of the golden model alone: cycles in which nothing happens, and cycles in which every place is busy.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lsu_model::golden::Golden;
use lsu_model::pins::{BankWrite, Inputs, MemoryResponse, Outputs, Request};
use lsu_model::preset::{self, Preset};
use std::hint::black_box;

const CYCLES: u64 = 1_000;
/// Lines that are in the cache when the measurement begins.
const LINES: u64 = 8;

/// A unit with one bank whose first lines are in the cache, and inputs with every `ready` high.
fn warm(preset: &Preset) -> (Golden, Inputs, Outputs) {
    let mut golden = Golden::new(preset);
    let mut outputs = Outputs::default();
    let mut inputs = Inputs {
        wb_ready: true,
        fault_ready: true,
        done_ready: true,
        mem_req_ready: true,
        bank_write_valid: true,
        bank_write: BankWrite { index: 0, base: 0, size: 0x1_0000, valid: true },
        ..Inputs::default()
    };
    golden.step(&inputs, &mut outputs);
    inputs.bank_write_valid = false;
    inputs.req = request(preset, |_| 0);
    for line in 0..LINES {
        inputs.req.addr.fill(64 * line);
        inputs.req_valid = true;
        golden.step(&inputs, &mut outputs);
        inputs.req_valid = false;
        for _ in 0..20 {
            golden.step(&inputs, &mut outputs);
            inputs.mem_rsp_valid = outputs.mem_req_valid;
            inputs.mem_rsp = MemoryResponse { id: outputs.mem_req.id, ..MemoryResponse::default() };
        }
    }
    (golden, inputs, outputs)
}

fn request(preset: &Preset, address: impl Fn(u64) -> u64) -> Request {
    let mut request = Request { op: 2, size: 2, rd: 4, mask: preset.lane_mask(), ..Request::default() };
    for (lane, addr) in request.addr.iter_mut().enumerate() {
        *addr = address(lane as u64);
    }
    request
}

/// A unit with the first lines of memory in L1 and in the read-only cache.
fn warm_global(preset: &Preset) -> (Golden, Inputs, Outputs) {
    let (mut golden, mut inputs, mut outputs) = warm(preset);
    for line in 0..LINES {
        for nc in [false, true] {
            inputs.req = Request { nc, ..global(preset, 0, 2, |lane| 128 * line + lane % 4 * 32) };
            inputs.req_valid = true;
            golden.step(&inputs, &mut outputs);
            inputs.req_valid = false;
            for _ in 0..20 {
                golden.step(&inputs, &mut outputs);
                inputs.mem_rsp_valid = outputs.mem_req_valid;
                inputs.mem_rsp = MemoryResponse { id: outputs.mem_req.id, ..MemoryResponse::default() };
            }
        }
    }
    (golden, inputs, outputs)
}

/// A global load (op 0) or store (op 1).
fn global(preset: &Preset, op: u8, size: u8, address: impl Fn(u64) -> u64) -> Request {
    Request { op, size, space: 1, ..request(preset, address) }
}

/// Streams over the global path, one operation after the other; every request of memory is answered in the next cycle.
fn bench_global(criterion: &mut Criterion) {
    for preset in preset::ALL {
        let mut group = criterion.benchmark_group(format!("{}, global", preset.name));
        group.throughput(Throughput::Elements(CYCLES));
        let streams = [
            ("hits", global(&preset, 0, 2, |lane| 4 * lane)),
            ("hits of 16 bytes", global(&preset, 0, 4, |lane| 16 * lane)),
            ("read-only hits", Request { nc: true, ..global(&preset, 0, 2, |lane| 4 * lane) }),
            ("misses", Request { cop: 2, ..global(&preset, 0, 2, |lane| 4 * lane) }),
            ("stores", global(&preset, 1, 2, |lane| 4 * lane)),
        ];
        for (name, stream) in streams {
            let (mut golden, mut inputs, mut outputs) = warm_global(&preset);
            inputs.req = stream;
            inputs.req_valid = true;
            inputs.wdata_valid = true;
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for _ in 0..CYCLES {
                        golden.step(black_box(&inputs), &mut outputs);
                        if outputs.req_ready {
                            inputs.req.tag = inputs.req.tag.wrapping_add(1);
                        }
                        inputs.mem_rsp_valid = outputs.mem_req_valid;
                        inputs.mem_rsp.id = outputs.mem_req.id;
                        black_box(&outputs);
                    }
                });
            });
        }
        group.finish();
    }
}

fn bench(criterion: &mut Criterion) {
    for preset in preset::ALL {
        let mut group = criterion.benchmark_group(preset.name);
        group.throughput(Throughput::Elements(CYCLES));
        let (mut golden, mut inputs, mut outputs) = warm(&preset);
        group.bench_function("idle", |bencher| {
            bencher.iter(|| {
                for _ in 0..CYCLES {
                    golden.step(black_box(&inputs), &mut outputs);
                    black_box(&outputs);
                }
            });
        });
        inputs.req_valid = true;
        let streams = [
            ("busy, one line", request(&preset, |lane| 4 * lane % 64)),
            ("busy, four lines", request(&preset, |lane| 64 * (lane % 4))),
        ];
        for (name, stream) in streams {
            inputs.req = stream;
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for _ in 0..CYCLES {
                        inputs.req.tag = inputs.req.tag.wrapping_add(1);
                        golden.step(black_box(&inputs), &mut outputs);
                        black_box(&outputs);
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(golden, bench, bench_global);
criterion_main!(golden);

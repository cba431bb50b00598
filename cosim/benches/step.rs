//! Cycles per second through `Dut::step`, beside a bare C++ loop over the same recorded stimulus.
//!
//! `cargo bench -p lsu-cosim --bench step`. The top is a pipeline stage of 32 lanes with some 2,300 pins, as wide as
//! the unit's own ports. The three lines: `bare` drives and evaluates only; `step` also samples every output and comes
//! back to Rust in every cycle; `step, trace-capable` is the same in a build that could write waves but does not.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lsu_cosim::verilator::{Build, Cache, Layout, Library, Source, Toolchain};

/// Cycles in the recorded stimulus.
const CYCLES: u64 = 10_000;

/// Per lane: base plus scaled index, a bounds check, and the lane's word of a line; two register stages.
const STAGE: &str = "
module stage (
    input  wire          clk,
    input  wire          reset,
    input  wire          valid_in,
    input  wire [31:0]   mask,
    input  wire [31:0]   base,
    input  wire [31:0]   limit,
    input  wire [1023:0] index,
    output reg           valid_out,
    output reg  [31:0]   fault,
    output reg  [1023:0] address
);
    reg           valid_q;
    reg  [31:0]   mask_q;
    reg  [1023:0] sum_q;
    integer lane;
    always @(posedge clk) begin
        valid_q <= valid_in & ~reset;
        valid_out <= valid_q & ~reset;
        mask_q <= mask;
        for (lane = 0; lane < 32; lane = lane + 1) begin
            if (mask[lane]) sum_q[32*lane +: 32] <= base + {index[32*lane +: 30], 2'b00};
            fault[lane] <= mask_q[lane] & (sum_q[32*lane +: 32] >= limit);
            address[32*lane +: 32] <= mask_q[lane] ? sum_q[32*lane +: 32] : 32'd0;
        end
    end
endmodule
";

/// The same pseudo-random words (xorshift) for every run: the input words of [`CYCLES`] cycles.
fn stimulus(layout: &Layout) -> Vec<u32> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..CYCLES as usize * layout.input_words()).map(|_| next()).collect()
}

fn library(toolchain: &Toolchain, trace: bool) -> Library {
    Build::new("stage", Source::Text(STAGE.to_owned())).trace(trace).build(toolchain).expect("the stage builds")
}

fn cycles_per_second(criterion: &mut Criterion) {
    let toolchain = Cache::user().and_then(|cache| Toolchain::find(None, cache)).expect("a tool chain");
    let plain = library(&toolchain, false);
    let traceable = library(&toolchain, true);
    let stimulus = stimulus(plain.layout());
    let mut outputs = vec![0; plain.layout().output_words()];

    let mut group = criterion.benchmark_group("cycles");
    group.throughput(Throughput::Elements(CYCLES));
    let mut dut = plain.instantiate().expect("an instance");
    group.bench_function("bare", |bencher| bencher.iter(|| dut.bare(black_box(&stimulus), CYCLES)));
    for (name, library) in [("step", &plain), ("step, trace-capable", &traceable)] {
        let mut dut = library.instantiate().expect("an instance");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for inputs in stimulus.chunks_exact(library.layout().input_words()) {
                    dut.step(black_box(inputs), black_box(&mut outputs)).expect("the stage does not stop");
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, cycles_per_second);
criterion_main!(benches);

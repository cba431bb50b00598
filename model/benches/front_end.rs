//! Throughput of the front end: instructions parsed and judged per second, on the instructions of the legality file.

use std::io::Read as _;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lsu_model::ptx::{Context, Dialect, Target, Version, judge_fragment};
use lsu_model::sass::{Architecture, parse};

/// The text of a gzip file.
fn unpack(packed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("the data file is gzip");
    text
}

/// Judges every instruction of the legality file, each for its own version and target.
fn judge_ptx(criterion: &mut Criterion) {
    let text = unpack(include_bytes!("../tests/data/ptx-legality.jsonl.gz"));
    let rows = text
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("a row is JSON");
            let field = |name: &str| row[name].as_str().expect("a text").to_owned();
            let version = Version::parse(&field("ptx_version")).expect("a version");
            let target = Target::parse(&field("target")).expect("a target");
            (field("instr"), version, target)
        })
        .collect::<Vec<_>>();
    let mut context = Context::with_conventions();
    let mut group = criterion.benchmark_group("front_end");
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("judge_ptx", |bencher| {
        bencher.iter(|| {
            let judge = |(text, version, target): &(String, Version, Target)| {
                judge_fragment(text, *version, *target, &mut context, Dialect::Assembler).len()
            };
            rows.iter().map(judge).sum::<usize>()
        });
    });
    group.finish();
}

/// Parses the text of every known LDC encoding.
fn parse_sass(criterion: &mut Criterion) {
    let text = unpack(include_bytes!("../tests/data/ldc-encodings.tsv.gz"));
    let rows = text
        .lines()
        .skip(1)
        .map(|line| {
            let columns = line.split('\t').collect::<Vec<_>>();
            (Architecture::parse(columns[0]).expect("an architecture"), columns[3].to_owned())
        })
        .collect::<Vec<_>>();
    let mut group = criterion.benchmark_group("front_end");
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("parse_sass", |bencher| {
        bencher.iter(|| rows.iter().filter(|(architecture, text)| parse(text, *architecture).is_ok()).count());
    });
    group.finish();
}

criterion_group!(benches, judge_ptx, parse_sass);
criterion_main!(benches);

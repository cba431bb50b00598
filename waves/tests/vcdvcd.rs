//! A second reader, PyPI's vcdvcd, agrees with what was set. It is installed into a virtual environment of its own
//! below the target folder; without Python 3 or without a package index this test fails and says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use lsu_waves::{Format, Layout, TICKS_PER_CYCLE, Wave, Window};

const PACKAGE: &str = "vcdvcd==2.6.0";

/// Prints every change as `name time value`.
const SCRIPT: &str = "
import sys, vcdvcd
dump = vcdvcd.VCDVCD(sys.argv[1])
for name in sorted(dump.references_to_ids):
    for time, value in dump[name].tv:
        print(name, time, value)
";

fn run(command: &mut Command, purpose: &str) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{purpose}: {command:?} does not start: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{purpose} failed: {command:?}\n{out}{err}");
    out.into_owned()
}

/// The interpreter of an environment that holds vcdvcd.
fn python() -> PathBuf {
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vcdvcd-2.6.0");
    let python = environment.join("bin/python");
    let ready = environment.join("ready");
    if !ready.exists() {
        let mut make = Command::new("python3");
        make.args(["-m", "venv", "--clear"]).arg(&environment);
        run(&mut make, "making a Python environment (needs Python 3 with venv)");
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]);
        run(&mut install, "installing vcdvcd (needs a Python package index)");
        std::fs::write(ready, "").expect("written");
    }
    python
}

#[test]
fn vcdvcd_reads_the_same_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.vcd");
    let mut layout = Layout::new();
    let top = layout.scope(None, "model").expect("a scope");
    let inner = layout.scope(Some(top), "cache").expect("a scope");
    let flag = layout.flag(top, "flag").expect("a signal");
    let wide = layout.bits(inner, "wide", 2_300).expect("a signal");
    let count = layout.integer(inner, "count").expect("a signal");
    let text = layout.text(inner, "text", 20).expect("a text");
    let mut wave =
        Wave::create(&path, Format::Vcd, layout, Window::new(10, 400).expect("a window"), None).expect("a dump");
    let mut expected = Vec::new();
    let mut state = 1_u32;
    for cycle in 0..500_u64 {
        wave.begin_cycle(cycle).expect("a cycle");
        let words: Vec<u32> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        })
        .take(72)
        .collect();
        wave.set_flag(flag, cycle % 3 == 0);
        wave.set(wide, &words);
        wave.set_number(count, cycle / 4);
        wave.set_text(text, "LDC.64 w3 pass 2/4");
        if (10..=400).contains(&cycle) {
            let digits: String =
                (0..2_300).rev().map(|bit| if words[bit / 32] >> (bit % 32) & 1 == 1 { '1' } else { '0' }).collect();
            let values = [u8::from(cycle % 3 == 0).to_string(), digits, format!("{:b}", cycle / 4)];
            expected.push((cycle * TICKS_PER_CYCLE, values));
        }
    }
    wave.finish().expect("a dump");
    let printed = run(Command::new(python()).args(["-c", SCRIPT]).arg(&path), "reading with vcdvcd");
    for (index, name) in ["model.flag", "model.cache.wide[2299:0]", "model.cache.count[63:0]"].into_iter().enumerate() {
        let changes: Vec<(u64, &str)> = printed
            .lines()
            .filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.split_once(' '))
            .map(|(time, value)| (time.parse().expect("a time"), value))
            .collect();
        for (time, values) in &expected {
            let after = changes.partition_point(|(changed, _)| changed <= time);
            let digits = |value: &str| value.trim_start_matches('0').to_owned();
            assert_eq!(digits(changes[after - 1].1), digits(&values[index]), "{name} at {time}");
        }
        assert!(changes[0].0 == 100 && changes.last().expect("changes").0 <= 4_000, "only the window");
    }
}

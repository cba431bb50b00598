//! A process that is killed while it writes leaves a file that opens and is right as far as it goes.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::ReadBack;
use lsu_waves::{Format, Layout, TICKS_PER_CYCLE, Wave, Window};

const FILE_VARIABLE: &str = "LSU_WAVES_KILLED_FILE";

/// The process that is killed; as a test of its own it does nothing.
#[test]
fn writer_until_killed() {
    let Ok(path) = std::env::var(FILE_VARIABLE) else { return };
    let format = if path.ends_with("fst") { Format::Fst } else { Format::Vcd };
    let mut layout = Layout::new();
    let scope = layout.scope(None, "model").expect("a scope");
    let count = layout.bits(scope, "count", 256).expect("a signal");
    let mut wave = Wave::create(Path::new(&path), format, layout, Window::ALL, None).expect("a dump");
    for cycle in 0..u64::MAX {
        wave.begin_cycle(cycle).expect("a cycle");
        wave.set_number(count, cycle);
    }
}

fn kill_and_read(name: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let mut writer = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "writer_until_killed"])
        .env(FILE_VARIABLE, &path)
        .stdout(Stdio::null())
        .spawn()
        .expect("a second process");
    let begin = Instant::now();
    // Long enough for several sections of an FST.
    while std::fs::metadata(&path).map_or(0, |file| file.len()) < 3_000_000 {
        assert!(begin.elapsed() < Duration::from_secs(120), "the writer makes no progress");
        std::thread::sleep(Duration::from_millis(5));
    }
    writer.kill().expect("killed");
    writer.wait().expect("ended");
    let read = ReadBack::open(&path);
    let last = read.last_time / TICKS_PER_CYCLE;
    assert!(last > 10_000, "only {last} cycles are left");
    for cycle in (0..last).step_by(997) {
        let wanted = format!("{cycle:0256b}");
        assert_eq!(read.at("model.count", cycle * TICKS_PER_CYCLE), Some(wanted.as_str()), "cycle {cycle}");
    }
}

#[test]
fn vcd_of_a_killed_process_opens() {
    kill_and_read("killed.vcd");
}

#[test]
fn fst_of_a_killed_process_opens() {
    kill_and_read("killed.fst");
}

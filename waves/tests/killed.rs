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
    count_up(Path::new(&path), u64::MAX);
}

fn count_up(path: &Path, cycles: u64) {
    let format = if path.extension().is_some_and(|end| end == "fst") { Format::Fst } else { Format::Vcd };
    let mut layout = Layout::new();
    let scope = layout.scope(None, "model").expect("a scope");
    let count = layout.bits(scope, "count", 256).expect("a signal");
    let mut wave = Wave::create(path, format, layout, Window::ALL, None).expect("a dump");
    for cycle in 0..cycles {
        wave.begin_cycle(cycle).expect("a cycle");
        wave.set_number(count, cycle);
    }
    wave.finish().expect("a complete file");
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
    let last = counted_cycles(&path);
    assert!(last > 10_000, "only {last} cycles are left");
}

/// Asserts that what the file holds is what [`writer_until_killed`] writes; gives its cycles.
fn counted_cycles(path: &Path) -> u64 {
    let read = ReadBack::open(path);
    let last = read.last_time / TICKS_PER_CYCLE;
    for cycle in (0..last).step_by(997) {
        let wanted = format!("{cycle:0256b}");
        assert_eq!(read.at("model.count", cycle * TICKS_PER_CYCLE), Some(wanted.as_str()), "cycle {cycle}");
    }
    last
}

/// A write that is cut short ends at a page of the file.
#[test]
fn vcd_cut_at_any_page_opens() {
    const PAGE_BYTES: usize = 4096;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("whole.vcd");
    count_up(&path, 3_000);
    let whole = std::fs::read(&path).expect("readable");
    assert!(whole.len() > 10 * PAGE_BYTES, "{} bytes", whole.len());
    let cut = folder.path().join("cut.vcd");
    for end in (PAGE_BYTES..whole.len()).step_by(PAGE_BYTES) {
        std::fs::write(&cut, &whole[..end]).expect("writable");
        counted_cycles(&cut);
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

//! Ten million cycles take no more memory than one million: a VCD with a trace merged in, and an FST.

use std::alloc::{GlobalAlloc, Layout as Block, System};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use lsu_waves::{Format, Layout, TraceSource, Wave, Window};

/// Counts the bytes that are allocated, and the most that ever were.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Block) -> *mut u8 {
        let live = LIVE.fetch_add(block.size(), Ordering::Relaxed) + block.size();
        MOST.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(block) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, block: Block) {
        LIVE.fetch_sub(block.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, block) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CYCLES: u64 = 10_000_000;
const HEADER: &[u8] = b"$scope module TOP $end\n$var wire 1 ! clk $end\n$var wire 32 # pc [31:0] $end\n$upscope $end\n\
$enddefinitions $end\n";

/// Most bytes allocated beyond those at the beginning: in the first million cycles, and in all of them.
fn most_bytes(path: &Path, format: Format) -> (usize, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let mut layout = Layout::new();
    let scope = layout.scope(None, "model").expect("a scope");
    let count = layout.bits(scope, "count", 64).expect("a signal");
    let lane = layout.text(scope, "lane", 32).expect("a text");
    let (mut sink, source) = TraceSource::pipe();
    sink.write_all(HEADER).expect("kept");
    let is_merged = format == Format::Vcd;
    let mut wave = Wave::create(path, format, layout, Window::ALL, is_merged.then_some(source)).expect("a dump");
    let mut after_a_million = 0;
    for cycle in 0..CYCLES {
        wave.begin_cycle(cycle).expect("a cycle");
        wave.set_number(count, cycle * 0x9e37);
        if cycle % 64 == 0 {
            wave.set_text(lane, if cycle % 128 == 0 { "LDC.64 w3 pass 2/4 hit" } else { "" });
        }
        if is_merged {
            write!(sink, "#{}\n1!\nb{:b} #\n#{}\n0!\n", cycle * 10, cycle as u32, cycle * 10 + 5).expect("kept");
        }
        if cycle == CYCLES / 10 {
            after_a_million = MOST.load(Ordering::Relaxed) - before;
        }
    }
    wave.finish().expect("a dump");
    (after_a_million, MOST.load(Ordering::Relaxed) - before)
}

#[test]
fn ten_million_cycles_take_the_memory_of_one_million() {
    let folder = tempfile::tempdir().expect("a folder");
    // A text dump of this length would fill some hundred megabytes; the null device takes it as well.
    for (path, format) in [(Path::new("/dev/null"), Format::Vcd), (&folder.path().join("long.fst"), Format::Fst)] {
        let (million, all) = most_bytes(path, format);
        println!("{format:?}: {million} bytes at most in the first million cycles, {all} in ten million");
        assert!(all <= million + million / 10, "{format:?} grows from {million} to {all} bytes");
        assert!(all < 64 << 20, "{format:?} takes {all} bytes");
    }
}

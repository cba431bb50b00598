//! Views name what is in the dump, mark the right times, and refuse what no viewer could show.

use std::io::Write;
use std::path::Path;

use crate::common::ReadBack;
use lsu_waves::view::{Colour, Group, Marker, Radix, Trace, View, ViewFiles};
use lsu_waves::{
    DutSource, Format, Layout, Pin, Shape, Stories, TICKS_PER_CYCLE, TraceSource, Wave, WaveError, Window,
};

/// Names in a save file, with their bit range.
fn names_of(save: &str) -> Vec<&str> {
    save.lines().filter(|line| line.starts_with("+{")).map(|line| line.split_once("} ").expect("an alias").1).collect()
}

/// Every name of both view files is in the dump, with the width that its range says.
fn check_names(files: &ViewFiles, read: &ReadBack, is_text_in_bits: bool) -> usize {
    let save = std::fs::read_to_string(&files.gtkwave).expect("a save file");
    let names = names_of(&save);
    for name in &names {
        let (path, width) = match name.strip_suffix(":0]").and_then(|rest| rest.rsplit_once('[')) {
            Some((path, high)) => (path, high.parse::<usize>().expect("a bit number") + 1),
            None => (*name, 1),
        };
        let (_, value) = read.changes(path).first().expect("a first value");
        if is_text_in_bits || !path.starts_with("ops.") {
            assert_eq!(value.len(), width, "{name}");
        }
    }
    let commands = std::fs::read_to_string(&files.surfer).expect("a command file");
    let added: Vec<_> = commands.lines().filter_map(|line| line.strip_prefix("variable_add ")).collect();
    let paths: Vec<_> = names.iter().map(|name| name.split_once('[').map_or(*name, |(path, _)| path)).collect();
    assert_eq!(added, paths, "both viewers show the same");
    names.len()
}

#[test]
fn every_name_of_the_views_is_in_its_dump() {
    for (name, format) in [("a.vcd", Format::Vcd), ("a.fst", Format::Fst)] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        let (dump, stories) = crate::story::write(&path, format, Window::ALL).expect("a dump");
        let files = crate::story::view(&dump, &stories).write(&dump).expect("view files");
        let shown = check_names(&files, &ReadBack::open(&path), format == Format::Fst);
        // 4 lanes, any and any_first, 6 inputs, and 11 outputs twice with flag and first cycle.
        assert_eq!(shown, 4 + 2 + 6 + 2 * 11 + 2 * 11);
        let save = std::fs::read_to_string(&files.gtkwave).expect("a save file");
        let group = |name: &str| {
            let heading = format!("-{name}\n");
            names_of(save.split(&heading).nth(1).unwrap_or_default()).join(" ")
        };
        let differing = "diff.wb_data diff.wb_data_first[63:0] dut.wb_data[255:0] model.wb_data[255:0]";
        assert_eq!(group("diff"), format!("diff.any diff.any_first[63:0] {differing}"));
        assert_eq!(group("quiet_pins"), "dut.req_ready model.req_ready", "always ready");
    }
}

#[test]
fn markers_stand_at_their_cycles() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let (dump, stories) = crate::story::write(&path, Format::Vcd, Window::ALL).expect("a dump");
    let files = crate::story::view(&dump, &stories).write(&dump).expect("view files");
    let save = std::fs::read_to_string(&files.gtkwave).expect("a save file");
    let line = save.lines().find(|line| line.starts_with('*')).expect("a line of markers");
    let times: Vec<i64> = line.split(' ').skip(1).map(|time| time.parse().expect("a time")).collect();
    let (mismatch, begin) = (crate::story::MISMATCH as i64 * 10, crate::story::BEGIN as i64 * 10);
    assert_eq!(times[..3], [mismatch, mismatch, begin], "primary, A, B");
    assert!(times[3..].iter().all(|&time| time == -1) && times.len() == 27);
    assert!(save.contains("[markername] Amismatch\n[markername] Bbegin\n"));
    let commands = std::fs::read_to_string(&files.surfer).expect("a command file");
    assert!(commands.ends_with("marker_set mismatch 440\nmarker_set begin 140\ncursor_set 440\ngoto_cursor\n"));
}

#[test]
fn enum_files_hold_every_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let mut layout = Layout::new();
    let state = layout.enum_type("state", 5, &[(0, "idle"), (26, "fill and send")]).expect("an enum");
    let scope = layout.scope(None, "top").expect("a scope");
    let signal = layout.enumeration(scope, "state", state).expect("a signal");
    let mut wave = Wave::create(&path, Format::Vcd, layout, Window::ALL, None).expect("a dump");
    wave.begin_cycle(0).expect("a cycle");
    wave.set_number(signal, 26);
    let dump = wave.finish().expect("a dump");
    let trace = Trace { path: "top.state".to_owned(), colour: Colour::Normal, radix: Radix::Names(state) };
    let group = Group { name: "all".to_owned(), is_folded: false, traces: vec![trace] };
    let files = View { groups: vec![group], markers: Vec::new() }.write(&dump).expect("view files");
    let save = std::fs::read_to_string(&files.gtkwave).expect("a save file");
    let translate = save.lines().find_map(|line| line.strip_prefix("^1 ")).expect("a translate file");
    assert_eq!(std::fs::read_to_string(translate).expect("it is there"), "00 idle\n1A fill and send\n");
    let mapping = folder.path().join(".surfer/mappings/state.txt");
    let mapping = std::fs::read_to_string(mapping).expect("a mapping file");
    assert_eq!(mapping, "Name = state\nBits = 5\n0 idle\n26 fill and send\n");
}

#[test]
fn surfer_items_are_addressed_by_their_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let (dump, stories) = crate::story::write(&path, Format::Vcd, Window::ALL).expect("a dump");
    let files = crate::story::view(&dump, &stories).write(&dump).expect("view files");
    let commands = std::fs::read_to_string(&files.surfer).expect("a command file");
    let mut position = 0;
    let mut last = "";
    for line in commands.lines() {
        if let Some(name) = line.strip_prefix("variable_add ") {
            last = name;
            position += 1;
        } else if line.starts_with("divider_add ") {
            position += 1;
        } else if let Some(item) = line.strip_prefix("item_focus ") {
            let (letters, name) = item.split_once('_').expect("letters and a name");
            // Surfer's digits are `a` to `p`.
            let at = letters.bytes().fold(0, |at, letter| at * 16 + u32::from(letter - b'a'));
            assert_eq!((at + 1, name), (position, last));
        }
    }
    assert!(position > 60, "more than one digit is needed");
}

#[test]
fn pins_of_a_trace_stand_beside_the_model() {
    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/verilator_5_48.vcd");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let mut layout = Layout::new();
    let pins = vec![
        Pin::input("in", "a", Shape::Bits(8)),
        Pin::output("out", "q", Shape::Bits(40)),
        Pin::output("out", "not_in_the_trace", Shape::Flag),
    ];
    let mut stories = Stories::declare(&mut layout, pins, &["warp0"], DutSource::Trace, true).expect("stories");
    let (mut sink, source) = TraceSource::pipe();
    sink.write_all(&std::fs::read(trace).expect("a trace")).expect("kept");
    let mut wave = Wave::create(&path, Format::Vcd, layout, Window::ALL, Some(source)).expect("a dump");
    for cycle in 0..20 {
        wave.begin_cycle(cycle).expect("a cycle");
        stories.set_differences(&mut wave, cycle, |pin| pin == 1 && cycle == 5);
    }
    assert_eq!(stories.first_difference(), Some(5));
    let dump = wave.finish().expect("a dump");
    let files = View::standard(&dump, &stories, Vec::new()).write(&dump).expect("view files");
    check_names(&files, &ReadBack::open(&path), false);
    let save = std::fs::read_to_string(&files.gtkwave).expect("a save file");
    let names = names_of(&save);
    let at = names.iter().position(|&name| name == "dut.q[39:0]").expect("the trace's pin");
    assert_eq!(names[at + 1], "model.q[39:0]");
    assert!(!names.contains(&"dut.not_in_the_trace") && names.contains(&"model.not_in_the_trace"));
}

#[test]
fn stories_read_back_as_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let window = Window::around(crate::story::MISMATCH, 10, 10);
    crate::story::write(&path, Format::Vcd, window).expect("a dump");
    let read = ReadBack::open(&path);
    let at = |name: &str, cycle: u64| read.at(name, cycle * TICKS_PER_CYCLE).expect("a value").to_owned();
    let first = crate::story::MISMATCH - 10;
    assert_eq!(read.at("diff.any", first * TICKS_PER_CYCLE - 1), None, "nothing before the window");
    for cycle in first..=crate::story::MISMATCH + 10 {
        let is_wrong = u8::from(cycle == crate::story::MISMATCH).to_string();
        assert_eq!(at("diff.any", cycle), is_wrong);
        assert_eq!(at("diff.wb_data", cycle), is_wrong);
        assert_eq!(at("diff.wb_tag", cycle), "0");
        let since =
            if cycle < crate::story::MISMATCH { "x".repeat(64) } else { format!("{:064b}", crate::story::MISMATCH) };
        assert_eq!(at("diff.any_first", cycle), since);
        assert_eq!(at("diff.wb_data_first", cycle), since);
    }
    assert_eq!(at("ops.warp1", first), "LDC.64 w1 pass 3/4 fill", "a text set before the window is shown in it");
    assert_eq!(at("ops.warp2", crate::story::MISMATCH), "LDC w2 write-back R10");
    assert_eq!(at("ops.warp2", crate::story::MISMATCH + 1), "");
    assert_eq!(at("model.wb_rd", crate::story::MISMATCH), "00001010");
    assert_eq!(at("model.wb_rd", crate::story::MISMATCH + 1), "xxxxxxxx");
}

#[test]
fn what_no_viewer_could_show_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let (mut dump, stories) = crate::story::write(&path, Format::Vcd, Window::ALL).expect("a dump");
    let mut view = crate::story::view(&dump, &stories);
    view.groups[0].traces[0].path = "ops.warp9".to_owned();
    let error = view.write(&dump).expect_err("no such signal").to_string();
    assert_eq!(error, "the view names `ops.warp9`, which is not in the dump");
    let mut view = crate::story::view(&dump, &stories);
    view.markers.push(Marker { name: "two words".to_owned(), cycle: 0 });
    assert!(matches!(view.write(&dump), Err(WaveError::Name { .. })));
    let mut view = crate::story::view(&dump, &stories);
    view.markers = (0..27).map(|cycle| Marker { name: format!("m{cycle}"), cycle }).collect();
    assert!(view.write(&dump).expect_err("too many").to_string().contains("at most 26 markers"));
    dump.path = path.join("inside_a_file.vcd");
    let error = crate::story::view(&dump, &stories).write(&dump).expect_err("no folder").to_string();
    assert!(error.starts_with("cannot "), "{error}");
}

//! Paths that cannot be written, a full disk, windows that show nothing, names that no viewer could hold.

use std::path::Path;

use lsu_waves::{Format, Layout, Wave, WaveError, Window};

fn layout() -> (Layout, lsu_waves::SignalId) {
    let mut layout = Layout::new();
    let scope = layout.scope(None, "model").expect("a scope");
    let word = layout.bits(scope, "word", 1_024).expect("a signal");
    (layout, word)
}

/// Runs `cycles` cycles in which a wide word changes.
fn run(path: &Path, format: Format, window: Window, cycles: std::ops::Range<u64>) -> Result<(), WaveError> {
    let (layout, word) = layout();
    let mut wave = Wave::create(path, format, layout, window, None)?;
    for cycle in cycles {
        wave.begin_cycle(cycle)?;
        wave.set(word, &[cycle as u32 | 0x8000_0000; 32]);
    }
    wave.finish().map(drop)
}

#[test]
fn a_folder_that_is_missing_is_named() {
    for format in [Format::Vcd, Format::Fst] {
        let error = run(Path::new("no/such/folder/out.vcd"), format, Window::ALL, 0..1).expect_err("no folder");
        assert!(error.to_string().starts_with("cannot create no/such/folder/out.vcd: "), "{error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_clear_error() {
    // Every write to this device fails as on a full disk; VCD needs no seek, so it goes through the whole path.
    let error = run(Path::new("/dev/full"), Format::Vcd, Window::ALL, 0..10_000).expect_err("a full disk");
    assert_eq!(error.to_string(), "cannot write waves to /dev/full: No space left on device (os error 28)");
    let error = run(Path::new("/dev/full"), Format::Fst, Window::ALL, 0..10_000).expect_err("a full disk");
    assert_eq!(error.to_string(), "cannot write waves to /dev/full: No space left on device (os error 28)");
}

#[test]
fn windows_that_show_nothing_are_refused() {
    assert_eq!(
        Window::new(5, 4).expect_err("backwards").to_string(),
        "wave window 5..4: the last cycle lies before the first"
    );
    let folder = tempfile::tempdir().expect("a folder");
    for format in [Format::Vcd, Format::Fst] {
        let path = folder.path().join("out.waves");
        let window = Window::new(100, 200).expect("a window");
        let error = run(&path, format, window, 3..50).expect_err("outside");
        let wanted = "wave window 100..200 lies outside the run, which had cycles 3 to 49";
        assert_eq!(error.to_string(), wanted);
        wellen::simple::read(&path).expect("the empty file still opens");
        let error = run(&path, format, window, 0..0).expect_err("no cycle");
        assert_eq!(error.to_string(), "no cycle was run, so there are no waves");
    }
}

#[test]
fn cycles_must_increase() {
    let folder = tempfile::tempdir().expect("a folder");
    let (layout, _) = layout();
    let mut wave =
        Wave::create(&folder.path().join("out.vcd"), Format::Vcd, layout, Window::ALL, None).expect("a dump");
    wave.begin_cycle(7).expect("the first cycle");
    assert_eq!(
        wave.begin_cycle(7).expect_err("again").to_string(),
        "cycle 7 begins after cycle 7: cycles must increase"
    );
}

#[test]
fn names_widths_and_enums_are_checked() {
    let mut layout = Layout::new();
    for name in ["", "a.b", "a b", "9a", "a[3]", "ä", &"a".repeat(257)] {
        assert!(matches!(layout.scope(None, name), Err(WaveError::Name { .. })), "{name}");
    }
    let scope = layout.scope(None, "top").expect("a scope");
    assert!(layout.scope(None, "top").is_err());
    assert!(layout.flag(scope, "flag").is_ok());
    assert!(layout.bits(scope, "flag", 3).is_err());
    for width in [0, 65_537] {
        assert!(matches!(layout.bits(scope, "word", width), Err(WaveError::Shape { .. })));
    }
    assert!(layout.bits(scope, "widest", 65_536).is_ok());
    assert!(layout.text(scope, "text", 0).is_err());
    for (width, variants) in [
        (0, &[(0, "a")][..]),
        (65, &[(0, "a")]),
        (2, &[(4, "a")]),
        (2, &[(1, "a"), (1, "b")]),
        (2, &[(1, "")]),
        (2, &[(1, "a\nb")]),
    ] {
        assert!(matches!(layout.enum_type("kind", width, variants), Err(WaveError::Shape { .. })));
    }
    assert!(layout.enum_type("kind", 64, &[(u64::MAX, "all ones")]).is_ok());
    assert!(layout.enum_type("kind", 1, &[]).is_err());
}

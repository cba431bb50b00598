//! A second reader, PyPI's vcdvcd, agrees with what was set.

use std::path::Path;

use lsu_waves::{Format, Layout, TICKS_PER_CYCLE, Wave, Window};

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
    let read = crate::vcdvcd_reader::changes(&path, Path::new(env!("CARGO_TARGET_TMPDIR")));
    for (index, name) in ["model.flag", "model.cache.wide[2299:0]", "model.cache.count[63:0]"].into_iter().enumerate() {
        let changes = &read[name];
        for (time, values) in &expected {
            let after = changes.partition_point(|(changed, _)| changed <= time);
            let digits = |value: &str| value.trim_start_matches('0').to_owned();
            assert_eq!(digits(&changes[after - 1].1), digits(&values[index]), "{name} at {time}");
        }
        assert!(changes[0].0 == 100 && changes.last().expect("changes").0 <= 4_000, "only the window");
    }
}

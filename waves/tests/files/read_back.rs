//! Whatever is declared and set comes back out of the file: random signals and changes, written and read with wellen.

use crate::common::ReadBack;
use lsu_waves::{Format, Layout, SignalId, TICKS_PER_CYCLE, TextId, Wave, Window};
use proptest::prelude::*;

/// A signal of a random layout.
#[derive(Clone, Debug)]
enum Declared {
    Flag,
    Bits(u32),
    Integer,
    Enum(u32),
    Text(u32),
}

#[derive(Clone, Debug)]
enum Change {
    Words(Vec<u32>),
    Unknown,
    Text(String),
}

#[derive(Clone, Debug)]
struct Plan {
    signals: Vec<Declared>,
    cycles: Vec<PlannedCycle>,
    window: (u64, u64),
}

#[derive(Clone, Debug)]
struct PlannedCycle {
    /// Cycles since the one before.
    step: u64,
    /// Signal and value.
    changes: Vec<(usize, Change)>,
    is_flushed: bool,
}

enum Handle {
    Bits(SignalId),
    Text(TextId),
}

fn declared() -> impl Strategy<Value = Declared> {
    prop_oneof![
        Just(Declared::Flag),
        (1u32..200).prop_map(Declared::Bits),
        Just(Declared::Bits(2_300)),
        Just(Declared::Integer),
        (1u32..=64).prop_map(Declared::Enum),
        (1u32..40).prop_map(Declared::Text),
    ]
}

fn change(kind: &Declared) -> BoxedStrategy<Change> {
    match kind {
        Declared::Text(_) => "[ -~é\t]{0,50}".prop_map(Change::Text).boxed(),
        _ => prop_oneof![
            6 => prop::collection::vec(prop_oneof![Just(0), Just(1), Just(u32::MAX), any::<u32>()], 0..75)
                .prop_map(Change::Words),
            1 => Just(Change::Unknown),
        ]
        .boxed(),
    }
}

fn plan() -> impl Strategy<Value = Plan> {
    prop::collection::vec(declared(), 1..12).prop_flat_map(|signals| {
        let one: Vec<_> = signals.iter().enumerate().map(|(index, kind)| (Just(index), change(kind)).boxed()).collect();
        let changes = prop::collection::vec(prop::strategy::Union::new(one), 0..6);
        let cycle = (1u64..4, changes, prop::bool::weighted(0.1))
            .prop_map(|(step, changes, is_flushed)| PlannedCycle { step, changes, is_flushed });
        let cycles = prop::collection::vec(cycle, 1..40);
        (Just(signals), cycles, 0u64..40, 0u64..60).prop_map(|(signals, cycles, from, length)| Plan {
            signals,
            cycles,
            window: (from, from + length),
        })
    })
}

/// What a reader must show for a signal: digits without leading-zero games, or text.
fn expected(kind: &Declared, change: &Change, format: Format) -> String {
    let width = match *kind {
        Declared::Flag => 1,
        Declared::Bits(width) | Declared::Enum(width) => width,
        Declared::Integer => 64,
        Declared::Text(columns) => columns * 8,
    };
    match change {
        Change::Unknown => "x".repeat(width as usize),
        Change::Words(words) => (0..width)
            .rev()
            .map(|bit| {
                let word = words.get(bit as usize / 32).copied().unwrap_or(0);
                if word >> (bit % 32) & 1 == 1 { '1' } else { '0' }
            })
            .collect(),
        Change::Text(text) => {
            let columns = width as usize / 8;
            let mut plain: String =
                text.chars().map(|letter| if (' '..='~').contains(&letter) { letter } else { '?' }).collect();
            if plain.len() > columns {
                plain.truncate(columns - 1);
                plain.push('~');
            }
            match format {
                Format::Vcd => plain,
                Format::Fst if plain.is_empty() => "z".repeat(width as usize),
                Format::Fst => {
                    let bits: String = plain.bytes().map(|byte| format!("{byte:08b}")).collect();
                    format!("{bits:0>width$}", width = width as usize)
                }
            }
        }
    }
}

fn initial(kind: &Declared) -> Change {
    match kind {
        Declared::Text(_) => Change::Text(String::new()),
        _ => Change::Unknown,
    }
}

fn check(plan: &Plan, format: Format) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("random.waves");
    let mut layout = Layout::new();
    let top = layout.scope(None, "top").expect("a scope");
    let inner = layout.scope(Some(top), "inner").expect("a scope");
    let mut names = Vec::new();
    let mut handles = Vec::new();
    for (index, kind) in plan.signals.iter().enumerate() {
        let scope = if index % 3 == 0 { top } else { inner };
        let name = format!("s{index}");
        let handle = match *kind {
            Declared::Flag => layout.flag(scope, &name).map(Handle::Bits),
            Declared::Bits(width) => layout.bits(scope, &name, width).map(Handle::Bits),
            Declared::Integer => layout.integer(scope, &name).map(Handle::Bits),
            Declared::Enum(width) => {
                let names = layout.enum_type(&format!("e{index}"), width, &[(0, "none")]).expect("an enum");
                layout.enumeration(scope, &name, names).map(Handle::Bits)
            }
            Declared::Text(columns) => layout.text(scope, &name, columns).map(Handle::Text),
        };
        handles.push(handle.expect("a signal"));
        names.push(if index % 3 == 0 { format!("top.{name}") } else { format!("top.inner.{name}") });
    }
    let window = Window::new(plan.window.0, plan.window.1).expect("a window");
    let mut wave = Wave::create(&path, format, layout, window, None).expect("a new file");
    let mut values: Vec<Change> = plan.signals.iter().map(initial).collect();
    let mut history = Vec::new();
    let mut cycle = 0;
    for PlannedCycle { step, changes, is_flushed } in &plan.cycles {
        cycle += step;
        wave.begin_cycle(cycle).expect("the next cycle");
        for (signal, change) in changes {
            match (&handles[*signal], change) {
                (Handle::Bits(id), Change::Words(words)) => wave.set(*id, words),
                (Handle::Bits(id), Change::Unknown) => wave.set_unknown(*id),
                (Handle::Text(id), Change::Text(text)) => wave.set_text(*id, text),
                _ => unreachable!("changes are made for their signal's kind"),
            }
            values[*signal] = change.clone();
        }
        if *is_flushed {
            wave.flush().expect("flushed");
        }
        if window.contains(cycle) {
            history.push((cycle, values.clone()));
        }
    }
    let finished = wave.finish();
    let Some(&(last, _)) = history.last() else {
        assert!(finished.expect_err("nothing to show").to_string().contains("outside the run"));
        return;
    };
    let dump = finished.expect("a complete dump");
    assert_eq!((dump.first_cycle, dump.last_cycle), (history[0].0, last));
    let read = ReadBack::open(&path);
    assert_eq!(read.last_time, (last + 1) * TICKS_PER_CYCLE);
    for (cycle, values) in &history {
        for (index, value) in values.iter().enumerate() {
            let wanted = expected(&plan.signals[index], value, format);
            for tick in [0, TICKS_PER_CYCLE - 1] {
                let read = read.at(&names[index], cycle * TICKS_PER_CYCLE + tick);
                assert_eq!(read, Some(wanted.as_str()), "{} in cycle {cycle}", names[index]);
            }
        }
    }
    for (index, name) in names.iter().enumerate() {
        let shown: Vec<_> = read.changes(name).iter().map(|(_, value)| value).collect();
        assert!(shown.windows(2).all(|pair| pair[0] != pair[1]), "{name} is written only when it changes");
        let mut entries = dump.entries.iter().filter(|entry| entry.path == *name);
        assert!(entries.next().is_some() && entries.next().is_none(), "{index} is listed once");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vcd_reads_back(plan in plan()) {
        check(&plan, Format::Vcd);
    }

    #[test]
    fn fst_reads_back(plan in plan()) {
        check(&plan, Format::Fst);
    }
}

/// A worker thread may own its dump.
#[test]
fn a_dump_may_change_threads() {
    fn is_send<T: Send>() {}
    is_send::<Wave>();
}

//! What the Verilated unit did, replayed on the golden model: the same inputs have to give the same outputs in every cycle.
//!
//! Up to the first difference this is the lock step of `lsu check`, but needs nothing of the crates around it, so that a change of
//! the model is judged seconds later: `cosim/docs/model_mutants` makes such changes. The file `LSU_RECORDING` is what the example
//! `record` has written.

mod recording;

use std::fs::File;
use std::io::{BufRead, BufReader};

use lsu_model::golden::Golden;
use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::Preset;

use recording::{Trace, fill_inputs, output_names, push_inputs, push_outputs};

#[test]
fn the_recorded_inputs_give_the_recorded_outputs() {
    let path =
        std::env::var("LSU_RECORDING").expect("LSU_RECORDING names a file that the example `record` has written");
    let mut file = BufReader::new(File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}")));
    let mut name = String::new();
    file.read_line(&mut name).expect("the recording begins with its preset");
    let preset = Preset::named(name.trim_end()).expect("the recording is of a preset");
    let (names, mut words, mut cycles) = (output_names(), vec![], 0_u64);
    push_inputs(&mut words, &Inputs::default());
    let count = words.len() + names.len();
    while let Some(trace) = Trace::read(&mut file).expect("the recording is whole") {
        let (mut golden, mut inputs, mut outputs) = (Golden::new(&preset), Inputs::default(), Outputs::default());
        let replayed = trace.each(count, |cycle, recorded| {
            let begin = fill_inputs(&mut inputs, recorded);
            golden.step(&inputs, &mut outputs);
            words.clear();
            push_outputs(&mut words, &outputs);
            // Before the first reset edge the outputs mean nothing.
            if cycle > 0 && words != recorded[begin..] {
                let differs = words.iter().zip(&recorded[begin..]).position(|(model, unit)| model != unit);
                let place = differs.map_or("the number of outputs", |place| names[place]);
                panic!("case {} sm {} cycle {cycle}: {place} differs", trace.case, trace.sm);
            }
            cycles += 1;
        });
        replayed.expect("the recording is whole");
    }
    assert!(cycles > 0, "{path} holds no cycle");
}

//! Programs that have shown a difference once, as `lsu check` saved them: no unit may ever differ in them again.

mod harness;

use std::collections::BTreeMap;

use harness::{engines, toml_files};
use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, read_file};

#[test]
fn what_has_been_found_once_is_found_no_more() {
    let mut rosters = BTreeMap::new();
    for path in toml_files("regressions") {
        let program = read_file(&path, Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
        let roster = rosters
            .entry(program.preset.name)
            .or_insert_with(|| engines(program.preset, &[EngineKind::Model, EngineKind::Verilator]));
        let outcome = lockstep::run(&program, roster, &mut ()).expect("the engines run");
        let failure = outcome.failure.map(|failure| failure.to_string());
        assert_eq!(failure, None, "{}", path.display());
    }
}

//! Dumps read by PyPI's vcdvcd. It is installed into a virtual environment of its own below the target folder; without
//! Python 3 or without a package index the test fails and says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// The interpreter of an environment in `folder` that holds vcdvcd.
fn python(folder: &Path) -> PathBuf {
    let environment = folder.join("vcdvcd-2.6.0");
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

/// Changes of every variable, by the name that vcdvcd gives it: time, and value as it prints it. `folder` keeps the
/// environment.
pub fn changes(dump: &Path, folder: &Path) -> BTreeMap<String, Vec<(u64, String)>> {
    let printed = run(Command::new(python(folder)).args(["-c", SCRIPT]).arg(dump), "reading with vcdvcd");
    let mut changes: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
    for line in printed.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(name), Some(time)) = (words.next(), words.next()) else { panic!("`{line}`") };
        let value = words.next().unwrap_or_default().to_owned();
        changes.entry(name.to_owned()).or_default().push((time.parse().expect("a time"), value));
    }
    changes
}

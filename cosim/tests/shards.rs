//! Shards of a check, killed, restarted and merged: nothing is lost and nothing counts twice.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a killed shard may take to write its first results.
const PATIENCE: Duration = Duration::from_secs(60);

fn lsu(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
    command.args(arguments).current_dir(folder);
    command
}

fn output(folder: &Path, arguments: &[&str]) -> Output {
    lsu(folder, arguments).output().expect("lsu starts")
}

/// The model alone: what is checked does not matter here, and it needs no tool chain.
fn check<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["check", "--engine", "model", "--preset", "tiny4", "--seed", "5", "--json"];
    arguments.extend(more);
    arguments
}

/// The document on stdout, without what time decides and what a shard says of itself.
fn document(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut document: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text} {output:?}"));
    let kept = ["preset", "cases", "ops", "cycles", "mismatches", "coverage", "repro"];
    document.as_object_mut().expect("an object").retain(|key, _| kept.contains(&key.as_str()));
    assert_eq!(document.as_object().map(serde_json::Map::len), Some(kept.len()), "{text}");
    document
}

#[test]
fn merged_shards_are_the_whole_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = document(&output(folder.path(), &check(&["--cases", "23"])));
    let files = ["1.json", "2.json", "3.json"];
    for (shard, file) in ["1/3", "2/3", "3/3"].into_iter().zip(files) {
        let done = output(folder.path(), &check(&["--cases", "23", "--shard", shard, "--results", file]));
        assert_eq!(done.status.code(), Some(0), "{done:?}");
    }
    let merged = output(folder.path(), &["merge", "3.json", "1.json", "2.json", "--json"]);
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    assert_eq!(document(&merged), whole);

    // Two of them are not the check, whichever two, and a sum can be added to.
    let two = output(folder.path(), &["merge", "3.json", "1.json", "--json"]);
    assert_eq!(two.status.code(), Some(130), "{two:?}");
    assert_eq!(String::from_utf8_lossy(&two.stderr), "shard 2/3 is missing\n");
    std::fs::write(folder.path().join("two.json"), &two.stdout).expect("writable");
    assert_eq!(document(&output(folder.path(), &["merge", "2.json", "two.json", "--json"])), whole);
    let twice = output(folder.path(), &["merge", "two.json", "1.json"]);
    assert_eq!(twice.status.code(), Some(2), "{twice:?}");
    let said = String::from_utf8_lossy(&twice.stderr).into_owned();
    assert!(said.contains("two.json and 1.json: shard 1/3 is in both and would count twice"), "{said}");
}

#[test]
fn a_killed_shard_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--cases", "2500", "--jobs", "1", "--results", "kept.json"];
    let kept = folder.path().join("kept.json");
    let mut killed =
        lsu(folder.path(), &check(&arguments)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lsu starts");
    let begin = Instant::now();
    while !kept.exists() && killed.try_wait().expect("a status").is_none() && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    // SIGKILL: nobody gets to tidy up.
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    let until_then: Value = serde_json::from_str(&std::fs::read_to_string(&kept).expect("results")).expect("whole");
    let cases = until_then["cases"].as_u64().expect("a count");
    assert!(0 < cases && cases < 2500, "{cases}");

    let restarted = output(folder.path(), &check(&arguments));
    assert_eq!(restarted.status.code(), Some(0), "{restarted:?}");
    let at_once = document(&output(folder.path(), &check(&["--cases", "2500"])));
    assert_eq!(document(&restarted), at_once);
    // What is complete is told again, and not run again.
    let again = output(folder.path(), &check(&arguments));
    assert_eq!((again.status.code(), document(&again)), (Some(0), at_once));
}

#[test]
fn results_of_another_check_are_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let done = output(folder.path(), &check(&["--cases", "2", "--results", "a.json"]));
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let kept = std::fs::read(folder.path().join("a.json")).expect("results");
    std::fs::write(folder.path().join("bad.json"), "{\"preset\":\"tiny4\"").expect("writable");
    std::fs::write(folder.path().join("other.json"), "{}").expect("writable");
    for (arguments, wanted) in [
        (
            check(&["--cases", "3", "--results", "a.json"]),
            "a.json holds what another check has found: not of the same check: cases 2",
        ),
        (check(&["--cases", "2", "--shard", "1/2", "--results", "a.json"]), "shard 1/1 and 1/2"),
        (check(&["--cases", "2", "--results", "bad.json"]), "bad.json: not what a check found: EOF"),
        (vec!["merge", "other.json"], "other.json: not what a check found: missing field"),
        (vec!["merge", "none.json"], "none.json: there is no such file"),
    ] {
        let refused = output(folder.path(), &arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {refused:?}");
        let said = String::from_utf8_lossy(&refused.stderr).replace("\n  │ ", " ").replace("\n", " ");
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    assert_eq!(std::fs::read(folder.path().join("a.json")).expect("results"), kept);
}

/// Files that were cut, joined or written by hand say what cannot be.
#[test]
fn findings_that_contradict_themselves_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let done = output(folder.path(), &check(&["--cases", "5", "--shard", "1/2", "--results", "right.json"]));
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let text = std::fs::read_to_string(folder.path().join("right.json")).expect("results");
    let right: Value = serde_json::from_str(&text).expect("whole");
    assert_eq!((&right["cases"], &right["shards"][0]["cases"]), (&3.into(), &3.into()));
    let with_cases = |findings: &mut Value, cases: u64| {
        findings["cases"] = cases.into();
        findings["shards"][0]["cases"] = cases.into();
    };
    type Change<'a> = &'a dyn Fn(&mut Value);
    let changes: [(Change<'_>, &str); 6] = [
        (&|findings| findings["cases"] = 4.into(), "it has 4 cases, which is not the sum of its shards"),
        (&|findings| with_cases(findings, 2), "its shard 1/2 has run 2 cases, and 3 are its own"),
        (&|findings| with_cases(findings, 4), "its shard 1/2 has run 4 cases, and 3 are its own"),
        (
            &|findings| {
                with_cases(findings, 4);
                findings["shards"][0]["is_complete"] = false.into();
            },
            "its shard 1/2 has run 4 cases, and 3 are its own",
        ),
        (&|findings| findings["seconds"] = (-1.5).into(), "it took -1.5 seconds"),
        (
            &|findings| {
                let other = serde_json::json!({ "shard": "2/3", "cases": 0, "is_complete": false });
                findings["shards"].as_array_mut().expect("a list").push(other);
            },
            "the cases are cut into 2 shards and into 3",
        ),
    ];
    for (change, wanted) in changes {
        let mut wrong = right.clone();
        change(&mut wrong);
        std::fs::write(folder.path().join("wrong.json"), wrong.to_string()).expect("writable");
        for arguments in
            [vec!["merge", "wrong.json"], check(&["--cases", "5", "--shard", "1/2", "--results", "wrong.json"])]
        {
            let refused = output(folder.path(), &arguments);
            assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {refused:?}");
            let said = String::from_utf8_lossy(&refused.stderr).replace("\n  │ ", " ").replace('\n', " ");
            assert!(said.contains(&format!("wrong.json: {wanted}")), "{said}");
        }
        let kept = std::fs::read_to_string(folder.path().join("wrong.json")).expect("there");
        assert_eq!(kept, wrong.to_string());
    }
    // A shard that was ended early, or by a mismatch, has run fewer.
    let mut early = right.clone();
    with_cases(&mut early, 2);
    early["shards"][0]["is_complete"] = false.into();
    let mut failed = right;
    with_cases(&mut failed, 2);
    failed["mismatches"] = 1.into();
    for (findings, status) in [(early, 130), (failed, 1)] {
        std::fs::write(folder.path().join("right.json"), findings.to_string()).expect("writable");
        assert_eq!(output(folder.path(), &["merge", "right.json"]).status.code(), Some(status));
    }
}

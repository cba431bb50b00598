//! Gives the command its version: that of the workspace, and the commit where the sources are a git repository of their own.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    };
    println!("cargo::rustc-env=LSU_VERSION={version}");
}

/// What git prints, if it is there and content.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The commit that is checked out. Sources unpacked inside another repository have none.
fn commit() -> Option<String> {
    let root = Path::new("..").canonicalize().ok()?;
    let repository = Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    if repository != root {
        return None;
    }
    // HEAD changes when another branch is checked out, the log of HEAD and the branch with every commit. Cargo takes a file that
    // is not there for one that has changed.
    let branch = git(&["rev-parse", "--symbolic-full-name", "HEAD"]).unwrap_or_default();
    for name in ["HEAD", "logs/HEAD", branch.as_str()] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).is_file()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

//! Each block's page names the contracts that its description asserts, all of them and no others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let mut found: Vec<_> = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    found.extend(folders.iter().flat_map(|folder| sources(folder)));
    found
}

#[test]
fn a_page_names_the_contracts_of_its_block() {
    let mut count = 0;
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let page: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim).collect();
        let named: BTreeSet<&str> = page
            .iter()
            .filter_map(|line| line.strip_prefix("Assertions: "))
            .flat_map(|line| line.trim_end_matches('.').split(", "))
            .map(|name| name.trim_matches('`'))
            .collect();
        let asserted: BTreeSet<&str> = text
            .lines()
            .filter_map(|line| line.trim().strip_suffix(": Signal<Local, Bit>,"))
            .filter(|name| name.starts_with("contract_"))
            .collect();
        assert_eq!(named, asserted, "{}: the page's `Assertions:`, and the signals", path.display());
        // A sentence that nothing executes would go stale.
        let spoken = page.iter().find(|line| line.starts_with("Contract") || line.starts_with("Assertion:"));
        assert_eq!(spoken, None, "{}", path.display());
        count += named.len();
    }
    assert!(count > 15, "{count}");
}

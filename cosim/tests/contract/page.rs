//! The pages of the timing contract: what they say of places and of rules.

use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a file of the repository.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// One page of the contract, and where its path is described and modelled.
#[derive(Clone, Copy)]
pub struct Page {
    /// The page.
    pub path: &'static str,
    /// The module of the emitted Verilog that holds the path's instances.
    pub module: &'static str,
    /// Instances of that module that hold no place themselves.
    pub helpers: &'static [&'static str],
    /// The model's folder, and its structure there.
    pub model: (&'static str, &'static str),
    /// What stands before a place's name in a wave.
    pub wave: &'static str,
    /// The folder of the programs that show the rules.
    pub programs: &'static str,
}

/// Both pages.
pub const PAGES: [Page; 2] = [
    Page {
        path: "hdl/docs/global_path.md",
        module: "global_path",
        helpers: &["memory_arbiter", "cluster_arbiter", "counters", "census", "readers"],
        model: ("model/src/golden/global", "Global"),
        wave: "global_",
        programs: "cosim/programs/global/rules",
    },
    Page {
        path: "hdl/docs/constant_cache.md",
        module: "constant_cache",
        helpers: &["pass_counter", "hit_counter", "miss_counter"],
        model: ("model/src/golden/constant", "Constant"),
        wave: "",
        programs: "cosim/programs/constant",
    },
];

/// A place, as the table of its page names it.
pub struct Place {
    /// Its noun.
    pub name: String,
    /// Where it is in the description.
    pub description: String,
    /// Where it is in the model.
    pub model: String,
}

impl Page {
    /// The places of the table, first to last.
    pub fn places(&self) -> Vec<Place> {
        let text = read(self.path);
        let section = text.split("\n## ").find(|section| section.starts_with("Places\n")).expect("a section of places");
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let quoted = |cell: &str| cell.trim().trim_matches('`').to_owned();
        rows.map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            Place { name: quoted(cells[1]), description: quoted(cells[3]), model: quoted(cells[4]) }
        })
        .collect()
    }

    /// The names of the rules, in the order of the page: its headings of the third level.
    pub fn rules(&self) -> Vec<String> {
        read(self.path).lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned).collect()
    }
}

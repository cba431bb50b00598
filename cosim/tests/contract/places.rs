//! Each place has one name: in the table of its page, in the emitted Verilog, in the golden model and in the waves.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use lsu_hdl::emit::{DEFAULT_PREFIX, modules};
use lsu_model::golden::{Golden, PlaceVisitor};
use lsu_model::preset::FPGA8;

use crate::page::{PAGES, Page, Place, read, root};

/// `text`'s identifiers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Whether `name` is what the noun `place` is called: itself, several of it, or more exactly what it is.
fn is_called(name: &str, place: &str) -> bool {
    let rest = name.strip_suffix("_*").unwrap_or(name).strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest == "s" || rest == "es" || rest.starts_with('_'))
}

/// The emitted modules by the names of their blocks.
fn verilog() -> BTreeMap<String, String> {
    let modules = modules(FPGA8.name, DEFAULT_PREFIX).expect("emitted");
    modules.into_iter().map(|module| (module.block, module.text)).collect()
}

/// The instances in a module: their names and the blocks that they are.
fn instances(text: &str) -> BTreeMap<&str, String> {
    let opened = text.lines().filter_map(|line| line.strip_suffix(" ("));
    opened
        .filter_map(|line| {
            let mut words = words(line);
            let block = words.next()?.strip_prefix("lsu_")?;
            Some((words.last()?, block.to_owned()))
        })
        .collect()
}

/// What is wrong with where the page says that `place` is in the description.
fn missing_in_verilog(page: &Page, place: &Place, verilog: &BTreeMap<String, String>) -> Option<String> {
    let (mut block, path) = match place.description.strip_prefix("lsu.") {
        Some(path) => ("lsu".to_owned(), path),
        None => (page.module.to_owned(), place.description.as_str()),
    };
    let (outer, last) = path.rsplit_once('.').map_or((None, path), |(outer, last)| (Some(outer), last));
    for name in outer.into_iter().flat_map(|outer| outer.split('.')) {
        match instances(&verilog[&block]).get(name) {
            Some(inner) => block = inner.clone(),
            None => return Some(format!("{block} has no instance `{name}`")),
        }
    }
    let text = &verilog[&block];
    let beginning = last.strip_suffix('*').unwrap_or(last);
    let registers = || text.lines().filter(|line| line.trim_start().starts_with("reg ")).flat_map(words);
    let is_register = |word: &str| match word.strip_suffix("_q") {
        Some(name) => name == last || (beginning != last && name.starts_with(beginning)),
        None => false,
    };
    let is_there = instances(text).contains_key(last) || registers().any(is_register);
    (!is_there).then(|| format!("{block} has neither an instance nor a register `{last}`"))
}

/// The fields of a structure in the files of `folder`, and their types.
fn fields(folder: &str, structure: &str) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(root().join(folder)).expect("a folder");
    let texts = files.map(|file| std::fs::read_to_string(file.expect("a file").path()).unwrap_or_default());
    let begin = format!("struct {structure} {{\n");
    let body = texts.filter_map(|text| Some(text.split_once(&begin)?.1.split_once("\n}")?.0.to_owned())).next();
    let body = body.unwrap_or_else(|| panic!("no structure {structure} in {folder}"));
    let code = body.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter_map(|line| line.split_once(": "))
        .map(|(name, kind)| {
            let name = name.split_whitespace().last().unwrap_or_default();
            (name.to_owned(), kind.trim_end_matches(',').to_owned())
        })
        .collect()
}

/// What is wrong with where the page says that `place` is in the model.
fn missing_in_model(page: &Page, place: &Place) -> Option<String> {
    let (folder, mut structure) = (page.model.0, page.model.1.to_owned());
    for name in place.model.split('.') {
        match fields(folder, &structure).remove(name) {
            Some(kind) => structure = kind,
            None => return Some(format!("{structure} of {folder} has no field `{name}`")),
        }
    }
    None
}

/// The names of the model's places.
#[derive(Default)]
struct Names(BTreeSet<&'static str>);

impl PlaceVisitor for Names {
    fn place(&mut self, name: &'static str, _: Option<usize>, _: bool) {
        self.0.insert(name);
    }

    fn value(&mut self, _: &'static str, _: u32, _: Option<u64>) {}
}

/// The scopes below `model.places` of a dump, without their numbers.
fn scopes(vcd: &str) -> BTreeSet<String> {
    let (mut path, mut found) = (Vec::new(), BTreeSet::new());
    for line in vcd.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("$scope") => {
                let name = words.nth(1).expect("a name").to_owned();
                if path.last().is_some_and(|outer| outer == "places") {
                    found.insert(name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned());
                }
                path.push(name);
            }
            Some("$upscope") => drop(path.pop()),
            _ => {}
        }
    }
    found
}

/// The dump of a run of the model.
fn dump() -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let program = root().join("cosim/programs/global/throughput/load-to-use.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_lsu"))
        .arg("run")
        .arg(program)
        .args(["--preset", "fpga8", "--engine", "model", "--vcd", "run.vcd"])
        .current_dir(folder.path())
        .output()
        .expect("lsu starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::read_to_string(folder.path().join("run.vcd")).expect("a dump")
}

#[test]
fn a_place_has_one_name_on_the_page_in_the_description_in_the_model_and_in_the_waves() {
    let verilog = verilog();
    let mut wanted = BTreeSet::new();
    let mut wrong = Vec::new();
    for page in &PAGES {
        let places = page.places();
        for place in &places {
            let Place { name, description, model } = place;
            wanted.insert(format!("{}{name}", page.wave));
            for path in [description, model] {
                let last = path.rsplit('.').next().unwrap_or_default();
                if !is_called(last, name) {
                    wrong.push(format!("{}: place {name} is called `{last}` in `{path}`", page.path));
                }
            }
            let missing = [missing_in_verilog(page, place, &verilog), missing_in_model(page, place)];
            wrong.extend(missing.into_iter().flatten().map(|what| format!("{}: place {name}: {what}", page.path)));
        }
        // And no instance is forgotten.
        for name in instances(&verilog[page.module]).into_keys() {
            let is_place = |place: &Place| place.description.split('.').next() == Some(name);
            if !page.helpers.contains(&name) && !places.iter().any(is_place) {
                wrong.push(format!("{}: no place lies in the instance `{name}` of {}", page.path, page.module));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut names = Names::default();
    Golden::new(&FPGA8).visit_places(&mut names);
    let visited: BTreeSet<String> = names.0.into_iter().map(str::to_owned).collect();
    assert_eq!(visited, wanted, "the model's places are those of the pages");
    assert_eq!(scopes(&dump()), wanted, "the scopes of a dump are the places of the pages");
}

#[test]
fn the_letters_of_the_places_stand_in_the_tables_alone() {
    let letters = |line: &str| words(line).any(|word| word.len() == 1 && "STPHNMBCEQFXD".contains(word));
    for page in &PAGES {
        let text = read(page.path);
        let prose = text.lines().filter(|line| !line.starts_with('|'));
        let found: Vec<&str> = prose.filter(|line| letters(line)).collect();
        assert!(found.is_empty(), "{}: a place by its letter: {found:#?}", page.path);
    }
}

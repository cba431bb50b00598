//! What the pages of the repository show is tried as it stands: every program is run, every command is read by the command's own
//! definition, its files are looked for, and what takes seconds is run in a shell.
//!
//! A program or command that is meant to fail says so on the page: `# exit status 1`, in the program's first line or behind
//! the command. Blocks that are marked `toml` are whole programs; a piece of one stands in a block without that mark.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::{CommandFactory as _, Parser as _};
use lsu_cosim::command_line::Lsu;

/// Files that a page tells its reader to make.
const MADE_BY_THE_READER: &[&str] = &["broken.v"];

/// Cases of a check that are run here; more are read only.
const MOST_CASES: u64 = 1000;

/// The packages and their folders.
const PACKAGES: [(&str, &str); 5] = [
    ("lsu-cosim", "cosim"),
    ("lsu-hdl", "hdl"),
    ("lsu-kernels", "hdl/kernels"),
    ("lsu-model", "model"),
    ("lsu-waves", "waves"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

/// One page.
struct Page {
    /// Its path from the root.
    name: String,
    text: String,
}

/// README.md and every page in a folder `docs`.
fn pages() -> Vec<Page> {
    let root = root();
    let mut files = vec![root.join("README.md")];
    let mut folders: Vec<PathBuf> = ["cosim", "hdl", "model", "waves"].map(|part| root.join(part).join("docs")).into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 8, "{files:?}");
    files.iter().map(|file| page(&root, file)).collect()
}

fn page(root: &Path, file: &Path) -> Page {
    let name = file.strip_prefix(root).expect("below the root").display().to_string();
    Page { name, text: std::fs::read_to_string(file).expect("text") }
}

/// A page taken apart.
#[derive(Default)]
struct Parts {
    /// Fenced blocks: what stands behind the fence, and the lines.
    blocks: Vec<(String, String)>,
    /// Indented lines without their indentation, in order.
    indented: Vec<String>,
    /// Code spans of the prose, each on one line.
    spans: Vec<String>,
}

fn parts(text: &str) -> Parts {
    let mut parts = Parts::default();
    let mut prose = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let block = lines.by_ref().take_while(|line| !line.starts_with("```"));
            let block = block.map(|line| format!("{line}\n")).collect();
            parts.blocks.push((kind.trim().to_owned(), block));
        } else if let Some(code) = line.strip_prefix("    ") {
            parts.indented.push(code.to_owned());
        } else {
            prose += line;
            // A span does not go beyond its paragraph.
            prose += if line.is_empty() { "\n" } else { " " };
        }
    }
    for paragraph in prose.lines() {
        parts.spans.extend(paragraph.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    parts
}

/// The commands that a page shows in blocks, with the lines that they read on stdin.
fn shown(parts: &Parts) -> Vec<String> {
    let mut commands = Vec::new();
    for (kind, block) in &parts.blocks {
        if !matches!(kind.as_str(), "" | "sh" | "console" | "text") {
            continue;
        }
        let mut lines = block.lines();
        while let Some(line) = lines.next() {
            let line = line.strip_prefix("$ ").unwrap_or(line);
            if !is_command(line) {
                continue;
            }
            let mut command = line.to_owned();
            if line.contains("<<'END'") {
                for line in lines.by_ref() {
                    command += &format!("\n{line}");
                    if line == "END" {
                        break;
                    }
                }
            }
            commands.push(command);
        }
    }
    commands.extend(parts.indented.iter().filter(|line| is_command(line) || line.starts_with("sed ")).cloned());
    commands
}

fn is_command(line: &str) -> bool {
    let line = without_variables(line);
    ["lsu ", "cargo ", "hdl/fpga/fmax "].iter().any(|start| line.starts_with(start))
}

/// The command without the settings of variables before it.
fn without_variables(mut line: &str) -> &str {
    while let Some((first, rest)) = line.split_once(' ')
        && first.contains('=')
        && !first.starts_with('-')
    {
        line = rest.trim_start();
    }
    line
}

/// The words of a command up to a pipe, a redirection or a comment, `cargo run --release --` being `lsu`.
fn words(command: &str) -> Vec<String> {
    let line = without_variables(command.lines().next().unwrap_or_default());
    let line = line.replacen("cargo run --release -- ", "lsu ", 1);
    let words = shlex::split(&line).unwrap_or_else(|| panic!("no words: {line}"));
    words.into_iter().take_while(|word| !word.starts_with(['|', '<', '>', '&', ';', '#'])).collect()
}

/// Whether a word stands for what the reader puts there: FILE.toml, DIR, A..B.
fn is_placeholder(word: &str) -> bool {
    let stem = word.split('.').next().unwrap_or_default();
    word.ends_with('…') || (!stem.is_empty() && stem.chars().all(|letter| letter.is_ascii_uppercase() || letter == '/'))
}

/// A value that the command can read in the place of a placeholder.
fn example(word: &str) -> String {
    match word {
        "P" => "fpga8".to_owned(),
        "N" | "S" | "J" => "1".to_owned(),
        "A..B" => "1..2".to_owned(),
        "I/N" => "1/2".to_owned(),
        word => word.to_owned(),
    }
}

/// Whether a word names a file that is read.
fn is_input(words: &[String], place: usize) -> bool {
    let is_written = place > 0 && ["-o", "--vcd", "--fst", "--repro-dir"].contains(&words[place - 1].as_str());
    let word = Path::new(&words[place]);
    let ending = word.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    !is_written && !words[place].contains(' ') && ["toml", "litmus", "v", "ptx", "sass"].contains(&ending)
}

/// What is wrong with a command of a page, run in a folder like `folder`; `None` where nothing is.
fn misfit(command: &str, folder: &Path) -> Option<String> {
    let words = words(command);
    match words.first().map(String::as_str) {
        Some("lsu") => {
            let verbs = Lsu::command();
            // Prose names verbs without their arguments.
            if let [_, verb] = words.as_slice()
                && verbs.find_subcommand(verb).is_some()
            {
                return None;
            }
            let examples = words.iter().map(|word| example(word));
            if let Err(error) = Lsu::try_parse_from(examples)
                && error.use_stderr()
            {
                return Some(error.to_string());
            }
            let absent = (0..words.len()).filter(|place| is_input(&words, *place)).find(|place| {
                let word = words[*place].as_str();
                !is_placeholder(word) && !MADE_BY_THE_READER.contains(&word) && !folder.join(word).exists()
            });
            absent.map(|place| format!("there is no {}", words[place]))
        }
        Some("cargo") => target_objection(&words),
        Some("hdl/fpga/fmax") => match words.get(2).map(String::as_str) {
            Some(block) if !is_placeholder(block) => {
                lsu_hdl::verilog_for(&words[1], block).err().map(|error| error.to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

/// What is wrong with the test or bench that a `cargo` command names.
fn target_objection(words: &[String]) -> Option<String> {
    let value = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1);
    let folders: Vec<&str> = match value("-p").map(String::as_str) {
        Some(package) => match PACKAGES.iter().find(|(name, _)| *name == package) {
            Some((_, folder)) => vec![*folder],
            None => return Some(format!("there is no package {package}")),
        },
        None => PACKAGES.iter().map(|(_, folder)| *folder).collect(),
    };
    let (place, name) = [("--test", "tests"), ("--bench", "benches")]
        .into_iter()
        .find_map(|(flag, place)| Some((place, value(flag)?)))?;
    let is_there = folders.iter().any(|folder| {
        // A target may be a file, or a folder with a file of its name or `main.rs` in it.
        let files = [format!("{name}.rs"), format!("{name}/main.rs"), format!("{name}/{name}.rs")];
        files.iter().any(|file| root().join(folder).join(place).join(file).exists())
    });
    (!is_there).then(|| format!("there is no {name} in {place} of {}", folders.join(", ")))
}

/// Whether a command takes seconds and needs nothing that only the reader has.
fn is_run(command: &str, folder: &Path) -> bool {
    let words = words(command);
    let Some(verb) = words.get(1).filter(|_| words[0] == "lsu" && words.len() > 1) else {
        return words.first().is_some_and(|first| first == "sed");
    };
    let value = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1);
    let is_short = match verb.as_str() {
        "bench" | "mutate" => false,
        "check" | "cover" => {
            let cases = value("--cases").and_then(|cases| cases.parse::<u64>().ok());
            cases.is_some_and(|cases| cases <= MOST_CASES) && value("--preset").is_some_and(|preset| preset == "fpga8")
        }
        // A test of its own runs what takes rust_hdl's simulation.
        "run" | "replay" => words.len() > 2 && !value("--engine").is_some_and(|engines| engines.contains("rust-hdl")),
        "explain" | "lint" => words.len() > 2,
        _ => true,
    };
    let has_all = (0..words.len()).all(|place| {
        !is_placeholder(&words[place]) && (!is_input(&words, place) || folder.join(&words[place]).exists())
    });
    is_short && has_all
}

/// The exit status that a page announces.
fn announced(text: &str) -> i32 {
    let line = text.lines().next().unwrap_or_default();
    let number = line.split_once("# exit status ").map(|(_, rest)| rest.chars().next());
    number.flatten().and_then(|digit| digit.to_digit(10)).map_or(0, |status| status as i32)
}

/// An empty folder called `name` in which the commands of the pages can be run, with `lsu` in `bin`. It is the same in every run,
/// since a built model is kept under the path of its Verilog.
fn workshop(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documented").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_lsu"), bin.join("lsu")).expect("a link");
    for part in ["cosim", "hdl", "model", "waves"] {
        std::os::unix::fs::symlink(root().join(part), folder.join(part)).expect("a link");
    }
    folder
}

fn shell(folder: &Path, command: &str) -> Output {
    let mut path = folder.join("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let command = command.replacen("cargo run --release -- ", "lsu ", 1);
    Command::new("sh").args(["-c", &command]).current_dir(folder).env("PATH", path).output().expect("a shell")
}

/// Runs `command` and says where its exit status is not the one announced.
fn run(folder: &Path, command: &str, expected: i32) -> Option<String> {
    let output = shell(folder, command);
    let said = [output.stdout.as_slice(), &output.stderr].map(String::from_utf8_lossy).concat();
    (output.status.code() != Some(expected)).then(|| format!("{}, not {expected}:\n{said}", output.status))
}

#[test]
fn every_program_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        let blocks = parts(&page.text).blocks;
        for (_, program) in blocks.iter().filter(|(kind, _)| kind == "toml") {
            count += 1;
            std::fs::write(folder.path().join("program.toml"), program).expect("writable");
            let lsu = env!("CARGO_BIN_EXE_lsu");
            for preset in ["", "--preset fpga8"] {
                let command = format!("'{lsu}' run program.toml {preset}");
                let objection = run(folder.path(), &command, announced(program));
                wrong.extend(objection.map(|objection| format!("{}: {preset} {objection}\n{program}", page.name)));
            }
        }
    }
    assert!(count > 0, "the pages show programs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_command_is_one() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        let folder = workshop(&page.name.replace('/', "-"));
        let parts = parts(&page.text);
        for command in shown(&parts) {
            count += 1;
            let objection = misfit(&command, &folder).or_else(|| {
                let is_run = is_run(&command, &folder);
                if is_run { run(&folder, &command, announced(&command)) } else { None }
            });
            wrong.extend(objection.map(|objection| format!("{}: {command}: {objection}", page.name)));
        }
        for command in parts.spans.iter().filter(|span| is_command(span)) {
            count += 1;
            let objection = misfit(command, &folder);
            wrong.extend(objection.map(|objection| format!("{}: `{command}`: {objection}", page.name)));
        }
    }
    assert!(count > 40, "{count} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A check that a page shows with what it prints, prints that, but for the time that it takes. The model alone has the same cycles.
#[test]
fn a_check_comes_to_what_its_page_says() {
    let folder = workshop("checks");
    let without_time = |line: &str| line.split(" (").next().unwrap_or(line).to_owned();
    let mut count = 0;
    for page in pages() {
        let lines: Vec<&str> = page.text.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[1].contains(", 0 mismatches (")) {
            let Some(command) = pair[0].strip_prefix("$ ") else { continue };
            let output = shell(&folder, &format!("{command} --engine model"));
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(without_time(said.trim_end()), without_time(pair[1]), "{}: {command}", page.name);
            count += 1;
        }
    }
    assert!(count > 0, "the first page shows a check");
}

/// The commands of the prose are run apart from each other, so each once.
#[test]
fn short_commands_of_the_prose_run() {
    let folder = workshop("prose");
    let spans: BTreeSet<String> = pages().iter().flat_map(|page| parts(&page.text).spans).collect();
    let commands: Vec<&String> = spans.iter().filter(|span| is_command(span) && is_run(span, &folder)).collect();
    assert!(commands.len() > 3, "{commands:?}");
    let wrong: Vec<String> =
        commands.iter().filter_map(|command| Some(format!("`{command}`: {}", run(&folder, command, 0)?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_option_exists() {
    let options: BTreeSet<String> = Lsu::command()
        .get_subcommands()
        .flat_map(|verb| verb.get_arguments().filter_map(clap::Arg::get_long).map(|long| format!("--{long}")))
        .chain(["--help".to_owned(), "--version".to_owned()])
        .collect();
    for page in pages() {
        for span in parts(&page.text).spans.iter().filter(|span| span.starts_with("--")) {
            let option = span.split([' ', '=']).next().unwrap_or_default();
            assert!(options.contains(option), "{}: `{span}`: no verb has {option}", page.name);
        }
    }
}

/// The check itself can fail.
#[test]
fn a_page_that_is_wrong_is_noticed() {
    let folder = workshop("wrong");
    let page = "Look at `lsu check --presett fpga8` and\n`lsu run\ncosim/programs/absent.toml`.\n\n```sh\n\
                $ cargo run --release -- chek   # a verb that is not there\nlsu lint --jsonl <<'END'\n{}\nEND\n```\n\n    \
                lsu verilog --preset fpga9 -o out\n    sed -i 's/a/b/' out/lsu_fpga8.v\n\n`cargo test --release -p lsu-cosim --test nothing`, `hdl/fpga/fmax fpga8 alu`\n";
    let parts = parts(page);
    let all: Vec<String> = shown(&parts).into_iter().chain(parts.spans.clone()).collect();
    let objections: Vec<bool> = all.iter().map(|command| misfit(command, &folder).is_some()).collect();
    assert_eq!(
        all,
        [
            "cargo run --release -- chek   # a verb that is not there",
            "lsu lint --jsonl <<'END'\n{}\nEND",
            "lsu verilog --preset fpga9 -o out",
            "sed -i 's/a/b/' out/lsu_fpga8.v",
            "lsu check --presett fpga8",
            "lsu run cosim/programs/absent.toml",
            "cargo test --release -p lsu-cosim --test nothing",
            "hdl/fpga/fmax fpga8 alu",
        ]
    );
    assert_eq!(objections, [true, false, true, false, true, true, true, true]);
    // The second is one that can be read, but an empty object is no question.
    assert!(run(&folder, &all[1], 0).is_some_and(|objection| objection.contains("one of `instr`")));
    assert_eq!(run(&folder, &all[1], 2), None);
    for fine in ["lsu run FILE.toml --window A..B", "lsu explain", "lsu verilog --preset P -o DIR", "lsu bench"] {
        assert_eq!(misfit(fine, &folder), None, "{fine}");
        assert!(!is_run(fine, &folder), "{fine}");
    }
    assert_eq!((announced("lsu x   # exit status 3"), announced("lsu x")), (3, 0));
}

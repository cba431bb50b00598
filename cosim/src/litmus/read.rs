//! From the text of a litmus file to a [`Test`]: `PTX NAME`, descriptions, the init block, a column for each thread, and the
//! condition.

use std::ops::Range;
use std::path::Path;

use super::condition;
use super::instruction::{self, OTHER_PROXY};
use super::names::{Names, fit, thread_name};
use super::test::{Test, Thread, USUAL_BITS, Value};
use super::token::{Kind, Token, Tokens, skipped, tokens};
use crate::input_file;
use crate::program::{MOST_SMS, Mistake, ProgramError};

/// Largest litmus file, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// Most threads: each has a warp, and a condition over more would hardly be looked at.
const MOST_THREADS: usize = 64;

/// Most instructions: what a run takes.
const MOST_STEPS: usize = 1000;

/// Reads the litmus file at `path`.
///
/// # Errors
/// [`ProgramError::Unreadable`] if there is no such text file, else as [`read`].
pub fn read_file(path: &Path) -> Result<Test, ProgramError> {
    let name = path.display().to_string();
    let text = match input_file::read_text(path, LARGEST_FILE) {
        Ok(text) => text,
        Err(error) => return Err(ProgramError::Unreadable { file: name, reason: error.to_string() }),
    };
    read(&text, &name)
}

/// Reads `text`, the contents of the litmus file called `name`.
///
/// # Errors
/// [`ProgramError::Wrong`] with the first mistake, or the first thing that cannot be run.
pub fn read(text: &str, name: &str) -> Result<Test, ProgramError> {
    test(text).map_err(|mistake| ProgramError::wrong(name, text, mistake))
}

fn test(text: &str) -> Result<Test, Mistake> {
    let (name, body) = head(text)?;
    let mut reader = Reader {
        tokens: Tokens::new(tokens(text, body)?, text.trim_end().len()),
        names: Names::default(),
        given: Vec::new(),
        initials: Vec::new(),
        ctas: Vec::new(),
        steps: 0,
    };
    reader.init()?;
    reader.columns()?;
    reader.rows()?;
    reader.fit_initials()?;
    let Reader { mut tokens, names, ctas, .. } = reader;
    let observed = condition::observed(&mut tokens, &names)?;
    let (quantifier, condition) = condition::quantified(&mut tokens, &names)?;
    let mut test = Test {
        name,
        locations: names.locations,
        threads: names.threads,
        units: ctas.len() as u32,
        quantifier,
        condition,
        observed,
    };
    condition::observe_all(&mut test);
    Ok(test)
}

/// The name, and where the init block begins.
fn head(text: &str) -> Result<(String, usize), Mistake> {
    let mut place = text.len() - text.trim_start().len();
    while let Some(Ok(length)) = skipped(&text[place..]) {
        place += length;
        place += text[place..].len() - text[place..].trim_start().len();
    }
    let line = text[place..].lines().next().unwrap_or_default();
    let (language, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if !language.eq_ignore_ascii_case("PTX") {
        return Err(Mistake::new(place..place + language.len(), "a litmus test of PTX begins with its name")
            .with_help("write PTX NAME in the first line"));
    }
    let name = name.trim();
    if name.is_empty() {
        return Err(Mistake::new(place..place + line.len(), "the test has no name").with_help("write PTX NAME"));
    }
    // Descriptions may hold anything.
    let mut place = place + line.len();
    loop {
        match text[place..].chars().next() {
            Some('{') => return Ok((name.to_owned(), place)),
            Some(letter) => match skipped(&text[place..]) {
                Some(Ok(length)) => place += length,
                _ => place += letter.len_utf8(),
            },
            None => {
                return Err(Mistake::new(place..place, "the init block is missing")
                    .with_help("write { x=0; y=0; } before the threads"));
            }
        }
    }
}

/// A register's value from the init block, which comes before the threads.
struct Given<'t> {
    thread: Token<'t>,
    register: Token<'t>,
    value: u64,
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    names: Names,
    given: Vec<Given<'t>>,
    /// What locations hold at the start, each with its place.
    initials: Vec<(usize, i128, Range<usize>)>,
    /// Number of the CTA, of its cluster and of its GPU, by unit.
    ctas: Vec<[i128; 3]>,
    /// Instructions so far.
    steps: usize,
}

impl<'t> Reader<'t> {
    fn init(&mut self) -> Result<(), Mistake> {
        self.tokens.expect("{")?;
        while !self.tokens.take_if("}") {
            if self.tokens.take_if(";") {
                continue;
            }
            self.entry()?;
            if !self.tokens.peek().is_some_and(|token| token.is("}")) {
                self.tokens.expect(";")?;
            }
        }
        self.tokens.take_if(";");
        Ok(())
    }

    /// One entry of the init block.
    fn entry(&mut self) -> Result<(), Mistake> {
        let Some(first) = self.tokens.peek().filter(|token| token.kind != Kind::Sign) else {
            return Err(self.tokens.wants("x=0 or P0:r0=0"));
        };
        self.tokens.take();
        if self.tokens.take_if("@") {
            let proxy = self.tokens.place();
            return Err(
                Mistake::new(first.begin..proxy.end, "aliases and other proxies cannot be run").with_help(OTHER_PROXY)
            );
        }
        if self.tokens.take_if(":") {
            let register = self.tokens.word("the name of a register")?;
            self.tokens.expect("=")?;
            let (number, place) = self.constant()?;
            fit(number, place, 64, register.text)?;
            self.given.push(Given { thread: first, register, value: number as u64 });
            return Ok(());
        }
        if first.kind != Kind::Word {
            return Err(Mistake::new(first.span(), format!("{:?} is no name of a location", first.text)));
        }
        self.tokens.expect("=")?;
        let (number, place) = self.constant()?;
        if self.names.find_location(first.text).is_some() {
            return Err(Mistake::new(first.span(), format!("{} has its value already", first.text)));
        }
        let location = self.names.location(first.text);
        self.names.locations[location].initial = number as u64;
        self.initials.push((location, number, place));
        Ok(())
    }

    /// Refuses what does not fit into its location, whose width the accesses say.
    fn fit_initials(&self) -> Result<(), Mistake> {
        self.initials.iter().try_for_each(|(location, number, place)| {
            let location = &self.names.locations[*location];
            fit(*number, place.clone(), location.width(), &location.name)
        })
    }

    /// A value of the init block, and where it stands.
    fn constant(&mut self) -> Result<(i128, Range<usize>), Mistake> {
        let next = self.tokens.peek();
        if next.is_some_and(|token| token.is("&") || token.kind == Kind::Word) {
            return Err(Mistake::new(self.tokens.place(), "addresses as values cannot be run")
                .with_help("accesses name their location themselves: ld.weak r0, x"));
        }
        let place = self.tokens.number_place();
        Ok((self.tokens.number("a number")?, place))
    }

    /// The row that says which thread belongs to which CTA.
    fn columns(&mut self) -> Result<(), Mistake> {
        loop {
            self.column()?;
            if !self.tokens.take_if("|") {
                break;
            }
        }
        self.tokens.expect(";")?;
        for Given { thread, register, value } in std::mem::take(&mut self.given) {
            let thread = self.names.thread(&thread)?;
            if self.names.find_location(register.text).is_some() {
                return Err(Mistake::new(register.span(), format!("{} is a location already", register.text)));
            }
            let bits = if value >> USUAL_BITS == 0 { USUAL_BITS } else { 64 };
            let register = self.names.register(thread, register.text);
            self.names.threads[thread].registers[register].initial = Value::new(value, bits);
        }
        Ok(())
    }

    fn column(&mut self) -> Result<(), Mistake> {
        let place = self.tokens.place();
        let first = self.tokens.word("a thread, P0@cta 0,gpu 0,")?;
        let Some(name) = thread_name(&first) else {
            return Err(Mistake::new(first.span(), format!("{:?} is no name of a thread", first.text))
                .with_help("threads are P0, P1, …"));
        };
        if self.names.threads.iter().any(|thread| thread.name == name) {
            return Err(Mistake::new(first.span(), format!("there are two threads {name}")));
        }
        if self.names.threads.len() == MOST_THREADS {
            return Err(Mistake::new(first.span(), format!("a test has at most {MOST_THREADS} threads")));
        }
        let levels = ["cta", "cluster", "gpu"];
        let mut ids = [None; 3];
        self.tokens.expect("@").map_err(|mistake| mistake.with_help("say where it runs: P0@cta 0,gpu 0"))?;
        loop {
            let token = self.tokens.word("cta, cluster or gpu")?;
            let Some(level) = levels.iter().position(|level| token.is(level)) else {
                return Err(Mistake::new(token.span(), format!("there is no level {:?}", token.text))
                    .with_help("write P0@cta 0,gpu 0"));
            };
            if ids[level].replace(self.tokens.number("its number")?).is_some() {
                return Err(Mistake::new(token.span(), format!("{} is given twice", token.text)));
            }
            if !self.tokens.take_if(",") {
                break;
            }
        }
        let [Some(cta), cluster, gpu] = ids else {
            return Err(Mistake::new(place, format!("{name} is in no CTA")).with_help("write P0@cta 0,gpu 0"));
        };
        let unit = self.unit([cta, cluster.unwrap_or(0), gpu.unwrap_or(0)], first.span())?;
        self.names.threads.push(Thread { name, unit, registers: Vec::new(), steps: Vec::new() });
        Ok(())
    }

    /// The unit of a CTA.
    fn unit(&mut self, cta: [i128; 3], place: Range<usize>) -> Result<u32, Mistake> {
        let found = self.ctas.iter().position(|other| *other == cta);
        let unit = found.unwrap_or(self.ctas.len());
        if found.is_none() {
            if unit as i64 == MOST_SMS {
                return Err(Mistake::new(place, format!("one memory side serves at most {MOST_SMS} CTAs")));
            }
            self.ctas.push(cta);
        }
        Ok(unit as u32)
    }

    /// The instructions, row by row, up to the condition.
    fn rows(&mut self) -> Result<(), Mistake> {
        while !condition::is_next(&self.tokens) {
            if self.tokens.peek().is_none() {
                return Err(self
                    .tokens
                    .wants("the condition")
                    .with_help("end with exists (P0:r0 == 1 /\\ P1:r1 == 0)"));
            }
            let mut column = 0;
            loop {
                let cell = self.cell();
                if !cell.is_empty() {
                    if column >= self.names.threads.len() {
                        let begin = cell[0].begin;
                        let end = cell[cell.len() - 1].span().end;
                        return Err(Mistake::new(begin..end, "this row has more columns than there are threads"));
                    }
                    self.instruction(cell, column)?;
                }
                if !self.tokens.take_if("|") {
                    break;
                }
                column += 1;
            }
            if !condition::is_next(&self.tokens) {
                self.tokens.expect(";").map_err(|mistake| mistake.with_help("a row of instructions ends with ;"))?;
            }
        }
        Ok(())
    }

    /// The tokens up to the end of a cell.
    fn cell(&mut self) -> Vec<Token<'t>> {
        let mut cell = Vec::new();
        while let Some(token) = self.tokens.peek()
            && !token.is("|")
            && !token.is(";")
            && !condition::is_next(&self.tokens)
        {
            cell.push(token);
            self.tokens.take();
        }
        cell
    }

    fn instruction(&mut self, cell: Vec<Token<'t>>, thread: usize) -> Result<(), Mistake> {
        let span = cell[0].begin..cell[cell.len() - 1].span().end;
        if self.steps == MOST_STEPS {
            return Err(Mistake::new(span, format!("a test has at most {MOST_STEPS} instructions")));
        }
        self.steps += 1;
        let step = instruction::read(&mut Tokens::new(cell, span.end), thread, &mut self.names)?;
        self.names.threads[thread].steps.push(step);
        Ok(())
    }
}

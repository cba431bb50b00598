//! One cell of a litmus file: an instruction of a thread.

use std::ops::Range;

use lsu_model::micro_op::{AccessSize, Scope, Semantics};

use super::names::{Names, fit};
use super::test::{Operand, Operator, Order, Step, USUAL_BITS};
use super::token::{Kind, Token, Tokens};
use crate::program::Mistake;

/// Why other proxies than the generic one are refused.
pub(super) const OTHER_PROXY: &str = "the unit has the generic proxy only, and no two names for one address";

/// First words of instructions that are known and cannot be run: what they are, and why.
const REFUSED: [(&[&str], &str, &str); 6] = [
    (&["atom", "red", "suatom", "sured"], "atomics", "the unit executes loads and stores"),
    (
        &["goto", "bra", "beq", "bne", "blt", "bgt", "ble", "bge", "setp", "brx", "call", "ret", "exit"],
        "branches",
        "a thread is a fixed list of accesses and fences",
    ),
    (&["tld", "suld", "cold", "sust", "tex", "suq"], "other proxies", OTHER_PROXY),
    (&["bar", "barrier", "mbarrier"], "barriers", "a fence and a flag in memory say the same of two threads"),
    (&["cp", "st.async", "ld.async", "discard", "applypriority"], "asynchronous copies", "the unit executes ld and st"),
    (&["ldu", "prefetch", "prefetchu", "isspacep", "cvta"], "other accesses", "the unit executes ld and st"),
];

/// Reads the instruction that `cell` holds, of the thread number `thread`.
pub(super) fn read(cell: &mut Tokens<'_>, thread: usize, names: &mut Names) -> Result<Step, Mistake> {
    if let Some(guard) = cell.peek().filter(|token| token.is("@")) {
        return Err(refusal(guard, "guarded instructions", "a thread is a fixed list of accesses and fences"));
    }
    let mnemonic = cell.word("an instruction")?;
    if cell.peek().is_some_and(|token| token.is(":")) {
        return Err(refusal(mnemonic, "labels and branches", "a thread is a fixed list of accesses and fences"));
    }
    let mut parts = mnemonic.text.split('.');
    let first = parts.next().unwrap_or_default();
    let modifiers: Vec<&str> = parts.collect();
    for (words, what, why) in REFUSED {
        if words.contains(&first) {
            return Err(refusal(mnemonic, what, why));
        }
    }
    let mut reader = Reader { cell, thread, names, mnemonic };
    let step = match first {
        "ld" if modifiers.is_empty() && reader.is_move() => reader.compute(Operator::Move, &modifiers)?,
        "ld" => reader.load(&modifiers)?,
        "st" => reader.store(&modifiers)?,
        "fence" | "membar" => reader.fence(first, &modifiers)?,
        "mov" => reader.compute(Operator::Move, &modifiers)?,
        "add" => reader.compute(Operator::Add, &modifiers)?,
        "sub" => reader.compute(Operator::Subtract, &modifiers)?,
        "mul" => reader.compute(Operator::Multiply, &modifiers)?,
        "and" => reader.compute(Operator::And, &modifiers)?,
        "or" => reader.compute(Operator::Or, &modifiers)?,
        "xor" => reader.compute(Operator::ExclusiveOr, &modifiers)?,
        _ => {
            return Err(Mistake::new(mnemonic.span(), format!("there is no instruction {:?} here", mnemonic.text))
                .with_help("instructions are ld, st, fence.sc, fence.acq_rel, mov, add, sub, mul, and, or, xor"));
        }
    };
    match cell.peek() {
        Some(_) => Err(cell.wants("the end of the instruction")),
        None => Ok(step),
    }
}

fn refusal(token: Token<'_>, what: &str, why: &str) -> Mistake {
    Mistake::new(token.span(), format!("{what} cannot be run")).with_help(why)
}

/// The modifiers of an access.
#[derive(Default)]
struct Modifiers {
    semantics: Option<Semantics>,
    scope: Option<Scope>,
    size: Option<AccessSize>,
    sign: bool,
}

struct Reader<'a, 't> {
    cell: &'a mut Tokens<'t>,
    thread: usize,
    names: &'a mut Names,
    mnemonic: Token<'t>,
}

impl Reader<'_, '_> {
    /// Whether `ld r0, …` moves a constant or a register, as the suites write it.
    fn is_move(&self) -> bool {
        let mut operands = self.cell.clone();
        operands.take();
        if !operands.take_if(",") || operands.is_number() {
            return true;
        }
        let Some(second) = operands.peek() else { return true };
        !second.is("[")
            && self.names.find_location(second.text).is_none()
            && (self.names.find_register(self.thread, second.text).is_some() || is_register_name(second.text))
    }

    fn load(&mut self, modifiers: &[&str]) -> Result<Step, Mistake> {
        let modifiers = self.modifiers(modifiers, Semantics::Acquire)?;
        let (order, size) = self.order(&modifiers)?;
        let register = self.register()?;
        self.cell.expect(",")?;
        let location = self.location(size)?;
        Ok(Step::Load { register, location, order, size, sign: modifiers.sign })
    }

    fn store(&mut self, modifiers: &[&str]) -> Result<Step, Mistake> {
        let modifiers = self.modifiers(modifiers, Semantics::Release)?;
        let (order, size) = self.order(&modifiers)?;
        let location = self.location(size)?;
        self.cell.expect(",")?;
        let place = self.cell.number_place();
        let (value, constant) = self.operand()?;
        self.fit(constant, place, bits_of(size))?;
        Ok(Step::Store { location, value, order, size })
    }

    fn fence(&mut self, first: &str, modifiers: &[&str]) -> Result<Step, Mistake> {
        let place = self.mnemonic;
        let (order, scopes): (Vec<&str>, Vec<&str>) = modifiers.iter().partition(|modifier| scope(modifier).is_none());
        let scope = match (first, order.as_slice(), scopes.as_slice()) {
            ("fence", ["proxy", ..], _) => return Err(refusal(place, "fences of other proxies", OTHER_PROXY)),
            ("fence", ["sc" | "acq_rel"] | [], [only]) => scope(only),
            ("membar", [], [only]) => scope(only),
            ("membar", ["gl"], []) => Some(Scope::Gpu),
            _ => None,
        };
        match scope {
            Some(scope) => Ok(Step::Fence { scope }),
            None => Err(Mistake::new(place.span(), format!("there is no fence {:?} here", place.text))
                .with_help("write fence.sc or fence.acq_rel with .cta, .cluster, .gpu or .sys")),
        }
    }

    fn compute(&mut self, operator: Operator, modifiers: &[&str]) -> Result<Step, Mistake> {
        let bits = match modifiers {
            [] => None,
            ["lo", width] | [width] => Some(bits_of(size(width).ok_or_else(|| self.unknown(width))?.0)),
            [other, ..] => return Err(self.unknown(other)),
        };
        let register = self.register()?;
        self.cell.expect(",")?;
        let left_place = self.cell.number_place();
        let (left, left_constant) = self.operand()?;
        let mut right_place = 0..0;
        let (right, right_constant) = match operator {
            Operator::Move => (Operand::Constant(0), None),
            _ => {
                self.cell.expect(",")?;
                right_place = self.cell.number_place();
                self.operand()?
            }
        };
        let step = Step::Compute { register, operator, left, right, bits };
        let bits_of_register = |register| self.names.register_bits(self.thread, register);
        let width = step.written(bits_of_register).map_or(USUAL_BITS, |(_, bits)| bits);
        self.fit(left_constant, left_place, width)?;
        self.fit(right_constant, right_place, width)?;
        Ok(step)
    }

    /// Refuses a constant that is cut when this instruction of `bits` bits takes it.
    fn fit(&self, constant: Option<i128>, place: Range<usize>, bits: u32) -> Result<(), Mistake> {
        constant.map_or(Ok(()), |number| fit(number, place, bits, &format!("{:?}", self.mnemonic.text)))
    }

    /// The modifiers of an access whose strongest order is `strongest`.
    fn modifiers(&self, texts: &[&str], strongest: Semantics) -> Result<Modifiers, Mistake> {
        let mut modifiers = Modifiers::default();
        for text in texts {
            let is_again = if let Some(semantics) = semantics(text) {
                if matches!(semantics, Semantics::Acquire | Semantics::Release) && semantics != strongest {
                    let message = format!("{:?}: a load acquires, a store releases", self.mnemonic.text);
                    return Err(Mistake::new(self.mnemonic.span(), message));
                }
                modifiers.semantics.replace(semantics).is_some()
            } else if let Some(scope) = scope(text) {
                modifiers.scope.replace(scope).is_some()
            } else if let Some((size, sign)) = size(text) {
                modifiers.sign = sign;
                modifiers.size.replace(size).is_some()
            } else if *text == "global" {
                false
            } else {
                return Err(self.unknown(text));
            };
            if is_again {
                return Err(Mistake::new(
                    self.mnemonic.span(),
                    format!("{:?} says twice what .{text} is", self.mnemonic.text),
                ));
            }
        }
        Ok(modifiers)
    }

    /// What cannot be run of an access, by name.
    fn unknown(&self, modifier: &str) -> Mistake {
        let (what, why) = match modifier {
            "shared" | "local" | "const" | "param" => {
                ("other state spaces", "the locations of a litmus test are global")
            }
            "v2" | "v4" | "v8" => ("vectors", "an access has one element"),
            "ca" | "cg" | "cs" | "cv" | "lu" | "wb" | "wt" | "L1" | "L2" | "level" => {
                ("cache operators and hints", "what is cached is drawn anew in every run")
            }
            "nc" => ("non-coherent loads", "they belong to another proxy"),
            "mmio" => ("mmio accesses", "the locations of a litmus test are ordinary memory"),
            "b128" => ("accesses of 128 bits", "accesses have .b8 to .b64"),
            _ => {
                let message = format!("{:?}: there is no modifier .{modifier} here", self.mnemonic.text);
                return Mistake::new(self.mnemonic.span(), message)
                    .with_help("accesses are weak, relaxed, acquire, release or volatile, of a scope .cta, .cluster, .gpu or .sys, and .b8 to .b64");
            }
        };
        refusal(self.mnemonic, what, why)
    }

    fn order(&self, modifiers: &Modifiers) -> Result<(Order, AccessSize), Mistake> {
        let semantics = modifiers.semantics.unwrap_or(Semantics::Weak);
        let scope = match (semantics, modifiers.scope) {
            (Semantics::Weak, None) => Scope::Cta,
            (Semantics::Volatile, None) => Scope::Sys,
            (Semantics::Weak | Semantics::Volatile, Some(_)) => {
                let message = format!("{:?}: a {} access has no scope", self.mnemonic.text, semantics.name());
                return Err(Mistake::new(self.mnemonic.span(), message).with_help("strong ones have: .relaxed.gpu"));
            }
            (_, Some(scope)) => scope,
            (_, None) => {
                let message = format!("{:?} needs a scope", self.mnemonic.text);
                return Err(Mistake::new(self.mnemonic.span(), message).with_help("add .cta, .cluster, .gpu or .sys"));
            }
        };
        Ok((Order { semantics, scope }, modifiers.size.unwrap_or(AccessSize::Bits32)))
    }

    fn register(&mut self) -> Result<usize, Mistake> {
        let token = self.cell.word("a register")?;
        if self.names.find_location(token.text).is_some() {
            return Err(Mistake::new(token.span(), format!("{} is a location, not a register", token.text)));
        }
        Ok(self.names.register(self.thread, token.text))
    }

    /// The location of an access of `size`, with or without brackets.
    fn location(&mut self, size: AccessSize) -> Result<usize, Mistake> {
        let is_bracketed = self.cell.take_if("[");
        let token = self.cell.word("a location")?;
        let is_register = is_register_name(token.text) || self.names.find_register(self.thread, token.text).is_some();
        if is_register && self.names.find_location(token.text).is_none() {
            return Err(refusal(
                token,
                "addresses in registers",
                "accesses name their location themselves: ld.weak r0, x",
            ));
        }
        if is_bracketed {
            if self.cell.take_if("+") {
                return Err(refusal(token, "offsets of locations", "each location has a name of its own"));
            }
            self.cell.expect("]")?;
        }
        let location = self.names.location(token.text);
        let bits = &mut self.names.locations[location].bits;
        *bits = (*bits).max(bits_of(size));
        Ok(location)
    }

    /// A constant, with its number as it is written, or a register.
    fn operand(&mut self) -> Result<(Operand, Option<i128>), Mistake> {
        if self.cell.is_number() {
            let number = self.cell.number("a number")?;
            return Ok((Operand::Constant(number as u64), Some(number)));
        }
        if self.cell.peek().is_none_or(|token| token.kind != Kind::Word) {
            return Err(self.cell.wants("a number or a register"));
        }
        Ok((Operand::Register(self.register()?), None))
    }
}

/// The bits of an access.
fn bits_of(size: AccessSize) -> u32 {
    8 * size.bytes().unwrap_or(0)
}

/// Whether `text` is a register wherever it stands: `r0`, `%r0`.
fn is_register_name(text: &str) -> bool {
    let digits = text.strip_prefix('%').unwrap_or(text).strip_prefix('r');
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

fn semantics(text: &str) -> Option<Semantics> {
    let all = [Semantics::Weak, Semantics::Relaxed, Semantics::Acquire, Semantics::Release, Semantics::Volatile];
    all.into_iter().find(|semantics| semantics.name() == text)
}

fn scope(text: &str) -> Option<Scope> {
    [Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys].into_iter().find(|scope| scope.name() == text)
}

/// The size that a type such as `.u32` has, and whether it is signed.
fn size(text: &str) -> Option<(AccessSize, bool)> {
    let bits = text.strip_prefix(['b', 'u', 's', 'f'])?.parse().ok().filter(|bits| *bits <= 64)?;
    Some((AccessSize::from_bits(bits)?, text.starts_with('s')))
}

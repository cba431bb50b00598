//! Random expressions of a wanted type, printed with as few parentheses as Rust needs, so that the
//! precedence of the operators is tested, too.

use super::random::Random;

/// Types of signals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    Bits(usize),
    Bit,
    Signed(usize),
    Color,
    Pair,
    Nested,
}

impl Type {
    pub fn rust(self) -> String {
        match self {
            Self::Bits(width) => format!("Bits<{width}>"),
            Self::Bit => "Bit".to_string(),
            Self::Signed(width) => format!("Signed<{width}>"),
            Self::Color => "Color".to_string(),
            Self::Pair => "Pair".to_string(),
            Self::Nested => "Nested".to_string(),
        }
    }

    pub fn width(self) -> usize {
        match self {
            Self::Bits(width) | Self::Signed(width) => width,
            Self::Bit => 1,
            Self::Color => 2,
            Self::Pair => 17,
            Self::Nested => 20,
        }
    }
}

/// A value that an expression can read.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub text: String,
    pub kind: Type,
    /// It has the loop variable in it, so that rust-hdl cannot evaluate a cast of it.
    pub looped: bool,
}

/// A loop around the expression.
#[derive(Clone, Debug)]
pub struct Loop {
    pub variable: String,
    pub from: usize,
    pub to: usize,
}

/// Text with the precedence of its outermost operator.
#[derive(Clone)]
pub struct Node {
    pub text: String,
    precedence: u8,
    looped: bool,
}

const ATOM: u8 = 20;
const UNARY: u8 = 15;
const PRODUCT: u8 = 13;
const SUM: u8 = 12;
const SHIFT: u8 = 11;
const AND: u8 = 10;
const XOR: u8 = 9;
const OR: u8 = 8;
const COMPARISON: u8 = 7;
const LOGICAL_AND: u8 = 6;
const LOGICAL_OR: u8 = 5;

pub struct Expressions<'a> {
    pub random: &'a mut Random,
    pub leaves: &'a [Leaf],
    pub loops: &'a [Loop],
}

fn atom(text: String, looped: bool) -> Node {
    Node { text, precedence: ATOM, looped }
}

/// Constants of the crate and what they are.
const CONSTANTS: [(&str, u64); 4] = [("ONE", 1), ("FIVE", 5), ("NINETY", 0x5a), ("PATTERN", 0x2d_5a_5a_a5)];

/// A literal that the type checker takes as `u64` and rust-hdl, which does not, as `i32` if it fits.
pub fn literal(value: u64) -> String {
    if value > 0x7fff_ffff { format!("{value:#x}u64") } else { value.to_string() }
}

impl Expressions<'_> {
    pub fn of(&mut self, kind: Type, depth: usize) -> Node {
        let node = match kind {
            Type::Bits(width) => self.bits(width, depth),
            Type::Bit => self.bit(depth),
            Type::Signed(width) => self.signed(width, depth),
            Type::Color => self.color(),
            Type::Pair | Type::Nested => self.leaf(kind).expect("a kernel with structs has inputs of them"),
        };
        if self.random.chance(8) && node.precedence < ATOM {
            return Node { text: format!("({})", node.text), precedence: ATOM, ..node };
        }
        node
    }

    fn leaf(&mut self, kind: Type) -> Option<Node> {
        let fitting: Vec<_> = self.leaves.iter().filter(|leaf| leaf.kind == kind).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let leaf = self.random.pick(&fitting);
        Some(atom(leaf.text.clone(), leaf.looped))
    }

    fn within(&self, node: &Node, precedence: u8) -> String {
        if node.precedence < precedence { format!("({})", node.text) } else { node.text.clone() }
    }

    fn binary(&self, left: &Node, sign: &str, precedence: u8, right: &Node) -> Node {
        // Comparisons do not chain; everything else associates to the left.
        let left_limit = if precedence == COMPARISON { precedence + 1 } else { precedence };
        let text = format!("{} {sign} {}", self.within(left, left_limit), self.within(right, precedence + 1));
        Node { text, precedence, looped: left.looped || right.looped }
    }

    fn method(&self, receiver: &Node, call: &str) -> Node {
        atom(format!("{}.{call}", self.within(receiver, ATOM)), receiver.looped)
    }

    fn number(&mut self, width: usize) -> u64 {
        let width = width.min(63);
        let mask = (1_u64 << width) - 1;
        match self.random.below(4) {
            0 => 0,
            1 => mask,
            2 => self.random.next() & mask & 0xf,
            _ => self.random.next() & mask,
        }
    }

    /// A number of at most `width` bits: the literal or, every so often, a constant in its place.
    fn written(&mut self, number: u64, width: usize) -> String {
        let fitting: Vec<_> = CONSTANTS.iter().filter(|(_, value)| value >> width.min(63) == 0).collect();
        if fitting.is_empty() || !self.random.chance(30) {
            return literal(number);
        }
        let (name, _) = **self.random.pick(&fitting);
        name.to_string()
    }

    fn constant(&mut self, width: usize) -> Node {
        let number = self.number(width);
        let fitting = self.loops.iter().find(|around| around.to <= 1 << width.min(31)).cloned();
        match fitting {
            Some(around) if self.random.chance(50) => {
                let variable = &around.variable;
                let value =
                    if self.random.chance(30) { format!("({} - {variable})", around.to - 1) } else { variable.clone() };
                let value = atom(format!("{value}.to_bits::<{width}>()"), true);
                // Alone it would have no width that the syntax tree shows.
                let number = atom(format!("bits::<{width}>({})", self.written(number, width)), false);
                let (sign, precedence) = *self.random.pick(&[("+", SUM), ("-", SUM), ("^", XOR)]);
                self.binary(&number, sign, precedence, &value)
            }
            _ => atom(format!("bits::<{width}>({})", self.written(number, width)), false),
        }
    }

    /// Any bits at all, with their width.
    fn any_bits(&mut self) -> (Node, usize) {
        let widths: Vec<usize> = self
            .leaves
            .iter()
            .filter_map(|leaf| match leaf.kind {
                Type::Bits(width) => Some(width),
                _ => None,
            })
            .collect();
        let width = *self.random.pick(&widths);
        (self.leaf(Type::Bits(width)).expect("the width comes from a leaf"), width)
    }

    /// A value of another width, brought to `width`.
    fn cast(&mut self, node: Node, from: usize, width: usize) -> Node {
        if node.looped || self.random.chance(30) {
            return self.method(&node, &format!("get_bits::<{width}>(0)"));
        }
        atom(format!("bit_cast::<{width}, {from}>({})", node.text), false)
    }

    fn bits(&mut self, width: usize, depth: usize) -> Node {
        if depth == 0 {
            if self.random.chance(75) {
                if let Some(leaf) = self.leaf(Type::Bits(width)) {
                    return leaf;
                }
                let (node, from) = self.any_bits();
                return self.cast(node, from, width);
            }
            return self.constant(width);
        }
        let next = depth - 1;
        match self.random.below(20) {
            0..=5 => {
                let (sign, precedence) =
                    *self.random.pick(&[("+", SUM), ("-", SUM), ("&", AND), ("|", OR), ("^", XOR)]);
                let left = self.bits(width, next);
                let right = self.bits(width, next);
                if self.random.chance(20) {
                    let number = {
                        let number = self.number(width);
                        atom(self.written(number, width), false)
                    };
                    return if self.random.chance(30) {
                        self.binary(&number, sign, precedence, &right)
                    } else {
                        self.binary(&left, sign, precedence, &number)
                    };
                }
                self.binary(&left, sign, precedence, &right)
            }
            6 => {
                let inner = self.bits(width, next);
                Node { text: format!("!{}", self.within(&inner, UNARY)), precedence: UNARY, looped: inner.looped }
            }
            7 | 8 => {
                let sign = if self.random.chance(50) { "<<" } else { ">>" };
                let left = self.bits(width, next);
                let right = if self.random.chance(40) {
                    atom(self.random.below(width + 3).to_string(), false)
                } else {
                    let amount = self.random.between(1, 8);
                    self.bits(amount, next.min(1))
                };
                self.binary(&left, sign, SHIFT, &right)
            }
            9..=11 => {
                let from = self.width();
                let inner = self.bits(from, next);
                self.cast(inner, from, width)
            }
            12 | 13 => {
                let from = self.width();
                let inner = self.bits(from, next);
                let offset = self.random.between(0, from);
                self.method(&inner, &format!("get_bits::<{width}>({offset})"))
            }
            14 => {
                let from = self.width();
                let inner = self.bits(from, next);
                match self.index(from + 1) {
                    Some((index, looped)) => {
                        let node = self.method(&inner, &format!("get_bits::<{width}>({index})"));
                        Node { looped: node.looped || looped, ..node }
                    }
                    None => self.bits(width, next),
                }
            }
            15 | 16 => {
                let inner = self.bits(width, next);
                let bit = self.bit(next.min(1));
                let (index, looped) = match self.index(width) {
                    Some(index) if self.random.chance(60) => index,
                    _ => (self.random.below(width).to_string(), false),
                };
                let node = self.method(&inner, &format!("replace_bit({index}, {})", bit.text));
                Node { looped: node.looped || looped || bit.looped, ..node }
            }
            17 => {
                let left = self.bits(width, next);
                let right = self.bit(next.min(1));
                self.binary(&left, "+", SUM, &right)
            }
            18 => {
                let inner = self.signed(width, next);
                atom(format!("unsigned_cast({})", inner.text), inner.looped)
            }
            _ if width == 64 => {
                let amount = self.bits(6, next.min(1));
                let one = atom(self.random.between(1, 9).to_string(), false);
                self.binary(&one, "<<", SHIFT, &amount)
            }
            _ if width == 1 => {
                let inner = self.bit(next);
                if inner.looped {
                    return self.bits(width, 0);
                }
                atom(format!("Bits::<1>::from({})", inner.text), false)
            }
            _ => self.bits(width, next),
        }
    }

    /// Run-time index below `limit` whatever the signal's value.
    fn index(&mut self, limit: usize) -> Option<(String, bool)> {
        if let Some(around) = self.loops.iter().find(|around| around.to <= limit)
            && self.random.chance(60)
        {
            return Some((around.variable.clone(), true));
        }
        let fitting: Vec<_> = self
            .leaves
            .iter()
            .filter_map(|leaf| match leaf.kind {
                Type::Bits(width) if width < 8 && 1 << width <= limit => Some(leaf.clone()),
                _ => None,
            })
            .collect();
        if !fitting.is_empty() && self.random.chance(60) {
            let leaf = self.random.pick(&fitting).clone();
            return Some((format!("{}.index()", leaf.text), leaf.looped));
        }
        if limit < 2 {
            return None;
        }
        let (node, _) = self.any_bits();
        let width = (usize::BITS - 1 - limit.leading_zeros()) as usize;
        Some((format!("{}.get_bits::<{width}>(0).index()", self.within(&node, ATOM)), node.looped))
    }

    pub fn width(&mut self) -> usize {
        match self.random.below(10) {
            0 => self.random.between(33, 200),
            1 => *self.random.pick(&[31, 32, 33, 63, 64, 65]),
            2 | 3 => self.random.between(13, 32),
            _ => self.random.between(1, 12),
        }
    }

    pub fn bit(&mut self, depth: usize) -> Node {
        if depth == 0 {
            return match self.random.below(8) {
                0 => atom(self.random.chance(50).to_string(), false),
                1..=4 => self.leaf(Type::Bit).unwrap_or_else(|| atom("true".to_string(), false)),
                _ => {
                    let (node, width) = self.any_bits();
                    let index = self.random.below(width);
                    self.method(&node, &format!("get_bit({index})"))
                }
            };
        }
        let next = depth - 1;
        match self.random.below(12) {
            0..=3 => {
                let sign = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let width = self.width();
                let left = self.bits(width, next);
                let right = if self.random.chance(30) {
                    {
                        let number = self.number(width);
                        atom(self.written(number, width), false)
                    }
                } else {
                    self.bits(width, next)
                };
                self.binary(&left, sign, COMPARISON, &right)
            }
            4 => {
                let sign = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let width = self.random.between(2, 40);
                let left = self.signed(width, next);
                let right = self.signed(width, next);
                self.binary(&left, sign, COMPARISON, &right)
            }
            5 => {
                let (sign, precedence) =
                    *self.random.pick(&[("&&", LOGICAL_AND), ("||", LOGICAL_OR), ("&", AND), ("|", OR), ("^", XOR)]);
                let left = self.bit(next);
                let right = self.bit(next);
                self.binary(&left, sign, precedence, &right)
            }
            6 => {
                let inner = self.bit(next);
                Node { text: format!("!{}", self.within(&inner, UNARY)), precedence: UNARY, looped: inner.looped }
            }
            7 | 8 => {
                let width = self.width();
                let inner = self.bits(width, next);
                let call = *self.random.pick(&["any()", "all()", "xor()"]);
                self.method(&inner, call)
            }
            9 => {
                let width = self.width();
                let inner = self.bits(width, next);
                match self.index(width) {
                    Some((index, looped)) => {
                        let node = self.method(&inner, &format!("get_bit({index})"));
                        Node { looped: node.looped || looped, ..node }
                    }
                    None => self.method(&inner, "any()"),
                }
            }
            10 => match self.leaf(Type::Color) {
                Some(leaf) => {
                    let right = self.color();
                    let sign = *self.random.pick(&["==", "!="]);
                    self.binary(&leaf, sign, COMPARISON, &right)
                }
                None => self.bit(next),
            },
            _ => match self.loops.first().cloned() {
                Some(around) => {
                    let sign = *self.random.pick(&["==", "!=", "<", ">"]);
                    let number = self.random.between(around.from, around.to);
                    let left = atom(around.variable, true);
                    self.binary(&left, sign, COMPARISON, &atom(number.to_string(), false))
                }
                None => self.bit(next),
            },
        }
    }

    fn color(&mut self) -> Node {
        match self.random.below(4) {
            0 => self.leaf(Type::Color).unwrap_or_else(|| atom("Color::Green".to_string(), false)),
            1 => atom("Color::Red".to_string(), false),
            2 => atom("Color::Green".to_string(), false),
            _ => atom("Color::Blue".to_string(), false),
        }
    }

    pub fn signed(&mut self, width: usize, depth: usize) -> Node {
        if depth == 0 || self.random.chance(30) {
            if let Some(leaf) = self.leaf(Type::Signed(width)) {
                return leaf;
            }
            let inner = self.bits(width, depth.saturating_sub(1));
            return atom(format!("signed_cast({})", inner.text), inner.looped);
        }
        let next = depth - 1;
        match self.random.below(6) {
            0 | 1 => {
                let sign = if self.random.chance(50) { "+" } else { "-" };
                let left = self.signed(width, next);
                let right = self.signed(width, next);
                self.binary(&left, sign, SUM, &right)
            }
            2 => {
                let inner = self.signed(width, next);
                Node { text: format!("-{}", self.within(&inner, UNARY)), precedence: UNARY, looped: inner.looped }
            }
            3 if width == 32 => {
                let left = self.signed(16, next);
                let right = self.signed(16, next);
                self.binary(&left, "*", PRODUCT, &right)
            }
            _ => {
                let inner = self.bits(width, next);
                atom(format!("signed_cast({})", inner.text), inner.looped)
            }
        }
    }

    /// `signed_bit_cast` of a value that is not the minimum, for which rust-hdl recurses without end.
    pub fn widened(&mut self, width: usize) -> Option<Node> {
        let from = self.random.between(2, 40);
        let inner = self.bits(from - 1, 1);
        if inner.looped {
            return None;
        }
        let sign = if self.random.chance(50) { "-" } else { "" };
        let value = format!("{sign}signed_cast(bit_cast::<{from}, {}>({}))", from - 1, inner.text);
        Some(atom(format!("signed_bit_cast::<{width}, {from}>({value})"), false))
    }
}

//! A network of two-input "and"s in which what is the same stands once: two pieces of logic that compute the same from the same
//! in the same way have the same literal.

use std::collections::HashMap;

/// A node of a [`Network`] or its inverse: twice the node's number, plus one for the inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The constant 0.
    pub const FALSE: Self = Self(0);
    /// The constant 1.
    pub const TRUE: Self = Self(1);

    /// The number of its node; 0 is the constant.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the node's inverse.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// This literal, inverted if `invert` holds.
    pub fn inverted_if(self, invert: bool) -> Self {
        Self(self.0 ^ u32::from(invert))
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        self.inverted_if(true)
    }
}

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The constant 0, or an input.
    Free,
    /// 1 while both are.
    And(Literal, Literal),
}

/// The network; nodes stand behind those that they depend on.
#[derive(Debug)]
pub struct Network {
    nodes: Vec<Node>,
    known: HashMap<(Literal, Literal), Literal>,
}

impl Default for Network {
    fn default() -> Self {
        Self { nodes: vec![Node::Free], known: HashMap::new() }
    }
}

impl Network {
    /// The node with this number.
    pub fn node(&self, number: usize) -> Node {
        self.nodes[number]
    }

    /// The number of nodes, at least that of the constant.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all nodes from the number `length` on.
    pub fn truncate(&mut self, length: usize) {
        for node in self.nodes.drain(length..) {
            if let Node::And(a, b) = node {
                self.known.remove(&(a, b));
            }
        }
    }

    /// A new input.
    pub fn input(&mut self) -> Literal {
        self.push(Node::Free)
    }

    /// 1 while both are.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Literal::FALSE || a == !b {
            return Literal::FALSE;
        }
        if a == Literal::TRUE || a == b {
            return b;
        }
        if let Some(literal) = self.known.get(&(a, b)) {
            return *literal;
        }
        if let Some(literal) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return literal;
        }
        let literal = self.push(Node::And(a, b));
        self.known.insert((a, b), literal);
        literal
    }

    /// `a` and `b`, where `b` is made of `a` or of its inverse.
    fn absorbed(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        let Node::And(left, right) = self.nodes[b.node()] else { return None };
        if b.is_inverted() {
            // a & !(a & x) is a & !x; a & !(!a & x) is a.
            return match () {
                () if left == !a || right == !a => Some(a),
                () if left == a => Some(self.and(a, !right)),
                () if right == a => Some(self.and(a, !left)),
                () => None,
            };
        }
        match () {
            () if left == a || right == a => Some(b),
            () if left == !a || right == !a => Some(Literal::FALSE),
            () => None,
        }
    }

    fn push(&mut self, node: Node) -> Literal {
        self.nodes.push(node);
        // A unit has some hundred thousands.
        Literal(2 * (self.nodes.len() - 1) as u32)
    }
}

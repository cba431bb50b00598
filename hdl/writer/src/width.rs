//! Widths of kernel expressions, inferred bottom-up.
//!
//! The syntax tree keeps no types: a literal, a loop variable and a few conversions have whatever
//! width their surroundings want, everything else knows its own. Rust's type checker has already
//! made sure that the two agree.

use rust_hdl::prelude::TypeKind;
use rust_hdl::prelude::ast::{VerilogExpression as Tree, VerilogOp, VerilogOpUnary};

use super::lower::{Failure, Lowerer, Meaning};
use super::scope::shape_width;

/// Width and signedness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) width: usize,
    pub(crate) signed: bool,
}

impl Shape {
    pub(crate) fn bits(width: usize) -> Self {
        Self { width, signed: false }
    }
}

impl Lowerer<'_> {
    /// The shape that an expression has by itself; `None` if its surroundings decide.
    pub(crate) fn shape(&self, tree: &Tree) -> Result<Option<Shape>, Failure> {
        Ok(match tree {
            Tree::Signal(name) => match self.meaning(name)? {
                Meaning::Integer(_) => None,
                Meaning::Variant(_, width, _) => Some(Shape::bits(width)),
                Meaning::Signal(path) => {
                    let signal = &self.scope.signals[path.signal];
                    Some(Shape { width: signal.width, signed: signal.is_signed() })
                }
            },
            Tree::Literal(literal) => super::lower::is_bool(literal).then_some(Shape::bits(1)),
            Tree::Cast(_, width) => Some(Shape::bits(*width)),
            Tree::Signed(inner) => match self.shape(inner)? {
                // Of a signed operand this is `signed_bit_cast`, whose width the tree does not hold.
                Some(shape) if shape.signed => None,
                shape => shape.map(|shape| Shape { signed: true, ..shape }),
            },
            Tree::Unsigned(inner) => self.shape(inner)?.map(|shape| Shape::bits(shape.width)),
            Tree::Paren(inner) => self.shape(inner)?,
            Tree::Binary(left, operator, right) => match operator {
                VerilogOp::LogicalAnd
                | VerilogOp::LogicalOr
                | VerilogOp::Eq
                | VerilogOp::Ne
                | VerilogOp::Lt
                | VerilogOp::Le
                | VerilogOp::Gt
                | VerilogOp::Ge => Some(Shape::bits(1)),
                VerilogOp::Mul if !self.is_integer(tree)? => Some(Shape { width: 32, signed: true }),
                VerilogOp::Shl | VerilogOp::Shr => match (self.shape(left)?, self.shape(right)?) {
                    (Some(shape), _) => Some(shape),
                    // rust-hdl gives `literal << bits` the width of a literal.
                    (None, Some(_)) => Some(Shape::bits(64)),
                    (None, None) => None,
                },
                _ => match self.shape(left)? {
                    Some(shape) => Some(shape),
                    None => self.shape(right)?,
                },
            },
            Tree::Unary(VerilogOpUnary::Not | VerilogOpUnary::Neg, inner) => self.shape(inner)?,
            Tree::Unary(VerilogOpUnary::All | VerilogOpUnary::Any | VerilogOpUnary::Xor, _) => Some(Shape::bits(1)),
            Tree::Index(..) => Some(Shape::bits(1)),
            Tree::Slice(base, width, offset) => Some(self.slice_shape(base, *width, offset)?),
            Tree::IndexReplace(base, ..) => self.shape(base)?,
        })
    }

    fn slice_shape(&self, base: &Tree, width: usize, offset: &Tree) -> Result<Shape, Failure> {
        if let Some(fields) = self.fields(base)? {
            // Not `get_bits` but a field of a struct.
            let offset = self.integer(offset)?.and_then(|offset| offset.constant()).unwrap_or_default();
            let mut start = 0;
            for field in fields {
                let length = shape_width(&field.kind.kind);
                if start == offset && length == width {
                    return Ok(Shape { width, signed: matches!(field.kind.kind, TypeKind::Signed(_)) });
                }
                start += length as i128;
            }
        }
        let signed = self.shape(base)?.is_some_and(|shape| shape.signed);
        Ok(Shape { width, signed })
    }

    /// The fields of a struct-typed signal.
    pub(crate) fn fields(&self, tree: &Tree) -> Result<Option<&[Box<rust_hdl::prelude::TypeField>]>, Failure> {
        if let Tree::Signal(name) = tree
            && let Meaning::Signal(path) = self.meaning(name)?
            && let TypeKind::Composite(fields) = &self.scope.signals[path.signal].shape
        {
            return Ok(Some(fields));
        }
        Ok(None)
    }

    /// True for numbers of the unrolled program: literals, loop variables, constants and sums of them.
    pub(crate) fn is_integer(&self, tree: &Tree) -> Result<bool, Failure> {
        Ok(match tree {
            Tree::Signal(name) => matches!(self.meaning(name)?, Meaning::Integer(_)),
            Tree::Literal(literal) => !super::lower::is_bool(literal),
            Tree::Paren(inner) | Tree::Unary(VerilogOpUnary::Neg, inner) => self.is_integer(inner)?,
            Tree::Binary(left, VerilogOp::Add | VerilogOp::Sub | VerilogOp::Mul, right) => {
                self.is_integer(left)? && self.is_integer(right)?
            }
            _ => false,
        })
    }
}

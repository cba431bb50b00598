//! Refuses kernels whose syntax tree could mean two things.
//!
//! rust-hdl drops `.index()` and `.to_bits()` from the tree, so that arithmetic on bits, which wraps,
//! and arithmetic on `usize`, which does not, look the same. The Rust source tells them apart.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprIndex, ExprMethodCall};

use super::Refusal;

/// Checks the kernel of a block.
pub(crate) fn check(path: &str, kernel: &syn::ImplItemFn) -> Result<(), Refusal> {
    let mut search = Search { found: None };
    search.visit_impl_item_fn(kernel);
    match search.found {
        Some((text, reason)) => Err(Refusal::new(path, "", format!("`{text}`: {reason}"))),
        None => Ok(()),
    }
}

struct Search {
    found: Option<(String, &'static str)>,
}

impl<'a> Visit<'a> for Search {
    fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
        let counts = !matches!(binary.op, BinOp::Shl(_) | BinOp::Shr(_) | BinOp::And(_) | BinOp::Or(_));
        let both = is_number(&binary.left) && is_number(&binary.right);
        if counts && both && (has_to_bits(&binary.left) || has_to_bits(&binary.right)) {
            self.refuse(binary, "an operator over two numbers, one of them in bits; begin with a signal or `bits()`");
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let takes_index = matches!(call.method.to_string().as_str(), "get_bit" | "get_bits" | "replace_bit");
        for (place, argument) in call.args.iter().enumerate() {
            match indexed(argument) {
                Some(receiver) if takes_index && place == 0 => self.visit_expr(receiver),
                _ => self.visit_expr(argument),
            }
        }
        if call.method == "index" {
            self.refuse(call, "`index()` stands for a number of its own only where an index is expected");
        }
        self.visit_expr(&call.receiver);
    }

    fn visit_expr_index(&mut self, index: &'a ExprIndex) {
        self.visit_expr(&index.expr);
        match indexed(&index.index) {
            Some(receiver) => self.visit_expr(receiver),
            None => self.visit_expr(&index.index),
        }
    }
}

impl Search {
    fn refuse(&mut self, what: &impl ToTokens, reason: &'static str) {
        self.found.get_or_insert_with(|| (what.to_token_stream().to_string(), reason));
    }
}

/// The receiver of an `.index()`.
fn indexed(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Paren(inner) => indexed(&inner.expr),
        Expr::MethodCall(call) if call.method == "index" => Some(&call.receiver),
        _ => None,
    }
}

/// True for what the syntax tree shows as a number without a width.
fn is_number(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(inner) => is_number(&inner.expr),
        Expr::Unary(inner) => is_number(&inner.expr),
        Expr::Binary(binary) => is_number(&binary.left) && is_number(&binary.right),
        Expr::MethodCall(call) => {
            matches!(call.method.to_string().as_str(), "to_bits" | "into" | "to_signed_bits")
                && is_number(&call.receiver)
        }
        _ => false,
    }
}

fn has_to_bits(expression: &Expr) -> bool {
    match expression {
        Expr::Paren(inner) => has_to_bits(&inner.expr),
        Expr::Unary(inner) => has_to_bits(&inner.expr),
        Expr::Binary(binary) => has_to_bits(&binary.left) || has_to_bits(&binary.right),
        Expr::MethodCall(call) => call.method == "to_bits" || has_to_bits(&call.receiver),
        _ => false,
    }
}

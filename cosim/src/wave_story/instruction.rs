//! The name of an operation in a lane of `ops`: its instruction without operands, such as `LDC.64`.

use lsu_model::micro_op::{CacheOperator, Command, LdcMode, OpKind, Scope, Semantics, Space};
use lsu_model::pins::Request;

use crate::program::{Operation, mnemonic};

/// The instruction of `operation`: from its text where it has one, otherwise from its pins.
pub(super) fn name(operation: &Operation, target: &str) -> String {
    let text = operation.text.clone().or_else(|| mnemonic(&operation.request, target));
    let mut words = text.as_deref().unwrap_or_default().split_whitespace();
    // A guard predicate stands before the instruction.
    match words.find(|word| !word.starts_with('@')) {
        Some(word) => word.trim_end_matches(';').to_owned(),
        None => from_pins(&operation.request),
    }
}

fn from_pins(request: &Request) -> String {
    match OpKind::on_pin(request.op) {
        OpKind::Load => access("ld", request),
        OpKind::Store => access("st", request),
        OpKind::Ldc => ldc(request),
        OpKind::Command => Command::on_pin(request.cmd).name().to_owned(),
    }
}

fn ldc(request: &Request) -> String {
    let mode = match LdcMode::from_code(request.mode) {
        // The one that is not written.
        Some(LdcMode::Ia) => String::new(),
        Some(mode) => format!(".{}", mode.name()),
        None => format!(".mode{}", request.mode),
    };
    let size = match (request.size, request.sign) {
        (2, _) => String::new(),
        (size @ (0 | 1), true) => format!(".S{}", 8 << size),
        (size @ (0 | 1), false) => format!(".U{}", 8 << size),
        (size, _) => format!(".{}", 8_u32 << size),
    };
    format!("LDC{mode}{size}")
}

/// A load or store as PTX writes it, as far as the pins tell.
fn access(instruction: &str, request: &Request) -> String {
    let mut name = instruction.to_owned();
    let mut push = |qualifier: &str| {
        name.push('.');
        name.push_str(qualifier);
    };
    let semantics = Semantics::on_pin(request.sem);
    if semantics != Semantics::Weak {
        push(semantics.name());
        if semantics != Semantics::Volatile {
            push(Scope::on_pin(request.scope).name());
        }
    }
    let space = Space::on_pin(request.space);
    if space != Space::Generic {
        push(space.name());
    }
    let operator = CacheOperator::on_pin(request.cop);
    if operator != CacheOperator::Default {
        push(operator.name());
    }
    if request.nc {
        push("nc");
    }
    if request.vec > 0 {
        push(&format!("v{}", 1_u32 << request.vec));
    }
    push(&format!("{}{}", if request.sign { 's' } else { 'u' }, 8_u32 << request.size));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_name_the_instruction() {
        let load = Request { space: 1, nc: true, vec: 1, size: 2, ..Request::default() };
        assert_eq!(from_pins(&load), "ld.global.nc.v2.u32");
        let store = Request { op: 1, sem: 3, scope: 2, space: 2, size: 3, ..Request::default() };
        assert_eq!(from_pins(&store), "st.release.gpu.shared.u64");
        assert_eq!(from_pins(&Request { op: 2, size: 1, sign: true, mode: 3, ..Request::default() }), "LDC.ISL.S16");
        assert_eq!(from_pins(&Request { op: 2, size: 2, ..Request::default() }), "LDC");
        assert_eq!(from_pins(&Request { op: 3, cmd: 2, ..Request::default() }), "invalidate_const");
    }

    #[test]
    fn a_text_names_itself() {
        let operation = |text: &str| Operation {
            sm: 0,
            warp: 0,
            wait: crate::program::Wait::No,
            request: Request::default(),
            text: Some(text.to_owned()),
            expect: Vec::new(),
            expect_fault: None,
        };
        assert_eq!(name(&operation("@!P0 LDC.64 R4, c[0x3][R0]"), "sm_90"), "LDC.64");
        assert_eq!(name(&operation("ld.global.u32 %r1, [%rd1];"), "sm_90"), "ld.global.u32");
    }
}

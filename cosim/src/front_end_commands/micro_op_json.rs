//! Micro-ops as JSON, under the names of the ports.

use lsu_model::micro_op::{AccessSize, MicroOp, Op};
use lsu_model::sass::{Bank, Ldc, RZ};
use serde_json::{Value, json};

/// The size in bits, or its name where it is illegal.
fn size(size: AccessSize) -> Value {
    match size.bytes() {
        Some(bytes) => json!(bytes * 8),
        None => json!(size.name()),
    }
}

/// A micro-op as one JSON object: sizes and widths in bits, everything else as documented on [`MicroOp`].
pub fn micro_op_json(op: &MicroOp) -> Value {
    if op.op == Op::Ldc {
        return json!({
            "op": op.op.name(),
            "size": size(op.size),
            "sign": op.sign,
            "dst_width": op.dst_width.bits(),
            "rd": op.rd,
            "bank": op.bank,
            "mode": op.mode.name(),
            "imm": op.imm,
            "ra_is_rz": op.ra_is_rz,
        });
    }
    json!({
        "op": op.op.name(),
        "space": op.space.name(),
        "sem": op.sem.name(),
        "scope": op.scope.name(),
        "cop": op.cop.name(),
        "l1_evict": op.l1_evict.name(),
        "l2_evict": op.l2_evict.name(),
        "prefetch": op.prefetch.name(),
        "policy": op.policy,
        "nc": op.nc,
        "size": size(op.size),
        "vec": op.vec,
        "sink": op.sink,
        "sign": op.sign,
        "dst_width": op.dst_width.bits(),
        "imm": op.imm,
    })
}

/// An LDC as one JSON object: its micro-op, its address register and its guard. A bindless LDC has no bank number but
/// the name of the uniform register that holds it.
pub(super) fn ldc_json(ldc: &Ldc) -> Value {
    let mut object = micro_op_json(&ldc.lower_with_bank(match ldc.bank {
        Bank::Immediate(bank) => bank,
        Bank::Uniform(_) => 0,
    }));
    if let Bank::Uniform(register) = ldc.bank {
        object["bank"] = Value::Null;
        object["bank_register"] = json!(format!("UR{register}"));
    }
    object["ra"] = if ldc.ra == RZ { Value::Null } else { json!(ldc.ra) };
    object["predicate"] = json!(ldc.guard.predicate);
    object["predicate_negated"] = json!(ldc.guard.is_negated);
    object
}

//! Micro-ops as JSON, under the names of the ports.

use lsu_model::micro_op::{AccessSize, MicroOp, Op};
use lsu_model::pins::RZ;
use lsu_model::sass::{Bank, Ldc};
use serde_json::{Value, json};

/// The size in bits, or its name where it is illegal.
fn size(size: AccessSize) -> Value {
    match size.bytes() {
        Some(bytes) => json!(bytes * 8),
        None => json!(size.name()),
    }
}

/// Names and values of a micro-op in the order in which one reads them: what, where, how much, and what the caches are told.
/// Sizes and widths are in bits, everything else as documented on [`MicroOp`].
pub(crate) fn micro_op_fields(op: &MicroOp) -> Vec<(&'static str, Value)> {
    if op.op == Op::Ldc {
        return vec![
            ("op", json!(op.op.name())),
            ("size", size(op.size)),
            ("sign", json!(op.sign)),
            ("dst_width", json!(op.dst_width.bits())),
            ("rd", json!(op.rd)),
            ("bank", json!(op.bank)),
            ("mode", json!(op.mode.name())),
            ("imm", json!(op.imm)),
            ("ra_is_rz", json!(op.ra_is_rz)),
        ];
    }
    vec![
        ("op", json!(op.op.name())),
        ("space", json!(op.space.name())),
        ("nc", json!(op.nc)),
        ("sem", json!(op.sem.name())),
        ("scope", json!(op.scope.name())),
        ("size", size(op.size)),
        ("vec", json!(op.vec)),
        ("sink", json!(op.sink)),
        ("sign", json!(op.sign)),
        ("dst_width", json!(op.dst_width.bits())),
        ("imm", json!(op.imm)),
        ("cop", json!(op.cop.name())),
        ("l1_evict", json!(op.l1_evict.name())),
        ("l2_evict", json!(op.l2_evict.name())),
        ("prefetch", json!(op.prefetch.name())),
        ("policy", json!(op.policy)),
    ]
}

/// The same for an LDC, with its address register and its guard. A bindless LDC has no bank number but the name of the uniform
/// register that holds it.
pub(crate) fn ldc_fields(ldc: &Ldc) -> Vec<(&'static str, Value)> {
    let mut fields = micro_op_fields(&ldc.lower_with_bank(match ldc.bank {
        Bank::Immediate(bank) => bank,
        Bank::Uniform(_) => 0,
    }));
    if let Bank::Uniform(register) = ldc.bank {
        let place = fields.iter().position(|(name, _)| *name == "bank").map_or(0, |bank| bank + 1);
        fields.insert(place, ("bank_register", json!(format!("UR{register}"))));
        fields.iter_mut().filter(|(name, _)| *name == "bank").for_each(|(_, bank)| *bank = Value::Null);
    }
    let place = fields.iter().position(|(name, _)| *name == "imm").unwrap_or(fields.len());
    fields.insert(place, ("ra", if ldc.ra == RZ { Value::Null } else { json!(ldc.ra) }));
    fields.extend([("predicate", json!(ldc.guard.predicate)), ("predicate_negated", json!(ldc.guard.is_negated))]);
    fields
}

/// Fields as one JSON object.
pub(crate) fn object(fields: &[(&'static str, Value)]) -> Value {
    fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// A micro-op as one JSON object: sizes and widths in bits, everything else as documented on [`MicroOp`].
pub fn micro_op_json(op: &MicroOp) -> Value {
    object(&micro_op_fields(op))
}

/// An LDC as one JSON object: its micro-op, its address register and its guard.
pub(crate) fn ldc_json(ldc: &Ldc) -> Value {
    object(&ldc_fields(ldc))
}

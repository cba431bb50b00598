//! Special registers: those that every program has without a declaration (PTX ISA, *Special Registers*).

use super::types::{Class, DataType};
use super::version::Version;

/// One special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Special {
    /// Type of it, or of one component. NVIDIA's assembler takes it for bits, though the documents call it unsigned.
    pub data_type: DataType,
    /// Components: 1 or 4.
    pub vector: u8,
    /// The first version that has it.
    pub version: Version,
    /// The least target that has it.
    pub target: u16,
}

/// The special register of this name.
pub(super) fn special(name: &str) -> Option<Special> {
    let of = |bits, vector, (major, minor), target| {
        let class = if bits == 1 { Class::Predicate } else { Class::Bits };
        Some(Special { data_type: DataType { class, bits }, vector, version: Version::new(major, minor), target })
    };
    match name.strip_prefix('%')? {
        "tid" | "ntid" | "ctaid" | "nctaid" => of(32, 4, (1, 0), 10),
        "clusterid" | "nclusterid" | "cluster_ctaid" | "cluster_nctaid" => of(32, 4, (7, 8), 90),
        "cluster_ctarank" | "cluster_nctarank" => of(32, 1, (7, 8), 90),
        "is_explicit_cluster" => of(1, 1, (7, 8), 90),
        "laneid" | "warpid" | "smid" => of(32, 1, (1, 3), 10),
        "nwarpid" | "nsmid" => of(32, 1, (2, 0), 20),
        "lanemask_eq" | "lanemask_le" | "lanemask_lt" | "lanemask_ge" | "lanemask_gt" => of(32, 1, (2, 0), 20),
        "gridid" => of(64, 1, (1, 0), 10),
        "clock" => of(32, 1, (1, 0), 10),
        "clock_hi" => of(32, 1, (5, 0), 20),
        "clock64" => of(64, 1, (2, 0), 20),
        "globaltimer" => of(64, 1, (3, 1), 30),
        "globaltimer_lo" | "globaltimer_hi" => of(32, 1, (3, 1), 30),
        "total_smem_size" | "dynamic_smem_size" => of(32, 1, (4, 1), 20),
        "aggr_smem_size" => of(32, 1, (8, 1), 90),
        "current_graph_exec" => of(64, 1, (8, 0), 50),
        "reserved_smem_offset_begin"
        | "reserved_smem_offset_end"
        | "reserved_smem_offset_cap"
        | "reserved_smem_offset_0"
        | "reserved_smem_offset_1" => of(32, 1, (7, 6), 80),
        "pm0" | "pm1" | "pm2" | "pm3" => of(32, 1, (1, 3), 10),
        "pm4" | "pm5" | "pm6" | "pm7" => of(32, 1, (3, 0), 20),
        name => {
            let number = |prefix, suffix| number(name.strip_prefix(prefix)?.strip_suffix(suffix)?);
            if number("pm", "_64").is_some_and(|number| number < 8) {
                of(64, 1, (4, 0), 50)
            } else if number("envreg", "").is_some_and(|number| number < 32) {
                of(32, 1, (1, 0), 10)
            } else {
                None
            }
        }
    }
}

/// The number that `digits` write without zeros before it.
fn number(digits: &str) -> Option<u32> {
    let number = digits.parse().ok()?;
    (digits.bytes().all(|digit| digit.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0')))
        .then_some(number)
}

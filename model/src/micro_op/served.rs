//! What this version of the unit serves. It is said here and nowhere else in the front end.

use super::{MicroOp, Op, Space};

impl Space {
    /// Whether this version of the unit serves loads and stores through this space. The others end as `illegal_instruction`, and so
    /// does a generic address inside one of their windows. (Shared and local memory serve no mmio, no `.nc` and no access of 32 bytes
    /// either.)
    pub const fn is_served(self) -> bool {
        matches!(self, Self::Generic | Self::Global | Self::Shared | Self::Local | Self::ParamFunc)
    }
}

impl MicroOp {
    /// Why this version of the unit does not serve the operation, whatever its addresses are: one sentence without its stop. `None`
    /// where it does.
    pub fn not_served(&self) -> Option<String> {
        match self.op {
            Op::Load | Op::Store => not_served(self.space),
            Op::Ldc | Op::Command(_) => None,
        }
    }
}

/// Why loads and stores through `space` are not served; `None` where they are.
pub(crate) fn not_served(space: Space) -> Option<String> {
    let name = space.name();
    (!space.is_served()).then(|| {
        format!(
            "this version of the unit serves global, shared, local and generic ld and st, ld.global.nc and LDC; not .{name}, which ends as \
             illegal_instruction"
        )
    })
}

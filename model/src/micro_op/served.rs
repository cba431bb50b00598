//! What this version of the unit serves. It is said here and nowhere else in the front end.

use super::{MicroOp, Op, Space};

impl Space {
    /// Whether this version of the unit serves loads through this space. The others end as `illegal_instruction`.
    /// (Shared and local memory serve no mmio, no `.nc` and no access of 32 bytes either, nor do generic addresses in any window;
    /// constant memory and kernel parameters serve weak loads of up to 16 bytes.)
    pub const fn is_served(self) -> bool {
        self.serves_stores() || self.is_constant()
    }

    /// The same for stores. (A generic store inside the const or the param window ends as `illegal_instruction`.)
    pub const fn serves_stores(self) -> bool {
        matches!(
            self,
            Self::Generic | Self::Global | Self::Shared | Self::SharedCluster | Self::Local | Self::ParamFunc
        )
    }

    /// Whether the space is read through the constant cache.
    pub const fn is_constant(self) -> bool {
        matches!(self, Self::Const | Self::ParamEntry)
    }
}

impl MicroOp {
    /// Why this version of the unit does not serve the operation, whatever its addresses are: one sentence without its stop. `None`
    /// where it does.
    pub fn not_served(&self) -> Option<String> {
        match self.op {
            Op::Load => (!self.space.is_served()).then(|| reason(self.space)),
            Op::Store => (!self.space.serves_stores()).then(|| reason(self.space)),
            Op::Ldc | Op::Command(_) => None,
        }
    }
}

/// Why loads or stores through `space` are not served.
fn reason(space: Space) -> String {
    format!(
        "this version of the unit serves global, shared, shared::cluster, local and generic ld and st, ld.global.nc, ld.const, ld.param::entry and LDC; \
         not .{}, which ends as illegal_instruction",
        space.name()
    )
}

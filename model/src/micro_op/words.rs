//! A micro-op in words: what the unit will do.

use crate::pins::RZ;

use super::{
    AccessSize, CacheOperator, Command, L1Eviction, L2Eviction, LdcMode, MicroOp, Op, Prefetch, Scope, Semantics, Space,
};

impl MicroOp {
    /// What the unit will do with this micro-op, one sentence each. Of what this version does not serve the first says so, and the
    /// others tell what a version that does will do.
    pub fn in_words(&self) -> Vec<String> {
        match self.op {
            Op::Command(command) => vec![command_in_words(command).to_owned()],
            Op::Ldc => self.ldc_in_words(),
            Op::Load | Op::Store => {
                let mut sentences = Vec::new();
                if self.not_served().is_some() {
                    sentences.push(format!(
                        "This version does not serve .{}: the operation faults with `illegal_instruction`. A version that does will do \
                         this:",
                        self.space.name()
                    ));
                }
                sentences.extend([self.access_in_words(), space_in_words(self.space).to_owned()]);
                sentences.extend(self.lines_in_words());
                sentences.extend(self.order_in_words());
                sentences.extend(self.caches_in_words());
                sentences
            }
        }
    }

    /// How much moves, and which way.
    fn access_in_words(&self) -> String {
        let Some(bytes) = self.size.bytes() else {
            return "The size is illegal: the operation faults with `illegal_instruction`.".to_owned();
        };
        let elements = match (self.vec, bytes) {
            (1, 1) => "1 byte".to_owned(),
            (1, _) => format!("{bytes} bytes"),
            (vec, _) => format!("{vec} elements of {bytes} bytes"),
        };
        let total = bytes * u32::from(self.vec);
        let verb = if self.op == Op::Store { "Stores" } else { "Loads" };
        let offset = match self.imm {
            0 => String::new(),
            imm => format!(" at address {imm:+}"),
        };
        let mut text = format!("{verb} {elements}{offset} in every active lane.");
        if total > 1 {
            text += &format!(" The address must be a multiple of {total}, else the whole operation faults.");
        }
        if self.op == Op::Load && matches!(self.size, AccessSize::Bits8 | AccessSize::Bits16 | AccessSize::Bits32) {
            let width = self.dst_width.bits();
            if width > bytes * 8 {
                let kind = if self.sign { "sign-extended" } else { "zero-extended" };
                text += &format!(" The value is {kind} to {width} bits.");
            }
        }
        if self.sink != 0 {
            let sunk = (0..self.vec).filter(|element| self.sink >> element & 1 == 1);
            let verb = if self.op == Op::Store { "written" } else { "read" };
            for element in sunk {
                text += &format!(" Element {element} is not {verb}.");
            }
        }
        text
    }

    /// What a load costs in the constant cache, if it goes there.
    fn lines_in_words(&self) -> Option<String> {
        if self.op != Op::Load || !self.space.is_constant() {
            return None;
        }
        let cycles = match self.destination_registers() {
            1 => "one cycle".to_owned(),
            registers => format!("{registers} cycles, one for each register"),
        };
        Some(format!(
            "Lanes on one 64-byte line are served together; each further line takes another pass, and a pass that hits {cycles}."
        ))
    }

    /// Order, scope and the L1.
    fn order_in_words(&self) -> Option<String> {
        if self.nc {
            return Some(
                "Looks in the read-only cache, which no store updates and no acquire invalidates; it may be stale."
                    .to_owned(),
            );
        }
        let has_stale_copies = matches!(self.space, Space::Generic | Space::Global);
        let scope = self.scope.name();
        let text = match self.sem {
            Semantics::Weak if has_stale_copies && self.op == Op::Load && self.cop == CacheOperator::Default => {
                "Weak: may be served from the L1, which does not see other SMs' stores.".to_owned()
            }
            Semantics::Weak => return None,
            _ if !has_stale_copies => {
                format!(
                    "Ordered at {scope} scope; this space has no stale copies, so only the warp's own order counts."
                )
            }
            Semantics::Relaxed if self.scope == Scope::Cta => "Relaxed inside the CTA: as weak.".to_owned(),
            Semantics::Relaxed => {
                let effect = match self.op {
                    Op::Store => "served at the memory side; sectors that the L1 holds are updated and stay",
                    _ => "served at the memory side; matching L1 sectors are dropped",
                };
                format!("Relaxed at {scope} scope: {effect}.")
            }
            Semantics::Acquire if self.scope == Scope::Cta => "Acquires inside the CTA: as weak.".to_owned(),
            Semantics::Acquire => format!(
                "Acquires at {scope} scope: served at the memory side; when the value returns, every global line of \
                 the L1 is invalidated before a later load of the warp looks there."
            ),
            Semantics::Release => format!("Releases at {scope} scope: the warp's earlier accesses come first."),
            Semantics::Volatile => {
                "Volatile: as relaxed at system scope, and never merged with another operation.".to_owned()
            }
            Semantics::Mmio | Semantics::MmioAcquire | Semantics::MmioRelease => {
                let mut text =
                    "MMIO: exactly one transaction for each active lane, in lane order, of exactly these bytes; \
                                never merged, split or repeated."
                        .to_owned();
                if self.sem.is_acquire() {
                    text += " Acquires at system scope when the value returns.";
                }
                if self.sem.is_release() {
                    text += " Releases at system scope: the warp's earlier accesses come first.";
                }
                text
            }
        };
        Some(text)
    }

    /// Operator, priorities, prefetch and policy.
    fn caches_in_words(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let is_local = matches!(self.space, Space::Local | Space::ParamFunc);
        let is_cached = matches!(self.space, Space::Generic | Space::Global) || is_local;
        if self.cop != CacheOperator::Default {
            let effect = match (self.cop, self.op) {
                _ if !is_cached => "is accepted and changes nothing in this space",
                (
                    CacheOperator::Ca | CacheOperator::Cg | CacheOperator::Cv | CacheOperator::Wb | CacheOperator::Wt,
                    _,
                ) if is_local => "acts as the default in local memory",
                (CacheOperator::Ca, _) => "looks up and fills the L1, as the default does",
                (CacheOperator::Cg, Op::Store) => "drops matching L1 sectors; the data is not kept in the L1",
                (CacheOperator::Cg, _) => "neither looks up nor fills the L1",
                (CacheOperator::Cs | CacheOperator::Lu, Op::Load) if is_local => {
                    "drops the line after the read, without write-back: what it holds is not needed again"
                }
                (CacheOperator::Cs, Op::Store) => {
                    "makes a line that it hits evict-first, and is so marked on the memory port"
                }
                (CacheOperator::Cs | CacheOperator::Lu, _) => {
                    "fills the L1 as evict-first, and is so marked on the memory port"
                }
                (CacheOperator::Cv, _) => "drops matching L1 sectors, fetches afresh and keeps nothing",
                (CacheOperator::Wt, _) => "is marked write-through on the memory port",
                (CacheOperator::Wb | CacheOperator::Default, _) => "writes as the default does",
            };
            sentences.push(format!("The operator .{} {effect}.", self.cop.name()));
        }
        let effect = match self.l1_evict {
            L1Eviction::Normal => None,
            L1Eviction::Unchanged => Some("A hit changes neither the line's class nor its recency."),
            L1Eviction::First => Some("The L1 line becomes evict-first."),
            L1Eviction::Last => Some("The L1 line becomes evict-last."),
            L1Eviction::NoAllocate if self.op == Op::Store => {
                Some("A hit in the L1 is updated; neither the line's class nor its recency changes.")
            }
            L1Eviction::NoAllocate => Some("A hit in the L1 is served; a miss is not kept."),
        };
        sentences.extend(effect.map(str::to_owned));
        let mut carried = Vec::new();
        match self.l2_evict {
            L2Eviction::Normal => {}
            L2Eviction::First => carried.push("evict-first".to_owned()),
            L2Eviction::Last => carried.push("evict-last".to_owned()),
        }
        if self.prefetch != Prefetch::None {
            carried.push(format!("a prefetch of {}", self.prefetch.name()));
        }
        match self.policy {
            Some(0) => carried.push("the cache policy from its register".to_owned()),
            Some(policy) => carried.push(format!("the cache policy {policy:#x}")),
            None => {}
        }
        if !carried.is_empty() {
            sentences.push(format!("Every sector request carries to the L2: {}.", carried.join(", ")));
        }
        sentences
    }

    /// An LDC, by its rules.
    fn ldc_in_words(&self) -> Vec<String> {
        let Some(bytes) = self.size.bytes() else {
            return vec!["The size is illegal: the operation faults with `illegal_instruction` (LDC-11).".to_owned()];
        };
        let (bank, imm) = (self.bank, self.imm);
        let place = match (self.ra_is_rz, self.mode) {
            (true, LdcMode::Isl) if bank > 13 => {
                format!("Gives 0: in this mode there is no bank above 13, and it names bank {bank} (LDC-6).")
            }
            (true, _) => format!("Reads bank {bank} at the unsigned address {imm:#x}, whatever the mode (LDC-1)."),
            (_, LdcMode::Ia) => format!("Reads bank {bank} at Ra{imm:+}, all 32 bits (LDC-3)."),
            (_, LdcMode::Il) => {
                format!("Forms s = Ra{imm:+}; reads bank {bank} + (s >> 16) at s & 0xffff (LDC-4).")
            }
            (_, LdcMode::Is) => {
                format!(
                    "Reads bank {bank} + (Ra >> 16) at (Ra & 0xffff){imm:+}, without a carry into the bank (LDC-5)."
                )
            }
            (_, LdcMode::Isl) => {
                format!("Reads bank {bank} + (Ra >> 16) at (Ra & 0xffff){imm:+}; a bank above 13 gives 0 (LDC-6).")
            }
        };
        let extension = match (bytes, self.sign) {
            (1 | 2, true) => " and sign-extends them to 32 bits (LDC-12)",
            (1 | 2, false) => " and zero-extends them to 32 bits (LDC-12)",
            _ => "",
        };
        let count = if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
        let destination = match (self.rd, bytes) {
            (RZ, _) => "the result is discarded".to_owned(),
            (rd, 8) => format!("the result goes to R{rd} and R{}", u16::from(rd) + 1),
            (rd, _) => format!("the result goes to R{rd}"),
        };
        let mut sentences = vec![place, format!("Takes {count}{extension}; {destination}.")];
        if bytes == 8 && self.rd != RZ && (self.rd % 2 == 1 || self.rd == 254) {
            sentences.push(
                "The register pair is misaligned: the operation faults with `misaligned_register` (LDC-10).".to_owned(),
            );
        }
        sentences.push(
            "Beyond the bank's size, in a bank without a valid entry, or in a bank of 18 or more (in compute mode 8) \
             the result is 0 (LDC-7, LDC-8)."
                .to_owned(),
        );
        if bytes > 1 {
            sentences
                .push(format!("An address that is no multiple of {bytes} faults with `misaligned_address` (LDC-9)."));
        }
        sentences.push(
            "Lanes on one 64-byte line are served together; each further line takes another pass (LDC-14).".to_owned(),
        );
        sentences
    }
}

/// Where the address leads.
fn space_in_words(space: Space) -> &'static str {
    match space {
        Space::Generic => {
            "Each lane's address decides the space: shared inside the shared window, local inside the local one; inside the constant or \
             the parameter window a load reads bank 3 or bank 0 as global memory, out of range beyond the bank, and a store faults with \
             `illegal_instruction`; global elsewhere."
        }
        Space::Global => "The address is global.",
        Space::Shared => {
            "The address lies in the own CTA's shared memory, else it is out of range; lanes that need different words of one bank are \
             served one after the other."
        }
        Space::SharedCluster => {
            "The address lies in the shared memory of the CTA whose rank its bits 31 to 24 name, else it is out of range; another CTA's \
             is asked for by the cluster port, a 32-byte sector at a time, and is never cached."
        }
        Space::Local => {
            "The address lies in the thread's own local memory, else it is out of range; its words of 4 bytes lie in memory beside \
             those of the other lanes, so that equal offsets coalesce, and are served one after the other."
        }
        Space::Const => "Reads bank 3 through the constant cache; beyond the bank the value is 0.",
        Space::ParamEntry => {
            "Reads the kernel's parameters, which begin at cfg_param_offset of bank 0, through the constant cache; beyond the bank the \
             value is 0."
        }
        Space::ParamFunc => {
            "The address lies in a device function's parameters, which are the thread's own local memory, else it is out of range; \
             its words of 4 bytes are served one after the other."
        }
    }
}

/// What a command does.
fn command_in_words(command: Command) -> &'static str {
    match command {
        Command::InvalidateL1 => "Drops every line of the L1.",
        Command::InvalidateReadOnly => "Drops every line of the read-only cache.",
        Command::InvalidateConstant => "Drops every line of the constant cache.",
        Command::WriteBackLocal => {
            "Writes back what memory does not hold yet of local memory, and drops its lines of the L1."
        }
    }
}

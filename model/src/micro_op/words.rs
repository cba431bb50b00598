//! A micro-op in words: what the unit will do.

use crate::pins::RZ;

use super::{
    AccessSize, CacheOperator, Command, L1Eviction, L2Eviction, LdcMode, MicroOp, Op, Prefetch, Scope, Semantics, Space,
};

impl MicroOp {
    /// What the unit will do with this micro-op, one sentence each.
    pub fn in_words(&self) -> Vec<String> {
        match self.op {
            Op::Command(command) => vec![command_in_words(command).to_owned()],
            Op::Ldc => self.ldc_in_words(),
            Op::Load | Op::Store => {
                if self.op == Op::Store && self.space.is_constant() {
                    return vec![format!(
                        "Nobody can write .{}: the operation faults with `illegal_instruction`.",
                        self.space.name()
                    )];
                }
                let mut sentences = vec![self.access_in_words(), self.space_in_words().to_owned()];
                sentences.extend(self.cost_in_words());
                sentences.extend(self.order_in_words());
                sentences.extend(self.operator_in_words());
                sentences.extend(self.priority_in_words());
                sentences.extend(self.carried_in_words());
                sentences
            }
        }
    }

    /// How much moves, and which way.
    fn access_in_words(&self) -> String {
        let Some(bytes) = self.size.bytes() else {
            return "The size is illegal: the operation faults with `illegal_instruction`.".to_owned();
        };
        let elements = match self.vec {
            1 => counted(bytes, "byte"),
            vec => format!("{vec} elements of {}", counted(bytes, "byte")),
        };
        let total = self.total();
        let verb = if self.op == Op::Store { "Stores" } else { "Loads" };
        let offset = match self.imm {
            0 => String::new(),
            imm @ 0.. => format!(" from {imm} bytes behind the address on"),
            imm => format!(" from {} bytes before the address on", imm.unsigned_abs()),
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

    /// Bytes that each lane moves; 0 of a size that is none.
    fn total(&self) -> u32 {
        self.size.bytes().unwrap_or(0) * u32::from(self.vec)
    }

    /// Whether the operation lies in memory of the thread alone.
    fn is_local(&self) -> bool {
        matches!(self.space, Space::Local | Space::ParamFunc)
    }

    /// Whether L1 or the read-only cache can hold what the operation reads or writes.
    fn is_cached(&self) -> bool {
        matches!(self.space, Space::Generic | Space::Global) || self.is_local()
    }

    /// The cache that it belongs to.
    fn cache(&self) -> &'static str {
        if self.nc { "read-only cache" } else { "L1" }
    }

    /// Whether a load looks into its cache (the contract's *looked up*).
    fn is_looked_up(&self) -> bool {
        let is_weak = match self.sem {
            Semantics::Weak | Semantics::Release => true,
            Semantics::Relaxed | Semantics::Acquire => self.scope == Scope::Cta,
            Semantics::Volatile | Semantics::Mmio | Semantics::MmioAcquire | Semantics::MmioRelease => false,
        };
        self.is_local() || (is_weak && !matches!(self.cop, CacheOperator::Cg | CacheOperator::Cv))
    }

    /// Cycles, counted from the one in which the operation is accepted, where nothing else is in the way.
    fn cost_in_words(&self) -> Option<String> {
        let bytes = self.size.bytes()?;
        if self.sem.is_mmio() || self.space == Space::SharedCluster {
            return None;
        }
        let total = self.total();
        let words = total.div_ceil(4);
        if self.op == Op::Store {
            // A register of each lane carries at most 4 bytes of an element.
            let registers = u32::from(self.vec) * bytes.div_ceil(4);
            let words = if self.is_local() { words } else { 1 };
            let (data, each) = (counted(registers + 1, "cycle"), counted(registers / words, "cycle"));
            return Some(match self.space {
                Space::Shared => format!("Its data take {data}, and each pass {each} more."),
                _ => format!(
                    "Its data take {data}, and each 32-byte sector that the lanes write {each} more, if memory keeps up."
                ),
            });
        }
        let registers = self.destination_registers();
        match self.space {
            Space::Const | Space::ParamEntry => Some(constant_cost(registers)),
            Space::Shared => {
                let passes = match words {
                    1 => String::new(),
                    words => format!(" Lanes side by side take {words} passes."),
                };
                Some(format!(
                    "The last register comes after {}, and a cycle later for each further pass.{passes}",
                    counted(7 + registers, "cycle")
                ))
            }
            Space::SharedCluster => None,
            Space::Local | Space::ParamFunc => {
                // As many passes as there are words, which come while the first registers go.
                let last = counted(8 + words.max(registers), "cycle");
                Some(format!(
                    "In the L1 the last register comes after {last} if all first words lie in one 128-byte line, and {} \
                     later for each further line.",
                    counted(words, "cycle")
                ))
            }
            Space::Generic | Space::Global if self.is_looked_up() => {
                let first = if self.nc { 10 } else { 9 };
                // Two reads of 16 bytes a lane, which no other line's join.
                let further = if total == 32 { registers } else { 1 };
                Some(format!(
                    "In the {} the last register comes after {}, and {} later for each further 128-byte line; what is not \
                     there is fetched by 32-byte sectors.",
                    self.cache(),
                    counted(first + registers - 1, "cycle"),
                    counted(further, "cycle")
                ))
            }
            Space::Generic | Space::Global => {
                Some("Every 32-byte sector that the lanes need is fetched, each once.".to_owned())
            }
        }
    }

    /// Order and scope.
    fn order_in_words(&self) -> Option<String> {
        if self.nc {
            let is_looked_up = self.is_looked_up();
            return is_looked_up.then(|| {
                "Looks in the read-only cache, which no store updates and no acquire invalidates; it may be stale."
                    .to_owned()
            });
        }
        let has_stale_copies = matches!(self.space, Space::Generic | Space::Global);
        let scope = self.scope.name();
        let text = match self.sem {
            Semantics::Weak if has_stale_copies && self.op == Op::Load && self.cop == CacheOperator::Default => {
                "Weak: may be served from the L1, which does not see other SMs' stores.".to_owned()
            }
            Semantics::Weak => return None,
            Semantics::Release => format!("Releases at {scope} scope: the warp's earlier accesses come first."),
            _ if self.is_local() => "As weak: no other thread sees this space.".to_owned(),
            _ if self.space.is_constant() => "As weak: nobody writes this space.".to_owned(),
            Semantics::Relaxed if self.scope == Scope::Cta => "Relaxed inside the CTA: as weak.".to_owned(),
            Semantics::Acquire if self.scope == Scope::Cta => "Acquires inside the CTA: as weak.".to_owned(),
            Semantics::Acquire => {
                let place = if has_stale_copies { "served at the memory side; " } else { "" };
                format!(
                    "Acquires at {scope} scope: {place}when the value returns, every global line of the L1 is invalidated \
                     before a later load of the warp looks there."
                )
            }
            Semantics::Relaxed | Semantics::Volatile if !has_stale_copies => {
                "As weak: this space has no stale copies, so that only the warp's own order counts.".to_owned()
            }
            Semantics::Relaxed => {
                let effect = match self.op {
                    Op::Store => "served at the memory side; sectors that the L1 holds are updated and stay",
                    _ => "served at the memory side; matching L1 sectors are dropped",
                };
                format!("Relaxed at {scope} scope: {effect}.")
            }
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

    /// The cache operator.
    fn operator_in_words(&self) -> Option<String> {
        let (is_local, cache) = (self.is_local(), self.cache());
        let effect = match (self.cop, self.op) {
            (CacheOperator::Default, _) => return None,
            _ if !self.is_cached() => "is accepted and changes nothing in this space".to_owned(),
            (CacheOperator::Cs | CacheOperator::Lu, Op::Load) if is_local => {
                "drops every sector of L1 that it reads whole, without write-back: what it holds is not needed again"
                    .to_owned()
            }
            (CacheOperator::Cs, Op::Store) => {
                "makes a line that it hits evict-first, and is so marked on the memory port".to_owned()
            }
            _ if is_local => "acts as the default in local memory".to_owned(),
            (CacheOperator::Ca, _) => format!("looks up and fills the {cache}, as the default does"),
            (CacheOperator::Cg, Op::Store) => "drops matching L1 sectors; the data is not kept in the L1".to_owned(),
            (CacheOperator::Cg, _) => format!("neither looks up nor fills the {cache}"),
            (CacheOperator::Cs | CacheOperator::Lu, _) => {
                format!("fills the {cache} as evict-first, and is so marked on the memory port")
            }
            (CacheOperator::Cv, _) => "drops matching L1 sectors, fetches afresh and keeps nothing".to_owned(),
            (CacheOperator::Wt, _) => "is marked write-through on the memory port".to_owned(),
            (CacheOperator::Wb, _) => "writes as the default does".to_owned(),
        };
        Some(format!("The operator .{} {effect}.", self.cop.name()))
    }

    /// The priority in L1 or the read-only cache.
    fn priority_in_words(&self) -> Option<String> {
        let cache = self.cache();
        let is_store = self.op == Op::Store;
        Some(match self.l1_evict {
            L1Eviction::Normal => return None,
            _ if !self.is_cached() => "The L1 priority changes nothing in this space.".to_owned(),
            _ if !is_store && !self.is_looked_up() => {
                format!("The L1 priority changes nothing, as nothing is kept in the {cache}.")
            }
            L1Eviction::Unchanged => "A hit changes neither the line's class nor its recency.".to_owned(),
            L1Eviction::First if is_store => "A line that it hits in the L1 becomes evict-first.".to_owned(),
            L1Eviction::Last if is_store => "A line that it hits in the L1 becomes evict-last.".to_owned(),
            L1Eviction::First => format!("The line becomes evict-first in the {cache}."),
            L1Eviction::Last => format!("The line becomes evict-last in the {cache}."),
            L1Eviction::NoAllocate if is_store => {
                "A hit in the L1 is updated; neither the line's class nor its recency changes.".to_owned()
            }
            L1Eviction::NoAllocate => format!("A hit in the {cache} is served; a miss is not kept."),
        })
    }

    /// Priority, prefetch and policy of the L2.
    fn carried_in_words(&self) -> Option<String> {
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
        (!carried.is_empty()).then(|| format!("Every sector request carries to the L2: {}.", carried.join(", ")))
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
            (true, _) | (_, LdcMode::Ia) if bank > 17 => format!("Gives 0: there is no bank {bank} (LDC-7)."),
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
                format!(
                    "Reads bank {bank} + (Ra >> 16) at (Ra & 0xffff){imm:+}, without a carry into the bank; a bank above 13 \
                     gives 0 (LDC-6)."
                )
            }
        };
        let extension = match (bytes, self.sign) {
            (1 | 2, true) => " and sign-extends them to 32 bits (LDC-12)",
            (1 | 2, false) => " and zero-extends them to 32 bits (LDC-12)",
            _ => "",
        };
        let destination = match (self.rd, bytes) {
            (RZ, _) => "the result is discarded".to_owned(),
            (rd, 8) => format!("the result goes to R{rd} and R{}", u16::from(rd) + 1),
            (rd, _) => format!("the result goes to R{rd}"),
        };
        let mut sentences = vec![place, format!("Takes {}{extension}; {destination}.", counted(bytes, "byte"))];
        if bytes == 8 && self.rd != RZ && (self.rd % 2 == 1 || self.rd == 254) {
            sentences.push(
                "The register pair is misaligned: the operation faults with `misaligned_register` (LDC-10).".to_owned(),
            );
        }
        sentences.push(
            "Beyond the bank's size, in a bank without a valid entry, or in a bank of 18 or more the result is 0; in compute mode in one \
             of 8 or more, too, which NVIDIA leaves open: `status_ldc_unpredictable` says so (LDC-7, LDC-8)."
                .to_owned(),
        );
        if self.ra_is_rz && !self.imm.unsigned_abs().is_multiple_of(bytes) {
            sentences.push(format!(
                "The address is no multiple of {bytes}: the operation faults with `misaligned_address` (LDC-9)."
            ));
        } else if bytes > 1 && !self.ra_is_rz {
            sentences
                .push(format!("An address that is no multiple of {bytes} faults with `misaligned_address` (LDC-9)."));
        }
        sentences.push(format!(
            "Lanes on one 64-byte line are served together; each further line takes another pass (LDC-14). {}",
            constant_cost(if bytes == 8 { 2 } else { 1 })
        ));
        sentences
    }

    /// Where the address leads.
    fn space_in_words(&self) -> &'static str {
        match self.space {
            Space::Generic if self.nc || self.sem.is_mmio() || self.total() == 32 => {
                "Each lane's address is global; in the shared, the local, the constant or the parameter window the operation faults with \
                 `illegal_instruction`."
            }
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
}

/// `count` things.
fn counted(count: u32, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// What a load of the constant cache costs.
fn constant_cost(registers: u32) -> String {
    format!(
        "If all hits the last register comes after {}, and {} later for each further 64-byte line.",
        counted(5 + registers, "cycle"),
        counted(registers, "cycle")
    )
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

//! `AddressUnit`: place `intake` of the global path: decodes the operation and adds the immediate in every lane.
//!
//! ```text
//! req ─┬─► each lane: operand + immediate, and where that lies in each window (LaneAddress) ─► registers ─┬─► which space, which fault
//!      │                                                                                                  ├─► local addresses
//!      │                                   banks 3 and 0, as their windows show them (WindowBanks) ───────┴─► addresses in constant banks
//!      └─► faults of fields and alignment ─► registers ─► decode ─► Operation
//! ```
//!
//! Two sums one behind the other stand before the registers, and no more than one behind them: what fault a lane makes, and which window serves
//! it, is asked of few bits.
//!
//! Rules SHARED, CLUSTER, LOCAL: an operation in space shared, or shared::cluster, has a shared window that begins at address 0 and ends nowhere, and one in space local
//! or param::func a local window that begins at 0, so that its lanes' offsets come out of the same sums.
//!
//! From here on a local lane has for its address that in memory, of the first word of its access, but for `cfg_local_memory`: exclusive-or
//! keeps equal what is equal, and each pass makes up for it. A lane beyond local memory keeps its own, for the fault.
//!
//! Rule WINDOW: a windowed lane's address in memory goes beside its own, as it is a sum behind a sum.

use super::lane_address::LaneAddress;
use super::prelude::*;
use super::window_banks::WindowBanks;

/// Place `intake` of the global path: decodes the operation and adds the immediate in every lane.
#[derive(LogicBlock, Default)]
pub struct AddressUnit {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An operation of this path is offered.
    pub pins: RequestPort,

    /// An operation is offered to `check`.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// The operation.
    pub addressed: Signal<Out, AddressedOperation>,
    /// Low bits of each lane's sum, or where a local lane begins.
    pub address: Many<Signal<Out, Bits<ADDR>>, LANES>,
    /// The address in memory of each windowed lane.
    pub bank_address: Many<Signal<Out, Bits<ADDR>>, LANES>,

    full: Register<Bit>,
    held: Register<Operation>,
    dst_width: Register<Bits<2>>,
    /// log2 of the bytes of each lane.
    total_held: Register<Bits<4>>,
    /// log2 of the registers of an element.
    element_registers: Register<Bits<2>>,
    mask_held: Register<Bits<LANES>>,
    wide: Register<Bits<LANES>>,
    /// What rule FAULT finds of the operation's fields and of alignment: every lane's address hangs on that.
    cause: Register<Bits<3>>,
    /// Lanes that make passes, or that this fault names.
    lanes: Register<Bits<LANES>>,
    /// Where what is shown of bank 3 and of bank 0 ends, of the low 17 bits, and a carry.
    bank_end: Registers<Bits<18>, 2>,
    /// First granule of the CTA's window in shared memory, minus that of the shared window.
    shared_shift: Register<Bits<GRANULE_BITS>>,
    /// Where the CTA's window ends, of the bits of an address there, and a carry.
    own_end: Register<Bits<SHARED>>,
    lane: Many<LaneAddress, LANES>,
    /// Granules of the CTA's window that lie in shared memory.
    shared_limit: Signal<Local, Bits<GRANULE_COUNT>>,
    shown_base: Many<Signal<Local, Bits<ADDR>>, 4>,
    shared_window: Signal<Local, Bits<ADDR>>,
    local_window: Signal<Local, Bits<ADDR>>,
    wraps: Signal<Local, Bits<LANES>>,
    shown_end: Many<Signal<Local, Bits<OFFSET_SUM>>, 4>,
    first_granule: Signal<Local, Bits<GRANULE_COUNT>>,
    granules: Signal<Local, Bits<GRANULE_COUNT>>,
    granules_left: Signal<Local, Bits<GRANULE_COUNT>>,
    /// Neither shared nor local memory, nor a window of a bank, serves it.
    refuses: Register<Bit>,
    destination: LoadDestination,
    /// It is no store.
    reads: Signal<Local, Bit>,
    req_refuses: Signal<Local, Bit>,
    illegal: Signal<Local, Bit>,
    req_element_registers: Signal<Local, Bits<2>>,
    /// The operation is of the cluster's shared memory.
    is_cluster: Signal<Local, Bit>,
    /// Lanes whose rank is that of the own CTA.
    in_own: Signal<Local, Bits<LANES>>,
    /// Lanes whose sum is no address of this width.
    outside: Signal<Local, Bits<LANES>>,
    in_shared: Signal<Local, Bits<LANES>>,
    in_local: Signal<Local, Bits<LANES>>,
    in_const: Signal<Local, Bits<LANES>>,
    in_param: Signal<Local, Bits<LANES>>,
    beyond: Signal<Local, Bits<LANES>>,
    below_bank: Signal<Local, Bits<LANES>>,
    local_lanes: Signal<Local, Bits<LANES>>,
    req_addend: Signal<Local, Bits<ADDR>>,
    ones: Signal<Local, Bits<32>>,
    operation: Signal<Local, Operation>,
    /// What the windows of constants and of parameters show.
    banks: WindowBanks,
    in_bank_window: Signal<Local, Bits<LANES>>,
    is_load: Signal<Local, Bit>,
    is_wide_scope: Signal<Local, Bit>,
    is_last_use: Signal<Local, Bit>,
    is_strong: Signal<Local, Bit>,
    is_mmio: Signal<Local, Bit>,
    ordered_load: Signal<Local, Bit>,
    looked_up: Signal<Local, Bit>,
    req_total: Signal<Local, Bits<4>>,
    is_coming_cluster: Signal<Local, Bit>,
    align_mask: Signal<Local, Bits<5>>,
    req_misaligned: Signal<Local, Bits<LANES>>,
    sunk_words: Signal<Local, Bits<4>>,
}

impl Logic for AddressUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, dst_width, total_held, element_registers, mask_held, wide, bank_end);
        dff_setup!(self, clock, shared_shift, own_end, cause, lanes, refuses);
        clock!(self, clock, banks);
        for i in 0..LANES {
            self.lane[i].clock.next = self.clock.val();
            self.lane[i].reset.next = self.reset.val();
        }
        self.ones.next = 0xffffffffu64.into();
        self.req_addend.next = bit_cast::<ADDR, 32>(self.pins.req_imm.val());
        if self.pins.req_imm.val().get_bit(31) {
            self.req_addend.next =
                bit_cast::<ADDR, 32>(self.pins.req_imm.val()) | !bit_cast::<ADDR, 32>(self.ones.val());
        }
        // Rule SHARED: what of the CTA's window lies in shared memory.
        self.first_granule.next = self.pins.req_shared_base.val().get_bits::<GRANULE_COUNT>(4);
        self.granules.next = self.pins.req_shared_size.val().get_bits::<GRANULE_COUNT>(4);
        self.granules_left.next = GRANULES.to_bits::<GRANULE_COUNT>() - self.first_granule.val();
        if self.first_granule.val() > GRANULES.to_bits::<GRANULE_COUNT>() {
            self.granules_left.next = 0.into();
        }
        self.shared_limit.next = self.granules.val();
        if self.granules_left.val() < self.granules.val() {
            self.shared_limit.next = self.granules_left.val();
        }
        // Rules SHARED, LOCAL, WINDOW: where each window begins, and where what it shows ends.
        self.shared_window.next = 0.into();
        self.local_window.next = 0.into();
        if self.pins.req.val().space == SPACE_GENERIC {
            self.shared_window.next = (self.pins.window_base[0].val() >> 4) << 4;
            self.local_window.next = (self.pins.window_base[1].val() >> 4) << 4;
        }
        self.shown_base[0].next = self.shared_window.val();
        self.shown_base[1].next = self.local_window.val();
        self.shown_base[2].next = (self.pins.window_base[2].val() >> 4) << 4;
        self.shown_base[3].next = (self.pins.window_base[3].val() >> 4) << 4;
        self.shown_end[0].next = bit_cast::<OFFSET_SUM, ADDR>(self.shared_window.val())
            + bit_cast::<OFFSET_SUM, ADDR>(self.pins.window_size[0].val());
        self.shown_end[1].next = bit_cast::<OFFSET_SUM, ADDR>(self.local_window.val())
            + (bit_cast::<OFFSET_SUM, LOCAL_GRANULE_BITS>(
                self.pins.window_size[1].val().get_bits::<LOCAL_GRANULE_BITS>(4),
            ) << 4);
        self.shown_end[2].next = bit_cast::<OFFSET_SUM, ADDR>(self.shown_base[2].val())
            + bit_cast::<OFFSET_SUM, ADDR>((self.pins.window_size[2].val() >> 4) << 4);
        self.shown_end[3].next = bit_cast::<OFFSET_SUM, ADDR>(self.shown_base[3].val())
            + bit_cast::<OFFSET_SUM, ADDR>((self.pins.window_size[3].val() >> 4) << 4);

        self.req_total.next = bit_cast::<4, 3>(self.pins.req.val().size) + bit_cast::<4, 2>(self.pins.req.val().vec);
        self.align_mask.next = 0.into();
        for i in 0..5 {
            self.align_mask.next = self.align_mask.val().replace_bit(i, self.req_total.val() > i.to_bits::<4>());
        }
        self.pins.req_ready.next = !self.full.q.val() | self.next_ready.val();
        self.is_coming_cluster.next = self.pins.req.val().space == SPACE_SHARED_CLUSTER;
        self.req_misaligned.next = 0.into();
        for i in 0..LANES {
            self.lane[i].takes.next = self.pins.req_ready.val();
            self.lane[i].operand.next = self.pins.req_addr[i].val();
            self.lane[i].addend.next = self.req_addend.val();
            for j in 0..4 {
                self.lane[i].window_base[j].next = self.shown_base[j].val();
                self.lane[i].window_end[j].next = self.shown_end[j].val();
            }
            self.lane[i].is_cluster.next = self.is_coming_cluster.val();
            self.lane[i].align_mask.next = self.align_mask.val();
            self.req_misaligned.next = self.req_misaligned.val().replace_bit(i, self.lane[i].misaligned.val());
        }

        self.req_element_registers.next = 2.into();
        if self.pins.req.val().size < SIZE_64 {
            self.req_element_registers.next = 0.into();
            if !self.pins.req.val().is_store
                & !self.pins.req.val().is_command
                & (self.pins.req_dst_width.val() == DST_WIDTH_64)
            {
                self.req_element_registers.next = 1.into();
            }
        }
        if self.pins.req.val().size == SIZE_64 {
            self.req_element_registers.next = 1.into();
        }

        // Rule FAULT: what shared and local memory do not serve, and what no space does.
        self.reads.next = !self.pins.req.val().is_store;
        self.req_refuses.next =
            self.pins.req.val().nc | (self.pins.req.val().sem > SEM_VOLATILE) | (self.req_total.val() == 5);
        self.illegal.next = (self.pins.req.val().size > SIZE_128)
            | (self.req_total.val() > 5)
            | (self.pins.req.val().space == SPACE_CONST)
            | (self.pins.req.val().space == SPACE_PARAM_ENTRY)
            | ((self.pins.req.val().space > SPACE_GLOBAL) & self.req_refuses.val())
            | ((self.pins.req.val().sem > SEM_VOLATILE) & self.pins.req.val().vec.any());
        if self.reads.val() {
            if (self.pins.req.val().cop > COP_CV)
                | (self.pins.req.val().sem == SEM_RELEASE)
                | (self.pins.req.val().sem == SEM_MMIO_RELEASE)
            {
                self.illegal.next = true;
            }
            if self.pins.req.val().nc
                & (self.pins.req.val().sem.any()
                    | (self.pins.req.val().cop == COP_LU)
                    | (self.pins.req.val().cop == COP_CV))
            {
                self.illegal.next = true;
            }
        } else if (self.pins.req.val().cop == COP_CA)
            | (self.pins.req.val().cop == COP_LU)
            | (self.pins.req.val().cop == COP_CV)
            | (self.pins.req.val().sem == SEM_ACQUIRE)
            | (self.pins.req.val().sem == SEM_MMIO_ACQUIRE)
            | self.pins.req.val().nc
        {
            self.illegal.next = true;
        }
        self.destination.rd.next = self.pins.req.val().rd;
        self.destination.registers.next =
            bit_cast::<3, 2>(self.req_element_registers.val()) + bit_cast::<3, 2>(self.pins.req.val().vec);
        self.destination.vec.next = self.pins.req.val().vec;
        self.destination.sink.next = self.pins.req.val().sink;

        if self.pins.req_ready.val() {
            self.full.d.next = self.pins.req_valid.val();
            self.held.d.next = self.pins.req.val();
            self.dst_width.d.next = self.pins.req_dst_width.val();
            // What faults hang on is known from the start.
            self.total_held.d.next = self.req_total.val();
            self.element_registers.d.next = self.req_element_registers.val();
            self.refuses.d.next = self.req_refuses.val();
            self.cause.d.next = CAUSE_NONE.into();
            self.lanes.d.next = self.pins.req_mask.val();
            if self.pins.req.val().is_command {
                self.lanes.d.next = 0.into();
            } else if self.pins.req_mask.val().any() {
                if self.reads.val() & self.destination.misaligned.val() {
                    self.cause.d.next = CAUSE_MISALIGNED_REGISTER.into();
                } else if self.illegal.val() {
                    self.cause.d.next = CAUSE_ILLEGAL_INSTRUCTION.into();
                } else if (self.req_misaligned.val() & self.pins.req_mask.val()).any() {
                    self.cause.d.next = CAUSE_MISALIGNED_ADDRESS.into();
                    self.lanes.d.next = self.req_misaligned.val() & self.pins.req_mask.val();
                } else if self.reads.val() & self.destination.all_sunk.val() {
                    // A load whose elements are all sunk needs nothing.
                    self.lanes.d.next = 0.into();
                }
            }
            self.mask_held.d.next = self.pins.req_mask.val();
            self.wide.d.next = self.pins.req_wide.val();
            self.bank_end.d[0].next = bit_cast::<18, 17>(self.shown_base[2].val().get_bits::<17>(0))
                + (bit_cast::<18, 13>(self.banks.const_granules.val()) << 4);
            self.bank_end.d[1].next = bit_cast::<18, 17>(self.shown_base[3].val().get_bits::<17>(0))
                + (bit_cast::<18, 13>(self.banks.param_granules.val()) << 4);
            self.own_end.d.next = bit_cast::<SHARED, SHARED_BITS>(self.shown_base[0].val().get_bits::<SHARED_BITS>(0))
                + (bit_cast::<SHARED, GRANULE_COUNT>(self.shared_limit.val()) << 4);
            self.shared_shift.d.next = self.first_granule.val().get_bits::<GRANULE_BITS>(0)
                - self.shown_base[0].val().get_bits::<GRANULE_BITS>(4);
        }
        self.valid.next = self.full.q.val();
        self.banks.writes.next = self.pins.bank_writes.val();
        self.banks.write.next = self.pins.bank_write.val();
        self.banks.skipped.next = self.pins.param_offset.val().get_bits::<12>(4);

        // Decode.
        self.is_load.next = !self.held.q.val().is_store & !self.held.q.val().is_command;
        self.is_wide_scope.next = self.held.q.val().scope != SCOPE_CTA;
        self.is_mmio.next = self.held.q.val().sem > SEM_VOLATILE;
        self.is_strong.next = (self.held.q.val().sem > SEM_RELEASE)
            | (self.is_wide_scope.val()
                & ((self.held.q.val().sem == SEM_RELAXED) | (self.held.q.val().sem == SEM_ACQUIRE)));
        self.ordered_load.next = self.is_load.val() & (self.is_strong.val() | (self.held.q.val().cop == COP_CV));
        // Rule CLUSTER: no cache holds what is remote, and nothing looks for what is shared.
        self.is_cluster.next = self.held.q.val().space == SPACE_SHARED_CLUSTER;
        self.looked_up.next =
            self.is_load.val() & !self.ordered_load.val() & (self.held.q.val().cop != COP_CG) & !self.is_cluster.val();

        self.operation.next = self.held.q.val();
        self.operation.next.extended =
            self.is_load.val() & (self.held.q.val().size < SIZE_64) & (self.dst_width.q.val() == DST_WIDTH_64);
        self.operation.next.element_registers = self.element_registers.q.val();
        self.operation.next.unit = 2.into();
        if self.held.q.val().size < SIZE_32 {
            self.operation.next.unit = self.held.q.val().size.get_bits::<2>(0);
        }
        self.operation.next.two_reads =
            self.is_load.val() & (self.total_held.q.val() == 5) & (self.held.q.val().size <= SIZE_128);
        self.operation.next.is_local = false;
        self.operation.next.word = 0.into();
        self.operation.next.last_word = 0.into();
        if self.total_held.q.val() > 2 {
            self.operation.next.last_word = 1.into();
        }
        if self.total_held.q.val() > 3 {
            self.operation.next.last_word = 3.into();
        }
        // Rule PASS: words of which every element is sunk. An element of 128 bits is the only one: if it is, there are no lanes.
        self.sunk_words.next = 0.into();
        if self.held.q.val().size == SIZE_8 {
            for i in 0..2 {
                self.sunk_words.next =
                    self.sunk_words.val().replace_bit(i, self.held.q.val().sink.get_bits::<4>(i * 4) == 15);
            }
        }
        if self.held.q.val().size == SIZE_16 {
            for i in 0..4 {
                self.sunk_words.next =
                    self.sunk_words.val().replace_bit(i, self.held.q.val().sink.get_bits::<2>(i * 2) == 3);
            }
        }
        if self.held.q.val().size == SIZE_32 {
            self.sunk_words.next = self.held.q.val().sink.get_bits::<4>(0);
        }
        if self.held.q.val().size == SIZE_64 {
            for i in 0..2 {
                self.sunk_words.next = self.sunk_words.val().replace_bit(i * 2, self.held.q.val().sink.get_bit(i));
                self.sunk_words.next = self.sunk_words.val().replace_bit(i * 2 + 1, self.held.q.val().sink.get_bit(i));
            }
        }
        self.operation.next.sunk_words = 0.into();
        if self.is_load.val() {
            self.operation.next.sunk_words = self.sunk_words.val();
        }
        self.operation.next.mmio = self.is_mmio.val();
        self.operation.next.ordered = self.held.q.val().is_store | self.ordered_load.val();
        self.operation.next.looked_up = self.looked_up.val();
        self.operation.next.kept = self.looked_up.val() & (self.held.q.val().l1_evict != L1_EVICT_NO_ALLOCATE);
        self.operation.next.acquire = self.is_load.val()
            & (((self.held.q.val().sem == SEM_ACQUIRE) & self.is_wide_scope.val())
                | (self.held.q.val().sem == SEM_MMIO_ACQUIRE));
        self.operation.next.release = self.held.q.val().is_store
            & ((self.held.q.val().sem == SEM_RELEASE) | (self.held.q.val().sem == SEM_MMIO_RELEASE));
        self.operation.next.touches =
            (self.held.q.val().l1_evict != L1_EVICT_UNCHANGED) & (self.held.q.val().l1_evict != L1_EVICT_NO_ALLOCATE);
        self.operation.next.evict_first = self.held.q.val().l1_evict == L1_EVICT_FIRST;
        self.is_last_use.next = (self.held.q.val().cop == COP_CS) | (self.held.q.val().cop == COP_LU);
        self.operation.next.last_use = self.is_last_use.val();
        if self.is_last_use.val() {
            self.operation.next.evict_first = true;
            self.operation.next.l2_evict = L2_EVICT_FIRST.into();
        }
        self.operation.next.evict_last = self.held.q.val().l1_evict == L1_EVICT_LAST;

        // Addresses: the immediate is signed, the operand is not.
        self.addressed.next.mask = self.mask_held.q.val();
        if self.held.q.val().is_command {
            self.addressed.next.mask = 0.into();
        }
        self.wraps.next = 0.into();
        self.in_shared.next = 0.into();
        self.in_local.next = 0.into();
        self.in_const.next = 0.into();
        self.in_param.next = 0.into();
        self.in_own.next = 0.into();
        self.beyond.next = 0.into();
        self.below_bank.next = 0.into();
        for i in 0..LANES {
            self.lane[i].own_end.next = self.own_end.q.val();
            self.lane[i].cluster_rank.next = self.pins.cluster_rank.val();
            self.lane[i].const_base.next = self.banks.const_base.val();
            self.lane[i].param_base.next = self.banks.param_base.val();
            for j in 0..2 {
                self.lane[i].bank_end[j].next = self.bank_end.q[j].val();
            }
            self.wraps.next = self.wraps.val().replace_bit(i, self.lane[i].wraps.val());
            self.in_shared.next = self.in_shared.val().replace_bit(i, self.lane[i].in_shared.val());
            self.in_local.next = self.in_local.val().replace_bit(i, self.lane[i].in_local.val());
            self.in_const.next = self.in_const.val().replace_bit(i, self.lane[i].in_const.val());
            self.in_param.next = self.in_param.val().replace_bit(i, self.lane[i].in_param.val());
            self.in_own.next = self.in_own.val().replace_bit(i, self.lane[i].in_own.val());
            self.beyond.next = self.beyond.val().replace_bit(i, self.lane[i].beyond.val());
            self.below_bank.next = self.below_bank.val().replace_bit(i, self.lane[i].below_bank.val());
            self.bank_address[i].next = self.lane[i].bank_address.val();
        }
        self.outside.next = self.wide.q.val() | self.wraps.val();
        self.addressed.next.operation = self.operation.val();
        self.addressed.next.shared_shift = self.shared_shift.q.val();
        self.addressed.next.refused = 0.into();
        self.in_bank_window.next = (self.in_const.val() | self.in_param.val())
            & !self.in_shared.val()
            & !self.in_local.val()
            & !self.outside.val();
        self.addressed.next.shared = 0.into();
        self.addressed.next.outside = self.outside.val();
        self.addressed.next.beyond_bank = 0.into();
        self.addressed.next.cause = self.cause.q.val();
        self.addressed.next.lanes = self.lanes.q.val();
        self.local_lanes.next = 0.into();
        if self.held.q.val().space == SPACE_GENERIC {
            self.addressed.next.shared = self.in_shared.val() & !self.outside.val();
            self.addressed.next.outside = self.outside.val() | (self.in_shared.val() & self.beyond.val());
            self.addressed.next.beyond_bank = self.in_bank_window.val() & !self.below_bank.val();
            self.local_lanes.next = self.in_local.val() & !self.in_shared.val() & !self.outside.val();
            if self.refuses.q.val() {
                self.addressed.next.refused =
                    self.in_bank_window.val() | ((self.in_shared.val() | self.in_local.val()) & !self.outside.val());
            } else if self.held.q.val().is_store {
                self.addressed.next.refused = self.in_bank_window.val();
            }
        }
        // A fault names a lane's own address. What makes one of lanes is found later, but those are no lanes that a window serves.
        self.addressed.next.windowed = 0.into();
        if (self.held.q.val().space == SPACE_GENERIC)
            & !self.refuses.q.val()
            & !self.held.q.val().is_store
            & (self.cause.q.val() == CAUSE_NONE)
        {
            self.addressed.next.windowed = self.in_bank_window.val() & self.below_bank.val();
        }
        if self.held.q.val().space == SPACE_SHARED {
            self.addressed.next.shared = self.mask_held.q.val();
            self.addressed.next.outside = self.outside.val() | self.beyond.val();
        }
        if self.is_cluster.val() {
            self.addressed.next.shared = self.in_own.val();
            self.addressed.next.outside = self.outside.val() | self.beyond.val();
        }
        if (self.held.q.val().space == SPACE_LOCAL) | (self.held.q.val().space == SPACE_PARAM_FUNC) {
            self.addressed.next.outside = self.outside.val() | !self.in_local.val();
            self.local_lanes.next = self.in_local.val() & !self.outside.val();
        }
        self.addressed.next.local_lanes = self.local_lanes.val();

        // Rule LOCAL.
        for i in 0..LANES {
            self.address[i].next = self.lane[i].address.val();
            if self.local_lanes.val().get_bit(i) {
                self.address[i].next = self.lane[i].local_address.val()
                    | (bit_cast::<ADDR, WARP>(self.held.q.val().warp) << LOCAL_SLOT.to_bits::<6>())
                    | (i.to_bits::<ADDR>() << 2);
            }
        }
    }
}

//! `AddressUnit`: place `intake` of the global path: decodes the operation and adds the immediate in every lane.
//!
//! ```text
//! req ─► registers ─┬─► operand + immediate of each lane ─► sums, out of range
//!                   ├─► operand + (immediate - window's base) of each lane and window ──┬─► in a window, beyond the CTA's
//!                   ├─► operand + (immediate - window's base - size), one bit of it ─────┘
//!                   │                                                                  ┌─► local addresses
//!                   │              banks 3 and 0, as their windows show them (WindowBank) ─┴─► addresses in constant banks
//!                   └─► decode ─► Operation
//! ```
//!
//! No offset is compared with what ends a window, as that would be a second sum behind the first: operand + shift and operand +
//! (shift - limit) are summed beside each other, both in one bit more, and that bit differs exactly if the offset is below the limit, as only then
//! what is subtracted reaches past it.
//!
//! Rules SHARED, CLUSTER, LOCAL: an operation in space shared, or shared::cluster, has a shared window that begins at address 0 and ends nowhere, and one in space local
//! or param::func a local window that begins at 0, so that its lanes' offsets come out of the same sums.
//!
//! From here on a local lane has for its address that in memory, of the first word of its access, but for `cfg_local_memory`: exclusive-or
//! keeps equal what is equal, and each pass makes up for it. A lane beyond local memory keeps its own, for the fault.
//!
//! Rule WINDOW: a windowed lane's address in memory goes beside its own, as `check` knows whether the operation has a fault.

use super::prelude::*;
use super::window_bank::WindowBank;

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
    operand: Registers<Bits<ADDR>, LANES>,
    /// The immediate, as wide as an address.
    addend: Register<Bits<ADDR>>,
    /// Lanes whose address is no multiple of their bytes: told before the registers, as whether there is any chooses every lane's address in `check`.
    misaligned: Register<Bits<LANES>>,
    /// Immediate minus base of each window, and a 0: one sum less in each lane.
    window_shift: Registers<Bits<OFFSET_SUM>, 4>,
    /// The same minus the window's size.
    limit_shift: Registers<Bits<OFFSET_SUM>, 4>,
    /// Minus what is shown of bank 3 and of bank 0.
    bank_limit_shift: Registers<Bits<18>, 2>,
    /// First granule of the CTA's window in shared memory, minus that of the shared window.
    shared_shift: Register<Bits<GRANULE_BITS>>,
    /// Minus the size of the CTA's window.
    own_limit_shift: Register<Bits<SHARED>>,
    /// Granules of the CTA's window that lie in shared memory.
    shared_limit: Signal<Local, Bits<GRANULE_COUNT>>,
    shift: Many<Signal<Local, Bits<OFFSET_SUM>>, 4>,
    limit: Many<Signal<Local, Bits<OFFSET_SUM>>, 4>,
    first_granule: Signal<Local, Bits<GRANULE_COUNT>>,
    granules: Signal<Local, Bits<GRANULE_COUNT>>,
    granules_left: Signal<Local, Bits<GRANULE_COUNT>>,
    shared_window: Signal<Local, Bits<ADDR>>,
    local_window: Signal<Local, Bits<ADDR>>,
    refuses: Signal<Local, Bit>,
    /// The operation is of the cluster's shared memory; and its lanes that are of the own CTA's.
    is_cluster: Signal<Local, Bit>,
    in_own: Signal<Local, Bits<LANES>>,
    /// Bits of an address that hold the rank.
    rank_bits: Signal<Local, Bits<ADDR>>,
    in_shared: Signal<Local, Bits<LANES>>,
    beyond: Signal<Local, Bits<LANES>>,
    /// Operand of one lane.
    lane: Signal<Local, Bits<ADDR>>,
    /// Its offset in each window, and a carry.
    offset_sum: Many<Signal<Local, Bits<OFFSET_SUM>>, 4>,
    limit_sum: Signal<Local, Bits<OFFSET_SUM>>,
    /// Windows that it lies in.
    below: Signal<Local, Bits<4>>,
    bank_limit_sum: Signal<Local, Bits<18>>,
    /// Banks that have it.
    below_bank: Signal<Local, Bits<2>>,
    own_limit_sum: Signal<Local, Bits<SHARED>>,
    below_own: Signal<Local, Bit>,
    in_local: Signal<Local, Bits<LANES>>,
    local_lanes: Signal<Local, Bits<LANES>>,
    sum: Many<Signal<Local, Bits<ADDR>>, LANES>,
    local_offset: Many<Signal<Local, Bits<ADDR>>, LANES>,
    local_word: Signal<Local, Bits<LOCAL_WORD_BITS>>,
    req_addend: Signal<Local, Bits<ADDR>>,
    window_offset: Signal<Local, Bits<ADDR>>,
    ones: Signal<Local, Bits<32>>,
    operation: Signal<Local, Operation>,
    outside: Signal<Local, Bits<LANES>>,
    /// What the windows of constants and of parameters show.
    const_bank: WindowBank,
    param_bank: WindowBank,
    in_const: Signal<Local, Bits<LANES>>,
    in_param: Signal<Local, Bits<LANES>>,
    beyond_bank: Signal<Local, Bits<LANES>>,
    in_bank_window: Signal<Local, Bits<LANES>>,
    is_load: Signal<Local, Bit>,
    is_wide_scope: Signal<Local, Bit>,
    is_last_use: Signal<Local, Bit>,
    is_strong: Signal<Local, Bit>,
    is_mmio: Signal<Local, Bit>,
    ordered_load: Signal<Local, Bit>,
    looked_up: Signal<Local, Bit>,
    req_total: Signal<Local, Bits<4>>,
    align_mask: Signal<Local, Bits<5>>,
    req_low: Signal<Local, Bits<5>>,
    req_misaligned: Signal<Local, Bits<LANES>>,
    sunk_words: Signal<Local, Bits<4>>,
}

impl Logic for AddressUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            full,
            held,
            dst_width,
            total_held,
            element_registers,
            mask_held,
            wide,
            operand,
            addend,
            window_shift,
            limit_shift,
            bank_limit_shift
        );
        dff_setup!(self, clock, shared_shift, own_limit_shift, misaligned);
        clock!(self, clock, const_bank, param_bank);
        self.ones.next = 0xffffffffu64.into();
        self.req_addend.next = bit_cast::<ADDR, 32>(self.pins.req_imm.val());
        if self.pins.req_imm.val().get_bit(31) {
            self.req_addend.next =
                bit_cast::<ADDR, 32>(self.pins.req_imm.val()) | !bit_cast::<ADDR, 32>(self.ones.val());
        }
        self.shared_window.next = 0.into();
        self.local_window.next = 0.into();
        if self.pins.req.val().space == SPACE_GENERIC {
            self.shared_window.next = (self.pins.window_base[0].val() >> 4) << 4;
            self.local_window.next = (self.pins.window_base[1].val() >> 4) << 4;
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
        self.shift[0].next = bit_cast::<OFFSET_SUM, ADDR>(self.req_addend.val() - self.shared_window.val());
        self.shift[1].next = bit_cast::<OFFSET_SUM, ADDR>(self.req_addend.val() - self.local_window.val());
        self.limit[0].next = bit_cast::<OFFSET_SUM, ADDR>(self.pins.window_size[0].val());
        self.limit[1].next = bit_cast::<OFFSET_SUM, LOCAL_GRANULE_BITS>(
            self.pins.window_size[1].val().get_bits::<LOCAL_GRANULE_BITS>(4),
        ) << 4;
        self.shift[2].next =
            bit_cast::<OFFSET_SUM, ADDR>(self.req_addend.val() - ((self.pins.window_base[2].val() >> 4) << 4));
        self.shift[3].next =
            bit_cast::<OFFSET_SUM, ADDR>(self.req_addend.val() - ((self.pins.window_base[3].val() >> 4) << 4));
        self.limit[2].next = bit_cast::<OFFSET_SUM, ADDR>((self.pins.window_size[2].val() >> 4) << 4);
        self.limit[3].next = bit_cast::<OFFSET_SUM, ADDR>((self.pins.window_size[3].val() >> 4) << 4);

        self.req_total.next = bit_cast::<4, 3>(self.pins.req.val().size) + bit_cast::<4, 2>(self.pins.req.val().vec);
        self.align_mask.next = 0.into();
        for i in 0..5 {
            self.align_mask.next = self.align_mask.val().replace_bit(i, self.req_total.val() > i.to_bits::<4>());
        }
        self.req_misaligned.next = 0.into();
        for i in 0..LANES {
            self.req_low.next = self.pins.req_addr[i].val().get_bits::<5>(0) + self.pins.req_imm.val().get_bits::<5>(0);
            self.req_misaligned.next =
                self.req_misaligned.val().replace_bit(i, (self.req_low.val() & self.align_mask.val()).any());
        }

        self.pins.req_ready.next = !self.full.q.val() | self.next_ready.val();
        if self.pins.req_ready.val() {
            self.full.d.next = self.pins.req_valid.val();
            self.held.d.next = self.pins.req.val();
            self.dst_width.d.next = self.pins.req_dst_width.val();
            // What faults hang on is known from the start.
            self.total_held.d.next = self.req_total.val();
            self.misaligned.d.next = self.req_misaligned.val();
            self.element_registers.d.next = 2.into();
            if self.pins.req.val().size < SIZE_64 {
                self.element_registers.d.next = 0.into();
                if !self.pins.req.val().is_store
                    & !self.pins.req.val().is_command
                    & (self.pins.req_dst_width.val() == DST_WIDTH_64)
                {
                    self.element_registers.d.next = 1.into();
                }
            }
            if self.pins.req.val().size == SIZE_64 {
                self.element_registers.d.next = 1.into();
            }
            self.mask_held.d.next = self.pins.req_mask.val();
            self.wide.d.next = self.pins.req_wide.val();
            self.addend.d.next = self.req_addend.val();
            for i in 0..4 {
                self.window_shift.d[i].next = self.shift[i].val();
                self.limit_shift.d[i].next = self.shift[i].val() - self.limit[i].val();
            }
            self.bank_limit_shift.d[0].next = bit_cast::<18, 17>(self.shift[2].val().get_bits::<17>(0))
                - (bit_cast::<18, 13>(self.const_bank.granules.val()) << 4);
            self.bank_limit_shift.d[1].next = bit_cast::<18, 17>(self.shift[3].val().get_bits::<17>(0))
                - (bit_cast::<18, 13>(self.param_bank.granules.val()) << 4);
            self.own_limit_shift.d.next =
                bit_cast::<SHARED, SHARED_BITS>(self.shift[0].val().get_bits::<SHARED_BITS>(0))
                    - (bit_cast::<SHARED, GRANULE_COUNT>(self.shared_limit.val()) << 4);
            self.shared_shift.d.next = self.first_granule.val().get_bits::<GRANULE_BITS>(0)
                - self.shared_window.val().get_bits::<GRANULE_BITS>(4);
            Arrays::join(&mut self.operand.d, &mut self.pins.req_addr);
        }
        self.valid.next = self.full.q.val();
        self.const_bank.number.next = 3.into();
        self.const_bank.writes.next = self.pins.bank_writes.val();
        self.const_bank.write.next = self.pins.bank_write.val();
        self.const_bank.skipped.next = 0.into();
        self.param_bank.number.next = 0.into();
        self.param_bank.writes.next = self.pins.bank_writes.val();
        self.param_bank.write.next = self.pins.bank_write.val();
        self.param_bank.skipped.next = self.pins.param_offset.val().get_bits::<12>(4);

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
        self.outside.next = self.wide.q.val();
        self.in_const.next = 0.into();
        self.in_param.next = 0.into();
        self.beyond_bank.next = 0.into();
        self.in_shared.next = 0.into();
        self.beyond.next = 0.into();
        self.in_own.next = 0.into();
        self.rank_bits.next = bit_cast::<ADDR, 32>(self.ones.val() & 0xff000000u64);
        self.in_local.next = 0.into();
        for i in 0..LANES {
            self.sum[i].next = self.operand.q[i].val() + self.addend.q.val();
            // Past the top, or below zero: the sum went round. The immediate is less than half of the range, so that the top bits tell.
            if (self.operand.q[i].val().get_bit(ADDR - 1) != self.sum[i].val().get_bit(ADDR - 1))
                & (self.sum[i].val().get_bit(ADDR - 1) == self.addend.q.val().get_bit(31))
            {
                self.outside.next = self.outside.val().replace_bit(i, true);
            }
            self.lane.next = self.operand.q[i].val();
            self.below.next = 0.into();
            for j in 0..4 {
                self.offset_sum[j].next = bit_cast::<OFFSET_SUM, ADDR>(self.lane.val()) + self.window_shift.q[j].val();
                self.limit_sum.next = bit_cast::<OFFSET_SUM, ADDR>(self.lane.val()) + self.limit_shift.q[j].val();
                self.below.next = self
                    .below
                    .val()
                    .replace_bit(j, self.offset_sum[j].val().get_bit(ADDR) ^ self.limit_sum.val().get_bit(ADDR));
            }
            self.window_offset.next = self.offset_sum[0].val().get_bits::<ADDR>(0);
            self.in_shared.next = self.in_shared.val().replace_bit(i, self.below.val().get_bit(0));
            self.in_own.next =
                self.in_own.val().replace_bit(i, self.sum[i].val().get_bits::<8>(RANK) == self.pins.cluster_rank.val());
            // Rule CLUSTER: the rank is no part of the offset, but what lies above it is.
            if self.is_cluster.val() {
                self.window_offset.next = self.window_offset.val() & !self.rank_bits.val();
            }
            // Of the low bits of an offset the bit more is their carry, which the sum's next bit tells.
            self.below_bank.next = 0.into();
            for j in 0..2 {
                self.bank_limit_sum.next =
                    bit_cast::<18, 17>(self.lane.val().get_bits::<17>(0)) + self.bank_limit_shift.q[j].val();
                self.below_bank.next = self.below_bank.val().replace_bit(
                    j,
                    !(self.offset_sum[j + 2].val().get_bits::<ADDR>(0) >> 17).any()
                        & (self.lane.val().get_bit(17)
                            ^ self.window_shift.q[j + 2].val().get_bit(17)
                            ^ self.offset_sum[j + 2].val().get_bit(17)
                            ^ self.bank_limit_sum.val().get_bit(17)),
                );
            }
            self.own_limit_sum.next = bit_cast::<SHARED, SHARED_BITS>(self.lane.val().get_bits::<SHARED_BITS>(0))
                + self.own_limit_shift.q.val();
            self.below_own.next = self.lane.val().get_bit(SHARED_BITS)
                ^ self.window_shift.q[0].val().get_bit(SHARED_BITS)
                ^ self.offset_sum[0].val().get_bit(SHARED_BITS)
                ^ self.own_limit_sum.val().get_bit(SHARED_BITS);
            self.beyond.next = self
                .beyond
                .val()
                .replace_bit(i, (self.window_offset.val() >> SHARED_BITS.to_bits::<6>()).any() | !self.below_own.val());
            self.local_offset[i].next = self.offset_sum[1].val().get_bits::<ADDR>(0);
            self.in_local.next = self.in_local.val().replace_bit(i, self.below.val().get_bit(1));
            // Rule WINDOW.
            self.in_const.next = self.in_const.val().replace_bit(i, self.below.val().get_bit(2));
            self.in_param.next = self.in_param.val().replace_bit(i, self.below.val().get_bit(3));
            self.beyond_bank.next = self.beyond_bank.val().replace_bit(i, !self.below_bank.val().get_bit(1));
            self.bank_address[i].next =
                self.param_bank.base.val() + bit_cast::<ADDR, 16>(self.offset_sum[3].val().get_bits::<16>(0));
            if self.in_const.val().get_bit(i) {
                self.beyond_bank.next = self.beyond_bank.val().replace_bit(i, !self.below_bank.val().get_bit(0));
                self.bank_address[i].next =
                    self.const_bank.base.val() + bit_cast::<ADDR, 16>(self.offset_sum[2].val().get_bits::<16>(0));
            }
        }
        self.addressed.next.operation = self.operation.val();
        self.addressed.next.shared_shift = self.shared_shift.q.val();
        self.addressed.next.refused = 0.into();
        self.addressed.next.windowed = 0.into();
        self.in_bank_window.next = (self.in_const.val() | self.in_param.val())
            & !self.in_shared.val()
            & !self.in_local.val()
            & !self.outside.val();
        self.addressed.next.shared = 0.into();
        self.addressed.next.outside = self.outside.val();
        self.addressed.next.beyond_bank = 0.into();
        self.addressed.next.total = self.total_held.q.val();
        self.addressed.next.misaligned = self.misaligned.q.val();
        // Rule FAULT: what shared and local memory do not serve.
        self.refuses.next = self.held.q.val().nc | self.is_mmio.val() | (self.total_held.q.val() == 5);
        self.addressed.next.refuses = self.refuses.val();
        self.local_lanes.next = 0.into();
        if self.held.q.val().space == SPACE_GENERIC {
            self.addressed.next.shared = self.in_shared.val() & !self.outside.val();
            self.addressed.next.outside = self.outside.val() | (self.in_shared.val() & self.beyond.val());
            self.addressed.next.beyond_bank = self.in_bank_window.val() & self.beyond_bank.val();
            self.local_lanes.next = self.in_local.val() & !self.in_shared.val() & !self.outside.val();
            if self.refuses.val() {
                self.addressed.next.refused =
                    self.in_bank_window.val() | ((self.in_shared.val() | self.in_local.val()) & !self.outside.val());
            } else if self.held.q.val().is_store {
                self.addressed.next.refused = self.in_bank_window.val();
            } else {
                self.addressed.next.windowed = self.in_bank_window.val() & !self.beyond_bank.val();
            }
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

        // Rule LOCAL: the words of a thread lie as far from each other as there are threads.
        for i in 0..LANES {
            self.local_word.next = self.local_offset[i].val().get_bits::<LOCAL_WORD_BITS>(2);
            self.address[i].next = self.sum[i].val();
            if self.local_lanes.val().get_bit(i) {
                self.address[i].next = (bit_cast::<ADDR, LOCAL_WORD_BITS>(self.local_word.val())
                    << LOCAL_WORD.to_bits::<6>())
                    | (bit_cast::<ADDR, WARP>(self.held.q.val().warp) << LOCAL_SLOT.to_bits::<6>())
                    | (i.to_bits::<ADDR>() << 2)
                    | (self.local_offset[i].val() & 3);
            }
        }
    }
}

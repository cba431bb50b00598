//! `LaneAddress`: one lane in place `intake` of the global path: the sum of its operand and the immediate, and where that lies in the generic
//! windows (rules FAULT, SHARED, CLUSTER, LOCAL, WINDOW).
//!
//! ```text
//! operand ───┐
//! immediate ─┴─► sum ─┬─────────────────────────────────► registers ─► wraps, rank
//!                     ├─► - window's base ────────────┬─►    "      ─► offset in local memory, address in a bank, beyond the CTA's window, beyond the bank
//!                     └─► - window's end, one bit ────┴─►    "      ─► windows it lies in
//! ```
//!
//! No offset is compared with the window's size, as that would be a third sum behind the second: sum - base and sum - (base + size) are found beside
//! each other, both in one bit more, and that bit differs exactly if the offset is below the size, as only then what is subtracted reaches past it.
//! The same holds of the low bits alone, for what is shown of a CTA's window and of a bank: there the bit more is a borrow, which the next bit of the
//! whole difference tells.
//!
//! Two sums one behind the other stand before the registers, and one behind them.

use super::prelude::*;

/// One lane in place `intake`: the sum of its operand and the immediate, and where that lies.
#[derive(LogicBlock, Default)]
pub struct LaneAddress {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// `intake` takes what is there.
    pub takes: Signal<In, Bit>,
    /// Register operand.
    pub operand: Signal<In, Bits<ADDR>>,
    /// The immediate, as wide as an address.
    pub addend: Signal<In, Bits<ADDR>>,
    /// First byte of each window: shared, local, const, param.
    pub window_base: Many<Signal<In, Bits<ADDR>>, 4>,
    /// Its end, and a carry.
    pub window_end: Many<Signal<In, Bits<OFFSET_SUM>>, 4>,
    /// The operation is of the cluster's shared memory.
    pub is_cluster: Signal<In, Bit>,
    /// Low address bits that must be 0.
    pub align_mask: Signal<In, Bits<5>>,
    /// One of them is not.
    pub misaligned: Signal<Out, Bit>,

    /// Of the operation that was taken: where the CTA's window ends, and a carry.
    pub own_end: Signal<In, Bits<SHARED>>,
    /// The own CTA's rank in the cluster.
    pub cluster_rank: Signal<In, Bits<8>>,
    /// First byte of what is shown of bank 3.
    pub const_base: Signal<In, Bits<ADDR>>,
    /// The same of bank 0.
    pub param_base: Signal<In, Bits<ADDR>>,
    /// Where that ends, of the low 17 bits, and a carry.
    pub bank_end: Many<Signal<In, Bits<18>>, 2>,
    /// Low bits of the sum.
    pub address: Signal<Out, Bits<ADDR>>,
    /// The sum does not fit.
    pub wraps: Signal<Out, Bit>,
    /// It lies in the window of shared memory.
    pub in_shared: Signal<Out, Bit>,
    /// It lies in the window of local memory.
    pub in_local: Signal<Out, Bit>,
    /// It lies in the window of constants.
    pub in_const: Signal<Out, Bit>,
    /// It lies in the window of parameters.
    pub in_param: Signal<Out, Bit>,
    /// Its rank is that of the own CTA.
    pub in_own: Signal<Out, Bit>,
    /// Its offset in the window of shared memory lies beyond the CTA's.
    pub beyond: Signal<Out, Bit>,
    /// Where it lies in memory of the local memory of lane 0 of slot 0.
    pub local_address: Signal<Out, Bits<ADDR>>,
    /// The bank of its window has it.
    pub below_bank: Signal<Out, Bit>,
    /// Where it lies in memory then.
    pub bank_address: Signal<Out, Bits<ADDR>>,
    sum: Signal<Local, Bits<ADDR>>,
    difference: Many<Signal<Local, Bits<OFFSET_SUM>>, 4>,
    end_difference: Signal<Local, Bits<OFFSET_SUM>>,
    first: Signal<Local, Bits<ADDR>>,
    windows: Signal<Local, Bits<4>>,
    rank_bits: Signal<Local, Bits<ADDR>>,
    shared_offset: Signal<Local, Bits<ADDR>>,
    coming_offset: Signal<Local, Bits<ADDR>>,
    own_borrows: Signal<Local, Bits<ADDR>>,
    bank_borrows: Signal<Local, Bits<ADDR>>,
    own_difference: Signal<Local, Bits<SHARED>>,
    bank_difference: Signal<Local, Bits<18>>,
    shown_end: Signal<Local, Bits<18>>,
    shown_base: Signal<Local, Bits<ADDR>>,

    held: Register<Bits<ADDR>>,
    has_wrapped: Register<Bit>,
    in_windows: Register<Bits<4>>,
    /// The offset in the window of shared memory is none of an address there; else its borrow counts.
    is_far: Register<Bit>,
    own_borrow: Register<Bit>,
    local_offset: Register<Bits<ADDR>>,
    /// Low bits of the offset in the window of constants, or else in that of parameters; and all above those and one more are 0.
    bank_offset: Register<Bits<16>>,
    is_near: Register<Bit>,
    bank_borrow: Register<Bit>,
}

impl Logic for LaneAddress {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, has_wrapped, in_windows, is_far, own_borrow, local_offset);
        dff_setup!(self, clock, bank_offset, is_near, bank_borrow);
        self.sum.next = self.operand.val() + self.addend.val();
        self.misaligned.next = (self.sum.val().get_bits::<5>(0) & self.align_mask.val()).any();
        self.windows.next = 0.into();
        for j in 0..4 {
            self.first.next = self.window_base[j].val();
            self.difference[j].next =
                bit_cast::<OFFSET_SUM, ADDR>(self.sum.val()) - bit_cast::<OFFSET_SUM, ADDR>(self.first.val());
            self.end_difference.next = bit_cast::<OFFSET_SUM, ADDR>(self.sum.val()) - self.window_end[j].val();
            self.windows.next = self
                .windows
                .val()
                .replace_bit(j, self.difference[j].val().get_bit(ADDR) ^ self.end_difference.val().get_bit(ADDR));
        }
        // Rule CLUSTER: the rank is no part of the offset, but what lies above it is.
        self.rank_bits.next = 0xff000000u64.into();
        self.shared_offset.next = self.difference[0].val().get_bits::<ADDR>(0);
        if self.is_cluster.val() {
            self.shared_offset.next = self.difference[0].val().get_bits::<ADDR>(0) & !self.rank_bits.val();
        }
        self.own_borrows.next =
            self.sum.val() ^ self.window_base[0].val() ^ self.difference[0].val().get_bits::<ADDR>(0);
        // Rule WINDOW: a bank has at most 64 KB.
        self.coming_offset.next = self.difference[3].val().get_bits::<ADDR>(0);
        self.bank_borrows.next = self.window_base[3].val();
        if self.windows.val().get_bit(2) {
            self.coming_offset.next = self.difference[2].val().get_bits::<ADDR>(0);
            self.bank_borrows.next = self.window_base[2].val();
        }
        if self.takes.val() {
            self.held.d.next = self.sum.val();
            // Past the top, or below zero: the sum went round. The immediate is less than half of the range, so that the top bits tell.
            self.has_wrapped.d.next = (self.operand.val().get_bit(ADDR - 1) != self.sum.val().get_bit(ADDR - 1))
                & (self.sum.val().get_bit(ADDR - 1) == self.addend.val().get_bit(31));
            self.in_windows.d.next = self.windows.val();
            self.is_far.d.next = (self.shared_offset.val() >> SHARED_BITS.to_bits::<6>()).any();
            self.own_borrow.d.next = self.own_borrows.val().get_bit(SHARED_BITS);
            self.local_offset.d.next = self.difference[1].val().get_bits::<ADDR>(0);
            self.bank_offset.d.next = self.coming_offset.val().get_bits::<16>(0);
            self.is_near.d.next = !(self.coming_offset.val() >> 17).any();
            self.bank_borrow.d.next = (self.sum.val() ^ self.coming_offset.val() ^ self.bank_borrows.val()).get_bit(17);
        }

        self.address.next = self.held.q.val();
        self.wraps.next = self.has_wrapped.q.val();
        self.in_shared.next = self.in_windows.q.val().get_bit(0);
        self.in_local.next = self.in_windows.q.val().get_bit(1);
        self.in_const.next = self.in_windows.q.val().get_bit(2);
        self.in_param.next = self.in_windows.q.val().get_bit(3);
        self.in_own.next = self.held.q.val().get_bits::<8>(RANK) == self.cluster_rank.val();
        // Rule SHARED: whether the CTA's window has it.
        self.own_difference.next =
            bit_cast::<SHARED, SHARED_BITS>(self.held.q.val().get_bits::<SHARED_BITS>(0)) - self.own_end.val();
        self.beyond.next =
            self.is_far.q.val() | (self.own_borrow.q.val() == self.own_difference.val().get_bit(SHARED_BITS));
        // Rule LOCAL: the words of a thread lie as far from each other as there are threads.
        self.local_address.next =
            (bit_cast::<ADDR, LOCAL_WORD_BITS>(self.local_offset.q.val().get_bits::<LOCAL_WORD_BITS>(2))
                << LOCAL_WORD.to_bits::<6>())
                | (self.local_offset.q.val() & 3);
        // Rule WINDOW: whether the bank has it, and where.
        self.shown_end.next = self.bank_end[1].val();
        self.shown_base.next = self.param_base.val();
        if self.in_const.val() {
            self.shown_end.next = self.bank_end[0].val();
            self.shown_base.next = self.const_base.val();
        }
        self.bank_difference.next = bit_cast::<18, 17>(self.held.q.val().get_bits::<17>(0)) - self.shown_end.val();
        self.below_bank.next =
            self.is_near.q.val() & (self.bank_borrow.q.val() ^ self.bank_difference.val().get_bit(17));
        self.bank_address.next = self.shown_base.val() + bit_cast::<ADDR, 16>(self.bank_offset.q.val());
    }
}

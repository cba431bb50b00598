//! Address unit: the bank and the byte address of every lane (LDC-1, LDC-2, LDC-3, LDC-4, LDC-5, LDC-6, CONST), whether there is
//! such a bank (LDC-6, LDC-7), and whether the address is aligned (LDC-9).

use super::super::lanes::lanes_where;
use super::super::near::{Comparator, NearMisses};
use crate::micro_op::{LdcMode, Space};
use crate::pins::{MAX_LANES, Request};

/// Highest bank that the hardware has (LDC-7).
const LAST_BANK: u32 = 17;
/// Highest bank in compute mode (LDC-7).
const LAST_COMPUTE_BANK: u32 = 7;
/// Highest bank of mode ISL (LDC-6).
const LAST_ISL_BANK: u32 = 13;

/// Last address that a bank can have.
const LAST_ADDRESS: u64 = 0xffff;

/// The bits of `cfg_param_offset` that count.
const SIXTEEN_BYTES: u32 = 0xfff0;

/// The byte of their bank at which kernel parameters begin; `param_offset` is what the pin `cfg_param_offset` says.
pub(in crate::golden) const fn first_parameter(param_offset: u32) -> u32 {
    param_offset & SIXTEEN_BYTES
}

/// LDC-6 and LDC-7: the highest bank that there is.
fn last_bank(mode: LdcMode, compute: bool) -> u32 {
    let hardware = if compute { LAST_COMPUTE_BANK } else { LAST_BANK };
    match mode {
        LdcMode::Ia | LdcMode::Il | LdcMode::Is => hardware,
        LdcMode::Isl => hardware.min(LAST_ISL_BANK),
    }
}

/// Where each lane's access goes. Lanes that are not active have a place too, which nobody looks at.
#[derive(Clone, Debug)]
pub(in crate::golden) struct WarpAddress {
    /// Bank sum, never wrapped: up to 31 + 0xffff.
    pub banks: [u32; MAX_LANES],
    /// Byte address: of LDC all 32 bits, of a constant load the exact sum (a negative one in two's complement).
    pub addresses: [u64; MAX_LANES],
    /// The address of a fault record: of LDC Ra + imm, before the mode splits it.
    pub sums: [u64; MAX_LANES],
}

impl WarpAddress {
    /// The places that an LDC names.
    pub(in crate::golden) fn of_ldc(request: &Request, is_wraps: bool) -> Self {
        let named = u32::from(request.bank);
        let field = request.imm as u16;
        if request.ra_is_rz {
            // LDC-1: unsigned immediate, whatever the mode.
            let addresses = [u64::from(field); MAX_LANES];
            return Self { banks: [named; MAX_LANES], addresses, sums: addresses };
        }
        // LDC-2: signed immediate, sums wrap at 32 bits.
        let offset = i32::from(field as i16) as u32;
        let ra = request.addr.map(|register| register as u32);
        let sum = ra.map(|ra| ra.wrapping_add(offset));
        let sums = sum.map(u64::from);
        match LdcMode::on_pin(request.mode) {
            // LDC-3
            LdcMode::Ia => Self { banks: [named; MAX_LANES], addresses: sums, sums },
            // LDC-4
            LdcMode::Il => {
                Self { banks: sum.map(|sum| named + (sum >> 16)), addresses: sums.map(|sum| sum & 0xffff), sums }
            }
            // LDC-5 and LDC-6
            LdcMode::Is | LdcMode::Isl => {
                let kept = if is_wraps { 0xffff } else { u32::MAX };
                Self {
                    banks: ra.map(|ra| named + (ra >> 16)),
                    addresses: ra.map(|ra| u64::from((ra & 0xffff).wrapping_add(offset) & kept)),
                    sums,
                }
            }
        }
    }

    /// Rule CONST: the places of a constant load in its `bank`; `param_offset` is what the pin says.
    pub(in crate::golden) fn of_load(request: &Request, bank: u8, param_offset: u32, address_mask: u64) -> Self {
        let offset = displacement(request, param_offset);
        let addresses = request.addr.map(|operand| (operand & address_mask).wrapping_add(offset));
        Self { banks: [bank.into(); MAX_LANES], addresses, sums: addresses.map(|sum| sum & address_mask) }
    }

    /// Rule CONST: the lanes of a constant load whose address is none.
    pub(in crate::golden) fn out_of_range(&self, request: &Request, address_mask: u64) -> u32 {
        request.wide | lanes_where(&self.addresses, |sum| sum & !address_mask != 0)
    }

    /// Takes note of the lanes of `active` of a constant load that are nearly on the other side of the end of the addresses.
    pub(in crate::golden) fn near_range(
        &self,
        request: &Request,
        param_offset: u32,
        address_mask: u64,
        active: u32,
        near: &mut NearMisses,
    ) {
        let is_backward = displacement(request, param_offset) >> 63 == 1;
        for (lane, (operand, sum)) in request.addr.iter().zip(&self.sums).enumerate() {
            if (active & !request.wide) >> lane & 1 == 1 {
                let operand = operand & address_mask;
                let (less, more) = if is_backward { (operand, *sum) } else { (*sum, operand) };
                near.order(Comparator::ConstantRange, less, more);
            }
        }
    }

    /// Lanes where there can be a byte at all; the table has not been asked yet.
    pub(in crate::golden) fn supported(&self, mode: LdcMode, compute: bool) -> u32 {
        let last = last_bank(mode, compute);
        lanes_where(&self.banks, |bank| bank <= last) & lanes_where(&self.addresses, |address| address <= LAST_ADDRESS)
    }

    /// Takes note of the lanes of `active` that are nearly on the other side of these limits.
    pub(in crate::golden) fn near_limits(
        &self,
        is_load: bool,
        mode: LdcMode,
        compute: bool,
        active: u32,
        near: &mut NearMisses,
    ) {
        let comparator = if is_load { Comparator::ConstantAddress } else { Comparator::LdcAddress };
        let last = u64::from(last_bank(mode, compute));
        for (lane, (bank, address)) in self.banks.iter().zip(&self.addresses).enumerate() {
            if active >> lane & 1 == 1 {
                if !is_load && *address <= LAST_ADDRESS {
                    near.order(Comparator::BankNumber, last, u64::from(*bank));
                }
                if u64::from(*bank) <= last {
                    near.order(comparator, LAST_ADDRESS, *address);
                }
            }
        }
    }

    /// LDC-7: lanes with a bank that compute mode does not have.
    pub(in crate::golden) fn unpredictable(&self, compute: bool) -> u32 {
        if compute { lanes_where(&self.banks, |bank| bank > LAST_COMPUTE_BANK) } else { 0 }
    }

    /// LDC-9: lanes whose address is no multiple of `bytes`, a power of two.
    pub(in crate::golden) fn misaligned(&self, bytes: u64) -> u32 {
        lanes_where(&self.addresses, |address| address & (bytes - 1) != 0)
    }
}

/// What a constant load adds to its operand, as 64 bits in two's complement.
fn displacement(request: &Request, param_offset: u32) -> u64 {
    let immediate = i64::from(request.imm as i32);
    let offset = match Space::on_pin(request.space) {
        Space::ParamEntry => i64::from(first_parameter(param_offset)),
        _ => 0,
    };
    (immediate + offset) as u64
}

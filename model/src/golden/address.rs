//! Address unit: the bank and the byte address of one lane (rules LDC-1 to LDC-6), and whether there is such a bank.

use crate::pins::Request;

/// Modes as `req_mode` codes them.
const IA: u8 = 0;
const IL: u8 = 1;
const ISL: u8 = 3;

/// Highest bank that the hardware has (LDC-7).
const LAST_BANK: u32 = 17;
/// Highest bank in compute mode (LDC-7).
const LAST_COMPUTE_BANK: u32 = 7;
/// Highest bank of mode ISL (LDC-6).
const LAST_ISL_BANK: u32 = 13;

/// Where one lane's access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneAddress {
    /// Bank sum, never wrapped: up to 31 + 0xffff.
    pub bank: u32,
    /// Byte address, all 32 bits.
    pub address: u32,
}

impl LaneAddress {
    /// The place that `request` names when the lane's register operand is `ra`.
    #[inline]
    pub(super) fn of(request: &Request, ra: u32, is_wraps: bool) -> Self {
        let named = u32::from(request.bank);
        let field = request.imm as u16;
        if request.ra_is_rz {
            // LDC-1: unsigned immediate, whatever the mode.
            return Self {
                bank: named,
                address: u32::from(field),
            };
        }
        // LDC-2: signed immediate, sums wrap at 32 bits.
        let offset = i32::from(field as i16) as u32;
        let sum = ra.wrapping_add(offset);
        match request.mode {
            // LDC-3
            IA => Self {
                bank: named,
                address: sum,
            },
            // LDC-4
            IL => Self {
                bank: named + (sum >> 16),
                address: sum & 0xffff,
            },
            // LDC-5 and LDC-6
            _ => {
                let address = (ra & 0xffff).wrapping_add(offset);
                let address = if is_wraps { address & 0xffff } else { address };
                Self {
                    bank: named + (ra >> 16),
                    address,
                }
            }
        }
    }

    /// Whether there can be a byte at this place at all; the table has not been asked yet.
    #[inline]
    pub(super) fn is_supported(self, mode: u8, compute: bool) -> bool {
        let last = if compute {
            LAST_COMPUTE_BANK
        } else {
            LAST_BANK
        };
        self.bank <= last && (mode != ISL || self.bank <= LAST_ISL_BANK) && self.address <= 0xffff
    }

    /// LDC-7: a bank that compute mode does not have.
    #[inline]
    pub(super) fn is_unpredictable(self, compute: bool) -> bool {
        compute && self.bank > LAST_COMPUTE_BANK
    }
}

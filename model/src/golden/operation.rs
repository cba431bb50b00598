//! An operation on its way from acceptance to its last pass: places I, A and S.

use super::address::LaneAddress;
use super::legality::{self, COMMAND, LDC, RZ};
use super::pass::{Key, Pass, Shape};
use crate::pins::{FaultRecord, MAX_LANES, Request};
use crate::preset::Preset;

/// What an operation makes once it reaches the issue place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Passes.
    Load,
    /// One command; the code is that of `req_cmd`.
    Command(u8),
    /// A fault record and nothing else.
    Faulty(FaultRecord),
}

/// An operation whose bank and address are known in every lane.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub kind: Kind,
    pub shape: Shape,
    /// Lanes in a group that no pass has served yet.
    pub unserved: u32,
    /// Active lanes without a group, whose result is 0; they ride with the first pass.
    pub riding: u32,
    /// LDC-7: compute mode and an active lane with a bank of 8 or more.
    pub unpredictable: bool,
    keys: [Key; MAX_LANES],
    addresses: [u16; MAX_LANES],
}

impl Operation {
    /// What place I works out from the pins.
    pub(super) fn decode(request: &Request, preset: &Preset, compute: bool) -> Self {
        let mut operation = Self {
            kind: Kind::Load,
            shape: Shape {
                tag: request.tag,
                rd: request.rd,
                size: request.size,
                sign: request.sign,
                beats: legality::registers(request.size),
            },
            unserved: 0,
            riding: 0,
            unpredictable: false,
            keys: [Key::default(); MAX_LANES],
            addresses: [0; MAX_LANES],
        };
        let active = request.mask & preset.lane_mask();
        if request.op == COMMAND {
            operation.kind = Kind::Command(request.cmd);
            return operation;
        }
        if active == 0 {
            return operation;
        }

        let place =
            |lane: usize| LaneAddress::of(request, request.addr[lane] as u32, preset.is_wraps);
        let mut supported = 0;
        let mut unpredictable = 0;
        let mut low_bits = [0u8; MAX_LANES];
        for (lane, bits) in low_bits.iter_mut().enumerate().take(preset.lanes) {
            let at = place(lane);
            supported |= u32::from(at.is_supported(request.mode, compute)) << lane;
            unpredictable |= u32::from(at.is_unpredictable(compute)) << lane;
            operation.keys[lane] = Key::of(at.bank, at.address);
            operation.addresses[lane] = at.address as u16;
            *bits = at.address as u8;
        }

        let misaligned = |bytes: u32| {
            let below = (bytes - 1) as u8;
            let odd = low_bits
                .iter()
                .enumerate()
                .map(|(lane, bits)| u32::from(bits & below != 0) << lane);
            odd.fold(0, |lanes, lane| lanes | lane) & active
        };
        if let Some((cause, lanes)) = legality::fault(request, active, misaligned) {
            let addr = u64::from(place(lanes.trailing_zeros() as usize).address);
            operation.kind = Kind::Faulty(FaultRecord {
                tag: request.tag,
                cause,
                lanes,
                addr,
            });
            return operation;
        }

        operation.unpredictable = request.op == LDC && unpredictable & active != 0;
        // LDC-10: RZ discards; nothing is read for it and no lane is written.
        if request.rd != RZ {
            operation.unserved = active & supported;
            operation.riding = active & !supported;
        }
        operation
    }

    /// Whether the next pass is the last one.
    pub(super) fn is_on_last_pass(&self) -> bool {
        self.unserved & !self.next_group() == 0
    }

    /// LDC-14: the unserved lanes that share the line of the lowest of them; none if the operation has no group.
    fn next_group(&self) -> u32 {
        if self.unserved == 0 {
            return 0;
        }
        let wanted = self.keys[self.unserved.trailing_zeros() as usize];
        let same = self
            .keys
            .iter()
            .enumerate()
            .map(|(lane, key)| u32::from(*key == wanted) << lane);
        same.fold(0, |lanes, lane| lanes | lane) & self.unserved
    }

    /// Issues the next pass.
    pub(super) fn take_pass(&mut self) -> Pass {
        let group = self.next_group();
        let key = if group == 0 {
            Key::default()
        } else {
            self.keys[group.trailing_zeros() as usize]
        };
        let pass = Pass {
            shape: self.shape,
            group,
            zero: self.riding,
            key,
            addresses: self.addresses,
        };
        self.unserved &= !group;
        self.riding = 0;
        pass
    }
}

//! An operation on its way from acceptance to its last pass: places `intake`, `group` and `issue`.

use super::super::lanes::lanes_where;
use super::super::near::{Comparator, NearMisses};
use super::address::WarpAddress;
use super::legality;
use super::pass::{Key, Pass};
use super::shape::Shape;
use crate::micro_op::{Command, LdcMode, OpKind};
use crate::pins::{FaultRecord, Inputs, MAX_LANES, RZ};
use crate::preset::Preset;

/// What an operation makes once it reaches the issue place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::golden) enum Kind {
    /// Passes.
    Load,
    /// One command.
    Command(Command),
    /// A fault record and nothing else.
    Faulty(FaultRecord),
}

/// An operation whose bank and address are known in every lane.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Operation {
    pub kind: Kind,
    pub shape: Shape,
    /// Lanes in a group that no pass has served yet.
    pub unserved: u32,
    /// Those of them that the next pass serves.
    group: u32,
    /// Active lanes without a group, whose result is 0; they ride with the first pass.
    pub ride: u32,
    /// LDC-7: compute mode and an active lane with a bank of 8 or more.
    pub unpredictable: bool,
    keys: [Key; MAX_LANES],
    addresses: [u16; MAX_LANES],
}

impl Operation {
    /// What place `intake` works out from the pins.
    pub(in crate::golden) fn decode(inputs: &Inputs, preset: &Preset, near: &mut NearMisses) -> Self {
        let request = &inputs.req;
        let shape = Shape::of(request);
        let mut operation = Self {
            kind: Kind::Load,
            shape,
            unserved: 0,
            group: 0,
            ride: 0,
            unpredictable: false,
            keys: [Key::default(); MAX_LANES],
            addresses: [0; MAX_LANES],
        };
        let active = request.mask & preset.lane_mask();
        match OpKind::on_pin(request.op) {
            OpKind::Command => {
                operation.kind = Kind::Command(Command::on_pin(request.cmd));
                return operation;
            }
            // Stores go to the global path.
            OpKind::Ldc | OpKind::Load | OpKind::Store => {}
        }
        if active == 0 {
            return operation;
        }

        let address_mask = preset.address_mask();
        let places = match shape.is_load {
            true => WarpAddress::of_load(request, shape.bank, inputs.param_offset, address_mask),
            false => WarpAddress::of_ldc(request, preset.is_wraps),
        };
        if shape.is_load {
            places.near_range(request, inputs.param_offset, address_mask, active, near);
        }
        if let Some((cause, lanes)) = legality::fault(request, &shape, &places, active, preset) {
            let lowest = lanes.trailing_zeros() as usize % MAX_LANES;
            let addr = places.sums[lowest];
            operation.kind = Kind::Faulty(FaultRecord { tag: request.tag, cause: cause.code(), lanes, addr });
            return operation;
        }

        let compute = inputs.compute;
        operation.unpredictable = places.unpredictable(compute) & active != 0;
        // LDC-10: RZ discards; nothing is read for it and no lane is written. The same of elements that are all sunk.
        if request.rd != RZ && !shape.is_sunk() {
            // Rule CONST: a constant load reads as in mode IA, whatever its pins say.
            let mode = if shape.is_load { LdcMode::Ia } else { LdcMode::on_pin(request.mode) };
            let supported = places.supported(mode, compute);
            places.near_limits(shape.is_load, mode, compute, active, near);
            operation.unserved = active & supported;
            operation.ride = active & !supported;
            operation.addresses = places.addresses.map(|address| address as u16);
            operation.keys = std::array::from_fn(|lane| Key::of(places.banks[lane], places.addresses[lane]));
            operation.group = operation.next_group();
        }
        operation
    }

    /// Whether the next pass is the last one.
    pub(in crate::golden) fn is_on_last_pass(&self) -> bool {
        self.unserved == self.group
    }

    /// LDC-14: the unserved lanes that share the line of the lowest of them; none if the operation has no group.
    fn next_group(&self) -> u32 {
        if self.unserved == 0 {
            return 0;
        }
        let wanted = self.keys[self.unserved.trailing_zeros() as usize];
        lanes_where(&self.keys, |key| key == wanted) & self.unserved
    }

    /// Takes note of the lanes that the next pass nearly serves too.
    pub(in crate::golden) fn near_lanes(&self, near: &mut NearMisses) {
        if self.is_on_last_pass() {
            return;
        }
        let wanted = self.keys[self.group.trailing_zeros() as usize % MAX_LANES];
        for (lane, key) in self.keys.iter().enumerate() {
            if (self.unserved & !self.group) >> lane & 1 == 1 {
                near.equality(Comparator::LdcLanes, key.bits(), wanted.bits());
            }
        }
    }

    /// How many distinct lines the unserved lanes need.
    pub(in crate::golden) fn groups_left(&self) -> u32 {
        let mut unserved = self.unserved;
        let mut groups = 0;
        while unserved != 0 {
            let wanted = self.keys[unserved.trailing_zeros() as usize];
            unserved &= !lanes_where(&self.keys, |key| key == wanted);
            groups += 1;
        }
        groups
    }

    /// Rule GROUP: issues the next pass.
    pub(in crate::golden) fn take_pass(&mut self) -> Pass {
        let group = self.group;
        // A pass without a group asks for no line, and its key means nothing.
        let key = self.keys[group.trailing_zeros() as usize % MAX_LANES];
        let pass = Pass { shape: self.shape, group, ride: self.ride, key, addresses: self.addresses };
        self.unserved &= !group;
        self.ride = 0;
        self.group = self.next_group();
        pass
    }
}

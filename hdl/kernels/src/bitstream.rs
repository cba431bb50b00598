//! Values of ports as a run of bits, least significant first.

use num_bigint::BigUint;
use rust_hdl::prelude::*;

use crate::{Color, Nested, Pair};

/// Bits that are taken from the front and put at the back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bitstream {
    bits: Vec<bool>,
    taken: usize,
}

/// A type that a stream can hold.
pub trait Word: Sized {
    /// The value of the next bits.
    fn take(stream: &mut Bitstream) -> Self;
    /// Appends the bits.
    fn put(self, stream: &mut Bitstream);
}

impl Bitstream {
    /// A stream of these bits.
    pub fn new(bits: Vec<bool>) -> Self {
        Self { bits, taken: 0 }
    }

    /// All bits, taken or not.
    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// The value of the next bits.
    pub fn take<T: Word>(&mut self) -> T {
        T::take(self)
    }

    /// Appends a value.
    pub fn put<T: Word>(&mut self, value: T) {
        value.put(self);
    }

    fn bit(&mut self) -> bool {
        let bit = self.bits[self.taken];
        self.taken += 1;
        bit
    }
}

impl Word for bool {
    fn take(stream: &mut Bitstream) -> Self {
        stream.bit()
    }

    fn put(self, stream: &mut Bitstream) {
        stream.bits.push(self);
    }
}

impl<const N: usize> Word for Bits<N> {
    fn take(stream: &mut Bitstream) -> Self {
        let mut value = BigUint::default();
        (0..N).for_each(|place| value.set_bit(place as u64, stream.bit()));
        value.into()
    }

    fn put(self, stream: &mut Bitstream) {
        (0..N).for_each(|place| stream.bits.push(self.get_bit(place)));
    }
}

impl<const N: usize> Word for Signed<N> {
    fn take(stream: &mut Bitstream) -> Self {
        signed_cast(Bits::<N>::take(stream))
    }

    fn put(self, stream: &mut Bitstream) {
        unsigned_cast(self).put(stream);
    }
}

impl Word for Color {
    /// The code to spare counts as red; the Verilog must never see it.
    fn take(stream: &mut Bitstream) -> Self {
        let code: Bits<2> = stream.take();
        let color = match code.index() {
            1 => Self::Green,
            2 => Self::Blue,
            _ => Self::Red,
        };
        let code: Bits<2> = color.into();
        let end = stream.taken;
        stream.bits[end - 2] = code.get_bit(0);
        stream.bits[end - 1] = code.get_bit(1);
        color
    }

    fn put(self, stream: &mut Bitstream) {
        let code: Bits<2> = self.into();
        code.put(stream);
    }
}

impl Word for Nested {
    fn take(stream: &mut Bitstream) -> Self {
        Self { count: stream.take(), pair: stream.take() }
    }

    fn put(self, stream: &mut Bitstream) {
        self.count.put(stream);
        self.pair.put(stream);
    }
}

impl Word for Pair {
    fn take(stream: &mut Bitstream) -> Self {
        Self { low: stream.take(), flag: stream.take(), high: stream.take() }
    }

    fn put(self, stream: &mut Bitstream) {
        self.low.put(stream);
        self.flag.put(stream);
        self.high.put(stream);
    }
}

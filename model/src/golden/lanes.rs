//! Lane masks from per-lane values, and the lanes of a mask.

use crate::pins::MAX_LANES;

/// One bit for each lane whose value passes `test`.
///
/// Every busy cycle asks this several times, so it is written for speed: the comparisons vectorize, and a product packs
/// eight flags into a byte (flag i stands at bit 8i and meets bit 56 - 7i of the factor in bit 56 + i; no other pair of
/// bits meets there).
#[inline]
pub(super) fn lanes_where<T: Copy>(values: &[T; MAX_LANES], test: impl Fn(T) -> bool) -> u32 {
    let flags = values.map(|value| u8::from(test(value)));
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |mask, eight| {
        let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask << 8 | packed as u32
    })
}

/// The numbers of the set bits.
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let number = mask.trailing_zeros() as u8;
        (mask != 0).then(|| {
            mask &= mask - 1;
            number
        })
    })
}

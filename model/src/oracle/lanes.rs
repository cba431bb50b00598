//! The lanes of a mask.

/// The numbers of the lanes in `mask`, lowest first.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = u32> + Clone {
    let rests = std::iter::successors(Some(mask), |rest| Some(rest & rest.wrapping_sub(1)));
    rests.take_while(|rest| *rest != 0).map(u32::trailing_zeros)
}

//! Where the locations of a run lie.

use lsu_model::preset::Preset;

use crate::program::{LINE_BYTES, SECTOR_BYTES};
use crate::random::Random;

/// Bytes that a location gets: as many as the widest access.
pub(super) const ROOM: u64 = 8;

/// Lines among which a run chooses: well below the windows of every preset.
const LINES: u64 = 1 << 20;

/// Where the lines begin that hold no location, beyond all that do.
const ELSEWHERE: u64 = 1 << 28;

/// How many of these are used: enough for every set of every preset's L1.
const LINES_ELSEWHERE: u64 = 64;

/// An address at which no location lies.
pub(super) fn address_elsewhere(random: &mut Random) -> u64 {
    ELSEWHERE + LINE_BYTES * random.below(LINES_ELSEWHERE)
}

/// The addresses of `count` locations: in one sector or in one line, as far as they fit there, in lines of one set of L1, or in
/// lines of their own.
pub(super) fn addresses(preset: &Preset, count: usize, random: &mut Random) -> Vec<u64> {
    let count = count as u64;
    let base = LINE_BYTES * random.below(LINES);
    let stride = match random.below(4) {
        0 => ROOM,
        1 => SECTOR_BYTES,
        2 => LINE_BYTES * preset.l1_sets as u64,
        _ => LINE_BYTES * (1 + random.below(preset.l1_sets as u64 * 2)),
    };
    // Any location may be the first, and they need not begin with their sector.
    let rotation = random.below(count.max(1));
    let offset = if stride > ROOM { ROOM * random.below(SECTOR_BYTES / ROOM) } else { 0 };
    (0..count).map(|location| base + offset + stride * ((location + rotation) % count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsu_model::preset::FPGA8;

    #[test]
    fn locations_share_sectors_lines_and_sets_or_nothing() {
        let mut seen = [0; 4];
        for number in 0..400 {
            let addresses = addresses(&FPGA8, 3, &mut Random::new(1, number));
            let (first, second) = (addresses[0].min(addresses[1]), addresses[0].max(addresses[1]));
            assert!(second - first >= ROOM && first % ROOM == 0);
            let set = |address: u64| address / LINE_BYTES % FPGA8.l1_sets as u64;
            let kind = match () {
                () if first / SECTOR_BYTES == second / SECTOR_BYTES => 0,
                () if first / LINE_BYTES == second / LINE_BYTES => 1,
                () if set(first) == set(second) => 2,
                () => 3,
            };
            seen[kind] += 1;
        }
        assert!(seen.iter().all(|count| *count > 40), "{seen:?}");
    }
}

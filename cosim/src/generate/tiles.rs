//! Where the shared accesses of a program go: few rows of shared memory, which the program fills first, seen through the windows of
//! several CTAs. Bytes that nobody has stored are 0 and tell little.

use lsu_model::pins::{MAX_LANES, Request, WORD_BYTES};
use lsu_model::preset::Preset;

use super::codes::{SHARED, STORE, WORD};
use crate::program::SHARED_GRANULE;
use crate::random::Random;

/// Rows of a tile, each one word of every bank: what one store of 16 bytes a lane fills.
const TILE_ROWS: u32 = 4;

/// log2 of the elements of such a store.
const FILL_VECTOR: u8 = 2;

/// Stream number of a program's tiles and windows.
const TILE_STREAM: u64 = 0x74_696c_6573;

/// The window of a CTA, as it stands on `req_shared_base` and `req_shared_size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cta {
    pub base: u32,
    pub size: u32,
}

impl Cta {
    /// All of shared memory.
    pub(super) fn whole(preset: &Preset) -> Self {
        Self { base: 0, size: preset.shared_bytes as u32 }
    }

    /// The first byte of shared memory that it has, and how many there are: rule SHARED.
    pub(super) fn extent(self, preset: &Preset) -> (u32, u32) {
        let granules = |bytes: u32| bytes & !(SHARED_GRANULE - 1);
        let base = granules(self.base);
        (base, granules(self.size).min((preset.shared_bytes as u32).saturating_sub(base)))
    }

    /// `request` of this CTA.
    pub(super) fn request(self, request: Request) -> Request {
        Request { shared_base: self.base, shared_size: self.size, ..request }
    }
}

/// How the shared addresses of the lanes lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Side by side, in any order: no conflict.
    Contiguous,
    /// Any subset of the lanes in each of at most three words.
    SameWord,
    /// So many different words of one bank, and nowhere more.
    Ways(u32),
    /// Anywhere in the filled rows.
    FewRows,
    /// Anywhere in shared memory.
    Scattered,
    /// Two addresses that differ in one bit.
    Twins,
}

impl Pattern {
    /// One of them, those without surprises more often.
    pub(super) fn draw(preset: &Preset, random: &mut Random) -> Self {
        match random.below(16) {
            0..4 => Self::Contiguous,
            4..7 => Self::SameWord,
            7 => Self::Ways(preset.lanes as u32),
            8..10 => Self::Ways(2 + random.below(preset.lanes as u64 - 1) as u32),
            10 => Self::Ways(2),
            11..13 => Self::FewRows,
            13 => Self::Scattered,
            _ => Self::Twins,
        }
    }

    /// The shared address of each lane, multiples of `total`, most of them in one of `rows`, which are not none.
    pub(super) fn addresses(self, preset: &Preset, rows: &[u32], total: u32, random: &mut Random) -> [u32; MAX_LANES] {
        let (lanes, memory) = (preset.lanes as u32, preset.shared_bytes as u32);
        let row_bytes = row_bytes(preset);
        let block = total.max(WORD_BYTES);
        let in_row = |random: &mut Random| random.below(u64::from((row_bytes / total).max(1))) as u32 * total;
        let row = |random: &mut Random| rows[random.below(rows.len() as u64) as usize];
        let spot = |random: &mut Random| row(random) + in_row(random);
        let start = if random.chance(50) { row(random) } else { spot(random) };
        let order = if random.chance(50) { 0 } else { random.below(lanes.into()) as u32 };
        let words = [spot(random), spot(random), spot(random)].map(|spot| spot / block * block);
        let word_count = 1 + random.below(3);
        let bit = total.trailing_zeros() + random.below(u64::from((memory / total).trailing_zeros().max(1))) as u32;
        let twins = [words[0], words[0] ^ 1 << bit];
        let first_row = random.below(u64::from(memory / row_bytes)) as u32;
        let mut addresses = [0; MAX_LANES];
        for (lane, address) in (0..lanes).zip(&mut addresses) {
            *address = match self {
                Self::Contiguous => start + (lane ^ order) * total,
                Self::SameWord => {
                    let word = words[random.below(word_count) as usize];
                    word + random.below(u64::from(block / total)) as u32 * total
                }
                Self::Ways(ways) => {
                    let row = match rows.get((lane % ways) as usize) {
                        Some(row) if rows.len() as u32 >= ways => *row,
                        _ => (first_row + lane % ways) * row_bytes,
                    };
                    row + (lane / ways * block + start) % row_bytes / block * block
                }
                Self::FewRows => spot(random),
                Self::Scattered => random.below(u64::from(memory / total)) as u32 * total,
                Self::Twins => twins[random.below(2) as usize],
            } % memory;
        }
        addresses
    }
}

/// Bytes of one word of every bank.
fn row_bytes(preset: &Preset) -> u32 {
    WORD_BYTES * preset.lanes as u32
}

/// The rows that a program goes to again and again, and the windows of its CTAs.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    tiles: Vec<u32>,
    rows: Vec<u32>,
    windows: Vec<Cta>,
}

impl Tiles {
    /// The tiles of the program whose surroundings have the seed `seed`.
    pub(super) fn new(preset: &Preset, seed: u64) -> Self {
        let mut random = Random::new(seed, TILE_STREAM);
        let tile_bytes = TILE_ROWS * row_bytes(preset);
        let count = preset.shared_bytes as u32 / tile_bytes;
        let first = match random.below(4) {
            0 => 0,
            1 => count - 1,
            _ => random.below(count.into()) as u32,
        };
        let mut tiles = vec![first * tile_bytes];
        for _ in 0..random.below(4) {
            // Another one that only one bit tells from the first.
            let twin = (first ^ 1 << random.below(count.trailing_zeros().into())) * tile_bytes;
            if !tiles.contains(&twin) {
                tiles.push(twin);
            }
        }
        let row = row_bytes(preset);
        let rows = tiles.iter().flat_map(|tile| (0..TILE_ROWS).map(move |number| tile + number * row)).collect();
        let windows = windows(preset, &tiles, &mut random);
        Self { tiles, rows, windows }
    }

    /// The stores that fill the rows, through a window of all.
    pub(super) fn fills(&self, preset: &Preset) -> impl Iterator<Item = Request> {
        let request =
            Request { op: STORE, space: SHARED, size: WORD, vec: FILL_VECTOR, dst_width: 1, ..Request::default() };
        let request = Cta::whole(preset).request(Request { mask: preset.lane_mask(), ..request });
        let lanes = preset.lanes;
        let bytes = u64::from(WORD_BYTES) << FILL_VECTOR;
        self.tiles.iter().map(move |tile| {
            let mut request = request;
            for (lane, address) in request.addr[..lanes].iter_mut().enumerate() {
                *address = u64::from(*tile) + lane as u64 * bytes;
            }
            request
        })
    }

    /// Those of the filled rows that the window sees, at least in part; its beginning, if there are none.
    pub(super) fn rows_in(&self, preset: &Preset, cta: Cta) -> Vec<u32> {
        let (base, bytes) = cta.extent(preset);
        let is_seen = |row: &&u32| **row < base + bytes && **row + row_bytes(preset) > base;
        let rows: Vec<u32> = self.rows.iter().filter(is_seen).copied().collect();
        if rows.is_empty() { vec![base] } else { rows }
    }

    /// The window of one of the CTAs; some, as no machine would place them.
    pub(super) fn window(&self, preset: &Preset, random: &mut Random) -> Cta {
        let mut cta = self.windows[random.below(self.windows.len() as u64) as usize];
        let memory = preset.shared_bytes as u32;
        let granules =
            |below: u32, random: &mut Random| random.below((below / SHARED_GRANULE).into()) as u32 * SHARED_GRANULE;
        match random.below(100) {
            // Beyond shared memory.
            0 => cta.base = memory + granules(memory, random),
            // Over its end.
            1..4 => cta = Cta { base: granules(memory, random), size: memory + granules(memory, random) },
            4 => cta.size = 0,
            5..7 => cta = Cta { base: granules(2 * memory, random), size: granules(2 * memory, random) },
            // What is not looked at.
            7..20 => {
                cta.base |= random.below(SHARED_GRANULE.into()) as u32;
                cta.size |= random.below(SHARED_GRANULE.into()) as u32;
            }
            _ => {}
        }
        cta
    }
}

/// Windows of CTAs side by side that share the tiles out among them.
fn windows(preset: &Preset, tiles: &[u32], random: &mut Random) -> Vec<Cta> {
    let memory = preset.shared_bytes as u32;
    let tile_bytes = TILE_ROWS * row_bytes(preset);
    let whole = Cta::whole(preset);
    match random.below(4) {
        0 => vec![whole],
        // A boundary amid the first tile.
        1 => {
            let split =
                tiles[0] + SHARED_GRANULE * (1 + random.below(u64::from(tile_bytes / SHARED_GRANULE) - 1) as u32);
            vec![Cta { base: 0, size: split }, Cta { base: split, size: memory - split }, whole]
        }
        // Equal ones: those with a tile, and the one after the first.
        2 => {
            let size = memory >> (1 + random.below(3));
            let mut windows: Vec<Cta> = tiles.iter().map(|tile| Cta { base: tile / size * size, size }).collect();
            windows.push(Cta { base: (windows[0].base + size) % memory, size });
            windows
        }
        // A tile each, one that begins within the first, and one that ends with the memory.
        _ => {
            let mut windows: Vec<Cta> = tiles.iter().map(|tile| Cta { base: *tile, size: tile_bytes }).collect();
            let base = tiles[0] + SHARED_GRANULE * random.below((tile_bytes / SHARED_GRANULE).into()) as u32;
            windows.push(Cta { base, size: SHARED_GRANULE * (1 + random.below(8) as u32) });
            windows.push(Cta { base: memory - tile_bytes, size: 2 * tile_bytes - SHARED_GRANULE });
            windows
        }
    }
}

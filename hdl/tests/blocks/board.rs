//! The link of a board: bits of a serial line in, pins of a unit, bits out.

use lsu_hdl::board::board_link::BoardLink;
use proptest::prelude::*;

use super::{after_reset, config, edge, settled};

/// Clocks of a bit on the line.
const CLOCKS: usize = 4;
const INPUT_BYTES: usize = 2;
const OUTPUT_BYTES: usize = 3;
const IDENTITY: u32 = 0x1234_5678;

/// What comes over the line.
#[derive(Clone, Debug)]
enum Sent {
    /// A cycle of the unit, with these inputs.
    Step([u8; INPUT_BYTES]),
    /// The same, with this bit of the frame changed, which is not one of its first byte.
    Broken([u8; INPUT_BYTES], usize),
    Identify,
    /// Between frames.
    Noise(u8),
    /// A bit that is too short to begin a byte.
    Glitch,
    /// Something without a stop bit.
    Unstopped(u8),
}

fn sent() -> impl Strategy<Value = Sent> {
    prop_oneof![
        4 => any::<[u8; INPUT_BYTES]>().prop_map(Sent::Step),
        1 => (any::<[u8; INPUT_BYTES]>(), 8..8 * (INPUT_BYTES + 3)).prop_map(|(inputs, bit)| Sent::Broken(inputs, bit)),
        1 => Just(Sent::Identify),
        1 => any::<u8>().prop_filter("no frame", |byte| !b"SI".contains(byte)).prop_map(Sent::Noise),
        1 => Just(Sent::Glitch),
        1 => prop_oneof![any::<u8>(), Just(b'S'), Just(b'I')].prop_map(Sent::Unstopped),
    ]
}

/// The rest of the text, read as a number of so many bits with 16 zeros behind it, in a division by x^16 + x^12 + x^5 + 1 without carries.
fn sealed(mut text: Vec<u8>) -> Vec<u8> {
    let bits = text.iter().chain(&[0, 0]).flat_map(|byte| (0..8).rev().map(move |bit| u32::from(byte >> bit & 1)));
    let rest = bits.fold(0, |rest, bit| {
        let next = rest << 1 | bit;
        if next >> 16 == 1 { next ^ 0x1_1021 } else { next }
    });
    text.extend((rest as u16).to_be_bytes());
    text
}

/// The levels of a byte on the line, a bit each.
fn levels(byte: u8, stop: bool) -> Vec<bool> {
    let bits = (0..8).map(|bit| byte >> bit & 1 == 1);
    std::iter::once(false).chain(bits).chain([stop]).collect()
}

/// What the unit's outputs are in its cycle with that number.
fn outputs(cycle: usize) -> [u8; OUTPUT_BYTES] {
    [cycle as u8, 0xa5, 255 - cycle as u8]
}

proptest! {
    // A case is thousands of clocks.
    #![proptest_config(ProptestConfig { cases: 64, ..config() })]

    #[test]
    fn board_link(all in prop::collection::vec((sent(), 0..12usize), 1..8)) {
        // What is sent, and what has to come of it.
        let mut line: Vec<bool> = vec![];
        let mut answers: Vec<u8> = vec![];
        let mut stepped: Vec<[u8; INPUT_BYTES]> = vec![];
        let mut owed = 0;
        for (sent, pause) in &all {
            let mut frame = match sent {
                Sent::Step(inputs) | Sent::Broken(inputs, _) => sealed([&b"S"[..], inputs].concat()),
                Sent::Identify => sealed(b"I".to_vec()),
                Sent::Noise(byte) => vec![*byte],
                Sent::Glitch => {
                    // A clock, not a bit.
                    line.extend([false, true, true, true]);
                    vec![]
                }
                Sent::Unstopped(byte) => {
                    line.extend(levels(*byte, false).into_iter().flat_map(|level| [level; CLOCKS]));
                    // Until the line has rested, the next byte cannot be told from it.
                    line.extend([true; 12 * CLOCKS]);
                    vec![]
                }
            };
            let is_frame = frame.len() > 1;
            let answer = match sent {
                Sent::Step(inputs) => {
                    stepped.push(*inputs);
                    sealed([&b"s"[..], &outputs(stepped.len() - 1)].concat())
                }
                Sent::Broken(_, bit) => {
                    frame[bit / 8] ^= 1 << (bit % 8);
                    sealed(b"e".to_vec())
                }
                Sent::Identify => sealed([&b"i"[..], &IDENTITY.to_le_bytes()].concat()),
                Sent::Noise(_) | Sent::Glitch | Sent::Unstopped(_) => vec![],
            };
            line.extend(frame.iter().flat_map(|byte| levels(*byte, true)).flat_map(|level| [level; CLOCKS]));
            line.extend(vec![true; *pause * CLOCKS]);
            // The answer to the frame before goes while this one comes, but no third one may begin meanwhile.
            owed += usize::from(is_frame);
            if owed == 2 {
                line.extend([true; 2 * (OUTPUT_BYTES + 5) * 10 * CLOCKS]);
                owed = 0;
            }
            answers.extend(answer);
        }
        line.extend([true; 2 * (OUTPUT_BYTES + 5) * 10 * CLOCKS]);

        let mut block = after_reset!(BoardLink);
        block.clocks_per_bit.next = (CLOCKS as u64).into();
        block.input_bytes.next = (INPUT_BYTES as u64).into();
        block.output_bytes.next = (OUTPUT_BYTES as u64).into();
        block.identity.next = u64::from(IDENTITY).into();
        // The registers beside the link, and the unit behind them.
        let mut inputs: Vec<u8> = vec![0; INPUT_BYTES];
        let (mut kept, mut cycles) = ([0; OUTPUT_BYTES], vec![]);
        let (mut was_high, mut high, mut stable, mut is_kept) = (false, 0, 0, false);
        let (mut said, mut bits, mut clock) = (vec![], 0_u32, None);
        for level in line {
            block.rx.next = level;
            block.output_byte.next = u64::from(kept[0]).into();
            settled!(block);
            // The unit's edge: its inputs have been as they are since the checksum came, and its outputs have just been kept.
            let is_high = block.unit_clock.val();
            prop_assert!(is_high || !was_high || high == 15, "{high}");
            high = if is_high { high + 1 } else { 0 };
            if is_high && !was_high {
                prop_assert!(stable >= 2 * 10 * CLOCKS && is_kept, "{stable} {is_kept}");
                cycles.push([inputs[0], inputs[1]]);
                is_kept = false;
            }
            was_high = is_high;
            stable += 1;
            if block.output_load.val() {
                prop_assert!(!is_high && !is_kept);
                kept = outputs(cycles.len());
                is_kept = true;
            } else if block.output_shift.val() {
                kept = [kept[1], kept[2], 0];
            }
            if block.input_shift.val() {
                prop_assert!(!is_high);
                inputs.push(u64::from(block.input_byte.val()) as u8);
                inputs.remove(0);
                stable = 0;
            }
            // What is on the line back, looked at in the middle of each bit.
            clock = match clock {
                None if block.tx.val() => None,
                None => Some(0),
                Some(clocks) => Some(clocks + 1),
            };
            if let Some(clocks) = clock {
                if clocks % CLOCKS == CLOCKS / 2 {
                    bits = bits >> 1 | u32::from(block.tx.val()) << 9;
                }
                if clocks == 10 * CLOCKS - 1 {
                    prop_assert!(bits >> 9 == 1 && bits & 1 == 0);
                    said.push((bits >> 1) as u8);
                    clock = None;
                }
            }
            edge!(block);
        }
        prop_assert_eq!(cycles, stepped);
        prop_assert_eq!(said, answers);
    }
}

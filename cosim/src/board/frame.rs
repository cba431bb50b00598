//! Frames: a byte that says what it is, what belongs to it, and a checksum of both, high byte first.

/// Carries the inputs of a cycle.
pub(super) const STEP: u8 = b'S';
/// Asks what is there.
pub(super) const IDENTIFY: u8 = b'I';
/// Carries the outputs of a cycle.
pub(super) const STEPPED: u8 = b's';
/// Carries what is there.
pub(super) const IDENTITY: u8 = b'i';

/// Bytes of a frame besides what belongs to it.
pub(super) const EXTRA: usize = 3;
/// Bytes of what belongs to [`IDENTITY`].
pub(super) const IDENTITY_BYTES: usize = 4;

/// CRC-16 with the polynomial x^16 + x^12 + x^5 + 1, highest bit first, from 0. That of a text with its own checksum behind it is 0.
pub fn checksum(text: &[u8]) -> u16 {
    text.iter().fold(0, |so_far, byte| {
        (0..8).fold(so_far ^ u16::from(*byte) << 8, |rest, _| rest << 1 ^ if rest >> 15 == 1 { 0x1021 } else { 0 })
    })
}

/// Puts the checksum behind a frame.
pub(super) fn seal(frame: &mut Vec<u8>) {
    let checksum = checksum(frame);
    frame.extend(checksum.to_be_bytes());
}

/// What belongs to a frame that came, if it is a whole one of this kind.
pub(super) fn opened(frame: &[u8], kind: u8) -> Option<&[u8]> {
    let (first, rest) = frame.split_first()?;
    let payload = rest.split_last_chunk::<2>()?.0;
    (*first == kind && checksum(frame) == 0).then_some(payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_xmodem() {
        // The check value that catalogues of CRCs give for it.
        assert_eq!(checksum(b"123456789"), 0x31c3);
    }

    #[test]
    fn a_frame_with_one_bit_changed_is_none() {
        let mut frame = b"Spayload".to_vec();
        seal(&mut frame);
        assert_eq!(opened(&frame, STEP), Some(&b"payload"[..]));
        assert_eq!(opened(&frame, STEPPED), None);
        for bit in 0..frame.len() * 8 {
            let mut changed = frame.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(opened(&changed, STEP), None);
        }
        assert_eq!(opened(b"S", STEP), None);
    }
}

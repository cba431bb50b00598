//! VCD value lines, written by hand.
//!
//! The crate `vcd` formats every bit with its own `write!`; at 2,300 bits a cycle that is an order of magnitude slower
//! than one table look-up per byte (`benches/value_lines.rs` measures the ratio).

/// The eight digits of every byte.
const BYTE_DIGITS: [[u8; 8]; 256] = byte_digits();

const fn byte_digits() -> [[u8; 8]; 256] {
    let mut table = [[b'0'; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> (7 - bit) & 1 == 1 {
                table[byte][bit] = b'1';
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Appends `0id` or `1id`.
pub(crate) fn push_flag(out: &mut Vec<u8>, value: bool, id: &[u8]) {
    out.push(b'0' + u8::from(value));
    out.extend_from_slice(id);
    out.push(b'\n');
}

/// Appends `b101 id`, without the leading zeros that every reader adds again. `words` come lowest first.
pub(crate) fn push_vector(out: &mut Vec<u8>, words: &[u32], id: &[u8]) {
    out.push(b'b');
    let used = words.iter().rposition(|&word| word != 0).map_or(0, |highest| highest + 1);
    match words[..used].split_last() {
        None => out.push(b'0'),
        Some((&highest, rest)) => {
            let mut digits = [0; 32];
            word_digits(highest, &mut digits);
            out.extend_from_slice(&digits[highest.leading_zeros() as usize..]);
            for &word in rest.iter().rev() {
                word_digits(word, &mut digits);
                out.extend_from_slice(&digits);
            }
        }
    }
    out.push(b' ');
    out.extend_from_slice(id);
    out.push(b'\n');
}

/// Appends a value of unknown bits.
pub(crate) fn push_unknown(out: &mut Vec<u8>, width: u32, id: &[u8]) {
    out.extend_from_slice(if width == 1 { b"x" } else { b"bx " });
    out.extend_from_slice(id);
    out.push(b'\n');
}

/// Appends `stext id`. White space would end the value, so it and everything beyond plain ASCII is written `\xNN`, the
/// escape that GTKWave and wellen (Surfer) turn back.
pub(crate) fn push_text(out: &mut Vec<u8>, text: &[u8], id: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b's');
    for &byte in text {
        if byte.is_ascii_graphic() && byte != b'\\' {
            out.push(byte);
        } else {
            out.extend_from_slice(&[b'\\', b'x', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
    out.push(b' ');
    out.extend_from_slice(id);
    out.push(b'\n');
}

/// Appends a text as the vector of its bytes, first character highest. An empty one is high impedance, which viewers
/// draw as a plain line, as they do an empty string.
pub(crate) fn push_text_vector(out: &mut Vec<u8>, text: &[u8], id: &[u8]) {
    out.push(b'b');
    if text.is_empty() {
        out.push(b'z');
    }
    for &byte in text {
        out.extend_from_slice(&BYTE_DIGITS[usize::from(byte)]);
    }
    out.push(b' ');
    out.extend_from_slice(id);
    out.push(b'\n');
}

/// Number of an id code as VCD writers count them: least significant character first, `!` to `~`, no leading zero.
/// `None` if it is empty, holds another character, or is too large for any dump.
pub(crate) fn code_number(id: &[u8]) -> Option<u64> {
    const DIGITS: u64 = 94;
    const LONGEST: usize = 8;
    if id.is_empty() || id.len() > LONGEST {
        return None;
    }
    let mut number = 0;
    for &byte in id.iter().rev() {
        if !byte.is_ascii_graphic() {
            return None;
        }
        number = number * DIGITS + u64::from(byte - b'!') + 1;
    }
    Some(number - 1)
}

fn word_digits(word: u32, digits: &mut [u8; 32]) {
    let (groups, _) = digits.as_chunks_mut::<8>();
    for (group, byte) in groups.iter_mut().zip(word.to_be_bytes()) {
        *group = BYTE_DIGITS[usize::from(byte)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("value lines are ASCII")
    }

    #[test]
    fn codes_are_numbered_as_the_crate_vcd_prints_them() {
        for number in [0, 1, 93, 94, 95, 94 * 94 + 93, 94 * 95, 1_000_000] {
            assert_eq!(code_number(vcd::IdCode::from(number).to_string().as_bytes()), Some(number));
        }
        assert_eq!(code_number(b""), None);
        assert_eq!(code_number(b"a b"), None);
    }

    #[test]
    fn vectors_lose_only_leading_zeros() {
        assert_eq!(line(|out| push_vector(out, &[0, 0], b"!")), "b0 !\n");
        assert_eq!(line(|out| push_vector(out, &[5], b"!")), "b101 !\n");
        assert_eq!(line(|out| push_vector(out, &[0x8000_0001, 0], b"\"")), format!("b1{}1 \"\n", "0".repeat(30)));
        assert_eq!(line(|out| push_vector(out, &[2, 3], b"ab")), format!("b11{}10 ab\n", "0".repeat(30)));
    }

    #[test]
    fn text_has_no_white_space_and_no_bare_backslash() {
        assert_eq!(line(|out| push_text(out, b"ld w3\\\t", b"!")), "sld\\x20w3\\x5c\\x09 !\n");
        assert_eq!(line(|out| push_text(out, b"", b"!")), "s !\n");
        assert_eq!(line(|out| push_text_vector(out, b"A ", b"!")), "b0100000100100000 !\n");
    }
}

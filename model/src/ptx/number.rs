//! Literals: integers of 64 bits and floating-point numbers.

use super::instruction::Immediate;

/// Reads an integer literal, with its optional `U`; `None` where it does not fit 64 bits.
pub(super) fn integer(literal: &str) -> Option<i64> {
    let digits = literal.strip_suffix('U').unwrap_or(literal);
    let parsed = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => u64::from_str_radix(&digits[2..], 2),
        [b'0', _, ..] => u64::from_str_radix(&digits[1..], 8),
        _ => digits.parse(),
    };
    parsed.ok().map(|value| value as i64)
}

/// Reads a floating-point literal; `None` where it has no value but zero among the normal numbers of `.f64`.
pub(super) fn float(literal: &str) -> Option<Immediate> {
    match literal.as_bytes() {
        [b'0', b'f' | b'F', ..] => u32::from_str_radix(&literal[2..], 16).ok().map(Immediate::Single),
        [b'0', b'd' | b'D', ..] => u64::from_str_radix(&literal[2..], 16).ok().map(Immediate::Double),
        _ => {
            let digits = literal.split(['e', 'E']).next().unwrap_or(literal);
            let is_zero = digits.bytes().all(|digit| matches!(digit, b'0' | b'.'));
            let value = literal.parse::<f64>().ok()?;
            (is_zero || value.is_normal()).then(|| Immediate::Double(value.to_bits()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_base() {
        assert_eq!(integer("240"), Some(240));
        assert_eq!(integer("0xFFU"), Some(255));
        assert_eq!(integer("0b101"), Some(5));
        assert_eq!(integer("017"), Some(15));
        assert_eq!(integer("0"), Some(0));
        assert_eq!(integer("18446744073709551615"), Some(-1));
        assert_eq!(integer("0x7fffffffffffffff0"), None);
        assert_eq!(integer("09"), None);
    }

    #[test]
    fn floats_by_value_and_by_bits() {
        assert_eq!(float("0.5"), Some(Immediate::Double(0.5_f64.to_bits())));
        assert_eq!(float(".5e-3"), Some(Immediate::Double(0.0005_f64.to_bits())));
        assert_eq!(float("0.0e-999"), Some(Immediate::Double(0)));
        assert_eq!(float("1e-310"), None);
        assert_eq!(float("1.8e308"), None);
        assert_eq!(float("0f3F800000"), Some(Immediate::Single(1.0_f32.to_bits())));
        assert_eq!(float("0d4000000000000000"), Some(Immediate::Double(2.0_f64.to_bits())));
    }
}

//! Reads a top's ports from the header that Verilator generates: the `VL_IN*`, `VL_OUT*` and `VL_INOUT*` lines of
//! `V<top>.h`, whose form has stayed the same from 5.006 to 5.49.

use super::error::Error;
use super::layout::Direction;

/// How Verilator holds a port in C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// One C++ integer of 8, 16, 32 or 64 bits.
    Integer,
    /// An array of 32-bit words, for more than 64 bits.
    Wide,
}

/// One port as the header declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeaderPort {
    /// The C++ member's name.
    pub(super) member: String,
    /// The name in the Verilog.
    pub(super) name: String,
    /// Bits.
    pub(super) width: u32,
    /// Which way it goes.
    pub(super) direction: Direction,
    /// How it is held.
    pub(super) storage: Storage,
}

/// The ports of `top` that its generated `header` declares, in the header's order.
pub(super) fn ports(header: &str, top: &str) -> Result<Vec<HeaderPort>, Error> {
    let is_port = |line: &&str| ["VL_IN", "VL_OUT"].iter().any(|start| line.starts_with(start));
    header.lines().map(str::trim).filter(is_port).map(|line| port(line, top)).collect()
}

/// One line, such as `VL_INW(&data,99,0,4);`.
fn port(line: &str, top: &str) -> Result<HeaderPort, Error> {
    let unsupported =
        |port: &str, reason| Error::UnsupportedPort { top: top.to_owned(), port: port.to_owned(), reason };
    let unreadable = || unsupported(line, "its line in Verilator's header has an unknown form");
    let (macro_name, rest) = line.split_once('(').ok_or_else(unreadable)?;
    // An unpacked array is declared as `VL_IN8((&name)[4],7,0);`.
    let arguments = rest.strip_suffix(");").ok_or_else(unreadable)?;
    let mut fields = arguments.split(',');
    let declarator = fields.next().ok_or_else(unreadable)?;
    let Some(member) = declarator.strip_prefix('&') else {
        return Err(unsupported(declarator, "it is an unpacked array; only packed vectors have a place in the words"));
    };
    let kind = macro_name.strip_prefix("VL_").ok_or_else(unreadable)?;
    let (direction, size) = if kind.starts_with("INOUT") {
        return Err(unsupported(&verilog_name(member), "it is an inout; only inputs and outputs can be driven"));
    } else if let Some(size) = kind.strip_prefix("IN") {
        (Direction::Input, size)
    } else if let Some(size) = kind.strip_prefix("OUT") {
        (Direction::Output, size)
    } else {
        return Err(unreadable());
    };
    let storage = match size {
        "" | "8" | "16" | "64" => Storage::Integer,
        "W" => Storage::Wide,
        _ => return Err(unreadable()),
    };
    let mut bound = || fields.next().and_then(|field| field.trim().parse::<i64>().ok());
    let (Some(left), Some(right)) = (bound(), bound()) else {
        return Err(unreadable());
    };
    let width = u32::try_from(left.abs_diff(right) + 1).map_err(|_| unreadable())?;
    Ok(HeaderPort { member: member.to_owned(), name: verilog_name(member), width, direction, storage })
}

/// Undoes Verilator's spelling of Verilog names in C++: `__SYM__` before a C++ keyword, `__0hh` for a character.
fn verilog_name(member: &str) -> String {
    let mut rest = member.strip_prefix("__SYM__").unwrap_or(member);
    let mut name = String::new();
    while let Some(first) = rest.chars().next() {
        let encoded = rest.strip_prefix("__0").and_then(|tail| tail.get(..2));
        match encoded.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                name.push(char::from(code));
                rest = &rest[5..];
            }
            None => {
                name.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_storage_size() {
        let header = "
class Vtop {
    VL_IN8(&clk,0,0);
    VL_OUT16(&half,15,4);
    VL_IN(&word,31,0);
    VL_OUT64(&pair,0,63);
    VL_INW(&wide,99,0,4);
";
        let found = ports(header, "top").unwrap();
        let short: Vec<_> = found.iter().map(|port| (port.name.as_str(), port.width, port.direction)).collect();
        assert_eq!(
            short,
            [
                ("clk", 1, Direction::Input),
                ("half", 12, Direction::Output),
                ("word", 32, Direction::Input),
                ("pair", 64, Direction::Output),
                ("wide", 100, Direction::Input),
            ]
        );
        assert_eq!(found[4].storage, Storage::Wide);
    }

    #[test]
    fn names_come_back_as_the_verilog_has_them() {
        assert_eq!(verilog_name("a___05Fb"), "a__b");
        assert_eq!(verilog_name("__SYM__int"), "int");
        assert_eq!(verilog_name("a__024b"), "a$b");
        assert_eq!(verilog_name("lane_0_data"), "lane_0_data");
    }

    #[test]
    fn refuses_what_it_cannot_carry_by_name() {
        for (line, name) in
            [("VL_INOUT8(&pad,0,0);", "`pad`"), ("VL_IN8((&lanes)[4],7,0);", "lanes"), ("VL_IN8(&x,a,0);", "&x")]
        {
            let message = ports(line, "top").unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
    }
}

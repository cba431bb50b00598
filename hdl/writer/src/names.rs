//! Names in Verilog: what is reserved, what is taken, and how Rust's type names become them.

use std::collections::BTreeSet;

/// Words that neither Verilog-2001 nor SystemVerilog (which tools also accept in `.v` files) leave free.
const RESERVED: &str = " accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin \
bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const \
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge else end \
endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage \
endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect export extends extern \
final first_match for force foreach forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone \
ignore_bins illegal_bins implements implies import incdir include initial inout input inside instance int integer interconnect \
interface intersect join join_any join_none large let liblist library local localparam logic longint macromodule matches medium \
modport module nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed \
parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect \
pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict return \
rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal \
showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 \
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 \
triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void \
wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor ";

/// True if `name` is an identifier and not reserved.
pub(crate) fn is_free(name: &str) -> bool {
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
    starts_well
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !RESERVED.contains(&format!(" {name} "))
}

/// `LdcAddress` becomes `ldc_address`, `L1Tags` becomes `l1_tags`.
pub(crate) fn snake(name: &str) -> String {
    let mut result = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (place, letter) in letters.iter().enumerate() {
        let after_lower = place > 0 && !letters[place - 1].is_uppercase() && letters[place - 1] != '_';
        let before_lower = place > 0 && letters.get(place + 1).is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && (after_lower || before_lower) && !result.ends_with('_') {
            result.push('_');
        }
        result.extend(letter.to_lowercase());
    }
    result
}

/// The name in Verilog of a signal that is called `name` in the description. rust_hdl's macros know a clock by no other name
/// than `clock`, whatever the unit's pins are called; the pins have the same names in every module.
pub(crate) fn pin(name: &str) -> &str {
    match name {
        "clock" => "clk",
        "reset" => "rst",
        name => name,
    }
}

/// The name of a port or signal that a kernel spells with the bundle in which it stands: a bundle gives its ports no prefix.
pub(crate) fn own(name: &str) -> &str {
    name.rsplit('$').next().unwrap_or(name)
}

/// Names in use in one module.
#[derive(Default)]
pub(crate) struct Taken(BTreeSet<String>);

impl Taken {
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// True if `name` can be claimed as it is.
    pub(crate) fn is_free(&self, name: &str) -> bool {
        is_free(name) && !self.contains(name)
    }

    pub(crate) fn insert(&mut self, name: &str) {
        self.0.insert(name.to_string());
    }

    /// `wanted`, or `wanted` with the first number that makes it unique.
    pub(crate) fn claim(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        let mut number = 2;
        while !is_free(&name) || !self.0.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

//! `hdl/docs/side_by_side.md` shows one block in its three forms. It is put together from the sources here, so that it cannot rot.
//!
//! `LSU_ACCEPT_DOCS=1 cargo test --release -p lsu-cosim --test side_by_side` accepts a change.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines from the first that holds `from` to the next that is `to`.
fn part(text: &str, from: &str, to: &str) -> String {
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.contains(from)).collect();
    let end = lines.iter().position(|line| *line == to).unwrap_or_else(|| panic!("`{to}` after `{from}`"));
    lines[..=end].join("\n")
}

#[test]
fn the_page_shows_the_sources() {
    let rust = read("hdl/src/constant/ldc_address.rs");
    let verilog = lsu_hdl::verilog_for("fpga8", "ldc_address").expect("a block of the preset");
    let model = read("model/src/golden/constant/address.rs");
    let page = format!(
        "# One block, three times: the bank and address of an LDC lane (LDC-1, LDC-2, LDC-3, LDC-4, LDC-5, LDC-6, LDC-7)\n\n\
         The description is what an engineer edits. The Verilog is what an FPGA gets, written from it. The golden model is written from \
         the specification by someone who did not look at the other two; `lsu check` compares them in every cycle.\n\n\
         The description needs one adder for all modes and asks of every lane whether it is out of reach. The model \
         says mode by mode what the specification says, for a whole warp. Neither is a copy of the other, which is why their agreement means something.\n\n\
         ## Description in rust_hdl (`hdl/src/constant/ldc_address.rs`)\n\n```rust\n{}\n```\n\n\
         ## Emitted Verilog (`lsu verilog --preset fpga8 --top ldc_address`)\n\n```verilog\n{}\n```\n\n\
         ## Golden model (`model/src/golden/constant/address.rs`)\n\n```rust\n{}\n```\n",
        part(&rust, "impl Logic for LdcAddress", "}"),
        part(&verilog, "// lsu_ldc_address", "endmodule"),
        part(&model, "impl WarpAddress", "}"),
    );
    let path = root().join("hdl/docs/side_by_side.md");
    if std::env::var_os("LSU_ACCEPT_DOCS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "hdl/docs/side_by_side.md does not show the sources; accept with LSU_ACCEPT_DOCS=1");
}

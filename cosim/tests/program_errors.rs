//! Program files that cannot be used: one clear error each, with file, line, column and what to do.

mod bad_files;

use lsu_cosim::program::{Expected, Overrides, read, write};

/// Name of each bad input, and the text.
const BAD: &[(&str, &str)] = &[
    ("not TOML", "preset = \n"),
    ("unknown key", "preset = \"warp32\"\ncolour = 3\n"),
    ("unknown key of an operation", "[[op]]\ninstr = \"LDC R4, c[0x3][0x0]\"\nwrap = 3\n"),
    ("unknown preset", "preset = \"warp64\"\n"),
    ("unknown mode", "mode = \"compte\"\n"),
    ("bad latency", "memory_latency = [60, 20]\n"),
    ("latency of another type", "memory_latency = 3\n"),
    ("bad expression", "[[op]]\ninstr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = \"4 * (lane\" }\n"),
    ("division by zero", "[[op]]\ninstr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = \"8 / lane\" }\n"),
    ("short list", "[[op]]\ninstr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = [1, 2, 3] }\n"),
    ("value too large", "[[op]]\ninstr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = 0x100000000 }\n"),
    ("missing register", "[[op]]\ninstr = \"LDC R4, c[0x3][R7+0x10]\"\n"),
    ("unreadable instruction", "[[op]]\ninstr = \"LDC R4, c[0x3\"\n"),
    ("illegal size", "[[op]]\ninstr = \"LDC.128 R4, c[0x3][0x0]\"\n"),
    ("instruction outside the unit", "[[op]]\ninstr = \"ULDC.64 UR4, c[0x0][0x118]\"\n"),
    ("unknown command", "[[op]]\ncommand = \"flush\"\n"),
    ("neither instruction nor command", "[[op]]\nwarp = 3\n"),
    ("register that is not written", "[[op]]\ninstr = \"LDC R4, c[0x3][0x0]\"\nexpect = { R5 = 1 }\n"),
    ("unknown fault", "[[op]]\ninstr = \"LDC R4, c[0x3][0x0]\"\nexpect_fault = \"segfault\"\n"),
    ("mask too wide", "preset = \"fpga8\"\n[[op]]\ninstr = \"LDC R4, c[0x3][0x0]\"\nmask = 0x1ff\n"),
    ("memory without contents", "[[memory]]\nspace = \"global\"\naddress = 0x1000\n"),
    (
        "parameters beyond their bank",
        "[[bank]]\nindex = 0\nsize = 0x160\n[[memory]]\nspace = \"param\"\naddress = 0\nwords = [1]\n",
    ),
    (
        "parameters beyond every bank",
        "[window]\nparam_offset = 0xffff\n[[memory]]\nspace = \"param\"\naddress = 16\nwords = [1]\n",
    ),
    (
        "parameters of a bank that is taken away",
        "[[bank]]\nindex = 0\nsize = 0x1000\nvalid = false\n[[memory]]\nspace = \"param\"\naddress = 0\nwords = [1]\n",
    ),
    ("parameters at the end", "[[dump]]\nspace = \"param\"\naddress = 0\nbytes = 4\n"),
    ("window that does not change", "[[op]]\ncommand = \"invalidate_l1\"\nchange = { local_memory = 0x1000 }\n"),
    (
        "banks of one unit",
        "sms = 2\n[[op]]\ncommand = \"invalidate_const\"\nchange = { banks = [{ index = 1, base = 0, size = 64 }] }\n",
    ),
    (
        "banks beside a load",
        "[[op]]\ninstr = \"LDC R4, c[0x1][0x0]\"\nchange = { banks = [{ index = 1, base = 0, size = 64 }] }\n",
    ),
    ("mode of no unit", "[[op]]\ncommand = \"invalidate_l1\"\nchange = { mode = \"cuda\" }\n"),
    ("offset beyond its pin", "[window]\nparam_offset = 0x1_0000\n"),
    ("constant without a place", "[[op]]\ninstr = \"ld.const.u32 %r1, [cst+4];\"\n"),
    ("contents beyond local memory", "[[memory]]\nspace = \"local\"\naddress = 0xfffc\nwords = [1, 2]\n"),
    ("local memory of one unit", "sms = 2\n[[memory]]\nspace = \"local\"\naddress = 0\nsm = 1\nwords = [1]\n"),
    ("local memory at the end", "[[dump]]\nspace = \"local\"\naddress = 0\nbytes = 4\n"),
    ("local memory that does not fit", "preset = \"fpga8\"\n[window]\nlocal_size = 0x100_0000\n"),
    ("shared memory of no unit", "sms = 2\n[[memory]]\nspace = \"shared\"\nsm = 2\naddress = 0\nwords = [1]\n"),
    (
        "shared memory that ends",
        "preset = \"fpga8\"\n[[memory]]\nspace = \"shared\"\naddress = 0xffc\nwords = [1, 2]\n",
    ),
    (
        "shared memory that is not shown",
        "[window]\ncluster_size = 64\n[[dump]]\nspace = \"shared\"\naddress = 32\nbytes = 64\n",
    ),
    ("more shown than the pins hold", "preset = \"fpga8\"\n[window]\ncluster_size = 0x2000\n"),
    ("more words than the bank has", "[[bank]]\nindex = 1\nsize = 16\nwords = [1, 2, 3, 4, 5]\n"),
    ("ranks beyond their pin", "sms = 2\n[window]\nrank = 255\n"),
    (
        "window that is not aligned",
        "[[op]]\ninstr = \"ld.shared.u32 %r1, [%rd1];\"\nregs = { \"%rd1\" = 0 }\nshared_base = 0x18\n",
    ),
    (
        "window beyond the pins",
        "preset = \"fpga8\"\n[[op]]\ninstr = \"ld.shared.u32 %r1, [%rd1];\"\nregs = { \"%rd1\" = 0 }\nshared_size = 0x2000\n",
    ),
    (
        "window of global memory",
        "[[op]]\ninstr = \"ld.global.u32 %r1, [%rd1];\"\nregs = { \"%rd1\" = 0 }\nshared_size = 16\n",
    ),
    ("window beside pins", "[[op]]\npins = { op = 0, space = 2 }\nshared_base = 16\n"),
    ("window of a command", "[[op]]\ncommand = \"invalidate_l1\"\nshared_base = 16\n"),
    (
        "address beyond the preset",
        "preset = \"fpga8\"\n[[memory]]\nspace = \"global\"\naddress = 0x100000000\nwords = [1]\n",
    ),
    ("sm that is not there", "[[op]]\nsm = 1\ninstr = \"LDC R4, c[0x3][0x0]\"\n"),
    ("unknown wait", "[[op]]\nwait = \"warp\"\ninstr = \"LDC R4, c[0x3][0x0]\"\n"),
    ("unknown target", "target = \"sm_42\"\n"),
    ("expectation without an active lane", "[[op]]\ninstr = \"LDC R4, c[0x3][0x0]\"\nmask = 0\nexpect = { R4 = 1 }\n"),
    (
        "expectation behind a false guard",
        "[[op]]\ninstr = \"@!PT LDC R4, c[0x3][0x0]\"\nexpect_any = { R4 = [1, 2] }\n",
    ),
    (
        "fault without an active lane",
        "[[op]]\ninstr = \"LDC R4, c[0x3][0x1]\"\nmask = 0\nexpect_fault = \"misaligned_address\"\n",
    ),
    ("fault of a command", "[[op]]\ncommand = \"invalidate_l1\"\nexpect_fault = \"memory_error\"\n"),
    (
        "integer beyond TOML's",
        "[[op]]\ninstr = \"ld.u64 %rd2, [%rd1];\"\nregs = { \"%rd1\" = 0xffff_ffff_ffff_0000 }\n",
    ),
    (
        "integer beyond TOML's in a list",
        "[[op]]\ninstr = \"ld.u64 %rd2, [%rd1];\"\nregs = { \"%rd1\" = 0 }\nexpect_any = { \"%rd2\" = [1, 18446744073709551615] }\n",
    ),
    (
        "lane where no lane is meant",
        "[[op]]\ninstr = \"ld.u64 %rd2, [%rd1];\"\nregs = { \"%rd1\" = 0 }\nexpect_any = { \"%rd2\" = [1, \"lane\"] }\n",
    ),
    ("error address beyond the preset", "preset = \"fpga8\"\n[traffic]\nerror = [0x1000, 0x100000000]\n"),
    ("errors of another type", "[traffic]\nerror = \"often\"\n"),
    ("too many errors", "[traffic]\nerror = 101\n"),
    ("too many wrong tags", "[traffic]\nwrong_tag = 101\n"),
];

#[test]
fn every_bad_file_gets_one_clear_error() {
    insta::assert_snapshot!(bad_files::reports(BAD, |text| read(text, "bad.toml", Overrides::default())));
}

/// What the messages above advise.
#[test]
fn integers_beyond_tomls_are_written_in_quotes() {
    let list: Vec<String> = (0..32).map(|lane| format!("\"0xffff_ffff_ffff_ff00 + {lane}\"")).collect();
    for values in ["\"0xffff_ffff_ffff_ff00 + lane\"".to_owned(), format!("[{}]", list.join(", "))] {
        let text = format!(
            "[[op]]\ninstr = \"ld.u64 %rd2, [%rd1];\"\nregs = {{ \"%rd1\" = 0 }}\nexpect = {{ \"%rd2\" = {values} }}\n"
        );
        let program = read(&text, "good.toml", Overrides::default()).expect("the file is right");
        let Expected::Lanes(values) = &program.ops[0].expect[0].values else { panic!("one for each lane") };
        assert_eq!(values[31], 0xffff_ffff_ffff_ff1f);
        assert_eq!(read(&write(&program), "written.toml", Overrides::default()).expect("readable"), program);
    }
    let any = "[[op]]\ninstr = \"ld.b128 %q1, [%rd1];\"\nregs = { \"%rd1\" = 0 }\n\
               expect_any = { \"%q1\" = [-1, \"1 << 100\", \"0xffff_ffff_ffff_ffff\"] }\n";
    let program = read(any, "good.toml", Overrides::default()).expect("the file is right");
    assert_eq!(program.ops[0].expect[0].values, Expected::AnyOf(vec![u128::MAX, 1 << 100, u64::MAX.into()]));
    // The writer keeps them, whatever their width.
    assert_eq!(read(&write(&program), "written.toml", Overrides::default()).expect("readable"), program);
}

#[test]
fn errors_are_aimed_or_drawn() {
    let read = |error: &str| {
        let text = format!("[traffic]\nerror = {error}\nwrong_tag = 3\n");
        let program = read(&text, "good.toml", Overrides::default()).expect("the file is right");
        assert_eq!(read(&write(&program), "written.toml", Overrides::default()).expect("readable"), program);
        (program.traffic.error, program.failing, program.traffic.wrong_tag)
    };
    assert_eq!(read("7"), (7, vec![], 3));
    assert_eq!(read("[]"), (0, vec![], 3));
    assert_eq!(read("[0x1000, 0x2004]"), (0, vec![0x1000, 0x2004], 3));
}

#[test]
fn garbage_never_panics() {
    let seeds = [
        include_str!("../programs/rules/ldc-1.toml"),
        "[[op]]\ninstr = \"LDC R4, c[0x3][R0]\"\nregs = { R0 = \"((lane))\" }\n",
        "[[bank]]\nindex = 3\nsize = 64\nwords = [1]\n",
    ];
    for text in seeds {
        for cut in 0..text.len() {
            if text.is_char_boundary(cut) {
                let _ = read(&text[..cut], "cut.toml", Overrides::default());
                let mut changed = text.to_owned().into_bytes();
                changed[cut] = b"\0\"[]{}=9-"[cut % 9];
                if let Ok(changed) = String::from_utf8(changed) {
                    let _ = read(&changed, "changed.toml", Overrides::default());
                }
            }
        }
    }
    let deep = format!("a = {}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(read(&deep, "deep.toml", Overrides::default()).is_err());
}

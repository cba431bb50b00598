#!/usr/bin/env python3
"""Plants bugs in a copy of the golden model, one at a time, and writes what `lsu check` says to deliberate_bugs.md.

    cosim/docs/model_bugs.py [PRESET]        default: fpga8; a minute or two a bug
    cosim/docs/model_bugs.py --check         only whether each can be planted, and stands on the page

Each is the opposite of one rule. The copy and its build stay under target/model-bugs.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target/model-bugs"
PAGE = ROOT / "cosim/docs/deliberate_bugs.md"
BEGIN, END = "<!-- bugs of the model -->\n", "<!-- end of bugs of the model -->\n"
SECONDS = 60

# File below model/src/golden, what is wrong, the text, and what replaces it.
BUGS = [
    ("constant/address.rs", "IL takes the segment of Ra, not of the sum (LDC-4)",
     "banks: sum.map(|sum| named + (sum >> 16))", "banks: ra.map(|ra| named + (ra >> 16))"),
    ("constant/address.rs", "ISL allows bank 14 (LDC-6)", "LAST_ISL_BANK: u32 = 13", "LAST_ISL_BANK: u32 = 14"),
    ("registers.rs", "a pair may end in R255 (LDC-10)", "last >= u32::from(RZ)", "last > u32::from(RZ)"),
    ("constant/pass.rs", "the first byte beyond a bank counts as inside (LDC-8)",
     "|at| u32::from(at) < size)", "|at| u32::from(at) <= size)"),
    ("constant/tag.rs", "an invalidate does not kill fetches in flight", "self.misses.kill_waiting();", ""),
    ("constant/cache.rs", "a hit does not renew its way",
     "        set.make_youngest(way);\n        Some(Slot { set: number, way })", "        Some(Slot { set: number, way })"),
    ("constant/misses.rs", "a killed fetch can be joined",
     "entry.pass.key == key && !entry.killed)", "entry.pass.key == key)"),
    ("constant/fetch.rs", "errors of both sectors are noted for the upper one",
     "arrival.errors[sector] = response.error", "arrival.errors[1] |= response.error"),
    ("constant/data.rs", "what is narrower than a register is not sign-extended (LDC-12)",
     "(true, false) => (shifted as i32 >> unused) as u32", "(true, false) => shifted >> unused"),
    ("constant/flow.rs", "a line is installed while `data` still replays",
     "line_is_complete && !any_ready && !holds_miss", "line_is_complete && !any_ready"),
    ("constant/mod.rs", "`wb_last` ignores miss entries", "\n            && !self.misses.holds(tag)", ""),
    ("global/misses.rs", "a load does not wait for a store to its sector (ORDER)",
     "(pass.shape.ordered || mshr.ordered)", "pass.shape.ordered"),
    ("global/tag.rs", "a store changes what is still to be read (READ-FIRST)",
     "pass.shape.is_store() && !pass.shape.drops && self.before", "false && self.before"),
    ("global/misses.rs", "an acquire holds back every warp (ACQUIRE)", "other.warp == owner.warp && ", ""),
    ("global/tag.rs", "a release waits for nothing (RELEASE)", "shape.release && (self", "shape.release && false && (self"),
    ("global/tag.rs", "a release does not wait for loads of shared memory (RELEASE)",
     "self.misses.waits_before(shape) || self.banked_shapes().any(is_before)", "self.misses.waits_before(shape)"),
    ("global/before.rs", "a way that is still to be read can be a victim (PINNED)",
     "named.chain(self.readings.iter().map(|reading| reading.row)).chain", "named.chain"),
    ("global/before.rs", "a way whose row an MSHR names can be a victim (PINNED)",
     "let named = self.named.iter().copied()", "let named = self.named.iter().copied().take(0)"),
    ("global/before.rs", "a way that the pass before took can be a victim (PINNED)", ".chain(self.moved_to)", ""),
    ("global/tag.rs", "a line is fetched again into a row that is still to be read (NOT-KEPT)",
     " || self.is_to_be_read(row, miss)", ""),
    ("global/tag.rs", "a line is fetched again into a row that an older fetch still writes (NOT-KEPT)",
     "self.misses.mshrs().any(|mshr| !mshr.keep && mshr.row == row) || ", ""),
    ("global/misses.rs", "an MSHR is taken while its own row is still to be read (MISS)",
     "own.fold(self.mshrs_used, |blocked, number| blocked | 1 << number)", "own.fold(self.mshrs_used, |blocked, _| blocked)"),
    ("global/misses.rs", "an MSHR is let go with its last waiter (READY)",
     "self.mshrs_left |= 1 << waiter.mshr", "self.mshrs_used &= !(1 << waiter.mshr)"),
    ("global/misses.rs", "all MSHRs have one own row (ROW)", "self.first_row + u16::from(number))", "self.first_row + u16::from(number & 0))"),
    ("global/misses.rs", "an `.nc` load joins a fetch of L1 (JOIN)", "mshr.read_only == read_only && mshr.line == line", "mshr.line == line"),
    ("global/tag.rs", "a strong load leaves an MSHR its place in L1 (KEEP-LOST)",
     "self.misses.lose_keep(false, |mshr| mshr.line == line && !mshr.purpose.is_store());", ""),
    ("global/tag.rs", "an invalidate keeps what is on its way (FLUSH)",
     "self.misses.lose_keep(read_only, |mshr| !mshr.line.is_local());", ""),
    ("global/shared.rs", "a generic address counts from 0 in shared memory (SHARED)",
     "(lanes_in(&window, sums, whole) & in_range, window.base, whole)", "(lanes_in(&window, sums, whole) & in_range, 0, whole)"),
    ("global/shared.rs", "the low four bits of the generic window count (SHARED)", "base: window.base & SIXTEEN_BYTES", "base: window.base"),
    ("global/window.rs", "the window of parameters begins with bank 0 (WINDOW)",
     "(window.base, first.into())", "(window.base, 0)"),
    ("global/window.rs", "a bank has no end (WINDOW)", "bank.map_or(0, |bank| bank.size.into())", "bank.map_or(0, |_| u64::MAX)"),
    ("global/bank.rs", "the lanes of a block that is not its banks' first go with it (BANK)",
     "u32::from(blocks[set] == block)", "u32::from(blocks[set] == block || self.words() == 4)"),
    ("global/tag.rs", "a shared store overtakes the loads before it (BANK-ORDER)",
     "(self.holds_release(shape) || !self.bank.is_empty())", "self.holds_release(shape)"),
    ("global/tag.rs", "a shared load overtakes the store before it (BANK-ORDER)",
     ".any(|tagged| tagged.pass.shared)", ".any(|tagged| tagged.pass.shared && false)"),
    ("drain.rs", "rst forgets what is unanswered (DRAIN)", "inputs.reset && inputs.reset_memory", "inputs.reset"),
    ("drain.rs", "the unit asks while it drains (DRAIN)",
     "    pub(super) fn drains(&self) -> bool {\n        self.drains", "    pub(super) fn drains(&self) -> bool {\n        false"),
]


def plant(source: str, old: str, new: str) -> str:
    if source.count(old) != 1:
        sys.exit(f"`{old}` stands {source.count(old)} times in the model, not once")
    return source.replace(old, new)


def label(file: str, text: str) -> str:
    return f"| {file.removesuffix('.rs').replace('/', '::')}: {text} |"


def check_texts() -> None:
    page = PAGE.read_text()
    table = page[page.index(BEGIN) + len(BEGIN) : page.index(END)].splitlines()[2:]
    labels = [label(file, text) for file, text, _, _ in BUGS]
    for file, _, old, new in BUGS:
        plant((ROOT / "model/src/golden" / file).read_text(), old, new)
    if [row[: row.index("|", 1) + 1] for row in table] != labels:
        sys.exit(f"{PAGE.relative_to(ROOT)} has other bugs of the model than this script: run it without --check")


def main() -> None:
    if sys.argv[1:] == ["--check"]:
        return check_texts()
    preset = sys.argv[1] if len(sys.argv) > 1 else "fpga8"
    tree, environment = WORK / "tree", os.environ | {"CARGO_TARGET_DIR": str(WORK / "build")}
    shutil.rmtree(tree, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.split("\n")[:-1]:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    rows, slowest = [], 0.0
    for file, text, old, new in BUGS:
        path = tree / "model/src/golden" / file
        source = path.read_text()
        path.write_text(plant(source, old, new))
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=tree, env=environment, check=True,
                       stderr=subprocess.DEVNULL)
        begin = time.monotonic()
        check = [WORK / "build/release/lsu", "check", "--preset", preset, "--seconds", str(SECONDS)]
        report = subprocess.run(check, cwd=WORK, capture_output=True, text=True)
        seconds = time.monotonic() - begin
        path.write_text(source)
        case = re.search(r"^case (\d+) of seed", report.stderr, re.M)
        cycle = re.search(r"^cycle .*", report.stderr, re.M)
        if case is None or cycle is None:
            sys.exit(f"{file}: {text}: not found in {SECONDS} seconds\n{report.stdout}{report.stderr}")
        slowest = max(slowest, seconds)
        rows.append(f"{label(file, text)} {case[1]} | `{cycle[0]}` |")
        print(rows[-1], f"{seconds:.1f} s", flush=True)
    table = "| block and bug | case | first difference, in the shrunk program |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    page = PAGE.read_text()
    PAGE.write_text(page[: page.index(BEGIN) + len(BEGIN)] + table + page[page.index(END):])
    print(f"{len(rows)} bugs, each found and shrunk within {slowest:.0f} seconds")


if __name__ == "__main__":
    main()

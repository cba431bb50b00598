"""The check as one would write it with cocotb: the pins of a recorded run, cycle by cycle, every output compared in every cycle.

It has it easier than the lock step: what the outputs should be is read from a file, not computed by a model beside it.
"""

import json
import os
import time
from pathlib import Path

import cocotb
from cocotb.triggers import Timer

WORD = 32


def read(path):
    return [int(line, 16) for line in path.read_text().split()]


@cocotb.test()
async def lockstep(dut):
    folder = Path(os.environ["VECTORS"])
    ports = json.loads((folder.parent / "ports.json").read_text())
    sides = {True: [], False: []}
    for port in ports:
        shift, ones = WORD * port["word"], (1 << port["width"]) - 1
        sides[port["is_input"]].append((port["name"], getattr(dut, port["name"]), shift, ones))
    inputs, expected, care = (read(folder / f"{name}.hex") for name in ("inputs", "expected", "care"))
    before = [None] * len(sides[True])
    dut.clk.value = 0
    begin = time.perf_counter()
    for cycle, (driven, wanted, counts) in enumerate(zip(inputs, expected, care)):
        for index, (_, pin, shift, ones) in enumerate(sides[True]):
            value = driven >> shift & ones
            if value != before[index]:
                before[index] = value
                pin.value = value
        await Timer(5, unit="ns")
        for name, pin, shift, ones in sides[False]:
            if counts >> shift & ones:
                found, value = pin.value, wanted >> shift & ones
                found = int(found) if ones == 1 else found.to_unsigned()
                assert found == value, f"cycle {cycle}: {name} is {found:#x}, not {value:#x}"
        dut.clk.value = 1
        await Timer(5, unit="ns")
        dut.clk.value = 0
    seconds = time.perf_counter() - begin
    with (folder.parent / "seconds").open("a") as file:
        file.write(f"{seconds}\n")

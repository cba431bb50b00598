"""Builds the unit with a simulator and runs the recorded programs: run.py SIMULATOR FOLDER PROGRAMS"""

import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

simulator, folder, programs = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
runner = get_runner(simulator)
here = Path(__file__).resolve().parent
arguments = ["-g2005"] if simulator == "icarus" else ["-O3", "-CFLAGS", "-O2", "--x-assign", "fast", "--x-initial", "fast"]
runner.build(
    sources=[folder / "unit.v"], hdl_toplevel="lsu", build_dir=folder / simulator, build_args=arguments, timescale=("1ns", "1ps")
)
for program in range(programs):
    results = runner.test(
        hdl_toplevel="lsu",
        test_module="test_lockstep",
        test_dir=here,
        build_dir=folder / simulator,
        results_xml=str(folder / f"{simulator}-{program}.xml"),
        extra_env={"VECTORS": str(folder / str(program)), "COCOTB_LOG_LEVEL": "WARNING", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    tests, failures = get_results(results)
    if tests != 1 or failures:
        sys.exit(f"program {program}: {failures} of {tests} tests failed")

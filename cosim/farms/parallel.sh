#!/usr/bin/env bash
# One check as SHARDS shards on this machine, a process each, by GNU parallel.
#
#   cosim/farms/parallel.sh SHARDS FOLDER [arguments of lsu check: --preset, --cases, --seed, --dut, ...]
#
# Each shard keeps what it has found in FOLDER. Stopped in whatever way, the same command goes on where it was.
# LSU names the command; JOBS how many shards run at once [default: one for each processor].
set -euo pipefail
if [ $# -lt 2 ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
shards=$1 folder=$2
shift 2
lsu=${LSU:-lsu}
mkdir -p "$folder"
status=0
seq "$shards" | parallel --jobs "${JOBS:-$(nproc)}" --halt never --joblog "$folder/joblog" --quote \
    "$lsu" check "$@" --jobs 1 --shard "{}/$shards" --results "$folder/{}.json" --repro-dir "$folder/repro" \
    >"$folder/log" 2>&1 || status=$?
files=("$folder"/*.json)
if [ ! -e "${files[0]}" ]; then
    cat "$folder/log" >&2
    exit "$status"
fi
exec "$lsu" merge "${files[@]}"

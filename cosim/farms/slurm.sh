#!/usr/bin/env bash
# One check as an array of Slurm jobs, a shard each:
#
#   sbatch --array=1-64 --requeue cosim/farms/slurm.sh FOLDER [arguments of lsu check: --preset, --cases, --seed, --dut, ...]
#   lsu merge FOLDER/*.json          # when they are done, or before: it says which shards are missing
#
# FOLDER is on a file system that all nodes share, and LSU names the command there. A job that is preempted, killed or
# requeued goes on where it was: what it has found is in FOLDER.
#SBATCH --job-name=lsu-check
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
set -euo pipefail
folder=$1
shift
mkdir -p "$folder"
shard=$SLURM_ARRAY_TASK_ID
exec "${LSU:-lsu}" check "$@" --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$shard/$SLURM_ARRAY_TASK_COUNT" \
    --results "$folder/$shard.json" --repro-dir "$folder/repro"

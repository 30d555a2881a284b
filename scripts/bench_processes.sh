#!/usr/bin/env bash
# Training speed of processes beside that of threads on one machine, in turns, so that a noisy machine slows both alike.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh
source scripts/bench.sh

usage='Usage: scripts/bench_processes.sh [--processes N] [--pairs N] [--updates N]

Trains some updates of configs/multi30k_de_en.json with N processes of one thread and with one process of N threads, in
turns, and prints the ratio of target tokens a second: above 1, processes are faster. Needs build/release and data/multi30k
(scripts/fetch_multi30k.sh).

  --processes N  default 2
  --pairs N      pairs of runs (default 5)
  --updates N    updates measured, after as many that warm up (default 10)
  -h, --help     show this text'

readonly xformer=build/release/src/xformer work=build/bench_processes

tokens_per_second() {
  local updates=$1
  shift
  rm -rf "$work/model"
  "$xformer" train --config configs/multi30k_de_en.json --output "$work/model" --overwrite --log-level warning \
    --set "training.log_every=$updates" --set "training.max_updates=$((2 * updates))" --set training.validate_every=10000 \
    --set training.save_every=10000 --set training.average=0 "$@"
  tail -n 1 "$work/model/training/metrics.jsonl" | sed 's/.*"tokens_per_second"://; s/[,}].*//'
}

main() {
  local processes=2 pairs=5 updates=10
  parse_options "processes pairs updates" "" "$@"
  want_build
  want_multi30k
  mkdir -p $work
  local i many one
  for ((i = 0; i < pairs; ++i)); do
    # The same micro-batches in both; as many of them in an update.
    many=$(tokens_per_second "$updates" --processes "$processes" --threads 1)
    one=$(tokens_per_second "$updates" --threads "$processes" --set "training.accum_iter=$processes")
    echo "$many $one"
  done | summary | sed "s|^|$processes processes / $processes threads: |"
}

main "$@"

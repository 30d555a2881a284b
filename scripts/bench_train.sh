#!/usr/bin/env bash
# Training speed beside a PyTorch peer: the same shape, batches, text and vocabulary, in turns, so that a noisy machine
# slows both alike.
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh
source scripts/bench.sh

usage='Usage: scripts/bench_train.sh --peer FILE [--shape multi30k|base] [--precision float32|bfloat16] [--compile]
       [--pairs N] [--updates N]

Trains some updates with build/release and with the peer, N times in turns, and prints the ratios of target tokens a
second (above 1, xformer is faster) and of peak memory (below 1, it needs less). Needs data/multi30k (scripts/fetch_multi30k.sh) and a Python with torch in build/venv.

  --peer FILE   train_pytorch.py, or a program with its options and output
  --shape       multi30k: d_model 256, 3+3 layers (default); base: d_model 512, 6+6 layers
  --precision   of both sides (default float32)
  --compile     the peer runs under torch.compile
  --pairs N     default 5
  --updates N   so many are measured, after as many that warm up (default 15)
  -h, --help    show this text'

readonly data=data/multi30k work=build/bench_train
readonly xformer=build/release/src/xformer python=build/venv/bin/python

# Runs a command; the last line that it prints is its peak memory in MiB.
with_memory() {
  "$python" - "$@" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdin=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PYTHON
}

settings() {
  case "$1" in
    multi30k) echo "d_model=256 d_ff=1024 N=3 h=4" ;;
    base) echo "d_model=512 d_ff=2048 N=6 h=8" ;;
    *) refuse_option "--shape is $1, must be multi30k or base" ;;
  esac
}

# Target tokens a second and MiB.
run_xformer() {  # shape precision
  local options=() memory
  rm -rf "$work/model"
  for setting in $(settings "$1"); do options+=(--set "model.$setting"); done
  memory=$(with_memory "$xformer" train --config configs/multi30k_de_en.json --output "$work/model" --overwrite --log-level warning \
    "${options[@]}" --set training.batch_tokens=4096 --set "training.precision=$2" \
    --set "vocabulary.model=$work/sentencepiece.model" --set "training.log_every=$updates" \
    --set "training.max_updates=$((2 * updates))" --set training.validate_every=1000 --set training.save_every=1000 \
    --set training.average=0)
  echo "$(tail -n 1 "$work/model/training/metrics.jsonl" | sed 's/.*"tokens_per_second"://; s/[,}].*//') $memory"
}

run_peer() {  # shape precision
  local d_model d_ff N h
  eval "$(settings "$1" | tr ' ' '\n')"
  with_memory "$python" "$peer" --source $data/train.de --target $data/train.en \
    --sentencepiece "$work/sentencepiece.model" --d-model "$d_model" --d-ff "$d_ff" --layers "$N" --heads "$h" \
    --batch-tokens 4096 --precision "$2" --warm-up "$updates" --updates "$updates" ${compile:+--compile} |
    awk 'NR == 1 { speed = $1 } END { print speed, $1 }'
}

main() {
  local shape=multi30k precision=float32 pairs=5 ours theirs
  peer="" compile="" updates=15
  parse_options "peer shape precision pairs updates" compile "$@"
  peer=$(path_of "$peer")
  [ -f "$peer" ] || refuse_option "--peer must name the peer's program"
  want_build
  want_multi30k
  settings "$shape" >/dev/null
  mkdir -p "$work"
  # One vocabulary for both sides.
  "$xformer" train --config configs/multi30k_de_en.json --output "$work/vocabulary" --overwrite --log-level warning \
    --set training.max_updates=1 --set training.validate_every=1000 --set training.average=0
  cp "$work/vocabulary/sentencepiece.model" "$work/"

  local name=train_${shape}_${precision}${compile:+_compile}
  : >"$work/speed" && : >"$work/memory"
  for ((pair = 1; pair <= pairs; ++pair)); do
    read -ra ours <<<"$(run_xformer "$shape" "$precision")"
    read -ra theirs <<<"$(run_peer "$shape" "$precision")"
    say "$name: xformer ${ours[0]} tokens/s ${ours[1]} MiB, the peer ${theirs[0]} tokens/s ${theirs[1]} MiB"
    echo "${ours[0]} ${theirs[0]}" >>"$work/speed"
    echo "${ours[1]} ${theirs[1]}" >>"$work/memory"
  done
  echo "$name: $(summary <"$work/speed")"
  echo "$name memory: $(summary <"$work/memory")"
}

main "$@"

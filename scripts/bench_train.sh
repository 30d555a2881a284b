#!/usr/bin/env bash
# Training speed beside a PyTorch peer: the same shape, batches, text and vocabulary, in turns, so that a noisy machine
# slows both alike.
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh
source scripts/bench.sh

usage='Usage: scripts/bench_train.sh --peer FILE [--shape multi30k|base] [--precision float32|bfloat16] [--pairs N]

Trains some updates with build/release and with the peer, N times in turns, and prints the ratio of target tokens a
second: above 1, xformer is faster. Needs data/multi30k (scripts/fetch_multi30k.sh) and a Python with torch in build/venv.

  --peer FILE   train_pytorch.py, or a program with its options and output
  --shape       multi30k: d_model 256, 3+3 layers (default); base: d_model 512, 6+6 layers
  --precision   of both sides (default float32)
  --compile     the peer runs under torch.compile
  --pairs N     default 5
  -h, --help    show this text'

readonly data=data/multi30k work=build/bench_train
readonly xformer=build/release/src/xformer

# The measured updates come after as many that warm up.
readonly updates=15

settings() {
  case "$1" in
    multi30k) echo "d_model=256 d_ff=1024 N=3 h=4" ;;
    base) echo "d_model=512 d_ff=2048 N=6 h=8" ;;
    *) refuse_option "--shape is $1, must be multi30k or base" ;;
  esac
}

run_xformer() {
  local options=()
  for setting in $(settings "$1"); do options+=(--set "model.$setting"); done
  "$xformer" train --config configs/multi30k_de_en.json --output "$work/model" --overwrite --log-level warning \
    "${options[@]}" --set training.batch_tokens=4096 --set "training.precision=$2" \
    --set "vocabulary.model=$work/sentencepiece.model" --set "training.log_every=$updates" \
    --set "training.max_updates=$((2 * updates))" --set training.validate_every=1000 --set training.save_every=1000 \
    --set training.average=0 2>/dev/null
  tail -n 1 "$work/model/training/metrics.jsonl" | sed 's/.*"tokens_per_second"://; s/[,}].*//'
}

run_peer() {
  local d_model d_ff N h
  eval "$(settings "$1" | tr ' ' '\n')"
  build/venv/bin/python "$peer" --source $data/train.de --target $data/train.en \
    --sentencepiece "$work/sentencepiece.model" --d-model "$d_model" --d-ff "$d_ff" --layers "$N" --heads "$h" \
    --batch-tokens 4096 --precision "$2" --warm-up "$updates" --updates "$updates" ${compile:+--compile} |
    awk '{ print $1 }'
}

main() {
  local shape=multi30k precision=float32 pairs=5
  peer="" compile=""
  parse_options "peer shape precision pairs" compile "$@"
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

  for ((pair = 1; pair <= pairs; ++pair)); do
    echo "$(run_xformer "$shape" "$precision") $(run_peer "$shape" "$precision")"
  done | tee /dev/stderr | summary | sed "s/^/train_${shape}_${precision}${compile:+_compile}: /"
}

main "$@"

#!/usr/bin/env bash
# For a machine with an NVIDIA GPU: does xformer compute there what it computes on the CPU, and how fast does it train?
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh

usage='Usage: scripts/check_gpu.sh [--peer FILE]

Installs what is missing, builds into build/gpu, runs the tests of the GPU and trains a base-size model (d_model 512, 6+6
layers, bfloat16) on data/multi30k for about a minute and a half. Needs an NVIDIA GPU and data/multi30k
(scripts/fetch_multi30k.sh). About ten minutes on 16 cores.

  --peer FILE  a PyTorch program with the options and the output of train_pytorch.py and --device: trains the same
  -h, --help   show this text'

readonly build=build/gpu xformer=build/gpu/src/xformer data=data/multi30k
readonly updates=300 batch_tokens=16384

build_with_tests() {
  cmake --preset release -B "$build" -DXFORMER_TESTS=ON >/dev/null
  cmake --build "$build" --target xformer core_tests
}

train() {
  rm -rf "$build/model"
  "$xformer" train --config configs/multi30k_de_en.json --device cuda --output "$build/model" --overwrite \
    --log-level warning --set model.d_model=512 --set model.d_ff=2048 --set model.N=6 --set model.h=8 \
    --set training.precision=bfloat16 --set "training.batch_tokens=$batch_tokens" --set training.num_epochs=1000 \
    --set "training.log_every=$updates" --set "training.max_updates=$((2 * updates))" \
    --set training.validate_every=100000 --set training.save_every=100000 --set training.average=0
  tail -n 1 "$build/model/training/metrics.jsonl" | sed 's/.*"tokens_per_second"://; s/[,}].*//'
}

train_peer() {
  build/venv/bin/python "$1" --device cuda --source $data/train.de --target $data/train.en \
    --sentencepiece "$build/model/sentencepiece.model" --d-model 512 --d-ff 2048 --layers 6 --heads 8 \
    --batch-tokens "$batch_tokens" --precision bfloat16 --warm-up "$updates" --updates "$updates" | awk '{ print $1 }'
}

main() {
  local peer=""
  while [ $# -gt 0 ]; do
    case "$1" in
      --peer) peer=$(cd "$caller" && realpath "$2") && shift ;;
      -h | --help) echo "$usage" && exit 0 ;;
      *) refuse_option "unknown option $1" ;;
    esac
    shift
  done
  nvidia-smi --list-gpus 2>/dev/null || fail "no NVIDIA GPU here: nvidia-smi finds none"
  [ -f $data/train.de ] || fail "data/multi30k is missing; scripts/fetch_multi30k.sh brings it"
  scripts/setup.sh --tests
  build_with_tests
  "$xformer" info
  "$build/tests/core_tests" "[cuda]"
  local ours theirs
  ours=$(train)
  say "xformer: $ours target tokens a second"
  if [ -n "$peer" ]; then
    theirs=$(train_peer "$peer")
    say "peer: $theirs target tokens a second, ratio $(awk "BEGIN { printf \"%.2f\", $ours / $theirs }")"
  fi
}

main "$@"

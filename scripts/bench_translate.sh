#!/usr/bin/env bash
# Translation speed and memory beside a CTranslate2 peer: the same weights and text, in turns, so that a noisy machine
# slows both alike.
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh
source scripts/bench.sh

usage='Usage: scripts/bench_translate.sh --peer FILE --model DIR [--input FILE] [--lines N] [--pairs N] [--length N]
       [--batch N] [--only NAME]

Translates with build/release and with the peer, N times in turns, float32 and int8, greedy and with beam 4, and prints
for each setting the ratio of sentences a second (above 1, xformer is faster) and of peak memory (below 1, xformer needs
less). The peer runs with the best of its settings, found first. Needs a Python with ctranslate2 in build/venv.

  --peer FILE    translate_ctranslate2.py, or a program with its options and output
  --model DIR    a model of xformer, with a shared vocabulary
  --input FILE   source text (default: the test sets in data/multi30k)
  --lines N      the text is repeated, or cut, to so many lines (default 10000)
  --pairs N      default 5
  --length N     every translation gets N pieces on both sides: a model that never ends is made of the given one
  --batch N      so many sentences at once on both sides: only lines of 15 pieces
  --only NAME    one setting: float32_greedy, float32_beam4, int8_greedy or int8_beam4
  -h, --help     show this text'

# How long the lines of --batch are.
readonly pieces=16
readonly work=build/bench_translate xformer=build/release/src/xformer python=build/venv/bin/python

# Prints "seconds sentences/s MiB" of a command that reads the text. Both programs tell the seconds of translation
# alone; peak memory is the process's.
measure() {
  "$python" - "$work/source" "$@" <<'PYTHON'
import re, resource, subprocess, sys
done = subprocess.run(sys.argv[2:], stdin=open(sys.argv[1]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
if done.returncode:
    sys.exit(done.stderr)
seconds, speed = re.search(r"([\d.]+) s[, ]+([\d.]+) (?:lines|sentences)/s", done.stderr).groups()
print(seconds, speed, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PYTHON
}

run_xformer() {  # precision beam
  local options=()
  [ -z "$length" ] || options+=(--max-length "$length")
  [ -z "$batch" ] || options+=(--batch-tokens $((batch * pieces)))
  measure "$xformer" translate --model "$work/model" --precision "$1" --beam-size "$2" --length-penalty 0.6 \
    --threads "$threads" "${options[@]}"
}

# The peer's settings are words of the environment, then its options.
run_peer() {  # precision beam settings
  local options=(--max-length "${length:-256}")
  [ -z "$batch" ] || options+=(--batch-tokens $((batch * pieces)))
  # shellcheck disable=SC2086
  measure env ${3%%;*} "$python" "$peer" --model "$work/ctranslate2" --sentencepiece "$work/model/sentencepiece.model" \
    --beam-size "$2" --compute-type "$1" --length-penalty 0.6 "${options[@]}" ${3##*;}
}

# The fastest of the peer's settings on the first lines.
best_peer_settings() {  # precision beam
  local isa mkl workers tokens speed
  cp "$work/source" "$work/all"
  head -n 600 "$work/all" >"$work/source"
  local sizes="1024 4096"
  [ -z "$batch" ] || sizes=$((batch * pieces))
  for isa in $(grep -q avx512f /proc/cpuinfo && echo AVX512) AVX2; do
    for mkl in 0 1; do
      for workers in "--inter-threads 1 --intra-threads $threads" "--inter-threads $threads --intra-threads 1"; do
        for tokens in $sizes; do
          local settings="CT2_FORCE_CPU_ISA=$isa CT2_USE_MKL=$mkl;$workers --batch-tokens $tokens"
          read -r _ speed _ <<<"$(run_peer "$1" "$2" "$settings")"
          echo "$speed $settings"
        done
      done
    done
  done | sort -g | tail -n 1 | cut -d' ' -f2-
  mv "$work/all" "$work/source"
}

compare() {  # name precision beam
  local settings ours theirs
  settings=$(best_peer_settings "$2" "$3")
  say "$1: the peer is fastest with ${settings/;/ }"
  : >"$work/speed" && : >"$work/memory"
  for ((pair = 1; pair <= pairs; ++pair)); do
    read -ra ours <<<"$(run_xformer "$2" "$3")"
    read -ra theirs <<<"$(run_peer "$2" "$3" "$settings")"
    say "$1: xformer ${ours[1]} sentences/s ${ours[2]} MiB, the peer ${theirs[1]} sentences/s ${theirs[2]} MiB"
    echo "${ours[1]} ${theirs[1]}" >>"$work/speed"
    echo "${ours[2]} ${theirs[2]}" >>"$work/memory"
  done
  echo "$1: $(summary <"$work/speed")"
  echo "$1 memory: $(summary <"$work/memory")"
}

# Those that have $pieces pieces, the end among them.
lines_of_one_length() {  # files
  "$python" - "$work/model/sentencepiece.model" "$pieces" "$@" <<'PYTHON'
import sys, sentencepiece
pieces = sentencepiece.SentencePieceProcessor(model_file=sys.argv[1])
for path in sys.argv[3:]:
    for line in open(path):
        if len(pieces.encode(line)) + 1 == int(sys.argv[2]):
            print(line, end="")
PYTHON
}

# A model and its export; with --length neither ever ends by itself.
prepare() {
  rm -rf "$work" && mkdir -p "$work"
  cp -r "$model" "$work/model" && rm -rf "$work/model/training"
  if [ -n "$length" ]; then
    "$python" - "$work/model/model.safetensors" <<'PYTHON'
import sys
from safetensors import safe_open
from safetensors.numpy import save_file
with safe_open(sys.argv[1], "np") as file:
    tensors, metadata = {name: file.get_tensor(name) for name in file.keys()}, file.metadata()
tensors["generator.bias"][3] = -1e4  # the end of a sentence
save_file(tensors, sys.argv[1], metadata)
PYTHON
  fi
  "$xformer" export --model "$work/model" --output "$work/ctranslate2" --log-level warning
  # The peer adds the end of the source itself.
  sed -i 's/"add_source_eos": true/"add_source_eos": false/' "$work/ctranslate2/config.json"
  : >"$work/repeated"
  local texts=(data/multi30k/test_*.de)
  [ -z "$input" ] || texts=("$(path_of "$input")")
  [ -z "$batch" ] || lines_of_one_length "${texts[@]}" >"$work/alike"
  [ -z "$batch" ] || texts=("$work/alike")
  [ -n "$(head -n 1 "${texts[@]}")" ] || fail "${texts[*]}: has no line to translate"
  while [ "$(wc -l <"$work/repeated")" -lt "$lines" ]; do cat "${texts[@]}" >>"$work/repeated"; done
  head -n "$lines" "$work/repeated" >"$work/source"
  rm "$work/repeated"
}

main() {
  local lines=10000 pairs=5 only="" input=""
  peer="" model="" length="" batch="" threads=$(getconf _NPROCESSORS_ONLN)
  parse_options "peer model input lines pairs length batch only" "" "$@"
  peer=$(path_of "$peer") model=$(path_of "$model")
  [ -f "$peer" ] || refuse_option "--peer must name the peer's program"
  [ -f "$model/config.json" ] || refuse_option "--model must name a model of xformer"
  [ -n "$input" ] || want_multi30k
  want_build
  prepare
  compare_searches
}

main "$@"

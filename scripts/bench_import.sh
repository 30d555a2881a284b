#!/usr/bin/env bash
# Speed of an imported model beside transformers and CTranslate2: the same weights and text, in turns, so that a noisy
# machine slows all alike.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh
source scripts/bench.sh

usage='Usage: scripts/bench_import.sh [--lines N] [--length N] [--pairs N] [--only NAME] [--small]

Makes a model of the size of OPUS-MT (d_model 512, 6+6 layers, swish, 58,101 pieces) with random weights, imports it,
exports it to CTranslate2, and translates with build/release, transformers generate() and CTranslate2 in turns. Every
translation has the same length. Prints for each setting the ratio of lines a second: above 1, xformer is faster. The
peers run with the best of their settings, found first. Needs transformers and ctranslate2 in build/venv.

  --lines N   of text (default 200)
  --length N  pieces of every translation (default 24)
  --pairs N   rounds (default 5)
  --only NAME one setting: float32_greedy, float32_beam4, int8_greedy or int8_beam4
  --small     a model of d_model 64 and 2,001 pieces, to try the script
  -h, --help  show this text'

readonly work=build/bench_import xformer=build/release/src/xformer python=build/venv/bin/python
readonly peer=scripts/bench_import.py

# Every program tells the lines a second of translation alone.
speed_of() { sed -n 's/.* s, \([0-9.]*\) lines\/s.*/\1/p' "$1" | tail -n 1; }

measure() {
  "$@" 2>"$work/log" >/dev/null || fail "$1 $2 failed: $(tail -n 1 "$work/log")"
  speed_of "$work/log"
}

run_xformer() {  # precision beam
  measure "$xformer" translate --model "$work/model" --input "$work/lines" --precision "$1" --beam-size "$2" \
    --min-length "$length" --max-length "$length" --threads "$threads"
}

run_transformers() {  # beam settings
  # shellcheck disable=SC2086
  measure "$python" "$peer" transformers "$work/huggingface" --lines "$work/lines" --length "$length" --beam-size "$1" \
    --threads "$threads" $2
}

run_ctranslate2() {  # precision beam settings
  # shellcheck disable=SC2086
  measure env ${3%%;*} "$python" "$peer" ctranslate2 "$work/ctranslate2" --lines "$work/lines" --length "$length" \
    --beam-size "$2" --precision "$1" --threads "$threads" ${3##*;}
}

# The fastest of the settings that are read, one a line.
best_of() {  # command and its arguments before the settings
  local settings
  while read -r settings; do
    echo "$("$@" "$settings") $settings"
  done | sort -g | tail -n 1 | cut -d' ' -f2-
}

transformers_settings() { printf -- '--batch %s\n' 8 32 64; }

ctranslate2_settings() {
  local isa workers batch
  for isa in $(grep -q avx512f /proc/cpuinfo && echo AVX512) AVX2; do
    for workers in "" "--workers"; do
      for batch in 8 32; do echo "CT2_FORCE_CPU_ISA=$isa;$workers --batch $batch"; done
    done
  done
}

compare() {  # name precision beam
  local name=$1 ours theirs slow transformers_best="" ctranslate2_best
  ctranslate2_best=$(ctranslate2_settings | best_of run_ctranslate2 "$2" "$3")
  say "$name: CTranslate2 is fastest with ${ctranslate2_best/;/ }"
  if [ "$2" = float32 ]; then
    transformers_best=$(transformers_settings | best_of run_transformers "$3")
    say "$name: transformers is fastest with $transformers_best"
  fi
  : >"$work/ctranslate2_speed" && : >"$work/transformers_speed"
  for ((pair = 1; pair <= pairs; ++pair)); do
    ours=$(run_xformer "$2" "$3")
    theirs=$(run_ctranslate2 "$2" "$3" "$ctranslate2_best")
    echo "$ours $theirs" >>"$work/ctranslate2_speed"
    slow=""
    if [ -n "$transformers_best" ]; then
      slow=$(run_transformers "$3" "$transformers_best")
      echo "$ours $slow" >>"$work/transformers_speed"
    fi
    say "$name: xformer $ours lines/s, CTranslate2 $theirs lines/s${slow:+, transformers $slow lines/s}"
  done
  echo "$name, CTranslate2: $(summary <"$work/ctranslate2_speed")"
  [ -z "$transformers_best" ] || echo "$name, transformers: $(summary <"$work/transformers_speed")"
}

prepare() {
  rm -rf "$work" && mkdir -p "$work"
  "$python" "$peer" make "$work/huggingface" ${small:+--small} >/dev/null 2>"$work/log" ||
    fail "the model cannot be made: $(tail -n 1 "$work/log")"
  "$xformer" import --from "$work/huggingface" --output "$work/model" --log-level warning
  "$xformer" export --model "$work/model" --to ctranslate2 --output "$work/ctranslate2" --log-level warning
  awk -v n="$lines" '{ line[NR] = $0 } END { for (i = 0; i < n; ++i) print line[i % NR + 1] }' data/demo/test.de \
    >"$work/lines"
}

main() {
  local lines=200 pairs=5 only=""
  length=24 small="" threads=$(getconf _NPROCESSORS_ONLN)
  parse_options "lines length pairs only" small "$@"
  want_build
  prepare
  compare_searches
}

main "$@"

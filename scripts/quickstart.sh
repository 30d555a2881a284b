#!/usr/bin/env bash
# From a fresh checkout to a trained model: builds xformer, trains it on the demo corpus, translates and scores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh

usage='Usage: scripts/quickstart.sh

Installs what is missing, builds xformer, trains the demo model (German to English, data/demo) into
build/quickstart/model, translates the held-out sentences, prints their BLEU, and says where the pages with
pictures of the training and of the attention are. It takes at most ten minutes
on two CPU cores; running it again trains again.

  -h, --help  show this text'

readonly xformer=build/release/src/xformer
readonly output=build/quickstart
readonly model=$output/model
readonly test_source=data/demo/test.de
readonly test_reference=data/demo/test.en
readonly attention=$output/attention.html

build() {
  say "building build/release"
  cmake --preset release >/dev/null
  cmake --build --preset release --target xformer
}

show_samples() {
  local i
  echo
  for i in 1 101 201 301 401; do
    printf 'source       %s\n' "$(sed -n "${i}p" "$test_source")"
    printf 'translation  %s\n' "$(sed -n "${i}p" "$output/test.translated.en")"
    printf 'reference    %s\n\n' "$(sed -n "${i}p" "$test_reference")"
  done
}

# The same sentences.
draw_attention() {
  sed -n '1p;101p;201p;301p;401p' "$test_source" |
    "$xformer" plot attention --model "$model" --output "$attention" >/dev/null
}

main() {
  case "${1:-}" in
    '') ;;
    -h | --help) echo "$usage" && exit 0 ;;
    *) refuse_option "unknown option $1" ;;
  esac
  SECONDS=0
  scripts/setup.sh
  build
  local built=$SECONDS
  mkdir -p "$output"
  say "training on data/demo into $model"
  "$xformer" train --config configs/demo.json --output "$model" --overwrite
  say "translating $test_source"
  "$xformer" translate --model "$model" <"$test_source" >"$output/test.translated.en"
  show_samples
  draw_attention
  "$xformer" eval --hypothesis "$output/test.translated.en" --reference "$test_reference"
  echo
  say "done in $SECONDS seconds, $built of them for setting up and building"
  say "translate lines of your own: $xformer translate --model $model"
  say "how the training went: file://$PWD/$model/training/report.html"
  say "what the model attends to: file://$PWD/$attention"
}

main "$@"

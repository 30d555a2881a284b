#!/usr/bin/env bash
# The time of whole scoring processes beside the sacrebleu package's, in turns, so that a noisy machine slows both alike.
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh
source scripts/bench.sh

usage='Usage: scripts/bench_eval.sh [--only NAME] [--text FILE] [--xformer FILE] [--pairs N] [--lines N]

Scores the same perturbed text with xformer and with the sacrebleu package of build/venv, N times in turns, and prints the
ratio of their times (above 1, xformer is faster) and of peak memory (below 1, xformer needs less). No line occurs twice:
the package keeps the tokens of lines that repeat. Needs data/multi30k (scripts/fetch_multi30k.sh) or another text.

  --only NAME     one setting: bleu, chrf, chrf++ or ter
  --text FILE     lines to start from (default data/multi30k/train.en); a name in .gz is unpacked
  --xformer FILE  the program (default build/release/src/xformer)
  --pairs N       default 5
  --lines N       default 1000000 for bleu, 200000 for the others
  -h, --help      show this text'

readonly work=build/bench_eval settings="bleu chrf chrf++ ter"

# Writes references and hypotheses, each with some words moved, dropped, doubled or replaced.
make_text() {
  build/venv/bin/python - "$1" "$2" "$work" <<'PYTHON'
import gzip, random, sys
sys.path.append("tests")
from perturbed import perturbed, replaced
name, count, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
text = (gzip.open if name.endswith(".gz") else open)(name, "rb").read().decode()
lines = text.rstrip("\n").split("\n")
vocabulary = sorted({word for line in lines for word in line.split()})
rng = random.Random(1)

def near_to(line):
    return perturbed(rng, line, lambda words, i, j: replaced(words, i, rng.choice(vocabulary)), least=1, most=4)

with open(f"{folder}/hypothesis", "w") as hypotheses, open(f"{folder}/reference", "w") as references:
    for i in range(count):
        reference = lines[i] if i < len(lines) else near_to(lines[i % len(lines)])
        print(reference, file=references)
        print(near_to(reference), file=hypotheses)
PYTHON
}

# "seconds MiB" of a command, its output in $work/result.
measure() {
  build/venv/bin/python - "$work/result" "$@" <<'PYTHON'
import resource, subprocess, sys, time
with open(sys.argv[1], "wb") as result:
    start = time.monotonic()
    subprocess.run(sys.argv[2:], stdout=result, stderr=subprocess.DEVNULL, check=True)
    print(f"{time.monotonic() - start:.3f} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024}")
PYTHON
}

run_xformer() {
  local options=(--metric "${1%++}")
  [ "$1" != chrf++ ] || options+=(--chrf-word-order 2)
  measure "$xformer" eval --hypothesis "$work/hypothesis" --reference "$work/reference" "${options[@]}" --width 6
}

run_package() {
  local options=(--metrics "${1%++}")
  [ "$1" != chrf++ ] || options+=(--chrf-word-order 2)
  measure build/venv/bin/sacrebleu "$work/reference" --input "$work/hypothesis" "${options[@]}" --width 6 --format text
}

# The score in a line of either.
score() { grep -o 'version:[^ ]* = [0-9.]*' "$work/result" | sed 's/.* //'; }

compare() {  # setting
  local setting=$1 count=${lines:-200000} pair ours theirs our_score
  [ "$setting" != bleu ] || count=${lines:-1000000}
  make_text "$text" "$count"
  : >"$work/speed" && : >"$work/memory"
  for ((pair = 1; pair <= pairs; ++pair)); do
    read -ra ours <<<"$(run_xformer "$setting")"
    our_score=$(score)
    read -ra theirs <<<"$(run_package "$setting")"
    [ "$our_score" = "$(score)" ] || fail "$setting: the scores differ: $our_score and $(score)"
    say "$setting: xformer ${ours[0]} s ${ours[1]} MiB, sacrebleu ${theirs[0]} s ${theirs[1]} MiB"
    echo "${theirs[0]} ${ours[0]}" >>"$work/speed"
    echo "${ours[1]} ${theirs[1]}" >>"$work/memory"
  done
  echo "${setting}_$count: $(summary <"$work/speed")"
  echo "${setting}_$count memory: $(summary <"$work/memory")"
}

main() {
  local text=$PWD/data/multi30k/train.en pairs=5 lines="" only=""
  xformer=$PWD/build/release/src/xformer
  parse_options "only text xformer pairs lines" "" "$@"
  [[ " $settings " == *" ${only:-bleu} "* ]] || refuse_option "--only is $only, must be one of $settings"
  xformer=$(path_of "$xformer") text=$(path_of "$text")
  want_build
  [ -f "$text" ] || fail "$text is missing; scripts/fetch_multi30k.sh brings data/multi30k, or name a text with --text"
  mkdir -p "$work"
  for setting in ${only:-$settings}; do compare "$setting"; done
}

main "$@"

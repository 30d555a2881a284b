#!/usr/bin/env bash
# What a new process costs that translates one line, beside loading LibTorch.
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh
source scripts/bench.sh

# shellcheck disable=SC2016
usage='Usage: scripts/bench_startup.sh --model DIR [--line TEXT] [--pairs N]

Times, N times in turns, `xformer-torch --version`, which does no more than load LibTorch, and `xformer translate` of one
line, which loads none of it, and prints the median of the differences. Needs build/release.

  --model DIR  a model of xformer
  --line TEXT  what is translated
  --pairs N    default 15
  -h, --help   show this text'

main() {
  local model="" line="Ein Hund läuft über die Wiese." pairs=15
  parse_options "model line pairs" "" "$@"
  model=$(path_of "$model")
  [ -f "$model/config.json" ] || refuse_option "--model must name a model of xformer"
  python3 - "$model" "$line" "$pairs" <<'PYTHON'
import statistics, subprocess, sys, time
model, line, pairs = sys.argv[1:]


def seconds(program, *arguments):
    start = time.perf_counter()
    subprocess.run([f"build/release/src/{program}", *arguments], input=line + "\n", text=True, capture_output=True, check=True)
    return time.perf_counter() - start


def show(name, times):
    print(f"{name}: median {statistics.median(times):.3f} s (min {min(times):.3f}, max {max(times):.3f}, {len(times)} pairs)")


for precision in ("float32", "int8"):
    loads, lines = [], []
    for _ in range(int(pairs)):
        loads.append(seconds("xformer-torch", "--version"))
        lines.append(seconds("xformer", "translate", "--model", model, "--precision", precision))
    show("loading LibTorch", loads)
    show(f"one line, {precision}", lines)
    show("more than loading", [b - a for a, b in zip(loads, lines)])
PYTHON
}

main "$@"

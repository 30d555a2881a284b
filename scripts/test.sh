#!/usr/bin/env bash
# Builds xformer with every warning an error and runs all of its tests.
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh

usage='Usage: scripts/test.sh [--shared DIR] [--sanitize]

Installs what is missing, checks the formatting, builds with warnings as errors and runs every test.
The last lines are the summary of ctest; the exit status is 0 when everything passed.

  --shared DIR  folder with data/multi30k, for the tests on real text (default: that in the variable
                XFORMER_SHARED); without it those tests are skipped
  --sanitize    build and test with the address and undefined-behaviour sanitizers
  -h, --help    show this text'

# LibTorch headers take more than 1 GB to compile: as many compilers as cores and memory allow.
build_jobs() {
  local cores gigabytes
  cores=$(getconf _NPROCESSORS_ONLN)
  gigabytes=$(awk '/^MemAvailable/ { print int($2 / 1048576 / 1.5) }' /proc/meminfo 2>/dev/null || echo 1)
  [ "$gigabytes" -ge 1 ] || gigabytes=1
  echo $((cores < gigabytes ? cores : gigabytes))
}

check_format() {
  say "checking the formatting"
  find src tests \( -name '*.h' -o -name '*.cpp' \) -print0 |
    xargs -0 build/venv/bin/clang-format --dry-run --Werror ||
    fail "files are not formatted; build/venv/bin/clang-format -i FILE mends them"
}

main() {
  local preset=check shared=${XFORMER_SHARED:-}
  while [ $# -gt 0 ]; do
    case "$1" in
      --shared)
        [ $# -ge 2 ] || refuse_option "--shared wants a folder"
        shared=$2
        shift
        ;;
      --sanitize) preset=asan ;;
      -h | --help) echo "$usage" && exit 0 ;;
      *) refuse_option "unknown option $1" ;;
    esac
    shift
  done
  if [ -n "$shared" ]; then
    shared=$(cd "$caller" && cd "$shared" 2>/dev/null && pwd) ||
      refuse_option "the folder with test data does not exist"
  fi

  scripts/setup.sh --tests
  check_format
  export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(build_jobs)}
  say "building build/$preset"
  cmake --preset "$preset" -DXFORMER_SHARED_DIR="$shared"
  cmake --build --preset "$preset"
  if [ -z "$shared" ]; then
    say "NOTE: the tests on real text are skipped: neither --shared nor XFORMER_SHARED names a folder with data/multi30k"
  fi
  # ctest speaks last: its closing lines are the summary.
  ctest --preset "$preset"
}

main "$@"

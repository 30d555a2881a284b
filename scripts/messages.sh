# shellcheck shell=bash
# How every script here speaks, and that a failure within $(...) ends it too; sourced, not run.
shopt -s inherit_errexit

say() { printf '%s: %s\n' "${0##*/}" "$*"; }

# One plain sentence, then the end.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

refuse_option() {
  printf '%s: %s; --help lists what is allowed\n' "${0##*/}" "$1" >&2
  exit 2
}

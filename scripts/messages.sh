# shellcheck shell=bash
# How every script here speaks; sourced, not run.

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

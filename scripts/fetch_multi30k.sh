#!/usr/bin/env bash
# Puts Multi30k, the real text of the examples, into data/multi30k.
set -euo pipefail
readonly caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh

usage='Usage: scripts/fetch_multi30k.sh [--from DIR]

Writes data/multi30k/{train,val,test_2016_flickr,test_2017_flickr,test_2017_mscoco,test_2018_flickr}.{de,en,fr,cs}
(the 2017 sets have no Czech), checked against scripts/multi30k.sha256. A second run does nothing.

  --from DIR  take the .gz files from this folder instead of the public repository multi30k/dataset
  -h, --help  show this text'

readonly upstream=https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw
readonly checksums=scripts/multi30k.sha256
readonly target=data/multi30k

# Copies or downloads one file.
obtain() {
  local name=$1 folder=$2 destination=$3
  if [ -n "$folder" ]; then
    cp "$folder/$name" "$destination" 2>/dev/null || fail "$folder has no readable $name"
  elif command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --retry 2 --connect-timeout 20 --output "$destination" \
      "$upstream/$name" || fail "$upstream/$name could not be downloaded; --from DIR takes the files from a folder"
  elif command -v wget >/dev/null; then
    wget --quiet --tries 3 --timeout 20 --output-document "$destination" "$upstream/$name" ||
      fail "$upstream/$name could not be downloaded; --from DIR takes the files from a folder"
  else
    fail "neither curl nor wget is installed; install one of them or use --from DIR"
  fi
}

# Text appears under its own name only when it is whole and right.
unpack() {
  local name=$1 sum=$2 folder=$3
  local text=$target/${name%.gz}
  [ ! -s "$text" ] || return 0
  obtain "$name" "$folder" "$scratch/$name"
  echo "$sum  $scratch/$name" | sha256sum --check --status ||
    fail "$name is not the file that $checksums describes: its sha256 differs"
  gzip --decompress --stdout "$scratch/$name" >"$scratch/text"
  mv "$scratch/text" "$text"
  written=$((written + 1))
}

main() {
  local folder='' sum name
  while [ $# -gt 0 ]; do
    case "$1" in
      --from)
        [ $# -ge 2 ] || refuse_option "--from wants a folder"
        folder=$(cd "$caller" && cd "$2" 2>/dev/null && pwd) || refuse_option "the folder $2 does not exist"
        shift
        ;;
      -h | --help) echo "$usage" && exit 0 ;;
      *) refuse_option "unknown option $1" ;;
    esac
    shift
  done
  mkdir -p "$target"
  scratch=$(mktemp -d "$target/.incoming.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  written=0
  while read -r sum name; do
    unpack "$name" "$sum" "$folder"
  done <"$checksums"
  say "$target is complete, $written files were written"
}

main "$@"

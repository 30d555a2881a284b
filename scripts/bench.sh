# shellcheck shell=bash disable=SC2154
# What the benchmarks share; sourced, not run.

# Sets the variables named as the options: one in the first list takes the word behind it, one in the second is set to
# "yes". --help prints $usage.
parse_options() {  # options with a value, options without, the command line
  local valued=" $1 " flags=" $2 " name
  shift 2
  while [ $# -gt 0 ]; do
    name=${1#--}
    case "$1" in
      -h | --help) echo "$usage" && exit 0 ;;
      --*) ;;
      *) refuse_option "unknown option $1" ;;
    esac
    if [[ $valued == *" $name "* ]]; then
      [ $# -ge 2 ] || refuse_option "$1 wants a value"
      printf -v "$name" '%s' "$2"
      shift
    elif [[ $flags == *" $name "* ]]; then
      printf -v "$name" yes
    else
      refuse_option "unknown option $1"
    fi
    shift
  done
}

# A path as the caller meant it: scripts work in the project's root. $caller is the folder they were called from.
path_of() { [ -z "$1" ] || (cd "$caller" && realpath -m -- "$1"); }

want_build() {
  [ -x "$xformer" ] || fail "$xformer is missing: cmake --preset release && cmake --build --preset release makes it"
}

want_multi30k() { [ -f data/multi30k/train.de ] || fail "data/multi30k is missing; scripts/fetch_multi30k.sh brings it"; }

# Calls compare NAME PRECISION BEAM for each setting of a translation, or for the one that $only names.
compare_searches() {
  local precision search name
  case "$only" in
    "" | float32_greedy | float32_beam4 | int8_greedy | int8_beam4) ;;
    *) refuse_option "--only is $only, must be float32_greedy, float32_beam4, int8_greedy or int8_beam4" ;;
  esac
  for precision in float32 int8; do
    for search in greedy:1 beam4:4; do
      name=${precision}_${search%:*}
      [ -z "$only" ] || [ "$only" = "$name" ] || continue
      compare "$name" "$precision" "${search#*:}"
    done
  done
}

# "median ratio R (min A, max B, N pairs)" of lines "ours theirs".
summary() {
  awk '{ print $1 / $2 }' | sort -g | awk '{ r[NR] = $1 }
    END { m = NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2
          printf "median ratio %.2f (min %.2f, max %.2f, %d pairs)\n", m, r[1], r[NR], NR }'
}

#!/usr/bin/env bash
# Installs what building and testing need, and only what is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/messages.sh

usage='Usage: scripts/setup.sh [--tests]

Installs what is missing to build xformer on Debian 12 or 13 or Ubuntu 24.04: the compiler, the build tools
and the libraries through apt (as root or with sudo), and LibTorch. A LibTorch named by Torch_DIR or
CMAKE_PREFIX_PATH, or a torch that python3 can import, is used as it is; otherwise the version in
scripts/versions.txt goes into build/venv. Running it again is safe, and quick when nothing is missing.

  --tests     also install into build/venv what scripts/test.sh needs
  -h, --help  show this text'

readonly venv=build/venv
readonly versions=scripts/versions.txt
readonly cpu_wheels=https://download.pytorch.org/whl/cpu
readonly libraries=(libsentencepiece-dev libcli11-dev libspdlog-dev libfmt-dev nlohmann-json3-dev catch2
                    libicu-dev libxxhash-dev zlib1g-dev libzstd-dev)
readonly test_packages=(pytest hypothesis sacrebleu sentencepiece safetensors numpy clang-format tensorboard
                        selenium ctranslate2 transformers)
readonly browser=(chromium chromium-driver fonts-dejavu-core)

has() { command -v "$1" >/dev/null 2>&1; }

pinned() { sed -n "s/^$1==//p" "$versions"; }

at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# --- packages of the system ---

check_system() {
  local ID='' VERSION_ID='' PRETTY_NAME='this system'
  # shellcheck source=/dev/null
  [ ! -r /etc/os-release ] || source /etc/os-release
  local known="xformer's setup knows Debian 12 and newer and Ubuntu 24.04 and newer"
  if ! has apt-get || ! has dpkg-query; then
    fail "$PRETTY_NAME has no apt-get: $known; elsewhere install the libraries that src/dependencies.cmake names by hand"
  fi
  case "$ID" in
    debian) at_least 12 "${VERSION_ID:-12}" || fail "$PRETTY_NAME is too old: $known" ;;
    ubuntu) at_least 24.04 "${VERSION_ID:-24.04}" || fail "$PRETTY_NAME is too old: $known" ;;
  esac
}

cmake_is_new_enough() {
  has cmake && at_least 3.25 "$(cmake --version | sed -n '1s/[^0-9]*//p')"
}

missing_packages() {
  has "${CXX:-c++}" || echo g++
  cmake_is_new_enough || echo cmake
  has ninja || echo ninja-build
  has ccache || echo ccache
  has mold || echo mold
  has pkg-config || echo pkg-config
  local library
  for library in "${libraries[@]}"; do
    case "$(dpkg-query --show --showformat='${db:Status-Status}' "$library" 2>/dev/null)" in
      installed) ;;
      *) echo "$library" ;;
    esac
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo --non-interactive "$@"
  fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >/dev/null
}

install_packages() {
  [ $# -gt 0 ] || return 0
  say "installing $*"
  if [ "$(id -u)" -ne 0 ] && ! has sudo; then
    fail "neither root nor sudo: ask an administrator to run apt-get install $*"
  fi
  # Package lists that are absent or out of date make the first try fail.
  if ! apt-cache show --no-all-versions "$@" >/dev/null 2>&1 || ! apt_install "$@" 2>/dev/null; then
    say "fetching the package lists"
    as_root apt-get update --quiet=2 >/dev/null || fail "apt-get update failed: is the network reachable, and are you allowed to use sudo?"
    apt_install "$@" || fail "apt-get could not install $*"
  fi
}

# --- Python and LibTorch ---

ensure_venv() {
  # pip comes last when an environment is made: where it stands, nothing was interrupted.
  if [ -x "$venv/bin/pip" ]; then
    return
  fi
  if ! has python3 || ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    install_packages python3-venv
  fi
  say "creating $venv"
  # A torch that python3 has stays visible, so that tests and benchmarks may import it.
  python3 -m venv --clear "$@" "$venv" || fail "python3 could not create the virtual environment $venv"
}

pip_install() {
  "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input --constraint "$versions" "$@"
}

# The CPU build, from wherever pip is set up to look, else from PyTorch's own index. That is asked for torch alone:
# where it cannot be reached, every further package would wait for it again.
install_cpu_build() {
  pip_install "torch==$1+cpu" 2>/dev/null && return
  pip_install --timeout 15 --retries 1 --no-deps --index-url "$cpu_wheels" "torch==$1+cpu" 2>/dev/null &&
    pip_install "torch==$1+cpu"
}

has_gpu() { has nvidia-smi && nvidia-smi --list-gpus >/dev/null 2>&1; }

install_libtorch() {
  ensure_venv
  local version
  version=$(pinned torch)
  if ! has_gpu && [ "$(uname -m)" = x86_64 ]; then
    say "no NVIDIA GPU: installing the CPU build of LibTorch $version into $venv (about 200 MB to fetch)"
    install_cpu_build "$version" && return
    say "the CPU build cannot be had from here; taking the one with CUDA: 3 GB to fetch, 7 GB on disk"
  else
    say "installing LibTorch $version into $venv"
  fi
  pip_install "torch==$version" ||
    fail "pip could not install torch $version; with a LibTorch of your own, set CMAKE_PREFIX_PATH to its folder"
}

find_libtorch() { cmake -P src/libtorch.cmake; }

# True when pip was stopped midway: it writes RECORD last.
libtorch_is_half_installed() {
  compgen -G "$venv/lib/python3*/site-packages/torch" >/dev/null &&
    ! compgen -G "$venv/lib/python3*/site-packages/torch-*.dist-info/RECORD" >/dev/null
}

ensure_libtorch() {
  local found
  found=$(find_libtorch)
  if [ -z "$found" ] || libtorch_is_half_installed; then
    install_libtorch
    found=$(find_libtorch)
  fi
  [ -n "$found" ] || fail "LibTorch was installed into $venv but cannot be found there"
  say "LibTorch ${found/ / in }"
}

# The tests of pages open them in a browser; where there is none, they are skipped.
ensure_browser() {
  if has chromium && has chromedriver; then
    return
  fi
  # Ubuntu has Chromium as a snap alone.
  if (check_system && install_packages "${browser[@]}"); then
    return
  fi
  say "NOTE: no Chromium to be had here: the tests that open pages in it will be skipped"
}

# Those of the named packages that the environment lacks or has in a version other than the pinned one.
missing_test_packages() {
  "$venv/bin/python" - "$versions" "${test_packages[@]}" <<'PYTHON'
import importlib.metadata, sys
pinned = dict(line.strip().split("==") for line in open(sys.argv[1]) if "==" in line and line[0] != "#")
for name in sys.argv[2:]:
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        found = None
    if found != pinned[name]:
        print(f"{name}=={pinned[name]}")
PYTHON
}

ensure_test_packages() {
  ensure_venv --system-site-packages
  local missing
  mapfile -t missing < <(missing_test_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]} into $venv"
  pip_install "${missing[@]}" || fail "pip could not install ${missing[*]}"
}

main() {
  local tests=no missing
  while [ $# -gt 0 ]; do
    case "$1" in
      --tests) tests=yes ;;
      -h | --help) echo "$usage" && exit 0 ;;
      *) refuse_option "unknown option $1" ;;
    esac
    shift
  done
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -gt 0 ]; then
    check_system
    install_packages "${missing[@]}"
  fi
  ensure_libtorch
  if [ "$tests" = yes ]; then
    ensure_test_packages
    ensure_browser
  fi
}

main "$@"

#!/usr/bin/env bash
# Installs what is missing on a Debian machine. Called by the other scripts; `--tests` adds what only
# the tests and the checks need, `--browser` what checks pages need, `--node` what checks exported
# models needs, `--web` what builds the page, `--engine` leaves out LibTorch (the playing program
# alone).
set -euo pipefail

packages=(g++ cmake ninja-build pkg-config ccache
  libeigen3-dev libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libzstd-dev libxxhash-dev zlib1g-dev libhiredis-dev libmicrohttpd-dev libtomlplusplus-dev libjs-chart.js libonnx-dev libprotobuf-dev)
# Without an optimised BLAS LibTorch falls to the reference one and is 30 times slower.
training=(libtorch-dev libopenblas0-pthread)
tests=(libgtest-dev libgmock-dev clang-format git redis-server)

wanted=("${packages[@]}")
engine=false
for argument in "$@"; do
  case "$argument" in
    --tests) wanted+=("${tests[@]}") ;;
    --browser) wanted+=(chromium) ;;
    --node) command -v npm >/dev/null || wanted+=(nodejs npm) ;;
    --web) wanted+=(emscripten); command -v npm >/dev/null || wanted+=(nodejs npm) ;;
    --engine) engine=true ;;
    *) echo "setup.sh: unknown option '$argument' (known: --tests, --browser, --node, --web, --engine)" >&2; exit 2 ;;
  esac
done
$engine || wanted+=("${training[@]}")

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

echo "Installing: ${missing[*]}" >&2
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "setup.sh: run as root, or install sudo: these packages are missing: ${missing[*]}" >&2; exit 1; }
  sudo=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

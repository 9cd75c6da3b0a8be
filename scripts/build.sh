#!/usr/bin/env bash
# Configures and builds a preset: scripts/build.sh [PRESET] [CMake options ...]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -gt 0 ] && shift
cmake --preset "$preset" "$@" >/dev/null
cmake --build --preset "$preset"

#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests. scripts/test.sh runs the fast tier and
# scripts/test.sh --full everything.
set -euo pipefail
cd "$(dirname "$0")/.."
tier=(-L fast)
for argument in "$@"; do
  case "$argument" in
    --full) tier=() ;;
    *) echo "test.sh: unknown option '$argument' (known: --full)" >&2; exit 2 ;;
  esac
done
scripts/setup.sh --tests
scripts/build.sh release
# One more than there are cores: many tests of processes wait most of the time.
ctest --test-dir build/release --no-tests=error --output-on-failure -j "$(( $(nproc) + 1 ))" "${tier[@]}"

#!/usr/bin/env bash
# From a bare Debian machine to an engine of your own in about ten minutes of training: installs what
# is missing, builds, trains on the embedded default, and plays the result against the built-in
# players. Options are passed to `toguz train`:  scripts/quickstart.sh --set run.seed=2
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release --target toguz
exec build/release/toguz train "$@"

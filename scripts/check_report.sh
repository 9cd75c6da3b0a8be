#!/usr/bin/env bash
# Opens a run's report in headless Chromium: it must draw everything without an error.
#   scripts/check_report.sh RUN [PICTURE.png]
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:?usage: scripts/check_report.sh RUN [PICTURE.png]}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "check_report.sh: no Chromium; scripts/setup.sh --browser installs it" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/release/toguz report "$run" --out "$work/report.html" >/dev/null
open_page() {
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --virtual-time-budget=5000 --window-size=1300,3400 "$@" "file://$work/report.html" 2>"$work/log"
}
open_page --dump-dom --enable-logging=stderr >"$work/dom.html"
body=$(grep -o '<body[^>]*>' "$work/dom.html" || true)
if grep -q 'CONSOLE' "$work/log" || [[ $body != *'data-ready="yes"'* || $body == *data-errors* ]]; then
  echo "check_report.sh: the page of $run failed in the browser: $body" >&2
  grep 'CONSOLE' "$work/log" >&2 || true
  exit 1
fi
if [ $# -ge 2 ]; then open_page --screenshot="$(realpath "$2")" >/dev/null; fi
echo "report of $run: $body"

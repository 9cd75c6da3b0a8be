#!/usr/bin/env bash
# Drives the page in headless Chromium, as a file with the network off and as `toguz serve` gives it
# out: whole games, studying, languages, layout, accessibility, and its engine against the native one.
#   scripts/check_web.sh [--quick] [--shots DIR] [NAME...]
# NAME: only the files of web/e2e whose names hold it. --quick leaves out what takes long and repeats
# what another test does in another game, language or size, and what measures times: some three
# minutes instead of eight. --shots also takes pictures of every view in every language and of every
# board into DIR, for people to look at.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=4000000  # bytes of the page
long='against level [12] by|a game watched|(kk|ky|ru|pl|fil): nothing goes sideways|a large screen'
long+='|no long task|until the first move|five seconds of thinking|no fault found: (dark|a phone)'
names=()
while [ $# -gt 0 ]; do
  case "$1" in
    --shots)
      [ -n "${2:-}" ] || { echo "check_web.sh: --shots wants a folder" >&2; exit 2; }
      SHOTS=$(realpath -m "$2")
      export SHOTS
      shift ;;
    --quick) names+=(--testNamePattern "^(?!.*($long))") ;;
    -*) echo "check_web.sh: unknown option '$1' (known: --quick, --shots DIR)" >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done

export TOGUZ=${TOGUZ:-$PWD/build/release/toguz}
fail() { echo "check_web.sh: $1" >&2; exit 1; }
[ -x "$TOGUZ" ] || fail "$TOGUZ is not built; run scripts/build.sh"
for part in page.html toguz-simd.wasm toguz-plain.wasm; do
  [ -f "build/web/$part" ] || fail "build/web/$part is not built; run scripts/build_web.sh"
done
[ -d web/node_modules/playwright-core ] || fail "web/node_modules is missing; run scripts/build_web.sh"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} ||
  fail "no Chromium; scripts/setup.sh --browser installs it"
export CHROMIUM

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$TOGUZ" export models/pretrained/standard.tzn --format html -o "$work/toguz.html" >/dev/null
size=$(stat -c %s "$work/toguz.html")
echo "the page: $size bytes of $limit"
[ "$size" -lt "$limit" ] || fail "the page has $size bytes; it should stay below $limit"

# The page's tools want a newer Node.js than Debian 12 has (scripts/build_web.sh gets one).
own=$PWD/build/node/node_modules/node/bin
if [ -x "$own/node" ]; then PATH=$own:$PATH; fi
cd web
npm run --silent e2e -- ${names[@]+"${names[@]}"}

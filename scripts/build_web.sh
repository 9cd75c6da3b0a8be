#!/usr/bin/env bash
# Builds the page to play and study in (docs: README, "In the browser"): the engine as WebAssembly,
# with vectors and without, and the page around it, into build/web. `toguz export --format html` and
# `toguz serve` take it from there. Installs what is missing. `--check` also runs the page's own checks
# and unit tests.
set -euo pipefail
cd "$(dirname "$0")/.."

check=false
for argument in "$@"; do
  case "$argument" in
    --check) check=true ;;
    *) echo "build_web.sh: unknown option '$argument' (known: --check)" >&2; exit 2 ;;
  esac
done
scripts/setup.sh --web --engine

build_engine() {  # name, vectors ON or OFF
  local folder=build/wasm-$1
  emcmake cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTOGUZ_MARCH= \
    -DTOGUZ_WASM_SIMD="$2" -DTOGUZ_WERROR=ON >/dev/null 2>&1 ||
    { echo "build_web.sh: cannot configure $folder; run: emcmake cmake -S . -B $folder -G Ninja" >&2; exit 1; }
  cmake --build "$folder" --target toguz-page
  mkdir -p build/web
  cp "$folder/web/toguz-page.wasm" "build/web/toguz-$1.wasm"
}
build_engine simd ON
build_engine plain OFF

# The page's tools want a newer Node.js than Debian 12 has; npm has one.
wanted=20
have=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
if [ "$have" -lt "$wanted" ]; then
  [ -x build/node/node_modules/node/bin/node ] || npm install --silent --prefix build/node node@22
  PATH=$PWD/build/node/node_modules/node/bin:$PATH
fi
cd web
npm ci --silent
if $check; then
  npm run --silent check
  npm test --silent
fi
npm run --silent build
echo "build/web/page.html, toguz-simd.wasm, toguz-plain.wasm"

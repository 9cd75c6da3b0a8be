#!/usr/bin/env bash
# Exports models as ONNX, runs them in ONNX Runtime (from npm, into build/onnxruntime) at several
# batch sizes and holds the answers against the native network's. Prints the greatest difference of
# each model; exit status 1 if one exceeds 1e-4.
#   scripts/check_export.sh MODEL [MODEL ...]
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: scripts/check_export.sh MODEL [MODEL ...]" >&2; exit 2; }
models=()
for model in "$@"; do
  models+=("$(realpath -e "$model" 2>/dev/null)") || { echo "check_export.sh: no file $model" >&2; exit 2; }
done
cd "$(dirname "$0")/.."
command -v npm >/dev/null || {
  echo "check_export.sh: no Node.js with npm; scripts/setup.sh --node installs it" >&2; exit 1; }
runtime=$PWD/build/onnxruntime
if [ ! -e "$runtime/node_modules/onnxruntime-node/package.json" ]; then
  mkdir -p "$runtime"
  # Its install script fetches what a GPU needs; the CPU's library lies in the package.
  npm install --prefix "$runtime" --ignore-scripts --no-save --no-audit --no-fund --loglevel=error \
    onnxruntime-node >&2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/check.js" <<'JS'
const fs = require('fs');
const ort = require('onnxruntime-node');
const [name, onnx, samplesFile] = process.argv.slice(2);
const card = JSON.parse(fs.readFileSync(onnx + '.json'));
const samples = JSON.parse(fs.readFileSync(samplesFile)).samples;
const worst = Object.fromEntries(card.outputs.map(output => [output.name, 0]));

async function check(session, batch) {
  const columns = card.input.shape[1];
  const rows = BigInt64Array.from(batch.flatMap(sample => sample.rows), BigInt);
  const feeds = {[card.input.name]: new ort.Tensor('int64', rows, [batch.length, columns])};
  const answers = await session.run(feeds);
  let most = 0;
  for (const {name, shape} of card.outputs) {
    const {data, dims} = answers[name];
    if (dims[0] !== batch.length || dims[1] !== shape[1] || dims.length !== 2)
      throw new Error(`${name} has shape [${dims}]`);
    batch.forEach((sample, i) => sample.outputs[name].forEach((want, j) => {
      const off = Math.abs(want - data[i * shape[1] + j]);
      most = Math.max(most, Number.isNaN(off) ? Infinity : off);
      worst[name] = Math.max(worst[name], off);
    }));
  }
  return most;
}

(async () => {
  const session = await ort.InferenceSession.create(onnx);
  let greatest = await check(session, card.examples);
  const batches = [];
  for (const size of [1, 2, 7, 64]) {
    let most = 0;
    for (let at = 0; at + size <= samples.length; at += size)
      most = Math.max(most, await check(session, samples.slice(at, at + size)));
    batches.push(`batch ${size}: ${most.toExponential(1)}`);
    greatest = Math.max(greatest, most);
  }
  const outputs = Object.entries(worst).map(([name, off]) => `${name} ${off.toExponential(1)}`);
  console.log(`${name}: greatest difference ${greatest.toExponential(1)} (${batches.join(', ')}; ` +
              `${outputs.join(', ')})`);
  if (!(greatest <= 1e-4)) process.exitCode = 1;
})().catch(error => { console.error(`${name}: ${error.message}`); process.exitCode = 1; });
JS
failed=0
for model in "${models[@]}"; do
  build/release/toguz export "$model" --format onnx -o "$work/net.onnx" --samples "$work/samples.json" \
    --sample-count 1024 >/dev/null
  NODE_PATH=$runtime/node_modules node "$work/check.js" "$(basename "$model")" "$work/net.onnx" \
    "$work/samples.json" || failed=1
done
exit $failed

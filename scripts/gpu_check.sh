#!/usr/bin/env bash
# Checks the program on a CUDA device: builds against the LibTorch inside an installed PyTorch (into
# build/gpu), runs the tests that hold LibTorch's answers and gradients against the program's own on
# the device, then a self-play benchmark there. Where there is no device it says so and ends well.
#   scripts/gpu_check.sh [DEVICE]      DEVICE: cuda (default) or cuda:N
set -euo pipefail
cd "$(dirname "$0")/.."
device=${1:-cuda}
if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L 2>/dev/null | grep GPU >/dev/null; then
  echo "gpu_check.sh: no CUDA device here: nothing to check"
  exit 0
fi
python=${PYTHON:-python3}
if ! prefix=$("$python" -c 'import torch; print(torch.utils.cmake_prefix_path)' 2>/dev/null); then
  echo "gpu_check.sh: $python has no PyTorch: install one with CUDA, or name another with PYTHON=..." >&2
  exit 1
fi
"$python" -c 'import torch, sys; sys.exit(0 if torch.cuda.is_available() else "gpu_check.sh: this PyTorch finds no CUDA device: install one built with CUDA")'
if [ "$("$python" -c 'import torch; print(int(torch.compiled_with_cxx11_abi()))')" != 1 ]; then
  echo "gpu_check.sh: this PyTorch was built with the older std::string, which Debian's libraries do not have: install a newer one" >&2
  exit 1
fi
scripts/setup.sh --tests
nvidia-smi -L

# A LibTorch from elsewhere has an ONNX library of its own within.
cmake -S . -B build/gpu -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  -DTOGUZ_ONNX=OFF >/dev/null
cmake --build build/gpu --target toguz models_torch_test trainer_test

export TOGUZ_TEST_DEVICE=$device
build/gpu/tests/models_torch_test
build/gpu/tests/trainer_test
build/gpu/toguz bench inference selfplay --device "$device"
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
build/gpu/toguz train configs/smoke.toml --run "$run/gpu" --final-games 0 \
  --set "training.device=$device" --set "selfplay.device=$device"
echo "gpu_check.sh: passed on $device"

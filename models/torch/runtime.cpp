#include "models/torch/runtime.h"

#include <dlfcn.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "base/error.h"

namespace toguz {

void limitTorchThreads() {
  static std::once_flag once;
  std::call_once(once, [] {
    at::set_num_threads(1);
    try {
      at::set_num_interop_threads(1);
    } catch (const c10::Error&) {
      // Already in use: the host of this library has chosen, and nothing here starts such threads.
    }
    // The environment is read when OpenBLAS is loaded, which is long past.
    using SetThreads = void (*)(int);
    if (auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
      set(1);
  });
}

void checkTorchDevice(const std::string& device) {
  const auto fail = [&](const std::string& why) { throw Error("device '" + device + "' " + why); };
  torch::Device parsed(torch::kCPU);
  try {
    parsed = torch::Device(device);
  } catch (const c10::Error&) {
    fail("is not known; use cpu or cuda:N");
  }
  if (parsed.is_cpu()) return;
  if (!parsed.is_cuda()) fail("is not supported; use cpu or cuda:N");
  if (!torch::cuda::is_available())
    fail("is not there: this LibTorch finds no CUDA device; use cpu, or a LibTorch with CUDA");
  const auto count = static_cast<int>(torch::cuda::device_count());
  if (parsed.has_index() && parsed.index() >= count)
    fail("is not there: this machine has " + std::to_string(count) + " CUDA device(s)");
}

std::string torchDevice(const std::string& configured) {
  const std::string prefix = "torch:";
  return configured.starts_with(prefix) ? configured.substr(prefix.size()) : configured;
}

std::string blasName() {
  using CoreName = const char* (*)();
  if (auto core = reinterpret_cast<CoreName>(dlsym(RTLD_DEFAULT, "openblas_get_corename")))
    return std::string("OpenBLAS (") + core() + " kernels)";
  if (at::hasMKL()) return "MKL";
  return "unknown";
}

double sgemmGflops() {
  limitTorchThreads();
  const torch::NoGradGuard guard;
  const torch::Tensor a = torch::full({512, 128}, 0.5f), b = torch::full({128, 128}, 0.25f);
  torch::Tensor c = torch::empty({512, 128});
  const auto once = [&] {
    const auto start = std::chrono::steady_clock::now();
    torch::mm_out(c, a, b);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  once();
  double best = once();
  for (int i = 0; i < 12; ++i) best = std::min(best, once());
  return 2.0 * 512 * 128 * 128 / best * 1e-9;
}

}  // namespace toguz

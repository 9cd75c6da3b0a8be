// The one place that sets LibTorch and its BLAS up. No torch headers here.
#pragma once

#include <string>

namespace toguz {

// One intra-op, one inter-op and one BLAS thread for the whole process: the program's own threads
// are one a core already, and nested pools spin against each other. Cheap to call again, any
// thread.
void limitTorchThreads();

// Throws Error unless `device` ("cpu", "cuda", "cuda:N") exists; the line names it and the remedy.
void checkTorchDevice(const std::string& device);

// What LibTorch calls the device that a configuration names: "torch:cpu" is its "cpu", for "cpu"
// alone means the native kernels.
std::string torchDevice(const std::string& configured);

// The BLAS behind LibTorch on the CPU and the kernels it picked for this processor, as far as they
// can be told: "OpenBLAS (SkylakeX kernels)", or "unknown".
std::string blasName();
// Measured rate of a 512 x 128 x 128 product in LibTorch on one thread; takes some 20 ms.
double sgemmGflops();

}  // namespace toguz

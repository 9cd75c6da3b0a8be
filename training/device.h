// What the machine can do, measured at the start of a run so that a slow library or a missing
// device is seen at once and not hours later.
#pragma once

#include <string>
#include <vector>

#include "models/model.h"

namespace toguz {

struct DeviceReport {
  std::string device;                 // of training
  std::string blas;                   // behind LibTorch on the CPU
  int cores = 0;                      // that the process may run on
  double evaluationsPerSecond = 0;    // native inference of `model`, batch 64, one thread
  double sgemmGflops = 0;             // LibTorch, one thread
  std::vector<std::string> warnings;  // one line each, with the remedy

  // "device cpu, 2 cores, native inference 500,000 evaluations/s a core (batch 64), ..."
  std::string text() const;
};

// Takes about 0.2 s. Throws Error if the device is not there. Sets LibTorch's threads (runtime.h).
DeviceReport measureDevice(const Model& model, const std::string& device);

}  // namespace toguz

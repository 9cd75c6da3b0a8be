// A published network as self-play's configuration wants it: native, or by LibTorch on a device.
#pragma once

#include <memory>

#include "selfplay/published.h"

namespace toguz {

// Throws Error if the device is not there.
std::shared_ptr<const NetworkHandle> makeHandle(std::shared_ptr<const Published> published,
                                                const SelfPlayConfig& config);

}  // namespace toguz

// What `toguz status` prints. Any thread.
#pragma once

#include <string>

#include "store/run_store.h"

namespace toguz {

// A few lines for people, and one for each worker. `name` is the store's.
std::string statusText(const StoreStatus& status, const std::string& name);

}  // namespace toguz

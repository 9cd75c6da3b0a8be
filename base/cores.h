// Which processor cores this process may run on.
#pragma once

#include <vector>

namespace toguz {

// Their numbers; {-1} where the system does not tell, which still counts as one.
std::vector<int> usableCores();

}  // namespace toguz

// What this process may use of the machine, and does.
#pragma once

#include <string>
#include <vector>

namespace toguz {

// The numbers of the processor cores it may run on; {-1} where the system does not tell, which
// still counts as one.
std::vector<int> usableCores();

// Memory of this process that is in RAM, in units of 10^6 bytes; 0 where the system does not tell.
double residentMegabytes();

// "?" where the system does not tell.
std::string hostName();

}  // namespace toguz

#include "play/shipped.h"

#include <cstdlib>
#include <system_error>
#include <vector>

namespace toguz {
namespace fs = std::filesystem;

std::optional<fs::path> shippedModel(const Rules& rules) {
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("TOGUZ_MODELS"); chosen && *chosen)
    folders.push_back(chosen);
  folders.push_back("models/pretrained");
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!ignored) folders.push_back(program.parent_path().parent_path() / "share" / "toguz");
  folders.push_back(TOGUZ_SHIPPED_MODELS);
  for (const fs::path& folder : folders) {
    const fs::path file = folder / (rules.name() + ".tzn");
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return std::nullopt;
}

}  // namespace toguz

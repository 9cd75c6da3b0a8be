// The one description of every option: key, member, range, help. Internal to training/config*.cpp.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "training/config.h"

namespace toguz {

// An enumeration seen as the list of its names.
struct NamedChoice {
  std::vector<std::string> names;
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

using OptionTarget = std::variant<bool*, int*, std::int64_t*, double*, std::string*,
                                  std::vector<std::string>*, NamedChoice>;

struct Option {
  std::string section;
  std::string name;
  OptionTarget target;
  double min = 0;  // of numbers, both ends allowed
  double max = 0;
  int step = 1;  // whole numbers must be multiples of it
  std::string help;

  std::string key() const { return section + "." + name; }
  bool isNumber() const { return target.index() >= 1 && target.index() <= 3; }
};

// Every option, in the order of the file; the targets point into `config`.
std::vector<Option> options(Config& config);

// The value as TOML writes it.
std::string valueText(const Option& option);
// "1 to 64", "puct or gumbel", "true or false", "text", "list of texts".
std::string rangeText(const Option& option);

}  // namespace toguz

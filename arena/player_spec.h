// The string form of a player, taken apart: KIND[:key=value,...], with a first part without `=`
// where the kind wants one (model:PATH,...).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace toguz {

class PlayerSpec {
 public:
  // Keys outside `known`, keys given twice and parts without a value throw UsageError.
  // `withPath`: the first part is a path and must be there.
  PlayerSpec(const std::string& text, const std::string& options,
             const std::vector<std::string>& known, bool withPath = false);

  const std::string& path() const { return path_; }
  // Throws UsageError unless the value is a whole number in [least, most].
  std::optional<std::int64_t> number(const std::string& key, std::int64_t least,
                                     std::int64_t most) const;
  // Throws UsageError unless the value is a number in [least, most].
  std::optional<double> real(const std::string& key, double least, double most) const;
  // The value as it was written.
  std::optional<std::string> word(const std::string& key) const;

 private:
  struct Option {
    std::string key;
    std::string value;
  };
  std::string text_;
  std::string path_;
  std::vector<Option> options_;
};

}  // namespace toguz

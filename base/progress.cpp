#include "base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace toguz {
namespace {

constexpr double kTerminalSeconds = 0.5;
constexpr double kLogSeconds = 10.0;

}  // namespace

std::string durationText(double seconds) {
  const auto all = static_cast<long long>(std::max(0.0, seconds) + 0.5);
  const long long hours = all / 3600, minutes = all / 60 % 60;
  char buffer[64];
  if (hours > 0)
    std::snprintf(buffer, sizeof buffer, "%lld:%02lld:%02lld", hours, minutes, all % 60);
  else
    std::snprintf(buffer, sizeof buffer, "%lld:%02lld", minutes, all % 60);
  return buffer;
}

std::string countText(double count) {
  static constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  unsigned unit = 0;
  // 999.5 would be printed with four digits.
  while (std::abs(count) >= 999.5 && unit < 4) {
    count /= 1000;
    ++unit;
  }
  char buffer[32];
  const int decimals = unit == 0                 ? 0
                       : std::abs(count) < 9.995 ? 2
                       : std::abs(count) < 99.95 ? 1
                                                 : 0;
  std::snprintf(buffer, sizeof buffer, "%.*f%s", decimals, count, kUnits[unit]);
  return buffer;
}

Progress::Progress(std::FILE* out, bool terminal) : out_(out), terminal_(terminal) {}

Progress Progress::onStandardError() {
  return Progress(stderr, ::isatty(STDERR_FILENO) == 1);
}

Progress::~Progress() {
  finish();
}

std::string Progress::line(double elapsedSeconds, double share, const Fields& fields) {
  std::string text;
  if (share >= 0) {
    char percent[16];
    std::snprintf(percent, sizeof percent, "[%3d%%] ",
                  static_cast<int>(std::min(share, 1.0) * 100));
    text = percent;
  }
  text += durationText(elapsedSeconds);
  // Too early, the rate so far says nothing of the rest.
  if (share >= 0.005)
    text += ", " + durationText(elapsedSeconds * std::max(0.0, 1.0 / share - 1.0)) + " left";
  for (const auto& [name, value] : fields) text += ", " + name + " " + value;
  return text;
}

void Progress::update(double elapsedSeconds, double share, const Fields& fields) {
  pending_ = line(elapsedSeconds, share, fields);
  if (elapsedSeconds < nextAt_) return;
  nextAt_ = elapsedSeconds + (terminal_ ? kTerminalSeconds : kLogSeconds);
  show(pending_);
}

void Progress::show(const std::string& text) {
  if (terminal_) {
    // Blanks cover what is left of a longer line before.
    const std::size_t blanks = shownWidth_ > text.size() ? shownWidth_ - text.size() : 0;
    std::fprintf(out_, "\r%s%s", text.c_str(), std::string(blanks, ' ').c_str());
    shownWidth_ = text.size();
  } else {
    std::fprintf(out_, "%s\n", text.c_str());
  }
  std::fflush(out_);
  pending_.clear();
}

void Progress::finish() {
  if (!pending_.empty()) show(pending_);
  if (terminal_ && shownWidth_ > 0) {
    std::fputc('\n', out_);
    std::fflush(out_);
    shownWidth_ = 0;
  }
}

}  // namespace toguz

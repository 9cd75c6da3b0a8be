// One line that tells a person how a run is getting on. On a terminal it is rewritten in place; in
// a log it is a new line every ten seconds. Belongs to one thread.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace toguz {

// "0:42", "12:05", "3:04:09" from seconds.
std::string durationText(double seconds);
// "950", "12.3k", "4.56M": a count in at most five characters up to billions.
std::string countText(double count);

class Progress {
 public:
  using Fields = std::vector<std::pair<std::string, std::string>>;  // name, value, in order

  // `terminal` as isatty says of `out`, which must outlive this.
  Progress(std::FILE* out, bool terminal);
  // On standard error.
  static Progress onStandardError();
  ~Progress();

  // `share` is the part of the run's budget that is spent, in [0, 1], or below 0 if it has none;
  // `elapsedSeconds` is the run's, earlier parts of a resumed run included. Shows the line if it is
  // time to: twice a second on a terminal, every ten seconds elsewhere.
  void update(double elapsedSeconds, double share, const Fields& fields);
  // Shows the last line if it was not, and ends it. Also before other text goes to `out`.
  void finish();

  // What `update` shows: "[ 42%] 4:12, 5:48 left, games 12.3k, ...".
  static std::string line(double elapsedSeconds, double share, const Fields& fields);

 private:
  void show(const std::string& text);

  std::FILE* out_;
  bool terminal_;
  double nextAt_ = 0;
  std::string pending_;         // the newest line, if it is not shown yet
  std::size_t shownWidth_ = 0;  // of the line open on the terminal
};

}  // namespace toguz

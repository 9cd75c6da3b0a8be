// A sitting at the board without a terminal or a clock.
#pragma once

#include <string>
#include <vector>

#include "play/terminal/session.h"

namespace toguz::testing {

// A weak engine that answers at once.
inline SessionOptions quickOptions(const std::string& variant = "standard",
                                   Seats seats = Seats::First) {
  SessionOptions options;
  options.rules = Rules::named(variant);
  options.seats = seats;
  options.level = 1;
  options.fullStrength = {.nodes = 12};
  return options;
}

class Sitting {
 public:
  explicit Sitting(SessionOptions options = quickOptions()) : session_(std::move(options)) {}

  // One line and all that the engine does before the next.
  std::vector<std::string> say(std::string_view line) {
    events_ = session_.handle(line);
    work();
    std::vector<std::string> texts;
    for (const SessionEvent& event : events_)
      if (!event.text.empty()) texts.push_back(event.text);
    return texts;
  }
  std::string first(std::string_view line) {
    const auto texts = say(line);
    return texts.empty() ? "" : texts[0];
  }
  // The refusal of a line, "" if it was followed.
  std::string refusal(std::string_view line) {
    say(line);
    const bool refused = events_.size() == 1 && events_[0].kind == SessionEvent::Kind::Refuse;
    return refused ? events_[0].text : "";
  }
  void work() {
    while (session_.task() != Session::Task::None) {
      StopSignal stop;
      session_.search(stop);
      const auto more = session_.finishSearch();
      events_.insert(events_.end(), more.begin(), more.end());
    }
  }

  const Session::Events& events() const { return events_; }
  bool has(SessionEvent::Kind kind) const {
    for (const SessionEvent& event : events_)
      if (event.kind == kind) return true;
    return false;
  }
  Session& session() { return session_; }
  const Game& game() const { return session_.game(); }
  std::string fen() { return first("fen"); }

 private:
  Session session_;
  Session::Events events_;
};

}  // namespace toguz::testing

#include "play/terminal/play_loop.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "play/sowing_frames.h"

namespace toguz {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kThinkingShownAfter{300};
constexpr milliseconds kThinkingStep{1000};
// A pit of many balls is sown faster, so that no move takes much longer than this many balls do.
constexpr int kBallsAtFullTime = 20;
constexpr int kHelpIndent = 18;
// Lines that must fit under the board for it to stay at the top.
constexpr int kLeastBelow = 6;

milliseconds ballTime(Speed speed) {
  switch (speed) {
    case Speed::Slow:
      return milliseconds(450);
    case Speed::Normal:
      return milliseconds(160);
    case Speed::Fast:
      return milliseconds(50);
    case Speed::Off:
      break;
  }
  return milliseconds(0);
}

class Loop {
 public:
  Loop(Console& console, Session& session, int width)
      : console_(console), session_(session), width_(width) {}

  void run(Session::Events opening) {
    // What was on the screen scrolls away instead of being written over.
    if (console_.live())
      console_.write(std::string(static_cast<std::size_t>(console_.size().rows), '\n'));
    changed_ = true;
    if (!show(opening)) return leave();
    for (;;) {
      if (!runTasks()) return leave();
      draw();
      if (console_.typed()) console_.write(session_.prompt());
      const std::optional<std::string> line = console_.readLine();
      if (!line) return leave();
      if (!console_.typed()) console_.write("> " + *line + "\n");
      notes_.clear();
      unseen_ = 0;
      if (!show(session_.handle(*line))) return;
    }
  }

 private:
  int columns() const { return width_ > 0 ? width_ : console_.size().columns; }

  void leave() {
    if (console_.typed()) console_.write("\n");
  }

  // Searches and shows until it is a person's turn. False to leave.
  bool runTasks() {
    while (session_.task() != Session::Task::None) {
      const bool watching = session_.seats() == Seats::None;
      switch (search()) {
        case Console::Wake::Leave:
          return false;
        case Console::Wake::Key:
          if (watching && session_.task() == Session::Task::Move) {
            show(session_.handle("stop"));
            return true;
          }
          break;
        case Console::Wake::Timeout:
        case Console::Wake::Woken:
          break;
      }
      skipped_ = false;
      if (!show(session_.finishSearch())) return false;
      if (!watching || session_.task() != Session::Task::Move) continue;
      // Someone who watches wants to see where a move has led.
      if (!skipped_) {
        const Console::Wake wake = pause(ballTime(session_.speed()) * 6);
        if (wake == Console::Wake::Leave) return false;
        skipped_ = wake == Console::Wake::Key;
      }
      if (skipped_) show(session_.handle("stop"));
    }
    return true;
  }

  // How the search ended: by itself (Woken), by a key, or to leave.
  Console::Wake search() {
    StopSignal stop;
    std::exception_ptr failure;
    Console::Wake how = Console::Wake::Woken;
    bool shown = false;
    const bool watching = session_.seats() == Seats::None;
    if (console_.live()) draw();
    {
      const Console::RawKeys keys(console_);
      std::thread thread([&] {
        try {
          session_.search(stop);
        } catch (...) {
          failure = std::current_exception();
        }
        console_.wake();
      });
      milliseconds next = kThinkingShownAfter;
      std::exception_ptr trouble;  // of the console
      try {
        for (int seconds = 0;;) {
          const Console::Wake wake = console_.wait(next);
          if (wake == Console::Wake::Woken) break;
          if (wake == Console::Wake::Timeout) {
            if (console_.live()) {
              console_.write("\rthinking... " +
                             (seconds > 0 ? std::to_string(seconds) + " s" : std::string()) +
                             (watching ? " (any key: pause)" : " (any key: enough)") + "\033[K");
              shown = true;
            }
            next = kThinkingStep;
            ++seconds;
            continue;
          }
          how = wake;
          stop.request();
          if (wake == Console::Wake::Leave) break;
        }
      } catch (...) {
        trouble = std::current_exception();
        stop.request();
      }
      thread.join();
      if (trouble) std::rethrow_exception(trouble);
    }
    if (shown) console_.write("\r\033[K");
    if (failure) std::rethrow_exception(failure);
    return how;
  }

  Console::Wake pause(milliseconds time) {
    if (!console_.live() || time.count() == 0) return Console::Wake::Timeout;
    const Console::RawKeys keys(console_);
    return console_.wait(time);
  }

  // False to leave.
  bool show(const Session::Events& events) {
    for (const SessionEvent& event : events) {
      switch (event.kind) {
        case SessionEvent::Kind::Quit:
          return false;
        case SessionEvent::Kind::Say:
          note(event.text);
          break;
        case SessionEvent::Kind::Refuse:
          note("? " + event.text);
          break;
        case SessionEvent::Kind::Exact:
          add({event.text});
          break;
        case SessionEvent::Kind::Board:
          changed_ = true;
          if (!event.text.empty()) note(event.text);
          break;
        case SessionEvent::Kind::Move:
          if (!animate(event)) return false;
          changed_ = true;
          note(event.text);
          break;
      }
    }
    return true;
  }

  void note(const std::string& text) {
    add(wrapText(text, columns() - 1, text.starts_with("  ") ? kHelpIndent : 0));
  }

  void add(const std::vector<std::string>& lines) {
    if (!console_.live()) {
      for (const std::string& line : lines) console_.write(line + "\n");
      return;
    }
    for (const std::string& line : lines) notes_.push_back({line, &line == &lines.front()});
    unseen_ += lines.size();
  }

  BoardLook look() const {
    BoardLook look;
    look.width = columns();
    look.colour = console_.colour();
    look.unicode = console_.unicode();
    look.flip = session_.flip();
    return look;
  }

  // The board, with as many lines as leave room below.
  std::vector<std::string> board(const BoardScene& scene) const {
    BoardLook shape = look();
    std::vector<std::string> lines = drawBoard(scene, shape);
    if (console_.live() && static_cast<int>(lines.size()) + kLeastBelow > console_.size().rows) {
      shape.dots = false;
      lines = drawBoard(scene, shape);
    }
    return lines;
  }

  bool fits(const std::vector<std::string>& lines) const {
    return static_cast<int>(lines.size()) + kLeastBelow <= console_.size().rows;
  }

  std::vector<std::string> captionLines() const {
    std::vector<std::string> lines;
    for (const std::string& caption : session_.captions())
      for (std::string& line : wrapText(caption, columns() - 3)) lines.push_back("  " + line);
    return lines;
  }

  // Brings the screen up to date before the prompt, or while the engine thinks.
  void draw() {
    if (!console_.live()) {
      if (!changed_) return;
      std::string text = "\n";
      for (const std::string& line : board(session_.scene())) text += line + "\n";
      for (const std::string& line : captionLines()) text += line + "\n";
      console_.write(text + "\n");
      changed_ = false;
      return;
    }
    if (!changed_) {
      // Below what is there already.
      std::string text;
      for (std::size_t i = notes_.size() - unseen_; i < notes_.size(); ++i)
        text += notes_[i].line + "\n";
      unseen_ = 0;
      if (!text.empty()) console_.write(text);
      return;
    }
    std::vector<std::string> lines = board(session_.scene());
    const bool inPlace = fits(lines);
    for (std::string& line : captionLines()) lines.push_back(std::move(line));
    lines.emplace_back();
    const std::size_t room = static_cast<std::size_t>(
        std::max(2, console_.size().rows - static_cast<int>(lines.size()) - 1));
    std::size_t first = inPlace && notes_.size() > room ? notes_.size() - room : 0;
    // No sentence without its beginning.
    for (std::size_t i = first; i < notes_.size(); ++i)
      if (notes_[i].begins) {
        first = i;
        break;
      }
    for (std::size_t i = first; i < notes_.size(); ++i) lines.push_back(notes_[i].line);
    paint(lines, inPlace);
    changed_ = false;
    unseen_ = 0;
  }

  // All at once and over what was there, so that nothing flickers.
  void paint(const std::vector<std::string>& lines, bool inPlace) {
    std::string text = inPlace ? "\033[H" : "";
    for (const std::string& line : lines) text += line + (inPlace ? "\033[K\n" : "\n");
    console_.write(text + (inPlace ? "\033[J" : ""));
  }

  // False to leave.
  bool animate(const SessionEvent& event) {
    milliseconds time = ballTime(session_.speed());
    if (!console_.live() || time.count() == 0) return true;
    const Rules& rules = session_.game().rules();
    const std::vector<SowingFrame> frames = sowingFrames(rules, event.before, event.pit);
    const int balls = frames.front().inHand;
    if (balls > kBallsAtFullTime) time = time * kBallsAtFullTime / balls;

    const Console::RawKeys keys(console_);
    console_.write("\033[?25l");
    const struct CursorBack {
      Console& console;
      ~CursorBack() {
        try {
          console.write("\033[?25h");
        } catch (const std::exception&) {
          // Said by the write that follows.
        }
      }
    } cursorBack{console_};
    for (const SowingFrame& frame : frames) {
      BoardScene scene = session_.sceneOf(frame.position);
      scene.toMove = event.before.side;
      scene.from = frames.front().square;
      scene.now = frame.square;
      std::vector<std::string> lines = board(scene);
      if (!fits(lines)) return true;
      lines.emplace_back();
      lines.push_back("  " + (frame.capture      ? event.text
                              : frame.inHand > 0 ? "in hand: " + std::to_string(frame.inHand)
                                                 : std::string()));
      lines.back() = wrapText(lines.back(), columns() - 1).front();
      paint(lines, true);
      switch (console_.wait(frame.capture ? time * 4 : time)) {
        case Console::Wake::Leave:
          return false;
        case Console::Wake::Key:
          skipped_ = true;
          return true;
        case Console::Wake::Timeout:
        case Console::Wake::Woken:
          break;
      }
    }
    return true;
  }

  Console& console_;
  Session& session_;
  int width_;
  struct Note {
    std::string line;
    bool begins;  // a sentence, that lines after it may go on
  };
  std::vector<Note> notes_;  // since the last line that the person typed
  std::size_t unseen_ = 0;   // of them, at the end
  bool changed_ = false;     // the board on the screen is another
  bool skipped_ = false;     // a key ended the last animation
};

}  // namespace

void playAt(Console& console, Session& session, Session::Events opening, int width) {
  Loop(console, session, width).run(std::move(opening));
}

}  // namespace toguz

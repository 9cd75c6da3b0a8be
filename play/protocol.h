// The protocol of `toguz engine`: lines in, lines out, in the manner of UCI.
//
// What a client may rely on beyond the table of commands:
// * Anything wrong gets exactly one line `error WHAT` and changes nothing; a running search goes
// on.
// * `position moves M ...` goes on from the current position; all its moves are played or none.
// * uci, isready, d and stop are answered at once, also during a search. Any other command that is
//   right, quit and the end of the input first end a running search: one with limits has half a
//   second to finish by itself, so that a script piped in gets its answers, then it is stopped; an
//   infinite one is stopped at once. Its `bestmove` comes before anything the command does.
// * `stop` without a search is no error and has no answer. Blank lines are ignored.
// * A clock below 0 counts as 0: a client's late message must not cost the answer.
// * `setoption name Variant` goes to the variant's start position. It is refused while a model of
//   another variant is loaded, as is a model of another variant than the current one; an empty
//   Model goes back to random playouts.
// * `setoption name Precision` reads the current model's file again.
// * With MultiPV above 1 each report is that many info lines, `info multipv K ...` with K from 1.
// * `go ponder ...` thinks without end about the current position, which is the one expected after
//   the opponent's reply. `ponderhit` says that he made it: the limits of that `go` count from then
//   on and what was found is kept. `stop` ends it with a `bestmove`, as does any other command.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "play/engine.h"

namespace toguz {

struct ProtocolSetup {
  Rules rules;
  Engine::Network network;  // null: random playouts; else of the same rules (UsageError)
  std::string modelPath;    // shown as the Model option's default
};

class Protocol {
 public:
  // Called with one line without its end, from the thread that calls `handle` or from the search's,
  // never by two at once. It must not call `handle`.
  using Sink = std::function<void(std::string_view)>;
  // A longer line is an error, whatever it holds.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 20;

  Protocol(ProtocolSetup setup, Sink sink);
  ~Protocol();  // stops a running search
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;

  // Takes one line, any bytes, and answers it. False after `quit`: nothing more will be answered.
  // One thread at a time.
  bool handle(std::string_view line);
  // Ends a running search as `quit` does and returns when its `bestmove` is out.
  void finishSearch();
  // Waits for a running search to end by itself; forever if it is infinite.
  void waitForSearch();

 private:
  using Words = std::vector<std::string_view>;

  bool dispatch(std::string_view line);
  void greet(const char* last);
  void newGame(const Words& arguments);
  void position(std::string_view line);
  void setOption(std::string_view line);
  void go(const Words& arguments);
  void ponderHit();
  void startSearch(const EngineLimits& limits);
  // `ponder`: whether the word was there.
  EngineLimits readLimits(const Words& arguments, bool& ponder) const;
  void setModel(const std::string& path);
  void setPrecision(std::string_view text);
  void setRules(const Rules& rules);
  void runSearch(const EngineLimits& limits);
  void sendInfo(const SearchInfo& info);
  std::string infoLine(const SearchInfo& info, const SearchLine& line) const;
  std::string bestMoveLine(const SearchReport& report) const;
  void reseed();
  void joinSearch();
  void send(std::string_view line);
  void sendError(std::string_view what);

  ProtocolSetup setup_;
  Sink sink_;
  std::mutex sinkMutex_;

  // Of the thread that calls `handle`; the search has its own copy in engine_.
  Game game_;
  int startFullmove_ = 1;
  int plyCap_ = Game::kDefaultPlyCap;
  std::string modelPath_;  // of the current model; empty if there is none or it came from no file
  Precision precision_ = Precision::Auto;

  Engine engine_;  // the search thread's while there is one
  std::thread search_;
  StopSignal stop_;
  bool infinite_ = false;
  // Of a `go ponder` under way, and what is to happen at a ponderhit.
  std::optional<EngineLimits> pondered_;
  std::atomic<bool> silent_{false};  // the search under way sends no more
  bool ponder_ = false;              // the option
  std::int64_t seed_ = 0;            // the option
  std::mutex finishedMutex_;
  std::condition_variable finishedChanged_;
  bool finished_ = true;  // guarded by finishedMutex_
};

// Serves one client: lines from `in` until `quit` or its end, answers on `out`, each flushed.
void serveProtocol(std::istream& in, std::ostream& out, ProtocolSetup setup);

}  // namespace toguz

// Analysis for programs: queries and answers as lines of JSON, answered as they are done, in any
// order. docs/protocols.md has the fields and examples.
//
// Every query gets exactly one answer, an error or a cancelled one included; so does every line
// that is no query.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/analyst.h"

namespace toguz {

class QueryServer {
 public:
  // Called with one line without its end, by any thread but never by two at once.
  using Sink = std::function<void(std::string_view)>;
  // The network that plays these rules; throws UsageError if there is none.
  using Networks = std::function<Engine::Network(const Rules&)>;
  static constexpr std::size_t kMaxLine = std::size_t{1} << 20;

  // `variant`: of queries that name none. `threads` of each variant's analyst; 0 = one a core.
  QueryServer(Networks networks, std::string variant, int threads, Sink sink);
  ~QueryServer();  // cancels what is under way; its answers still come
  QueryServer(const QueryServer&) = delete;
  QueryServer& operator=(const QueryServer&) = delete;

  // Takes one line, any bytes. One thread at a time. Blank lines are ignored.
  void handle(std::string_view line);
  // Waits until every query is answered.
  void finish();

 private:
  struct Pending {
    Analyst* analyst = nullptr;
    std::optional<Analyst::Ticket> ticket;
  };

  void query(const nlohmann::json& query, const std::string& id);
  void cancel(const nlohmann::json& query);
  Analyst& analystOf(const Rules& rules);
  void send(const std::string& line);

  Networks networks_;
  std::string variant_;
  int threads_;
  Sink sink_;
  std::mutex sinkMutex_;
  int lines_ = 0;
  std::mutex pendingMutex_;
  std::map<std::string, Pending> pending_;  // by the id as JSON text
  // Last, so that they end before what their answers use.
  std::map<std::string, std::unique_ptr<Analyst>> analysts_;
};

}  // namespace toguz

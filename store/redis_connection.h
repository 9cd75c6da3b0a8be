// A connection to a Redis server, over hiredis: binary-safe commands, replies as values, failures
// as the two kinds of run_store.h. Connects when first used, and again after a failure; it never
// repeats a command by itself. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "store/run_store.h"

struct redisContext;
struct redisSSLContext;

namespace toguz {

struct RedisAddress {
  std::string host = "localhost";
  int port = 6379;
  std::string user, password;  // empty: none
  bool tls = false;
  std::string run;  // the part after the last '/': letters, digits, '-', '_' and '.'
  std::chrono::milliseconds answerTime{5000};  // a server that needs longer is taken for hung
  std::chrono::seconds forgetAfter{3600};      // what is kept of a worker not heard of for so long

  // "redis://HOST:PORT/RUN", without user and password.
  std::string text() const;
};
// Throws UsageError naming what is wrong with it.
RedisAddress parseRedisAddress(const std::string& address);

struct RedisReply {
  enum class Kind : std::uint8_t { Nil, Integer, Text, Array };
  Kind kind = Kind::Nil;
  std::int64_t integer = 0;
  std::string text;  // also of a status
  std::vector<RedisReply> items;

  bool nil() const { return kind == Kind::Nil; }
};

// The server answered with an error that callers may want to tell apart by its first word.
class RedisError : public StoreUnavailable {
 public:
  RedisError(std::string code, const std::string& message)
      : StoreUnavailable(message), code_(std::move(code)) {}
  const std::string& code() const { return code_; }  // "NOGROUP", "OOM", ...

 private:
  std::string code_;
};

class RedisConnection {
 public:
  explicit RedisConnection(RedisAddress address);
  ~RedisConnection();
  RedisConnection(const RedisConnection&) = delete;

  const RedisAddress& address() const { return address_; }
  void setAnswerTime(std::chrono::milliseconds time) { address_.answerTime = time; }
  // Changes with every connection that was made: what was begun on an earlier one may be lost.
  std::uint64_t connections() const { return connections_; }
  // Makes one if there is none.
  void open();

  // One command. `wait`: for how long the server may hold the answer back on purpose. Throws
  // StoreUnavailable if it cannot be reached or does not answer in time (whether the command was
  // done is then unknown), RedisError for an error that may pass, Error for one that will not.
  RedisReply command(const std::vector<std::string_view>& parts,
                     std::chrono::milliseconds wait = {});
  // A Lua script: sent in full once, then by its hash.
  RedisReply script(const std::string& source, const std::vector<std::string>& keys,
                    const std::vector<std::string_view>& arguments);

 private:
  void connect();
  void close();
  void login();
  RedisReply ask(const std::vector<std::string_view>& parts, std::chrono::milliseconds wait);
  [[noreturn]] void lost(const std::string& what);
  [[noreturn]] void refuse(const std::string& reply) const;

  RedisAddress address_;
  redisContext* context_ = nullptr;
  redisSSLContext* tls_ = nullptr;
  std::uint64_t connections_ = 0;
  std::map<std::string, std::string> scripts_;  // their hashes, by source
};

}  // namespace toguz

// A server of answers that are at hand and of streams of events, on one thread.
//
// HTTP is GNU libmicrohttpd's; what is ours is how long a connection has for each step, and the
// events. A connection costs a slot, never a thread: a client that is slow, silent or gone holds up
// nobody. Memory a connection is bounded by a request's head and, for a stream, by two events: an
// event that was not sent before the next one comes is left out, so each must say all there is to
// say.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "serve/http.h"

struct MHD_Connection;
struct MHD_Daemon;

namespace toguz {

struct ServerLimits {
  using Time = std::chrono::milliseconds;
  int connections = 64;
  int streams = 24;        // of the connections; more are refused with 503
  Time head{5'000};        // for the whole of the first request
  Time idle{15'000};       // for the whole of another on the same connection
  Time stall{20'000};      // while nothing of an answer or an event can be sent
  Time heartbeat{15'000};  // between two signs of life on a stream
};

class HttpServer {
 public:
  // Called by the thread that runs; must be quick.
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  // Binds; port 0 takes one that is free. Throws UsageError with the remedy if it cannot.
  HttpServer(const std::string& host, int port, Handler handler, const ServerLimits& limits = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  bool loopback() const { return loopback_; }  // bound where only this machine comes
  std::string url() const;                     // "http://127.0.0.1:8000/"

  // Serves until `stop`. What is still being sent then is cut off.
  void run();
  // From any thread and from a signal handler.
  void stop() noexcept;
  // Sends the event ("event: NAME\ndata: ...\n\n") to who listens, and to who comes later until the
  // next one. Any thread.
  void publish(const std::string& topic, std::string event);
  // The topics that somebody listens to. Any thread.
  std::set<std::string> listened() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection;
  struct Callbacks;

  void wait();
  void deliver();
  void expire();
  void countTopics();
  void end();
  bool full() const;
  Connection& open(MHD_Connection* its);
  bool answer(Connection& connection, HttpRequest& request);
  ssize_t take(Connection& connection, char* to, std::size_t most);
  void await(Connection& connection);
  void resume(Connection& connection);
  void cut(Connection& connection);

  Handler handler_;
  ServerLimits limits_;
  std::string host_;
  int wake_ = -1, port_ = 0;
  bool loopback_ = false;
  MHD_Daemon* daemon_ = nullptr;
  std::atomic<bool> stopping_ = false;
  std::list<Connection> connections_;  // the library holds their addresses
  bool freed_ = false;

  mutable std::mutex mutex_;                                             // for what follows
  std::map<std::string, std::shared_ptr<const std::string>> published_;  // not delivered yet
  std::set<std::string> listened_;

  std::map<std::string, std::shared_ptr<const std::string>> last_;  // of each topic, delivered
};

}  // namespace toguz

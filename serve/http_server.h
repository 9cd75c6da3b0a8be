// A server of answers that are at hand and of streams of events, on one thread.
//
// A connection costs a slot, never a thread, and has so long for each step: a client that is slow,
// silent or gone holds up nobody. Memory a connection is bounded by a request's head and, for a
// stream, by two events: an event that was not sent before the next one comes is left out, so each
// must say all there is to say.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "serve/http.h"

namespace toguz {

struct ServerLimits {
  using Time = std::chrono::milliseconds;
  int connections = 64;
  int streams = 24;        // of the connections; more are refused with 503
  Time head{5'000};        // for the whole of a request
  Time idle{15'000};       // between two requests of a connection
  Time stall{20'000};      // while nothing of an answer or an event can be sent
  Time answer{300'000};    // for the whole of an answer
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

  bool hasRoom(bool make);
  void accept();
  void read(Connection& connection);
  void parse(Connection& connection);
  void answer(Connection& connection, HttpResponse response, bool close, bool withBody);
  void send(Connection& connection);
  void sent(Connection& connection);
  void deliver();
  void expire(Connection& connection, Clock::time_point now);
  void countTopics();

  Handler handler_;
  ServerLimits limits_;
  std::string host_;
  int listener_ = -1, wake_ = -1;
  int port_ = 0;
  bool loopback_ = false;
  Clock::time_point acceptAgain_{};
  std::vector<std::unique_ptr<Connection>> connections_;

  mutable std::mutex mutex_;                                             // for what follows
  std::map<std::string, std::shared_ptr<const std::string>> published_;  // not delivered yet
  std::set<std::string> listened_;

  std::map<std::string, std::shared_ptr<const std::string>> last_;  // of each topic, delivered
};

}  // namespace toguz

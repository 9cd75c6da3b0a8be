// A client that sends any bytes it likes, and a server on a thread, for tests of the server.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "serve/http_server.h"

namespace toguz::testing {

inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  int socket() const { return socket_; }

  // False once the other side takes nothing more.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // What comes until `done` of all of it, or the end, or the time is up.
  std::string read(const std::function<bool(const std::string&)>& done, double seconds = 10) {
    const auto start = std::chrono::steady_clock::now();
    while (!done(got_) && !ended_) {
      const double left = seconds - secondsSince(start);
      pollfd polled{socket_, POLLIN, 0};
      if (left <= 0 || poll(&polled, 1, static_cast<int>(1000 * left) + 1) <= 0) break;
      char buffer[65536];
      const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0)
        ended_ = true;
      else
        got_.append(buffer, static_cast<std::size_t>(count));
    }
    return got_;
  }
  std::string readFor(const std::string& text, double seconds = 10) {
    return read([&](const std::string& got) { return got.find(text) != std::string::npos; },
                seconds);
  }
  std::string readAll(double seconds = 10) {
    return read([](const std::string&) { return false; }, seconds);
  }
  // The connection was closed by the other side, as far as has been read.
  bool ended() const { return ended_; }
  void forget() { got_.clear(); }

 private:
  int socket_;
  bool connected_ = false;
  std::string got_;
  bool ended_ = false;
};

inline std::string getRequest(const std::string& target, const std::string& headers = "",
                              const std::string& method = "GET") {
  return method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n";
}
// The whole answer.
inline std::string fetch(int port, const std::string& target, const std::string& headers = "",
                         const std::string& method = "GET") {
  Client client(port);
  client.send(getRequest(target, headers + "Connection: close\r\n", method));
  return client.readAll();
}
inline int statusOf(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}
inline std::string bodyOf(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}
// "" if there is no such header.
inline std::string headerOf(const std::string& answer, const std::string& name) {
  const std::string head = answer.substr(0, answer.find("\r\n\r\n") + 2);
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t from = at + name.size() + 4;
  return head.substr(from, head.find("\r\n", from) - from);
}

// Runs while it lives.
template <typename Server>
class Running {
 public:
  explicit Running(Server& server) : server_(server), thread_([&server] { server.run(); }) {}
  ~Running() {
    server_.stop();
    thread_.join();
  }

 private:
  Server& server_;
  std::thread thread_;
};

}  // namespace toguz::testing

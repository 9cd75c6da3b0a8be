#include "serve/http_server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace toguz {
namespace {

constexpr std::size_t kReadAtOnce = 16384;
constexpr auto kLinger = std::chrono::seconds(1);  // for a client to read why it was refused
constexpr std::size_t kLingerBytes = 1 << 20;
constexpr auto kAcceptPause = std::chrono::milliseconds(200);
constexpr std::uint64_t kStop = std::uint64_t{1} << 32;  // more than all other wakes together
constexpr auto kNoEnd = std::chrono::hours(24 * 365);

void setOption(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof value);
}

std::string addressText(const sockaddr_storage& address) {
  char text[NI_MAXHOST] = "";
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), sizeof address, text, sizeof text,
              nullptr, 0, NI_NUMERICHOST);
  std::string out = text;
  // An IPv4 client of a socket for both.
  if (out.starts_with("::ffff:") && out.find('.') != std::string::npos) out.erase(0, 7);
  return out;
}

bool isLoopback(const std::string& address) {
  return address == "::1" || address.starts_with("127.");
}

std::string localAddress(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return addressText(address);
}

struct Bound {
  int socket;
  int port;
};

Bound bindTo(const std::string& host, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  const int failed = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed)
    throw UsageError("--host " + host + ": " + gai_strerror(failed) +
                     "; take 127.0.0.1, or 0.0.0.0 for the whole network");
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, &freeaddrinfo);
  const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) throw Error(std::string("no socket: ") + std::strerror(errno));
  setOption(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (bind(socket, found->ai_addr, found->ai_addrlen) < 0 || listen(socket, SOMAXCONN) < 0) {
    const int error = errno;
    close(socket);
    if (error == EADDRINUSE)
      throw UsageError("port " + std::to_string(port) + " is taken; give another, --port " +
                       std::to_string(port < 65535 ? port + 1 : 8000) +
                       ", or --port 0 for any that is free");
    if (error == EACCES)
      throw UsageError("port " + std::to_string(port) +
                       " is for the system's own services; give one from 1024, as --port 8000");
    throw UsageError("--host " + host + ": " + std::strerror(error) +
                     "; take 127.0.0.1, or 0.0.0.0 for the whole network");
  }
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  const std::uint16_t bound = address.ss_family == AF_INET6
                                  ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                  : reinterpret_cast<const sockaddr_in&>(address).sin_port;
  return {socket, ntohs(bound)};
}

}  // namespace

struct HttpServer::Connection {
  enum class State { Request, Answer, Stream, Linger, Closed };

  explicit Connection(int s) : socket(s) {}
  ~Connection() { close(socket); }
  bool sending() const { return sentBytes < head.size() + (body ? body->size() : 0); }
  void enter(State to, std::chrono::milliseconds length) {
    state = to;
    since = Clock::now();
    deadline = since + length;
  }

  int socket;
  State state = State::Request;
  Clock::time_point since, deadline;  // of the state
  Clock::time_point stalled;          // when what is being sent must have got on
  std::string address;
  std::string in;  // received and not yet used
  // Being sent: the head of an answer and its body, or an event.
  std::string head;
  std::shared_ptr<const std::string> body;
  std::size_t sentBytes = 0;
  bool closeAfter = false;
  std::size_t unasked = 0;  // bytes that came while no request was awaited
  bool answered = false;    // an earlier request
  // Of a stream.
  std::string topic;
  std::shared_ptr<const std::string> next;  // event that waits for the one being sent
  Clock::time_point heartbeat;
};

HttpServer::HttpServer(const std::string& host, int port, Handler handler,
                       const ServerLimits& limits)
    : handler_(std::move(handler)), limits_(limits), host_(host) {
  const Bound bound = bindTo(host, port);
  listener_ = bound.socket;
  port_ = bound.port;
  loopback_ = isLoopback(localAddress(listener_));
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_ < 0) {
    close(listener_);
    throw Error(std::string("no eventfd: ") + std::strerror(errno));
  }
}

HttpServer::~HttpServer() {
  close(listener_);
  close(wake_);
}

std::string HttpServer::url() const {
  // An address that stands for all of them is none to go to.
  std::string host = host_ == "0.0.0.0" ? "127.0.0.1" : host_ == "::" ? "::1" : host_;
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return "http://" + host + ":" + std::to_string(port_) + "/";
}

void HttpServer::stop() noexcept {
  // All that a signal handler can do is to write.
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(wake_, &kStop, sizeof kStop);
  errno = error;
}

void HttpServer::publish(const std::string& topic, std::string event) {
  {
    const std::lock_guard lock(mutex_);
    published_[topic] = std::make_shared<const std::string>(std::move(event));
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
}

std::set<std::string> HttpServer::listened() const {
  const std::lock_guard lock(mutex_);
  return listened_;
}

void HttpServer::run() {
  for (;;) {
    const auto now = Clock::now();
    auto until = now + std::chrono::minutes(1);
    std::vector<pollfd> polled{{wake_, POLLIN, 0}};
    // With no slot free the others wait in the system's queue; slots have their times.
    const bool accepting = hasRoom(false) && now >= acceptAgain_;
    polled.push_back({accepting ? listener_ : -1, POLLIN, 0});
    if (!accepting) until = now + kAcceptPause;
    for (const auto& connection : connections_) {
      short events = 0;
      if (connection->state != Connection::State::Answer) events |= POLLIN;
      if (connection->sending()) events |= POLLOUT;
      polled.push_back({connection->socket, events, 0});
      until = std::min(until, connection->deadline);
      if (connection->sending()) until = std::min(until, connection->stalled);
      if (connection->state == Connection::State::Stream)
        until = std::min(until, connection->heartbeat);
    }
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
    if (poll(polled.data(), polled.size(), static_cast<int>(std::max<long>(0, wait))) < 0) {
      if (errno == EINTR) continue;
      throw Error(std::string("poll: ") + std::strerror(errno));
    }
    if (polled[0].revents) {
      std::uint64_t wakes = 0;
      if (::read(wake_, &wakes, sizeof wakes) == sizeof wakes && wakes >= kStop) break;
      deliver();
    }
    const auto after = Clock::now();
    for (std::size_t i = 0; i + 2 < polled.size(); ++i) {
      Connection& connection = *connections_[i];
      const short events = polled[i + 2].revents;
      if (events & (POLLIN | POLLHUP | POLLERR)) read(connection);
      if (connection.sending()) send(connection);
      expire(connection, after);
    }
    std::erase_if(connections_, [](const auto& connection) {
      return connection->state == Connection::State::Closed;
    });
    countTopics();
    if (polled[1].revents) accept();
  }
  connections_.clear();
  countTopics();
}

// With every slot taken, one that waits for a next request, or for a first word, can be had.
bool HttpServer::hasRoom(bool make) {
  constexpr auto kFirstWord = std::chrono::milliseconds(200);
  if (static_cast<int>(connections_.size()) < limits_.connections) return true;
  const auto now = Clock::now();
  auto longest = connections_.end();
  for (auto it = connections_.begin(); it != connections_.end(); ++it) {
    const Connection& connection = **it;
    if (connection.state != Connection::State::Request || !connection.in.empty()) continue;
    if (!connection.answered && now - connection.since < kFirstWord) continue;
    if (longest == connections_.end() || connection.since < (*longest)->since) longest = it;
  }
  if (longest == connections_.end()) return false;
  if (make) connections_.erase(longest);
  return true;
}

void HttpServer::accept() {
  if (!hasRoom(true)) return;
  const int socket = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket < 0) {
    // No file is free, say: it would be ready at once again.
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
      acceptAgain_ = Clock::now() + kAcceptPause;
    return;
  }
  setOption(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  // What a vanished client never acknowledged ends its stream.
  setOption(socket, IPPROTO_TCP, TCP_USER_TIMEOUT,
            static_cast<int>((limits_.stall + limits_.heartbeat).count()));
  auto connection = std::make_unique<Connection>(socket);
  connection->address = localAddress(socket);
  connection->enter(Connection::State::Request, limits_.head);
  connections_.push_back(std::move(connection));
}

void HttpServer::read(Connection& connection) {
  char buffer[kReadAtOnce];
  const ssize_t got = recv(connection.socket, buffer, sizeof buffer, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    connection.state = Connection::State::Closed;
    return;
  }
  if (connection.state != Connection::State::Request) {  // nobody asked for it
    connection.unasked += static_cast<std::size_t>(got);
    if (connection.unasked > kLingerBytes) connection.state = Connection::State::Closed;
    return;
  }
  if (connection.in.empty()) connection.enter(Connection::State::Request, limits_.head);
  connection.in.append(buffer, static_cast<std::size_t>(got));
  parse(connection);
}

void HttpServer::parse(Connection& connection) {
  HttpRequest request;
  const HttpHead head = parseHead(connection.in, request);
  if (head.fault) return answer(connection, {head.fault, {}, nullptr, {}}, true, true);
  if (!head.size) return;
  connection.in.erase(0, head.size);
  request.address = connection.address;
  HttpResponse response;
  try {
    response = handler_(request);
  } catch (const std::exception&) {
    response.status = 500;
  }
  if (request.method != "GET") response.topic.clear();
  if (!response.topic.empty()) {
    const auto streams = std::count_if(connections_.begin(), connections_.end(),
                                       [](const auto& c) { return !c->topic.empty(); });
    if (streams >= limits_.streams) response = {503, {{"Retry-After", "30"}}, nullptr, {}};
  }
  // A body that nobody reads would be taken for the next request.
  const bool close = !response.topic.empty() || !request.keepAlive || request.hasBody;
  answer(connection, std::move(response), close, request.method != "HEAD");
}

void HttpServer::answer(Connection& connection, HttpResponse response, bool close, bool withBody) {
  const auto now = Clock::now();
  connection.head = headText(response, close);
  connection.body = withBody ? std::move(response.body) : nullptr;
  connection.sentBytes = 0;
  connection.closeAfter = close;
  connection.topic = std::move(response.topic);
  connection.stalled = now + limits_.stall;
  connection.enter(Connection::State::Answer, limits_.answer);
}

void HttpServer::send(Connection& connection) {
  while (connection.sending()) {
    const std::size_t ofHead = std::min(connection.sentBytes, connection.head.size());
    const bool head = ofHead < connection.head.size();
    const std::string_view rest =
        head ? std::string_view(connection.head).substr(ofHead)
             : std::string_view(*connection.body).substr(connection.sentBytes - ofHead);
    const ssize_t count = ::send(connection.socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) connection.state = Connection::State::Closed;
      return;
    }
    connection.sentBytes += static_cast<std::size_t>(count);
    connection.stalled = Clock::now() + limits_.stall;
  }
  sent(connection);
}

// All that there was to send is on its way.
void HttpServer::sent(Connection& connection) {
  const auto now = Clock::now();
  connection.head.clear();
  connection.body.reset();
  connection.sentBytes = 0;
  connection.answered = true;
  if (connection.state == Connection::State::Stream) {
    connection.body = std::move(connection.next);
    connection.next.reset();
    connection.stalled = now + limits_.stall;
    return;
  }
  if (!connection.topic.empty()) {
    connection.enter(Connection::State::Stream, kNoEnd);
    connection.heartbeat = now + limits_.heartbeat;
    const auto last = last_.find(connection.topic);
    if (last != last_.end()) connection.body = last->second;
    connection.stalled = now + limits_.stall;
    return;
  }
  if (connection.closeAfter) {
    // Closed with bytes unread, the system would take back what was sent.
    shutdown(connection.socket, SHUT_WR);
    connection.enter(Connection::State::Linger, kLinger);
    return;
  }
  connection.enter(Connection::State::Request, connection.in.empty() ? limits_.idle : limits_.head);
  if (!connection.in.empty()) parse(connection);
}

void HttpServer::deliver() {
  std::map<std::string, std::shared_ptr<const std::string>> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(published_);
  }
  for (auto& [topic, event] : events) {
    for (const auto& connection : connections_) {
      if (connection->state != Connection::State::Stream || connection->topic != topic) continue;
      if (connection->sending()) {
        connection->next = event;
        continue;
      }
      connection->body = event;
      connection->stalled = Clock::now() + limits_.stall;
    }
    last_[topic] = std::move(event);
  }
}

void HttpServer::expire(Connection& connection, Clock::time_point now) {
  using State = Connection::State;
  if (connection.state == State::Stream && now >= connection.heartbeat) {
    connection.heartbeat = now + limits_.heartbeat;
    if (!connection.sending()) {
      static const auto kComment = std::make_shared<const std::string>(":\n\n");
      connection.body = kComment;
      connection.stalled = now + limits_.stall;
    }
  }
  if (connection.sending() && now >= connection.stalled) connection.state = State::Closed;
  if (now < connection.deadline || connection.state == State::Closed) return;
  // Who began a request is told; others find the connection closed.
  if (connection.state == State::Request && !connection.in.empty())
    return answer(connection, {408, {}, nullptr, {}}, true, true);
  connection.state = State::Closed;
}

void HttpServer::countTopics() {
  std::set<std::string> topics;
  for (const auto& connection : connections_)
    if (connection->state == Connection::State::Stream) topics.insert(connection->topic);
  const std::lock_guard lock(mutex_);
  listened_.swap(topics);
}

}  // namespace toguz

#include "serve/http_server.h"

#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace toguz {
namespace {

constexpr std::size_t kMemory =
    65536;  // of a connection: both heads, and cookies of all ports come
constexpr std::size_t kReadAtOnce = 16384;
constexpr auto kFirstWord = std::chrono::milliseconds(200);
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

// A path with an escaped zero is none: it would seem to end there.
std::size_t unescape(void*, MHD_Connection*, char* text) {
  const std::size_t size = MHD_http_unescape(text);
  if (std::memchr(text, 0, size)) *text = 0;
  return std::strlen(text);
}

}  // namespace

struct HttpServer::Connection {
  void within(std::chrono::milliseconds time) { deadline = Clock::now() + time; }

  HttpServer& server;
  MHD_Connection* its;
  int socket;
  std::string address;
  Clock::time_point since{}, deadline{};
  bool waiting = true;    // for a request or the rest of one, `since`
  bool answered = false;  // an earlier request
  bool cut = false;       // the socket is shut, which the library is yet to find out
  // Being sent: a body, or an event; the event that waits for it.
  std::shared_ptr<const std::string> body{}, next{};
  std::size_t sentBytes = 0;
  // Of a stream.
  std::string topic{};
  bool suspended = false;  // there is nothing to send
  Clock::time_point heartbeat{};
};

// What the library calls, within `run`.
struct HttpServer::Callbacks {
  static Connection& of(MHD_Connection* connection) {
    return *static_cast<Connection*>(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
  }
  static void connected(void* server, MHD_Connection* connection, void** context,
                        MHD_ConnectionNotificationCode what) {
    auto& self = *static_cast<HttpServer*>(server);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
      *context = &self.open(connection);
      return;
    }
    self.connections_.remove_if([&](const Connection& c) { return &c == *context; });
    self.freed_ = true;
  }
  static MHD_Result header(void* request, MHD_ValueKind, const char* name, std::size_t nameSize,
                           const char* value, std::size_t valueSize) {
    std::string key(name, nameSize);
    while (valueSize && (value[valueSize - 1] == ' ' || value[valueSize - 1] == '\t')) --valueSize;
    for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    static_cast<HttpRequest*>(request)->headers.emplace_back(
        key, value ? std::string(value, valueSize) : "");
    return MHD_YES;
  }
  // Twice for a request: an answer at the first call says that a body, should there be one, stays
  // unread, and closes the connection.
  static MHD_Result requested(void* server, MHD_Connection* connection, const char* url,
                              const char* method, const char*, const char*, std::size_t*,
                              void** seen) {
    HttpRequest request;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, header, &request);
    const bool body = request.has("content-length") || request.has("transfer-encoding");
    if (!std::exchange(*seen, server) && !body) return MHD_YES;
    request.method = method;
    if (*url == '/') request.path = url;
    return static_cast<HttpServer*>(server)->answer(of(connection), request) ? MHD_YES : MHD_NO;
  }
  static void completed(void* server, MHD_Connection* connection, void**,
                        MHD_RequestTerminationCode) {
    static_cast<HttpServer*>(server)->await(of(connection));
  }
  static ssize_t read(void* connection, std::uint64_t, char* to, std::size_t most) {
    auto& of = *static_cast<Connection*>(connection);
    return of.server.take(of, to, most);
  }
};

HttpServer::HttpServer(const std::string& host, int port, Handler handler,
                       const ServerLimits& limits)
    : handler_(std::move(handler)), limits_(limits), host_(host) {
  const Bound bound = bindTo(host, port);
  port_ = bound.port;
  loopback_ = isLoopback(localAddress(bound.socket));
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  daemon_ =
      MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr, nullptr,
                       &Callbacks::requested, this, MHD_OPTION_LISTEN_SOCKET, bound.socket,     //
                       MHD_OPTION_CONNECTION_LIMIT, static_cast<unsigned>(limits.connections),  //
                       MHD_OPTION_CONNECTION_MEMORY_LIMIT, kMemory,                             //
                       MHD_OPTION_STRICT_FOR_CLIENT, 1,                                         //
                       MHD_OPTION_UNESCAPE_CALLBACK, &unescape, nullptr,                        //
                       MHD_OPTION_NOTIFY_CONNECTION, &Callbacks::connected, this,               //
                       MHD_OPTION_NOTIFY_COMPLETED, &Callbacks::completed, this, MHD_OPTION_END);
  if (wake_ >= 0 && daemon_) return;
  const int error = errno;
  if (!daemon_) close(bound.socket);
  end();
  close(wake_);
  throw Error(std::string("the server does not start: ") + std::strerror(error));
}

HttpServer::~HttpServer() {
  end();
  close(wake_);
}

void HttpServer::end() {
  for (Connection& connection : connections_) cut(connection);
  if (daemon_) MHD_stop_daemon(std::exchange(daemon_, nullptr));
}

std::string HttpServer::url() const {
  // An address that stands for all of them is none to go to.
  std::string host = host_ == "0.0.0.0" ? "127.0.0.1" : host_ == "::" ? "::1" : host_;
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return "http://" + host + ":" + std::to_string(port_) + "/";
}

void HttpServer::stop() noexcept {
  const int error = errno;
  stopping_ = true;
  eventfd_write(wake_, 1);
  errno = error;
}

void HttpServer::publish(const std::string& topic, std::string event) {
  {
    const std::lock_guard lock(mutex_);
    published_[topic] = std::make_shared<const std::string>(std::move(event));
  }
  eventfd_write(wake_, 1);
}

std::set<std::string> HttpServer::listened() const {
  const std::lock_guard lock(mutex_);
  return listened_;
}

void HttpServer::run() {
  while (!stopping_) {
    wait();
    deliver();
    expire();
    freed_ = false;
    MHD_run(daemon_);
    countTopics();
  }
  end();
  countTopics();
}

void HttpServer::wait() {
  const auto now = Clock::now();
  auto until = now + std::chrono::minutes(1);
  const int library = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD_LINUX_ONLY)->epoll_fd;
  std::vector<pollfd> polled{{wake_, POLLIN, 0}, {library, POLLIN, 0}};
  std::vector<Connection*> streams;
  for (Connection& connection : connections_) {
    until = std::min(until, connection.deadline);
    if (connection.topic.empty() || connection.cut) continue;
    until = std::min(until, connection.heartbeat);
    // The library does not look at what it has suspended.
    polled.push_back({connection.socket, POLLRDHUP, 0});
    streams.push_back(&connection);
  }
  if (full()) until = std::min(until, now + kFirstWord);
  auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
  if (MHD_UNSIGNED_LONG_LONG its = 0; MHD_get_timeout(daemon_, &its) == MHD_YES)
    left = std::min<long>(left, static_cast<long>(its));
  if (freed_) left = 0;  // a slot: only now does it look for who waits for one
  if (poll(polled.data(), polled.size(), static_cast<int>(std::max<long>(0, left))) < 0) {
    if (errno == EINTR) return;
    throw Error(std::string("poll: ") + std::strerror(errno));
  }
  eventfd_t wakes;
  if (polled[0].revents) eventfd_read(wake_, &wakes);
  for (std::size_t i = 0; i < streams.size(); ++i)
    if (polled[i + 2].revents) cut(*streams[i]);
}

HttpServer::Connection& HttpServer::open(MHD_Connection* its) {
  const int socket = MHD_get_connection_info(its, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
  // What a vanished client never acknowledged ends its stream.
  setOption(socket, IPPROTO_TCP, TCP_USER_TIMEOUT,
            static_cast<int>((limits_.stall + limits_.heartbeat).count()));
  Connection& connection =
      connections_.emplace_back(Connection{*this, its, socket, localAddress(socket)});
  connection.since = Clock::now();
  connection.within(limits_.head);
  return connection;
}

bool HttpServer::answer(Connection& connection, HttpRequest& request) {
  request.address = connection.address;
  HttpResponse response;
  try {
    response = handler_(request);
  } catch (const std::exception&) {
    response.status = 500;
  }
  if (request.method != "GET") response.topic.clear();
  if (!response.topic.empty() &&
      std::count_if(connections_.begin(), connections_.end(),
                    [](const Connection& c) { return !c.topic.empty(); }) >= limits_.streams)
    response = {503, {{"Retry-After", "30"}}, nullptr, {}};
  connection.waiting = false;
  connection.topic = response.topic;
  connection.body = response.body;
  connection.sentBytes = 0;
  connection.heartbeat = Clock::now() + limits_.heartbeat;
  connection.within(limits_.stall);
  std::uint64_t size = response.body ? response.body->size() : 0;
  if (!response.topic.empty()) {
    const auto last = last_.find(response.topic);
    connection.body = last == last_.end() ? nullptr : last->second;
    size = MHD_SIZE_UNKNOWN;
  }
  const std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)> made(
      MHD_create_response_from_callback(size, kReadAtOnce, &Callbacks::read, &connection, nullptr),
      &MHD_destroy_response);
  if (!made) return false;
  for (const auto& [name, value] : response.headers)
    MHD_add_response_header(made.get(), name.c_str(), value.c_str());
  // Events without chunks around them.
  if (!response.topic.empty())
    MHD_set_response_options(made.get(), MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
  return MHD_queue_response(connection.its, static_cast<unsigned>(response.status), made.get());
}

// What is to be sent next. That it is asked for tells that what came before is on its way.
ssize_t HttpServer::take(Connection& connection, char* to, std::size_t most) {
  if (connection.cut) return MHD_CONTENT_READER_END_WITH_ERROR;
  if (!connection.body || connection.sentBytes == connection.body->size()) {
    connection.body = std::exchange(connection.next, nullptr);
    connection.sentBytes = 0;
  }
  if (!connection.body) {
    MHD_suspend_connection(connection.its);
    connection.suspended = true;
    connection.within(kNoEnd);
    return 0;
  }
  const std::size_t count = connection.body->copy(to, most, connection.sentBytes);
  connection.sentBytes += count;
  connection.within(limits_.stall);
  return static_cast<ssize_t>(count);
}

void HttpServer::await(Connection& connection) {
  connection.body.reset();
  connection.topic.clear();
  connection.waiting = connection.answered = true;
  connection.since = Clock::now();
  connection.within(limits_.idle);
}

void HttpServer::resume(Connection& connection) {
  if (!connection.suspended) return;
  MHD_resume_connection(connection.its);
  connection.suspended = false;
  connection.within(limits_.stall);
}

// Whoever sends or waits for something finds the connection closed.
void HttpServer::cut(Connection& connection) {
  if (connection.cut) return;
  connection.cut = true;
  shutdown(connection.socket, SHUT_RDWR);
  resume(connection);
  connection.within(kNoEnd);
}

void HttpServer::deliver() {
  std::map<std::string, std::shared_ptr<const std::string>> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(published_);
  }
  for (auto& [topic, event] : events) {
    for (Connection& connection : connections_) {
      if (connection.topic != topic) continue;
      connection.next = event;
      resume(connection);
    }
    last_[topic] = std::move(event);
  }
}

bool HttpServer::full() const {
  return static_cast<int>(connections_.size()) >= limits_.connections;
}

void HttpServer::expire() {
  const auto now = Clock::now();
  static const auto kComment = std::make_shared<const std::string>(":\n\n");
  Connection* longest = nullptr;
  bool freeing = !full();
  for (Connection& connection : connections_) {
    if (now >= connection.deadline) cut(connection);
    freeing |= connection.cut;
    if (connection.suspended && now >= connection.heartbeat) {
      connection.next = kComment;
      resume(connection);
    }
    if (now >= connection.heartbeat) connection.heartbeat = now + limits_.heartbeat;
    if (connection.waiting && (connection.answered || now - connection.since >= kFirstWord) &&
        (!longest || connection.since < longest->since))
      longest = &connection;
  }
  // With every slot taken, one that waits for a next request, or was given time for a first, is
  // had.
  if (!freeing && longest) cut(*longest);
}

void HttpServer::countTopics() {
  std::set<std::string> topics;
  for (const Connection& connection : connections_)
    if (!connection.topic.empty() && !connection.cut) topics.insert(connection.topic);
  const std::lock_guard lock(mutex_);
  listened_.swap(topics);
}

}  // namespace toguz

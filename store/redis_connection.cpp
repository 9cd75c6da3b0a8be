#include "store/redis_connection.h"

#include <hiredis/hiredis.h>
#ifdef TOGUZ_REDIS_TLS
#include <hiredis/hiredis_ssl.h>
#endif
#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <mutex>

#include "base/text.h"

namespace toguz {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kConnectTime{5000};

timeval timevalOf(milliseconds time) {
  return {time.count() / 1000, static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

std::string decodePercent(const std::string& text, const char* what) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || !std::isxdigit(static_cast<unsigned char>(text[i + 1])) ||
        !std::isxdigit(static_cast<unsigned char>(text[i + 2])))
      throw UsageError(std::string("the ") + what +
                       " of the store's address has a '%' without two hexadecimal digits; write "
                       "'%25' for the sign itself");
    out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  return out;
}

RedisReply valueOf(const redisReply& reply) {
  RedisReply value;
  switch (reply.type) {
    case REDIS_REPLY_INTEGER:
      value.kind = RedisReply::Kind::Integer;
      value.integer = reply.integer;
      break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:  // within an array: the callers here send no such commands
      value.kind = RedisReply::Kind::Text;
      value.text.assign(reply.str, static_cast<std::size_t>(reply.len));
      break;
    case REDIS_REPLY_ARRAY:
      value.kind = RedisReply::Kind::Array;
      value.items.reserve(reply.elements);
      for (std::size_t i = 0; i < reply.elements; ++i)
        value.items.push_back(valueOf(*reply.element[i]));
      break;
    default:
      break;
  }
  return value;
}

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

}  // namespace

std::string RedisAddress::text() const {
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return (tls ? "rediss://" : "redis://") + shown + ":" + std::to_string(port) + "/" + run;
}

RedisAddress parseRedisAddress(const std::string& text) {
  RedisAddress address;
  address.tls = text.starts_with("rediss://");
  std::string rest = text.substr(text.find("://") + 3);
  const std::string form = "; the form is redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN";

  const std::size_t slash = rest.rfind('/');
  if (slash == std::string::npos || slash + 1 == rest.size())
    throw UsageError("the store's address names no run" + form);
  address.run = rest.substr(slash + 1);
  rest.resize(slash);
  for (const char c : address.run)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.')
      // It is not shown: it may be part of a password.
      throw UsageError(
          "the run's name, after the last '/' of the store's address, may have letters, digits, "
          "'-', '_' and '.' alone");
  if (address.run.size() > 100)
    throw UsageError("the run's name in the store's address is too long");

  if (const std::size_t at = rest.rfind('@'); at != std::string::npos) {
    const std::string login = rest.substr(0, at);
    rest = rest.substr(at + 1);
    const std::size_t colon = login.find(':');
    // As in the official form: what stands alone is the user.
    address.user = decodePercent(login.substr(0, colon), "user");
    if (colon != std::string::npos)
      address.password = decodePercent(login.substr(colon + 1), "password");
  }
  if (address.password.empty())
    if (const char* secret = std::getenv("TOGUZ_REDIS_PASSWORD")) address.password = secret;
  if (!address.user.empty() && address.password.empty())
    throw UsageError(
        "the store's address has a user without a password; TOGUZ_REDIS_PASSWORD may have it" +
        form);

  std::string port;
  if (rest.starts_with('[')) {  // an IPv6 address
    const std::size_t end = rest.find(']');
    if (end == std::string::npos)
      throw UsageError("the store's address has a '[' without ']'" + form);
    address.host = rest.substr(1, end - 1);
    port = rest.substr(end + 1);
  } else {
    const std::size_t colon = rest.find(':');
    address.host = rest.substr(0, colon);
    if (colon != std::string::npos) port = rest.substr(colon);
  }
  if (address.host.empty()) throw UsageError("the store's address names no host" + form);
  if (!port.empty()) {
    std::int64_t number = 0;
    if (!port.starts_with(':') || !parseInt(port.substr(1), number) || number < 1 || number > 65535)
      throw UsageError("the store's address has no sound port after the host" + form);
    address.port = static_cast<int>(number);
  }
#ifndef TOGUZ_REDIS_TLS
  if (address.tls)
    throw UsageError(
        "this program was built with a hiredis that knows no TLS (it came with 1.0); use redis:// "
        "through a tunnel, or build on a system with hiredis_ssl");
#endif
  return address;
}

RedisConnection::RedisConnection(RedisAddress address) : address_(std::move(address)) {
  // hiredis writes to sockets that the server may have closed.
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction now {};
    if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      signal(SIGPIPE, SIG_IGN);
  });
}

RedisConnection::~RedisConnection() {
  close();
#ifdef TOGUZ_REDIS_TLS
  if (tls_) redisFreeSSLContext(tls_);
#endif
}

void RedisConnection::close() {
  if (context_) redisFree(context_);
  context_ = nullptr;
}

void RedisConnection::lost(const std::string& what) {
  close();
  throw StoreUnavailable(address_.text() + ": " + what);
}

void RedisConnection::connect() {
  context_ = redisConnectWithTimeout(address_.host.c_str(), address_.port, timevalOf(kConnectTime));
  if (!context_) throw StoreUnavailable(address_.text() + ": no memory for a connection");
  if (context_->err)
    lost(std::string("cannot be reached (") + context_->errstr +
         "); is redis-server running there?");
#ifdef TOGUZ_REDIS_TLS
  if (address_.tls) {
    redisInitOpenSSL();
    redisSSLContextError error = REDIS_SSL_CTX_NONE;
    const char* authorities = std::getenv("TOGUZ_REDIS_CA");
    if (!tls_)
      tls_ = redisCreateSSLContext(authorities, authorities ? nullptr : "/etc/ssl/certs", nullptr,
                                   nullptr, address_.host.c_str(), &error);
    if (!tls_) lost(std::string("TLS cannot be set up: ") + redisSSLContextGetError(error));
    if (redisInitiateSSLWithContext(context_, tls_) != REDIS_OK)
      lost(std::string("no TLS connection (") + context_->errstr +
           "); TOGUZ_REDIS_CA may name a file of certificate authorities");
  }
#endif
  redisEnableKeepAlive(context_);
  ++connections_;
  login();
}

void RedisConnection::login() {
  if (address_.password.empty()) return;
  std::vector<std::string_view> parts = {"AUTH"};
  if (!address_.user.empty()) parts.push_back(address_.user);
  parts.push_back(address_.password);
  ask(parts, {});
}

// Errors carry their code in front; from within a script an older server puts it further back.
void RedisConnection::refuse(const std::string& reply) const {
  const std::string name = address_.text();
  const auto is = [&](const char* code) {
    return reply.starts_with(code) || reply.find(std::string("-") + code) != std::string::npos;
  };
  const std::string said = " (it said: " + reply.substr(0, reply.find("script:")) + ")";
  // A server cuts off whoever sends much without having logged in.
  if (is("NOAUTH") || reply.find("unauthenticated") != std::string::npos)
    throw StoreDenied(name +
                      " wants a password: give it by TOGUZ_REDIS_PASSWORD or in the address");
  if (is("WRONGPASS") || is("ERR invalid password") || is("ERR AUTH"))
    throw StoreDenied(name + " refuses the password" + said +
                      (is("ERR AUTH") ? ": give it none" : ""));
  if (is("NOPERM")) throw StoreDenied(name + " does not permit this user what a run needs" + said);
  if (is("WRONGTYPE"))
    throw Error(name + " holds data of another kind under one of the run's keys (toguz:{" +
                address_.run + "}:*): delete that key, or choose another run name" + said);
  if (is("ERR unknown command"))
    throw Error(name + " is too old a Redis: 6.2 or later is needed" + said);
  if (is("OOM"))
    throw RedisError("OOM",
                     name + " is full (maxmemory): raise maxmemory, or lower store.backlog_mb");
  if (is("READONLY"))
    throw RedisError("READONLY",
                     name + " is a read-only replica: point the address to the primary");
  if (is("MISCONF"))
    throw RedisError("MISCONF",
                     name + " cannot save to its disk and takes no writes: look at its log");
  if (is("LOADING")) throw RedisError("LOADING", name + " is starting: it loads its data");
  throw RedisError(reply.substr(0, reply.find(' ')), name + " failed" + said);
}

RedisReply RedisConnection::ask(const std::vector<std::string_view>& parts, milliseconds wait) {
  redisSetTimeout(context_, timevalOf(address_.answerTime + wait));
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string_view part : parts) {
    texts.push_back(part.data() ? part.data() : "");
    sizes.push_back(part.size());
  }
  const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(
      redisCommandArgv(context_, static_cast<int>(parts.size()), texts.data(), sizes.data())));
  if (!reply) {
    const bool late = context_->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK);
    lost(late ? "does not answer within " + std::to_string(address_.answerTime.count() / 1000) +
                    " s: it hangs, or is slow"
              : std::string("the connection was lost (") + context_->errstr + ")");
  }
  if (reply->type == REDIS_REPLY_ERROR) {
    const std::string text(reply->str, static_cast<std::size_t>(reply->len));
    // Not logged in: the next call tries anew.
    if (text.starts_with("NOAUTH") || text.find("unauthenticated") != std::string::npos ||
        text.starts_with("WRONGPASS") || parts[0] == "AUTH")
      close();
    refuse(text);
  }
  return valueOf(*reply);
}

void RedisConnection::open() {
  if (!context_) connect();
}

RedisReply RedisConnection::command(const std::vector<std::string_view>& parts, milliseconds wait) {
  open();
  return ask(parts, wait);
}

RedisReply RedisConnection::script(const std::string& source, const std::vector<std::string>& keys,
                                   const std::vector<std::string_view>& arguments) {
  const std::string count = std::to_string(keys.size());
  for (int attempt = 0;; ++attempt) {
    std::string& hash = scripts_[source];
    if (hash.empty()) hash = command({"SCRIPT", "LOAD", source}).text;
    std::vector<std::string_view> parts = {"EVALSHA", hash, count};
    parts.insert(parts.end(), keys.begin(), keys.end());
    parts.insert(parts.end(), arguments.begin(), arguments.end());
    try {
      return command(parts);
    } catch (const RedisError& error) {
      if (error.code() != "NOSCRIPT" || attempt > 0) throw;
      scripts_.clear();  // the server was restarted
    }
  }
}

}  // namespace toguz

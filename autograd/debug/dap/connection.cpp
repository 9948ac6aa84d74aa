#include "autograd/debug/dap/connection.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "autograd/debug/step/refused.h"
#include "autograd/text/printable.h"
#include "autograd/text/private_socket.h"

namespace autograd::debug {
namespace {

constexpr std::size_t longest_header = 4096;
constexpr std::int64_t longest_message = 16 << 20;

// The length that the lines of a header name. A browser's request has one, too, but other lines as well.
std::size_t length_in(std::string_view header) {
  constexpr std::string_view name = "Content-Length:";
  std::optional<std::int64_t> length;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find("\r\n"), header.size());
    const std::string_view line = header.substr(0, end);
    header = header.substr(std::min(end + 2, header.size()));
    if (line.starts_with(name)) {
      length = parse_count(line.substr(name.size()), 0, longest_message, "Content-Length");
    } else if (!line.starts_with("Content-Type:")) {
      throw Refused(fmt::format("the header '{}'", printable(line.substr(0, 40))), "the Debug Adapter Protocol");
    }
  }
  if (!length) throw Refused("a message without Content-Length", "the Debug Adapter Protocol");
  return static_cast<std::size_t>(*length);
}

}  // namespace

void Connection::close() {
  if (is_open()) ::close(socket_);
  socket_ = -1;
}

void Connection::send(const Json& message) {
  // Names come from the user's program and may be no UTF-8.
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string text = fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
  std::size_t sent = 0;
  while (is_open() && sent < text.size()) {
    const ssize_t count = ::send(socket_, text.data() + sent, text.size() - sent, no_signal);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      close();
    }
  }
}

// Takes the first message off what has arrived, if all of it has.
std::optional<std::string> Connection::take_message() {
  const std::size_t end = arrived_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (arrived_.size() <= longest_header) return {};
    throw Refused(fmt::format("a header of more than {} bytes", longest_header), "the Debug Adapter Protocol");
  }
  const std::size_t begin = end + 4;
  const std::size_t length = length_in(std::string_view(arrived_).substr(0, end));
  if (arrived_.size() - begin < length) return {};
  const std::string message = arrived_.substr(begin, length);
  arrived_.erase(0, begin + length);
  return message;
}

// False if nothing has come.
bool Connection::read_more(bool wait) {
  while (is_open()) {
    pollfd watched{socket_, POLLIN, 0};
    const int ready = ::poll(&watched, 1, wait ? -1 : 0);
    if (ready == 0) return false;
    char bytes[16384];
    const ssize_t count = ready < 0 ? -1 : ::recv(socket_, bytes, sizeof bytes, 0);
    if (count > 0) {
      arrived_.append(bytes, static_cast<std::size_t>(count));
      return true;
    }
    if (count < 0 && errno == EINTR) continue;  // by a signal, such as those of gdb
    close();
  }
  return false;
}

std::optional<std::string> Connection::receive(bool wait) {
  try {
    do {
      if (const std::optional<std::string> message = take_message()) return message;
    } while (read_more(wait));
  } catch (const Refused&) {
    arrived_.clear();
    throw;
  }
  return {};
}

// ---- waiting for an editor, at a port of this machine or at a Unix socket ----------------------------------------------
namespace {

constexpr std::int64_t last_port = 65535;

[[noreturn]] void refuse_address(const std::string& address, const std::string& problem) {
  throw std::invalid_argument(
      fmt::format("the debug adapter cannot listen at '{}': {}; expected a free port from 1 to "
                  "{}, or the path of a socket that is not there yet",
                  address, problem, last_port));
}

// A socket that programs started by this one do not inherit.
int open_socket(int family, const std::string& address) {
  const int listening = made_private(::socket(family, SOCK_STREAM, 0));
  if (listening < 0) refuse_address(address, std::strerror(errno));
  return listening;
}

template <class Address> void listen_at(int listening, const Address& where, const std::string& text) {
  const bool bound = ::bind(listening, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
  if (bound && ::listen(listening, 1) == 0) return;
  const std::string problem = std::strerror(errno);
  ::close(listening);
  refuse_address(text, problem);
}

int listen_at_path(const std::string& path) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  const std::string unready = path + "~";
  if (unready.size() >= sizeof where.sun_path) {
    refuse_address(path, fmt::format("a socket's path has at most {} bytes", sizeof where.sun_path - 2));
  }
  if (::access(path.c_str(), F_OK) == 0) refuse_address(path, std::strerror(EADDRINUSE));
  unready.copy(where.sun_path, unready.size());
  const int listening = open_socket(AF_UNIX, path);
  listen_at(listening, where, path);
  ::rename(unready.c_str(), path.c_str());  // an editor that sees it may connect at once
  return listening;
}

// Port 0 is any that is free.
int listen_at_port(std::int64_t port, const std::string& text) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(port));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int listening = open_socket(AF_INET, text);
  const int yes = 1;  // a program that has just ended does not keep its port
  ::setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  listen_at(listening, where, text);
  return listening;
}

int port_of(int listening) {
  sockaddr_in where{};
  socklen_t size = sizeof where;
  ::getsockname(listening, reinterpret_cast<sockaddr*>(&where), &size);
  return ntohs(where.sin_port);
}

int accept_one(int listening) {
  int accepted = -1;
  do {
    accepted = made_private(::accept(listening, nullptr, nullptr));
  } while (accepted < 0 && errno == EINTR);
  ::close(listening);
  return accepted;
}

}  // namespace

std::unique_ptr<Connection> wait_for_editor(const std::string& address) {
  const bool is_path = address.find('/') != std::string::npos;
  const std::optional<std::int64_t> port = address.empty() ? 0 : whole_number(std::string_view(address));
  const bool is_port = port && (address.empty() || (*port >= 1 && *port <= last_port));
  if (!is_path && !is_port) refuse_address(address, "that is neither");
  const int listening = is_path ? listen_at_path(address) : listen_at_port(*port, address);
  const std::string where = is_path ? address : fmt::format("127.0.0.1:{}", port_of(listening));
  fmt::print(stderr, "BACKSTEP=dap: waiting for an editor at {}\n", where);
  auto connection = std::make_unique<Connection>(accept_one(listening));
  if (is_path) ::unlink(address.c_str());
  return connection;
}

}  // namespace autograd::debug

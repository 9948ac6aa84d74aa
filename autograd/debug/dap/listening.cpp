// Waiting for an editor, at a port of this machine or at a Unix socket.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "autograd/debug/dap/connection.h"
#include "autograd/debug/step/expression.h"

namespace autograd::debug {
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
  const int listening = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
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
    accepted = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
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

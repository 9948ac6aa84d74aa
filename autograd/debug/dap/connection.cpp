#include "autograd/debug/dap/connection.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "autograd/debug/recording.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

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
    const ssize_t count = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
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

}  // namespace autograd::debug

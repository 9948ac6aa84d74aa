// The base protocol of the Debug Adapter Protocol: JSON messages with a header that says how long they are.
//
//   Content-Length: 42\r\n\r\n{"seq":1,"type":"request", ..}
//
// https://microsoft.github.io/debug-adapter-protocol/overview
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace autograd::debug {

using Json = nlohmann::json;

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection() { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Does nothing if the connection is gone.
  void send(const Json& message);
  // The text of the next message. With `wait`, nothing means that the connection is gone; without, perhaps that no
  // whole message has arrived. Throws Refused for what is not a message, and closes: the next one could not be found.
  std::optional<std::string> receive(bool wait);
  bool is_open() const { return socket_ >= 0; }
  void close();

 private:
  std::optional<std::string> take_message();
  bool read_more(bool wait);

  int socket_;
  std::string arrived_;
};

// Waits for an editor at an address: "" for a free port of this machine, "4711" for that one, or "/path/to/socket".
// Says on standard error where it waits. Throws std::invalid_argument.
std::unique_ptr<Connection> wait_for_editor(const std::string& address);

}  // namespace autograd::debug

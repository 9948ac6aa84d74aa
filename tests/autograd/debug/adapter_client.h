// An editor for tests: it starts a program with BACKSTEP=dap and speaks the Debug Adapter Protocol with it.
#pragma once

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

namespace fixtures {

using Json = nlohmann::json;

class AdapterClient {
 public:
  // Runs the program, with its arguments, in a folder; what it prints is read by output().
  AdapterClient(const std::string& folder, const std::string& program, const std::string& more_instruments = "") {
    static int count = 0;
    const std::string path = fmt::format("/tmp/backstep_adapter_{}_{}", getpid(), ++count);
    output_ = popen(
        fmt::format("cd '{}' && BACKSTEP=dap:{}{} {} 2>&1", folder, path, more_instruments, program).c_str(), "r");
    connect_to(path);
  }
  ~AdapterClient() {
    leave();
    if (output_) pclose(output_);
  }

  bool is_connected() const { return socket_ >= 0; }
  // Goes away without a word.
  void leave() {
    if (is_connected()) ::close(socket_);
    socket_ = -1;
  }

  void send_text(const std::string& text) { (void)!::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  void send_body(const std::string& body) { send_text(fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body)); }
  void request(const std::string& command, const Json& arguments) {
    send_body(Json{{"seq", ++sent_}, {"type", "request"}, {"command", command}, {"arguments", arguments}}.dump());
  }
  int last_request() const { return sent_; }

  // The next message; nothing when the program has closed the connection.
  std::optional<Json> read() {
    std::string header;
    while (header.size() < 4 || header.compare(header.size() - 4, 4, "\r\n\r\n") != 0) {
      if (!read_to(header, header.size() + 1)) return {};
    }
    std::string body;
    if (!read_to(body, std::stoul(header.substr(header.find(':') + 1)))) return {};
    return Json::parse(body);
  }
  // Reads up to the answer to the last request.
  std::optional<Json> answer() {
    while (std::optional<Json> message = read()) {
      if (message->value("request_seq", 0) == sent_ && message->at("type") == "response") return message;
    }
    return {};
  }
  std::optional<Json> ask(const std::string& command, const Json& arguments = Json::object()) {
    request(command, arguments);
    return answer();
  }
  // Reads up to an event.
  std::optional<Json> wait(const std::string& event) {
    while (std::optional<Json> message = read()) {
      if (message->value("event", "") == event) return message;
    }
    return {};
  }

  // All that the program printed, once it has ended, and its exit code.
  std::string output() {
    std::string text;
    for (int c = fgetc(output_); c != EOF; c = fgetc(output_)) text += static_cast<char>(c);
    exit_code_ = WEXITSTATUS(pclose(output_));
    output_ = nullptr;
    return text;
  }
  int exit_code() const { return exit_code_; }

 private:
  void connect_to(const std::string& path) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    path.copy(where.sun_path, path.size());
    for (int attempt = 0; attempt < 2000 && !is_connected(); ++attempt) {
      socket_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
      if (::connect(socket_, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0) return;
      leave();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  bool read_to(std::string& text, std::size_t size) {
    while (text.size() < size) {
      char bytes[4096];
      const ssize_t count = ::recv(socket_, bytes, std::min(sizeof bytes, size - text.size()), 0);
      if (count <= 0) return false;
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return true;
  }

  FILE* output_ = nullptr;
  int socket_ = -1;
  int sent_ = 0;
  int exit_code_ = -1;
};

}  // namespace fixtures

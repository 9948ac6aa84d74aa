#include "judge/answer_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "autograd/text/private_socket.h"
#include "judge/of_linux.h"
#include "judge/watchdog.h"
#include "judge/wire.h"

namespace judge {
namespace {

constexpr int longest_wait = 60;  // seconds

// In the child. Nothing of the judge's stays open.
[[noreturn]] void become(char* const* command, int socket) {
  end_with_parent(SIGKILL);
  if (socket == question_channel) {
    ::fcntl(socket, F_SETFD, 0);
  } else {
    ::dup2(socket, question_channel);
  }
  close_all_from(question_channel + 1);
  ::execv(command[0], command);
  ::_exit(127);
}

bool send_all(int socket, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket, bytes, size, autograd::no_signal);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t received = ::recv(socket, bytes, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

// A message is its length and its bytes. Both are false when the other end is gone; the second throws
// AnswerEnded where what comes is not a message.
bool send_message(int socket, std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  return send_all(socket, reinterpret_cast<const char*>(&size), sizeof size) &&
         send_all(socket, bytes.data(), bytes.size());
}

bool receive_message(int socket, std::string& bytes) {
  std::uint64_t size = 0;
  if (!receive_all(socket, reinterpret_cast<char*>(&size), sizeof size)) return false;
  if (size > most_bytes) throw AnswerEnded{sent_no_message};
  bytes.resize(size);
  return receive_all(socket, bytes.data(), size);
}

}  // namespace

AnswerProcess::AnswerProcess(std::vector<std::string> command) : command_(std::move(command)) {
  start();
}

AnswerProcess::~AnswerProcess() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
  end();
}

void AnswerProcess::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    throw std::runtime_error(std::string("cannot make a socket: ") + std::strerror(errno));
  }
  for (const int end : ends) autograd::made_private(end);
  std::vector<char*> words;  // made before the fork: a child must not allocate
  for (const std::string& word : command_) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid_ == 0) become(words.data(), ends[1]);
  ::close(ends[1]);
  socket_ = ends[0];
}

void AnswerProcess::begin_anew() {
  end();
  start();
}

std::string AnswerProcess::ask(std::string_view request) {
  std::string reply;
  bool received = send_message(socket_, request);
  if (received) {
    // A process that it left behind may keep the channel open.
    pollfd waiting{socket_, POLLIN, 0};
    while (::poll(&waiting, 1, 50) <= 0 && !has_ended()) {
    }
    received = waiting.revents != 0 && receive_message(socket_, reply);
  }
  if (!received) {
    wait(0);
    throw AnswerEnded{WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_)};
  }
  return reply;
}

bool AnswerProcess::has_ended() {
  wait(WNOHANG);
  return pid_ == 0;
}

void AnswerProcess::end() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  wait(0);
}

void AnswerProcess::wait(int how) {
  while (pid_ > 0) {
    const pid_t result = ::waitpid(pid_, &status_, how);
    if (result == 0) return;
    if (result < 0 && errno == EINTR) continue;
    pid_ = 0;
  }
}

void answer_questions(Run answer) {
  ::fcntl(question_channel, F_SETFD, FD_CLOEXEC);
  std::string bytes;
  while (receive_message(question_channel, bytes)) {
    limit_waiting(longest_wait);
    bytes = reply_to(bytes, answer);
    limit_waiting(0);  // the next question may take its time
    if (!send_message(question_channel, bytes)) break;
  }
  limit_waiting(longest_wait);  // what is left at its end
}

}  // namespace judge

#include "course/answer_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace course {
namespace {

// In the child. Nothing of the judge's stays open.
[[noreturn]] void become(char* const* command, int socket) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (socket == question_channel) {
    ::fcntl(socket, F_SETFD, 0);
  } else {
    ::dup2(socket, question_channel);
  }
  ::closefrom(question_channel + 1);
  ::execv(command[0], command);
  ::_exit(127);
}

}  // namespace

AnswerProcess::AnswerProcess(std::vector<std::string> command) : command_(std::move(command)) {
  start();
}

void AnswerProcess::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("cannot make a socket: ") + std::strerror(errno));
  }
  std::vector<char*> words;  // made before the fork: a child must not allocate
  for (const std::string& word : command_) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid_ == 0) become(words.data(), ends[1]);
  ::close(ends[1]);
  socket_ = ends[0];
}

Candidate AnswerProcess::candidate() {
  return {[this](const Setting& setting, RunOptions options) {
            return ask({false, setting, options}).record;
          },
          [this](const Setting& setting) {
            return ask({true, setting, {}});
          },
          [this] {
            end();
            start();
          }};
}

Watched AnswerProcess::ask(const Request& request) {
  std::string reply;
  bool received = send_message(socket_, to_bytes(request));
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
  return read_watched(reply);
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
    const Request request = read_request(bytes);
    const Watched watched = request.ops ? watch(answer, request.setting)
                                        : Watched{observe(answer, request.setting, request.options).record, {}};
    if (!send_message(question_channel, to_bytes(watched))) return;
  }
}

}  // namespace course

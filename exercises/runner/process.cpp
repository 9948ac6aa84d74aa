#include "runner/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace learn {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& command, const ProcessOptions& options, int output) {
  ::setpgid(0, 0);  // so that all it starts can be killed with it
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  for (const std::string& variable : options.environment) {
    const std::size_t equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const std::string message = "cannot start " + command[0] + ": " + std::strerror(errno) + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(127);
}

// Reads what is there; false at the end.
bool read_some(int pipe, std::size_t most, std::string& output) {
  char buffer[65536];
  const ssize_t count = ::read(pipe, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  const auto room = most > output.size() ? most - output.size() : 0;
  output.append(buffer, std::min(static_cast<std::size_t>(count), room));
  return count > 0;
}

}  // namespace

Finished run_process(const std::vector<std::string>& command, const ProcessOptions& options) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const Clock::time_point start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) become(command, options, ends[1]);
  ::close(ends[1]);

  Finished finished;
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  for (bool open = true; open;) {
    const double left = options.seconds - elapsed();
    if (left <= 0.0) {
      finished.timed_out = true;
      ::kill(-child, SIGKILL);
      break;
    }
    pollfd waiting{ends[0], POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(left * 1000.0) + 1) > 0) {
      open = read_some(ends[0], options.most_output, finished.output);
    }
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  finished.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  finished.seconds = elapsed();
  return finished;
}

}  // namespace learn

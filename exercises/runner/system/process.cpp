#include "runner/system/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

#include "judge/of_linux.h"
#include "runner/system/files.h"

#if __has_include(<pty.h>)
#include <pty.h>
#else
#include <util.h>  // BSD's and macOS's name for it
#endif

extern char** environ;

namespace learn {
namespace {

using Clock = std::chrono::steady_clock;

volatile sig_atomic_t interrupt_noted = 0;

void note_interrupt(int) {
  interrupt_noted = 1;
}

[[noreturn]] void fail_with_errno(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// What exec() wants, made before fork(): a child of several threads may not do much.
class Image {
 public:
  Image(const std::vector<std::string>& command, const ProcessOptions& options) : command_(command), options_(options) {
    std::map<std::string, std::string> variables;
    for (char** variable = environ; *variable; ++variable) add(variables, *variable);
    for (const std::string& variable : options.environment) add(variables, variable);
    for (const auto& [name, value] : variables) environment_.push_back(name + "=" + value);
    for (std::string& argument : command_) arguments_.push_back(argument.data());
    for (std::string& variable : environment_) variables_.push_back(variable.data());
    arguments_.push_back(nullptr);
    variables_.push_back(nullptr);
    message_ = "cannot start " + command[0] + "\n";
  }

  // In the child, which is killed when its parent is.
  [[noreturn]] void become(pid_t parent) const {
    judge::end_with_parent(SIGKILL);
    if (::getppid() != parent) ::_exit(128 + SIGKILL);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
    if (options_.most_memory > 0) limit(RLIMIT_AS, options_.most_memory);
    if (!options_.folder.empty() && ::chdir(options_.folder.c_str()) != 0) ::_exit(127);
    environ = const_cast<char**>(variables_.data());
    ::execvp(arguments_[0], arguments_.data());
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message_.data(), message_.size());
    ::_exit(127);
  }

  // In the child, with its output caught.
  [[noreturn]] void become_caught(pid_t parent, int output, int result) const {
    ::setpgid(0, 0);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    if (result >= 0) hand_over(result);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, std::size_t{1} << 30);
    if (options_.processor_seconds > 0) limit(RLIMIT_CPU, options_.processor_seconds, options_.processor_seconds + 1);
    become(parent);
  }

 private:
  using Resource = decltype(RLIMIT_CPU);  // an int, or an enumeration

  static void add(std::map<std::string, std::string>& variables, const std::string& variable) {
    const std::size_t equals = variable.find('=');
    if (equals != std::string::npos) variables[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  static void hand_over(int result) {
    constexpr int as = 3;  // result_path
    if (result == as) {
      ::fcntl(result, F_SETFD, 0);
    } else {
      ::dup2(result, as);
    }
  }
  static void limit(Resource resource, std::size_t most) { limit(resource, most, most); }
  static void limit(Resource resource, std::size_t most, std::size_t then_killed) {
    const rlimit both{most, then_killed};
    ::setrlimit(resource, &both);
  }

  std::vector<std::string> command_;
  const ProcessOptions& options_;
  std::vector<std::string> environment_;
  std::vector<char*> arguments_;
  std::vector<char*> variables_;
  std::string message_;
};

// Both ends of what the output goes through: a pipe, or a terminal that changes nothing.
struct Channel {
  int read = -1;
  int write = -1;
};

Channel closed_in_programs(const Channel& channel) {
  for (const int end : {channel.read, channel.write}) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return channel;
}

Channel open_pipe() {
  int ends[2];
  if (::pipe(ends) != 0) fail_with_errno("cannot make a pipe");
  return closed_in_programs({ends[0], ends[1]});
}

Channel open_channel(bool line_by_line) {
  Channel channel;
  if (!line_by_line) return open_pipe();
  termios plain{};
  ::cfmakeraw(&plain);
  winsize size{};
  size.ws_col = 120;
  size.ws_row = 50;
  if (::openpty(&channel.read, &channel.write, nullptr, &plain, &size) != 0) return open_pipe();
  return closed_in_programs(channel);
}

// The file behind result_path.
class ResultFile {
 public:
  explicit ResultFile(bool wanted) {
    if (!wanted) return;
    std::string path = (std::filesystem::temp_directory_path() / "learn_result_XXXXXX").string();
    file_ = ::mkstemp(path.data());
    if (file_ < 0) fail_with_errno("cannot make a file in " + path);
    ::unlink(path.c_str());
    ::fcntl(file_, F_SETFD, FD_CLOEXEC);
  }
  ~ResultFile() {
    if (file_ >= 0) ::close(file_);
  }
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  int descriptor() const { return file_; }
  std::string text() const {
    std::string text;
    char buffer[65536];
    for (ssize_t count = 0; (count = ::pread(file_, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int file_ = -1;
};

// Reads what is there; false at the end.
bool read_some(int channel, std::size_t most, std::string& output) {
  char buffer[65536];
  const ssize_t count = ::read(channel, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  const auto room = most > output.size() ? most - output.size() : 0;
  output.append(buffer, std::min(static_cast<std::size_t>(count), room));
  return count > 0;
}

bool readable(int channel, int milliseconds) {
  pollfd waiting{channel, POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

// As the shell has it.
int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// The child, until it ends or is ended.
class Child {
 public:
  Child(pid_t pid, int channel) : pid_(pid), channel_(channel) {}
  ~Child() {
    kill();
    ::close(channel_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Also what it has started and left behind.
  void kill() {
    ::kill(-pid_, SIGKILL);
    while (!ended_ && ::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
  }
  bool ended() {
    while (!ended_) {
      const pid_t result = ::waitpid(pid_, &status_, WNOHANG);
      if (result == 0) return false;
      if (result < 0 && errno == EINTR) continue;
      ended_ = true;
    }
    return true;
  }
  int status() const { return status_; }

 private:
  pid_t pid_;
  int channel_;
  int status_ = 0;
  bool ended_ = false;
};

// What ends a program from outside: its time, the room it takes on the disk, and Ctrl-C.
class Limits {
 public:
  explicit Limits(const ProcessOptions& options) : options_(options) {}

  // Throws Interrupted.
  bool exceeded() {
    if (interrupted()) throw Interrupted{};
    if (elapsed() >= options_.seconds) out_of_time_ = true;
    if (!options_.small_folder.empty() && elapsed() >= next_look_) {
      out_of_room_ = folder_size(options_.small_folder) > options_.most_disk;
      next_look_ = elapsed() + 0.1;
    }
    return out_of_time_ || out_of_room_;
  }
  // Milliseconds until it should be asked again.
  int patience() const {
    return std::min(100, std::max(0, static_cast<int>((options_.seconds - elapsed()) * 1e3)) + 1);
  }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool out_of_time() const { return out_of_time_; }
  bool out_of_room() const { return out_of_room_; }

 private:
  const ProcessOptions& options_;
  const Clock::time_point start_ = Clock::now();
  double next_look_ = 0.1;
  bool out_of_time_ = false;
  bool out_of_room_ = false;
};

}  // namespace

Finished run_process(const std::vector<std::string>& command, const ProcessOptions& options) {
  const Image image(command, options);
  const Channel channel = open_channel(options.line_by_line);
  const ResultFile result(options.with_result);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) fail_with_errno("cannot start a process");
  if (pid == 0) image.become_caught(parent, channel.write, result.descriptor());
  ::setpgid(pid, pid);  // in the child and here: either may be first
  ::close(channel.write);

  Child child(pid, channel.read);
  Limits limits(options);
  Finished finished;
  // Until it closes its output. If a process that it left behind keeps that open, until it has ended.
  for (bool open = true; open && !limits.exceeded();) {
    if (readable(channel.read, limits.patience())) {
      open = read_some(channel.read, options.most_output, finished.output);
    } else if (child.ended()) {
      break;
    }
  }
  // It may have closed its output and still be running.
  while (!limits.exceeded() && !child.ended()) ::usleep(500);
  child.kill();
  finished.timed_out = limits.out_of_time();
  finished.exit_code = limits.out_of_room() ? 128 + SIGXFSZ : exit_code_of(child.status());
  finished.result = result.text();
  finished.seconds = limits.elapsed();
  return finished;
}

int run_in_terminal(const std::vector<std::string>& command, const ProcessOptions& options) {
  const Image image(command, options);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) fail_with_errno("cannot start a process");
  if (pid == 0) image.become(parent);
  // Ctrl-C is the other program's.
  struct sigaction ignore = {};
  struct sigaction before = {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGINT, &ignore, &before);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::sigaction(SIGINT, &before, nullptr);
  return exit_code_of(status);
}

std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

bool has_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
}

bool interrupted() {
  return interrupt_noted != 0;
}

}  // namespace learn

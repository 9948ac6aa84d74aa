// A program on a terminal of its own.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

class Terminal {
 public:
  // `environment` has what to set: "NAME=value". With `input_is_data`, standard input is not the terminal.
  explicit Terminal(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
                    bool input_is_data = false) {
    pid_ = ::forkpty(&master_, nullptr, nullptr, nullptr);
    if (pid_ != 0) return;
    ::unsetenv("NO_COLOR");
    for (const std::string& variable : environment) ::putenv(const_cast<char*>(variable.c_str()));
    ::setenv("TERM", "xterm", 1);
    if (input_is_data) ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ~Terminal() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void press(const std::string& keys) const {
    [[maybe_unused]] const auto written = ::write(master_, keys.data(), keys.size());
  }
  void resize(unsigned short columns) const {
    const winsize size{30, columns, 0, 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
  }
  // Reads until this is on the screen, and forgets all up to there.
  testing::AssertionResult shows(const std::string& text, double seconds = 30.0) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      if (const std::size_t at = screen_.find(text); at != std::string::npos) {
        screen_.erase(0, at + text.size());
        return testing::AssertionSuccess();
      }
      char buffer[4096];
      pollfd waiting{master_, POLLIN, 0};
      if (::poll(&waiting, 1, 50) <= 0) continue;
      const ssize_t count = ::read(master_, buffer, sizeof buffer);
      if (count > 0) screen_.append(buffer, static_cast<std::size_t>(count));
    }
    return testing::AssertionFailure() << "not shown: " << text << "\nbut: " << screen_;
  }
  int exit_code() const {
    int status = -1;
    for (int i = 0; i < 100 && ::waitpid(pid_, &status, WNOHANG) == 0; ++i) ::usleep(50000);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int master_ = -1;
  pid_t pid_ = 0;
  std::string screen_;
};

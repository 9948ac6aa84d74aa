#include "runner/system/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace learn {
namespace {

// The guard is a copy of one thread of ours: it may do what a signal handler may, and no more.
constexpr int patience = 4000;  // times half a millisecond, for what is being killed to be gone
constexpr useconds_t half_a_millisecond = 500;

// Those whose parent has ended are our children, too.
void kill_children() {
  const int list = ::open("/proc/thread-self/children", O_RDONLY);
  char text[4096];
  const ssize_t count = ::read(list, text, sizeof text);
  pid_t pid = 0;
  for (ssize_t i = 0; i < count; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      pid = 10 * pid + (text[i] - '0');
    } else if (pid > 0) {
      ::kill(pid, SIGKILL);
      pid = 0;
    }
  }
  ::close(list);
}

class Program {
 public:
  explicit Program(pid_t pid) : pid_(pid) {}

  // Waits for all that have ended; false when none is left.
  bool wait_for_some() {
    for (;;) {
      int status = 0;
      const pid_t ended = ::waitpid(-1, &status, WNOHANG);
      if (ended == 0) return true;
      if (ended < 0) return false;
      if (ended != pid_) continue;
      ended_ = true;
      status_ = status;
    }
  }
  void kill_all() {
    for (int i = 0; i < patience && wait_for_some(); ++i) {
      if (!ended_) ::kill(pid_, SIGKILL);
      kill_children();
      ::usleep(half_a_millisecond);
    }
  }
  bool ended() const { return ended_; }
  int exit_code() const { return ended_ ? exit_code_of(status_) : 128 + SIGKILL; }

 private:
  pid_t pid_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace

int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void stand_guard(pid_t parent, const std::function<void()>& become) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t awaited;
  sigset_t before;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGTERM);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &awaited, &before);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    become();
    ::_exit(127);
  }
  ::closefrom(0);
  Program program(pid);
  for (int signal = 0; pid > 0 && !program.ended() && signal != SIGTERM;) {
    ::sigwait(&awaited, &signal);
    program.wait_for_some();
  }
  program.kill_all();
  ::_exit(program.exit_code());
}

int end_guard(pid_t guard) {
  int status = 0;
  ::kill(guard, SIGTERM);
  ::kill(guard, SIGCONT);
  for (int i = 0; i < 2 * patience; ++i) {
    if (::waitpid(guard, &status, WNOHANG) == guard) return status;
    ::usleep(half_a_millisecond);
  }
  ::kill(guard, SIGKILL);
  while (::waitpid(guard, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace learn

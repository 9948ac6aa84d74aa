#include "runner/check/background.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>

#include "judge/of_linux.h"
#include "runner/check/builder.h"
#include "runner/system/process.h"

namespace learn {

void Background::prepare(const Exercise& exercise) {
  if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0) return;
  pid_ = 0;
  if (is_prepared(exercise)) return;
  pid_ = ::fork();
  if (pid_ != 0) return;
  ::setpgid(0, 0);  // Ctrl-C is for the one in front
  judge::end_with_parent(SIGTERM);
  [[maybe_unused]] const int niceness = ::nice(15);
  try {
    prepare_exercise(exercise);
  } catch (const std::exception&) {
    // The learner sees the error on reaching that exercise.
  } catch (const Interrupted&) {
  }
  ::_exit(0);
}

void Background::stop() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGTERM);  // it ends its compiler first
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

}  // namespace learn

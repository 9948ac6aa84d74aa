// What stops an answer: the processor time that it uses, and waiting for nothing; never the time that passes.
#include <gtest/gtest.h>
#include <judge/endings.h>
#include <judge/exercise.h>
#include <judge/watchdog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <string>
#include <thread>

const Axes judge::axes = {};
const judge::Exercise judge::exercise = {};

namespace {

void work(double seconds) {
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  while (std::clock() < end) {
  }
}

struct Ended {
  int exit_code = 0;
  std::string said;
};

Ended end_of(const std::function<void()>& program) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    program();
    ::_exit(0);
  }
  ::close(ends[1]);
  Ended ended;
  char c = 0;
  while (::read(ends[0], &c, 1) == 1) ended.said += c;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

TEST(Watchdog, CountsTheProcessorTimeOfAllThreads) {
  const Ended ended = end_of([] {
    judge::limit_time(1);
    std::thread(work, 5.0).join();
  });
  EXPECT_EQ(ended.exit_code, judge::timed_out);
  EXPECT_TRUE(ended.said.starts_with(judge::stack_mark)) << ended.said;
}

TEST(Watchdog, CountsNoTimeThatOnlyPasses) {
  const Ended ended = end_of([] {
    judge::limit_time(1);
    ::usleep(1500000);
    work(0.1);
  });
  EXPECT_EQ(ended.exit_code, 0) << ended.said;
}

TEST(Watchdog, StopsWhatWaits) {
  const Ended ended = end_of([] {
    judge::limit_waiting(1);
    for (;;) ::pause();
  });
  EXPECT_EQ(ended.exit_code, judge::waited_too_long);
  EXPECT_TRUE(ended.said.starts_with(judge::stack_mark)) << ended.said;
}

TEST(Watchdog, LetsWorkWhatWorksAndWaitWhatMay) {
  const Ended ended = end_of([] {
    judge::limit_waiting(1);
    work(1.2);
    judge::limit_waiting(0);
    ::usleep(1500000);
  });
  EXPECT_EQ(ended.exit_code, 0) << ended.said;
}

}  // namespace

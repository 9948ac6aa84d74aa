// Running other programs: what they write, how long they may, and that nothing of them is left.
#include "runner/system/process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "runner/system/files.h"
#include "tests/support/temporary_folder.h"

namespace course_process_test {

using namespace learn;

Finished shell(const std::string& script, const ProcessOptions& options = {}) {
  return run_process({"/bin/sh", "-c", script}, options);
}

// A process that has ended counts as dead even before its parent waits for it.
bool alive(int pid) {
  const std::vector<std::string> status = lines_of(fmt::format("/proc/{}/stat", pid));  // none if it is gone by now
  return !status.empty() && status[0].find(") Z ") == std::string::npos;
}

TEST(Process, CatchesBothOutputsAndTheExitCode) {
  const Finished finished = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_EQ(finished.output, "out\nerr\n");
  EXPECT_FALSE(finished.timed_out);
}

TEST(Process, SignalsAreExitCodesAsInTheShell) {
  EXPECT_EQ(shell("kill -SEGV $$").exit_code, 128 + SIGSEGV);
}

TEST(Process, AProgramThatIsNotThere) {
  const Finished finished = run_process({"/no/such/program"});
  EXPECT_EQ(finished.exit_code, 127);
  EXPECT_FALSE(finished.output.empty());
}

TEST(Process, IsKilledWhenItsTimeIsUp) {
  const Finished finished = shell("echo begun; sleep 60", {.seconds = 0.3});
  EXPECT_TRUE(finished.timed_out);
  EXPECT_EQ(finished.output, "begun\n");
  EXPECT_LT(finished.seconds, 5.0);
}

TEST(Process, ItsProcessorTimeIsLimitedApart) {
  EXPECT_EQ(shell("while :; do :; done", {.processor_seconds = 1}).exit_code, 128 + SIGXCPU);
  EXPECT_EQ(shell("sleep 1.2", {.processor_seconds = 1}).exit_code, 0);
}

TEST(Process, IsKilledEvenIfItIsStoppedOrHasClosedItsOutput) {
  EXPECT_TRUE(shell("kill -STOP $$", {.seconds = 0.3}).timed_out);
  EXPECT_TRUE(shell("exec >&- 2>&-; sleep 60", {.seconds = 0.3}).timed_out);
}

// A process that it leaves behind holds the pipe open, and is killed.
TEST(Process, DoesNotWaitForWhatItLeavesBehind) {
  const Finished finished = shell("sleep 60 & echo $!", {.seconds = 20.0});
  EXPECT_LT(finished.seconds, 5.0);
  EXPECT_FALSE(finished.timed_out);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(alive(std::stoi(finished.output)));
}

TEST(Process, IsKilledWhenWeAre) {
  const fixtures::TemporaryFolder folder;
  const std::string file = folder / "pid";
  const pid_t runner = ::fork();
  if (runner == 0) {
    shell("echo $$ > " + file + ".new; mv " + file + ".new " + file + "; exec sleep 60");
    ::_exit(0);
  }
  for (int i = 0; i < 500 && !exists(file); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(runner, SIGKILL);
  ::waitpid(runner, nullptr, 0);
  const int pid = std::stoi(read_file(file));
  for (int i = 0; i < 300 && alive(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(alive(pid));
}

TEST(Process, KeepsOnlySoMuchOutput) {
  const Finished finished = shell("yes | head -c 100000", {.most_output = 1000});
  EXPECT_EQ(finished.output.size(), 1000u);
  EXPECT_EQ(finished.exit_code, 0);
}

TEST(Process, SeesTheEnvironmentAndTheFolder) {
  const fixtures::TemporaryFolder folder;
  EXPECT_EQ(shell("echo $COURSE; pwd -P", {.environment = {"COURSE=yes=no"}, .folder = folder.path()}).output,
            "yes=no\n" + full_path(folder.path()) + "\n");
}

TEST(Process, HasNoInput) {
  EXPECT_EQ(shell("cat; echo done").output, "done\n");
}

// Buffered output would be lost with the crash.
TEST(Process, LineByLineLosesNothing) {
  const Finished finished = shell("[ -t 1 ] && echo terminal; printf 'a\\nb'; kill -9 $$", {.line_by_line = true});
  EXPECT_EQ(finished.output, "terminal\na\nb");
}

TEST(Process, AddressSpaceCanBeLimited) {
  EXPECT_NE(run_process({"/usr/bin/env", "sh", "-c", "head -c 300000000 /dev/zero | tail -c 290000000 | wc -c"},
                        {.most_memory = std::size_t{200} << 20})
                .output,
            "290000000\n");
}

TEST(Process, SeveralAtOnceFromThreads) {
  std::vector<std::thread> threads;
  std::array<std::string, 8> outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    threads.emplace_back([&outputs, i] { outputs[i] = shell(fmt::format("echo {}", i)).output; });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], fmt::format("{}\n", i));
}

}  // namespace course_process_test

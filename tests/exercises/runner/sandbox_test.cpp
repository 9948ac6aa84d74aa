// What a contained program can do, and what it cannot.
#include "runner/system/sandbox.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "runner/system/files.h"
#include "runner/system/process.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace course_sandbox_test {

using namespace learn;
namespace fs = std::filesystem;

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    if (containment() == Containment::limits_only) GTEST_SKIP() << describe(containment());
    fs::create_directory(folder / "own");
    write_file(folder / "secret", "the solution\n");
    write_file(folder / "shown/given", "what is given\n");
  }
  Sandbox sandbox() const {
    return {.folder = folder / "own",
            .readable = {folder / "shown"},
            .variables = {"GIVEN", "NEVER_SET"},
            .starts_programs = true};
  }
  static Finished run(const std::string& script, const Sandbox& sandbox) {
    return run_process(
        contained(sandbox, {"/bin/sh", "-c", script}),
        {.seconds = 20.0, .environment = {"GIVEN=yes"}, .small_folder = sandbox.folder, .most_disk = 1 << 20});
  }
  Finished run(const std::string& script) const { return run(script, sandbox()); }

  fixtures::TemporaryFolder folder;
};

TEST_F(SandboxTest, RunsInItsFolderAndMayWriteThere) {
  EXPECT_EQ(run("pwd -P; echo mine > file; cat file").output, full_path(folder / "own") + "\nmine\n");
  EXPECT_EQ(read_file(folder / "own/file"), "mine\n");
}

TEST_F(SandboxTest, ReadsOnlyWhatItIsShown) {
  EXPECT_EQ(run("cat " + folder / "shown/given").output, "what is given\n");
  EXPECT_NE(run("cat " + folder / "secret").exit_code, 0);
  EXPECT_NE(run("cat ../secret").exit_code, 0);
  EXPECT_NE(run("ls /root || ls /home").exit_code, 0);
  EXPECT_NE(run("cat /etc/passwd").exit_code, 0);
}

TEST_F(SandboxTest, WritesNowhereElse) {
  for (const std::string& path : {folder / "secret", folder / "new", folder / "shown/given", std::string("/dev/shm/x"),
                                  std::string("/tmp/learn_sandbox"), std::string("/learn_sandbox")}) {
    EXPECT_NE(run("echo forged > " + path).exit_code, 0) << path;
  }
  EXPECT_EQ(read_file(folder / "secret"), "the solution\n");
}

TEST_F(SandboxTest, SeesNoEnvironmentButWhatItIsGiven) {
  ::setenv("LEARN_SECRET", "token", 1);
  const Finished seen =
      run("echo \"$GIVEN,$LEARN_SECRET,${NEVER_SET-unset}\"; cat /proc/[0-9]*/environ 2>/dev/null | grep -c token");
  ::unsetenv("LEARN_SECRET");
  EXPECT_EQ(seen.output, "yes,,unset\n0\n");
}

TEST_F(SandboxTest, AnAnswerStartsNoProgramsAndSignalsNobody) {
  Sandbox answer = sandbox();
  answer.starts_programs = false;
  EXPECT_EQ(run("echo begun; /bin/true; echo after", answer).exit_code, 128 + SIGSYS);
  EXPECT_EQ(run("/bin/true && echo after").output, "after\n");
  EXPECT_NE(run("kill -KILL " + std::to_string(::getpid()), answer).exit_code, 0);
}

// In a session of its own, and its parent gone: so no group of processes has it.
TEST_F(SandboxTest, NothingOfItGoesOn) {
  for (const char* const end : {"", "; sleep 60"}) {
    run_process(contained(sandbox(), {"/bin/sh", "-c",
                                      std::string("(setsid sh -c 'while sleep 0.01; do echo >> own; done' >&- 2>&- &); "
                                                  "sleep 0.3") +
                                          end}),
                {.seconds = 1.0});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // it has been killed, and is on its way out
    const auto size = fs::file_size(folder / "own/own");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(fs::file_size(folder / "own/own"), size);
  }
}

TEST_F(SandboxTest, AFolderThatGrowsTooLargeEndsIt) {
  EXPECT_EQ(run("head -c 2000000 /dev/zero > one; sleep 20").exit_code, 128 + SIGXFSZ);
  fs::remove(folder / "own/one");
  const Finished many = run("i=0; while true; do i=$((i + 1)); head -c 10000 /dev/zero > many$i; done");
  EXPECT_EQ(many.exit_code, 128 + SIGXFSZ);
  EXPECT_FALSE(many.timed_out);
}

TEST_F(SandboxTest, ItsProcessorTimeIsLimited) {
  Sandbox short_one = sandbox();
  short_one.seconds = 1;
  const Finished finished = run("while true; do true; done", short_one);
  EXPECT_EQ(finished.exit_code, 128 + SIGXCPU);
  EXPECT_FALSE(finished.timed_out);
}

TEST(Sandbox, SaysWhetherThereIsOne) {
  EXPECT_TRUE(fixtures::is_golden(
      "course_sandbox", describe(Containment::bubblewrap) + "\n" + describe(Containment::limits_only) + "\n"));
}

}  // namespace course_sandbox_test

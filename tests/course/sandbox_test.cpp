// What a contained program can do, and what it cannot: by each means that works on this machine.
#include "runner/system/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "runner/system/files.h"
#include "runner/system/process.h"
#include "tests/support/temporary_folder.h"

namespace course_sandbox_test {

using namespace learn;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class SandboxTest : public testing::TestWithParam<Containment> {
 protected:
  void SetUp() override {
    // A kernel that has the lesser means may lack the better one.
    if (containment() > GetParam()) GTEST_SKIP() << "does not work here";
    if (GetParam() == Containment::kernel && !works()) GTEST_SKIP() << "does not work here";
    fs::create_directory(folder / "own");
    write_file(folder / "secret", "the solution\n");
    write_file(folder / "shown/given", "what is given\n");
  }
  static bool works() {
    const Sandbox sandbox{.folder = "/tmp", .by = Containment::kernel};
    return run_process(contained(sandbox, {"/bin/true"})).exit_code == 0;
  }
  Sandbox sandbox() const {
    return {.folder = folder / "own",
            .readable = {folder / "shown"},
            .variables = {"GIVEN"},
            .starts_programs = true,
            .by = GetParam()};
  }
  static Finished run(const std::string& script, const Sandbox& sandbox) {
    return run_process(
        contained(sandbox, {"/bin/sh", "-c", script}),
        {.seconds = 20.0, .environment = {"GIVEN=yes"}, .small_folder = sandbox.folder, .most_disk = 1 << 20});
  }
  Finished run(const std::string& script) const { return run(script, sandbox()); }

  fixtures::TemporaryFolder folder;
};

TEST_P(SandboxTest, RunsInItsFolderAndMayWriteThere) {
  EXPECT_EQ(run("pwd -P; echo mine > file; cat file").output, full_path(folder / "own") + "\nmine\n");
  EXPECT_EQ(read_file(folder / "own/file"), "mine\n");
}

TEST_P(SandboxTest, ReadsOnlyWhatItIsShown) {
  EXPECT_EQ(run("cat " + folder / "shown/given").output, "what is given\n");
  EXPECT_THAT(run("cat " + folder / "secret").output, Not(HasSubstr("the solution")));
  EXPECT_THAT(run("cat ../secret").output, Not(HasSubstr("the solution")));
  EXPECT_NE(run("ls /root || ls /home").exit_code, 0);
  EXPECT_NE(run("cat /etc/passwd").exit_code, 0);
}

TEST_P(SandboxTest, WritesNowhereElse) {
  for (const std::string& path : {folder / "secret", folder / "new", folder / "shown/given", std::string("/dev/shm/x"),
                                  std::string("/tmp/learn_sandbox"), std::string("/learn_sandbox")}) {
    EXPECT_NE(run("echo forged > " + path).exit_code, 0) << path;
  }
  EXPECT_EQ(read_file(folder / "secret"), "the solution\n");
}

TEST_P(SandboxTest, SeesNoEnvironmentButWhatItIsGiven) {
  ::setenv("LEARN_SECRET", "token", 1);
  const std::string seen = run("env; tr '\\0' '\\n' < /proc/" + std::to_string(::getpid()) + "/environ").output;
  ::unsetenv("LEARN_SECRET");
  EXPECT_THAT(seen, HasSubstr("GIVEN=yes"));
  EXPECT_THAT(seen, Not(HasSubstr("token")));
}

TEST_P(SandboxTest, AnAnswerStartsNoProgramsAndSignalsNobody) {
  Sandbox answer = sandbox();
  answer.starts_programs = false;
  EXPECT_EQ(run("echo begun; /bin/true; echo after", answer).exit_code, 128 + SIGSYS);
  EXPECT_EQ(run("/bin/true && echo after").output, "after\n");
  const Finished killed = run("kill -KILL " + std::to_string(::getpid()) + "; echo still", answer);
  EXPECT_THAT(killed.output, testing::AnyOf(HasSubstr("No such process"), testing::IsEmpty()));
}

TEST_P(SandboxTest, AFolderThatGrowsTooLargeEndsIt) {
  EXPECT_EQ(run("head -c 2000000 /dev/zero > one; sleep 20").exit_code, 128 + SIGXFSZ);
  fs::remove(folder / "own/one");
  const Finished many = run("i=0; while true; do i=$((i + 1)); head -c 10000 /dev/zero > many$i; done");
  EXPECT_EQ(many.exit_code, 128 + SIGXFSZ);
  EXPECT_FALSE(many.timed_out);
}

TEST_P(SandboxTest, ItsProcessorTimeIsLimited) {
  Sandbox short_one = sandbox();
  short_one.seconds = 1;
  const Finished finished = run("while true; do true; done", short_one);
  EXPECT_EQ(finished.exit_code, 128 + SIGXCPU);
  EXPECT_FALSE(finished.timed_out);
}

std::string name_of(const testing::TestParamInfo<Containment>& info) {
  return info.param == Containment::bubblewrap ? "bubblewrap" : "kernel";
}

INSTANTIATE_TEST_SUITE_P(Means, SandboxTest, testing::Values(Containment::bubblewrap, Containment::kernel), name_of);

TEST(Sandbox, SaysWhereNothingIsContained) {
  EXPECT_THAT(describe(Containment::limits_only), HasSubstr("NOT CONTAINED"));
  EXPECT_THAT(describe(Containment::bubblewrap), Not(HasSubstr("NOT")));
}

}  // namespace course_sandbox_test

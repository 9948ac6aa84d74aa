// The record of someone's progress: damage, disks that are full, folders that cannot be written, two at once.
#include "runner/desk/progress.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "runner/system/files.h"
#include "tests/support/temporary_folder.h"

namespace course_progress_test {

using namespace learn;
using testing::IsEmpty;
using testing::Not;

class ProgressTest : public testing::Test {
 protected:
  ProgressTest() { write_file(desk.base("01_twice.cpp"), "stub"); }

  static Report report(const std::string& id, Report::Outcome outcome) {
    Report made;
    made.id = id;
    made.outcome = outcome;
    made.verdict.emplace();
    made.problem.emplace();
    return made;
  }
  Progress read() const { return Progress::read(desk); }

  fixtures::TemporaryFolder folder;
  Desk desk{folder.path()};
};

// In a process of its own; whether it returned true.
bool in_another_process(const std::function<bool()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body() ? 0 : 1);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(ProgressTest, IsKept) {
  Progress progress = read();
  progress.note_report(report("01_twice", Report::Outcome::wrong));
  progress.note_report(report("01_twice", Report::Outcome::passed));
  progress.note_hint("02_row_sums", 2);
  progress.note_hint("02_row_sums", 1);
  progress.note_given_up("02_row_sums");
  progress.choose_fast_track(true);
  const Progress again = read();
  EXPECT_TRUE(again.of("01_twice").passed);
  EXPECT_EQ(again.of("01_twice").attempts, 2);
  EXPECT_FALSE(again.of("01_twice").passed_at.empty());
  EXPECT_EQ(again.of("01_twice").last->outcome, Report::Outcome::passed);
  EXPECT_EQ(again.of("02_row_sums").hints, 2);
  EXPECT_TRUE(again.of("02_row_sums").given_up);
  EXPECT_TRUE(again.fast_track());
  EXPECT_THAT(again.notice(), IsEmpty());
}

TEST_F(ProgressTest, WhatWasPassedStaysPassed) {
  Progress progress = read();
  progress.note_report(report("01_twice", Report::Outcome::passed));
  progress.note_report(report("01_twice", Report::Outcome::wrong));
  EXPECT_TRUE(read().of("01_twice").passed);
  EXPECT_EQ(read().of("01_twice").attempts, 1) << "those until it passed";
}

TEST_F(ProgressTest, WhatIsBegunAgainWasStillGivenUp) {
  Progress progress = read();
  progress.note_hint("01_twice", 2);
  progress.note_given_up("01_twice");
  progress.note_reset("01_twice");
  EXPECT_EQ(read().of("01_twice").hints, 0);
  EXPECT_TRUE(read().of("01_twice").given_up);
}

TEST_F(ProgressTest, ABrokenCourseIsNobodysAttempt) {
  Progress progress = read();
  progress.note_report(report("01_twice", Report::Outcome::broken));
  EXPECT_EQ(read().of("01_twice").attempts, 0);
}

TEST_F(ProgressTest, DamageIsSetAsideAndSaid) {
  for (const std::string damage : {"", "{", "{\"exercises\": 3}", "\x01\xff\x00garbage", "[]"}) {
    write_file(desk.progress(), damage);
    Progress progress = read();
    EXPECT_THAT(progress.notice(), Not(IsEmpty())) << damage;
    EXPECT_FALSE(exists(desk.progress()));
    progress.note_report(report("01_twice", Report::Outcome::passed));
    EXPECT_TRUE(read().of("01_twice").passed);
    EXPECT_THAT(read().notice(), IsEmpty());
  }
  EXPECT_EQ(read_file(desk.attic() + "/state.2.json"), "{");
}

TEST_F(ProgressTest, AReportFromAnotherVersionIsForgottenAndNotTheRest) {
  write_file(desk.progress(), R"({"exercises": {"01_twice": {"passed": true, "last": {"who": "knows"}}}})");
  const Progress progress = read();
  EXPECT_TRUE(progress.of("01_twice").passed);
  EXPECT_FALSE(progress.of("01_twice").last.has_value());
  EXPECT_THAT(progress.notice(), IsEmpty());
}

TEST_F(ProgressTest, AReportThatSaysNothingIsForgottenAndNotTheRest) {
  Report empty = report("01_twice", Report::Outcome::wrong);
  empty.verdict.reset();
  Progress progress = read();
  progress.note_report(empty);
  progress = read();
  EXPECT_THAT(progress.notice(), IsEmpty());
  EXPECT_EQ(progress.of("01_twice").attempts, 1);
  EXPECT_FALSE(progress.of("01_twice").last.has_value());
}

TEST_F(ProgressTest, WhatIsNoCountIsNone) {
  for (const std::string count : {"1e300", "-1", "3000000000", "\"7\"", "null"}) {
    write_file(desk.progress(), R"({"exercises": {"01_twice": {"passed": true, "attempts": )" + count +
                                    R"(, "hints": )" + count + "}}}");
    const Progress progress = read();
    EXPECT_THAT(progress.notice(), IsEmpty()) << count;
    EXPECT_TRUE(progress.of("01_twice").passed) << count;
    EXPECT_EQ(progress.of("01_twice").attempts, 0) << count;
    EXPECT_EQ(progress.of("01_twice").hints, 0) << count;
  }
  write_file(desk.progress(), R"({"exercises": {"01_twice": {"attempts": 2147483647}}})");
  Progress progress = read();
  progress.note_report(report("01_twice", Report::Outcome::wrong));
  EXPECT_EQ(read().of("01_twice").attempts, 1000000);
}

TEST_F(ProgressTest, BytesThatAreNoTextDoNoHarm) {
  Progress progress = read();
  Report odd = report("01_twice", Report::Outcome::wrong);
  odd.printed = "\xff\xfe\x80";
  progress.note_report(odd);
  EXPECT_THAT(progress.notice(), IsEmpty());
  EXPECT_EQ(read().of("01_twice").attempts, 1);
}

TEST_F(ProgressTest, TwoRunnersLoseNothingOfEachOther) {
  Progress one = read();
  Progress other = read();
  one.note_report(report("01_twice", Report::Outcome::passed));
  other.note_report(report("02_row_sums", Report::Outcome::passed));
  EXPECT_TRUE(read().of("01_twice").passed);
  EXPECT_TRUE(read().of("02_row_sums").passed);
}

TEST_F(ProgressTest, ManyAtOnceLoseNothing) {
  std::vector<pid_t> runners;
  for (int runner = 0; runner < 4; ++runner) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      for (int i = 0; i < 10; ++i) {
        Progress progress = read();
        progress.note_report(report(fmt::format("{:02}_x", 10 * runner + i), Report::Outcome::passed));
      }
      ::_exit(0);
    }
    runners.push_back(pid);
  }
  for (const pid_t pid : runners) ::waitpid(pid, nullptr, 0);
  const Progress progress = read();
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(progress.of(fmt::format("{:02}_x", i)).passed) << i;
}

// As on a full disk: what was there stays, and it is said.
TEST_F(ProgressTest, AFullDiskKeepsTheOldRecord) {
  Progress progress = read();
  progress.note_report(report("01_twice", Report::Outcome::passed));
  const std::string before = read_file(desk.progress());
  EXPECT_TRUE(in_another_process([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit nothing{64, 64};
    ::setrlimit(RLIMIT_FSIZE, &nothing);
    Progress full = read();
    full.note_report(report("02_row_sums", Report::Outcome::passed));
    return full.of("02_row_sums").passed && !full.notice().empty();
  }));
  EXPECT_EQ(read_file(desk.progress()), before);
}

// Also for root, who may write everywhere: as someone else.
TEST_F(ProgressTest, AFolderThatCannotBeWritten) {
  Progress progress = read();
  progress.note_report(report("01_twice", Report::Outcome::passed));
  const auto set = [&](mode_t mode) { ::chmod(folder.path().c_str(), mode); };
  set(0555);
  EXPECT_TRUE(in_another_process([&] {
    if (::getuid() == 0 && ::setuid(65534) != 0) return false;
    Progress other = read();
    const bool seen = other.of("01_twice").passed;
    other.note_hint("01_twice", 1);
    return seen && other.of("01_twice").hints == 1 && !other.notice().empty();
  }));
  set(0755);
  EXPECT_EQ(read().of("01_twice").hints, 0);
}

TEST_F(ProgressTest, WithoutADeskItIsSaid) {
  const fixtures::TemporaryFolder elsewhere;
  Progress progress = Progress::read(Desk(elsewhere.path()));
  EXPECT_THAT(progress.notice(), Not(IsEmpty()));
  progress.note_report(report("01_twice", Report::Outcome::passed));
  EXPECT_TRUE(progress.of("01_twice").passed);
  EXPECT_FALSE(exists(elsewhere / ".learn"));
}

}  // namespace course_progress_test

#include "examples/translate/messages.h"

#include <gtest/gtest.h>

#include <csignal>

#include "examples/translate/training/progress.h"
#include "examples/translate/training/stop_signal.h"

namespace translate_messages_test {

TEST(Messages, ThatCannotBeWrittenAreNotMissed) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  translate::say("lost\n", full);
  translate::Progress progress(full);
  progress.say("lost too");
  std::fclose(full);
}

TEST(Messages, CountThings) {
  EXPECT_EQ(translate::counted(1, "pair"), "1 pair");
  EXPECT_EQ(translate::counted(0, "pair"), "0 pairs");
  EXPECT_EQ(translate::counted(2, "pair"), "2 pairs");
}

TEST(Messages, ListThings) {
  EXPECT_EQ(translate::listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(translate::listed({"a"}), "a");
  EXPECT_EQ(translate::listed({}), "");
}

TEST(Messages, QuotePathsForAShell) {
  EXPECT_EQ(translate::quoted("runs/first-1.x"), "runs/first-1.x");
  EXPECT_EQ(translate::quoted("my runs"), "'my runs'");
  EXPECT_EQ(translate::quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(translate::quoted("$HOME"), "'$HOME'");
  EXPECT_EQ(translate::quoted(""), "''");
}

TEST(Messages, DoNothingToATerminal) {
  EXPECT_EQ(translate::in_one_line("a\nb \x1b[2J"), "a b ␛[2J");
}

TEST(Progress, FitsTheLine) {
  const std::vector<std::string> fields = {"epoch 1/2", "loss 3.5", "12 words/s"};
  EXPECT_EQ(translate::fitting(fields, 100), "epoch 1/2   loss 3.5   12 words/s");
  EXPECT_EQ(translate::fitting(fields, 34), "epoch 1/2   loss 3.5   12 words/s");
  EXPECT_EQ(translate::fitting(fields, 33), "epoch 1/2   loss 3.5");
  EXPECT_EQ(translate::fitting(fields, 5), "");
  EXPECT_EQ(translate::shortened("straße", 6), "straß");
  EXPECT_EQ(translate::shortened("straße", 7), "straße");
}

// A terminal that closes may send more than one.
TEST(StopSignals, MoreThanOneHangUpIsOne) {
  std::signal(SIGHUP, SIG_DFL);
  const translate::StopSignal listening;
  std::raise(SIGHUP);
  std::raise(SIGHUP);
  EXPECT_EQ(translate::StopSignal::received(), SIGHUP);
}

}  // namespace translate_messages_test

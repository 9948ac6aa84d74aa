// The debugger at a terminal: what Ctrl-C does; and a word on standard input that is no terminal.

#include "tests/support/terminal.h"

#include <cstdio>

namespace terminal_test {

const std::string control_c = "\x03";
const std::string prompt = "(backstep) ";

// Stands in the first of its passes.
struct EndlessTraining : Terminal {
  EndlessTraining() : Terminal({SWITCH_PROGRAM, "endless"}, {"BACKSTEP=step", "XDG_STATE_HOME=/dev/null"}) {}
};

TEST(ControlC, StopsTheProgramAtTheNextOp) {
  EndlessTraining program;
  ASSERT_TRUE(program.shows(prompt));
  program.press("set stop-at none\n");
  ASSERT_TRUE(program.shows(prompt));
  program.press("continue\n");  // to the end of the pass
  ASSERT_TRUE(program.shows(prompt));
  program.press("continue\n");
  ASSERT_TRUE(program.shows("pass 1000\r\n"));
  program.press(control_c);
  ASSERT_TRUE(program.shows(" of 3"));  // "#1 of 3"
  ASSERT_TRUE(program.shows(prompt));
  program.press("kill\n");
  EXPECT_EQ(program.exit_code(), 1);
}

TEST(ControlC, EndsTheProgramOnceTheDebuggerIsGone) {
  EndlessTraining program;
  ASSERT_TRUE(program.shows(prompt));
  program.press("quit\n");
  ASSERT_TRUE(program.shows("pass 1000\r\n"));
  program.press(control_c);
  EXPECT_EQ(program.exit_code(), -1);  // by the signal
}

std::string printed_by(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

TEST(StandardInput, ThatIsDataIsPointedOut) {
  const std::string how = "BACKSTEP=step:/dev/tty";
  const std::string run = " | BACKSTEP=step " SWITCH_PROGRAM " right";
  EXPECT_NE(printed_by("printf '1 2 3\\n4\\n'" + run).find(how), std::string::npos);
  EXPECT_EQ(printed_by("printf 'step\\nfoo\\n'" + run).find(how), std::string::npos);
}

}  // namespace terminal_test

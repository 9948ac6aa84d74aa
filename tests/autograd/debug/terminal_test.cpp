// The debugger at a terminal: what Ctrl-C does; and a word on standard input that is not a terminal.

#include "tests/support/terminal.h"

#include "tests/autograd/debug/transcript.h"

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

TEST(ControlC, AtThePromptGivesANewPrompt) {
  Terminal program({SMALL_ATTENTION}, {"BACKSTEP=step"});
  ASSERT_TRUE(program.shows(prompt));
  program.press("print dy" + control_c);
  ASSERT_TRUE(program.shows("\n" + prompt));
  program.press("step\n");
  EXPECT_TRUE(program.shows("#2 of 13"));
  program.press("quit\n");
  EXPECT_TRUE(program.shows("dL/dW"));
}

TEST(Terminal, MayBeNamedWhereStandardInputIsData) {
  Terminal program({SMALL_ATTENTION}, {"BACKSTEP=step:/dev/tty"}, true);
  ASSERT_TRUE(program.shows(prompt));
  program.press("step\n");
  EXPECT_TRUE(program.shows("#2 of 13"));
}

TEST(StandardInput, ThatIsDataIsPointedOut) {
  const std::string how = "BACKSTEP=step:/dev/tty";
  const std::string run = " | BACKSTEP=step " SWITCH_PROGRAM " right";
  EXPECT_NE(transcript::output_of("printf '1 2 3\\n4\\n'" + run).find(how), std::string::npos);
  EXPECT_EQ(transcript::output_of("printf 'step\\nfoo\\n'" + run).find(how), std::string::npos);
}

}  // namespace terminal_test

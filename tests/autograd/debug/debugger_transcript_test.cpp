// Sessions with BACKSTEP=step:SCRIPT print tests/autograd/debug/sessions/*.txt, up to the last bits of numbers;
// docs/debugger.md quotes them. After an intended change: tests/renew

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "snippets.h"
#include "tests/autograd/debug/transcript.h"
#include "tests/support/terminal.h"

namespace debugger_transcript_test {

using docs::Lines;

struct Session {
  const char* name;  // of the script and the transcript
  const char* program;
};

void PrintTo(const Session& session, std::ostream* out) {
  *out << session.name;
}

std::string path(const std::string& name) {
  return BACKSTEP_SOURCE "/tests/autograd/debug/sessions/" + name;
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

// From the project's folder, so that the sources are found.
std::string transcript_of(const Session& session) {
  return output_of(fmt::format("cd {} && BACKSTEP=step:{} {} 2>&1", BACKSTEP_SOURCE, path(session.name) + ".script",
                               session.program));
}

class Transcripts : public testing::TestWithParam<Session> {};

TEST_P(Transcripts, AreAsExpected) {
  const std::string found = transcript_of(GetParam());
  const std::string file = path(GetParam().name) + ".txt";
  if (std::getenv("BACKSTEP_RENEW")) std::ofstream(file) << found;
  const Lines expected = lines_of(read(file));
  const Lines actual = lines_of(found);
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    ASSERT_TRUE(transcript::same_line(expected[i], actual[i]))
        << file << ":" << i + 1 << "\n  expected " << expected[i] << "\n  found    " << actual[i];
  }
  EXPECT_EQ(expected.size(), actual.size()) << found;
}

TEST_P(Transcripts, AreTheSameEachTime) {
  EXPECT_EQ(transcript_of(GetParam()), transcript_of(GetParam()));
}

std::vector<Session> sessions() {
  std::vector<Session> all = {{"small_attention", SMALL_ATTENTION}, {"refused", SMALL_ATTENTION}};
#ifdef BAHDANAU_DEMONSTRATION  // the examples may be left out
  all.push_back({"bahdanau", BAHDANAU_DEMONSTRATION});
#endif
  return all;
}

INSTANTIATE_TEST_SUITE_P(Debugger, Transcripts, testing::ValuesIn(sessions()),
                         [](const auto& session) { return std::string(session.param.name); });

// ---- the program runs on as without a session ----------------------------------------------------------------------

TEST(Program, PrintsTheSameAfterASessionAsWithoutOne) {
  const std::string alone = output_of(SMALL_ATTENTION);
  const std::string watched = transcript_of({"small_attention", SMALL_ATTENTION});
  EXPECT_THAT(watched, testing::EndsWith(alone));
}

TEST(Switch, RefusesAScriptThatCannotBeRead) {
  const std::string text = output_of("BACKSTEP=step:/nonexistent " SMALL_ATTENTION " 2>&1; echo $?");
  EXPECT_THAT(text, testing::EndsWith("\n2\n"));
}

TEST(Switch, TakesCommandsFromAPipe) {
  const std::string file = testing::TempDir() + "/debugger_transcript_test.script";
  std::ofstream(file) << "step\nprint dy";
  EXPECT_EQ(output_of("BACKSTEP=step " SMALL_ATTENTION " < " + file),
            output_of("BACKSTEP=step:" + file + " " SMALL_ATTENTION));
}

// ---- on a terminal ----------------------------------------------------------------------------------------------------

TEST(OnATerminal, CtrlCAtThePromptGivesANewPrompt) {
  Terminal program({SMALL_ATTENTION}, {"BACKSTEP=step"});
  ASSERT_TRUE(program.shows("(backstep) "));
  program.press("print dy\x03");
  ASSERT_TRUE(program.shows("\n(backstep) "));
  program.press("step\n");
  EXPECT_TRUE(program.shows("#2 of 13"));
  program.press("quit\n");
  EXPECT_TRUE(program.shows("dL/dW"));
}

TEST(OnATerminal, MayBeNamedWhereStandardInputIsData) {
  Terminal program({SMALL_ATTENTION}, {"BACKSTEP=step:/dev/tty"}, true);
  ASSERT_TRUE(program.shows("(backstep) "));
  program.press("step\n");
  EXPECT_TRUE(program.shows("#2 of 13"));
  program.press("quit\n");
  EXPECT_TRUE(program.shows("dL/dW"));
}

// ---- the chapter ---------------------------------------------------------------------------------------------------

// Every block of docs/debugger.md that shows a session is in a transcript, line after line.
TEST(Chapter, QuotesTheTranscript) {
  const docs::Page page = docs::read_page(BACKSTEP_SOURCE "/docs/debugger.md", "docs/debugger.md");
  const Lines transcript = lines_of(read(path("small_attention.txt")));
  int quoted = 0;
  for (const docs::Block& block : page.blocks) {
    if (block.lines.empty() || block.lines[0].rfind("(backstep) ", 0) != 0) continue;
    ++quoted;
    const auto found = std::search(transcript.begin(), transcript.end(), block.lines.begin(), block.lines.end());
    EXPECT_NE(found, transcript.end()) << "docs/debugger.md:" << block.line
                                       << ": this session is not in tests/autograd/debug/sessions/small_attention.txt";
  }
  EXPECT_GT(quoted, 5);
}

}  // namespace debugger_transcript_test

// Sessions with BACKSTEP=step:SCRIPT print tests/autograd/debug/sessions/*.txt, up to the last bits of numbers;
// docs/debugger.md quotes them. After an intended change: tests/renew

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "snippets.h"
#include "tests/autograd/debug/transcript.h"

namespace debugger_transcript_test {

using docs::Lines;
using transcript::output_of;

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

// From the project's folder, so that the sources are found.
std::string transcript_of(const Session& session) {
  return output_of(fmt::format("cd {} && BACKSTEP=step:{} {} 2>&1", BACKSTEP_SOURCE, path(session.name) + ".script",
                               session.program));
}

class Transcripts : public testing::TestWithParam<Session> {};

TEST_P(Transcripts, AreAsExpectedEachTime) {
  const std::string found = transcript_of(GetParam());
  EXPECT_TRUE(transcript::is_in(path(GetParam().name) + ".txt", found));
  EXPECT_EQ(transcript_of(GetParam()), found);
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

// ---- the chapter ---------------------------------------------------------------------------------------------------

// Every block of docs/debugger.md that shows a session is in a transcript, line after line.
TEST(Chapter, QuotesTheTranscript) {
  const docs::Page page = docs::read_page(BACKSTEP_SOURCE "/docs/debugger.md", "docs/debugger.md");
  const Lines session = autograd::lines_in(transcript::content_of(path("small_attention.txt")));
  int quoted = 0;
  for (const docs::Block& block : page.blocks) {
    if (block.lines.empty() || block.lines[0].rfind("(backstep) ", 0) != 0) continue;
    ++quoted;
    const auto found = std::search(session.begin(), session.end(), block.lines.begin(), block.lines.end());
    EXPECT_NE(found, session.end()) << "docs/debugger.md:" << block.line
                                    << ": this session is not in tests/autograd/debug/sessions/small_attention.txt";
  }
  EXPECT_GT(quoted, 5);
}

}  // namespace debugger_transcript_test

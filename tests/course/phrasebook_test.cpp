// Phrases of compilers and sanitizers, and what is made of them.
#include "runner/explain/phrasebook.h"

#include <gtest/gtest.h>

namespace course_phrasebook_test {

using namespace learn;

constexpr Phrase phrases[] = {
    {R"(no '([^']*)' here|'([^']*)' is unknown)", "there is no '$1$2'", "Is $1$2 spelled so?"},
    {R"('([^']*)'.*)", "something with '$1'", ""},
};

TEST(Phrasebook, TheFirstPhraseThatIsAllOfTheMessageCounts) {
  const Phrasebook book(phrases);
  for (const char* const message : {"no 'x' here", "'x' is unknown"}) {
    const auto problem = book.explain(message, {"a.cpp", 7, 3});
    ASSERT_TRUE(problem) << message;
    EXPECT_EQ(problem->sentence, "there is no 'x'");
    EXPECT_EQ(problem->advice, "Is x spelled so?");
    EXPECT_EQ(problem->place.line, 7);
  }
  EXPECT_EQ(book.explain("'x' is unknown to me", {})->sentence, "something with 'x'");
  EXPECT_FALSE(book.explain("there is no 'x' here", {}));
}

TEST(Phrasebook, FindsTheFirstPhraseThatStandsInALine) {
  const Phrasebook book(phrases);
  const std::string text = "something else\n  with 'y' in it\nthere is no 'x' here, says the compiler\n";
  const auto problem = book.find(text, {"a.cpp", 7, 3});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->sentence, "there is no 'x'");
  EXPECT_EQ(problem->place.line, 7);
  EXPECT_EQ(book.find("with 'y' in it", {})->sentence, "something with 'y'");
  EXPECT_FALSE(book.find("no\n'x", {}));
}

}  // namespace course_phrasebook_test

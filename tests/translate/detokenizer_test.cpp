#include "examples/translate/data/detokenizer.h"

#include <gtest/gtest.h>

namespace translate_detokenizer_test {

// Each of these lines is its words' line again.
TEST(Detokenizer, PutsSpacesBack) {
  for (const std::string line :
       {"a man, about 3.5 m (or 11 feet) tall; others: 1,000!", "the man's dog doesn't see the boys' t-shirts.",
        "\"hi,\" says \"james's\" friend at 11:27", "the u.s. army at a q&a", "l'homme qu'on voit dort...",
        "„halt!“, ruft «er» – ein- und ausgang für o’neill", "muž řekl: \"ahoj\" a běží; 50% z #5", ""}) {
    EXPECT_EQ(translate::detokenize(translate::split_words(line)), line);
  }
}

TEST(Detokenizer, LeavesUnknownWordsWhole) {
  EXPECT_EQ(translate::detokenize({"ein", "<unk>", "-", "shirt", "."}), "ein <unk>-shirt.");
}

}  // namespace translate_detokenizer_test

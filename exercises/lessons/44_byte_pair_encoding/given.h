// What is given in exercise 44: words in pieces, counted pairs, and the functions to write.
#pragma once

#include <judge/learner.h>

#include <map>
#include <utility>

namespace given {

using Pieces = std::vector<std::string>;           // of one word: "w", "i", "d", "est</w>"
using Pair = std::pair<std::string, std::string>;  // two pieces that stand next to each other: {"d", "est</w>"}
using PairCounts = std::map<Pair, std::int64_t>;

// A word, and how often it occurs in the text.
struct Word {
  Pieces pieces;
  std::int64_t count = 0;
};
using Text = std::vector<Word>;  // each word once

}  // namespace given

using given::Pair;
using given::PairCounts;
using given::Pieces;
using given::Text;
using given::Word;

// The first three merges of the text in the exercise, found on paper: {{"a", "b"}, {"ab", "c"}, {"d", "e</w>"}}.
std::vector<Pair> merges_by_hand();

// "low" -> "l", "o", "w</w>". The word has one letter or more.
Pieces letters_of(const std::string& word);

// How often each pair of neighbours occurs in the text.
PairCounts pairs_of(const Text& text);

// The pieces of one word after the two of `pair` have been joined wherever they stand together.
Pieces joined(const Pieces& pieces, const Pair& pair);

// At most `merges` merges, in their order.
std::vector<Pair> learn_merges(Text text, std::int64_t merges);

// A word cut by merges that were learned.
Pieces pieces_of(const std::string& word, const std::vector<Pair>& merges);

struct Answer {
  decltype(&::merges_by_hand) merges_by_hand;
  decltype(&::letters_of) letters_of;
  decltype(&::pairs_of) pairs_of;
  decltype(&::joined) joined;
  decltype(&::learn_merges) learn_merges;
  decltype(&::pieces_of) pieces_of;
};

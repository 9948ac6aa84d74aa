#include <fmt/format.h>
#include <fmt/ranges.h>
#include <judge/check.h>

#include <cmath>

#include "given.h"

const Axes judge::axes = {};

namespace {

// ---- how it is shown ------------------------------------------------------------------------------------------

std::string as_text(const Pieces& pieces) {
  return fmt::format("{}", fmt::join(pieces, " "));
}

std::string as_text(const PairCounts& counts) {
  std::vector<std::string> shown;
  for (const auto& [pair, count] : counts) shown.push_back(fmt::format("{}+{}={}", pair.first, pair.second, count));
  return fmt::format("{}", fmt::join(shown, " "));
}

std::string as_text(const std::vector<Pair>& merges) {
  std::vector<std::string> shown;
  for (const auto& [first, second] : merges) shown.push_back(first + "+" + second);
  return merges.empty() ? "none" : fmt::format("{}", fmt::join(shown, " "));
}

// A number for each pair: of numbers a report can say that they are wrong without saying what is right.
double number_of(const Pair& pair) {
  double number = 0.0;
  for (const char letter : pair.first + " " + pair.second) number = std::fmod(31.0 * number + letter, 99991.0);
  return number;
}

// ---- inputs ---------------------------------------------------------------------------------------------------

// In letters, whatever the answer's letters_of does.
Word word_of(const std::string& letters, std::int64_t count) {
  Pieces pieces;
  for (const char letter : letters) pieces.emplace_back(1, letter);
  pieces.back() += "</w>";
  return {pieces, count};
}

const Text few_words = {word_of("low", 5), word_of("lower", 2), word_of("newest", 6), word_of("widest", 3)};
const Text repeats = {word_of("aaaab", 2), word_of("banana", 3), word_of("aaa", 1), word_of("b", 9)};

std::string drawn_word(autograd::Generator& random) {
  std::string letters(static_cast<std::size_t>(random.integer(2, 6)), 'a');
  for (char& letter : letters) letter = static_cast<char>('a' + random.integer(0, 3));
  return letters;
}

Text drawn_text(autograd::Generator& random) {
  Text text;
  for (int i = 0; i < 8; ++i) {
    const std::string letters = drawn_word(random);  // before the call: compilers differ in the order of its arguments
    text.push_back(word_of(letters, random.integer(1, 5)));
  }
  return text;
}

void check_joined(const Answer& answer, Check& check) {
  const auto compare = [&](const std::string& name, const Pieces& pieces, const Pair& pair) {
    check.text("joined: " + name, as_text(answer.joined(pieces, pair)));
  };
  compare("e + r</w> in \"lower\"", {"lo", "w", "e", "r</w>"}, {"e", "r</w>"});
  compare("a + n in \"banana\"", {"b", "a", "n", "a", "n", "a</w>"}, {"a", "n"});
  compare("a + a in \"aaab\"", {"a", "a", "a", "b</w>"}, {"a", "a"});
  compare("a + a in \"aaaab\"", {"a", "a", "a", "a", "b</w>"}, {"a", "a"});
  compare("n + ew in ne w n ew e</w>", {"ne", "w", "n", "ew", "e</w>"}, {"n", "ew"});
  compare("s + t in s t s t</w>", {"s", "t", "s", "t</w>"}, {"s", "t"});
  compare("a + b in a</w>", {"a</w>"}, {"a", "b"});
  compare("a + b in b a, part of a word", {"b", "a"}, {"a", "b"});
}

void check_learning(const Answer& answer, Check& check, const Text& drawn) {
  const auto compare = [&](const std::string& name, const Text& text, std::int64_t merges) {
    check.text("merges of " + name, as_text(answer.learn_merges(text, merges)));
  };
  compare("low lower newest widest: 1", few_words, 1);
  compare("low lower newest widest: 5", few_words, 5);
  compare("low lower newest widest: 0", few_words, 0);
  compare("aaaab banana aaa b: 3", repeats, 3);
  compare("a text with pairs that are there 3, 2 and 1 times", {word_of("ab", 3), word_of("cd", 2), word_of("ef", 1)},
          9);
  compare("a text drawn at random: 10", drawn, 10);
}

void check_pieces(const Answer& answer, Check& check, const Text& drawn) {
  const auto compare = [&](const std::string& word, const std::vector<Pair>& merges) {
    check.text(fmt::format("pieces of \"{}\" by {}", word, as_text(merges)), as_text(answer.pieces_of(word, merges)));
  };
  compare("abcd", {{"b", "c"}, {"a", "b"}});
  compare("abcd", {{"x", "y"}, {"a", "b"}, {"c", "d</w>"}});
  compare("bcde", {{"c", "d"}, {"b", "c"}, {"bc", "d"}});
  compare("abca", {{"b", "c"}, {"a", "bc"}, {"a", "b"}});
  compare("lowest", {{"s", "t</w>"}, {"e", "st</w>"}, {"l", "o"}, {"w", "est</w>"}});
  compare("a", {});
  const std::vector<Pair> merges = answer.learn_merges(drawn, 10);
  for (const char* const name : {"first", "second"}) {
    check.text(fmt::format("pieces of a {} word drawn at random", name),
               as_text(answer.pieces_of(drawn_word(check.random()), merges)));
  }
}

}  // namespace

void check(const Answer& answer, Check& check) {
  std::vector<double> by_hand;
  for (const Pair& pair : answer.merges_by_hand()) by_hand.push_back(number_of(pair));
  check.compare("merges by hand", by_hand, {.hide_expected = true});

  check.text("letters of \"low\"", as_text(answer.letters_of("low")));
  check.text("letters of \"a\"", as_text(answer.letters_of("a")));

  const Text drawn = drawn_text(check.random());
  check.text("pairs of low lower newest widest", as_text(answer.pairs_of(few_words)));
  check.text("pairs of aaaab banana aaa b", as_text(answer.pairs_of(repeats)));
  check.text("pairs of n e w est</w> and w id est</w>",
             as_text(answer.pairs_of({{{"n", "e", "w", "est</w>"}, 6}, {{"w", "id", "est</w>"}, 3}})));
  check.text("pairs of a text drawn at random", as_text(answer.pairs_of(drawn)));

  check_joined(answer, check);
  check_learning(answer, check, drawn);
  check_pieces(answer, check, drawn);
}

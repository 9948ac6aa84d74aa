// BytePairEncoding: words as sequences of frequent pieces, so that none is unknown. Sennrich, Haddow and Birch (2016),
// "Neural Machine Translation of Rare Words with Subword Units", algorithm 1.
//
//   the text            low low low low low lower lower newest newest newest newest newest newest widest widest widest
//   the first merges    s t</w>     e st</w>     l o            which are in it 9, 9 and 7 times
//   after 8 merges      lowest = lo@@ west     newest = newest     wide = wi@@ d@@ e
//
// Every word begins as its characters, the last one with the mark </w>. Learning joins, again and again, the two
// neighbours that are next to each other most often; encoding a word does the same joins in the same order. In a
// sentence, "@@" marks the pieces that the next one belongs to, so that words can be put together again.
#pragma once

#include <autograd/tensor/where.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/translation/vocabulary.h"

namespace nn {

class BytePairEncoding {
 public:
  using Pair = std::pair<std::string, std::string>;

  // Without merges: every character is a piece.
  BytePairEncoding() = default;
  // Learns at most `merges` joins from these sentences, fewer if no pair is left that is there twice. Of pairs that are
  // there equally often it joins the one that comes last by code points. These are subword-nmt's merges. Throws
  // bad-argument for less than 0 merges.
  static BytePairEncoding learn(const std::vector<Words>& sentences, std::int64_t merges,
                                Where where = Where::current());

  const std::vector<Pair>& merges() const { return merges_; }

  // "lowest" -> "lo@@", "west".
  Words pieces(const std::string& word) const;
  Words pieces(const Words& sentence) const;

  bool operator==(const BytePairEncoding& other) const { return merges_ == other.merges_; }

  // One merge per line, "e s", in their order, after the line "#version: 0.2": subword-nmt's file of codes.
  std::string to_text() const;
  // The way back. Throws bad-file, naming `origin` and the line, for any other text.
  static BytePairEncoding from_text(const std::string& text, const std::string& origin, Where where = Where::current());

 private:
  void add(Pair pair);

  std::vector<Pair> merges_;
  std::map<Pair, std::size_t> rank_;  // of each merge, its place in the list
};

// Whether the next piece belongs to the same word: "lo@@".
bool goes_on(std::string_view piece);
// The way back from pieces to words: "lo@@", "west" -> "lowest". A last piece that goes on ends its word all the same.
Words words_of_pieces(const Words& pieces);
// For each piece, the number of its word, from 0.
std::vector<std::int64_t> word_of_each_piece(const Words& pieces);

}  // namespace nn

//= title: Byte-pair encoding
//= part: G
//= difficulty: 2
//= minutes: 25
//= no steps
//= answer: merges_by_hand, letters_of, pairs_of, joined, learn_merges, pieces_of
//= mistake word_end_forgotten
//=   question: Is the w of "low" the same piece as the w of "newer"?
//=   because: without the mark a letter at the end of a word counts as the same letter elsewhere. Endings then cannot
//=     be told from the middle of a word, and pieces cannot be put together into words again.
//= mistake word_end_apart
//=   question: How many pieces is "low" at the beginning?
//=   because: the mark became a piece of its own, so that the most frequent pairs are last letters with their mark. By
//=     rule 1 the last letter carries it.
//= mistake words_counted_once
//=   question: A word occurs in the text 7 times. How often do its pairs occur?
//=   because: each word of the list was counted once. Pairs are counted in the text, where frequent words are frequent.
//= mistake last_count_only
//=   question: Look at your count of a pair: how many of its places does it include?
//=   because: = writes over what earlier places have added; += adds.
//= mistake pairs_across_words
//=   question: May a piece reach from one word into the next?
//=   because: the last piece of a word and the first one of the next were counted as neighbours. Which word comes
//=     next in the list means nothing.
//= mistake last_pair_not_counted
//=   question: How many pairs of neighbours does a word of 3 pieces have?
//=   because: the walk ended one pair too early. A word of n pieces has n - 1 pairs.
//= mistake overlaps_counted_once
//=   question: How often does rule 2 say that a + a is in a a a b?
//=   because: places that share a piece were counted once. Only one of them can be joined, but rule 2 counts places.
//= mistake second_piece_stays
//=   question: Put the pieces of your joined word together. Which word is that?
//=   because: the right piece of the pair was joined to the left one, and then looked at again: its letters are there
//=     twice, and in a a a it is joined twice.
//= mistake last_piece_lost
//=   question: What becomes of the last piece when it is not joined?
//=   because: the walk ends at the last piece that has a neighbour, and what stands behind it is lost.
//= mistake first_place_only
//=   question: How often is a + n in "banana"?
//=   because: the pair was joined in one place of the word only. A merge joins all of them.
//= mistake from_the_right
//=   question: From which end do you join three equal pieces?
//=   because: a a a b became a aa b. From left to right the first two are joined, and the third stays.
//= mistake spelling_compared
//=   question: Are ne + w and n + ew the same pair?
//=   because: the joined letters were compared. Both spell new, but only one of them is the pair.
//= mistake first_of_equal
//=   question: Two pairs are equally frequent. Which one does rule 3 take?
//=   because: the first one was kept: > keeps it, >= takes the last one.
//= mistake counted_once_for_all
//=   question: After the first merge, are all pairs still there that you counted at the beginning?
//=   because: the most frequent pairs of the first count were taken. Each merge uses up neighbours of its pieces, and
//=     makes new pairs.
//= mistake text_not_joined
//=   question: Why is your second merge the same as your first?
//=   because: the pair was not joined in the text that is counted next; a loop over `Word word` changes a copy.
//= mistake one_merge_too_many
//=   question: How many merges do you return when none is asked for?
//=   because: <= goes round once more.
//= mistake one_merge_too_few
//=   question: How many merges do you return when one is asked for?
//=   because: the loop ends one merge too early.
//= mistake joins_what_is_there_once
//=   question: What does a merge save if its pair occurs in the text only once?
//=   because: learning went on to pairs that occur once. It must end when no pair occurs twice, or single words would
//=     be learned by heart.
//= mistake twice_is_not_enough
//=   question: Is a pair that occurs twice joined?
//=   because: learning ended while a pair still occurred twice.
//= mistake last_merge_first
//=   question: Which merge of the list is done first?
//=   because: the list was done backwards. The pieces that a late merge joins are made by earlier ones.
//= mistake order_of_the_word
//=   question: "abcd", and the merges b + c and a + b in this order. Which is done first?
//=   because: the word was walked through from the left, and whatever pair of the list came first was joined. The order
//=     is that of the list.
//= mistake longest_piece_first
//=   question: Did learning ever look at how long a piece is?
//=   because: the longest known piece was taken from the left. The pieces of a word result from the merges in their
//=     order.
//= mistake first_miss_ends
//=   question: The first merge of the list is not in the word. What about the second?
//=   because: the walk through the list ended at a merge that changes nothing. Most merges are not in a word.

#include "given.h"

std::vector<Pair> merges_by_hand() {
  //[
  //- // TODO: on paper. Three pairs: {{"a", "b"}, {"ab", "c"}, {"d", "e</w>"}} is how they are written.
  //- todo("merges_by_hand: the first three merges of the text in the exercise");
  return {{"l", "o"}, {"lo", "w</w>"}, {"w", "e"}};
  //~ word_end_forgotten | return {{"o", "w"}, {"l", "ow"}, {"e", "r"}};
  //~ word_end_apart | return {{"o", "w"}, {"l", "ow"}, {"low", "</w>"}};
  //~ words_counted_once | return {{"w", "e"}, {"we", "r</w>"}, {"l", "o"}};
  //~ first_of_equal | return {{"l", "o"}, {"lo", "w</w>"}, {"e", "r</w>"}};
  //~ counted_once_for_all | return {{"l", "o"}, {"o", "w</w>"}, {"w", "e"}};
  //]
}

Pieces letters_of(const std::string& word) {
  //[
  //- // TODO: one piece for each letter; the last one carries "</w>".
  //- todo("letters_of: a word as it is before any merge");
  Pieces pieces;
  for (const char letter : word) pieces.push_back(std::string(1, letter));
  pieces.back() += "</w>";
  //~ word_end_forgotten |
  //~ word_end_apart | pieces.push_back("</w>");
  return pieces;
  //]
}

PairCounts pairs_of(const Text& text) {
  //[
  //- // TODO: for each word, its pairs of neighbours.
  //- todo("pairs_of: how often each pair occurs in the text");
  PairCounts counts;
  //~ pairs_across_words | PairCounts counts;
  //~ pairs_across_words | for (std::size_t w = 1; w < text.size(); ++w) {
  //~ pairs_across_words |   if (text[w - 1].pieces.empty() || text[w].pieces.empty()) continue;
  //~ pairs_across_words |   counts[{text[w - 1].pieces.back(), text[w].pieces.front()}] += text[w].count;
  //~ pairs_across_words | }
  for (const Word& word : text) {
    for (std::size_t i = 1; i < word.pieces.size(); ++i) {
      //~ last_pair_not_counted | for (std::size_t i = 1; i + 1 < word.pieces.size(); ++i) {
      counts[{word.pieces[i - 1], word.pieces[i]}] += word.count;
      //~ words_counted_once | counts[{word.pieces[i - 1], word.pieces[i]}] += 1;
      //~ last_count_only | counts[{word.pieces[i - 1], word.pieces[i]}] = word.count;
      //~ overlaps_counted_once | const Pieces& p = word.pieces;
      //~ overlaps_counted_once | counts[{p[i - 1], p[i]}] += word.count;
      //~ overlaps_counted_once | if (i + 1 < p.size() && p[i - 1] == p[i] && p[i] == p[i + 1]) ++i;
    }
  }
  return counts;
  //]
}

Pieces joined(const Pieces& pieces, const Pair& pair) {
  //[
  //- // TODO: from left to right, each place of the pair becomes one piece.
  //- todo("joined: one word after one merge");
  Pieces result;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    //~ last_piece_lost | for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const bool is_pair = i + 1 < pieces.size() && pieces[i] == pair.first && pieces[i + 1] == pair.second;
    //~ spelling_compared | const std::string both = pair.first + pair.second;
    //~ spelling_compared | const bool is_pair = i + 1 < pieces.size() && pieces[i] + pieces[i + 1] == both;
    //~ first_place_only | const bool is_first = result.size() == i;
    //~ first_place_only | const bool is_pair =
    //~ first_place_only |     is_first && i + 1 < pieces.size() && pieces[i] == pair.first && pieces[i + 1] == pair.second;
    result.push_back(is_pair ? pieces[i] + pieces[i + 1] : pieces[i]);
    if (is_pair) ++i;
    //~ second_piece_stays |
  }
  //~ from_the_right 5 | for (std::size_t i = pieces.size(); i > 0; --i) {
  //~ from_the_right |   const bool is_pair = i > 1 && pieces[i - 2] == pair.first && pieces[i - 1] == pair.second;
  //~ from_the_right |   result.insert(result.begin(), is_pair ? pieces[i - 2] + pieces[i - 1] : pieces[i - 1]);
  //~ from_the_right |   if (is_pair) --i;
  //~ from_the_right | }
  return result;
  //]
}

std::vector<Pair> learn_merges(Text text, std::int64_t merges) {
  //[
  //- // TODO: count, choose, join, and count again.
  //- todo("learn_merges: the list of merges");
  std::vector<Pair> learned;
  //~ counted_once_for_all | std::vector<Pair> learned;
  //~ counted_once_for_all | PairCounts counts = pairs_of(text);
  while (std::ssize(learned) < merges) {
    //~ one_merge_too_many | while (std::ssize(learned) <= merges) {
    //~ one_merge_too_few | while (std::ssize(learned) + 1 < merges) {
    Pair best;
    std::int64_t most = 2;  // what is there once is not joined
    //~ joins_what_is_there_once | std::int64_t most = 1;
    //~ twice_is_not_enough | std::int64_t most = 3;
    //~ first_of_equal | std::int64_t most = 1;
    for (const auto& [pair, count] : pairs_of(text)) {
      //~ counted_once_for_all | for (const auto& [pair, count] : counts) {
      if (count < most) continue;
      //~ first_of_equal | if (count <= most) continue;
      best = pair;
      most = count;
    }
    if (best.first.empty()) break;
    learned.push_back(best);
    for (Word& word : text) word.pieces = joined(word.pieces, best);
    //~ counted_once_for_all | counts.erase(best);
    //~ text_not_joined | for (Word word : text) word.pieces = joined(word.pieces, best);
  }
  return learned;
  //]
}

Pieces pieces_of(const std::string& word, const std::vector<Pair>& merges) {
  //[
  //- // TODO: begin with letters, and do the merges.
  //- todo("pieces_of: a new word, cut by what was learned");
  Pieces pieces = letters_of(word);
  for (const Pair& merge : merges) pieces = joined(pieces, merge);
  //~ last_merge_first | for (std::size_t m = merges.size(); m > 0; --m) pieces = joined(pieces, merges[m - 1]);
  //~ first_miss_ends | for (const Pair& merge : merges) {
  //~ first_miss_ends |   const Pieces before = pieces;
  //~ first_miss_ends |   pieces = joined(pieces, merge);
  //~ first_miss_ends |   if (pieces == before) break;
  //~ first_miss_ends | }
  //~ order_of_the_word | for (std::size_t i = 0; i + 1 < pieces.size();) {
  //~ order_of_the_word |   const Pair here = {pieces[i], pieces[i + 1]};
  //~ order_of_the_word |   const bool is_known = std::count(merges.begin(), merges.end(), here) > 0;
  //~ order_of_the_word |   if (is_known) pieces = joined(pieces, here);
  //~ order_of_the_word |   i = is_known ? 0 : i + 1;
  //~ order_of_the_word | }
  //~ longest_piece_first | const Pieces letters = std::exchange(pieces, {});
  //~ longest_piece_first | for (std::size_t i = 0; i < letters.size();) {
  //~ longest_piece_first |   std::string piece = letters[i], longest = piece;
  //~ longest_piece_first |   std::size_t end = i + 1;
  //~ longest_piece_first |   for (std::size_t j = i + 1; j < letters.size(); ++j) {
  //~ longest_piece_first |     piece += letters[j];
  //~ longest_piece_first |     for (const Pair& merge : merges)
  //~ longest_piece_first |       if (merge.first + merge.second == piece) longest = piece, end = j + 1;
  //~ longest_piece_first |   }
  //~ longest_piece_first |   pieces.push_back(longest);
  //~ longest_piece_first |   i = end;
  //~ longest_piece_first | }
  return pieces;
  //]
}

//= title: A picture of the alignment
//= part: I
//= difficulty: 1
//= minutes: 20
//= after: 33
//= answer: draw_alignment, links_of, patterns_of, alignment_error_rate
//= mistake row_scaled
//=   question: Does your picture show a row with weights of 0.25 everywhere as dark as one with a single 1?
//=   because: every row was divided by its largest weight. Then the reader cannot see how sure a row is.
//= mistake levels_rounded
//=   question: What weights does your blank stand for? And your darkest character?
//=   because: the weight was multiplied by 9 and rounded, so the first and the last character have half the range
//=     of the others. Ten characters for ten equal tenths: floor(10 w), and 9 for w = 1.
//= mistake nearest_tenth
//=   question: Which character does a weight of 0.06 get, and which one a weight of 0.04?
//=   because: 10 w was rounded to the nearest number. The character is that of floor(10 w): each stands for a tenth
//=     that begins at its number.
//= mistake cells_not_as_wide
//=   question: Under which source word does the third cell of a line stand?
//=   because: each cell is one character, while its column's word is longer; the columns drift away from their
//=     words.
//= mistake labels_not_padded
//=   question: Do the first cells of all your lines stand in the same column?
//=   because: target words of different length push their cells to different places; the labels must be equally
//=     wide.
//= mistake blank_for_one
//=   question: What do you draw for a weight of exactly 1? Which of the ten characters is number 10?
//=   because: floor(10 w) is 10 for w = 1, and there is no such character. It gets the last one, number 9; the
//=     remainder of 10 divided by 10 is 0, a blank.
//= mistake blanks_cut
//=   question: How long are your lines, each of them? How long is the first?
//=   because: blanks at the end of a line were cut off. They are cells with little weight, and stay.
//= mistake width_of_the_first
//=   question: Under which of your cells does the first source word stand?
//=   because: the first line begins with as many blanks as the *first* target word has letters. The labels are as
//=     wide as the longest one.
//= mistake strongest_only
//=   question: How many links can a target word have in your result? What does many-to-one mean?
//=   because: only the largest weight of a row was taken. A word made from two, such as "du" from "of the", loses
//=     one.
//= mistake above_only
//=   question: A weight equal to the bound: in or out?
//=   because: "at least" includes the bound itself: >=, not >.
//= mistake bound_of_the_row
//=   question: What does your bound mean in a row whose largest weight is 0.5?
//=   because: the weights were compared with a share of the row's largest one. A row that is undecided then gets
//=     many links, though none of its weights is large.
//= mistake neighbours_only
//=   question: Targets 0, 1, 2 come from sources 4, 0, 1. Which of them stand after a word that they precede in the
//=     source?
//=   because: each word was compared with the one before it only. Target 2 also crosses the link of target 0.
//= mistake both_of_a_crossing
//=   question: Two links cross. Of their two target words, which one comes after a word that it precedes in the
//=     source?
//=   because: both words of each crossing are in your list. Reordered is the one whose link crosses that of an
//=     *earlier* target word; that one is not reordered by it.
//= mistake earlier_of_a_crossing
//=   question: Two links cross. Which of their two target words do you list: the one that comes after a word that it
//=     precedes in the source, or the other?
//=   because: of the two words of a crossing it is the later one that comes after a word with a later source. You
//=     list the earlier one.
//= mistake earlier_in_the_list
//=   question: Which link do you take for that of the earlier word: the one that stands earlier in the list?
//=   because: the links may come in any order. A word is earlier if its position in the sentence is smaller.
//= mistake same_source_crosses
//=   question: Two target words come from one source word. Do their links cross?
//=   because: links cross when the order of their ends is opposite. Two that share an end do not.
//= mistake next_in_the_list_only
//=   question: Do the two links of one source word always stand side by side in the list?
//=   because: each link was compared with the one before it in the list only. Two links of a source word can have
//=     others between them, and a list need not be in any order.
//= mistake next_target_only
//=   question: A source word has two target words. Must they stand next to each other?
//=   because: only links to neighbouring target words were counted. "ne .. pas" comes from one "not", with a verb
//=     between.
//= mistake one_and_many_swapped
//=   question: "du" comes from "of" and "the". Is that one target word, or one source word?
//=   because: rows and columns are swapped: many-to-one is a *target* word with several links, one-to-many a
//=     *source* word with several.
//= mistake integer_division
//=   question: Your error rate is 1, or 0. What is 7 / 8 in C++?
//=   because: both counts are integers, so their quotient is cut off to 0.
//= mistake one_minus_forgotten
//=   question: What is your error rate for a perfect alignment?
//=   because: what you have is a share of right links. The error rate is 1 minus that.
//= mistake possible_without_sure
//=   question: Is a sure link possible?
//=   because: P contains S. A link that is sure counts in both terms.
//= mistake possible_is_an_error
//=   question: Gold says of a link of yours that it is possible, and not that it is sure. Does it cost you anything?
//=   because: with twice |A and S| on top, a link that is only possible counts as an error. In the formula it is right.
//= mistake nothing_is_perfect
//=   question: An aligner that draws no link at all: how many of the sure ones has it found?
//=   because: the empty alignment was given an error rate of 0, a perfect one. In the formula only |A| is 0, nothing
//=     is divided by 0 while there are sure links, and the rate is 1.
//= mistake possible_below
//=   question: Must an aligner find all possible links to be perfect?
//=   because: |P| is in the denominator where |S| belongs. Possible links are allowed, not demanded.
//= mistake precision_only
//=   question: What is the error rate of an aligner that draws a single link, a right one?
//=   because: only the links that were drawn are judged; sure links that are missing cost nothing.
//= equal mutant: std::size_t width = 1;
//=   because: every word has a letter.

#include "given.h"

std::string draw_alignment(const Tensor& weights, const std::vector<std::string>& target_words,
                           const std::vector<std::string>& source_words) {
  //[
  //- // TODO: a line with the source words, then one per target word.
  //- todo("draw_alignment: the picture as text");
  const std::string levels = " .:-=+*#%@";
  std::size_t width = 0;
  for (const std::string& word : target_words) width = std::max(width, word.size());
  std::string text(width, ' ');
  //~ width_of_the_first | std::string text(target_words[0].size(), ' ');
  for (const std::string& word : source_words) text += " " + word;
  for (std::size_t t = 0; t < target_words.size(); ++t) {
    text += "\n" + target_words[t] + std::string(width - target_words[t].size(), ' ');
    //~ labels_not_padded | text += "\n" + target_words[t];
    for (std::size_t i = 0; i < source_words.size(); ++i) {
      const double weight = weights.at({static_cast<std::int64_t>(t), static_cast<std::int64_t>(i)});
      //~ row_scaled | const Tensor row = weights[t] / weights[t].amax();
      //~ row_scaled | const double weight = row.at({static_cast<std::int64_t>(i)});
      const auto level = std::min<std::size_t>(9, static_cast<std::size_t>(10.0 * weight));
      //~ blank_for_one | const auto level = static_cast<std::size_t>(10.0 * weight) % 10;
      //~ nearest_tenth | const auto nearest = static_cast<std::size_t>(std::lround(10.0 * weight));
      //~ nearest_tenth | const auto level = std::min<std::size_t>(9, nearest);
      //~ levels_rounded | const auto level = static_cast<std::size_t>(std::lround(9.0 * weight));
      text += " " + std::string(source_words[i].size(), levels[level]);
      //~ cells_not_as_wide | text += " " + std::string(1, levels[level]);
    }
    //~ blanks_cut | }
    //~ blanks_cut | while (text.back() == ' ') text.pop_back();
  }
  return text + "\n";
  //]
}

Links links_of(const Tensor& weights, double at_least) {
  //[
  //- // TODO: all pairs (target, source) with enough weight.
  //- todo("links_of: which words belong together");
  Links links;
  for (std::int64_t t = 0; t < weights.size(0); ++t) {
    for (std::int64_t i = 0; i < weights.size(1); ++i) {
      if (weights.at({t, i}) >= at_least) links.push_back({t, i});
      //~ strongest_only | if (weights[t].argmax(0).item<std::int64_t>() == i) links.push_back({t, i});
      //~ above_only | if (weights.at({t, i}) > at_least) links.push_back({t, i});
      //~ bound_of_the_row | if (weights.at({t, i}) >= at_least * weights[t].amax().item()) links.push_back({t, i});
    }
  }
  return links;
  //]
}

Patterns patterns_of(const Links& links) {
  //[
  //- // TODO: compare the links with each other. sorted_once() sorts and drops repeats.
  //- todo("patterns_of: which words are reordered, many-to-one, one-to-many");
  Patterns patterns;
  for (const Link& a : links) {
    for (const Link& b : links) {
      if (b.target < a.target && b.source > a.source) patterns.reordered.push_back(a.target);
      //~ neighbours_only | const bool crosses = b.target == a.target - 1 && b.source > a.source;
      //~ neighbours_only | if (crosses) patterns.reordered.push_back(a.target);
      //~ both_of_a_crossing | const bool crosses = (b.target - a.target) * (b.source - a.source) < 0;
      //~ both_of_a_crossing | if (crosses) patterns.reordered.push_back(a.target);
      //~ earlier_of_a_crossing | if (b.target > a.target && b.source < a.source) patterns.reordered.push_back(a.target);
      //~ earlier_in_the_list | const bool crosses = &b < &a && b.target != a.target && b.source > a.source;
      //~ earlier_in_the_list | if (crosses) patterns.reordered.push_back(a.target);
      //~ same_source_crosses | if (b.target < a.target && b.source >= a.source) patterns.reordered.push_back(a.target);
      if (a.target == b.target && a.source != b.source) patterns.many_to_one.push_back(a.target);
      if (a.source == b.source && a.target != b.target) patterns.one_to_many.push_back(a.source);
      //~ next_in_the_list_only | const bool next = &b - &a == 1 && a.source == b.source;
      //~ next_in_the_list_only | if (next) patterns.one_to_many.push_back(a.source);
      //~ next_target_only | const bool near = a.source == b.source && std::abs(a.target - b.target) == 1;
      //~ next_target_only | if (near) patterns.one_to_many.push_back(a.source);
    }
  }
  return {sorted_once(patterns.reordered), sorted_once(patterns.many_to_one), sorted_once(patterns.one_to_many)};
  //~ one_and_many_swapped | const auto& [reordered, many, one] = patterns;
  //~ one_and_many_swapped | return {sorted_once(reordered), sorted_once(one), sorted_once(many)};
  //]
}

double alignment_error_rate(const Links& links, const std::vector<GoldLink>& gold) {
  //[
  //- // TODO: 1 - (|A and S| + |A and P|) / (|A| + |S|), where P contains S.
  //- todo("alignment_error_rate: one number");
  int sure = 0;
  int right_and_sure = 0;
  int right = 0;  // possible ones, the sure ones among them
  for (const GoldLink& one : gold) {
    const bool found = std::find(links.begin(), links.end(), one.link) != links.end();
    if (one.sure) ++sure;
    //~ possible_below | ++sure;
    if (found && one.sure) ++right_and_sure;
    if (found) ++right;
    //~ possible_without_sure | if (found && !one.sure) ++right;
    //~ possible_is_an_error | if (found && one.sure) ++right;
  }
  const int drawn = static_cast<int>(links.size());
  //~ nothing_is_perfect | const int drawn = static_cast<int>(links.size());
  //~ nothing_is_perfect | if (drawn == 0) return 0.0;
  return 1.0 - static_cast<double>(right_and_sure + right) / (drawn + sure);
  //~ integer_division | return 1.0 - (right_and_sure + right) / (drawn + sure);
  //~ one_minus_forgotten | return static_cast<double>(right_and_sure + right) / (drawn + sure);
  //~ precision_only | return 1.0 - static_cast<double>(right) / drawn;
  //]
}

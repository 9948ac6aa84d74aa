#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {};

namespace {

// "les prix du marche commun ont ete fixes hier", as a trained translator might align it.
const std::vector<std::string> french = {"les", "prix", "du", "marche", "commun", "ont", "ete", "fixes", "hier"};
const std::vector<std::string> english = {"prices", "of", "the", "common", "market", "were", "fixed", "yesterday"};
Tensor french_weights() {
  return autograd::tensor({{.62, .04, .21, .02, .02, .04, .03, .02},
                           {.85, .03, .01, .04, .05, .01, .01, .00},
                           {.05, .44, .32, .05, .08, .03, .02, .01},
                           {.02, .03, .05, .12, .71, .03, .03, .01},
                           {.01, .02, .04, .78, .12, .01, .01, .01},
                           {.01, .01, .01, .01, .04, .64, .27, .01},
                           {.01, .01, .01, .02, .03, .52, .39, .01},
                           {.01, .01, .01, .01, .02, .14, .76, .04},
                           {.00, .00, .00, .01, .01, .02, .05, .91}},
                          autograd::float64);
}

// Rows that are certain, undecided and lost.
Tensor small_weights() {
  return autograd::tensor({{0.00, 0.00, 1.00, 0.00}, {0.50, 0.50, 0.00, 0.00}, {0.25, 0.25, 0.25, 0.25}},
                          autograd::float64);
}

// A report wraps its lines at blanks, and would lose those of a picture.
std::string with_visible_blanks(const std::string& picture) {
  std::string text;
  for (const char letter : picture) {
    if (letter == ' ') {
      text += "·";
    } else if (letter == '\n') {
      text += "↵ ";
    } else {
      text += letter;
    }
  }
  return text;
}

std::string as_text(const std::vector<std::int64_t>& positions) {
  std::string text;
  for (const std::int64_t position : positions) text += (text.empty() ? "" : " ") + std::to_string(position);
  return text.empty() ? "none" : text;
}

// "0-0 2-1": target, source.
std::string as_text(const Links& links) {
  std::string text;
  for (const Link& link : links) {
    text += (text.empty() ? "" : " ") + std::to_string(link.target) + "-" + std::to_string(link.source);
  }
  return text.empty() ? "none" : text;
}

void compare_patterns(Check& check, const std::string& of, const Patterns& patterns) {
  check.text("reordered words of " + of, as_text(patterns.reordered));
  check.text("many-to-one words of " + of, as_text(patterns.many_to_one));
  check.text("one-to-many words of " + of, as_text(patterns.one_to_many));
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor small = check.input("small weights", small_weights());
  const Tensor weights = check.input("weights", french_weights());
  check.text("small picture (· is a blank, ↵ the end of a line)",
             with_visible_blanks(answer.draw_alignment(small, {"a", "b", "see"}, {"A", "B", "C", "DEF"})));
  check.text("picture (· is a blank, ↵ the end of a line)",
             with_visible_blanks(answer.draw_alignment(weights, french, english)));

  check.text("links (target-source)", as_text(answer.links_of(weights, 0.3)));
  check.text("links of the small weights", as_text(answer.links_of(small, 0.5)));
  check.text("links of the small weights, with a low bound", as_text(answer.links_of(small, 0.05)));

  // What links_of gives for the weights above.
  const Links links = {{0, 0}, {1, 0}, {2, 1}, {2, 2}, {3, 4}, {4, 3}, {5, 5}, {6, 5}, {6, 6}, {7, 6}, {8, 7}};
  compare_patterns(check, "the sentence", answer.patterns_of(links));
  const Links turned = {{0, 4}, {1, 0}, {2, 1}, {3, 2}, {3, 3}, {5, 2}, {4, 4}, {6, 5}, {10, 7}, {7, 6}, {9, 6}};
  compare_patterns(check, "links in another order", answer.patterns_of(turned));
  compare_patterns(check, "the sentence, its last link first", answer.patterns_of({links.rbegin(), links.rend()}));

  const std::vector<GoldLink> gold = {{{0, 0}, false}, {{0, 2}, false}, {{1, 0}, true}, {{2, 1}, true},
                                      {{2, 2}, false}, {{3, 4}, true},  {{4, 3}, true}, {{5, 5}, true},
                                      {{6, 5}, true},  {{6, 6}, false}, {{7, 6}, true}, {{8, 7}, true}};
  const Links diagonal = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 6}, {8, 7}};
  check.compare("error rate of the diagonal", answer.alignment_error_rate(diagonal, gold));
  check.compare("error rate of a perfect alignment", answer.alignment_error_rate(links, gold), {.may_be_zero = true});
  check.compare("error rate of a single right link", answer.alignment_error_rate({{1, 0}}, gold));
  check.compare("error rate of the empty alignment", answer.alignment_error_rate({}, gold));
  check.compare("error rate of everything with everything",
                answer.alignment_error_rate(answer.links_of(weights, 0.0), gold));
  const std::vector<GoldLink> none_is_sure = {{{0, 0}, false}, {{1, 2}, false}};
  check.compare("error rate where no link of gold is sure", answer.alignment_error_rate(diagonal, none_is_sure));
}

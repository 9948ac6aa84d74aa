// Verdict: what an answer has right and wrong, where, and why it may be so. Facts only: the runner makes sentences of
// them (runner/report/verdict_sentences.h), and reads them as JSON (verdict_json.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/setting.h"
#include "judge/thrown.h"

namespace judge {

// What a factor may come from: an axis of its length, the product of two, or their quotient.
struct FactorSource {
  Axes axes;
  bool is_quotient = false;
  bool operator==(const FactorSource&) const = default;
};

// What the difference between two arrays of numbers suggests.
struct Clue {
  enum class Kind {
    nan,
    infinity,
    nearly_right,         // number: of digits
    zero,                 // and something is expected
    zero_up_to_rounding,  // terms that cancel
    not_zero,             // and zero is expected
    factor,               // number: what all are multiplied by
    transposed,
    wrong_only_in,  // name: of a region
    right_in,       // likewise
    another,        // name: of an input, or of something else that is expected; so in the next four
    factor_missing,
    factor_too_many,
    term_missing,
    term_too_many,
    at_wrong_places,  // the right numbers
    one_number,       // all entries are the same
    same_along,       // name: of an axis; so in the next ones
    right_and_wrong_along,
    sum_is_right,
    mean_is_right,
    too_many_along,  // number: of positions
    too_few_along,   // likewise
    only_shape,
    transposed_is_right,
    exchanged_is_right,  // positions: two dims
    two_decimals,        // of numbers worked out on paper: positions; so in the next ones
    cut_off,
    third_decimal,
    not_right
  };
  Kind kind = Kind::not_right;
  std::string name = {};  // "dim 1" for an axis if none has this length alone
  double number = 0.0;
  std::vector<std::int64_t> positions = {};  // that are wrong
  std::vector<std::int64_t> right_positions = {};
  std::vector<FactorSource> sources = {};
  bool everywhere = false;        // of a NaN or an infinity
  bool at_the_beginning = false;  // of positions too many or missing
  bool is_expected = false;       // the name is that of something else that is expected, and of no input
  bool operator==(const Clue&) const = default;
};

// A shape, and the axes of its dims; none where a length is not that of an axis.
struct NamedShape {
  std::vector<std::int64_t> sizes;
  std::vector<std::string> axes;
};

// One thing that the answer got wrong.
struct Difference {
  enum class Kind {
    numbers,         // `wrong` of `total`
    hidden_numbers,  // likewise, and what is expected is not given away
    undefined,
    defined,  // and an undefined tensor is expected
    shape,
    dtype,
    text,
    property,        // `said` is what it means that it does not hold
    bound,           // likewise
    changed_input,   // `said` is its name
    forbidden_call,  // likewise
    something_else,
    missing
  };
  std::string name = {};
  Kind kind = Kind::numbers;
  std::int64_t wrong = 0;
  std::int64_t total = 0;
  NamedShape your_shape = {};
  NamedShape expected_shape = {};
  std::string yours = {};     // of texts, and of dtypes
  std::string expected = {};  // likewise
  std::string said = {};
  std::vector<Clue> clues = {};    // what the numbers suggest, the most telling first
  std::vector<Clue> guesses = {};  // and what they may suggest: clues, too, where no cause is known (clues.h)
  std::vector<std::string> begins_right_along = {};  // axes along which the first position is right
  struct Entry {
    std::vector<std::int64_t> index;
    double yours = 0.0;
    double expected = 0.0;
    std::optional<double> numeric;
  };
  std::vector<Entry> entries = {};  // the worst few

  // Something that does not hold, and no number.
  bool is_property() const {
    return kind == Kind::property || kind == Kind::changed_input || kind == Kind::forbidden_call;
  }
};

// What the answer does when one axis is shorter, all others as usual.
struct Shrunk {
  std::string axis;
  std::int64_t size = 0;        // the usual length
  bool right_at_one = false;    // at length 1
  std::int64_t wrong_from = 1;  // the smallest length at which it is wrong
};

// The first wrong intermediate value.
struct FirstProbe {
  Difference difference;
  std::string after;    // the name of the one just before it, which is right; "" if there is none
  int times_right = 0;  // how often one of its own name was right before
};

// A known mistake, or two at once, that gives exactly the learner's numbers wherever it changes anything, while
// something else is wrong, too, or is not written yet.
struct PartlyNamed {
  std::vector<std::string> mistakes;
  std::vector<std::string> explains;  // names of what it changes
};

// The smallest case that is still wrong, and what is wrong there: few enough numbers to do by hand.
struct SmallestCase {
  Axes sizes;
  std::vector<Difference> differences;
};

// The verdict is on one setting: all numbers in it are of a run there.
struct Verdict {
  enum class Outcome { passed, unwritten, wrong };
  Setting setting;
  Setting usual;  // another one than `setting` if all is right there, and wrong here
  Outcome outcome = Outcome::passed;
  std::string message;  // of what is unwritten
  std::optional<Thrown> thrown;
  std::string stopped_before;           // the name of what would have been looked at next
  std::vector<std::string> right;       // names of what is right
  std::vector<Difference> differences;  // in the order of the check
  std::optional<FirstProbe> first_probe;
  std::vector<std::string> shown;               // what the check has to show, when all is right
  std::vector<std::string> right_probes;        // those before it
  std::vector<std::vector<std::string>> named;  // the mistakes that give exactly these numbers: one, or two at once
  bool named_by_numbers = true;                 // and not only by what has many causes: a NaN, a count, a property
  std::vector<PartlyNamed> partly_named;        // where nothing gives all of them
  std::vector<Shrunk> shrunk;
  std::optional<SmallestCase> smallest;
  bool repeatable = true;           // two runs on the same inputs gave the same numbers
  bool depends_on_numbers = false;  // with others it is right at these sizes
  bool right_when_first = false;    // it is right here when nothing else was asked before: something is kept

  bool threw() const { return thrown.has_value(); }
};

}  // namespace judge

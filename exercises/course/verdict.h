// Verdict: what an answer has right and wrong, where, and why it may be so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "course/setting.h"

namespace course {

// The axes whose lengths give a factor, and what is said of them: "batch has length 4".
struct FactorSource {
  std::vector<std::string> axes;
  std::string sentence;
};

// What all numbers are multiplied by, and where that may come from.
struct Factor {
  std::string clue;  // "yours is everywhere exactly 4 times the expected value"
  std::vector<FactorSource> sources;
};

// One thing that the answer got wrong.
struct Difference {
  std::string name;
  std::string summary;               // "4 of 6 entries differ", one sentence
  std::vector<std::string> clues;    // what the numbers suggest, the most telling first
  std::vector<std::string> guesses;  // and what they may suggest: clues, too, where no cause is known (clues.h)
  std::optional<Factor> factor;      // one of the clues is on it
  bool is_property = false;          // something that does not hold, and no number
  std::vector<std::string> begins_right_along;  // axes along which the first position is right
  struct Entry {
    std::vector<std::int64_t> index;
    double yours = 0.0;
    double expected = 0.0;
    std::optional<double> numeric;
  };
  std::vector<Entry> entries;  // the worst few
};

// What the answer does when one axis is shorter, all others as usual.
struct Shrunk {
  std::string axis;
  std::int64_t size = 0;        // the usual length
  bool right_at_one = false;    // at length 1
  std::int64_t wrong_from = 1;  // the smallest length at which it is wrong
};

// The first wrong intermediate value.
struct FirstProbe : Difference {
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
  Setting setting = usual_setting();  // another one if all is right at the usual one, and wrong here
  Outcome outcome = Outcome::passed;
  std::string message;                  // of what is unwritten, or was thrown
  std::string stopped_before;           // the name of what would have been looked at next
  std::vector<std::string> right;       // names of what is right
  std::vector<Difference> differences;  // in the order of the check
  std::optional<FirstProbe> first_probe;
  std::vector<std::string> shown;               // what the check has to show, when all is right
  std::vector<std::string> right_probes;        // those before it
  std::vector<std::vector<std::string>> named;  // the mistakes that give exactly these numbers: one, or two at once
  bool named_by_numbers = true;                 // and not only by what has many causes: a NaN, a count, a property
  std::string only_in;                          // the function, if it is made there and not in others where it can be
  std::vector<PartlyNamed> partly_named;        // where nothing gives all of them
  std::vector<Shrunk> shrunk;
  std::optional<SmallestCase> smallest;
  bool repeatable = true;           // two runs on the same inputs gave the same numbers
  bool depends_on_numbers = false;  // with others it is right at these sizes
  bool right_when_first = false;    // it is right here when nothing else was asked before: something is kept
};

}  // namespace course

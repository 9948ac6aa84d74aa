// Verdict: what the check program said of an answer (course/judge.h has the other end), read from its JSON.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace learn {

struct Difference {
  struct Entry {
    std::vector<std::int64_t> index;
    double yours = 0.0;
    double expected = 0.0;
    std::optional<double> numeric;
  };
  std::string name;
  std::string summary;
  std::vector<std::string> clues;
  std::vector<Entry> entries;
};

// The first wrong intermediate value.
struct FirstProbe : Difference {
  std::string after;    // the name of the one just before it, which is right; "" if there is none
  int times_right = 0;  // how often one of its own name was right before
};

struct Shrunk {
  std::string axis;
  std::int64_t size = 0;        // the usual length
  bool right_at_one = false;    // with length 1
  std::int64_t wrong_from = 1;  // the smallest length at which it is wrong
};

// A mistake, or two at once, that explains some of what is wrong, while the rest is wrong otherwise.
struct PartlyNamed {
  std::vector<std::string> mistakes;
  std::vector<std::string> explains;
};

// The smallest sizes at which the answer is wrong, and what is wrong there.
struct SmallestCase {
  std::map<std::string, std::int64_t> sizes;
  std::vector<Difference> differences;
};

// All is right at the sizes and numbers of every first check, and wrong at others, which the verdict is about.
struct Elsewhere {
  std::map<std::string, std::int64_t> usual;  // the sizes of the first check
  bool other_numbers = false;                 // with others it is right at these sizes
  std::string numbers;                        // "all numbers are negative", if it takes that; or ""
};

struct Verdict {
  std::string outcome;         // "passed", "unwritten", "wrong"
  std::string message;         // of what is unwritten, or was thrown
  std::string stopped_before;  // the name of what would have been looked at next
  std::vector<std::string> right;
  std::vector<std::string> shown;  // what the check has to show, when all is right
  std::vector<std::string> right_probes;
  std::vector<Difference> differences;
  std::optional<FirstProbe> first_probe;
  std::vector<std::vector<std::string>> named;
  bool named_by_numbers = true;  // and not only by what has many causes: a NaN, a count, a property
  std::string only_in;           // the one function in which the named mistake is made, if it can be made in several
  std::vector<PartlyNamed> partly_named;
  std::vector<Shrunk> shrunk;
  std::optional<SmallestCase> smallest;
  bool repeatable = true;
  bool right_when_first = false;  // with nothing called before
  std::map<std::string, std::int64_t> axes;
  std::optional<Elsewhere> elsewhere;
};

// Throws std::runtime_error where it is not a verdict.
Verdict read_verdict(const nlohmann::json& json);
nlohmann::json to_json(const Verdict& verdict);

// "{batch}" becomes the length of that axis; what is no axis stays.
std::string fill_in(const std::string& text, const std::map<std::string, std::int64_t>& axes);

}  // namespace learn

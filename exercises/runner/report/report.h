// Report: everything that one check of one file found out, before anyone decides how to show it. It goes into the
// progress file, so that `learn why` can explain it later.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judge/verdict.h"

namespace learn {

using judge::Axes;
using judge::Axis;
using judge::Clue;
using judge::Difference;
using judge::FirstProbe;
using judge::PartlyNamed;
using judge::Shrunk;
using judge::Thrown;
using judge::Verdict;

// A line of a file. Column 0: the whole line.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  bool known() const { return line > 0; }
};

// The line or column that stands in a program's output; 0 for a number that is too large to be one.
int place_number(const std::string& digits);

// What the compiler or a sanitizer complained about, said in a sentence.
struct Problem {
  std::string sentence;
  std::string advice;  // what to look at; may be empty
  Place place;
};

struct Report {
  enum class Outcome {
    passed,
    unwritten,         // todo() was reached
    wrong,             // there is a verdict, and it is not good
    does_not_compile,  // or does not link
    crashed,           // memory, undefined behaviour, exit(), something thrown that is not a std::exception
    out_of_time,
    broken  // the course is, not the answer
  };

  std::string id;
  Outcome outcome = Outcome::broken;
  std::optional<Verdict> verdict;
  std::optional<Problem> problem;  // of an answer that has no verdict; or what its verdict comes from
  Place thrown_at;                 // where an exception comes from that does not say so itself
  std::vector<Problem> warnings;   // what the compiler was worried about
  std::string printed;             // what the answer printed
  std::string raw;                 // what the compiler or the sanitizer wrote, word for word
  std::string file_state;          // fingerprint of the file that was checked
  double compile_seconds = 0.0;
  double link_seconds = 0.0;
  double run_seconds = 0.0;

  bool passed() const { return outcome == Outcome::passed; }
  // The line of this file, the answer's, from which an exception came.
  Place place_of_throw(const std::string& file_name) const;
};

std::string_view name(Report::Outcome outcome);

nlohmann::json to_json(const Report& report);
// Throws std::exception where it is not a report, or one that says nothing of its outcome.
Report read_report(const nlohmann::json& json);
// What a judge wrote. Throws std::runtime_error where it is not a verdict.
Verdict read_verdict(const nlohmann::json& json);

}  // namespace learn

// Diagnostics: what g++ and clang write, read line by line, before anything is made of it.
#pragma once

#include <string>
#include <vector>

#include "runner/report/report.h"

namespace learn {

struct Note {
  Place place;
  std::string message;
  std::string shown = {};  // the line of the source below it
};

struct Diagnostic {
  enum class Kind { error, warning };
  Kind kind = Kind::error;
  Place place;
  std::string message;               // without "[-Wflag]"
  std::string flag;                  // "-Wmaybe-uninitialized"
  std::vector<Note> notes;           // "note: candidate: ..." and the like, after it
  std::vector<Place> required_from;  // before it: the calls that led into a header, the innermost first
};

std::vector<Diagnostic> read_diagnostics(const std::string& compiler_output);

// What the linker could not find, and what it found twice, with the place in the source if it says one.
struct LinkErrors {
  std::vector<Note> undefined;  // message: "helper(autograd::Tensor const&)"
  std::vector<Note> defined_twice;
};
LinkErrors read_link_errors(const std::string& linker_output);

}  // namespace learn

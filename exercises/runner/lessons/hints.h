// Hints: what stands in an exercise's hints.md, each level more telling than the one before. "First formula" is the
// part of the formulas that is about the first thing that is not right; it is there where the exercise has such parts:
//
//   ## Formula
//   ### d_e | mean                   about what is shown or compared under these names; "dx of the sum" is also about
//       d_e = alpha (d_alpha - ...)  "dx of the sum over rows"
//   ### dv
//       dv = ...
#pragma once

#include <string>
#include <vector>

#include "runner/lessons/course.h"
#include "runner/report/report.h"

namespace learn {

inline constexpr const char* first_formula = "First formula";

struct FormulaPart {
  std::vector<std::string> names;
  std::string text;
};

class Hints {
 public:
  // All empty where the exercise has no hints.md.
  explicit Hints(const Exercise& exercise);

  // Their names, in their order.
  std::vector<std::string> levels() const;
  // "" if there is none.
  std::string text(const std::string& level) const;
  const std::vector<FormulaPart>& formula_parts() const { return parts_; }
  // About the first thing that is not right, as far as this check can tell; what to do to let it tell more, otherwise.
  std::string first_formula_for(const Report& report) const;

 private:
  std::string markdown_;
  std::vector<FormulaPart> parts_;
  std::vector<std::string> probes_;  // names that the solution shows on its way and a part is about
};

}  // namespace learn

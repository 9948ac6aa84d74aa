// The teacher's page: who stands where, which mistakes are made most and by whom, and what was said of each answer. One
// file without scripts.
#pragma once

#include <string>
#include <vector>

#include "runner/grading/grade.h"

namespace learn {

struct PageHeading {
  std::string title;
  std::string conditions;  // under which it was graded, a sentence
};

std::string class_page(const std::vector<GradedStudent>& students, const PageHeading& heading);

}  // namespace learn

// What the authors of an exercise must be held to: the solution is right (its gradients agree with numeric ones), at
// other sizes and seeds, too; every comparison proves something; every known mistake fails and is recognised as itself.
#pragma once

#include <string>
#include <vector>

namespace judge {

struct AuthorReport {
  std::vector<std::string> problems;
  int mistakes = 0;                              // single ones
  int pairs = 0;                                 // pairs that are recognised as themselves
  std::vector<std::string> only_at_usual_sizes;  // what has sizes of its own, and cannot be looked at with others
};

AuthorReport check_as_author(bool slow_too);

}  // namespace judge

// The learner's parts of the program that exercises/mine is: which answers are plugged into it, and why not the others.
#pragma once

#include <string>
#include <vector>

#include "runner/commands/situation.h"

namespace learn {

struct OwnPart {
  Exercise exercise;
  std::string part;    // what it is there, in a few words
  std::string plug;    // the file of exercises/mine/plugs that has its plug
  std::string answer;  // the learner's file; "" where the library does the work
  std::string remark;  // why
};

// Every exercise that has a part there. What was changed since it passed is checked again. `with`: those that are to be
// plugged in though they are not passed.
std::vector<OwnPart> own_parts(const Desk& desk, Progress& progress, const std::vector<std::string>& with);

// Once every exercise that has a part is passed: a line that offers `learn mine`. "" before.
std::string offer_of_mine(const Progress& progress);

}  // namespace learn

// Merge: what someone wrote into a file, and what became of the file in the course meanwhile, brought together.
#pragma once

#include <string>

namespace learn {

struct Merged {
  enum class Kind { clean, conflict, impossible };  // impossible: there is no git
  Kind kind = Kind::impossible;
  std::string text;  // with conflict marks, if there are any
};

// `base`: what both began as.
Merged merge(const std::string& yours, const std::string& base, const std::string& theirs);

}  // namespace learn

// Update: brings a desk to what the course is now. What the learner wrote is never overwritten: where it cannot be
// merged, the new file is put beside it.
#pragma once

#include <string>

#include "runner/desk/desk_files.h"

namespace learn {

enum class Updated {
  unchanged,  // the course has not changed it
  created,    // it is new
  replaced,   // nobody had written in it
  merged,     // both had; the old file is in the attic
  conflict,   // both had, at the same place: the merge lies beside it, as `beside`
  kept        // both had, and there was nothing to merge with: the new one lies beside it
};

struct UpdateOfFile {
  Updated what = Updated::unchanged;
  std::string aside;   // where the old file is kept
  std::string beside;  // what was put beside it
};

UpdateOfFile update_file(const Desk& desk, const DeskFile& file);

}  // namespace learn

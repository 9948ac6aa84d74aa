// Background: gets an exercise ready while someone reads, in a process of its own that gives way to everything else.
#pragma once

#include <sys/types.h>

#include "runner/course/course.h"

namespace learn {

class Background {
 public:
  Background() = default;
  ~Background() { stop(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Nothing to do if it is ready already, or if something else is being got ready.
  void prepare(const Exercise& exercise);
  // The machine is needed for something better.
  void stop();

 private:
  pid_t pid_ = 0;
};

}  // namespace learn

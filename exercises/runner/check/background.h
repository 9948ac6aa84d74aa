// Background: compiles the next exercise while the learner reads, in a process of low priority.
#pragma once

#include <sys/types.h>

#include "runner/lessons/course.h"

namespace learn {

class Background {
 public:
  Background() = default;
  ~Background() { stop(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Does nothing if it is ready, or if another one is being compiled.
  void prepare(const Exercise& exercise);
  // Ends the process: the machine is needed for a check.
  void stop();

 private:
  pid_t pid_ = 0;
};

}  // namespace learn

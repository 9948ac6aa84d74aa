// The commands, as main.cpp calls them. Each returns the exit code: 0 where all is well, 1 where something is left
// to do, 2 for wrong usage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/text/style.h"

namespace learn {

// What every command may need to know.
struct Context {
  Style style;
  std::optional<std::string> folder;  // --dir
  bool verbose = false;
  std::optional<bool> fast_track;  // --fast, --no-fast
};

int start(const Context& context, const std::string& folder);
int next(const Context& context);
int check(const Context& context, const std::vector<std::string>& what, bool all);
struct WatchOptions {
  std::string exercise;  // "" for the first that is not passed
  bool poll = false;
};
int watch(const Context& context, const WatchOptions& options);
int hint(const Context& context, const std::string& exercise, int level);
int why(const Context& context, const std::string& exercise);
struct StepOptions {
  std::string exercise;
  bool engine = false;  // our debugger of backward(), on the learner's own
};
int step(const Context& context, const StepOptions& options);
int gdb(const Context& context, const std::string& exercise, const std::vector<std::string>& more);
int list(const Context& context);
int reset(const Context& context, const std::string& exercise, bool undo);
int solution(const Context& context, const std::string& exercise, bool give_up);
int read(const Context& context, const std::string& exercise);
int update(const Context& context);
struct MineOptions {
  std::vector<std::string> with;  // exercises that are plugged in though they are not passed
  bool quick = false;             // a short training, on a few sentences
};
int mine(const Context& context, const MineOptions& options);

struct GradeOptions {
  std::string folder;
  std::vector<std::string> exercises;  // "19", "19=4" with points; none: all
  double points = 1.0;                 // for each that says nothing else
  int seconds = 0;                     // for each answer; 0: as each exercise says
  int seed = 0;                        // of what is drawn; 0: as the learners have seen it
  bool by_parts = false;               // a share of the points for what is right; otherwise all or none
  bool again = false;                  // also what was graded before
  int jobs = 0;                        // at a time; 0: as many as there are processors
  std::string json;
  std::string gradescope;
  bool github = false;
};
int grade(const Context& context, const GradeOptions& options);

}  // namespace learn

// RunOptions: all that a training is asked for (training_run.h), and how the options of one that is resumed are found.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "examples/translate/options.h"

namespace translate {

enum class IfRunExists {
  refuse,           // an error: nothing is overwritten
  resume,           // goes on from its checkpoint; an error if there is none
  resume_or_start,  // goes on if there is a checkpoint, else begins
  replace,          // starts over
};

struct RunOptions {
  std::filesystem::path folder = {};
  ModelOptions model = {};
  DataOptions data = {};
  TrainingOptions training = {};
  std::int64_t save_every = 100;  // updates from one checkpoint to the next; there is one after each epoch too
  IfRunExists if_exists = IfRunExists::refuse;
  // For a run that is resumed, the names of the options that the user gave; the run's own replace the others. Without a
  // value, all count as given. Given options must equal the run's, except epochs, steps, lr and, if the folder has
  // moved, data.
  std::optional<std::set<std::string>> given = std::nullopt;
  std::FILE* progress = stderr;  // nullptr: nothing is shown
};

// Returns the options of the model, the data and the training.
Json to_json(const RunOptions& options);

// Throws bad-argument for an option out of range.
void check_options(const RunOptions& options);
// Also for one that has no effect. (Those of a resumed run were checked when it began.)
void check_new_run(const RunOptions& options);

// Returns the options to go on with: the given ones, and the run's own for the rest. Throws bad-argument if a given one
// differs from the run's where it must not.
RunOptions resumed_options(RunOptions wanted, const Json& of_run);

}  // namespace translate

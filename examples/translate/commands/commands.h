// The program `translate`, from its arguments to its exit code, and its subcommands that use a trained model. (`train`
// is in training_run.h, `experiment` in experiments/experiments.h.) Results go to standard output, everything else to
// standard error. Subcommands return the exit code 0, throw what loading a model and reading data throws, and throw
// bad-argument for settings out of range.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "examples/translate/options.h"

namespace translate {

// Runs the program and returns its exit code: 0; 1 after an error; 2 after a mistake on the command line; 128 + the
// signal's number if a signal stopped a training or an experiment. An error is one line on standard error.
int run_command_line(int argc, const char* const* argv);

struct TranslateCommand {
  std::filesystem::path run;   // the folder of a training
  std::filesystem::path file;  // one sentence per line; "" or "-": standard input
  SearchSettings search;
  std::vector<std::filesystem::path> with = {};  // other runs whose models translate together with the run's
};
// Writes one line of translation for each line of text. At a terminal, prompts for sentences and shows the alignment
// under each translation.
int run_translate(const TranslateCommand& command);

struct EvalCommand {
  std::filesystem::path run;
  std::string data;           // a folder to use instead of the run's data; "": the run's own
  std::filesystem::path out;  // a folder for the translations, one file per text; "": they are not kept
  SearchSettings search;
  std::vector<std::filesystem::path> with = {};  // as above
};
// Writes a table of all measures for each test, or the validation text where there is none, over all sentences and by
// sentence length.
int run_eval(const EvalCommand& command);

struct AlignCommand {
  std::filesystem::path run;
  std::filesystem::path file;  // one sentence per line, or a sentence, a tab and its translation; "": the first
                               // sentences of the run's first test, with their references
  std::filesystem::path out;   // a folder for pictures, one SVG per sentence; "": none
  std::int64_t sentences = 5;  // at most, when they come from a test
};
// Shows the attention of each sentence as a heatmap, and its links: "i-j" joins target word j to the source word i that
// has the largest weight, both counted from 0.
int run_align(const AlignCommand& command);

}  // namespace translate

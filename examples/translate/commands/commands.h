// What the subcommands of `translate` do, but for `train` (training_run.h) and `experiment`
// (experiments/experiments.h). Results go to standard output, everything else to standard error. All return the exit
// code 0, and throw what loading a model and reading data throws, and bad-argument for settings out of range.
#pragma once

#include <filesystem>
#include <string>

#include "examples/translate/options.h"

namespace translate {

struct TranslateCommand {
  std::filesystem::path run;   // the folder of a training
  std::filesystem::path file;  // one sentence per line; "" or "-": standard input
  SearchSettings search;
};
// A line of translation for each line of text. With n_best above 1: the line's number from 1, the score and the
// translation, between tabs. At a terminal: a prompt, and under each translation the alignment.
int run_translate(const TranslateCommand& command);

struct EvalCommand {
  std::filesystem::path run;
  std::string data;           // another folder than the run's; "": the run's own data
  std::string text;           // "val", "test2016"; "": all tests
  std::filesystem::path out;  // a folder for the translations, a file for each text; "": they are not kept
  SearchSettings search;
};
// All measures, over all sentences and by their length.
int run_eval(const EvalCommand& command);

struct AlignCommand {
  std::filesystem::path run;
  std::filesystem::path file;  // one sentence per line, or a sentence and its translation with a tab between; "": the
                               // first of the run's first test, with their references
  std::filesystem::path out;   // a folder for pictures, an SVG for each sentence; "": none
  bool png = false;            // and a PNG
  std::int64_t sentences = 5;  // at most, of a test
  bool links_only = false;     // a line "0-0 1-2" for each sentence, nothing else
};
// The attention of each sentence as a heatmap, and the links that it makes: each target word with the source word that
// it looks at most, "i-j" for source word i and target word j, from 0.
int run_align(const AlignCommand& command);

}  // namespace translate

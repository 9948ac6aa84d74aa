// What all experiments do with their report: the pictures also as files of their own, the settings, HTML and text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "examples/translate/experiments/experiments.h"
#include "examples/translate/html_report.h"

namespace translate {

class ExperimentReport {
 public:
  // `experiment` is its name on the command line.
  ExperimentReport(std::string experiment, const std::string& title, const ExperimentOptions& options);

  Report report;

  // Into the report and, by finish(), as DIR/EXPERIMENT-NAME.svg.
  void picture(const std::string& name, const std::string& svg, const std::string& caption,
               const std::string& text = "");
  // A line among the settings, which stand at the end.
  void setting(const std::string& name, const std::string& value);
  void settings(const std::vector<std::pair<std::string, std::string>>& values);
  // Says above everything else that the experiment was stopped, if it was, and how it goes on.
  void note_if_stopped(const std::string& how_it_goes_on = models_are_kept);
  // Prints the text, then writes DIR/EXPERIMENT.html and the pictures: on a full disk the text is there all the same.
  // Throws bad-file.
  void finish();

  static constexpr const char* models_are_kept =
      "The same command goes on: trained models are kept, and the one in training goes on where it was stopped.";

 private:
  struct Picture {
    std::string name;
    std::string svg;
  };
  std::string experiment_;
  ExperimentOptions options_;
  std::vector<std::pair<std::string, std::string>> settings_;
  std::vector<Picture> pictures_;
};

// "translate experiment NAME --out .. --seed ..", with what is not a default.
std::string command_line(const std::string& experiment, const ExperimentOptions& options);

// The seeds to be run: seed, seed + 1, ..
std::vector<std::uint64_t> seeds_of(const ExperimentOptions& options);

// One line of progress on stderr; in a terminal it replaces the one before.
void show_progress(const std::string& line);
void end_progress();

}  // namespace translate

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

  // Into the report and as DIR/EXPERIMENT-NAME.svg.
  void picture(const std::string& name, const std::string& svg, const std::string& caption,
               const std::string& text = "");
  // A line among the settings, which stand at the end.
  void setting(const std::string& name, const std::string& value);
  void settings(const std::vector<std::pair<std::string, std::string>>& values);
  // Says above everything else that the experiment was stopped, if it was.
  void note_if_stopped();
  // Writes DIR/EXPERIMENT.html and prints the text.
  void finish();

 private:
  std::string experiment_;
  ExperimentOptions options_;
  std::vector<std::pair<std::string, std::string>> settings_;
};

// "translate experiment NAME --out .. --seed ..", with what is not a default.
std::string command_line(const std::string& experiment, const ExperimentOptions& options);

// The seeds to be run: seed, seed + 1, ..
std::vector<std::uint64_t> seeds_of(const ExperimentOptions& options);

// One line of progress on stderr; in a terminal it replaces the one before.
void show_progress(const std::string& line);
void end_progress();

}  // namespace translate

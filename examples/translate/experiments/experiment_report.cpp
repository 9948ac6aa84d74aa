#include "examples/translate/experiments/experiment_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "examples/translate/messages.h"
#include "examples/translate/progress.h"
#include "examples/translate/stop_signal.h"
#include "examples/translate/write_file.h"

namespace translate {

std::string command_line(const std::string& experiment, const ExperimentOptions& options) {
  std::string command = "translate experiment " + experiment;
  if (options.out != ExperimentOptions().out) command += " --out " + quoted(options.out);
  if (!options.data.empty()) command += " --data " + quoted(options.data);
  if (options.epochs) command += fmt::format(" --epochs {}", *options.epochs);
  if (options.steps) command += fmt::format(" --steps {}", *options.steps);
  if (options.seed != ExperimentOptions().seed) command += fmt::format(" --seed {}", options.seed);
  if (options.seeds != 1) command += fmt::format(" --seeds {}", options.seeds);
  if (options.quick) command += " --quick";
  return command;
}

std::vector<std::uint64_t> seeds_of(const ExperimentOptions& options) {
  std::vector<std::uint64_t> seeds;
  for (std::int64_t i = 0; i < options.seeds; ++i) seeds.push_back(options.seed + static_cast<std::uint64_t>(i));
  return seeds;
}

ExperimentReport::ExperimentReport(std::string experiment, const std::string& title, const ExperimentOptions& options)
    : report(title), experiment_(std::move(experiment)), options_(options) {}

void ExperimentReport::picture(const std::string& name, const std::string& svg, const std::string& caption,
                               const std::string& text) {
  report.picture(svg, caption, text);
  pictures_.push_back({name, svg});
}

void ExperimentReport::setting(const std::string& name, const std::string& value) {
  settings_.emplace_back(name, value);
}

void ExperimentReport::settings(const std::vector<std::pair<std::string, std::string>>& values) {
  settings_.insert(settings_.end(), values.begin(), values.end());
}

void ExperimentReport::note_if_stopped(const std::string& how_it_goes_on) {
  if (StopSignal::received() == 0) return;
  report.paragraph("This experiment was stopped before its end. What follows is what had been measured by then. " +
                   how_it_goes_on);
}

void ExperimentReport::finish() {
  std::vector<std::pair<std::string, std::string>> all{{"command", command_line(experiment_, options_)}};
  all.insert(all.end(), settings_.begin(), settings_.end());
  report.settings(all);
  fmt::print("{}\n", report.text());
  std::fflush(stdout);
  for (const Picture& picture : pictures_) {
    write_file(options_.out / fmt::format("{}-{}.svg", experiment_, picture.name), picture.svg);
  }
  const std::filesystem::path page = options_.out / (experiment_ + ".html");
  report.write_html(page.string());
  fmt::print("The report with its pictures: {}\n", page.string());
  std::fflush(stdout);
}

void show_progress(const std::string& line) {
  static const bool is_terminal = isatty(STDERR_FILENO) != 0;
  if (is_terminal) {
    say("\r" + shortened(in_one_line(line), terminal_width(stderr)) + "\x1b[K");
  } else {
    say(in_one_line(line) + "\n");
  }
}

void end_progress() {
  if (isatty(STDERR_FILENO) != 0) say("\r\x1b[K");
}

}  // namespace translate

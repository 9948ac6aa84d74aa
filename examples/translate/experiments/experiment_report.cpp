#include "examples/translate/experiments/experiment_report.h"

#include <fmt/format.h>
#include <nn/atomic_file.h>
#include <unistd.h>

#include <cstdio>

#include "examples/translate/stop_signal.h"

namespace translate {

namespace {

void write_file(const std::filesystem::path& path, const std::string& content) {
  nn::AtomicFile file(path.string(), autograd::Where::current());
  file.write(content.data(), content.size());
  file.commit();
}

}  // namespace

std::string command_line(const std::string& experiment, const ExperimentOptions& options) {
  std::string command = "translate experiment " + experiment;
  if (!options.data.empty()) command += " --data " + options.data.string();
  if (options.epochs > 0) command += fmt::format(" --epochs {}", options.epochs);
  if (options.steps > 0) command += fmt::format(" --steps {}", options.steps);
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
    : report(title), experiment_(std::move(experiment)), options_(options) {
  std::filesystem::create_directories(options_.out);
}

void ExperimentReport::picture(const std::string& name, const std::string& svg, const std::string& caption,
                               const std::string& text) {
  report.picture(svg, caption, text);
  write_file(options_.out / fmt::format("{}-{}.svg", experiment_, name), svg);
}

void ExperimentReport::setting(const std::string& name, const std::string& value) {
  settings_.emplace_back(name, value);
}

void ExperimentReport::settings(const std::vector<std::pair<std::string, std::string>>& values) {
  settings_.insert(settings_.end(), values.begin(), values.end());
}

void ExperimentReport::note_if_stopped() {
  if (StopSignal::received() == 0) return;
  report.paragraph("This experiment was stopped before its end. What follows is what had been measured by then.");
}

void ExperimentReport::finish() {
  std::vector<std::pair<std::string, std::string>> all{{"command", command_line(experiment_, options_)}};
  all.insert(all.end(), settings_.begin(), settings_.end());
  report.settings(all);
  const std::filesystem::path page = options_.out / (experiment_ + ".html");
  report.write_html(page.string());
  fmt::print("{}\nThe report with its pictures: {}\n", report.text(), page.string());
  std::fflush(stdout);
}

void show_progress(const std::string& line) {
  static const bool is_terminal = isatty(STDERR_FILENO) != 0;
  fmt::print(stderr, "{}{}{}", is_terminal ? "\r" : "", line, is_terminal ? "\x1b[K" : "\n");
  std::fflush(stderr);
}

void end_progress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace translate

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runner/author/dev.h"
#include "runner/check/builder.h"
#include "runner/check/checker.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"

namespace learn {
namespace {

using Clock = std::chrono::steady_clock;

struct Timing {
  Report report;
  double total = 0.0;  // with everything around the report's seconds
};

// Keeps this process and all that it starts on one processor, where Linux can; elsewhere times differ more.
void stay_on_one_processor() {
#ifdef __linux__
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(std::max(0, ::sched_getcpu())), &one);
  ::sched_setaffinity(0, sizeof one, &one);
#endif
}

Timing time_once(const Exercise& exercise, const std::string& file) {
  const Clock::time_point start = Clock::now();
  Report report = check_file(exercise, file);
  return {std::move(report), std::chrono::duration<double>(Clock::now() - start).count()};
}

Timing fastest(const Exercise& exercise, const std::string& text, int repeat) {
  const RunFolder folder(runs_folder());
  const std::string file = folder / exercise.answer_name();
  write_file(file, text);
  Timing best;
  for (int i = 0; i < repeat; ++i) {
    const Timing timing = time_once(exercise, file);
    if (i == 0 || timing.total < best.total) best = timing;
  }
  return best;
}

// The smallest value that `share` of all do not exceed.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::min(std::max<std::size_t>(rank, 1), values.size()) - 1];
}

void print_row(const std::string& id, const char* what, const Timing& timing) {
  fmt::print("{:<34} {:<8} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f}\n", id, what, timing.report.compile_seconds,
             timing.report.link_seconds, timing.report.run_seconds, timing.total);
  std::fflush(stdout);
}

nlohmann::json to_json(const Timing& timing) {
  return {{"compile", timing.report.compile_seconds},
          {"link", timing.report.link_seconds},
          {"run", timing.report.run_seconds},
          {"total", timing.total}};
}

void print_summary(const char* what, const std::vector<double>& totals) {
  fmt::print("{:<16} median {:.2f} s, 95 % below {:.2f} s, slowest {:.2f} s\n", what, quantile(totals, 0.5),
             quantile(totals, 0.95), quantile(totals, 1.0));
}

}  // namespace

int dev_time(const std::vector<std::string>& ids, int repeat, const std::string& json) {
  stay_on_one_processor();
  fmt::print("{:<34} {:<8} {:>7} {:>7} {:>7} {:>7}   seconds, the fastest of {}\n", "", "", "compile", "link", "run",
             "total", repeat);
  nlohmann::json written = nlohmann::json::object();
  std::vector<double> wrong;
  std::vector<double> right;
  for (const std::string& id : ids) {
    const Exercise exercise = load_exercise(id);
    prepare_exercise(exercise);
    const auto measure = [&](const char* what, const std::string& text, std::vector<double>& totals) {
      const Timing timing = fastest(exercise, text, repeat);
      print_row(id, what, timing);
      totals.push_back(timing.total);
      written[id][what] = to_json(timing);
    };
    const auto& mistakes = exercise.source.mistakes;
    if (!mistakes.empty()) measure("wrong", *exercise.source.with_mistakes({mistakes[0].name}), wrong);
    measure("right", exercise.source.solution(), right);
  }
  print_summary("a wrong answer", wrong);
  print_summary("a right answer", right);
  std::vector<double> all = wrong;
  all.insert(all.end(), right.begin(), right.end());
  print_summary("all", all);
  if (!json.empty()) write_file(json, written.dump(1) + "\n");
  return 0;
}

}  // namespace learn

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "runner/author/dev.h"
#include "runner/check/checker.h"
#include "runner/lessons/settings.h"
#include "runner/show/show_report.h"
#include "runner/system/files.h"

namespace learn {
namespace {

std::string text_with(const Exercise& exercise, const std::vector<std::string>& mistakes) {
  if (mistakes.empty()) return exercise.source.stub();
  std::vector<std::string> known;
  for (const MistakeText& mistake : exercise.source.mistakes) known.push_back(mistake.name);
  for (const std::string& name : mistakes) {
    if (std::count(known.begin(), known.end(), name)) continue;
    throw std::runtime_error(fmt::format("{} has no mistake '{}', but {}", exercise.id, name, fmt::join(known, ", ")));
  }
  const auto text = exercise.source.with_mistakes(mistakes);
  if (!text) throw std::runtime_error("these two change the same line");
  return *text;
}

}  // namespace

int dev_try(const Context& context, const std::string& id, const std::vector<std::string>& mistakes, bool explain) {
  const Exercise exercise = load_exercise(find_exercise(id));
  const RunFolder folder(runs_folder());
  const std::string file = folder / exercise.answer_name();
  write_file(file, text_with(exercise, mistakes));
  const Report report = check_file(exercise, file);
  show(context.style,
       show_report(context.style, exercise, report, file, {.verbose = context.verbose, .raw = context.verbose}));
  if (explain) show(context.style, "\n" + explain_report(context.style, exercise, report, file));
  return 0;
}

}  // namespace learn

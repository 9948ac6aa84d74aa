#include "runner/mine/own_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <stdexcept>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"

namespace learn {
namespace {

struct Plug {
  std::string file;
  std::string part;  // what it is, in a few words
};

// By the number of the exercise: a plug begins with "#ifdef PLUG_NN  // PART".
const std::map<std::string, Plug>& plugs() {
  static const std::map<std::string, Plug> all = [] {
    std::map<std::string, Plug> found;
    const std::regex first_line("#ifdef PLUG_(\\d+) *// (.*)");
    std::smatch match;
    std::error_code no_folder;
    const std::string folder = settings().project + "/exercises/mine/plugs";
    for (const auto& entry : std::filesystem::directory_iterator(folder, no_folder)) {
      for (const std::string& line : lines_of(entry.path())) {
        if (std::regex_match(line, match, first_line)) found[match.str(1)] = {entry.path(), match.str(2)};
      }
    }
    return found;
  }();
  return all;
}

bool is_current(const Standing& standing, const std::string& file) {
  return standing.last && standing.last->passed() && standing.last->file_state == fingerprint(read_file(file));
}

// Fills in whose it is.
void decide(OwnPart& own, const Desk& desk, Progress& progress, bool asked_for) {
  const std::string file = desk.answer(own.exercise);
  if (!exists(file)) {
    own.remark = "there is no " + own.exercise.answer_name();
    return;
  }
  const Standing& standing = progress.of(own.exercise.id);
  const bool was_passed = standing.passed;
  bool is_right = was_passed && is_current(standing, file);
  if (was_passed && !is_right) {
    Situation situation = situation_of(desk, std::move(progress), own.exercise);
    is_right = check_now(situation).passed();
    progress = std::move(situation.progress);
  }
  if (is_right || asked_for) own.answer = file;
  if (!is_right) own.remark = asked_for ? "not passed" : was_passed ? "changed since, and not right now" : "";
}

}  // namespace

std::vector<OwnPart> own_parts(const Desk& desk, Progress& progress, const std::vector<std::string>& with) {
  std::vector<std::string> asked_for;
  for (const std::string& one : with) {
    asked_for.push_back(find_exercise(one));
    if (plugs().contains(load_exercise(asked_for.back()).number())) continue;
    throw std::runtime_error(fmt::format("--with {}: nothing of that exercise is a part of the whole", one));
  }
  std::vector<OwnPart> parts;
  for (const Exercise& exercise : all_exercises()) {
    const auto plug = plugs().find(exercise.number());
    if (plug == plugs().end()) continue;
    parts.push_back({exercise, plug->second.part, plug->second.file, "", ""});
    decide(parts.back(), desk, progress, std::count(asked_for.begin(), asked_for.end(), exercise.id) > 0);
  }
  if (parts.empty()) throw std::runtime_error("none of these exercises has a part in it");
  return parts;
}

std::string offer_of_mine(const Progress& progress) {
  std::size_t parts = 0;
  for (const Exercise& exercise : all_exercises()) {
    if (!plugs().contains(exercise.number())) continue;
    if (!progress.of(exercise.id).passed) return "";
    ++parts;
  }
  return parts == 0 ? "" : "  `learn mine` makes a translator of what you wrote.\n";
}

}  // namespace learn

#include "runner/lessons/course.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <stdexcept>

#include "autograd/text/characters.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/text/lines.h"
#include "runner/text/style.h"
#include "runner/text/wrong_usage.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// "linear layer" and "Linear-Layer" find linear_layer, too.
std::string as_name(const std::string& text) {
  std::string name = autograd::lower_case(without_mark_of_copy(text));
  std::replace(name.begin(), name.end(), ' ', '_');
  std::replace(name.begin(), name.end(), '-', '_');
  for (const std::string ending : {".cpp", ".md"}) {
    if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending) {
      name.resize(name.size() - ending.size());
    }
  }
  return name;
}

}  // namespace

std::string without_mark_of_copy(const std::string& name) {
  static const std::regex mark(R"((.*\D) ?\(\d{1,3}\)(\.\w+)?)");
  std::smatch match;
  const bool is_copy = name.size() < longest_to_match && std::regex_match(name, match, mark);
  if (!is_copy) return name;
  const std::string kept = match[1];
  return kept.substr(0, kept.find_last_not_of(' ') + 1) + match[2].str();
}

const std::vector<std::string>& exercise_ids() {
  static const std::vector<std::string> ids = [] {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(settings().exercises)) {
      const std::string name = entry.path().filename();
      const bool numbered = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
      if (numbered && exists(entry.path().string() + "/exercise.cpp")) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    return found;
  }();
  return ids;
}

Exercise load_exercise(const std::string& id) {
  Exercise exercise;
  exercise.id = id;
  exercise.folder = settings().exercises + "/" + id;
  exercise.source = ExerciseSource::read(exercise.folder + "/exercise.cpp");
  return exercise;
}

const std::vector<Exercise>& all_exercises() {
  static const std::vector<Exercise> exercises = [] {
    std::vector<Exercise> loaded;
    for (const std::string& id : exercise_ids()) {
      try {
        loaded.push_back(load_exercise(id));
      } catch (const std::exception& error) {
        complain(fmt::format("left out: {}", error.what()));
      }
    }
    return loaded;
  }();
  return exercises;
}

std::string find_exercise(const std::string& text) {
  const std::string wanted = as_name(text);
  std::vector<std::string> found;
  for (const std::string& id : exercise_ids()) {
    const std::string number = id.substr(0, id.find('_'));
    if (id == wanted || number == wanted) return id;
    if (is_number(wanted) && is_number(number) && std::stoi(number) == std::stoi(wanted.substr(0, 6))) return id;
    if (!wanted.empty() && autograd::lower_case(id).find(wanted) != std::string::npos) found.push_back(id);
  }
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    throw WrongUsage(fmt::format("there is no exercise '{}': `learn list` shows all {}, and `learn help` the commands",
                                 text, exercise_ids().size()));
  }
  constexpr std::size_t most = 5;
  const std::string more = found.size() > most ? fmt::format(" or {} others", found.size() - most) : "";
  found.resize(std::min(found.size(), most));
  throw WrongUsage(fmt::format("'{}' could be {}{}", text, fmt::join(found, " or "), more));
}

std::string part_name(const std::string& letter) {
  static const std::map<std::string, std::string> names = {{"A", "Measuring derivatives"},
                                                           {"B", "A scalar engine"},
                                                           {"C", "Tensors"},
                                                           {"D", "Learning"},
                                                           {"E", "Recurrence"},
                                                           {"F", "Bahdanau attention"},
                                                           {"G", "Translation"},
                                                           {"H", "Variants"},
                                                           {"I", "Questions"}};
  const auto found = names.find(letter);
  return found == names.end() ? letter : found->second;
}

}  // namespace learn

#include "runner/course/settings.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "runner/system/files.h"

namespace learn {

const Settings& settings() {
  static const Settings loaded = [] {
    const char* const other = std::getenv("LEARN_SETTINGS");  // for tests
    const auto json = nlohmann::json::parse(read_file(other ? other : BACKSTEP_COURSE_SETTINGS));
    Settings settings;
    settings.compiler = json.at("compiler");
    settings.compiler_is_gnu = json.at("compiler_is_gnu");
    settings.project = json.at("project");
    settings.build = json.at("build");
    settings.version = json.at("version");
    settings.exercises = json.value("exercises", settings.project + "/exercises");
    settings.cache = json.value("cache", settings.build + "/exercises/cache");
    settings.answer_main = json.at("answer_main");
    settings.include = json.at("include");
    settings.system_include = json.at("system_include");
    for (const std::string library : json.at("libraries")) {
      if (!library.empty()) settings.libraries.push_back(library);
    }
    settings.early_libraries = json.value("early_libraries", settings.libraries);
    return settings;
  }();
  return loaded;
}

std::string runs_folder() {
  return settings().cache + "/runs";
}

}  // namespace learn

#include "runner/lessons/settings.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runner/system/files.h"

namespace learn {

namespace {

bool can_write(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// Beside what was built, or one's own where that is somebody else's: an installation for a class.
std::string cache_of(const std::string& build) {
  std::string cache = build + "/exercises/cache";
  if (can_write(cache)) return cache;
  const char* const given = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  const std::string own = given && *given ? given : home && *home ? std::string(home) + "/.cache" : "/tmp";
  return own + "/backstep/" + fingerprint(build);
}

}  // namespace

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
    settings.exercises = json.value("exercises", settings.project + "/exercises/lessons");
    settings.cache = json.contains("cache") ? json.at("cache").get<std::string>() : cache_of(settings.build);
    settings.answer_main = json.at("answer_main");
    settings.link_flags = json.at("link_flags");
    settings.include = json.at("include");
    settings.system_include = json.at("system_include");
    settings.libraries = json.at("libraries");
    settings.early_libraries = json.value("early_libraries", settings.libraries);
    return settings;
  }();
  return loaded;
}

std::string runs_folder() {
  return settings().cache + "/runs";
}

}  // namespace learn

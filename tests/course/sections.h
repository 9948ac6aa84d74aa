// Fixtures of several parts: "=== name" begins one.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runner/system/files.h"

struct Fixture {
  std::string path;
  std::vector<std::pair<std::string, std::string>> sections;

  std::string& at(const std::string& name) {
    for (auto& [section, text] : sections) {
      if (section == name) return text;
    }
    sections.push_back({name, ""});
    return sections.back().second;
  }

  void write() const {
    std::string text;
    for (const auto& [name, section] : sections) text += "=== " + name + "\n" + section;
    learn::write_file(path, text);
  }
};

inline Fixture read_fixture(const std::string& path) {
  Fixture fixture{path, {}};
  std::istringstream stream(learn::read_file(path));
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("=== ", 0) == 0) {
      fixture.sections.push_back({line.substr(4), ""});
    } else {
      fixture.sections.back().second += line + "\n";
    }
  }
  return fixture;
}

inline std::vector<std::string> fixtures_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path().string());
  }
  return paths;
}

// With BACKSTEP_UPDATE=1 in the environment, what is expected becomes what is.
inline bool update_fixtures() {
  return std::getenv("BACKSTEP_UPDATE") != nullptr;
}

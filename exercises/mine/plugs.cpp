#include "mine/plugs.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace mine {

Parts parts;
volatile int plugging_in = 0;
volatile int running_exercise = 0;
volatile int last_exercise = 0;
std::array<bool, 100> was_called = {};

std::vector<Plug> read_plugs(const std::string& path) {
  std::ifstream list(path);
  if (!list) throw std::runtime_error("cannot read " + path);
  std::vector<Plug> plugs;
  for (std::string line; std::getline(list, line);) {
    std::istringstream columns(line);
    std::string exercise;
    Plug plug;
    for (std::string* const column : {&exercise, &plug.title, &plug.part, &plug.file, &plug.why}) {
      std::getline(columns, *column, '\t');
    }
    plug.exercise = std::stoi(exercise);
    if (!plug.file.empty()) {
      void* const library = ::dlopen(plug.file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!library) throw std::runtime_error(fmt::format("{} cannot be loaded: {}", name_of(plug), ::dlerror()));
      plug.plug_in = reinterpret_cast<void (*)(Parts&)>(::dlsym(library, "plug_in"));
    }
    plugs.push_back(plug);
  }
  return plugs;
}

std::string name_of(const Plug& plug) {
  return fmt::format("{:02} {}", plug.exercise, plug.title);
}

}  // namespace mine

#include "runner/check/engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <stdexcept>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/text/style.h"

namespace learn {
namespace {

// exercises/learn holds this lock as long as it compiles.
bool is_being_compiled() {
  const int file = ::open((settings().build + "/learn.lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_free = ::flock(file, LOCK_SH | LOCK_NB) == 0;
  ::close(file);
  return !is_free;
}

// "93/120", as Ninja counts its steps.
std::string steps_done() {
  const std::vector<std::string> lines = lines_of(settings().build + "/learn.log");
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const std::size_t end = line->find(']');
    if (line->starts_with('[') && end != std::string::npos) return line->substr(1, end - 1);
  }
  return "0";
}

}  // namespace

bool engine_is_ready() {
  return exists(settings().build + "/exercises/learn");  // it is linked when all of them are there
}

void await_engine() {
  while (!engine_is_ready()) {
    if (interrupted()) throw Interrupted();
    if (!is_being_compiled() && !engine_is_ready()) {
      throw std::runtime_error(fmt::format(
          "the engine is not compiled completely; {}/exercises/learn --version does it", settings().project));
    }
    const PassingNotice notice(
        fmt::format("this needs the whole engine, which is still being compiled: step {} ...", steps_done()));
    ::usleep(300000);
  }
}

const std::vector<std::string>& engine_libraries() {
  return engine_is_ready() ? settings().libraries : settings().early_libraries;
}

}  // namespace learn

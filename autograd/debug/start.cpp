#include "autograd/debug/start.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "autograd/debug/check/sanitizer.h"
#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/load_printers.h"
#include "autograd/debug/nan/nan_origin.h"
#include "autograd/debug/step/terminal_debugger.h"
#include "autograd/debug/trace/tracer.h"

namespace autograd::debug {

const std::vector<Instrument>& instruments() {
  static const std::vector<Instrument> list = {
      {"step", "step[:SCRIPT]    the debugger, at each backward(); commands from SCRIPT or standard input",
       make_debugger},
      {"dap", "dap[:PORT|:SOCKET] the debugger in an editor that speaks the Debug Adapter Protocol", make_adapter},
      {"check", "check            the gradient sanitizer; check:continue, check:rate=0.1, check:seed=7",
       start_sanitizer},
      {"nan", "nan              the origin of the first NaN or infinity; nan:strict, nan:only-nan", start_nan_origin},
      {"trace", "trace:FILE.html   a page that replays forward and backward (or FILE.json, FILE.dot)", make_tracer},
  };
  return list;
}

namespace {

std::string usage() {
  std::string text = "use one of, or several separated by commas:";
  for (const Instrument& instrument : instruments()) text += fmt::format("\n  {}", instrument.usage);
  return text;
}

const Instrument* find(const std::string& name) {
  for (const Instrument& instrument : instruments()) {
    if (name == instrument.name) return &instrument;
  }
  return nullptr;
}

std::string name_of(const std::string& word) {
  return word.substr(0, word.find(':'));
}

// Splits at the commas before an instrument's name only, because a file's name may have commas too.
std::vector<std::string> words_of(const std::string& value) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= value.size()) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    const std::string word = value.substr(begin, end - begin);
    if (words.empty() || find(name_of(word))) {
      words.push_back(word);
    } else {
      words.back() += "," + word;
    }
    begin = end + 1;
  }
  return words;
}

Observer* make(const std::string& word) {
  const Instrument* instrument = find(name_of(word));
  if (!instrument) throw std::invalid_argument(fmt::format("'{}' is no instrument; {}", word, usage()));
  const std::size_t colon = word.find(':');
  return instrument->make(colon == std::string::npos ? "" : word.substr(colon + 1));
}

}  // namespace

bool start(const std::string& value) {
  for (const std::string& word : words_of(value)) {
    // Never freed, because static destructors may still run ops.
    static std::vector<ObserverGuard*>& guards = *new std::vector<ObserverGuard*>;
    guards.push_back(new ObserverGuard(*make(word)));
  }
  return true;
}

namespace {

// False if BACKSTEP is not set.
bool start_from_environment() {
  const char* value = std::getenv("BACKSTEP");
  if (!value || !*value) return false;
  try {
    return start(value);
  } catch (const std::invalid_argument& problem) {
    fmt::print(stderr, "BACKSTEP={}: {}\n", value, problem.what());
    std::exit(2);
  }
}

}  // namespace

}  // namespace autograd::debug

// Runs before main(). CMakeLists.txt names this symbol for the linker, which takes only what is asked for from a static
// library, so that every program that links the engine links this file.
extern "C" const bool backstep_instruments_started = autograd::debug::start_from_environment();

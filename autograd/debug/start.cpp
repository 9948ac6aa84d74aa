#include "autograd/debug/start.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <stdexcept>
#include <thread>

#include "autograd/debug/check/sanitizer.h"
#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/finding.h"
#include "autograd/debug/moments.h"
#include "autograd/debug/nan/nan_origin.h"
#include "autograd/debug/step/terminal_debugger.h"
#include "autograd/debug/trace/tracer.h"
#include "autograd/tape/observer.h"

namespace autograd::debug {

const std::vector<Instrument>& instruments() {
  static const std::vector<Instrument> list = {
      {"trace", "trace:FILE.html   a page that replays forward and backward (or FILE.json)", make_tracer, false},
      {"step", "step[:SCRIPT]    the debugger, at each backward(); commands from SCRIPT or standard input",
       make_debugger, false},
      {"dap", "dap[:PORT|:SOCKET] the debugger in an editor that speaks the Debug Adapter Protocol", make_adapter,
       false},
      {"check",
       "check            the gradient sanitizer; check:every=10, check:slowdown=2, check:continue, check:seed=7",
       start_sanitizer, true},
      {"nan", "nan              the origin of the first NaN or infinity; nan:strict, nan:only-nan", start_nan_origin,
       true},
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

struct Asked {
  const Instrument* instrument = nullptr;
  std::string argument;
};

// In the order of instruments().
std::vector<Asked> asked_for(const std::string& value) {
  std::vector<Asked> asked;
  for (const std::string& word : words_of(value)) {
    const Instrument* instrument = find(name_of(word));
    if (!instrument) throw std::invalid_argument(fmt::format("'{}' is not an instrument; {}", word, usage()));
    const auto is_same = [&](const Asked& other) { return other.instrument == instrument; };
    if (std::any_of(asked.begin(), asked.end(), is_same)) {
      throw std::invalid_argument(fmt::format("{} is named twice; expected each instrument once", instrument->name));
    }
    const std::size_t colon = word.find(':');
    asked.push_back({instrument, colon == std::string::npos ? "" : word.substr(colon + 1)});
  }
  std::stable_sort(asked.begin(), asked.end(),
                   [](const Asked& a, const Asked& b) { return a.instrument < b.instrument; });
  return asked;
}

struct Attached {
  explicit Attached(const Asked& asked) : observer(asked.instrument->make(asked.argument)), guard(*observer) {}
  std::unique_ptr<Observer> observer;
  ObserverGuard guard;
};

// ---- other threads --------------------------------------------------------------------------------------------------

std::vector<Asked>& asked_in_all_threads() {
  static std::vector<Asked>& asked = *new std::vector<Asked>;
  return asked;
}

const std::thread::id main_thread = std::this_thread::get_id();
std::string main_thread_only;  // the names of instruments that watch no other

void say_once_who_does_not_watch() {
  static const bool said = [] {
    print_after_output(fmt::format("BACKSTEP={}: another thread uses the engine; only the main thread is watched\n",
                                   main_thread_only));
    return true;
  }();
  (void)said;
}

void watch_this_thread() {
  if (std::this_thread::get_id() == main_thread) return;
  if (!main_thread_only.empty()) say_once_who_does_not_watch();
  thread_local std::deque<Attached> attached;
  for (const Asked& asked : asked_in_all_threads()) attached.emplace_back(asked);
}

}  // namespace

bool start(const std::string& value) {
  // Never freed, because static destructors may still run ops.
  static std::deque<Attached>& attached = *new std::deque<Attached>;
  for (const Asked& asked : asked_for(value)) {
    attached.emplace_back(asked);
    if (asked.instrument->watches_threads) {
      asked_in_all_threads().push_back(asked);
    } else {
      main_thread_only += (main_thread_only.empty() ? "" : ",") + std::string(asked.instrument->name);
    }
  }
  told_of_threads = watch_this_thread;
  listen();
  tell_of_uncaught_exceptions();
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

// Writes the name of backstep_gdb.py into every program that links Backstep. gdb then loads that file with the program,
// if its `auto-load safe-path` covers it (docs/debugging-with-gdb.md).
#if defined(__ELF__) && defined(BACKSTEP_GDB_SCRIPT)
// The byte 1 means: the name of a file in Python.
__asm__(
    ".pushsection \".debug_gdb_scripts\", \"MS\", %progbits, 1\n"
    ".byte 1\n"
    ".asciz \"" BACKSTEP_GDB_SCRIPT
    "\"\n"
    ".popsection\n");
#endif

// Runs before main(), in every program that records an op: tape/record.cpp names it.
extern "C" [[gnu::used]] const bool backstep_instruments_started = autograd::debug::start_from_environment();

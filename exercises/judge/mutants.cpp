#include "judge/mutants.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <stdexcept>

#include "judge/exercise.h"
#include "judge/watchdog.h"

namespace judge {
namespace {

std::vector<Setting> settings_to_try() {
  std::vector<Setting> settings = other_settings();
  settings.insert(settings.begin(), usual_setting());
  return settings;
}

std::string words_for(const Axes& sizes) {
  std::string text;
  for (const Axis& axis : sizes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis.name, axis.size);
  return text;
}

// As strict as the judge of a learner's answer, and no more: what a property or a bound measures is not compared.
bool is_right(const Observation& own, const Observation& expected) {
  using Kind = Observation::Kind;
  if (own.kind != expected.kind || own.name != expected.name) return false;
  if (own.kind == Kind::property || own.kind == Kind::bound) return own.holds;
  return same(own, expected, expected.tolerance);
}

bool is_right(Run run, const Setting& setting, RunOptions options = {}) {
  const Record expected = observe(exercise.solution, setting, options).record;
  const Record own = observe(run, setting, options).record;
  if (own.observations.size() != expected.observations.size()) return false;
  for (std::size_t i = 0; i < own.observations.size(); ++i) {
    if (!is_right(own.observations[i], expected.observations[i])) return false;
  }
  return true;
}

// A mutant that takes twenty times as long as the solution never ends.
void limit_processor_time(double seconds) {
  const double most = 0.3 + 20.0 * seconds;
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(most);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (most - static_cast<double>(timer.it_value.tv_sec)));
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

// A gigabyte more than there is: sanitizers have terabytes before anything begins. Where Linux does not tell, no limit.
void limit_memory() {
  std::ifstream file("/proc/self/statm");
  rlim_t pages = 0;
  if (!(file >> pages)) return;
  const rlim_t most = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{1} << 30);
  const rlimit limit{most, most};
  ::setrlimit(RLIMIT_AS, &limit);
}

void be_silent() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

bool lives(Run run, const std::vector<Setting>& settings, bool slow_too) {
  const double before = processor_seconds();
  observe(exercise.solution, usual_setting());
  limit_processor_time(processor_seconds() - before);
  for (const Setting& setting : settings) {
    if (!is_right(run, setting)) return false;
  }
  limit_processor_time(slow_too ? 300.0 : 0.0);
  return !slow_too || is_right(run, usual_setting(), {.slow_too = true});
}

// Calls it in a child; what does not come back in order is a no.
template <class Question> bool answered_yes(Question question) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    be_silent();
    limit_memory();
    bool yes = false;
    try {
      yes = question();
    } catch (...) {
    }
    ::_exit(yes ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

MutantReport run_mutants(bool slow_too) {
  MutantReport report;
  std::vector<Setting> settings;
  for (const Setting& setting : settings_to_try()) {
    // In a child, too: the engine may start threads, which do not survive a fork.
    if (answered_yes([&] { return is_sound(observe(exercise.solution, setting).record); })) {
      settings.push_back(setting);
    } else {
      report.problems.push_back("the solution is not right where " + words_for(setting.sizes));
    }
  }
  for (const Mistake& mutant : exercise.mistakes) {
    if (answered_yes([&] { return lives(mutant.run, settings, slow_too); })) report.living.push_back(mutant.names[0]);
  }
  return report;
}

}  // namespace judge

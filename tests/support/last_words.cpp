#include "tests/support/last_words.h"

#include <unistd.h>

#include <csignal>
#include <cstddef>

#include "tests/support/address_sanitizer.h"

#ifdef BACKSTEP_ADDRESS_SANITIZER
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace {

// Memory of its own: a process that is ending must not allocate.
char last_words[400];
std::size_t length = 0;

void say_last_words() {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, last_words, length);
}

void on_signal(int signal) {
  say_last_words();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void set_last_words(const std::string& text) {
  length = text.copy(last_words, sizeof(last_words));
}

void say_last_words_at_the_end() {
#ifdef BACKSTEP_ADDRESS_SANITIZER
  __sanitizer_set_death_callback(say_last_words);
#else
  std::signal(SIGSEGV, on_signal);
#endif
  std::signal(SIGABRT, on_signal);
  std::signal(SIGINT, on_signal);
}

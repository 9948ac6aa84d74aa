#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/support/pattern.h"

namespace fuzz {

Seeds Target::seeds() const {
  if (make_seeds) return make_seeds();
  return fixtures::sections_of(fixtures::content_of(BACKSTEP_SOURCE "/tests/fuzz/corpus/" + name), "==== ");
}

void found(const std::string& what) {
  std::fprintf(stderr, "FOUND: %s\n", what.c_str());
  std::fflush(stderr);
  std::abort();
}

bool refuses(std::initializer_list<autograd::ErrorId> expected, const std::function<void()>& work) {
  try {
    work();
    return false;
  } catch (const autograd::Error& error) {
    const std::string message = error.what();
    const bool is_expected = std::find(expected.begin(), expected.end(), error.id()) != expected.end();
    require(is_expected, "an error of another kind: " + message);
    require(!error.found().empty() && !error.advice().empty(), "an error without our form: " + message);
    return true;
  }
}

const fixtures::TemporaryFolder& folder() {
  static const fixtures::TemporaryFolder made;
  return made;
}

std::string file_with(const std::string& content, const std::string& name) {
  const std::string file = folder() / name;
  fixtures::write(file, content);
  return file;
}

}  // namespace fuzz

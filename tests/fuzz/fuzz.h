// What the fuzz targets share. A target is given any bytes at all: what reads them may throw the documented errors
// only, and what it accepts must come back the same when it is written and read again.
//
//   tests/fuzz/run 600 texts        looks for inputs that break the target in texts.cpp
//   feed_texts FILE ..              gives it these
#pragma once

#include <autograd/tensor/error.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "tests/support/temporary_folder.h"

namespace fuzz {

// Inputs by name, with which a search begins.
using Seeds = std::map<std::string, std::string>;

// What is no text has its seeds beside it; others are read from corpus/NAME.
struct Target {
  std::string name;
  void (*run)(const std::string& input);
  Seeds (*make_seeds)();

  Seeds seeds() const;
};

// The target of this program. Each is defined in its own file, which both of its programs link.
extern const Target target;

// A finding: says what is wrong, and ends the program.
[[noreturn]] void found(const std::string& what);
inline void require(bool holds, const std::string& what) {
  if (!holds) found(what);
}

// Whether `work` threw one of these errors; every other one is a finding, and so is one without our form.
bool refuses(std::initializer_list<autograd::ErrorId> expected, const std::function<void()>& work);
// Whether it threw an exception of this kind, with a message.
template <class Exception> bool throws(const std::function<void()>& work) {
  try {
    work();
    return false;
  } catch (const Exception& error) {
    require(!std::string_view(error.what()).empty(), "an exception without a message");
    return true;
  }
}

// This process's folder for files, and a file in it with this content.
const fixtures::TemporaryFolder& folder();
std::string file_with(const std::string& content, const std::string& name = "input");

}  // namespace fuzz

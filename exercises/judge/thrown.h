// Thrown: the exception with which an answer ended. Of the engine's errors the parts; of others the message alone.
#pragma once

#include <string>

namespace judge {

struct Thrown {
  std::string id = {};       // "shape-mismatch"; empty for an exception that is not the engine's
  std::string message = {};  // one line
  std::string advice = {};
  std::string file = {};  // where it says that it was thrown
  int line = 0;
};

}  // namespace judge

// WrongUsage: what was asked for cannot be done as it was asked; `learn` ends with 2.
#pragma once

#include <stdexcept>

namespace learn {

class WrongUsage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace learn

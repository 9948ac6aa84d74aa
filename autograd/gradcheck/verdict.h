// Verdict: what a gradient check found, from the best to the worst.
#pragma once

#include <ostream>
#include <string_view>

namespace autograd {

enum class Verdict {
  pass,              // the gradient agrees with the numeric derivative, and a wrong one would not have
  vacuous,           // the true gradient is zero everywhere: the check proves nothing
  kink,              // no derivative exists here (relu at 0, a tie of max); the gradient is one of the slopes
  noisy,             // the numeric derivative is too uncertain to decide
  domain,            // the function is NaN or infinite next to the point (log at 0)
  fail,              // the gradient is wrong
  nondeterministic,  // two runs on the same inputs differ, so that differences mean nothing
};

std::string_view name(Verdict verdict);  // "PASS"
Verdict worse(Verdict a, Verdict b);
inline std::ostream& operator<<(std::ostream& out, Verdict verdict) {
  return out << name(verdict);
}

}  // namespace autograd

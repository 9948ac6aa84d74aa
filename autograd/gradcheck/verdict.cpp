#include "autograd/gradcheck/verdict.h"

namespace autograd {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "PASS";
    case Verdict::vacuous: return "VACUOUS";
    case Verdict::kink: return "KINK";
    case Verdict::noisy: return "NOISY";
    case Verdict::domain: return "DOMAIN";
    case Verdict::fail: return "FAIL";
    case Verdict::nondeterministic: return "NONDETERMINISTIC";
  }
  return "";
}

Verdict worse(Verdict a, Verdict b) {
  return a < b ? b : a;
}

}  // namespace autograd

// Ways in which an answer ends instead of returning, in the place of one of exercise 22; the page chooses one.
#include <judge/learner.h>

#include <cstdlib>
#include <vector>

#include "given.h"

static volatile int chosen = 0;
static volatile int zero = 0;

extern "C" [[clang::export_name("choose")]] void choose(int number) {
  chosen = number;
}

static int without_end(int depth) {
  volatile int here = depth;
  return without_end(here + 1) + here;
}

Tensor softmax_jacobian(const Tensor& y) {
  std::vector<std::vector<double>> grows;
  switch (chosen) {
    case 0:
      while (zero == 0) {
      }
      break;
    case 1:
      while (zero == 0) grows.emplace_back().reserve(10000000);
      break;
    case 2: std::exit(3);
    case 3: return y * (1.0 / zero + 1 / zero);
    case 4: return y * without_end(0);
    case 5: throw 7;
    case 6: return y * *reinterpret_cast<volatile double*>(0xfffffff0);
    case 7: std::abort();
    case 8: throw std::runtime_error("on purpose");
    default: break;
  }
  return y;
}

Tensor softmax_vjp(const Tensor& dy, const Tensor&) {
  return dy;
}

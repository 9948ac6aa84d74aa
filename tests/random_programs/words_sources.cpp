// Where values come from: by a seed, as numbers.h says.
#include "maker.h"
#include "numbers.h"
#include "words.h"

namespace random_programs {
namespace {

bool a_leaf(Maker& maker, Step& step) {
  step.numbers = {maker.seed(), maker.chance(25)};
  const Shape shape = maker.shape(maker.between(0, 4));
  step.list.assign(shape.begin(), shape.end());
  return true;
}

// Made where another line asks for one.
bool never(Maker&, Step&) {
  return false;
}

Tensor numbers_of(In x) {
  return x.flag(1) ? random_positive(x.n(0), x.shape()) : random_signed(x.n(0), x.shape());
}

}  // namespace

Words source_words() {
  using enum Kind;
  using enum Expect;
  return {
      {"leaf", "int(0,999999) flag shape", [](In x) { return numbers_of(x).requires_grad_(); }, source, a_leaf},
      {"data", "int(0,999999) flag shape", numbers_of, source, a_leaf},
      {"integers", "int(0,999999) int(1,9) shape", [](In x) { return random_integers(x.n(0), x.n(1), x.shape()); },
       source, never},
      {"mask", "int(0,999999) shape", [](In x) { return random_mask(x.n(0), x.shape()); }, source, never},
  };
}

}  // namespace random_programs

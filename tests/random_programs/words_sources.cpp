// Where values come from.
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
  return x.flag(1) ? random_positive(x.n(0), x.list()) : random_signed(x.n(0), x.list());
}

}  // namespace

Words source_words() {
  return {
      {"leaf", "leaf({n0}, {b1}, {l})", "leaf({n0}, {b1}, {l})", a_leaf,
       [](In x) { return numbers_of(x).requires_grad_(); }, Kind::source},
      {"data", "data({n0}, {b1}, {l})", "data({n0}, {b1}, {l})", a_leaf, numbers_of, Kind::source},
      {"integers", "random_integers({n0}, {n1}, {l})", "integers({n0}, {n1}, {l})", never,
       [](In x) { return random_integers(x.n(0), x.n(1), x.list()); }, Kind::source},
      {"mask", "random_mask({n0}, {l})", "mask({n0}, {l})", never, [](In x) { return random_mask(x.n(0), x.list()); },
       Kind::source},
  };
}

}  // namespace random_programs

// Drawn with docs/16-variants.md
#include <docs/boxes.h>

const Tensor H = randn({4, 3}, float64), hidden = randn({4, 5}, float64);
const Tensor weights = hidden.select(1, 0).softmax(0);
docs::Boxes picture("Coverage: weights and coverage are used twice", {.column = 186.0, .row = 84.0});
for (int t = 0; t < 3; ++t) {
  const auto name = [&](const char* what) { return fmt::format("{} {}", what, t + 1); };
  picture.box(name("cov"), {1.0 * t, 0}, {name("coverage"), docs::shape(weights)});
  picture.box(name("e"), {1.0 * t, 1}, {name("scores"), "tanh " + docs::shape(hidden)}, docs::op);
  picture.box(name("alpha"), {1.0 * t, 2}, {name("weights"), docs::shape(weights)});
  picture.box(name("c"), {1.0 * t, 3}, {name("context"), docs::shape(weights.matmul(H))});
  const auto both = [&](const std::string& from, const std::string& to, bool has_gradient) {
    picture.arrow(from, to);
    if (has_gradient) picture.arrow(to, from, "", docs::gradient);
  };
  both(name("cov"), name("e"), t > 0);  // the first coverage is 0 whatever happens
  both(name("e"), name("alpha"), true);
  both(name("alpha"), name("c"), true);
  if (t == 0) continue;
  both(fmt::format("cov {}", t), name("cov"), t > 1);
  both(fmt::format("alpha {}", t), name("cov"), true);
}
picture.write("pictures/coverage.svg");

// Drawn with docs/09-recurrence.md
#include <docs/boxes.h>

const RNN rnn{.T = 3};
const std::vector<Tensor> h = rnn.states();
docs::Boxes picture("Three steps: forward, and gradients back", {.column = 118.0, .row = 92.0, .box = 64.0});
const char* index[] = {"₀", "₁", "₂", "₃"};
picture.box("h0", {0, 1}, {"h₀", docs::shape(h[0])});
for (int t = 1; t <= 3; ++t) {
  const auto named = [&](const char* letter) { return fmt::format("{}{}", letter, index[t]); };
  const std::string state = fmt::format("h{}", t);
  picture.box("loss" + state, {1.0 * t, 0}, {"loss"}, docs::note);
  picture.box(state, {1.0 * t, 1}, {named("h"), docs::shape(h[static_cast<std::size_t>(t)])});
  picture.box("x" + state, {1.0 * t, 2}, {named("x"), docs::shape(rnn.x[t - 1])});
  const std::string before = fmt::format("h{}", t - 1);
  picture.arrow(before, state, "U");
  picture.arrow("x" + state, state, "W");
  picture.arrow(state, "loss" + state);
  picture.arrow("loss" + state, state, "from loss", docs::gradient);
  picture.arrow(state, before, named("da") + " U", docs::gradient);
  picture.arrow(state, "x" + state, "dx", docs::gradient);
}
picture.write("pictures/rnn-unrolled.svg");

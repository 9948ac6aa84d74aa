// Drawn with docs/06-probabilities.md
#include <docs/boxes.h>

const std::vector<std::string> words = {"mat", "moon", "sat", "the"};
const Tensor logits = tensor({{2.0, 1.5, 0.5, -1.0}}, float64).requires_grad_();
const std::int64_t right = 0;  // "mat"
const Tensor p = logits.softmax(1);
const Tensor loss = cross_entropy(logits, ids({right}));
loss.backward();
docs::Boxes picture("From logits to a loss, and back", {.column = 126.0, .row = 84.0, .box = 96.0});
picture.box("softmax", {1.5, 2.2}, {"softmax"}, docs::op);
picture.box("loss", {0, 4.4}, {"loss", fmt::format("-log {:.3f} = {:.3f}", p.at({0, right}), loss)});
picture.box("meaning", {2.2, 4.4}, {"dL/dx: p, minus 1", "at the correct word"}, docs::note);
for (int v = 0; v < 4; ++v) {
  const auto name = [&](const char* what) { return fmt::format("{} {}", what, v); };
  picture.box(name("word"), {1.0 * v, 0.2}, {words[static_cast<std::size_t>(v)]}, docs::note);
  picture.box(name("x"), {1.0 * v, 1},
              {fmt::format("x {}", logits.at({0, v})), fmt::format("dL/dx {:+.3f}", logits.grad().at({0, v}))});
  picture.box(name("p"), {1.0 * v, 3.3}, {fmt::format("p {:.3f}", p.at({0, v}))});
  picture.arrow(name("x"), "softmax");
  picture.arrow("softmax", name("p"));
  picture.arrow("softmax", name("x"), "", docs::gradient);
}
picture.arrow(fmt::format("p {}", right), "loss");
picture.arrow("loss", fmt::format("p {}", right), fmt::format("-1/p = {:.2f}", -1.0 / p.at({0, right})),
              docs::gradient);
picture.arrow(fmt::format("p {}", right), "softmax", "", docs::gradient);
picture.write("pictures/logits-to-loss.svg");

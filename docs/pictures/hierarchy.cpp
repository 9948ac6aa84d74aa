// Drawn with docs/16-variants.md
#include <docs/boxes.h>

const Tensor words = randn({2, 3, 4}, float64), q_w = randn({5}, float64), q_s = randn({5}, float64);
const Tensor weights = words.select(2, 0).softmax(1), document = words[0][0];
docs::Boxes picture("Hierarchical attention");
for (int k = 0; k < 2; ++k) {
  const auto name = [&](const char* what) { return fmt::format("{} {}", what, k + 1); };
  picture.box(name("H"), {2.0 * k, 0}, {fmt::format("words of sentence {}", k + 1), docs::shape(words[k])});
  picture.box(name("a"), {2.0 * k, 1}, {"attention", "weights " + docs::shape(weights[k])}, docs::op);
  picture.box(name("x"), {2.0 * k, 2}, {fmt::format("sentence {}", k + 1), docs::shape(words[k][0])});
  picture.arrow(name("H"), name("a"));
  picture.arrow(name("a"), name("x"));
}
picture.box("q_w", {1, 1}, {"q_w", docs::shape(q_w)}, docs::learnt);
picture.box("b", {1, 3}, {"attention", "weights " + docs::shape(weights.sum(1))}, docs::op);
picture.box("q_s", {0, 3}, {"q_s", docs::shape(q_s)}, docs::learnt);
picture.box("d", {1, 4}, {"document", docs::shape(document)});
for (const char* from : {"x 1", "x 2", "q_s"}) picture.arrow(from, "b");
for (const char* to : {"a 1", "a 2"}) picture.arrow("q_w", to);
picture.arrow("b", "d");
picture.write("pictures/hierarchy.svg");

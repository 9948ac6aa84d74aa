// Drawn with docs/16-variants.md
#include <docs/boxes.h>

const nn::MultiHeadAttention attention({.embed_dim = 8, .num_heads = 2, .bias = false, .dtype = float64});
const Tensor s = randn({8}, float64), H = randn({5, 8}, float64);
docs::Boxes picture("Attention with two heads", {.column = 104.0, .box = 92.0});
picture.box("s", {0.5, 0}, {"query s", docs::shape(s)}, docs::query);
picture.box("H", {2.5, 0}, {"H", docs::shape(H)});
for (int m = 0; m < 2; ++m) {
  const Tensor q = s.narrow(0, 4 * m, 4), k = H.narrow(1, 4 * m, 4), alpha = k.matmul(q).softmax(0);
  const auto name = [&](const char* what) { return fmt::format("{} {}", what, m + 1); };
  picture.box(name("q"), {2.0 * m, 1.2}, {name("query"), docs::shape(q)}, docs::query);
  picture.box(name("k"), {2.0 * m + 1.0, 1.2}, {name("K, V"), docs::shape(k)}, docs::key);
  picture.box(name("a"), {2.0 * m + 0.5, 2.3}, {"weights", docs::shape(alpha)}, docs::op);
  picture.box(name("c"), {2.0 * m + 0.5, 3.3}, {name("context"), docs::shape(alpha.matmul(k))});
  picture.arrow("s", name("q"));
  picture.arrow("H", name("k"));
  picture.arrow(name("q"), name("a"));
  picture.arrow(name("k"), name("a"));
  picture.arrow(name("a"), name("c"));
  picture.arrow(name("c"), "o");
}
picture.box("o", {1.5, 4.3}, {"side by side, times W_o", docs::shape(attention.out_proj.weight)}, docs::learnt);
picture.box("out", {1.5, 5.3}, {"context", docs::shape(s)});
picture.arrow("o", "out");
picture.write("pictures/multi-head.svg");

// Drawn with docs/12-bahdanau-attention.md
#include <docs/cells.h>

const Tensor H = tensor({{1, 0}, {0, 1}, {1, 1}}, float64), s = tensor({0.5, 0.5}, float64);
const Tensor hidden = tanh(s + H), e = hidden.matmul(tensor({1, 1}, float64)), alpha = e.softmax(0);
const std::vector<std::string> words = {"The", "cat", "sat"};
docs::Cells picture("One step of attention");
const auto row = [&](double y, const std::string& what) { picture.note({-170, y + 5}, what); };
const auto name = [](const char* what, int i) { return what + std::to_string(i + 1); };
const auto x = [](int i) { return 120.0 * i; };
row(0, "keys: states h");
for (int i = 0; i < 3; ++i) picture.vector(name("h", i), {x(i), 0}, words[i], H[i], docs::key);
picture.step("1. The decoder's state s, the query, is added to every key.");
row(44, "+ query s");
for (int i = 0; i < 3; ++i) picture.vector(name("s", i), {x(i), 44}, "", s, docs::query);
picture.step("2. tanh of the sum; its product with v = [1, 1] is a score.");
row(88, "tanh of the sum"), row(132, "score e");
for (int i = 0; i < 3; ++i) {
  picture.vector(name("u", i), {x(i), 88}, "", hidden[i], docs::op);
  picture.vector(name("e", i), {x(i), 132}, "", e[i].unsqueeze(0), docs::op);
  picture.arrow(name("s", i), name("u", i));
  picture.arrow(name("u", i), name("e", i));
}
picture.step("3. Softmax over the three scores: weights that add up to 1.");
row(176, "weight α");
for (int i = 0; i < 3; ++i) {
  picture.share(name("a", i), {x(i), 176}, "", alpha.at({i}));
  picture.arrow(name("e", i), name("a", i));
}
picture.step("4. Each state again, now as a value, times its weight.");
row(220, "α times value h");
for (int i = 0; i < 3; ++i) {
  picture.vector(name("v", i), {x(i), 220}, "", alpha[i] * H[i], docs::value, alpha.at({i}));
  picture.arrow(name("a", i), name("v", i));
}
picture.step("5. Their sum is the context c.");
row(280, "context c");
picture.vector("c", {x(1), 280}, "", alpha.matmul(H), docs::value);
for (int i = 0; i < 3; ++i) picture.arrow(name("v", i), "c");
picture.write("pictures/attention-step.svg");

// Drawn with docs/11-one-vector.md
#include <docs/boxes.h>

const OneVector model(16);
const Tensor source = ids({{2, 3, 4}});  // the cat sat
const Tensor x = model.words(source);
const auto [h, c] = model.encoder(x);
const Tensor s = model.decoder(model.words(ids({{begin_id, 5, 6, 7}})), c).output;

docs::Boxes picture("Translation with one vector", {.column = 104, .row = 84, .box = 84});
const std::vector<std::string> english = {"The", "cat", "sat"}, french = {"Le", "chat", "était", "assis"};
for (int i = 0; i < 3; ++i) {
  const auto number = std::to_string(i + 1);
  picture.box("x" + number, {double(i), 0}, {english[i], docs::shape(x[0][i])}, docs::note);
  picture.box("h" + number, {double(i), 1}, {"h" + number, docs::shape(h[0][i])});
  picture.arrow("x" + number, "h" + number);
  if (i > 0) picture.arrow("h" + std::to_string(i), "h" + number);
}
picture.box("c", {2, 2}, {"c = h3: all there is", docs::shape(c[0][0])}, docs::op);
picture.arrow("h3", "c");
picture.box("begin", {0, 2}, {"begin"}, docs::note);
for (int t = 0; t < 4; ++t) {
  const auto number = std::to_string(t + 1);
  picture.box("s" + number, {double(t), 3}, {"s" + number, docs::shape(s[0][t])});
  picture.box("y" + number, {double(t), 4}, {french[t]}, docs::note);
  picture.arrow("s" + number, "y" + number);
  if (t > 0) {
    picture.arrow("s" + std::to_string(t), "s" + number);
    picture.arrow("y" + std::to_string(t), "s" + number);
  }
}
picture.arrow("begin", "s1");
picture.arrow("c", "s1");
picture.write("pictures/one-vector.svg");

// Drawn with docs/12-bahdanau-attention.md
#include <docs/boxes.h>

const nn::Seq2Seq model({.encoder = {.vocab_size = 9, .embed_dim = 3, .hidden_dim = 4},
                         .decoder = {.vocab_size = 9, .embed_dim = 3, .hidden_dim = 4}});
const auto [H, start] = model.encoder(ids({{3, 4, 5}}));
Tensor state = start;
docs::Boxes picture("Encoder, attention, decoder", {.column = 104, .row = 92, .box = 84});
const std::vector<std::string> english = {"The", "cat", "sat"}, french = {"Le", "chat", "était"};
picture.box("s0", {0, 3}, {"s0", docs::shape(start[0])}, docs::query);
picture.box("y0", {0, 3.8}, {"(begin)"}, docs::note);
for (int t = 1; t <= 3; ++t) {
  const std::string now = std::to_string(t), before = std::to_string(t - 1);
  const auto [logits, next, weights] = model.decoder(ids({t == 1 ? 1 : t + 4}), state, H);
  const auto context = model.decoder.attention(state, H).context;
  picture.box("x" + now, {double(t), 0}, {english[t - 1]}, docs::note);
  picture.box("h" + now, {double(t), 0.8}, {"h" + now, docs::shape(H[0][t - 1])}, docs::key);
  picture.box("c" + now, {double(t), 2.1}, {"c" + now, docs::shape(context[0])}, docs::op);
  picture.box("s" + now, {double(t), 3}, {"s" + now, docs::shape(next[0])}, docs::query);
  picture.box("y" + now, {double(t), 3.8}, {french[t - 1]}, docs::note);
  state = next;
}
for (int t = 1; t <= 3; ++t) {
  const std::string now = std::to_string(t), before = std::to_string(t - 1);
  picture.arrow("x" + now, "h" + now);
  if (t > 1) picture.arrow("h" + before, "h" + now), picture.arrow("h" + now, "h" + before);
  for (const char* i : {"1", "2", "3"}) picture.arrow(std::string("h") + i, "c" + now);
  picture.arrow("s" + before, "c" + now, t == 1 ? "asks" : "");
  picture.arrow("c" + now, "s" + now);
  picture.arrow("s" + before, "s" + now);
  picture.arrow("s" + now, "y" + now);
  picture.arrow("y" + before, "s" + now);
}
picture.write("pictures/encoder-attention-decoder.svg");

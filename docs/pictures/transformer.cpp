// Drawn with docs/18-from-here.md
#include <docs/boxes.h>
#include <nn/translation/transformer.h>

const nn::TransformerLayerOptions options = {
    .d_model = 8, .nhead = 2, .dim_feedforward = 16, .dropout = 0.0, .dtype = float64};
const nn::TransformerEncoderLayer encoder(options);
const nn::TransformerDecoderLayer decoder(options);
const Tensor src = randn({1, 5, 8}, float64), tgt = randn({1, 3, 8}, float64);
const Tensor memory = encoder(src);
const auto [output, weights] = decoder(tgt, memory);

docs::Boxes picture("A Transformer: one layer of each", {.column = 118, .row = 84, .box = 92});
// A part reads the line of values at `line`, and what it returns is added there.
const auto part = [&](const std::string& name, std::vector<std::string> lines, double row, double line, double aside,
                      const std::string& from) {
  picture.box(name, {aside, row}, std::move(lines), docs::op);
  picture.box(name + " sum", {line, row + 0.75}, {"add, norm"}, docs::op);
  picture.arrow(from, name, name == "cross" ? "Q" : "");
  picture.arrow(from, name + " sum");
  picture.arrow(name, name + " sum");
};
picture.box("src", {0, 0}, {"source", docs::shape(src[0])});
part("self", {"self-attention"}, 0.85, 0, 1.05, "src");
part("ff", {"feed-forward"}, 2.45, 0, 1.05, "self sum");
picture.box("memory", {0, 4.1}, {"memory", docs::shape(memory[0])}, docs::key);
picture.arrow("ff sum", "memory");
picture.box("tgt", {3.4, 0}, {"target", docs::shape(tgt[0])});
part("causal", {"self-attention,", "causal"}, 0.85, 3.4, 2.3, "tgt");
part("cross", {"cross-attention", "weights " + docs::shape(weights[0])}, 2.45, 3.4, 2.3, "causal sum");
part("ff 2", {"feed-forward"}, 4.05, 3.4, 2.3, "cross sum");
picture.box("out", {3.4, 5.7}, {"output", docs::shape(output[0])});
picture.arrow("ff 2 sum", "out");
picture.arrow("memory", "cross", "K, V");
picture.write("pictures/transformer.svg");

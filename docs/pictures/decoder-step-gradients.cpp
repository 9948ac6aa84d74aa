// Drawn with docs/13-deriving-attention-gradients.md
#include <docs/cells.h>

const Weights w;
const Tensor before = randn({2}, float64).requires_grad_(), H = randn({3, 2}, float64).requires_grad_();
const Tensor y = randn({1}, float64);
const Step f = forward(w, before, H, y, 2);
const Back b = backward(w, f, zeros({2}, float64));
docs::Cells picture("One decoder step, and the way back");
const auto name = [](const char* what, int i) { return what + std::to_string(i + 1); };
for (int i = 0; i < 3; ++i) picture.vector(name("h", i), {100.0 * i, 0}, name("h", i), H[i], docs::key);
picture.vector("before", {370, 0}, "previous s, the query", before, docs::query);

picture.step("Forward: the query meets the states h; c is their weighted mean");
for (int i = 0; i < 3; ++i) {
  picture.share(name("a", i), {100.0 * i, 150}, "α", f.alpha.at({i}));
  picture.arrow(name("h", i), name("a", i));
  picture.arrow("before", name("a", i));
  picture.arrow(name("a", i), "c");
}
picture.vector("c", {100, 245}, "", f.c, docs::value);
picture.note({-22, 250}, "context c");
picture.step("Forward: the GRU computes s from c, the word y and the previous s");
picture.vector("y", {455, 272}, "y", y, docs::value);
picture.op("gru", {370, 272}, "GRU");
picture.arrow("c", "gru"), picture.arrow("y", "gru"), picture.arrow("before", "gru");
picture.vector("s", {370, 350}, "", f.s, docs::query);
picture.note({420, 355}, "s");
picture.arrow("gru", "s");
picture.step("Forward: the readout gives the logits, softmax gives p, and p the loss");
picture.op("readout", {235, 405}, "readout");
picture.arrow("c", "readout"), picture.arrow("s", "readout");
picture.vector("logits", {235, 470}, "", w.W_o.matmul(f.readout_input), docs::value);
picture.arrow("readout", "logits");
picture.note({85, 475}, "logits");
picture.vector("p", {235, 555}, "", f.p, docs::value);
picture.note({135, 560}, "p");
picture.arrow("logits", "p");
picture.vector("L", {415, 483}, "", f.L.unsqueeze(0), docs::value);
picture.note({397, 513}, "loss L");
picture.arrow("p", "L");

picture.step("1. The logits: p minus 1 at the correct word");
picture.arrow("L", "logits", docs::gradient, "1");
picture.gradient("logits", "", b.dlogits), picture.note({138, 502}, "1", "said orange");
picture.step("2. Through the readout: to c and to s");
picture.arrow("readout", "c", docs::gradient, "2"), picture.arrow("readout", "s", docs::gradient, "2");
picture.arrow("logits", "readout", docs::gradient);
picture.gradient("c", "", b.dc_by_readout), picture.note({44, 277}, "2", "said orange");
picture.gradient("s", "2", b.ds);
picture.step("3. Through the GRU to c; the sum of both parts is dc");
picture.arrow("s", "gru", docs::gradient), picture.arrow("gru", "c", docs::gradient, "3");
picture.gradient("c", "", b.dc_by_gru), picture.note({30, 304}, "+ 3", "said orange");
picture.step("4. Through the GRU to the previous s");
picture.arrow("gru", "before", docs::gradient, "4");
picture.gradient("before", "4", b.dbefore_by_gru);
picture.step("5. Through attention to the query, which is that state");
for (int i = 0; i < 3; ++i) {
  picture.arrow("c", name("a", i), docs::gradient);
  picture.arrow(name("a", i), "before", docs::gradient, i == 2 ? "5" : "");
}
picture.gradient("before", "+ 5", b.dbefore_by_query);
picture.step("6. To the states h, as values and as keys");
for (int i = 0; i < 3; ++i) {
  picture.arrow(name("a", i), name("h", i), docs::gradient, i < 2 ? "6" : "");  // arrows would cross the third
  picture.gradient(name("h", i), "", b.dH[i]);
}
picture.write("pictures/decoder-step-gradients.svg");

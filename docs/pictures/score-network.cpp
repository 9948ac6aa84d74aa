// Drawn with docs/12-bahdanau-attention.md
#include <docs/boxes.h>

const nn::AdditiveAttention attention({.decoder_dim = 4, .encoder_dim = 6, .attention_dim = 7});
const Tensor s = randn({2, 4}), H = randn({2, 5, 6});
const Tensor query = attention.W_dec(s).unsqueeze(1), keys = attention.W_enc(H);
const Tensor hidden = tanh(query + keys), e = attention.v(hidden).squeeze(-1), alpha = e.softmax(-1);
docs::Boxes picture("The score network, and what follows", {.column = 190, .row = 76, .box = 130});
picture.box("s", {0, 0}, {"query s", docs::shape(s)}, docs::query);
picture.box("H", {1, 0}, {"H, as keys", docs::shape(H)}, docs::key);
picture.box("W_dec", {0, 1}, {"W_dec", docs::shape(attention.W_dec.weight)}, docs::learnt);
picture.box("W_enc", {1, 1}, {"W_enc", docs::shape(attention.W_enc.weight)}, docs::learnt);
picture.box("sum", {0.5, 2.2}, {"+, then tanh", docs::shape(hidden)}, docs::op);
picture.box("v", {0.5, 3.2}, {"v", docs::shape(attention.v.weight)}, docs::learnt);
picture.box("e", {0.5, 4.2}, {"scores e", docs::shape(e)});
picture.box("alpha", {0.5, 5.2}, {"softmax: weights α", docs::shape(alpha)}, docs::op);
picture.box("c", {0.5, 6.2}, {"context c = α H", docs::shape(bmm(alpha.unsqueeze(1), H).squeeze(1))});
picture.arrow("s", "W_dec");
picture.arrow("H", "W_enc");
picture.arrow("W_dec", "sum", docs::shape(query));
picture.arrow("W_enc", "sum", docs::shape(keys));
picture.arrow("sum", "v");
picture.arrow("v", "e");
picture.arrow("e", "alpha");
picture.arrow("alpha", "c");
picture.box("values", {1.35, 6.2}, {"H, as values", docs::shape(H)});
picture.arrow("values", "c");
picture.write("pictures/score-network.svg");

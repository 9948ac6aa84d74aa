// Drawn with docs/14-sequences.md
#include <docs/boxes.h>

const nn::Seq2Seq model({.encoder = {.vocab_size = 9, .embed_dim = 3, .hidden_dim = 4},
                         .decoder = {.vocab_size = 9, .embed_dim = 3, .hidden_dim = 4}});
const Tensor src = randint(3, 9, {2, 6}), token = ids({3, 7});
const auto [H, before] = model.encoder(src);
const Tensor y = model.decoder.embedding(token);
const auto [c, weights] = model.decoder.attention(before, H);
const auto [logits, s, their_weights] = model.decoder(token, before, H);
docs::Boxes picture("Encoder, attention, decoder: one step", {.column = 142, .row = 84, .box = 118});
picture.box("src", {0, 0}, {"source", docs::shape(src)}, docs::note);
picture.box("encoder", {0, 1}, {"encoder", "GRU, both ways"}, docs::op);
picture.box("H", {0, 2}, {"states H", docs::shape(H)}, docs::key);
picture.box("attention", {1, 2}, {"attention"}, docs::op);
picture.box("before", {2, 1}, {"previous state", docs::shape(before)}, docs::query);
picture.box("c", {1, 3}, {"context c", docs::shape(c)});
picture.box("gru", {2, 3}, {"GRU"}, docs::op);
picture.box("y", {0, 4}, {"previous word, y", docs::shape(y)});
picture.box("s", {2, 4}, {"new state s", docs::shape(s)});
picture.box("readout", {1, 5}, {"readout", "of [s; c; y]"}, docs::op);
picture.box("logits", {1, 6}, {"logits", docs::shape(logits)});
picture.arrow("src", "encoder");
picture.arrow("encoder", "H");
picture.arrow("encoder", "before", "the first one");
picture.arrow("H", "attention");
picture.arrow("before", "attention", "query");
picture.arrow("before", "gru");
picture.arrow("attention", "c");
picture.arrow("c", "gru");
picture.arrow("y", "gru");
picture.arrow("gru", "s");
picture.arrow("s", "readout");
picture.arrow("c", "readout");
picture.arrow("y", "readout");
picture.arrow("readout", "logits");
picture.write("pictures/seq2seq-step.svg");

#include <nn/optim/adam.h>
#include <nn/optim/clip_grad.h>
#include <nn/saving/safetensors.h>
#include <nn/translation/seq2seq.h>

#include "tests/nn/nn_fixtures.h"
#include "tests/nn/translation/sentences.h"
#include "tests/support/golden.h"

namespace nn_seq2seq_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;
using fixtures::lengths;
using fixtures::source;
using fixtures::target;

// tiny_encoder_decoder() of fixtures/seed_models.py: every size differs from the others.
nn::Seq2SeqOptions tiny(autograd::DType dtype = float64) {
  return {.encoder = {.vocab_size = 11, .embed_dim = 3, .hidden_dim = 4, .dtype = dtype},
          .decoder = {.vocab_size = 13, .embed_dim = 5, .hidden_dim = 4, .dtype = dtype}};
}

// The first steps of a sentence, worked out one by one with the decoder's own call.
std::vector<std::int64_t> greedy_alone(const nn::Seq2Seq& model, const Tensor& src, std::int64_t length, int steps,
                                       std::int64_t eos) {
  const auto [outputs, initial] = model.encoder(src, {length});
  const Tensor mask = autograd::length_mask({length}, src.size(1));
  std::vector<std::int64_t> words;
  std::int64_t word = 1;
  Tensor hidden = initial;
  for (int i = 0; i < steps; ++i) {
    const auto step = model.decoder(autograd::ids({word}), hidden, outputs, mask);
    word = step.prediction.argmax(-1).item<std::int64_t>();
    if (word == eos) break;
    words.push_back(word);
    hidden = step.hidden;
  }
  return words;
}

TEST(NnSeq2Seq, LossAndAllGradientsEqualPyTorch) {
  fixtures::ModuleCase one("encoder_decoder");
  const nn::Seq2Seq model(tiny());
  one.load(model);
  const auto [logits, weights] = model(one.input("src"), one.lengths("src_lengths"), one.input("tgt_in"));
  const Tensor loss =
      autograd::cross_entropy(logits.flatten(0, 1), one.input("tgt_out").flatten(), {.ignore_index = 0});
  one.check(model, {{"loss", loss}, {"logits", logits}, {"weights", weights}});
}

// ---- weights from PyTorch, and back --------------------------------------------------------------------------

TEST(NnSeq2Seq, NotANumberAtThePaddingDoesNotReachTheDecoder) {
  autograd::manual_seed(4);
  const nn::BahdanauDecoder decoder(tiny().decoder);
  const Tensor hidden = autograd::randn({2, 4}, float64);
  const Tensor outputs = autograd::randn({2, 3, 8}, float64);
  const Tensor padding = autograd::full({2, 2, 8}, std::nan(""), float64);
  const Tensor padded = autograd::cat({outputs, padding}, 1).requires_grad_();
  const Tensor mask = autograd::length_mask({3, 3}, 5);
  const auto clean = decoder(autograd::ids({4, 7}), hidden, outputs);
  const auto one_call = decoder(autograd::ids({4, 7}), hidden, padded, mask);
  const auto in_a_loop = decoder(autograd::ids({4, 7}), hidden, decoder.precompute(padded, mask), mask);
  EXPECT_TRUE(fixtures::near(one_call.prediction, clean.prediction.detach()));
  EXPECT_TRUE(fixtures::near(in_a_loop.prediction, clean.prediction.detach()));
  (one_call.prediction + in_a_loop.prediction).sum().backward();
  EXPECT_EQ(padded.grad().narrow(1, 3, 2).abs().amax().item(), 0.0);
  for (const auto& [name, parameter] : decoder.named_parameters()) {
    const bool is_finite = !parameter.grad().defined() || autograd::all_finite(parameter.grad());
    EXPECT_TRUE(is_finite) << name;
  }
}

TEST(NnSeq2Seq, WeightsSavedByPyTorchGiveItsLogits) {
  const fixtures::ModuleCase one("safetensors");
  nn::Seq2Seq model(tiny());
  model.load_state_dict(nn::load_safetensors(fixtures::path(one.json()["file"])).tensors);
  const auto [logits, weights] = model(one.input("src"), one.lengths("src_lengths"), one.input("tgt_in"));
  EXPECT_TRUE(fixtures::near(logits, one.json()["outputs"]["logits"]));
  EXPECT_TRUE(fixtures::near(weights, one.json()["outputs"]["weights"]));
}

TEST(NnSeq2Seq, NamesAreThoseOfTheSeedDocument) {
  const nn::Seq2Seq model(tiny());
  std::vector<std::string> names;
  for (const auto& [name, parameter] : model.named_parameters()) names.push_back(name);
  EXPECT_EQ(names, fixtures::find("modules.json", "safetensors")["parameter_order"].get<std::vector<std::string>>());
}

// ---- greedy --------------------------------------------------------------------------------------------------

TEST(NnSeq2SeqGreedy, EachSentenceIsAsIfAlone) {
  autograd::manual_seed(12);
  const nn::Seq2Seq model(tiny());
  // With random weights the words soon repeat; one that the first sentence produces serves as eos.
  const std::int64_t eos = greedy_alone(model, source().narrow(0, 0, 1), 3, 4, -1).back();
  const auto translation = model.greedy(source(), lengths, {.eos = eos, .max_length = 6});
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(i)];
    EXPECT_EQ(translation.tokens[static_cast<std::size_t>(i)],
              greedy_alone(model, source().narrow(0, i, 1), length, 6, eos));
  }
  EXPECT_FALSE(translation.weights.requires_grad());
  EXPECT_EQ(translation.weights.size(2), 5);
  EXPECT_NEAR(translation.weights.sum({2}).select(1, 0).amin().item(), 1.0, 1e-12);
  // The first sentence ends; its rows afterwards are empty.
  const Tensor of_first = translation.weights[0].sum({1});
  const auto steps = static_cast<std::int64_t>(translation.tokens[0].size()) + 1;
  EXPECT_NEAR(of_first.sum().item(), static_cast<double>(steps), 1e-12);
}

TEST(NnSeq2SeqGreedy, StopsWhenAllHaveEnded) {
  nn::Seq2Seq model(tiny());
  {
    const autograd::NoGradGuard no_grad;
    model.decoder.fc_out.bias.fill_(0.0);
    model.decoder.fc_out.bias.set_({2}, 1e6);  // nothing but eos
  }
  const auto translation = model.greedy(source(), lengths);
  EXPECT_EQ(translation.tokens, std::vector<std::vector<std::int64_t>>(3));
  EXPECT_EQ(translation.weights.size(1), 1);
}

TEST(NnSeq2SeqGreedy, StopsAtTheLongest) {
  const nn::Seq2Seq model(tiny());
  const auto translation = model.greedy(source(), lengths, {.eos = -1, .max_length = 7});
  EXPECT_EQ(translation.tokens[0].size(), 7u);
  fixtures::message_of(ErrorId::bad_argument, [&] { model.greedy(source(), lengths, {.max_length = 0}); });
}

// ---- options and errors --------------------------------------------------------------------------------------

TEST(NnSeq2Seq, SameSeedSameModel) {
  autograd::manual_seed(4);
  const nn::Seq2Seq first(tiny());
  autograd::manual_seed(4);
  const nn::Seq2Seq second(tiny());
  for (const auto& [name, tensor] : first.state_dict()) {
    EXPECT_EQ(tensor.to_vector(), second.state_dict().at(name).to_vector()) << name;
  }
}

TEST(NnSeq2SeqErrors, OfOptions) {
  nn::Seq2SeqOptions options = tiny();
  options.decoder.encoder_dim = 6;
  std::vector<std::string> said = {fixtures::message_of(ErrorId::bad_argument, [&] { nn::Seq2Seq model(options); })};
  nn::Seq2SeqOptions mixed = tiny();
  mixed.encoder.cell = nn::RecurrentKind::lstm;
  said.push_back(fixtures::message_of(ErrorId::bad_argument, [&] { nn::Seq2Seq model(mixed); }));
  EXPECT_TRUE(fixtures::says("nn", said));
  fixtures::message_of(ErrorId::bad_argument, [] { nn::BahdanauEncoder({.vocab_size = 5, .embed_dim = 3}); });
}

TEST(NnSeq2Seq, LearnsToCopy) {
  autograd::manual_seed(6);
  nn::Seq2Seq model({.encoder = {.vocab_size = 8, .embed_dim = 8, .hidden_dim = 16},
                     .decoder = {.vocab_size = 8, .embed_dim = 8, .hidden_dim = 16}});
  nn::Adam adam(model.parameters(), {.lr = 1e-2});
  const Tensor bos = autograd::full({16, 1}, 1.0, autograd::int64);
  const Tensor eos = autograd::full({16, 1}, 2.0, autograd::int64);
  double loss_now = 0.0;
  for (int step = 0; step < 300; ++step) {
    const Tensor words = autograd::randint(3, 8, {16, 4});
    const auto [logits, weights] = model(words, {}, autograd::cat({bos, words}, 1));
    const Tensor loss = autograd::cross_entropy(logits.flatten(0, 1), autograd::cat({words, eos}, 1).flatten());
    adam.zero_grad();
    loss.backward();
    nn::clip_grad_norm_(model.parameters(), 1.0);
    adam.step();
    loss_now = loss.item();
  }
  EXPECT_LT(loss_now, 0.1);
  model.eval();
  const auto translation = model.greedy(autograd::ids({{3, 7, 5, 4}}), {});
  EXPECT_EQ(translation.tokens[0], (std::vector<std::int64_t>{3, 7, 5, 4}));
}

}  // namespace nn_seq2seq_test

#include "mine/translator.h"

#include <judge/given/rows.h>

#include <cmath>
#include <map>

#include "examples/translate/data/artificial_language.h"
#include "mine/layers.h"
#include "mine/ops.h"

namespace mine {
namespace {

// ---- the language --------------------------------------------------------------------------------------------------

// Words by id, as they come.
struct Vocabulary {
  std::vector<std::string> words = {"", "", ""};  // padding, bos, eos
  std::map<std::string, std::int64_t> ids = {};

  Sentence encode(const translate::Words& sentence) {
    Sentence result;
    for (const std::string& word : sentence) {
      const auto [known, is_new] = ids.try_emplace(word, std::ssize(words));
      if (is_new) words.push_back(word);
      result.push_back(known->second);
    }
    return result;
  }
  std::vector<std::string> decode(const Sentence& sentence) const {
    std::vector<std::string> result;
    for (const std::int64_t id : sentence) result.push_back(words.at(static_cast<std::size_t>(id)));
    return result;
  }
};

struct Language {
  Vocabulary source, target;
  std::vector<Pair> train, held_out;

  Language() {
    const translate::Corpus corpus = translate::artificial_corpus({.test = 200, .agreement = false, .clauses = 1});
    add(corpus.train, train);
    add(corpus.tests.front(), held_out);
  }
  void add(const translate::ParallelText& text, std::vector<Pair>& pairs) {
    for (const auto& pair : text.pairs) pairs.push_back({source.encode(pair.source), target.encode(pair.target)});
  }
};

const Language& language() {
  static const Language all;
  return all;
}

}  // namespace

Pair draw(autograd::Generator& random) {
  const std::vector<Pair>& pairs = language().train;
  return pairs[static_cast<std::size_t>(random.integer(0, std::ssize(pairs)))];
}

const std::vector<Pair>& held_out() {
  return language().held_out;
}

std::vector<std::string> source_words(const Sentence& sentence) {
  return language().source.decode(sentence);
}

std::vector<std::string> target_words(const Sentence& sentence) {
  return language().target.decode(sentence);
}

Batch batch_of(const std::vector<Pair>& pairs) {
  std::vector<Sentence> sources;
  std::vector<Sentence> targets;
  Batch batch;
  for (const Pair& pair : pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
    batch.lengths.push_back(static_cast<std::int64_t>(pair.source.size()));
  }
  batch.source = given::stack_rows(sources, padding);
  batch.mask = autograd::length_mask(batch.lengths);
  batch.targets = parts.targets(targets);
  return batch;
}

// ---- the translator ------------------------------------------------------------------------------------------------

namespace {

constexpr std::int64_t embed = 32;
constexpr std::int64_t encoder = 24;  // of each direction: too few numbers for a whole sentence
constexpr std::int64_t hidden = 64;

// The places of the words in a batch's rows, one below the other: [words].
Tensor places_of_words(const Tensor& target) {
  const Sentence words = target.flatten().to_vector<std::int64_t>();
  Sentence places;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != padding) places.push_back(static_cast<std::int64_t>(i));
  }
  return autograd::ids(places, {static_cast<std::int64_t>(places.size())});
}

Tensor as_numbers(const Tensor& mask) {
  return mask.to(autograd::float64);
}

}  // namespace

Translator::Translator()
    : source_embedding_(parameter("source embedding", {std::ssize(language().source.words), embed})),
      right_(recurrent("encoder, to the right: ")),
      left_(recurrent("encoder, to the left: ")),
      first_state_(parameter("first state: weight", {hidden, 2 * encoder})),
      target_embedding_(parameter("target embedding", {std::ssize(language().target.words), embed})),
      W_(parameter("attention: W", {hidden, hidden})),
      U_(parameter("attention: U", {hidden, 2 * encoder})),
      v_(parameter("attention: v", {hidden})),
      weight_ih_(parameter("GRU: weight_ih", {3 * hidden, embed + 2 * encoder})),
      weight_hh_(parameter("GRU: weight_hh", {3 * hidden, hidden})),
      readout_(parameter("readout: weight", {std::ssize(language().target.words), hidden})),
      readout_bias_(parameter("readout: bias", {std::ssize(language().target.words)})) {}

// A new one, from -1 / sqrt(last size) to 1 / sqrt(last size).
Tensor Translator::parameter(const std::string& name, const Shape& shape) {
  const double most = 1.0 / std::sqrt(static_cast<double>(shape.back()));
  names_.push_back(name);
  parameters_.push_back((autograd::rand(shape, autograd::float64) * (2.0 * most) - most).requires_grad_());
  return parameters_.back();
}

RnnWeights Translator::recurrent(const std::string& name) {
  const Tensor weight_ih = parameter(name + "weight_ih", {encoder, embed});
  const Tensor weight_hh = parameter(name + "weight_hh", {encoder, encoder});
  return {weight_ih, weight_hh, parameter(name + "bias", {encoder})};
}

// Both directions side by side, 0 at the padding: [batch, source, 2 encoder].
Tensor Translator::read_by_ops(const Batch& batch) const {
  const Tensor words = ops::embedding(source_embedding_, batch.source);
  const Tensor mask = as_numbers(batch.mask);
  const Tensor to_the_right = layers::rnn_by_ops(words, mask, right_);
  const Tensor reversed = layers::rnn_by_ops(ops::flip(words, 1), flip(mask, {1}), left_);
  return ops::cat({to_the_right, ops::flip(reversed, 1)}, 2);
}

// The same.
Tensor Translator::read(const Batch& batch) const {
  const Tensor words = ops::embedding(source_embedding_, batch.source);
  const Tensor to_the_right = layers::rnn(words, right_);
  const Tensor reversed = layers::rnn(parts.reverse_tokens(words, batch.lengths), left_);
  const Tensor to_the_left = parts.reverse_tokens(reversed, batch.lengths);
  return autograd::cat({to_the_right, to_the_left}, 2) * as_numbers(batch.mask).unsqueeze(2);
}

// From the mean of all words' states.
Tensor Translator::first_state(const Tensor& H, const Batch& batch) const {
  const Tensor per_word = static_cast<double>(H.size(1)) / as_numbers(batch.mask).sum({1}, true);
  return tanh(ops::linear(ops::multiply(ops::mean(H, 1), per_word), first_state_));
}

// The step's readout also sees the context and the word. Here they count nothing, and the GRU has no biases, as in
// loss_by_layers().
Translator::Start Translator::begin(const Batch& batch) const {
  const Tensor H = read_by_ops(batch);
  const Tensor nothing = autograd::zeros({readout_.size(0), 2 * encoder + embed}, autograd::float64);
  const Tensor readout = ops::cat({readout_, nothing}, 1);
  const Tensor no_bias = autograd::zeros({3 * hidden}, autograd::float64);
  const Stepper stepper = [=, this, mask = batch.mask](const Tensor& words, const Tensor& state) {
    const Tensor word = ops::embedding(target_embedding_, words.unsqueeze(1)).reshape({words.size(0), embed});
    return layers::decoder_step(
        {word, state, H, mask, W_, U_, v_, weight_ih_, weight_hh_, no_bias, no_bias, readout, readout_bias_});
  };
  return {stepper, first_state(H, batch)};
}

Tensor Translator::loss_by_layers(const Batch& batch) const {
  const Tensor H = read(batch);
  const Tensor words = ops::embedding(target_embedding_, batch.targets.in);
  const Tensor states =
      layers::decode({words, first_state(H, batch), H, batch.mask, W_, U_, v_, weight_ih_, weight_hh_});
  const Tensor logits = linear(states, readout_, readout_bias_);
  return ops::token_loss(logits, batch.targets.out, batch.targets.out != padding);
}

Tensor Translator::loss(const Batch& batch) const {
  const auto [stepper, state] = begin(batch);
  const Tensor logits = parts.teacher_forced(stepper, state, batch.targets.in);
  const Tensor places = places_of_words(batch.targets.out);
  const Tensor of_words = logits.flatten(0, 1).index_select(0, places);
  const Tensor by_ops = ops::word_loss(of_words, batch.targets.out.flatten().index_select(0, places));
  return 0.5 * (by_ops + loss_by_layers(batch));
}

Said say(const Stepper& stepper, const Tensor& state, std::int64_t steps) {
  const autograd::NoGradGuard no_grad;
  Tensor words = autograd::full({state.size(0)}, static_cast<double>(bos), autograd::int64);
  Tensor now = state;
  Tensors said;
  Tensors weights;
  for (std::int64_t step = 0; step < steps; ++step) {
    const Step made = stepper(words, now);
    words = made.logits.argmax(1);
    now = made.state;
    said.push_back(words);
    weights.push_back(made.weights);
  }
  return {autograd::stack(said, 1), autograd::stack(weights, 1)};
}

}  // namespace mine

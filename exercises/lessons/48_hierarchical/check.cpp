#include <judge/by_hand.h>
#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"sentence", 3}, {"word", 4}, {"hidden", 5}, {"attention", 6}};

namespace {

// Sentences of 4, 2 words and one, then of 3 and 4 words and one without any, which only fills the batch. The words of
// every third sentence stand at its end: a mask says where they are, not how many.
Tensor words_of(std::int64_t batch, std::int64_t sentences, std::int64_t words) {
  const std::int64_t missing[2][3] = {{0, 2, words - 1}, {1, 0, words}};
  std::vector<double> there;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t s = 0; s < sentences; ++s) {
      const std::int64_t least = s == 0 ? 1 : 0;  // every document has a word
      const std::int64_t length = std::max(least, words - missing[b % 2][s % 3]);
      for (std::int64_t w = 0; w < words; ++w) {
        there.push_back((s % 3 == 1 ? w >= words - length : w < length) ? 1.0 : 0.0);
      }
    }
  }
  return autograd::from_vector(there, {batch, sentences, words}, autograd::float64) > 0.0;
}

// A sentence whose words are all 0 is a sentence: the first one of every document.
Tensor with_zeros(const Tensor& states) {
  const Tensor place = autograd::arange(states.size(1), autograd::float64).unsqueeze(1).unsqueeze(2);
  return where(place > 0.0, states, 0.0);
}

// Two more words in every sentence and one more sentence, full of large numbers.
Tensor with_padding(const Tensor& states) {
  const std::int64_t batch = states.size(0);
  const std::int64_t sentences = states.size(1);
  const std::int64_t hidden = states.size(3);
  const Tensor words = autograd::full({batch, sentences, 2, hidden}, 3.0, autograd::float64);
  const Tensor longer = autograd::cat({states, words}, 2);
  const Tensor sentence = autograd::full({batch, 1, longer.size(2), hidden}, -3.0, autograd::float64);
  return autograd::cat({longer, sentence}, 1);
}

Tensor mask_with_padding(const Tensor& mask) {
  const Tensor words = autograd::zeros({mask.size(0), mask.size(1), 2}, autograd::float64);
  const Tensor longer = autograd::cat({mask.to(autograd::float64), words}, 2);
  const Tensor sentence = autograd::zeros({mask.size(0), 1, longer.size(2)}, autograd::float64);
  return autograd::cat({longer, sentence}, 1) > 0.0;
}

Tensor pooled(const Tensor& states, const PoolWeights& pool, const Tensor& mask) {
  const Tensor scores = matmul(tanh(linear(states, pool.weight, pool.bias)), pool.context);
  return matmul(masked_softmax(scores, mask).unsqueeze(-2), states).squeeze(-2);
}

PoolWeights draw_pool(Check& check, const std::string& name) {
  return {check.randn(name + ".weight", {"attention", "hidden"}), check.randn(name + ".bias", {"attention"}),
          check.randn(name + ".context", {"attention"})};
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor states = check.randn("states", {"batch", "sentence", "word", "hidden"});
  const Tensor mask =
      check.input("word_mask", words_of(check.size("batch"), check.size("sentence"), check.size("word")));
  const Reader reader{draw_pool(check, "words"), draw_pool(check, "sentences")};

  const Pooled words = answer.attention_pool(states, reader.words, mask);
  check.compare("pool weights", words.weights, {.regions = {{"padding", logical_not(mask)}}});
  check.compare("pool vector", words.vector);
  const Tensor one_sentence = check.input("states of one sentence", states.detach()[0][0]);
  const Pooled one = answer.attention_pool(one_sentence, reader.words, mask[0][0]);
  check.compare("pool weights of one sentence alone", one.weights);
  check.compare("pool vector of one sentence alone", one.vector);
  const Tensor five_dims = check.input("states of 5 dims", autograd::stack({states.detach(), states.detach() * -2.0}));
  const Pooled twice = answer.attention_pool(five_dims, reader.words, autograd::stack({mask, mask}));
  check.compare("pool weights of 5 dims", twice.weights);
  check.compare("pool vector of 5 dims", twice.vector);

  const Document document = answer.read_document(states, mask, reader);
  check.compare("word_weights", document.word_weights);
  check.compare("sentence_weights", document.sentence_weights);
  check.compare("document vector", document.vector);
  const Document padded = answer.read_document(with_padding(states), mask_with_padding(mask), reader);
  check.require("padding changes nothing", allclose(padded.vector.detach(), document.vector.detach(), 1e-9, 1e-9),
                "the document's vector is another one with two more padding words in each sentence and one more "
                "padding sentence");

  const Tensor with_zero = check.input("states with zeros", with_zeros(states.detach()));
  const Document of_zero = answer.read_document(with_zero, mask, reader);
  check.compare("sentence_weights with a sentence of zeros", of_zero.sentence_weights);

  const Document given_document{document.vector.detach(),
                                check.uniform("alpha", {"batch", "sentence", "word"}, 0.1, 1.0),
                                check.uniform("beta", {"batch", "sentence"}, 0.1, 1.0)};
  check.compare("importance", answer.word_importance(given_document));

  const Tensor d_vector = check.randn("d_vector", {"batch", "hidden"});
  const Tensor sentences = check.input("sentence vectors", pooled(states.detach(), reader.words, mask).detach());
  const auto loss = [=] {
    const Tensor sentence_mask = mask.to(autograd::float64).sum({-1}) > 0.0;
    return (d_vector * pooled(pooled(states, reader.words, mask), reader.sentences, sentence_mask)).sum();
  };
  const Tensor d_states =
      judge::by_hand([&] { return answer.read_document_backward(d_vector, states, sentences, mask, reader); });
  check.gradient("d_states", d_states, states, loss, {.regions = {{"padding", logical_not(mask).unsqueeze(-1)}}});
  const Tensor zero_vectors = pooled(with_zero, reader.words, mask).detach();
  check.compare("d_states with a sentence of zeros", judge::by_hand([&] {
                  return answer.read_document_backward(d_vector, with_zero, zero_vectors, mask, reader);
                }));
}

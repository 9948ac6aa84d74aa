// What is given in exercise 48: the types, the functions to write, and the backward pass of one attention pool, which
// is exercise 36's.
#pragma once

#include <judge/learner.h>

namespace given {

// e_i = context . tanh(weight h_i + bias)
struct PoolWeights {
  Tensor weight;   // [attention, hidden]
  Tensor bias;     // [attention]
  Tensor context;  // [attention]: a query that is learned, the same for everything
};

// What a pool makes of states [.., length, hidden].
struct Pooled {
  Tensor vector;   // [.., hidden]
  Tensor weights;  // [.., length]
};

struct Reader {
  PoolWeights words;      // from words to sentences
  PoolWeights sentences;  // from sentences to the document
};

struct Document {
  Tensor vector;            // [batch, hidden]
  Tensor word_weights;      // [batch, sentence, word]
  Tensor sentence_weights;  // [batch, sentence]
};

// The gradient of a pool's states: d_vector [.., hidden], states [.., length, hidden], mask [.., length] -> as states.
inline Tensor pool_backward(const Tensor& d_vector, const Tensor& states, const PoolWeights& pool, const Tensor& mask) {
  const Tensor hidden = autograd::tanh(autograd::linear(states, pool.weight, pool.bias));
  const Tensor alpha = autograd::masked_softmax(autograd::matmul(hidden, pool.context), mask).unsqueeze(-1);
  const Tensor d_alpha = autograd::matmul(states, d_vector.unsqueeze(-1));
  const Tensor d_scores = alpha * (d_alpha - (alpha * d_alpha).sum({-2}, true));
  const Tensor d_sum = d_scores * pool.context * (1.0 - hidden * hidden);
  return alpha * d_vector.unsqueeze(-2) + autograd::matmul(d_sum, pool.weight);
}

}  // namespace given

using given::Document;
using given::Pooled;
using given::PoolWeights;
using given::Reader;

// states [.., length, hidden], mask [.., length], true where there is something.
Pooled attention_pool(const Tensor& states, const PoolWeights& pool, const Tensor& mask);

// states [batch, sentence, word, hidden], word_mask [batch, sentence, word], true where there is a word.
Document read_document(const Tensor& states, const Tensor& word_mask, const Reader& reader);

// How much of the document's vector comes from each word -> [batch, sentence, word].
Tensor word_importance(const Document& document);

// d_vector [batch, hidden]; sentences [batch, sentence, hidden] are the sentence vectors -> d_states.
Tensor read_document_backward(const Tensor& d_vector, const Tensor& states, const Tensor& sentences,
                              const Tensor& word_mask, const Reader& reader);

struct Answer {
  decltype(&::attention_pool) attention_pool;
  decltype(&::read_document) read_document;
  decltype(&::word_importance) word_importance;
  decltype(&::read_document_backward) read_document_backward;
};

// The translator that training and decoding are measured with: a bidirectional GRU encoder and a decoder with additive
// attention, and random sentences for it.
#pragma once

#include <nn/nn.h>

#include <cstdint>
#include <vector>

namespace bench {

struct TranslatorSizes {
  std::int64_t vocabulary, embedding, hidden, batch, source, target;
};

inline constexpr TranslatorSizes full_translator{8000, 256, 256, 64, 15, 15};
inline constexpr TranslatorSizes small_translator{64, 32, 32, 16, 12, 12};
inline constexpr TranslatorSizes paper_translator{30000, 620, 1000, 80, 30, 30};  // Bahdanau et al. 2015

nn::Seq2SeqOptions options_of(const TranslatorSizes& sizes);

// Source lengths vary between half and the whole of `source`.
struct Sentences {
  explicit Sentences(const TranslatorSizes& sizes);

  autograd::Tensor source, inputs, targets;  // [batch, source], [batch, target], [batch, target]
  std::vector<std::int64_t> lengths;         // of the sources
  autograd::Tensor mask;                     // [batch, source], of the lengths
};

// The multiplications and additions of all matrix products of a forward pass, the keys projected once.
double forward_operations(const TranslatorSizes& sizes);

}  // namespace bench

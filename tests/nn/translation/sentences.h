// Three sentences of different lengths and their translations, and a Transformer: what the tests of all translators
// work on. The vocabularies have 11 and 13 words.
#pragma once

#include <autograd/autograd.h>
#include <nn/translation/transformer_translator.h>

#include <vector>

namespace fixtures {

inline const std::vector<std::int64_t> lengths{3, 1, 5};
inline autograd::Tensor source() {
  return autograd::ids({{4, 7, 2, 0, 0}, {2, 0, 0, 0, 0}, {5, 8, 4, 9, 2}});
}
inline autograd::Tensor target() {
  return autograd::ids({{1, 6, 12, 3}, {1, 5, 2, 0}, {1, 7, 7, 2}});
}

// Translator() of fixtures/transformer_cases.py.
inline nn::TransformerTranslatorOptions tiny(bool norm_first = false, double dropout = 0.0) {
  return {.source_vocab = 11,
          .target_vocab = 13,
          .d_model = 6,
          .nhead = 2,
          .num_encoder_layers = 2,
          .num_decoder_layers = 2,
          .dim_feedforward = 5,
          .dropout = dropout,
          .norm_first = norm_first,
          .dtype = autograd::float64};
}

}  // namespace fixtures

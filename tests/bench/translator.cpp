#include "bench/translator.h"

namespace bench {

using autograd::Tensor;

nn::Seq2SeqOptions options_of(const TranslatorSizes& sizes) {
  return {
      .encoder = {.vocab_size = sizes.vocabulary, .embed_dim = sizes.embedding, .hidden_dim = sizes.hidden},
      .decoder = {.vocab_size = sizes.vocabulary, .embed_dim = sizes.embedding, .hidden_dim = sizes.hidden},
  };
}

Sentences::Sentences(const TranslatorSizes& sizes)
    : source(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.source})),
      inputs(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.target})),
      targets(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.target})),
      lengths(autograd::randint(sizes.source / 2, sizes.source + 1, {sizes.batch}).to_vector<std::int64_t>()),
      mask(autograd::length_mask(lengths, sizes.source)) {}

double forward_operations(const TranslatorSizes& sizes) {
  const auto V = static_cast<double>(sizes.vocabulary);
  const auto E = static_cast<double>(sizes.embedding);
  const auto H = static_cast<double>(sizes.hidden);
  const auto B = static_cast<double>(sizes.batch);
  const auto S = static_cast<double>(sizes.source);
  const auto T = static_cast<double>(sizes.target);
  const double encoder = B * S * 2 * 3 * H * (E + H) + B * 2 * H * H;
  const double keys = B * S * 2 * H * H;
  const double query = H * H;
  const double scores = S * H;
  const double context = S * 2 * H;
  const double gru = 3 * H * (E + 2 * H + H);
  const double output_layer = B * T * (3 * H + E) * V;
  return 2 * (encoder + keys + T * B * (query + scores + context + gru) + output_layer);
}

}  // namespace bench

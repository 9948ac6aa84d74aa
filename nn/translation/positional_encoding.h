// PositionalEncoding: tells a Transformer, whose attention does not know the order of its words, where each word stands
// (Vaswani et al. 2017, section 3.5):
//
//   PE(pos, 2i)     = sin(pos / 10000^(2i / d_model))
//   PE(pos, 2i + 1) = cos(pos / 10000^(2i / d_model))
//
// Each pair of features is a hand of a clock. The first turns once in 2 pi words, the last nearly once in 10000 * 2 pi:
// near words differ in the fast hands, far ones in the slow hands. Moving on by k words turns each hand by an angle
// that depends on k alone, so that "three words back" is one linear map, wherever it starts.
//
// The numbers are computed for each call: there is no table, and so no longest sentence.
#pragma once

#include "nn/layers/dropout.h"
#include "nn/layers/module.h"

namespace nn {

// PE of the positions first, first + 1, .., first + length - 1: [length, d_model]. With an odd d_model the last
// feature is a sine without its cosine. Throws bad-argument for d_model or length below 1 and a negative first.
Tensor sinusoidal_positions(std::int64_t length, std::int64_t d_model, std::int64_t first = 0,
                            DType dtype = autograd::float32, Where where = Where::current());

struct PositionalEncodingOptions {
  Int d_model = 0;       // required
  double dropout = 0.0;  // on the sum, in training (section 5.4)
};

class PositionalEncoding : public Module {
 public:
  // It has no parameters. Throws bad-argument for d_model below 1 and a dropout outside [0, 1].
  explicit PositionalEncoding(const PositionalEncodingOptions& options, Where where = Where::current());

  // x [batch, time, d_model] -> dropout(x + PE), the same shape. `first` is the position of the first of these words:
  // a decoder that goes word by word has one word per call. Throws shape-mismatch.
  Tensor operator()(const Tensor& x, std::int64_t first = 0, Where where = Where::current()) const;

  const PositionalEncodingOptions options;
  Dropout dropout;
};

}  // namespace nn

// OutputLayer: from a decoder's state, context and last word to the logits of the next one, in the five forms of the
// papers. s: state, c: context, y: embedding of the last word, [;]: side by side.
//
//   linear             fc_out [s; c; y]
//   state_and_context  fc_out [s; c]
//   maxout             u = hidden [s; c; y], t_j = max(u_{2j-1}, u_{2j}), fc_out t
//                      (Goodfellow et al. 2013; Bahdanau et al. 2015, appendix A.2.2: u = U_o s + C_o c + V_o y, the
//                      three matrices side by side in one; W_o is fc_out. The biases, which the appendix leaves out
//                      "to increase readability", are there.)
//   attentional        h~ = tanh(hidden [c; s]), fc_out h~         (Luong et al. 2015, eq. 5 and 6: W_c without bias)
//   deep               t = tanh(hidden [s; c; y]), fc_out t        (Sennrich et al. 2017, section 2: the three matrices
//                      side by side in one, and t of the embeddings' size M, so that fc_out's matrix can be theirs)
//
// What comes before fc_out is called the features: of a whole sentence they are multiplied with fc_out at once.
//
// Sizes: D state_dim, E context_dim, M embed_dim, V vocab_size, F features.
#pragma once

#include <memory>

#include "nn/layers/linear.h"
#include "nn/layers/module.h"

namespace nn {

enum class OutputKind { linear, state_and_context, maxout, attentional, deep };

struct OutputLayerOptions {
  OutputKind kind = OutputKind::linear;
  Int state_dim = 0;    // D; required
  Int context_dim = 0;  // E; required
  Int embed_dim = 0;    // M; required
  Int vocab_size = 0;   // V; required
  Int maxout_dim = 0;   // of t; half of state_dim, as in the paper, unless given
  DType dtype = autograd::float32;
};

class OutputLayer : public Module {
 public:
  // Throws bad-argument for sizes below 1.
  explicit OutputLayer(const OutputLayerOptions& options, Where where = Where::current());

  // state [.., D], context [.., E], embedded [.., M] -> [.., F]; h~ if attentional.
  Tensor features(const Tensor& state, const Tensor& context, const Tensor& embedded,
                  Where where = Where::current()) const;
  // [.., F] -> [.., V]
  Tensor logits(const Tensor& features, Where where = Where::current()) const;

  const OutputLayerOptions options;
  const std::int64_t features_dim;  // F
  std::unique_ptr<Linear> hidden;   // of maxout, attentional and deep only
  Linear fc_out;                    // F -> V
};

}  // namespace nn

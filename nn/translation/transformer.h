// The layers of a Transformer (Vaswani et al. 2017, section 3.1 and figure 1). A layer has two or three sublayers f:
// self-attention, cross-attention (in the decoder only) and a feed-forward network at each position,
//
//   feed_forward(x) = linear2(dropout(relu(linear1(x))))                    (eq. 2)
//
// and each one is added to its input, with a LayerNorm either after the sum or before f:
//
//   x = norm(x + dropout(f(x)))            post-norm, the paper's
//   x = x + dropout(f(norm(x)))            pre-norm, norm_first
//
// Pre-norm is easier to train when there are many layers, because the sum runs from the first to the last one untouched
// (Xiong et al. 2020).
//
// Sizes: B batch, S source positions, T target positions, M d_model.
//
// Names, layout, defaults and initial values are PyTorch's, of nn.TransformerEncoderLayer, nn.TransformerDecoderLayer,
// nn.TransformerEncoder and nn.TransformerDecoder with batch_first=True; the activation is always relu. Masks are true
// where there IS a token, as everywhere in nn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention/multi_head_attention.h"
#include "nn/layers/dropout.h"
#include "nn/layers/layer_norm.h"
#include "nn/layers/linear.h"
#include "nn/layers/module_list.h"

namespace nn {

struct TransformerLayerOptions {
  Int d_model = 0;             // M; required
  Int nhead = 0;               // divides d_model; required
  Int dim_feedforward = 2048;  // of the hidden layer between linear1 and linear2
  double dropout = 0.1;        // on each f(x), on the hidden layer and on the attention weights, in training
  double layer_norm_eps = 1e-5;
  Flag norm_first = false;  // pre-norm
  DType dtype = autograd::float32;
};

// ---- encoder -------------------------------------------------------------------------------------------------

class TransformerEncoderLayer : public Module {
 public:
  // Throws bad-argument for sizes below 1, an nhead that does not divide d_model, a dropout outside [0, 1].
  explicit TransformerEncoderLayer(const TransformerLayerOptions& options, Where where = Where::current());

  // src [B, S, M] -> [B, S, M]. mask [B, S] or undefined; what stands at the padding has no influence on the tokens.
  // Throws shape-mismatch, dtype-mismatch.
  Tensor operator()(const Tensor& src, const Tensor& mask = Tensor(), Where where = Where::current()) const;

  const TransformerLayerOptions options;
  MultiHeadAttention self_attn;
  Linear linear1;  // M -> dim_feedforward
  Linear linear2;  // dim_feedforward -> M
  LayerNorm norm1;
  LayerNorm norm2;
  Dropout dropout;

 private:
  Tensor look_around(const Tensor& x, const Tensor& mask) const;
};

// ---- decoder -------------------------------------------------------------------------------------------------

// The keys and values that one decoder layer has computed, of the source and of the words so far. The next word changes
// neither, so nothing is computed twice. A value that the caller holds, as ProjectedKeys is (additive_attention.h).
struct TransformerDecoderCache {
  ProjectedKeys source;  // [B, S, M], of multihead_attn
  ProjectedKeys words;   // [B, words so far, M], of self_attn; 0 words at first
};

class TransformerDecoderLayer : public Module {
 public:
  explicit TransformerDecoderLayer(const TransformerLayerOptions& options, Where where = Where::current());

  struct Output {
    Tensor output;   // [B, T, M]
    Tensor weights;  // [B, T, S] of the cross-attention, the mean over the heads
  };
  // A whole sentence, in which no word sees those after it: tgt [B, T, M], memory [B, S, M], the encoder's output,
  // memory_mask [B, S] or undefined. Throws shape-mismatch, dtype-mismatch.
  Output operator()(const Tensor& tgt, const Tensor& memory, const Tensor& memory_mask = Tensor(),
                    Where where = Where::current()) const;

  // The same in several calls: the next T words (one, in search) see those of the calls before. Each call updates
  // `cache`.
  TransformerDecoderCache start(const Tensor& memory, const Tensor& memory_mask = Tensor(),
                                Where where = Where::current()) const;
  Output operator()(const Tensor& tgt, TransformerDecoderCache& cache, const Tensor& memory_mask = Tensor(),
                    Where where = Where::current()) const;

  const TransformerLayerOptions options;
  MultiHeadAttention self_attn;
  MultiHeadAttention multihead_attn;  // the cross-attention
  Linear linear1;
  Linear linear2;
  LayerNorm norm1;
  LayerNorm norm2;
  LayerNorm norm3;
  Dropout dropout;

 private:
  Tensor look_back(const Tensor& x, ProjectedKeys& words) const;
  Output look_at_source(const Tensor& x, const ProjectedKeys& source, const Tensor& memory_mask) const;
};

// ---- stacks of layers ----------------------------------------------------------------------------------------

struct TransformerStackOptions {
  TransformerLayerOptions layer = {};
  Int num_layers = 0;  // required
  Flag norm = false;   // a LayerNorm after the last layer; pre-norm needs it: nothing else normalises the sum
};

class TransformerEncoder : public Module {
 public:
  // Throws bad-argument for num_layers below 1, and as its layers do.
  explicit TransformerEncoder(const TransformerStackOptions& options, Where where = Where::current());

  // All layers: src [B, S, M] -> [B, S, M].
  Tensor operator()(const Tensor& src, const Tensor& mask = Tensor(), Where where = Where::current()) const;

  const TransformerStackOptions options;
  ModuleList<TransformerEncoderLayer> layers;
  std::unique_ptr<LayerNorm> norm;  // null without options.norm

 private:
  Tensor run_layers(const Tensor& src, const Tensor& mask) const;
};

class TransformerDecoder : public Module {
 public:
  explicit TransformerDecoder(const TransformerStackOptions& options, Where where = Where::current());

  using Output = TransformerDecoderLayer::Output;  // of the last layer
  using Caches = std::vector<TransformerDecoderCache>;

  Output operator()(const Tensor& tgt, const Tensor& memory, const Tensor& memory_mask = Tensor(),
                    Where where = Where::current()) const;
  Caches start(const Tensor& memory, const Tensor& memory_mask = Tensor(), Where where = Where::current()) const;
  Output operator()(const Tensor& tgt, Caches& caches, const Tensor& memory_mask = Tensor(),
                    Where where = Where::current()) const;

  const TransformerStackOptions options;
  ModuleList<TransformerDecoderLayer> layers;
  std::unique_ptr<LayerNorm> norm;

 private:
  Output run_layers(const Tensor& tgt, Caches& caches, const Tensor& memory_mask) const;
};

}  // namespace nn

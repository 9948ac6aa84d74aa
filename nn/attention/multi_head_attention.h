// MultiHeadAttention: scaled dot-product attention in several subspaces at once (Vaswani et al. 2017, eq. 1 and
// section 3.2.2), for many queries at a time:
//
//   q_i = x_q W_i^Q,  k_i = x_k W_i^K,  v_i = x_v W_i^V               of head i, each with M / heads columns
//   weights_i = softmax(q_i k_i^T / sqrt(M / heads))                  over the keys that may be looked at
//   output    = [weights_1 v_1; ..; weights_heads v_heads] W^O        the heads side by side
//
// Sizes: B batch, T queries, S keys, M embed_dim.
//
//   query    [B, T, qdim]     key [B, S, kdim], value [B, S, vdim]; these dims are M unless given
//   output   [B, T, M]
//   weights  [B, T, S], the mean over the heads, before dropout; [B, heads, T, S] without average_attn_weights
//
// Names, layout and initial values are those of PyTorch's nn.MultiheadAttention(batch_first=True): in_proj_weight
// [3 M, M] holds W^Q, W^K and W^V one below the other; where a dim differs from M there are q_proj_weight,
// k_proj_weight and v_proj_weight instead. (qdim is ours: in PyTorch a query always has M features.)
//
// Different from PyTorch: the mask is true where there IS a token, as everywhere in nn; a query that may look at
// nothing has the weights 0 and the output of zero heads (the bias of out_proj), not NaN; the weights returned are
// those before dropout.
//
// For a recurrent decoder (attention_mechanism.h) its state is the one query of each step: qdim = D, embed_dim = E. Two
// things differ from the other kinds. The returned weights are the mean over the heads, so that the context is not the
// sum of the values by these weights. And a row whose mask is false everywhere has the bias of out_proj as context.
//
//   nn::MultiHeadAttention attention({.embed_dim = 256, .num_heads = 8});
//   auto [output, weights] = attention(x, x, x, {.mask = mask, .causal = true});      // self-attention of a decoder
#pragma once

#include "nn/attention/attention_mechanism.h"
#include "nn/layers/linear.h"

namespace nn {

struct MultiHeadAttentionOptions {
  Int embed_dim = 0;     // M; required
  Int num_heads = 1;     // divides M
  double dropout = 0.0;  // on the weights, in training; they are not scaled back to the sum 1
  Flag bias = true;      // of the projections and of the output
  Int qdim = 0;          // features of a query; embed_dim unless given
  Int kdim = 0;          // of a key; embed_dim unless given
  Int vdim = 0;          // of a value; embed_dim unless given
  DType dtype = autograd::float32;
};

// What the queries may look at (both masks hold together), and which weights are returned.
struct MultiHeadMasks {
  Tensor mask = Tensor();  // [B, S], boolean, true where there is a token; undefined: everywhere
  Flag causal = false;     // query t sees key s only if s <= t + S - T: the last query sees all keys. With T = S, no
                           // word sees those after it; with T = 1, one query sees all the keys before it
  Flag average_attn_weights = true;  // false: those of each head, [B, heads, T, S]
};

class MultiHeadAttention : public AttentionMechanism {
 public:
  // in_proj_weight starts as xavier_uniform_, out_proj.weight as that of Linear, the biases as 0.
  // Throws bad-argument for sizes below 1, heads that do not divide embed_dim, dropout outside [0, 1].
  explicit MultiHeadAttention(const MultiHeadAttentionOptions& options, Where where = Where::current());

  struct Output {
    Tensor output;   // [B, T, M]
    Tensor weights;  // [B, T, S], or [B, heads, T, S]
  };
  // Key and value have no influence where the mask is false, not even a NaN. Throws shape-mismatch, and
  // dtype-mismatch for a mask that is not boolean.
  Output operator()(const Tensor& query, const Tensor& key, const Tensor& value, const MultiHeadMasks& masks = {},
                    Where where = Where::current()) const;

  // The same in two steps, for keys that are the same for many calls, and for a decoder that keeps those of the words
  // so far: autograd::cat the projections of a new word, [B, 1, M], to those of the words before, along dim 1.
  ProjectedKeys precompute(const Tensor& key, const Tensor& value, const Tensor& mask = Tensor(),
                           Where where = Where::current()) const;  // keys and values [B, S, M], all heads side by side
  Output operator()(const Tensor& query, const ProjectedKeys& source, const MultiHeadMasks& masks = {},
                    Where where = Where::current()) const;

  // One step of any kind of attention (attention_mechanism.h).
  using AttentionMechanism::operator();

  const MultiHeadAttentionOptions options;
  Tensor in_proj_weight;  // [3 M, M]; undefined if a dim differs from M
  Tensor q_proj_weight;   // [M, qdim]; these three are defined only then
  Tensor k_proj_weight;   // [M, kdim]
  Tensor v_proj_weight;   // [M, vdim]
  Tensor in_proj_bias;    // [3 M]; undefined without bias
  Linear out_proj;        // M -> M

 private:
  ProjectedKeys project(const Tensor& encoder_outputs) const override;  // both [B, S, E], all heads side by side
  AttentionMechanism::Output attend(const Tensor& query, const AttentionSource& source,
                                    const AttentionMemory& memory) const override;

  enum class Part { query, key, value };
  Tensor project(const Tensor& x, Part part) const;
  void make_weights(Where where);
  void check_query(const Tensor& query, const ProjectedKeys& source, Where where) const;
};

}  // namespace nn

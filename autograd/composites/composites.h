// The index of all composites: plain functions of the ops in ops/ops.h, which appear on the tape in their place. Their
// derivatives are those of the parts; shapes, dtypes and errors are said as there.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "autograd/ops/ops.h"

namespace autograd {

// ---- reductions (composites/reductions.cpp) -----------------------------------------------------
// (sum |x|^p)^(1/p); the largest |x| for infinite p, the smallest for -infinite p, the number of elements that are not
// 0 for p = 0. The gradient at 0 is 0. Throws bad-argument for other negative p.
Tensor norm(const Tensor& x, double p = 2.0, const Dims& dims = {}, Flag keepdim = false,
            Where where = Where::current());
Tensor prod(const Tensor& x, Where where = Where::current());  // of all elements  (also int64)
Tensor prod(const Tensor& x, Int dim, Flag keepdim = false, Where where = Where::current());
// Over all elements. max and min share the gradient among tied ones, as amax and amin do.
Tensor max(const Tensor& x, Where where = Where::current());
Tensor min(const Tensor& x, Where where = Where::current());
Tensor argmax(const Tensor& x, Where where = Where::current());
Tensor argmin(const Tensor& x, Where where = Where::current());

// ---- shapes (composites/shapes.cpp) -------------------------------------------------------------
Tensor squeeze(const Tensor& x, Where where = Where::current());  // drops all dims of size 1
// x repeated repeats[i] times along dim i; new dims come first. A copy, whereas expand() makes a view.
Tensor repeat(const Tensor& x, const Shape& repeats, Where where = Where::current());
// x with 0 above (below) a diagonal of the last two dims: 0 is the main diagonal, 1 the one above it.
Tensor tril(const Tensor& x, Int diagonal = 0, Where where = Where::current());
Tensor triu(const Tensor& x, Int diagonal = 0, Where where = Where::current());
// `pad` says how much to add before and after each dim, the last dim first: {left, right, top, bottom}. Negative
// numbers cut off.
Tensor pad(const Tensor& x, const std::vector<std::int64_t>& pad, double value = 0.0, Where where = Where::current());

// ---- indexing (composites/index.cpp) ------------------------------------------------------------
// x[1:, ::2, -1] is index(x, {Slice{1}, Slice{0, Slice::to_end, 2}, -1}).
Tensor index(const Tensor& x, const std::vector<Index>& indices, Where where = Where::current());

// ---- sorting (composites/sort.cpp); equal elements keep their order, and NaN counts as the largest
ValuesAndIndices sort(const Tensor& x, Int dim = -1, Flag descending = false, Where where = Where::current());
Tensor argsort(const Tensor& x, Int dim = -1, Flag descending = false, Where where = Where::current());
// The k largest (smallest), the best first.
ValuesAndIndices topk(const Tensor& x, Int k, Int dim = -1, Flag largest = true, Where where = Where::current());

// ---- activations (composites/activations.cpp) ---------------------------------------------------
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01,
                  Where where = Where::current());                                // x > 0 ? x : slope x
Tensor elu(const Tensor& x, double alpha = 1.0, Where where = Where::current());  // x > 0 ? x : alpha (e^x - 1)
Tensor silu(const Tensor& x, Where where = Where::current());                     // x * sigmoid(x)
// x * Phi(x), Phi the normal distribution; approximate "tanh": x / 2 * (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
Tensor gelu(const Tensor& x, std::string_view approximate = "none", Where where = Where::current());
// log(1 + e^(beta x)) / beta; x itself where beta x is above the threshold
Tensor softplus(const Tensor& x, double beta = 1.0, double threshold = 20.0, Where where = Where::current());
Tensor logsigmoid(const Tensor& x, Where where = Where::current());  // log(sigmoid(x))

// ---- losses (composites/losses.cpp); input and target have one shape, shape-mismatch otherwise --
Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::mean,
               Where where = Where::current());  // |input - target|
// d^2 / 2 where |d| < delta, else delta (|d| - delta / 2), with d = input - target
Tensor huber_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::mean, double delta = 1.0,
                  Where where = Where::current());
// target * (log(target) - input): input, and with log_target the target too, are log probabilities.
Tensor kl_div(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::mean, Flag log_target = false,
              Where where = Where::current());
struct BinaryCrossEntropyOptions {
  Tensor weight = Tensor();  // of each element; broadcasts
  Reduction reduction = Reduction::mean;
  Tensor pos_weight = Tensor();  // of the first term below, that of targets which are 1; broadcasts
};
// -(target * log(sigmoid(input)) + (1 - target) * log(1 - sigmoid(input))); target is floating point, from 0 to 1.
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyOptions& options = {}, Where where = Where::current());

// ---- normalisation (composites/layer_norm.cpp) --------------------------------------------------
// (x - mean) / sqrt(var + eps) * weight + bias over the last dims, normalized_shape of them (Ba et al. 2016, eq. 4).
// weight and bias have the normalised shape, or are undefined.
Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const Tensor& weight = Tensor(),
                  const Tensor& bias = Tensor(), double eps = 1e-5, Where where = Where::current());

// ---- products (composites/einsum.cpp, composites/dot_product_attention.cpp) ---------------------
// Einstein's sum of two operands: einsum("bij,bjk->bik", a, b) is bmm. Without "->", the result has the labels that
// only one operand has, in alphabetical order. No operand has a label twice. Throws bad-argument, shape-mismatch.
Tensor einsum(std::string_view equation, const Tensor& a, const Tensor& b, Where where = Where::current());
// softmax(q k^T / sqrt(E)) v: query [.., T, E], key [.., S, E], value [.., S, F] -> [.., T, F]. attn_mask broadcasts to
// [.., T, S]: boolean, true where a query may look (with nowhere to look: 0), or numbers that are added to the scores.
// is_causal: query t sees the keys up to t. dropout_p acts on the weights, whenever it is above 0.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask = Tensor(), double dropout_p = 0.0, Flag is_causal = false,
                                    Where where = Where::current());

}  // namespace autograd

// Scaled dot-product attention (Vaswani et al. 2017, eq. 1), a composite.
#include <cmath>

#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

void check_attention(const Tensor& query, const Tensor& key, const Tensor& value, Where where) {
  constexpr const char* op = "scaled_dot_product_attention";
  check_floating(op, query, where);
  check_same_dtype(op, query, key, where);
  check_same_dtype(op, query, value, where);
  const bool are_matrices = query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2;
  if (!are_matrices || query.size(-1) != key.size(-1)) {
    fail_shapes(op, query.shape(), key.shape(), where, "each query is multiplied with each key",
                "give queries [.., T, E] and keys [.., S, E]");
  }
  if (key.size(-2) == value.size(-2)) return;
  fail_shapes(op, key.shape(), value.shape(), where, "there is not one value for each key",
              "give keys [.., S, E] and values [.., S, F]");
}

// What each query sees of the keys (or values): [.., S, E] and a mask [.., T, S] -> [.., T, S, E], 0 where it is
// masked.
Tensor seen_by_queries(const Tensor& x, const Tensor& mask) {
  return autograd::where(unsqueeze(mask, -1), Operand(unsqueeze(x, -3)), 0.0);
}

// Softmax over the keys. A boolean mask chooses among them; any other mask is added to the scores.
Tensor weights_of(const Tensor& scores, const Tensor& mask) {
  if (!mask.defined()) return softmax(scores, -1);
  if (mask.dtype() == boolean) return masked_softmax(scores, mask);
  return softmax(scores + mask, -1);
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask, double dropout_p, Flag is_causal, Where where) {
  const CompositeGuard composite("scaled_dot_product_attention", where);
  check_attention(query, key, value, where);
  if (is_causal && attn_mask.defined()) {
    fail(ErrorId::bad_argument, "scaled_dot_product_attention", where, "is_causal came with a mask of its own",
         "combine both in attn_mask: logical_and(mask, tril(ones({T, S}, boolean)))");
  }
  const Tensor scaled = query * (1.0 / std::sqrt(static_cast<double>(query.size(-1))));  // first: it may keep the range
  const Tensor mask = is_causal ? tril(ones({query.size(-2), key.size(-2)}, boolean), 0) : attn_mask;
  const bool is_boolean = mask.defined() && mask.dtype() == boolean;
  if (is_boolean && !(all_finite(key) && all_finite(value))) {
    // A NaN must not be read where it is masked, not even to be multiplied by a weight of 0.
    const Tensor mask_ = mask.dim() < 2 ? reshape(mask, {1, mask.numel()}) : mask;
    const Tensor scores = squeeze(matmul(seen_by_queries(key, mask_), unsqueeze(scaled, -1)), -1);
    const Tensor weights = dropout(masked_softmax(scores, mask), dropout_p, true);
    return squeeze(matmul(unsqueeze(weights, -2), seen_by_queries(value, mask_)), -2);
  }
  const Tensor scores = matmul(scaled, transpose(key, -2, -1));  // [.., T, S]
  const Tensor weights = weights_of(scores, mask);
  return matmul(dropout(weights, dropout_p, true), value);
}

}  // namespace autograd

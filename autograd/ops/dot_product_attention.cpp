// Scaled dot-product attention (Vaswani et al. 2017, eq. 1), a composite.
#include <cmath>

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

// Softmax over the keys. A boolean mask chooses among them; any other mask is added to the scores.
Tensor weights_of(const Tensor& scores, const Tensor& mask, Where where) {
  const CompositeGuard composite("scaled_dot_product_attention", where);
  if (!mask.defined()) return softmax(scores, -1);
  if (mask.dtype() == boolean) return masked_softmax(scores, mask);
  return softmax(scores + mask, -1);
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask, double dropout_p, bool is_causal, Where where) {
  const CompositeGuard composite("scaled_dot_product_attention", where);
  check_attention(query, key, value, where);
  if (is_causal && attn_mask.defined()) {
    fail(ErrorId::bad_argument, "scaled_dot_product_attention", where, "is_causal came with a mask of its own",
         "combine both in attn_mask: logical_and(mask, tril(ones({T, S}, boolean)))");
  }
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(-1)));
  const Tensor products = matmul(query, transpose(key, -2, -1));  // [.., T, S]
  const Tensor scores = products * scale;
  const Tensor causal = is_causal ? tril(ones({query.size(-2), key.size(-2)}, boolean), 0) : attn_mask;
  const Tensor weights = weights_of(scores, causal, where);
  return matmul(dropout(weights, dropout_p, true), value);
}

}  // namespace autograd

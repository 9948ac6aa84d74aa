// The scores of additive attention (Bahdanau et al. 2015, appendix A.1.2): how well each query fits each key.
#include "autograd/ops/op.h"

namespace autograd {
namespace {

void check_additive(const Tensor& query, const Tensor& keys, const Tensor& v, Where where) {
  check_floating("additive_score", query, where);
  check_same_dtype("additive_score", query, keys, where);
  check_same_dtype("additive_score", query, v, where);
  const bool has_dims = (query.dim() == 2 || query.dim() == 3) && keys.dim() == 3;
  if (!has_dims || query.shape()[0] != keys.shape()[0] || query.shape().back() != keys.shape()[2]) {
    fail_shapes("additive_score", query.shape(), keys.shape(), where, "each query is added to each key of its sentence",
                "give queries [batch, n] or [batch, queries, n], and keys [batch, source, n]");
  }
  const bool is_row = v.dim() == 1 || (v.dim() == 2 && v.shape()[0] == 1);
  if (is_row && v.shape().back() == keys.shape()[2]) return;
  fail_shapes("additive_score", keys.shape(), v.shape(), where, "v has one weight for each feature of a key",
              "give v [n], or [1, n] as a Linear with one output keeps it");
}

// All sums x_ts = query_t + keys_s, [batch, queries, source, n].
Tensor all_pairs(const Tensor& query, const Tensor& keys) {
  const Tensor queries = query.dim() == 3 ? query : unsqueeze(query, 1);
  const Tensor of_each_query = unsqueeze(queries, 2);  // [batch, queries, 1, n]
  const Tensor of_each_key = unsqueeze(keys, 1);       // [batch, 1, source, n]
  return of_each_query + of_each_key;
}

}  // namespace

Tensor additive_score(const Tensor& query, const Tensor& keys, const Tensor& v, Where where) {
  check_additive(query, keys, v, where);
  if (fast::additive_score) return fast::additive_score.run(query, keys, v, where);

  const CompositeGuard composite("additive_score", where);
  const Tensor hidden = tanh(all_pairs(query, keys));  // [batch, queries, source, n]
  const Tensor scores = matmul(hidden, flatten(v));    // [batch, queries, source]
  return query.dim() == 3 ? scores : squeeze(scores, 1);
}

}  // namespace autograd

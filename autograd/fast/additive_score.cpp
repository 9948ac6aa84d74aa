// The fast form of additive_score: one op, which never makes the tensor of all pairs of a query and a key.
#include "autograd/ops/additive_score.cpp"

#include "autograd/fast/fused.h"

namespace autograd::fast {
namespace {

// query [batch, n] or [batch, queries, n], keys [batch, source, n]
kernels::AdditiveSizes additive_sizes(const Tensor& query, const Tensor& keys) {
  const std::int64_t queries = query.dim() == 3 ? query.shape()[1] : 1;
  return {keys.shape()[0], queries, keys.shape()[1], keys.shape()[2]};
}

struct AdditiveScore final : Fused {
  static constexpr OpText text{"additive_score", "y = v . h, h = tanh(query + key)",
                               "dx = dy * v * (1 - h^2), dquery = sum of dx over the keys, dkey = sum of dx over the "
                               "queries, dv = sum of dy * h"};
  Tensor composite(const Inputs& x) const override { return autograd::additive_score(x[0], x[1], x[2]); }
  bool keeps(std::size_t i) const override { return i == 2 && (needs(0) || needs(1)); }
};

Tensor forward(const Tensor& query, const Tensor& keys, const Tensor& v, Where where) {
  const Tensor query_ = contiguous_values(query);
  const Tensor keys_ = contiguous_values(keys);
  const Tensor v_ = contiguous_values(v);
  Shape shape = query.shape();
  shape[shape.dim() - 1] = keys.shape()[1];
  Tensor y = make_tensor(shape, query.dtype());
  with_float_type(query.dtype(), [&]<class T>(T) {
    kernels::additive_score(pointer<T>(y), pointer<T>(query_), pointer<T>(keys_), pointer<T>(v_),
                            additive_sizes(query, keys));
  });
  record_fused<AdditiveScore>(y, {&query, &keys, &v}, where);
  return y;
}

bool backward(AdditiveScore& node, Step& step) {
  const Tensor dy = step.contiguous_dy();
  const Tensor query = node.input(0);
  const Tensor keys = node.input(1);
  const Tensor v = node.input(2);
  const kernels::AdditiveSizes size = additive_sizes(query, keys);
  const Tensor dquery = make_tensor(query.shape(), node.dtype);
  const Tensor dkeys = make_tensor(keys.shape(), node.dtype);
  const Tensor dv_of_sentences = make_tensor({size.batch, size.n}, node.dtype);
  with_float_type(node.dtype, [&]<class T>(T) {
    kernels::additive_score_backward(pointer<T>(dquery), pointer<T>(dkeys), pointer<T>(dv_of_sentences), pointer<T>(dy),
                                     pointer<T>(query), pointer<T>(keys), pointer<T>(v), size);
  });
  step.hand_on(0, dquery);
  step.hand_on(1, dkeys);
  step.hand_on(2, reshape(sum(dv_of_sentences, 0), v.shape()));
  return true;
}

[[maybe_unused]] const bool known = [] {
  additive_score.run = forward;
  return set_fused_shortcut<AdditiveScore, backward>();
}();

}  // namespace
}  // namespace autograd::fast

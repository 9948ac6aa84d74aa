#include "mine/ops.h"

#include "mine/differentiated.h"

namespace mine::ops {
namespace {

// A derivative that is a function of the part's, or none where nothing is plugged in.
template <class Signature, class Function> Backward with(const Part<Signature>& part, Function function) {
  return part ? Backward(std::move(function)) : Backward();
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  return differentiated(
      {a, b}, [](const Tensors& x) { return x[0] + x[1]; },
      with(parts.unbroadcast, [](const Tensor& dy, const Tensor&, const Tensors& x) {
        return Tensors{parts.unbroadcast(dy, x[0].shape()), parts.unbroadcast(dy, x[1].shape())};
      }));
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  const auto forward = [](const Tensors& x) { return x[0] * x[1]; };
  if (a.shape() == b.shape()) {
    return differentiated({a, b}, forward,
                          with(parts.multiply_backward, [](const Tensor& dy, const Tensor&, const Tensors& x) {
                            return parts.multiply_backward(dy, x[0], x[1]);
                          }));
  }
  return differentiated({a, b}, forward,
                        with(parts.product_backward, [](const Tensor& dy, const Tensor&, const Tensors& x) {
                          return parts.product_backward(dy, x[0], x[1]);
                        }));
}

Tensor subtract(const Tensor& a, const Tensor& b) {
  return differentiated(
      {a, b}, [](const Tensors& x) { return x[0] - x[1]; },
      with(parts.subtract_backward,
           [](const Tensor& dy, const Tensor&, const Tensors&) { return parts.subtract_backward(dy); }));
}

Tensor sum(const Tensor& x, int dim) {
  return differentiated(
      {x}, [dim](const Tensors& in) { return in[0].sum({dim}); },
      with(parts.sum_backward, [dim](const Tensor& dy, const Tensor&, const Tensors& in) {
        return Tensors{parts.sum_backward(dy, in[0].shape(), dim)};
      }));
}

Tensor mean(const Tensor& x, int dim) {
  return differentiated(
      {x}, [dim](const Tensors& in) { return in[0].mean({dim}); },
      with(parts.mean_backward, [dim](const Tensor& dy, const Tensor&, const Tensors& in) {
        return Tensors{parts.mean_backward(dy, in[0].shape(), dim)};
      }));
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  const auto forward = [](const Tensors& x) { return autograd::matmul(x[0], x[1]); };
  const bool are_matrices = a.dim() == 2 && b.dim() == 2;
  const auto& part = are_matrices ? parts.matmul_backward : parts.batched_matmul_backward;
  return differentiated({a, b}, forward, with(part, [&part](const Tensor& dy, const Tensor&, const Tensors& x) {
                          return part(dy, x[0], x[1]);
                        }));
}

Tensor transpose(const Tensor& x, int dim0, int dim1) {
  return differentiated(
      {x}, [=](const Tensors& in) { return in[0].transpose(dim0, dim1); },
      with(parts.transpose_backward, [=](const Tensor& dy, const Tensor&, const Tensors&) {
        return Tensors{parts.transpose_backward(dy, dim0, dim1)};
      }));
}

Tensor flip(const Tensor& x, int dim) {
  return differentiated(
      {x}, [dim](const Tensors& in) { return autograd::flip(in[0], {dim}); },
      with(parts.flip_backward,
           [dim](const Tensor& dy, const Tensor&, const Tensors&) { return Tensors{parts.flip_backward(dy, dim)}; }));
}

Tensor cat(const Tensors& tensors, int dim) {
  return differentiated(
      tensors, [dim](const Tensors& in) { return autograd::cat(in, dim); },
      with(parts.cat_backward, [dim](const Tensor& dy, const Tensor&, const Tensors& in) {
        Lengths sizes;
        for (const Tensor& x : in) sizes.push_back(x.size(dim));
        return parts.cat_backward(dy, sizes, dim);
      }));
}

Tensor stack(const Tensors& tensors, int dim) {
  return differentiated(
      tensors, [dim](const Tensors& in) { return autograd::stack(in, dim); },
      with(parts.stack_backward,
           [dim](const Tensor& dy, const Tensor&, const Tensors&) { return parts.stack_backward(dy, dim); }));
}

Tensor narrow(const Tensor& x, int dim, std::int64_t start, std::int64_t length) {
  return differentiated(
      {x}, [=](const Tensors& in) { return in[0].narrow(dim, start, length); },
      with(parts.narrow_backward, [=](const Tensor& dy, const Tensor&, const Tensors& in) {
        return Tensors{parts.narrow_backward(dy, in[0].shape(), dim, start)};
      }));
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const auto forward = [](const Tensors& in) {
    return autograd::linear(in[0], in[1], in.size() > 2 ? in[2] : Tensor());
  };
  const Tensors inputs = bias.defined() ? Tensors{x, weight, bias} : Tensors{x, weight};
  return differentiated(inputs, forward,
                        with(parts.linear_backward, [](const Tensor& dy, const Tensor&, const Tensors& in) {
                          return parts.linear_backward(dy, in[0], in[1]);
                        }));
}

Tensor embedding(const Tensor& weight, const Tensor& ids, std::int64_t padding) {
  const auto forward = [ids, padding](const Tensors& in) {
    return parts.lookup ? parts.lookup(in[0], ids) : autograd::embedding(in[0], ids, padding);
  };
  return differentiated({weight}, forward,
                        with(parts.lookup_backward, [=](const Tensor& dy, const Tensor&, const Tensors& in) {
                          return Tensors{parts.lookup_backward(dy, ids, in[0].size(0), padding)};
                        }));
}

Tensor masked_weights(const Tensor& scores, const Tensor& mask) {
  const auto forward = [mask](const Tensors& in) {
    return parts.weights ? parts.weights(in[0], mask) : masked_softmax(in[0], mask);
  };
  return differentiated({scores}, forward,
                        with(parts.weights_backward, [mask](const Tensor& dy, const Tensor&, const Tensors& in) {
                          return Tensors{parts.weights_backward(dy, in[0], mask)};
                        }));
}

Tensor word_loss(const Tensor& logits, const Tensor& target) {
  const auto forward = [target](const Tensors& in) {
    return parts.word_loss ? parts.word_loss(in[0], target) : autograd::cross_entropy(in[0], target);
  };
  return differentiated({logits}, forward,
                        with(parts.word_loss_backward, [target](const Tensor& dy, const Tensor&, const Tensors& in) {
                          return Tensors{parts.word_loss_backward(dy, in[0], target)};
                        }));
}

Tensor token_loss(const Tensor& logits, const Tensor& target, const Tensor& mask) {
  const auto forward = [target, mask](const Tensors& in) {
    if (parts.token_loss) return parts.token_loss(in[0], target, mask);
    const Tensor ignored = where(mask, target, -1).to(autograd::int64);
    return autograd::cross_entropy(in[0].flatten(0, 1), ignored.flatten(), {.ignore_index = -1});
  };
  return differentiated({logits}, forward,
                        with(parts.token_loss_backward, [=](const Tensor& dy, const Tensor&, const Tensors& in) {
                          return Tensors{parts.token_loss_backward(dy, in[0], target, mask)};
                        }));
}

}  // namespace mine::ops

#include "nn/layers/sequential.h"

namespace nn {

void Sequential::push_back(Tensor (*function)(const Tensor& x, Where where)) {
  calls_.push_back(function);
}

void Sequential::push_back(std::function<Tensor(const Tensor& x)> function, Where where) {
  if (!function) {
    autograd::fail(autograd::ErrorId::bad_argument, "Sequential", where, "the function is empty",
                   "pass a function of one tensor, such as autograd::relu");
  }
  calls_.push_back([f = std::move(function)](const Tensor& x, Where) { return f(x); });
}

Tensor Sequential::operator()(const Tensor& x, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  Tensor y = x;
  for (const Call& call : calls_) y = call(y, where);
  return y;
}

}  // namespace nn

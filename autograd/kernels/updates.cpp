// One step of an optimiser: one loop over the elements of a parameter, its gradient and what is remembered of past
// ones.
#include <cmath>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"

namespace autograd::kernels {
namespace {

constexpr int64_t grain = parallel_elements / 4;

// Without decay the gradient alone: 0 times an infinite parameter would be NaN.
template <class T> T with_decay(T gradient, T weight_decay, T parameter) {
  return weight_decay == 0 ? gradient : gradient + weight_decay * parameter;
}

template <class T> void plain_sgd(T* parameter, const T* gradient, const SgdRates<T> r, int64_t begin, int64_t end) {
  BACKSTEP_INDEPENDENT_STEPS
  for (int64_t i = begin; i < end; ++i) {
    const T g = with_decay(gradient[i], r.weight_decay, parameter[i]);
    parameter[i] -= r.lr * g;
  }
}

template <class T>
void sgd_with_momentum(T* parameter, const T* gradient, T* buffer, const SgdRates<T> r, int64_t begin, int64_t end) {
  BACKSTEP_INDEPENDENT_STEPS
  for (int64_t i = begin; i < end; ++i) {
    const T g = with_decay(gradient[i], r.weight_decay, parameter[i]);
    const T b = r.is_first ? g : r.momentum * buffer[i] + r.rest * g;
    buffer[i] = b;
    parameter[i] -= r.lr * (r.nesterov ? g + r.momentum * b : b);
  }
}

}  // namespace

template <class T>
void sgd_step(T* parameter, const T* gradient, T* momentum_buffer, const SgdRates<T>& rates, int64_t n) {
  parallel_for(n, grain, [=](int64_t begin, int64_t end) {
    if (momentum_buffer) {
      sgd_with_momentum(parameter, gradient, momentum_buffer, rates, begin, end);
    } else {
      plain_sgd(parameter, gradient, rates, begin, end);
    }
  });
}

template <class T>
void adam_step(T* parameter, const T* gradient, T* exp_avg, T* exp_avg_sq, const AdamRates<T>& rates, int64_t n) {
  parallel_for(n, grain, [&](int64_t begin, int64_t end) {
    simd<T>().adam_step(parameter + begin, gradient + begin, exp_avg + begin, exp_avg_sq + begin, rates, end - begin);
  });
}

template <class T>
void amsgrad_step(T* parameter, const T* gradient, T* exp_avg, T* exp_avg_sq, T* max_exp_avg_sq,
                  const AdamRates<T>& rates, int64_t n) {
  parallel_for(n, grain, [=, r = rates](int64_t begin, int64_t end) {
    BACKSTEP_INDEPENDENT_STEPS
    for (int64_t i = begin; i < end; ++i) {
      const T g = with_decay(gradient[i], r.weight_decay, parameter[i]);
      const T m = r.beta1 * exp_avg[i] + r.rest1 * g;
      const T v = r.beta2 * exp_avg_sq[i] + r.rest2 * g * g;
      const T largest = v <= max_exp_avg_sq[i] ? max_exp_avg_sq[i] : v;  // so written that NaN is kept
      exp_avg[i] = m;
      exp_avg_sq[i] = v;
      max_exp_avg_sq[i] = largest;
      parameter[i] = r.keep * parameter[i] - r.step_size * m / (r.root_scale * std::sqrt(largest) + r.eps);
    }
  });
}

template <class T>
void adadelta_step(T* parameter, const T* gradient, T* square_avg, T* acc_delta, const AdadeltaRates<T>& rates,
                   int64_t n) {
  parallel_for(n, grain, [=, r = rates](int64_t begin, int64_t end) {
    BACKSTEP_INDEPENDENT_STEPS
    for (int64_t i = begin; i < end; ++i) {
      const T g = with_decay(gradient[i], r.weight_decay, parameter[i]);
      const T u = r.rho * square_avg[i] + r.rest * g * g;
      const T d = std::sqrt(acc_delta[i] + r.eps) / std::sqrt(u + r.eps) * g;
      square_avg[i] = u;
      acc_delta[i] = r.rho * acc_delta[i] + r.rest * d * d;
      parameter[i] -= r.lr * d;
    }
  });
}

template <class T>
void rmsprop_step(T* parameter, const T* gradient, T* square_avg, T* grad_avg, T* momentum_buffer,
                  const RmspropRates<T>& rates, int64_t n) {
  parallel_for(n, grain, [=, r = rates](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T g = with_decay(gradient[i], r.weight_decay, parameter[i]);
      const T u = r.alpha * square_avg[i] + r.rest * g * g;
      square_avg[i] = u;
      T variance = u;
      if (grad_avg) {
        grad_avg[i] = r.alpha * grad_avg[i] + r.rest * g;
        variance = u - grad_avg[i] * grad_avg[i];
      }
      T d = g / (std::sqrt(variance) + r.eps);
      if (momentum_buffer) d = momentum_buffer[i] = r.momentum * momentum_buffer[i] + d;
      parameter[i] -= r.lr * d;
    }
  });
}

#define INSTANTIATE(T)                                                                 \
  template void sgd_step(T*, const T*, T*, const SgdRates<T>&, int64_t);               \
  template void adam_step(T*, const T*, T*, T*, const AdamRates<T>&, int64_t);         \
  template void amsgrad_step(T*, const T*, T*, T*, T*, const AdamRates<T>&, int64_t);  \
  template void adadelta_step(T*, const T*, T*, T*, const AdadeltaRates<T>&, int64_t); \
  template void rmsprop_step(T*, const T*, T*, T*, T*, const RmspropRates<T>&, int64_t);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace autograd::kernels

// One step of Adam: one loop over the elements of a parameter, its gradient and the averages of past gradients.
#include "autograd/kernels/kernels.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"

namespace autograd::kernels {

template <class T>
void adam_step(T* parameter, const T* gradient, T* exp_avg, T* exp_avg_sq, const AdamRates<T>& rates, int64_t n) {
  parallel_for(n, parallel_elements / 4, [&](int64_t begin, int64_t end) {
    simd<T>().adam_step(parameter + begin, gradient + begin, exp_avg + begin, exp_avg_sq + begin, rates, end - begin);
  });
}

template void adam_step(float*, const float*, float*, float*, const AdamRates<float>&, int64_t);
template void adam_step(double*, const double*, double*, double*, const AdamRates<double>&, int64_t);

}  // namespace autograd::kernels

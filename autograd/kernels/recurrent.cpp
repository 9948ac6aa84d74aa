// The gates of recurrent layers, a row of the batch at a time: it stays in the first cache from gate to gate.
#include "autograd/kernels/kernels.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"

namespace autograd::kernels {

// Every number is computed from the same numbers in the same order as op by op, so that the results are the same to the
// bit (tests/fused_test.cpp).
template <class T>
void gru_gates(T* y, T* gates, const T* from_input, const T* from_hidden, const T* hidden, int64_t rows, int64_t n) {
  const auto add = [](T a, T b) { return a + b; };
  const auto add_product = [](T a, T r, T b) { return a + r * b; };
  const auto mix = [](T z, T candidate, T h) { return (1 - z) * candidate + z * h; };
  for (int64_t row = 0; row < rows; ++row) {
    T* reset = gates;
    const T* update = gates + n;
    T* candidate = gates + 2 * n;
    map_part(gates, 2 * n, add, from_input, from_hidden);
    simd<T>().sigmoid(gates, gates, 2 * n);
    map_part(candidate, n, add_product, from_input + 2 * n, static_cast<const T*>(reset), from_hidden + 2 * n);
    simd<T>().tanh(candidate, candidate, n);
    map_part(y, n, mix, update, static_cast<const T*>(candidate), hidden);
    y += n, hidden += n;
    gates += 3 * n, from_input += 3 * n, from_hidden += 3 * n;
  }
}

template <class T>
void gru_gates_backward(T* dinput, T* dhidden_part, T* dhidden, const T* dy, const T* gates, const T* from_hidden,
                        const T* hidden, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < n; ++i) {
      const T reset = gates[i];
      const T update = gates[n + i];
      const T candidate = gates[2 * n + i];
      const T dcandidate = dy[i] * (1 - update) * (1 - candidate * candidate);
      const T dupdate = (dy[i] * hidden[i] - dy[i] * candidate) * (update * (1 - update));
      const T dreset = dcandidate * from_hidden[2 * n + i] * (reset * (1 - reset));
      dinput[i] = dreset;
      dinput[n + i] = dupdate;
      dinput[2 * n + i] = dcandidate;
      dhidden_part[i] = dreset;
      dhidden_part[n + i] = dupdate;
      dhidden_part[2 * n + i] = dcandidate * reset;
      dhidden[i] = dy[i] * update;
    }
    dhidden += n, dy += n, hidden += n;
    dinput += 3 * n, dhidden_part += 3 * n, gates += 3 * n, from_hidden += 3 * n;
  }
}

#define INSTANTIATE(T)                                                                    \
  template void gru_gates(T*, T*, const T*, const T*, const T*, int64_t rows, int64_t n); \
  template void gru_gates_backward(T*, T*, T*, const T*, const T*, const T*, const T*, int64_t rows, int64_t n);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels

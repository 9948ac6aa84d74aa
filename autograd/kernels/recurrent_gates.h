// Private to the kernels: the gates of a GRU and of an LSTM, for one row of one step, forward and backward. All gates
// of a row are computed while the row is in the first cache.
//
// Every number is computed in the same order as op by op, so that results are the same to the bit
// (tests/autograd/ops/fused_test.cpp). For this, a * b + c must be rounded twice; CMakeLists.txt sets the option for
// the files that include this one.
#pragma once

#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"

namespace autograd::kernels {

// ---- GRU -------------------------------------------------------------------------------------------------------------

// after, before [n]; from_input and from_hidden [3 n]; gates [3 n] receives r, z and n.
template <class T>
void gru_row(T* after, T* gates, const T* from_input, const T* from_hidden, const T* before, int64_t n) {
  const auto add = [](T a, T b) { return a + b; };
  const auto add_product = [](T a, T r, T b) { return a + r * b; };
  const auto mix = [](T z, T candidate, T h) { return (1 - z) * candidate + z * h; };
  const T* reset = gates;
  const T* update = gates + n;
  T* candidate = gates + 2 * n;
  map_part(gates, 2 * n, add, from_input, from_hidden);
  simd<T>().sigmoid(gates, gates, 2 * n);
  map_part(candidate, n, add_product, from_input + 2 * n, reset, from_hidden + 2 * n);
  simd<T>().tanh(candidate, candidate, n);
  map_part(after, n, mix, update, static_cast<const T*>(candidate), before);
}

// From dafter [n], the gates, and the third part of from_hidden: dinput and dhidden, the gradients of the two products
// [3 n], and dbefore [n], the part of the state's gradient that does not go through the gates.
template <class T>
void gru_row_backward(T* __restrict dinput, T* __restrict dhidden, T* __restrict dbefore, const T* dafter,
                      const T* gates, const T* candidate_hidden, const T* before, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const T reset = gates[i];
    const T update = gates[n + i];
    const T candidate = gates[2 * n + i];
    const T dcandidate = dafter[i] * (1 - update) * (1 - candidate * candidate);
    const T dupdate = (dafter[i] * before[i] - dafter[i] * candidate) * (update * (1 - update));
    const T dreset = dcandidate * candidate_hidden[i] * (reset * (1 - reset));
    dinput[i] = dreset;
    dinput[n + i] = dupdate;
    dinput[2 * n + i] = dcandidate;
    dhidden[i] = dreset;
    dhidden[n + i] = dupdate;
    dhidden[2 * n + i] = dcandidate * reset;
    dbefore[i] = dafter[i] * update;
  }
}

// ---- LSTM ------------------------------------------------------------------------------------------------------------

// hidden, cell, cell_tanh = tanh(cell) and cell_before [n]; from_input and from_hidden [4 n]; gates [4 n] receives
// i, f, g and o.
template <class T>
void lstm_row(T* hidden, T* cell, T* gates, T* cell_tanh, const T* from_input, const T* from_hidden,
              const T* cell_before, int64_t n) {
  const auto add = [](T a, T b) { return a + b; };
  const auto remember = [](T f, T c, T i, T g) { return f * c + i * g; };
  const auto multiply = [](T o, T c) { return o * c; };
  const T* input = gates;
  const T* forget = gates + n;
  const T* candidate = gates + 2 * n;
  const T* output = gates + 3 * n;
  map_part(gates, 4 * n, add, from_input, from_hidden);
  simd<T>().sigmoid(gates, gates, 2 * n);
  simd<T>().tanh(gates + 2 * n, gates + 2 * n, n);
  simd<T>().sigmoid(gates + 3 * n, gates + 3 * n, n);
  map_part(cell, n, remember, forget, cell_before, input, candidate);
  simd<T>().tanh(cell_tanh, cell, n);
  map_part(hidden, n, multiply, output, static_cast<const T*>(cell_tanh));
}

// dgates [4 n] is the gradient of both products, which are added.
template <class T>
void lstm_row_backward(T* __restrict dgates, T* __restrict dcell_before, const T* dhidden, const T* dcell,
                       const T* gates, const T* cell_tanh, const T* cell_before, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const T input = gates[i];
    const T forget = gates[n + i];
    const T candidate = gates[2 * n + i];
    const T output = gates[3 * n + i];
    const T dcell_after = dcell[i] + dhidden[i] * output * (1 - cell_tanh[i] * cell_tanh[i]);
    dgates[i] = dcell_after * candidate * (input * (1 - input));
    dgates[n + i] = dcell_after * cell_before[i] * (forget * (1 - forget));
    dgates[2 * n + i] = dcell_after * input * (1 - candidate * candidate);
    dgates[3 * n + i] = dhidden[i] * cell_tanh[i] * (output * (1 - output));
    dcell_before[i] = dcell_after * forget;
  }
}

}  // namespace autograd::kernels

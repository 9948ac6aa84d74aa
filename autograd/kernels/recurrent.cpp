// One step of a recurrent layer for all rows of a batch, after its two products.
#include "autograd/kernels/kernels.h"
#include "autograd/kernels/recurrent_gates.h"

namespace autograd::kernels {

template <class T>
void gru_gates(T* y, T* gates, const T* from_input, const T* from_hidden, const T* hidden, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) {
    gru_row(y, gates, from_input, from_hidden, hidden, n);
    y += n, hidden += n;
    gates += 3 * n, from_input += 3 * n, from_hidden += 3 * n;
  }
}

template <class T>
void gru_gates_backward(T* dinput, T* dhidden_part, T* dhidden, const T* dy, const T* gates, const T* from_hidden,
                        const T* hidden, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) {
    gru_row_backward(dinput, dhidden_part, dhidden, dy, gates, from_hidden + 2 * n, hidden, n);
    dhidden += n, dy += n, hidden += n;
    dinput += 3 * n, dhidden_part += 3 * n, gates += 3 * n, from_hidden += 3 * n;
  }
}

template <class T>
void lstm_gates(T* hidden, T* cell, T* gates, T* cell_tanh, const T* from_input, const T* from_hidden,
                const T* cell_before, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) {
    lstm_row(hidden, cell, gates, cell_tanh, from_input, from_hidden, cell_before, n);
    hidden += n, cell += n, cell_tanh += n, cell_before += n;
    gates += 4 * n, from_input += 4 * n, from_hidden += 4 * n;
  }
}

template <class T>
void lstm_gates_backward(T* dgates, T* dcell_before, const T* dhidden, const T* dcell, const T* gates,
                         const T* cell_tanh, const T* cell_before, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row) {
    lstm_row_backward(dgates, dcell_before, dhidden, dcell, gates, cell_tanh, cell_before, n);
    dcell_before += n, dhidden += n, dcell += n, cell_tanh += n, cell_before += n;
    dgates += 4 * n, gates += 4 * n;
  }
}

#define INSTANTIATE(T)                                                                                           \
  template void gru_gates(T*, T*, const T*, const T*, const T*, int64_t rows, int64_t n);                        \
  template void gru_gates_backward(T*, T*, T*, const T*, const T*, const T*, const T*, int64_t rows, int64_t n); \
  template void lstm_gates(T*, T*, T*, T*, const T*, const T*, const T*, int64_t rows, int64_t n);               \
  template void lstm_gates_backward(T*, T*, const T*, const T*, const T*, const T*, const T*, int64_t rows, int64_t n);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels

// Recurrent layers over whole sequences: the loop over time, forward and backward. The products of all inputs and the
// gradients of the weights do not depend on the step before: each is one product for all steps, outside this loop
// (ops/recurrent_layer.cpp).
//
// The rows of a batch share only the weights. So each thread takes some rows through all steps, without waiting for
// others.
#include <algorithm>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/parallel.h"
#include "autograd/kernels/recurrent_gates.h"

namespace autograd::kernels {
namespace {

// ---- The product of a step ---------------------------------------------------------------------------------------------

// Not for few rows or tiny layers: there gemm takes a way of its own, with another order of additions, and this loop
// must give the same bits as one op for each step.
bool pays_to_pack(const Sequences& s, int64_t gates) {
  return s.batch > 4 && s.batch * gates * s.n * s.n >= 4096;
}

// y[rows, out] = x[rows, in] op(W)[in, out] + bias. W is the same at every step, and so is packed once.
template <class T> struct StepProduct {
  bool transposed;
  int64_t in, out;
  RecurrentWeight<T> weight;
  const T* bias;
  int64_t n;
  bool is_packed;

  StepProduct(const Sequences& s, bool transposed_weight, int64_t gates, RecurrentWeight<T> w, const T* bias_or_null,
              bool is_used = true)
      : transposed(transposed_weight),
        in(transposed ? s.n : gates * s.n),
        out(transposed ? gates * s.n : s.n),
        weight(w),
        bias(bias_or_null),
        n(s.n),
        is_packed(is_used && pays_to_pack(s, gates)) {
    if (is_packed) pack(weight.packed, transposed, out, in, weight.weight_hh, n);
  }

  void multiply(T* y, const T* x, int64_t ldx, int64_t rows) const {
    if (is_packed && bias) {
      gemm_packed_plus_row(rows, out, in, x, ldx, weight.packed, bias, y, out);
    } else if (is_packed) {
      gemm_packed(rows, out, in, x, ldx, weight.packed, y, out, false);
    } else if (bias) {
      gemm_plus_row(transposed, rows, out, in, x, ldx, weight.weight_hh, n, bias, y, out);
    } else {
      gemm(false, transposed, rows, out, in, x, ldx, weight.weight_hh, n, y, out, false);
    }
  }
};

// ---- Rows of the batch ---------------------------------------------------------------------------------------------------

struct RowRange {
  int64_t begin, end;
};

// From this many multiplications per step on, other threads are worth waking. Each takes the rows of about one tile.
constexpr int64_t parallel_products = int64_t(1) << 20;
constexpr int64_t fewest_rows = 8;

// f(rows) for ranges that together are the whole batch.
template <class T, class F> void for_row_ranges(const Sequences& s, const StepProduct<T>& product, const F& f) {
  const bool is_large = product.is_packed && s.batch * product.in * product.out >= parallel_products;
  const int64_t threads = is_large ? thread_count() : 1;
  const int64_t rows = std::max((s.batch + threads - 1) / threads, fewest_rows);
  parallel_for(s.batch, rows, [&](int64_t begin, int64_t end) { f(RowRange{begin, end}); });
}

// The number of rows of the range for which step t computes the product: those after the last row with a token are left
// out.
template <class T>
int64_t rows_with_tokens(const Sequences& s, const StepProduct<T>& product, RowRange rows, int64_t t) {
  int64_t end = rows.end;
  while (product.is_packed && end > rows.begin && !s.has_token(end - 1, t)) --end;
  return end - rows.begin;
}

// Row `row` of step or state t, in [.., batch, width].
template <class T> T* at(const Sequences& s, T* data, int64_t width, int64_t t, int64_t row) {
  return data + (t * s.batch + row) * width;
}

// to[row] = x[row] of state t
template <class T> void copy_state(const Sequences& s, T* to, const StepRows<const T>& x, int64_t t, RowRange rows) {
  for (int64_t row = rows.begin; row < rows.end; ++row, to += s.n) std::copy_n(x.at(t, row), s.n, to);
}

// ---- GRU ---------------------------------------------------------------------------------------------------------------

template <class T>
void gru_layer_rows(const Sequences& s, const GruLayer<T>& layer, const StepProduct<T>& product, RowRange rows) {
  const int64_t n = s.n;
  for (int64_t i = 0; i < s.time; ++i) {
    const int64_t t = s.step(i);
    T* from_hidden = layer.from_hidden + rows.begin * 3 * n;
    const T* all_before = at(s, layer.states, n, s.before(t), rows.begin);
    product.multiply(from_hidden, all_before, n, rows_with_tokens(s, product, rows, t));
    for (int64_t row = rows.begin; row < rows.end; ++row, from_hidden += 3 * n) {
      const T* before = at(s, layer.states, n, s.before(t), row);
      T* after = at(s, layer.states, n, s.after(t), row);
      if (s.has_token(row, t)) {
        gru_row(after, layer.gates.at(t, row), layer.from_input.at(t, row), from_hidden, before, n);
        std::copy_n(from_hidden + 2 * n, n, layer.candidate_hidden.at(t, row));
      } else {
        std::copy_n(before, n, after);
      }
    }
  }
}

template <class T>
void gru_layer_backward_rows(const Sequences& s, const GruLayerBackward<T>& layer, const StepProduct<T>& product,
                             RowRange rows) {
  const int64_t n = s.n;
  T* dh = layer.dinitial + rows.begin * n;  // the gradient of the state that the loop has reached
  T* past_gates = layer.past_gates + rows.begin * n;
  T* through_gates = layer.through_gates + rows.begin * n;
  copy_state(s, dh, layer.dstates, s.after(s.step(s.time - 1)), rows);
  for (int64_t i = s.time - 1; i >= 0; --i) {
    const int64_t t = s.step(i);
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      T* dfrom_input = layer.dfrom_input.at(t, row);
      T* dfrom_hidden = at(s, layer.dfrom_hidden, 3 * n, t, row);
      const int64_t offset = (row - rows.begin) * n;
      if (s.has_token(row, t)) {
        gru_row_backward(dfrom_input, dfrom_hidden, past_gates + offset, dh + offset, at(s, layer.gates, 3 * n, t, row),
                         at(s, layer.candidate_hidden, n, t, row), at(s, layer.states, n, s.before(t), row), n);
      } else {
        std::fill_n(dfrom_input, 3 * n, T(0));
        std::fill_n(dfrom_hidden, 3 * n, T(0));
        std::copy_n(dh + offset, n, past_gates + offset);
      }
    }
    if (i == 0 && !layer.needs_initial) return;
    // The gradient of the state before: through the gates, past them, and from outside.
    product.multiply(through_gates, at(s, layer.dfrom_hidden, 3 * n, t, rows.begin), 3 * n,
                     rows_with_tokens(s, product, rows, t));
    const auto add = [](T outside, T past) { return outside + past; };
    const auto add_all = [](T outside, T past, T through) { return outside + (past + through); };
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      const int64_t offset = (row - rows.begin) * n;
      const T* outside = layer.dstates.at(s.before(t), row);
      const T* past = past_gates + offset;
      const T* through = through_gates + offset;
      if (s.has_token(row, t)) {
        map_part(dh + offset, n, add_all, outside, past, through);
      } else {
        map_part(dh + offset, n, add, outside, past);
      }
    }
  }
}

// ---- LSTM --------------------------------------------------------------------------------------------------------------

template <class T>
void lstm_layer_rows(const Sequences& s, const LstmLayer<T>& layer, const StepProduct<T>& product, RowRange rows) {
  const int64_t n = s.n;
  for (int64_t i = 0; i < s.time; ++i) {
    const int64_t t = s.step(i);
    T* from_hidden = layer.from_hidden + rows.begin * 4 * n;
    const T* all_before = at(s, layer.hidden, n, s.before(t), rows.begin);
    product.multiply(from_hidden, all_before, n, rows_with_tokens(s, product, rows, t));
    for (int64_t row = rows.begin; row < rows.end; ++row, from_hidden += 4 * n) {
      const T* cell_before = at(s, layer.cell, n, s.before(t), row);
      T* hidden = at(s, layer.hidden, n, s.after(t), row);
      T* cell = at(s, layer.cell, n, s.after(t), row);
      if (s.has_token(row, t)) {
        lstm_row(hidden, cell, layer.gates.at(t, row), layer.cell_tanh.at(t, row), layer.from_input.at(t, row),
                 from_hidden, cell_before, n);
      } else {
        std::copy_n(at(s, layer.hidden, n, s.before(t), row), n, hidden);
        std::copy_n(cell_before, n, cell);
      }
    }
  }
}

template <class T>
void lstm_layer_backward_rows(const Sequences& s, const LstmLayerBackward<T>& layer, const StepProduct<T>& product,
                              RowRange rows) {
  const int64_t n = s.n;
  T* dh = layer.dhidden + rows.begin * n;  // the gradient of the state that the loop has reached
  T* dc = layer.dcell + rows.begin * n;
  T* dh_before = layer.dhidden_before + rows.begin * n;
  T* dc_before = layer.dcell_before + rows.begin * n;
  const int64_t last = s.after(s.step(s.time - 1));
  copy_state(s, dh, layer.dhidden_states, last, rows);
  copy_state(s, dc, layer.dcell_states, last, rows);
  for (int64_t i = s.time - 1; i >= 0; --i) {
    const int64_t t = s.step(i);
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      T* dgates = layer.dgates.at(t, row);
      const int64_t offset = (row - rows.begin) * n;
      if (s.has_token(row, t)) {
        lstm_row_backward(dgates, dc_before + offset, dh + offset, dc + offset, at(s, layer.gates, 4 * n, t, row),
                          at(s, layer.cell_tanh, n, t, row), at(s, layer.cell, n, s.before(t), row), n);
      } else {
        std::fill_n(dgates, 4 * n, T(0));
        std::copy_n(dc + offset, n, dc_before + offset);
      }
    }
    if (i == 0 && !layer.needs_initial) return;
    const StepRows<T>& dgates = layer.dgates;
    product.multiply(dh_before, dgates.at(t, rows.begin), dgates.row_stride, rows_with_tokens(s, product, rows, t));
    // Adds the gradients that arrive from outside.
    const auto add = [](T outside, T inside) { return outside + inside; };
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      const int64_t offset = (row - rows.begin) * n;
      const T* dh_inside = (s.has_token(row, t) ? dh_before : dh) + offset;
      const T* dc_inside = dc_before + offset;
      map_part(dh + offset, n, add, layer.dhidden_states.at(s.before(t), row), dh_inside);
      map_part(dc + offset, n, add, layer.dcell_states.at(s.before(t), row), dc_inside);
    }
  }
}

}  // namespace

template <class T> int64_t packed_weight_size(const Sequences& sequences, int64_t gates, bool backward) {
  if (!pays_to_pack(sequences, gates)) return 0;
  const int64_t n = sequences.n;
  return backward ? packed_size<T>(n, gates * n) : packed_size<T>(gates * n, n);
}

template <class T> void gru_layer(const Sequences& sequences, const GruLayer<T>& layer) {
  const StepProduct<T> product(sequences, true, 3, layer.weight, layer.bias_hh);
  for_row_ranges(sequences, product, [&](RowRange rows) { gru_layer_rows(sequences, layer, product, rows); });
}

template <class T> void gru_layer_backward(const Sequences& sequences, const GruLayerBackward<T>& layer) {
  const bool is_product_used = layer.needs_initial || sequences.time > 1;
  const StepProduct<T> product(sequences, false, 3, layer.weight, nullptr, is_product_used);
  for_row_ranges(sequences, product, [&](RowRange rows) { gru_layer_backward_rows(sequences, layer, product, rows); });
}

template <class T> void lstm_layer(const Sequences& sequences, const LstmLayer<T>& layer) {
  const StepProduct<T> product(sequences, true, 4, layer.weight, layer.bias_hh);
  for_row_ranges(sequences, product, [&](RowRange rows) { lstm_layer_rows(sequences, layer, product, rows); });
}

template <class T> void lstm_layer_backward(const Sequences& sequences, const LstmLayerBackward<T>& layer) {
  const bool is_product_used = layer.needs_initial || sequences.time > 1;
  const StepProduct<T> product(sequences, false, 4, layer.weight, nullptr, is_product_used);
  for_row_ranges(sequences, product, [&](RowRange rows) { lstm_layer_backward_rows(sequences, layer, product, rows); });
}

#define INSTANTIATE(T)                                                                              \
  template int64_t packed_weight_size<T>(const Sequences& sequences, int64_t gates, bool backward); \
  template void gru_layer(const Sequences&, const GruLayer<T>& layer);                              \
  template void gru_layer_backward(const Sequences&, const GruLayerBackward<T>& layer);             \
  template void lstm_layer(const Sequences&, const LstmLayer<T>& layer);                            \
  template void lstm_layer_backward(const Sequences&, const LstmLayerBackward<T>& layer);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels

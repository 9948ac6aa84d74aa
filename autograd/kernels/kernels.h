// The arithmetic of the engine: loops over plain memory.
//
// A kernel sees pointers and sizes, never a Tensor, a dtype or the tape. Every template below is
// instantiated for float and double in its .cpp file, which is compiled -O3 in every build type.
// Unless a comment says otherwise, memory is contiguous and row-major, outputs do not overlap
// inputs (`y == x` is allowed for elementwise kernels), and sizes of zero are fine.
#pragma once

#include <cstdint>

namespace autograd::kernels {

using std::int64_t;

inline constexpr int max_dims = 8;

// A walk over all elements of a result in row-major order, with up to three inputs whose strides
// (in elements) may be anything: 0 repeats an input along that dim, which is how broadcasting is
// done. dims == 0 is a single element.
struct Walk {
  int dims = 0;
  int64_t size[max_dims];       // the first `dims` are set
  int64_t stride[3][max_dims];  // [input][dim], of the inputs that there are
};

// ---- elementwise.cpp: y[i] = f(x[i]), i < n. neg, abs, relu, sign and clamp also for int64_t -----
template <class T> void neg(T* y, const T* x, int64_t n);
template <class T> void exp(T* y, const T* x, int64_t n);
template <class T> void log(T* y, const T* x, int64_t n);
template <class T> void sqrt(T* y, const T* x, int64_t n);
template <class T> void abs(T* y, const T* x, int64_t n);
template <class T> void sin(T* y, const T* x, int64_t n);
template <class T> void cos(T* y, const T* x, int64_t n);
template <class T> void log1p(T* y, const T* x, int64_t n);
template <class T> void erf(T* y, const T* x, int64_t n);
template <class T> void tanh(T* y, const T* x, int64_t n);
template <class T> void sigmoid(T* y, const T* x, int64_t n);  // 1 / (1 + exp(-x)), never overflows
template <class T> void sigmoid_backward(T* dx, const T* dy, const T* y, int64_t n);  // dx = dy * y * (1 - y)
template <class T> void relu(T* y, const T* x, int64_t n);                            // NaN stays NaN
template <class T> void sign(T* y, const T* x, int64_t n);                            // -1, 0, 1
template <class T> void clamp(T* y, const T* x, T low, T high, int64_t n);            // NaN stays NaN
template <class T> void fill(T* y, T value, int64_t n);                               // also for int64_t and bool
template <class T> bool all_finite(const T* x, int64_t n);
void logical_not(bool* y, const bool* x, int64_t n);

// ---- binary.cpp: y[i] = f(a[walk], b[walk]); y is contiguous, a is input 0 of the walk, b input 1 --
template <class T> void add(T* y, const T* a, const T* b, const Walk& walk);
template <class T> void sub(T* y, const T* a, const T* b, const Walk& walk);
template <class T> void mul(T* y, const T* a, const T* b, const Walk& walk);
template <class T> void div(T* y, const T* a, const T* b, const Walk& walk);
template <class T>
void pow(T* y, const T* a, const T* b, const Walk& walk);  // exponents 2, 1, 0.5, -1 exactly as x*x, ...
template <class T> void maximum(T* y, const T* a, const T* b, const Walk& walk);  // NaN wins, as in PyTorch
// Comparisons; also instantiated for int64_t and bool.
template <class T> void equal(bool* y, const T* a, const T* b, const Walk& walk);
template <class T> void not_equal(bool* y, const T* a, const T* b, const Walk& walk);
template <class T> void less(bool* y, const T* a, const T* b, const Walk& walk);
template <class T> void less_equal(bool* y, const T* a, const T* b, const Walk& walk);
// add, sub, mul and maximum are also instantiated for int64_t, and wrap around on overflow.
void logical_and(bool* y, const bool* a, const bool* b, const Walk& walk);
void logical_or(bool* y, const bool* a, const bool* b, const Walk& walk);
// y = condition ? a : b. condition is input 0, a input 1, b input 2. Also for int64_t and bool.
template <class T> void where(T* y, const bool* condition, const T* a, const T* b, const Walk& walk);

// ---- copy.cpp ------------------------------------------------------------------------------------
// y[i] = x[walk], y contiguous, x input 0. For every pair of {float, double, int64_t, bool}
// (a float becomes an integer by truncation, a bool by `!= 0`).
template <class To, class From> void copy(To* y, const From* x, const Walk& walk);
// y[walk] = x[i], x contiguous, y is input 0 of the walk (no stride of 0). For all four types.
template <class T> void copy_into(T* y, const T* x, const Walk& walk);
// y[walk] += x[i], likewise. float and double.
template <class T> void add_into(T* y, const T* x, const Walk& walk);

// In-place updates of contiguous memory.
template <class T> void axpy(T* y, T alpha, const T* x, int64_t n);  // y += alpha * x
template <class T> void scale(T* y, T alpha, int64_t n);             // y *= alpha

// ---- updates.cpp: a step of Adam in one pass; the formula is in autograd/ops/updates.h -------------------------------
template <class T> struct AdamRates {
  T beta1, rest1;  // rest = 1 - beta
  T beta2, rest2;
  T eps, step_size, root_scale, weight_decay, keep;
};
template <class T>
void adam_step(T* parameter, const T* gradient, T* exp_avg, T* exp_avg_sq, const AdamRates<T>& rates, int64_t n);

// ---- reduce.cpp: x is [outer, n, inner], y is [outer, inner] -----------------------------------------
// float sums are accurate to a few ulp whatever n is (double accumulators or pairwise); the order of
// additions depends on the sizes only, so results are the same on every run.
template <class T> void sum(T* y, const T* x, int64_t outer, int64_t n, int64_t inner);
template <class T> double sum_of_squares(const T* x, int64_t n);  // squared and summed in double
// sum(x^2) / divisor, and sqrt(sum(x^2) / divisor + eps), wherever the result is in T's range, if squares are or not.
template <class T> void mean_square(T* y, const T* x, int64_t outer, int64_t n, int64_t inner, double divisor);
template <class T>
void root_mean_square(T* y, const T* x, int64_t outer, int64_t n, int64_t inner, double divisor, double eps);
template <class T> void max(T* y, const T* x, int64_t outer, int64_t n, int64_t inner);  // NaN wins; n > 0; any type
// Position of the first maximum (NaN counts as the largest) along n. Also for int64_t.
template <class T> void argmax(int64_t* y, const T* x, int64_t outer, int64_t n, int64_t inner);
// log(sum(exp(x))), shifted by the maximum; -inf where all are -inf (or n == 0), +inf where any is +inf.
template <class T> void logsumexp(T* y, const T* x, int64_t outer, int64_t n, int64_t inner);
template <class T> void cumsum(T* y, const T* x, int64_t outer, int64_t n, int64_t inner);  // y like x; also int64_t
int64_t count_true(const bool* x, int64_t n);
// Sum of integers, [outer, n, inner] -> [outer, inner].
void sum_integers(int64_t* y, const int64_t* x, int64_t outer, int64_t n, int64_t inner);

// ---- softmax.cpp: x and y are [outer, n, inner]; along n -----------------------------------------------
// Shifted by the maximum. Entries of -inf get weight exactly 0. A row that is entirely -inf is NaN, as in
// PyTorch (masked_softmax below is the one that defines it).
template <class T> void softmax(T* y, const T* x, int64_t outer, int64_t n, int64_t inner);
template <class T> void log_softmax(T* y, const T* x, int64_t outer, int64_t n, int64_t inner);
// softmax over the entries whose mask is true; the others get exactly 0, and a row with no true entry is
// all 0. mask is [rows, n] contiguous, x and y are [rows, n].
template <class T> void masked_softmax(T* y, const T* x, const bool* mask, int64_t rows, int64_t n);
// dx = y * (dy - sum(y * dy)), all [rows, n]
template <class T> void softmax_backward(T* dx, const T* dy, const T* y, int64_t rows, int64_t n);
// The cross entropy of each row of x [rows, n]: loss = -log_softmax(x)[target], and the two numbers from which the
// derivative finds the softmax again: exp((x - peak) - log_total).
template <class T>
void cross_entropy(T* loss, T* peak, T* log_total, const T* x, const int64_t* target, int64_t rows, int64_t n);
// The loss of label smoothing's share of all classes: shared = -sum_c(share[c] * log_softmax(x)[c]), share is [n].
template <class T>
void cross_entropy_shared(T* shared, const T* x, const T* peak, const T* log_total, const T* share, int64_t rows,
                          int64_t n);
// dx = dall * softmax(x) - dshare * share - (dtarget at the target), in one pass; dall, dtarget and dshare are [rows].
// Without smoothing there is no share. dx may be x. A row whose target is below 0 gets 0, whatever else it has.
template <class T> struct Smoothing {
  const T* share = nullptr;
  const T* dshare = nullptr;
};
template <class T>
void cross_entropy_backward(T* dx, const T* dall, const T* dtarget, Smoothing<T> smoothing, const T* x, const T* peak,
                            const T* log_total, const int64_t* target, int64_t rows, int64_t n);

// ---- recurrent.cpp: one step of a GRU, after its two products from_input and from_hidden [rows, 3 n] ----------------
// y, hidden [rows, n]; gates [rows, 3 n] receives r, z and n.
template <class T>
void gru_gates(T* y, T* gates, const T* from_input, const T* from_hidden, const T* hidden, int64_t rows, int64_t n);
// The gradients of the three inputs, d(from_input), d(from_hidden) and d(hidden), in shapes like theirs.
template <class T>
void gru_gates_backward(T* dinput, T* dhidden_part, T* dhidden, const T* dy, const T* gates, const T* from_hidden,
                        const T* hidden, int64_t rows, int64_t n);
// One step of an LSTM, after its two products [rows, 4 n]. hidden, cell and cell_tanh = tanh(cell) [rows, n]; gates
// [rows, 4 n] receives i, f, g and o.
template <class T>
void lstm_gates(T* hidden, T* cell, T* gates, T* cell_tanh, const T* from_input, const T* from_hidden,
                const T* cell_before, int64_t rows, int64_t n);
// dgates is the gradient of both products, which are added.
template <class T>
void lstm_gates_backward(T* dgates, T* dcell_before, const T* dhidden, const T* dcell, const T* gates,
                         const T* cell_tanh, const T* cell_before, int64_t rows, int64_t n);

// ---- recurrent_layer.cpp: a GRU or an LSTM over whole sequences, in one direction --------------------------------------
// The steps of a batch of sequences. States are [time + 1, batch, n] in the order of time: step t leads from states[t]
// to states[t + 1] or, in reverse, from states[t + 1] to states[t]. Sequence b has tokens at the steps t < lengths[b],
// or at all steps. Without a token its state stays as it is, and its rows of the gates are not written.
struct Sequences {
  int64_t time, batch, n;
  const int64_t* lengths;  // [batch], or null
  bool reverse;

  int64_t step(int64_t i) const { return reverse ? time - 1 - i : i; }  // the i-th step to run
  int64_t before(int64_t t) const { return reverse ? t + 1 : t; }       // the state that step t starts from
  int64_t after(int64_t t) const { return reverse ? t : t + 1; }
  bool has_token(int64_t row, int64_t t) const { return !lengths || t < lengths[row]; }
};

// The rows of a tensor [time, batch, ..], which may be the transpose of one [batch, time, ..].
template <class T> struct StepRows {
  T* data;
  int64_t step_stride, row_stride;
  T* at(int64_t t, int64_t row) const { return data + t * step_stride + row * row_stride; }
};

// The recurrent weights, with memory for a packed copy of them.
template <class T> struct RecurrentWeight {
  const T* weight_hh;  // [gates * n, n]
  T* packed;           // packed_weight_size() elements
};
// 0 where packing does not pay. `backward` is true for the derivative's loop.
template <class T> int64_t packed_weight_size(const Sequences& sequences, int64_t gates, bool backward);

template <class T> struct GruLayer {
  StepRows<const T> from_input;  // [time, batch, 3 n]
  RecurrentWeight<T> weight;
  const T* bias_hh;              // [3 n], or null
  T* states;                     // the first is given, the others are computed
  StepRows<T> gates;             // [time, batch, 3 n] receives r, z and n
  StepRows<T> candidate_hidden;  // [time, batch, n] receives W_hn h + b_hn
  T* from_hidden;                // [batch, 3 n], room for W_hh h + b_hh of one step
};
template <class T> void gru_layer(const Sequences& sequences, const GruLayer<T>& layer);

// The derivative: the loop over time, backwards.
template <class T> struct GruLayerBackward {
  StepRows<const T> dstates;  // [time + 1, batch, n]
  const T* states;            // likewise
  const T* gates;             // [time, batch, 3 n]
  const T* candidate_hidden;  // [time, batch, n]
  RecurrentWeight<T> weight;
  StepRows<T> dfrom_input;  // [time, batch, 3 n], receives 0 where there is no token
  T* dfrom_hidden;          // [time, batch, 3 n], likewise
  T* dinitial;              // [batch, n], of the first state
  bool needs_initial;       // if not, dinitial is left incomplete, which saves a product
  T* past_gates;            // [batch, n], room for one step
  T* through_gates;         // likewise
};
template <class T> void gru_layer_backward(const Sequences& sequences, const GruLayerBackward<T>& layer);

template <class T> struct LstmLayer {
  StepRows<const T> from_input;  // [time, batch, 4 n]
  RecurrentWeight<T> weight;
  const T* bias_hh;       // [4 n], or null
  T* hidden;              // states; the first is given, the others are computed
  T* cell;                // likewise
  StepRows<T> gates;      // [time, batch, 4 n] receives i, f, g and o
  StepRows<T> cell_tanh;  // [time, batch, n] receives tanh of the cell after the step
  T* from_hidden;         // [batch, 4 n], room for one step
};
template <class T> void lstm_layer(const Sequences& sequences, const LstmLayer<T>& layer);

template <class T> struct LstmLayerBackward {
  StepRows<const T> dhidden_states;  // [time + 1, batch, n]
  StepRows<const T> dcell_states;    // likewise
  const T* cell;                     // likewise
  const T* gates;                    // [time, batch, 4 n]
  const T* cell_tanh;                // [time, batch, n]
  RecurrentWeight<T> weight;
  StepRows<T> dgates;  // [time, batch, 4 n], of both products; receives 0 where there is no token
  T* dhidden;          // [batch, n], of the first state
  T* dcell;            // likewise
  bool needs_initial;  // if not, dhidden and dcell are left incomplete, which saves a product
  T* dhidden_before;   // [batch, n], room for one step
  T* dcell_before;     // likewise
};
template <class T> void lstm_layer_backward(const Sequences& sequences, const LstmLayerBackward<T>& layer);

// ---- attention.cpp: query [batch, queries, n], keys [batch, source, n], v [n] ------------------------------------------
struct AdditiveSizes {
  int64_t batch, queries, source, n;
};
// y[b, t, s] = sum_i v[i] * tanh(query[b, t, i] + keys[b, s, i])
template <class T> void additive_score(T* y, const T* query, const T* keys, const T* v, const AdditiveSizes& size);
// The gradients of query and keys, in their shapes, and dv [batch, n], each sentence's part of the gradient of v. A
// score whose dy is 0 adds nothing, even if its query or key has NaN.
template <class T>
void additive_score_backward(T* dquery, T* dkeys, T* dv, const T* dy, const T* query, const T* keys, const T* v,
                             const AdditiveSizes& size);

// ---- gemm.cpp -------------------------------------------------------------------------------------------
// C[m,n] = op(A)[m,k] * op(B)[k,n]  (+ C when accumulate), op = transpose when the flag is set. Row-major with
// leading dimensions: A is stored [m,k] (or [k,m] transposed) with lda elements from row to row, and so on.
// m, n or k may be 0 (k == 0 gives zeros).
template <class T>
void gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b,
          int64_t ldb, T* c, int64_t ldc, bool accumulate);
// C[m,n] = A[m,k] * op(B)[k,n] + row[n] in each row: the linear layer.
template <class T>
void gemm_plus_row(bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b, int64_t ldb,
                   const T* row, T* c, int64_t ldc);
// For a B that many products share (the recurrent weights of a sequence, the output layer while decoding): pack()
// copies op(B)[k,n] once into the order in which gemm reads it, and gemm_packed() reads this copy. It gives the same
// bits as gemm for more than four rows (for fewer, gemm takes other ways). The layout depends on the instruction set in
// use, and so must not be stored in a file. Memory that is aligned to 64 bytes is fastest.
template <class T> int64_t packed_size(int64_t n, int64_t k);  // elements
template <class T> void pack(T* packed, bool transpose_b, int64_t n, int64_t k, const T* b, int64_t ldb);
// C[m,n] = A[m,k] * op(B)[k,n]  (+ C when accumulate)
template <class T>
void gemm_packed(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* packed, T* c, int64_t ldc,
                 bool accumulate);
// C[m,n] = A[m,k] * op(B)[k,n] + row[n] in each row
template <class T>
void gemm_packed_plus_row(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* packed, const T* row, T* c,
                          int64_t ldc);
// The textbook triple loop, kept as the reference that the fast one is tested against.
template <class T>
void naive_gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda,
                const T* b, int64_t ldb, T* c, int64_t ldc, bool accumulate);

// ---- index.cpp: x is [outer, n, inner]; indices have been checked ----------------------------------------
// Position of the first index outside 0 <= index < limit, or -1.
int64_t first_out_of_range(const int64_t* index, int64_t count, int64_t limit);
// y[o, j, i] = x[o, index[j], i], y is [outer, count, inner]. Also for int64_t and bool.
template <class T>
void index_select(T* y, const T* x, const int64_t* index, int64_t outer, int64_t n, int64_t inner, int64_t count);
// y[o, index[j], i] += x[o, j, i]; y is [outer, n, inner], x is [outer, count, inner]. Repeats add up, in order.
template <class T>
void index_add(T* y, const T* x, const int64_t* index, int64_t outer, int64_t n, int64_t inner, int64_t count);
// gather along the middle dim: index and y are [outer, count, inner], x is [x_outer, n, x_inner] where
// x_outer >= outer and x_inner >= inner are reached through the walk: y[p] = x[walk(p) + index[p] * n_stride].
// The walk has the shape of index, and input 0 has the strides of x with the gathered dim's stride set to 0. Also for
// int64_t and bool.
template <class T> void gather(T* y, const T* x, const int64_t* index, int64_t n_stride, const Walk& walk);
// y[walk(p) + index[p] * n_stride] += x[p]; x and index are contiguous. Repeats add up, in order.
template <class T> void scatter_add(T* y, const T* x, const int64_t* index, int64_t n_stride, const Walk& walk);

// ---- sort.cpp: rows of n, `count` elements in all --------------------------------------------------------
// y[row] = the positions in the row, in the order of its elements x; equal ones keep theirs, and NaN counts as the
// largest. Also for int64_t and bool.
template <class T> void argsort(int64_t* y, const T* x, int64_t count, int64_t n, bool descending);

}  // namespace autograd::kernels

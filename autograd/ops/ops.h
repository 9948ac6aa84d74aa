// The index of all ops: what each computes, with its shapes and errors. Names, arguments, defaults and meaning are
// PyTorch's. The headings name the files in which the ops and their derivatives are. Plain functions of these ops are
// in composites/composites.h.
//
// All of them throw undefined-tensor for a tensor without a value and dtype-mismatch for mixed dtypes. Differentiable
// ops refuse integers and booleans, unless "also int64" stands beside them: overflow wraps around there. To broadcast,
// dims are aligned at the last; sizes are equal, or one of them is 1.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

// ---- arithmetic (ops/arithmetic.cpp): elementwise with broadcasting ------------------------------------
Tensor add(const Operand& a, const Operand& b);      // a + b            (also int64)
Tensor sub(const Operand& a, const Operand& b);      // a - b            (also int64)
Tensor mul(const Operand& a, const Operand& b);      // a * b            (also int64)
Tensor div(const Operand& a, const Operand& b);      // a / b
Tensor pow(const Operand& a, const Operand& b);      // a ^ b; the gradient of b is 0 where a == 0 and b >= 0
Tensor maximum(const Operand& a, const Operand& b);  // at a tie each side gets half of the gradient  (also int64)
Tensor minimum(const Operand& a, const Operand& b);  // likewise

Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
Tensor operator/(const Operand& a, const Operand& b);
Tensor operator-(const Operand& x);

// ---- comparison and masks (ops/compare.cpp): boolean results but for the last two -----------------------------
Tensor operator==(const Operand& a, const Operand& b);
Tensor operator!=(const Operand& a, const Operand& b);
Tensor operator<(const Operand& a, const Operand& b);
Tensor operator<=(const Operand& a, const Operand& b);
Tensor operator>(const Operand& a, const Operand& b);
Tensor operator>=(const Operand& a, const Operand& b);
Tensor logical_and(const Tensor& a, const Tensor& b, Where where = Where::current());
Tensor logical_or(const Tensor& a, const Tensor& b, Where where = Where::current());
Tensor logical_not(const Tensor& x, Where where = Where::current());
Tensor operator!(const Operand& mask);  // logical_not
bool any(const Tensor& mask, Where where = Where::current());
bool all(const Tensor& mask, Where where = Where::current());
Tensor any(const Tensor& mask, Int dim, Flag keepdim = false, Where where = Where::current());
Tensor all(const Tensor& mask, Int dim, Flag keepdim = false, Where where = Where::current());
// All elements finite (neither NaN nor infinite)?
bool all_finite(const Tensor& x, Where where = Where::current());
// Same shape, dtype and values within |a - b| <= atol + rtol * |b|?
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, Where where = Where::current());
// condition ? a : b, all three broadcast. condition is boolean.
Tensor where(const Tensor& condition, const Operand& a, const Operand& b);
// value, a number or a tensor without dims, where mask is true, x elsewhere; mask broadcasts to x. Any dtype. x gets no
// gradient at the filled places; a tensor gets their sum.
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Operand& value);
// bad-length unless there is one length for each sequence of the batch, each from 1 to time. `asked` is named in the
// error.
void check_lengths(std::string_view asked, const std::vector<std::int64_t>& lengths, Int batch, Int time,
                   Where where = Where::current());
// [batch] lengths -> [batch, longest], or [batch, size] if a size is given; true where there is a token.
// Throws bad-length for a negative length or one beyond `size`.
Tensor length_mask(const std::vector<std::int64_t>& lengths, Int size = 0, Where where = Where::current());

// ---- functions of one number (ops/elementwise.cpp) -----------------------------------------------------
Tensor neg(const Tensor& x, Where where = Where::current());    // -x               (also int64)
Tensor exp(const Tensor& x, Where where = Where::current());    // e^x
Tensor log(const Tensor& x, Where where = Where::current());    // ln(x)
Tensor log1p(const Tensor& x, Where where = Where::current());  // ln(1 + x), exact near 0
Tensor sqrt(const Tensor& x, Where where = Where::current());   // x^(1/2)
Tensor abs(const Tensor& x, Where where = Where::current());    // |x|; gradient 0 at 0  (also int64)
Tensor sin(const Tensor& x, Where where = Where::current());
Tensor cos(const Tensor& x, Where where = Where::current());
Tensor tanh(const Tensor& x, Where where = Where::current());     // (e^x - e^-x) / (e^x + e^-x)
Tensor sigmoid(const Tensor& x, Where where = Where::current());  // 1 / (1 + e^-x)
Tensor relu(const Tensor& x, Where where = Where::current());     // max(x, 0); gradient 0 at 0  (also int64)
Tensor sign(const Tensor& x, Where where = Where::current());     // -1, 0 or 1; a step: never recorded  (also int64)
Tensor erf(const Tensor& x, Where where = Where::current());      // 2 / sqrt(pi) * integral from 0 to x of e^(-t^2)
Tensor square(const Tensor& x, Where where = Where::current());   // x * x           (also int64)
Tensor isnan(const Tensor& x, Where where = Where::current());    // a mask
// min(max(x, low), high); the gradient passes where low <= x <= high. Also int64.
Tensor clamp(const Tensor& x, double low = -std::numeric_limits<double>::infinity(),
             double high = std::numeric_limits<double>::infinity(), Where where = Where::current());

// ---- reductions (ops/reduce.cpp): over all elements, or over the named dims ----------------------------
// keepdim leaves the reduced dims in place with size 1. An empty list of dims means all of them. A tensor
// without dims accepts dim 0 and -1, except in narrow, select, slice, split and chunk.
Tensor sum(const Tensor& x, const Dims& dims = {}, Flag keepdim = false, Where where = Where::current());
Tensor mean(const Tensor& x, const Dims& dims = {}, Flag keepdim = false, Where where = Where::current());
// The variance, sum((x - mean)^2) / (n - correction). If the correction is above n, the value is infinite, but the
// derivative is still that of the formula.
Tensor var(const Tensor& x, const Dims& dims = {}, Correction correction = 1, Flag keepdim = false,
           Where where = Where::current());
// The largest and smallest, of any dtype; the gradient is shared equally among tied elements.
Tensor amax(const Tensor& x, const Dims& dims = {}, Flag keepdim = false, Where where = Where::current());
Tensor amin(const Tensor& x, const Dims& dims = {}, Flag keepdim = false, Where where = Where::current());
// The largest (smallest) along one dim and its position. The gradient goes to this position, the first of tied ones.
ValuesAndIndices max(const Tensor& x, Int dim, Flag keepdim = false, Where where = Where::current());
ValuesAndIndices min(const Tensor& x, Int dim, Flag keepdim = false, Where where = Where::current());
Tensor argmax(const Tensor& x, Int dim, Flag keepdim = false, Where where = Where::current());
Tensor argmin(const Tensor& x, Int dim, Flag keepdim = false, Where where = Where::current());
// log(sum(exp(x))) without overflow.
Tensor logsumexp(const Tensor& x, const Dims& dims, Flag keepdim = false, Where where = Where::current());
// y[i] = x[0] + ... + x[i] along dim; also int64, and of a mask it counts.
Tensor cumsum(const Tensor& x, Int dim, Where where = Where::current());

// ---- matrix products (ops/matmul.cpp) --------------------------------------------------------------------
// [.., m, k] x [.., k, n] -> [.., m, n]; the leading dims broadcast. A vector counts as a row on the left and
// as a column on the right, and that dim is dropped again.
Tensor matmul(const Tensor& a, const Tensor& b, Where where = Where::current());
// [batch, m, k] x [batch, k, n] -> [batch, m, n]
Tensor bmm(const Tensor& a, const Tensor& b, Where where = Where::current());
// x W^T + b: x [.., in], weight [out, in], bias [out] or undefined -> [.., out]
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = Tensor(), Where where = Where::current());

// ---- recurrent layers (ops/recurrent.cpp) ----------------------------------------------------------------
// One step of a GRU (nn/layers/gru.h), after its two matrix products a and b, [batch, 3 * hidden], cut into three
// parts:
//   r = sigmoid(a_r + b_r), z = sigmoid(a_z + b_z), n = tanh(a_n + r * b_n) -> (1 - z) * n + z * h, [batch, hidden]
Tensor gru_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden,
                 Where where = Where::current());
// One step of an LSTM (nn/layers/lstm.h), after its two matrix products: with s = a + b, [batch, 4 * hidden], cut into
// four parts, and the cell state c, [batch, hidden],
//   i, f, o = sigmoid(s_i), sigmoid(s_f), sigmoid(s_o), g = tanh(s_g), c' = f * c + i * g, h' = o * tanh(c')
// -> h' and c', [2, batch, hidden]. Throws shape-mismatch and dtype-mismatch, as the one above.
Tensor lstm_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& cell,
                  Where where = Where::current());

// The steps of a whole layer, in one direction (ops/recurrent_layer.cpp).
struct RecurrentLayerOptions {
  std::vector<std::int64_t> lengths = {};  // [batch], each from 1 to time; empty: all sequences have all steps
  bool reverse = false;                    // from the last step to the first
};
// A GRU: gru_gates() at each step, with from_hidden = h W_hh^T + b_hh. from_input [time, batch, 3 * hidden] is the
// product of all inputs, x W_ih^T + b_ih; initial [batch, hidden]; weight_hh [3 * hidden, hidden]; bias_hh [3 * hidden]
// or undefined -> all states, [time + 1, batch, hidden], in the order of time: step t leads from states[t] to
// states[t + 1] or, in reverse, from states[t + 1] to states[t]. Beyond its length a sequence's state stays as it is,
// whatever from_input holds there. Throws shape-mismatch, dtype-mismatch and bad-length.
Tensor gru_layer(const Tensor& from_input, const Tensor& initial, const Tensor& weight_hh,
                 const Tensor& bias_hh = Tensor(), const RecurrentLayerOptions& options = {},
                 Where where = Where::current());
// An LSTM, likewise, with 4 in place of 3: h and c, [2, time + 1, batch, hidden].
Tensor lstm_layer(const Tensor& from_input, const Tensor& initial_hidden, const Tensor& initial_cell,
                  const Tensor& weight_hh, const Tensor& bias_hh = Tensor(), const RecurrentLayerOptions& options = {},
                  Where where = Where::current());

// ---- attention (ops/additive_score.cpp) -----------------------------------------------------------------------
// v . tanh(query + key) for each pair, the scores of additive attention (Bahdanau et al. 2015, appendix A.1.2):
// query [batch, n] or [batch, queries, n], keys [batch, source, n], v [n] or [1, n]
// -> [batch, source] or [batch, queries, source]. As one op, it makes no tensor of all pairs.
Tensor additive_score(const Tensor& query, const Tensor& keys, const Tensor& v, Where where = Where::current());

// ---- softmax (ops/softmax.cpp) ---------------------------------------------------------------------------
Tensor softmax(const Tensor& x, Int dim, Where where = Where::current());      // e^x / sum(e^x)
Tensor log_softmax(const Tensor& x, Int dim, Where where = Where::current());  // x - logsumexp(x)
// softmax over the last dim among the places where mask is true, exactly 0 at the others. A row with no true
// place has the defined result 0 everywhere and gradient 0, never NaN (softmax of a row of -inf is NaN, as in
// PyTorch). mask is boolean and broadcasts to x.
Tensor masked_softmax(const Tensor& x, const Tensor& mask, Where where = Where::current());

// ---- shape (ops/shape.cpp) -------------------------------------------------------------------------------
// Views on the same memory:
Tensor transpose(const Tensor& x, Int dim0, Int dim1, Where where = Where::current());
Tensor t(const Tensor& x, Where where = Where::current());                           // of a matrix
Tensor permute(const Tensor& x, const Dims& dims, Where where = Where::current());   // y's dim i is x's dim dims[i]
Tensor squeeze(const Tensor& x, Int dim, Where where = Where::current());            // drops a dim of size 1
Tensor unsqueeze(const Tensor& x, Int dim, Where where = Where::current());          // inserts a dim of size 1
Tensor expand(const Tensor& x, const Shape& shape, Where where = Where::current());  // repeats size 1; -1 keeps a size
Tensor view(const Tensor& x, const Shape& shape,
            Where where = Where::current());  // contiguous x only; one size may be -1
// A view where x is contiguous, or has this shape; otherwise a copy.
Tensor reshape(const Tensor& x, const Shape& shape, Where where = Where::current());
Tensor flatten(const Tensor& x, Int start_dim = 0, Int end_dim = -1, Where where = Where::current());
// Copies:
Tensor clone(const Tensor& x, Where where = Where::current());
Tensor contiguous(const Tensor& x, Where where = Where::current());  // x itself if it is contiguous already
Tensor to(const Tensor& x, DType dtype, Where where = Where::current());
Tensor flip(const Tensor& x, const Dims& dims, Where where = Where::current());
// An empty list, [0], may be joined to anything.
Tensor cat(const std::vector<Tensor>& tensors, Int dim = 0, Where where = Where::current());
Tensor stack(const std::vector<Tensor>& tensors, Int dim = 0, Where where = Where::current());

// ---- slices (ops/slice.cpp): views -------------------------------------------------------------------------
Tensor narrow(const Tensor& x, Int dim, Int start, Int length, Where where = Where::current());
Tensor select(const Tensor& x, Int dim, Int index, Where where = Where::current());  // drops the dim
Tensor slice(const Tensor& x, Int dim, Slice slice, Where where = Where::current());
// Pieces of split_size along dim, the last one maybe smaller.
std::vector<Tensor> split(const Tensor& x, Int split_size, Int dim = 0, Where where = Where::current());
std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, Int dim = 0,
                          Where where = Where::current());
// At most `chunks` pieces of equal size along dim, the last one maybe smaller.
std::vector<Tensor> chunk(const Tensor& x, Int chunks, Int dim = 0, Where where = Where::current());
// Zeros of `shape` with `source` at the places that slice(.., dim, start, .., step) reads: the slice's derivative.
Tensor slice_backward(const Tensor& source, const Shape& shape, Int dim, Int start, Int step,
                      Where where = Where::current());

// ---- picking by index (ops/gather.cpp): index tensors are int64 -----------------------------------------------
// y[i][j][k] = x[index[i][j][k]][j][k] for dim 0, and so on; index has x's number of dims.
Tensor gather(const Tensor& x, Int dim, const Tensor& index, Where where = Where::current());
// x with source added: y[index[i][j][k]][j][k] += source[i][j][k] for dim 0; repeats add up. Also int64.
Tensor scatter_add(const Tensor& x, Int dim, const Tensor& index, const Tensor& source, Where where = Where::current());
// The slices of x along dim at the positions in index [n].
Tensor index_select(const Tensor& x, Int dim, const Tensor& index, Where where = Where::current());
// x with the slices of source added at the positions in index [n] along dim; repeats add up. Also int64.
Tensor index_add(const Tensor& x, Int dim, const Tensor& index, const Tensor& source, Where where = Where::current());
// Rows of weight [vocabulary, features] by ids [..] -> [.., features]. The row padding_idx gets no gradient.
// Throws token-out-of-range.
Tensor embedding(const Tensor& weight, const Tensor& ids, std::optional<Int> padding_idx = std::nullopt,
                 Where where = Where::current());
// int64 [..] -> int64 [.., num_classes], 1 at each id; num_classes -1: the largest id + 1. Throws token-out-of-range.
Tensor one_hot(const Tensor& ids, Int num_classes = -1, Where where = Where::current());

// ---- dropout (ops/dropout.cpp) -------------------------------------------------------------------------------
// In training: each element is 0 with probability p, else scaled by 1 / (1 - p); x itself otherwise. Draws from
// the default generator (random.h).
Tensor dropout(const Tensor& x, double p = 0.5, Flag training = true, Where where = Where::current());

// ---- losses (ops/loss.cpp) -----------------------------------------------------------------------------------
enum class Reduction { none, sum, mean };

struct NllOptions {
  Tensor weight = Tensor();               // [classes], or undefined for all ones
  std::int64_t ignore_index = -100;       // targets with this id count for nothing
  Reduction reduction = Reduction::mean;  // mean: divided by the weights of the targets that count
};
struct CrossEntropyOptions {
  Tensor weight = Tensor();
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::mean;
  double label_smoothing = 0.0;  // in [0, 1]: that share of the target is spread over all classes
};
// mean((input - target)^2)
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::mean,
                Where where = Where::current());
// -weight[target] * log_probs[target]: log_probs [batch, classes] or [batch, classes, ..], target int64 [batch]
// or [batch, ..]. The mean over no counted target is NaN, as in PyTorch. Throws token-out-of-range.
Tensor nll_loss(const Tensor& log_probs, const Tensor& target, const NllOptions& options = {},
                Where where = Where::current());
// nll_loss(log_softmax(logits, 1), target), with label smoothing; shapes as nll_loss.
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options = {},
                     Where where = Where::current());

}  // namespace autograd

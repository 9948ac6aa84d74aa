// Tensor: a handle to an n-dimensional array of float32, float64, int64 or boolean elements, and to its place in the
// graph. Copying a Tensor copies the handle; clone() copies the elements.
//
// Views (transpose, slices, expand, ...) share memory with the tensor they were made from.
// A tensor, its views and their graph belong to one thread at a time; they may be handed over.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/memory/ref.h"
#include "autograd/tensor/arguments.h"
#include "autograd/tensor/dtype.h"
#include "autograd/tensor/shape.h"
#include "autograd/tensor/storage.h"
#include "autograd/tensor/where.h"

namespace autograd {

class Tensor;
class Node;
class Operand;
class Index;
struct Slice;
struct TensorImpl;
void release(TensorImpl* impl);

// Called with the complete gradient of a tensor when backward() reaches it. A returned tensor replaces the gradient; an
// undefined one leaves the gradient as it is. To change it in place is an error.
using TensorHook = std::function<Tensor(const Tensor& gradient)>;

struct BackwardOptions {
  // Let go of each node once it has run: memory use falls during the pass, and the graph cannot be used again.
  bool release_graph = false;
};

// What max, min, sort and topk find along a dim: the values, and their positions.
struct ValuesAndIndices;

class Tensor {
 public:
  Tensor() = default;  // undefined: every use but defined() is an error
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  // x = y makes the handle x refer to the tensor y. Assigning to a temporary handle, as in x[0] = y, would do nothing,
  // and so it does not compile; x[0].copy_(y) writes into the memory of x.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & = default;
  ~Tensor() = default;

  bool defined() const { return static_cast<bool>(impl_); }

  // ---- what it is --------------------------------------------------------------------------------
  const Shape& shape(Where where = Where::current()) const;
  std::int64_t size(Int dim, Where where = Where::current()) const;  // negative: from the end
  int dim(Where where = Where::current()) const { return shape(where).dim(); }
  std::int64_t numel(Where where = Where::current()) const;
  DType dtype(Where where = Where::current()) const;
  const Strides& strides(Where where = Where::current()) const;  // in elements
  bool is_contiguous(Where where = Where::current()) const;      // row-major without gaps
  std::string name() const;                                      // as set; "" otherwise
  const Tensor& set_name(std::string name) const;

  // ---- the elements ------------------------------------------------------------------------------
  // The only element, as double or any arithmetic type. Throws not-a-scalar, and dtype-mismatch for an integer type
  // that cannot hold it: NaN, or a number out of its range. A fraction is cut.
  template <class T = double> T item(Where where = Where::current()) const {
    if constexpr (WholeNumber<T>) {
      constexpr std::uint64_t highest = std::min<std::uint64_t>(std::numeric_limits<T>::max(), INT64_MAX);
      return static_cast<T>(item_as_int64(std::numeric_limits<T>::min(), std::int64_t(highest), where));
    } else {
      return static_cast<T>(item_as_double(where));
    }
  }
  // One element by its index, one number per dim (negative: from the end).
  double at(std::initializer_list<std::int64_t> index, Where where = Where::current()) const;
  // Every element in row-major order, converted to T.
  template <class T = double> std::vector<T> to_vector(Where where = Where::current()) const;
  // The first element in memory; T must be the dtype. The others follow in row-major order if the tensor is contiguous.
  // Writing through the pointer does not count as a change in place.
  template <class T> T* data_ptr(Where where = Where::current()) const;

  // ---- gradients (here and in tape/gradients.cpp; backward() in tape/backward.cpp) ---------
  // A leaf is a tensor that no recorded op made: a parameter or an input.
  bool is_leaf() const;
  bool requires_grad() const;
  // Asks for gradients with respect to this leaf. Floating point only.
  const Tensor& requires_grad_(Flag requires_grad = true, Where where = Where::current()) const;
  // The gradient, summed over all backward() calls since zero_grad(); undefined before the first. Throws
  // no-gradient for a tensor in the middle of the graph that was not asked to retain_grad().
  Tensor grad(Where where = Where::current()) const;
  // Keeps a copy of the values. An undefined tensor removes the gradient.
  void set_grad(const Tensor& gradient, Where where = Where::current()) const;
  void zero_grad() const;  // forgets the gradient, as PyTorch's set_to_none=True
  const Tensor& retain_grad(Where where = Where::current()) const;
  // Returns a number for remove_hook().
  int register_hook(TensorHook hook, Where where = Where::current()) const;
  void remove_hook(int hook) const;
  // The op that made this tensor, or nullptr for a leaf.
  Node* grad_fn() const;
  // Is `other` a handle to the same tensor, as Python's `is`?
  bool is_same(const Tensor& other) const { return impl_.get() == other.impl_.get(); }
  // A tensor on the same memory, outside the graph.
  Tensor detach(Where where = Where::current()) const;

  // Computes d(this)/d(leaf) for every leaf that this tensor depends on, and adds it to the leaf's grad().
  // `gradient` is dL/d(this); it may be left out for a single element, where it is 1.
  // Never records a graph; grad() with create_graph does (backward.h).
  void backward(const Tensor& gradient = Tensor(), BackwardOptions options = {}, Where where = Where::current()) const;
  void backward(BackwardOptions options, Where where = Where::current()) const;

  // ---- changes in place (ops/in_place.cpp) ----------------------------------------------------------
  // Each makes a new version of the memory. Throws in-place-on-leaf for a leaf that requires gradients (unless under
  // NoGradGuard), and in-place-on-view where other tensors would change without their graph knowing.
  const Tensor& add_(const Operand& other, double alpha = 1.0) const;  // += alpha * other
  const Tensor& sub_(const Operand& other, double alpha = 1.0) const;
  const Tensor& mul_(const Operand& other) const;
  const Tensor& div_(const Operand& other) const;
  // x += y is x.add_(y), as in PyTorch: it writes into the memory of x. Views and other handles of x change too, and
  // x[0] += y changes x. (x = x + y makes a new tensor.)
  Tensor operator+=(const Operand& other) const { return add_(other); }
  Tensor operator-=(const Operand& other) const { return sub_(other); }
  Tensor operator*=(const Operand& other) const { return mul_(other); }
  Tensor operator/=(const Operand& other) const { return div_(other); }
  const Tensor& copy_(const Tensor& source, Where where = Where::current()) const;
  const Tensor& fill_(double value, Where where = Where::current()) const;
  const Tensor& zero_(Where where = Where::current()) const;
  const Tensor& set_(std::initializer_list<std::int64_t> index, double value, Where where = Where::current()) const;
  // this += alpha * a * b, and this += alpha * a / b.
  const Tensor& addcmul_(const Tensor& a, const Tensor& b, double alpha = 1.0, Where where = Where::current()) const;
  const Tensor& addcdiv_(const Tensor& a, const Tensor& b, double alpha = 1.0, Where where = Where::current()) const;

  // ---- ops, as methods: see ops.h for what each computes -------------------------------------------
  Tensor add(const Operand& other) const;
  Tensor sub(const Operand& other) const;
  Tensor mul(const Operand& other) const;
  Tensor div(const Operand& other) const;
  Tensor pow(const Operand& exponent) const;
  Tensor square(Where where = Where::current()) const;
  Tensor neg(Where where = Where::current()) const;
  Tensor exp(Where where = Where::current()) const;
  Tensor log(Where where = Where::current()) const;
  Tensor log1p(Where where = Where::current()) const;
  Tensor sqrt(Where where = Where::current()) const;
  Tensor abs(Where where = Where::current()) const;
  Tensor sin(Where where = Where::current()) const;
  Tensor cos(Where where = Where::current()) const;
  Tensor erf(Where where = Where::current()) const;
  Tensor tanh(Where where = Where::current()) const;
  Tensor sigmoid(Where where = Where::current()) const;
  Tensor relu(Where where = Where::current()) const;
  Tensor clamp(double low, double high = std::numeric_limits<double>::infinity(), Where where = Where::current()) const;
  Tensor isnan(Where where = Where::current()) const;
  bool any(Where where = Where::current()) const;
  bool all(Where where = Where::current()) const;
  Tensor any(Int dim, Flag keepdim = false, Where where = Where::current()) const;
  Tensor all(Int dim, Flag keepdim = false, Where where = Where::current()) const;
  Tensor masked_fill(const Tensor& mask, const Operand& value) const;
  Tensor sum(const Dims& dims = {}, Flag keepdim = false, Where where = Where::current()) const;
  Tensor mean(const Dims& dims = {}, Flag keepdim = false, Where where = Where::current()) const;
  Tensor var(const Dims& dims = {}, Correction correction = 1, Flag keepdim = false,
             Where where = Where::current()) const;
  // sqrt(var(x)); where that is 0, so is the gradient. A method only, because `std` is a namespace.
  Tensor std(const Dims& dims = {}, Correction correction = 1, Flag keepdim = false,
             Where where = Where::current()) const;
  Tensor norm(double p = 2.0, const Dims& dims = {}, Flag keepdim = false, Where where = Where::current()) const;
  Tensor prod(Where where = Where::current()) const;
  Tensor prod(Int dim, Flag keepdim = false, Where where = Where::current()) const;
  Tensor cumsum(Int dim, Where where = Where::current()) const;
  Tensor amax(const Dims& dims = {}, Flag keepdim = false, Where where = Where::current()) const;
  Tensor amin(const Dims& dims = {}, Flag keepdim = false, Where where = Where::current()) const;
  Tensor max(Where where = Where::current()) const;
  ValuesAndIndices max(Int dim, Flag keepdim = false, Where where = Where::current()) const;
  Tensor min(Where where = Where::current()) const;
  ValuesAndIndices min(Int dim, Flag keepdim = false, Where where = Where::current()) const;
  Tensor argmax(Where where = Where::current()) const;
  Tensor argmax(Int dim, Flag keepdim = false, Where where = Where::current()) const;
  Tensor argmin(Where where = Where::current()) const;
  Tensor argmin(Int dim, Flag keepdim = false, Where where = Where::current()) const;
  ValuesAndIndices sort(Int dim = -1, Flag descending = false, Where where = Where::current()) const;
  Tensor argsort(Int dim = -1, Flag descending = false, Where where = Where::current()) const;
  ValuesAndIndices topk(Int k, Int dim = -1, Flag largest = true, Where where = Where::current()) const;
  Tensor logsumexp(const Dims& dims, Flag keepdim = false, Where where = Where::current()) const;
  Tensor matmul(const Tensor& other, Where where = Where::current()) const;
  Tensor bmm(const Tensor& other, Where where = Where::current()) const;
  Tensor softmax(Int dim, Where where = Where::current()) const;
  Tensor log_softmax(Int dim, Where where = Where::current()) const;
  Tensor t(Where where = Where::current()) const;  // of a matrix
  Tensor transpose(Int dim0, Int dim1, Where where = Where::current()) const;
  Tensor permute(const Dims& dims, Where where = Where::current()) const;
  Tensor reshape(const Shape& shape, Where where = Where::current()) const;
  Tensor view(const Shape& shape, Where where = Where::current()) const;
  Tensor flatten(Int start_dim = 0, Int end_dim = -1, Where where = Where::current()) const;
  Tensor squeeze(Where where = Where::current()) const;
  Tensor squeeze(Int dim, Where where = Where::current()) const;
  Tensor unsqueeze(Int dim, Where where = Where::current()) const;
  Tensor expand(const Shape& shape, Where where = Where::current()) const;
  Tensor repeat(const Shape& repeats, Where where = Where::current()) const;
  Tensor flip(const Dims& dims, Where where = Where::current()) const;
  Tensor tril(Int diagonal = 0, Where where = Where::current()) const;
  Tensor triu(Int diagonal = 0, Where where = Where::current()) const;
  Tensor contiguous(Where where = Where::current()) const;
  Tensor clone(Where where = Where::current()) const;
  Tensor to(DType dtype, Where where = Where::current()) const;
  Tensor narrow(Int dim, Int start, Int length, Where where = Where::current()) const;
  Tensor select(Int dim, Int index, Where where = Where::current()) const;
  Tensor index(std::initializer_list<Index> indices, Where where = Where::current()) const;
  Tensor operator[](Index index) const;  // x[i]: the i-th slice of the first dim
  std::vector<Tensor> split(Int split_size, Int dim = 0, Where where = Where::current()) const;
  std::vector<Tensor> chunk(Int chunks, Int dim = 0, Where where = Where::current()) const;
  Tensor gather(Int dim, const Tensor& index, Where where = Where::current()) const;
  Tensor index_select(Int dim, const Tensor& index, Where where = Where::current()) const;

  // ---- for the engine itself -------------------------------------------------------------------------
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}
  TensorImpl* impl() const { return impl_.get(); }

 private:
  const TensorImpl& defined_impl(const char* asked, Where where = {}) const;  // throws undefined-tensor
  double item_as_double(Where where) const;
  std::int64_t item_as_int64(std::int64_t lowest, std::int64_t highest, Where where) const;
  Ref<TensorImpl> impl_;
};

struct ValuesAndIndices {
  Tensor values;
  Tensor indices;  // int64, no gradient
};

// An operand of +, -, *, /, of a comparison and of the named functions that take numbers too: a tensor, or a
// number that takes on the other operand's dtype. It captures the user's line, which an operator could not.
class Operand {
 public:
  Operand(const Tensor& tensor, Where where = Where::current()) : tensor_(&tensor), where_(where) {}
  Operand(double number, Where where = Where::current()) : number_(number), where_(where) {}

  bool is_tensor() const { return tensor_ != nullptr; }
  const Tensor& tensor() const { return *tensor_; }
  double number() const { return number_; }
  Where where() const { return where_; }
  // The tensor itself, or the number as a tensor without dims, which lives as long as the operand.
  const Tensor& as_tensor(DType dtype) const { return tensor_ ? *tensor_ : number_as_tensor(dtype); }

 private:
  const Tensor& number_as_tensor(DType dtype) const;
  const Tensor* tensor_ = nullptr;
  double number_ = 0.0;
  mutable Tensor number_tensor_;  // made when asked for
  Where where_;
};

// Python's start:stop:step. Negative positions count from the end; a position beyond the end is cut off there.
struct Slice {
  static constexpr std::int64_t to_end = INT64_MAX;
  std::int64_t start = 0;
  std::int64_t stop = to_end;
  std::int64_t step = 1;  // positive
};

// One position in x.index({...}): a number, a Slice, all() for ":", ellipsis() for "...", new_axis() for
// None, or an int64 tensor of positions (at most one per index).
class Index {
 public:
  enum class Kind { number, slice, ellipsis, new_axis, tensor };
  template <WholeNumber Position>
  Index(Position at, Where place = Where::current())
      : kind(Kind::number), number(static_cast<std::int64_t>(at)), where(place) {}
  Index(Slice range, Where place = Where::current()) : kind(Kind::slice), slice(range), where(place) {}
  Index(const Tensor& list, Where place = Where::current()) : kind(Kind::tensor), positions(list), where(place) {}
  static Index all(Where place = Where::current()) { return Index(Slice{}, place); }
  static Index ellipsis(Where place = Where::current()) { return Index(Kind::ellipsis, place); }
  static Index new_axis(Where place = Where::current()) { return Index(Kind::new_axis, place); }

  Kind kind;
  std::int64_t number = 0;
  Slice slice;
  Tensor positions;
  Where where;

 private:
  Index(Kind special, Where place) : kind(special), where(place) {}
};

}  // namespace autograd

#include "autograd/tensor/tensor_impl.h"  // what the accessors look into

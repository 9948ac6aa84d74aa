// What the tests of the debuggers' printers and the tape look at: one of everything that they show. The tests stop in
// look_here(), where everything is in global variables: in memory, whatever the compiler has optimised away.

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "autograd/autograd.h"
#include "autograd/tape/node.h"
#include "autograd/tape/record.h"

using autograd::float32;
using autograd::float64;
using autograd::Tensor;

// y = x^3        dx = dy * 3 * x^2
//
// An op of the program's own: the debug information of the engine's ops is not there in a Release build.
struct Cube final : autograd::Node {
  static constexpr autograd::OpText text{"cube", "y = x^3", "dx = dy * 3 * x^2"};
  autograd::Saved x;
  autograd::Dims dims{0, 1};
  int exponent = 3;

  static Tensor apply(const Tensor& x, autograd::Where where = autograd::Where::current());
  Tensor forward(const autograd::Inputs& in) const override { return apply(in[0]); }
  autograd::Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    return {dy * 3.0 * x_ * x_};
  }
};

Tensor Cube::apply(const Tensor& x, autograd::Where where) {
  const Tensor values = x.detach();
  Tensor y = values * values * values;
  if (auto* node = autograd::record<Cube>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

namespace shown {

// ---- tensors
Tensor undefined, scalar, weight, bias, hidden, loss, frozen;
Tensor transposed, every_second, repeated, row, empty, large, deep, ids, mask, single, odd;
const Tensor* handle = &weight;

// ---- memory that holds no tensor
alignas(Tensor) std::array<unsigned char, sizeof(Tensor)> garbage_bytes{}, unmapped_bytes{}, freed_bytes{};
const Tensor& garbage = reinterpret_cast<const Tensor&>(garbage_bytes);
const Tensor& unmapped = reinterpret_cast<const Tensor&>(unmapped_bytes);
const Tensor& freed = reinterpret_cast<const Tensor&>(freed_bytes);
const autograd::Node* freed_node = nullptr;
alignas(64) std::array<unsigned char, sizeof(autograd::TensorImpl)> not_an_impl{};
alignas(64) std::array<unsigned char, sizeof(Cube)> not_a_node{};
const Cube& garbage_node = reinterpret_cast<const Cube&>(not_a_node);

// ---- the graph
const Cube* cube = nullptr;
const autograd::Node* node = nullptr;
autograd::Saved overwritten;
autograd::Inputs inputs, four_inputs, no_inputs;
autograd::Ref<autograd::Node> node_handle, no_node;
autograd::Ref<autograd::Storage> storage;
autograd::Ref<autograd::Scope> scope;
autograd::Where place, nowhere;
autograd::Shape shape{2, 3};
autograd::Dims dims{-1};
autograd::Shape broken_shape;
autograd::DType dtype = float64;
autograd::Operand number(1.5);

}  // namespace shown

void make_tensors() {
  using namespace shown;
  scalar = autograd::tensor(0.5, float64);
  transposed = autograd::tensor({{1, 2, 3}, {4, 5, 6}}, float64).t();
  every_second = autograd::arange(10, float64).index({autograd::Slice{1, 10, 2}});
  repeated = autograd::tensor({{1}, {2}}, float64).expand({2, 3});
  row = autograd::tensor({{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}, float64).index({1});
  empty = autograd::zeros({0, 3});
  large = autograd::arange(2000, float64).reshape({40, 50});
  deep = autograd::arange(256, float64).reshape({2, 2, 4, 4, 4}).permute({4, 0, 2, 1, 3});
  ids = autograd::tensor({7, 8, 9}, autograd::int64);
  mask = autograd::tensor({1, 0, 1}, float64) == 1.0;
  single = autograd::tensor({0.1, -2.5, 1e30, 3e-7, 5.0}, float32);
  constexpr double inf = std::numeric_limits<double>::infinity();
  odd = autograd::tensor({inf, -inf, std::numeric_limits<double>::quiet_NaN(), -0.0, 0.0}, float64);
  frozen = autograd::tensor({1, 2}, float64).set_name("frozen");
}

// A loss with modules and steps, differentiated once; then a value is overwritten that the graph still needs.
void make_graph() {
  using namespace shown;
  weight = autograd::tensor({{1, 2, 3}, {-1, 0, 1}}, float64).requires_grad_().set_name("encoder.weight");
  bias = autograd::tensor({0.5, -0.5, 0}, float64).requires_grad_().set_name("encoder.bias");
  {
    const autograd::ScopeGuard encoder("encoder", autograd::Where::current());
    const autograd::ScopeGuard rnn("rnn", autograd::Where::current());
    const autograd::StepScope step(3);
    hidden = Cube::apply(weight);
    scope = autograd::current_scope();
  }
  const Tensor sum = hidden + bias;
  const Tensor halves = sum * 0.5;
  halves.set_name("halves");
  loss = halves.sum();
  loss.backward();
  cube = static_cast<const Cube*>(hidden.grad_fn());
  node = loss.grad_fn();
  node_handle = autograd::gradient_node(halves);
  inputs = {weight, scalar};
  four_inputs = {scalar, bias, undefined, frozen};

  const Tensor kept = autograd::tensor({1, 2}, float64);
  overwritten = node->save(kept);
  kept.add_(1.0);
  storage = kept.impl()->storage;
  place = autograd::Where::current();
}

void make_what_is_no_tensor() {
  using namespace shown;
  {
    const Tensor gone = autograd::tensor({1, 2, 3}, float64).requires_grad_();
    const Tensor product = gone * 2.0;
    freed_node = product.grad_fn();
    std::memcpy(freed_bytes.data(), &gone, sizeof(gone));
  }
  const void* impl = not_an_impl.data();
  std::memcpy(garbage_bytes.data(), &impl, sizeof(impl));
  std::memset(not_an_impl.data(), 0x5a, not_an_impl.size());
  std::memset(not_a_node.data(), 0x5a, not_a_node.size());
  const std::uintptr_t nothing_there = 64;
  std::memcpy(unmapped_bytes.data(), &nothing_there, sizeof(nothing_there));
  broken_shape.truncate(1000000);
}

[[gnu::noinline]] void look_here() {
  asm volatile("" ::: "memory");  // not to be optimised away
}

int main() {
  make_tensors();
  make_graph();
  make_what_is_no_tensor();
  look_here();
}

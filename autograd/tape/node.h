// Node: one operation of the user's program and its derivative. The nodes, each of which holds the nodes of its
// inputs, are the tape: backward() visits them in the reverse of the order in which the program ran them.
//
// An op is one struct derived from Node and one function, side by side in a file of ops/:
//
//   struct Tanh final : Node {
//     static constexpr OpText text{"tanh", "y = tanh(x)", "dx = dy * (1 - y^2)"};
//     Saved y;
//
//     Tensor forward(const Inputs& x) const override { return tanh(x[0]); }
//     Grads backward(const Tensor& dy) override {
//       const Tensor y_ = use(y);
//       return {dy * (1.0 - y_ * y_)};
//     }
//   };
//   Tensor tanh(const Tensor& x, Where where) {
//     Tensor y = ...;                                              // the numbers, from a kernel
//     if (auto* node = record<Tanh>(y, {&x}, where)) node->y = node->save(y);
//     return y;
//   }
//
// docs/adding-an-op.md goes through it step by step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/memory/recycler.h"
#include "autograd/memory/small_vector.h"
#include "autograd/tape/mode.h"
#include "autograd/tensor/scope.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// What an op is called and what it computes, for error messages, debuggers and the docs.
struct OpText {
  const char* name;                  // as the user calls it: "softmax"
  const char* formula;               // "y = softmax(x)"
  const char* derivative;            // "dx = y * (dy - sum(y * dy))"
  const char* not_finite = nullptr;  // what to do about a NaN or an infinity that it makes, if there is much to say
};

// How an op's output depends on its inputs. An instrument asks for the kind, never for the name, so that an op of your
// own is treated like ours: `static constexpr OpKind kind = OpKind::elementwise;`
enum class OpKind {
  general,      // nothing is known: an instrument finds out by running backward()
  elementwise,  // each element on those at its place in the inputs, which broadcast
  filling,      // likewise, but elements may be replaced by a number that was given
  product,      // sums of products along the last dim of the first input
};

struct OpInfo {
  OpText text;
  bool broadcasts;  // its gradients may be larger than the inputs; the engine sums them over the repeated dims
  OpKind kind = OpKind::general;
  bool piecewise = false;  // of linear pieces: its slopes jump from one to the next
};

using Inputs = SmallVector<Tensor, 3>;  // the inputs of one op
using Grads = SmallVector<Tensor, 3>;   // one gradient per input; undefined where none flows

// A value kept for the derivative, with the version that its memory had, so that use() notices when it was overwritten.
class Saved {
 public:
  Saved() = default;
  bool defined() const { return value_.defined(); }

 private:
  friend class Node;
  Tensor value_;
  std::uint32_t version_ = 0;
  bool is_output_ = false;  // kept detached: a node and an output that own each other would never be freed

  Saved(Tensor value, bool is_output)
      : value_(std::move(value)), version_(value_.impl()->storage->version), is_output_(is_output) {}
};

class Pass;  // one run of backward() or grad()

class Node : public OwnedNode {
 public:
  // The gradients with respect to the inputs, given `dy`, the gradient with respect to the output, which has the
  // output's shape and dtype. Written in tensor ops, so that it can be differentiated again. Must not change dy in
  // place.
  virtual Grads backward(const Tensor& dy) = 0;

  // Runs the op once more, on other inputs but with this node's arguments: for gradient checks and the debugger.
  virtual Tensor forward(const Inputs& x) const = 0;

  // The elements [first, last) of an input that get no gradient on purpose, though the output changes with them.
  virtual std::pair<std::int64_t, std::int64_t> without_gradient(std::size_t input) const {
    (void)input;
    return {0, 0};
  }

  bool is_leaf() const { return leaf; }

  // Does the i-th input need a gradient? If not, backward() may skip the work. (While grad() runs, only those
  // that lead to what was asked for need one.)
  bool needs(std::size_t input) const;

  // Keeps an input or the output for backward(). A tensor that only the node can reach may be a plain member instead.
  Saved save(const Tensor& value) const {
    return value.impl()->grad_fn.get() == this ? Saved(value.detach(Where{}), true) : Saved(value, false);
  }
  // The kept value. Throws in-place-clobber if it has been overwritten, undefined-tensor if it was never kept.
  Tensor use(const Saved& saved) const {
    if (!saved.defined()) fail_not_saved();
    if (saved.value_.impl()->storage->version != saved.version_) fail_clobbered(saved.value_, saved.is_output_);
    return saved.is_output_ && grad_enabled() ? reattach(saved) : saved.value_;
  }

  const char* name() const { return op->text.name; }
  const Shape& input_shape(std::size_t input = 0) const {
    return inputs[input]->shape;
  }  // of one that needs a gradient

  // ---- what record() fills in: read by backward() and by instruments, changed by the tape alone ----
  DType dtype = float32;             // of the output
  bool leaf = false;                 // a Leaf: no op made its tensor
  bool released = false;             // by {.release_graph = true}: cannot be differentiated again
  Shape shape;                       // of the output
  SmallVector<Ref<Node>, 3> inputs;  // the node of each input; none where no gradient is needed
  const OpInfo* op = nullptr;
  std::uint64_t number = 0;             // position in the order in which the program ran
  Where called_at;                      // the line that called the op
  Ref<Scope> scope;                     // the module call that it ran in
  const OpInfo* backward_of = nullptr;  // for a node made while differentiating: the op differentiated

  // ---- used while a backward pass runs ----
  union {
    Pass* pass = nullptr;
    Node* next_to_free;  // while it waits to be freed; with 8 bytes more, most nodes would take a third more memory
  };
  Tensor gradient;  // the sum of the contributions that have arrived so far

  // What few nodes have.
  struct Attachments {
    Ref<TensorMeta> output_meta;                    // the output's name, gradient and hooks
    std::vector<std::shared_ptr<const void>> kept;  // by instruments, until the node is freed
  };
  std::unique_ptr<Attachments> attachments;
  Attachments& attach();

  // The saved output, attached to the graph again, so that a second derivative flows through it.
  Tensor reattach(const Saved& output) const;
  [[noreturn]] void fail_clobbered(const Tensor& saved, bool is_output) const;
  [[noreturn]] void fail_not_saved() const;

  static void* operator new(std::size_t bytes) { return recycler::allocate(bytes); }
  // `bytes` is the size of the derived struct, because the destructor is virtual.
  static void operator delete(void* block, std::size_t bytes) { recycler::deallocate(block, bytes); }
};

// Leaf: the node of a tensor that no op made, such as a parameter. Its backward() adds the gradient to tensor.grad():
// here gradients leave the graph. A tensor has one Leaf at most, shared by all graphs that use it.
class Leaf final : public Node {
 public:
  static constexpr OpText text{"leaf", "y = x", "x.grad += dy"};
  explicit Leaf(const Tensor& x);
  ~Leaf() override;

  Tensor forward(const Inputs& x) const override { return x[0]; }
  Grads backward(const Tensor& dy) override;

  Tensor tensor;
};

// The node of the op that made this tensor, or nullptr.
inline Node* node_of(const TensorImpl& impl) {
  return static_cast<Node*>(impl.grad_fn.get());
}
// The node at which gradients with respect to this tensor arrive: the op that made it, or its Leaf, made on first use.
// No node if the tensor needs no gradient.
Ref<Node> gradient_node(const Tensor& tensor);

}  // namespace autograd

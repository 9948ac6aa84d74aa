// Module: a part of a model, with its parameters, buffers and child modules, each under a name.
//
//   struct Classifier : nn::Module {
//     nn::Linear hidden;
//     nn::Linear output;
//
//     Classifier() : hidden({.in_features = 8, .out_features = 16}), output({.in_features = 16, .out_features = 3}) {
//       register_module("hidden", hidden);
//       register_module("output", output);
//     }
//     Tensor operator()(const Tensor& x, Where where = Where::current()) const {  // x [batch, 8]
//       autograd::ScopeGuard scope(name(), where);
//       return output(hidden(x).tanh());                                          // [batch, 3]
//     }
//   };
//
// The parts are ordinary public members; registering one stores its address under a name. That is why a Module
// can be neither copied nor moved: the addresses would then be those of another object. Lists of modules are kept
// in a std::deque (emplace_back) or behind std::unique_ptr.
//
// Names are PyTorch's: those of the members on the way, joined by dots ("hidden.weight").
//
// A call opens an autograd::ScopeGuard, so that errors and debuggers can say in which module an op ran and which
// line of the user's program called it.
#pragma once

#include <autograd/autograd.h>
#include <autograd/tensor/scope.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nn/saving/state_dict.h"

namespace nn {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

class Module {
 public:
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  virtual ~Module() = default;

  // The name under which it is registered in its parent; the name of its type at the top.
  std::string name() const;

  // ---- parameters ------------------------------------------------------------------------------------------
  // The module's own in order of registration, then those of each child, all the way down. A tensor that is
  // registered twice (tied weights) comes once, under its first name.
  std::vector<Tensor> parameters() const;
  NamedTensors named_parameters() const;
  // Tensors that belong to the model but are not trained; in the state dict like parameters.
  NamedTensors named_buffers() const;
  std::int64_t num_parameters() const;  // numbers, not tensors

  // Forgets the gradients of all parameters.
  void zero_grad() const;
  // Freezes the parameters (false), or makes them trainable again.
  void requires_grad_(bool requires_grad = true, Where where = Where::current()) const;
  // Replaces all parameters and floating-point buffers by converted ones without gradients, for example to check a
  // float32 model in float64. Make the optimiser afterwards: an older one would go on changing the old parameters.
  void to(DType dtype, Where where = Where::current());

  // ---- training or use -------------------------------------------------------------------------------------
  // Training is on at the start; dropout acts only then. Sets it in all children too.
  void train(bool training = true);
  void eval() { train(false); }
  bool training() const { return training_; }

  // ---- saving and loading ----------------------------------------------------------------------------------
  // Copies of all parameters and buffers by name. (PyTorch's share memory with the model; a `best = state_dict()`
  // kept for later then follows the training, a well-known trap.)
  StateDict state_dict() const;
  // Copies the values in, converted to the parameters' dtype. Throws state-dict-mismatch, which lists every
  // missing name, every unexpected one and every wrong shape; nothing has changed then. strict = false passes
  // over missing and unexpected names and returns them.
  StateDictDifference load_state_dict(const StateDict& state, bool strict = true, Where where = Where::current()) const;

 protected:
  Module() = default;

  // Called in the constructor of the module that has the member. The name is not empty, has no dot and is used
  // once in this module; bad-argument otherwise.

  // `member` becomes a leaf that requires gradients and gets its dotted name (Tensor::name()). If it is undefined,
  // like the bias of a Linear without one, nothing is registered.
  void register_parameter(const std::string& name, Tensor& member, Where where = Where::current());
  void register_buffer(const std::string& name, Tensor& member, Where where = Where::current());
  void register_module(const std::string& name, Module& member, Where where = Where::current());

 private:
  struct NamedMember {
    std::string name;
    Tensor* tensor;
  };
  // A module of the tree and the dotted prefix of its names: "encoder.rnn.", "" at the top.
  struct Place {
    std::string prefix;
    const Module* module;
  };
  std::vector<Place> tree() const;
  NamedTensors state_entries() const;
  void check_new_name(const std::string& name, Where where) const;

  std::string name_;
  bool training_ = true;
  std::vector<NamedMember> parameters_;
  std::vector<NamedMember> buffers_;
  std::vector<std::pair<std::string, Module*>> children_;
};

}  // namespace nn

// Factories, and what a Tensor does beside ops: elements and gradients. These are only called.
#include <autograd/tape/backward.h>

#include "words.h"

namespace random_programs {
namespace {

using namespace autograd;

// Of a graph of its own, so that the tensors that were given keep their gradients.
Tensor leaf_like(const Tensor& x) {
  return x.detach().requires_grad_();
}

std::vector<Tensor> without_graph(std::vector<Tensor> list) {
  for (Tensor& x : list) x = x.defined() ? x.detach() : x;
  return list;
}

Result backward_once(In x) {
  const Tensor leaf = leaf_like(x[0]);
  (leaf * 2.0).backward(without_graph({x[1]})[0], {.release_graph = x.flag(0)});
  return leaf.grad();
}

Result backward_of_several(In x) {
  const Tensor leaf = leaf_like(x[0]);
  backward({leaf * 2.0, leaf * 3.0}, without_graph(x.from(1)));
  return leaf.grad();
}

Result gradient_of_product(In x) {
  const Tensor leaf = leaf_like(x[0]);
  return grad((leaf * x[1]).sum(), {leaf, x[1]}, {.create_graph = x.flag(0), .allow_unused = x.flag(1)});
}

Result gradient_set(In x) {
  const Tensor leaf = leaf_like(x[0]);
  leaf.set_grad(x[1]);
  return leaf.grad();
}

Result gradient_from_hook(In x) {
  const Tensor leaf = leaf_like(x[0]);
  leaf.register_hook([other = x[1]](const Tensor&) { return other; });
  (leaf * 2.0).sum().backward();
  return leaf.grad();
}

}  // namespace

Words tensor_words() {
  using enum Kind;
  using enum Expect;
  return {
      {"zeros", "shape dtype", [](In x) { return zeros(x.shape(), x.dtype(0)); }},
      {"ones", "shape dtype", [](In x) { return ones(x.shape(), x.dtype(0)); }},
      {"full", "shape real floating", [](In x) { return full(x.shape(), x.real(), x.dtype(0)); }},
      {"zeros_like", "value", [](In x) { return zeros_like(x[0]); }},
      {"ones_like", "value", [](In x) { return ones_like(x[0]); }},
      {"eye", "int(0,4) dtype", [](In x) { return eye(x.n(0), x.dtype(1)); }},
      {"arange", "int(0,4) dtype", [](In x) { return arange(x.n(0), x.dtype(1)); }},
      {"linspace", "real real int(0,4) floating",
       [](In x) { return linspace(x.real(0), x.real(1), x.n(0), x.dtype(1)); }},
      {"from_vector", "real shape floating",
       [](In x) { return from_vector(std::vector<double>(4, x.real()), x.shape(), x.dtype(0)); }},
      {"ids", "list(0,4) int(-1,4) int(-1,4)",
       [](In x) {
         return ids(x.list(), {x.n(0), x.n(1)});
       }},
      {"rand", "shape floating", [](In x) { return rand(x.shape(), x.dtype(0)); }},
      {"randn", "shape floating", [](In x) { return randn(x.shape(), x.dtype(0)); }},
      {"randint", "int(0,2) int(1,4) shape", [](In x) { return randint(x.n(0), x.n(1), x.shape()); }},
      {"bernoulli", "real(-0.1,1.1) shape floating", [](In x) { return bernoulli(x.real(), x.shape(), x.dtype(0)); }},
      {"randperm", "int(0,4)", [](In x) { return randperm(x.n(0)); }},
      {"size", "value dim", [](In x) { return static_cast<double>(x[0].size(x.n(0))); }},
      {"item", "value", [](In x) { return x[0].item(); }, any_values},
      {"item_of_an_integer", "indices[]<3", [](In x) { return static_cast<double>(x[0].item<std::int64_t>()); }},
      {"at", "[mn] int(-1,1) int(-1,1)",
       [](In x) {
         return x[0].at({x.n(0), x.n(1)});
       },
       any_values},
      {"brackets", "value int(-2,2)", [](In x) { return x[0][x.n(0)]; }},
      {"data_ptr", "value",
       [](In x) {
         x[0].data_ptr<double>();
         return Result();
       }},
      {"requires_grad_", "value flag", [](In x) { return x[0].detach().requires_grad_(x.flag(0)); }, cuts_gradients},
      {"method_gather", "[mn] dim indices[qn]<2", [](In x) { return x[0].gather(x.n(0), x[1]); }},
      {"method_chunk", "value int(1,4) dim", [](In x) { return x[0].chunk(x.n(0), x.n(1)); }},
      {"backward", "value value? flag", backward_once},
      {"grad", "value operand flag flag", gradient_of_product},
      {"backward_of_several", "value tensors", backward_of_several},
      {"set_grad", "value value", gradient_set, any_values},
      {"retain_grad_without_graph", "value", [](In x) { return x[0].detach().retain_grad(); }},
      {"register_hook", "value value", gradient_from_hook},
  };
}

}  // namespace random_programs

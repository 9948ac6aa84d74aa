// Factories, and what a Tensor does beside ops: elements, gradients, changes in place.
#include <autograd/ops/updates.h>
#include <autograd/tape/backward.h>

#include "calls.h"

namespace random_calls {
namespace {

using namespace autograd;

Calls factories() {
  return {
      {"zeros", [](Args& a) -> Result { return zeros(a.shape(), a.dtype()); }},
      {"ones", [](Args& a) -> Result { return ones(a.shape(), a.dtype()); }},
      {"full", [](Args& a) -> Result { return full(a.shape(), a.real(), a.floating()); }},
      {"zeros_like", [](Args& a) -> Result { return zeros_like(a.tensor()); }},
      {"ones_like", [](Args& a) -> Result { return ones_like(a.tensor()); }},
      {"eye", [](Args& a) -> Result { return eye(a.integer(0, 4), a.dtype()); }},
      {"arange", [](Args& a) -> Result { return arange(a.integer(0, 4), a.dtype()); }},
      {"linspace", [](Args& a) -> Result { return linspace(a.real(), a.real(), a.integer(0, 4), a.floating()); }},
      {"from_vector",
       [](Args& a) -> Result { return from_vector(std::vector<double>(4, a.real()), a.shape(), a.floating()); }},
      {"ids", [](Args& a) -> Result { return ids(a.list(0, 4), a.shape()); }},
      {"rand", [](Args& a) -> Result { return rand(a.shape(), a.floating()); }},
      {"randn", [](Args& a) -> Result { return randn(a.shape(), a.floating()); }},
      {"randint", [](Args& a) -> Result { return randint(a.integer(0, 2), a.integer(1, 4), a.shape()); }},
      {"bernoulli", [](Args& a) -> Result { return bernoulli(a.real(-0.1, 1.1), a.shape(), a.floating()); }},
      {"randperm", [](Args& a) -> Result { return randperm(a.integer(0, 4)); }},
  };
}

Calls elements() {
  return {
      {"size", [](Args& a) -> Result { return static_cast<double>(a.tensor().size(a.dim())); }},
      {"item", [](Args& a) -> Result { return a.tensor().item(); }, Values::any},
      {"item of an integer",
       [](Args& a) -> Result { return static_cast<double>(a.integers("", 3).item<std::int64_t>()); }},
      {"at",
       [](Args& a) -> Result {
         return a.tensor("mn").at({a.integer(-1, 1), a.integer(-1, 1)});
       },
       Values::any},
      {"[]", [](Args& a) -> Result { return a.tensor()[a.integer(-2, 2)]; }},
      {"data_ptr",
       [](Args& a) -> Result {
         a.tensor().data_ptr<double>();
         return {};
       }},
      {"detach", [](Args& a) -> Result { return a.tensor().detach(); }},
      {"requires_grad_", [](Args& a) -> Result { return a.tensor().detach().requires_grad_(a.flag()); }, Values::finite,
       Effect::cuts_gradients},
      {"method gather", [](Args& a) -> Result { return a.tensor("mn").gather(a.dim(), a.integers("qn", 2)); }},
      {"method chunk", [](Args& a) -> Result { return a.tensor().chunk(a.integer(1, 4), a.dim()); }},
  };
}

// Of a graph of its own, so that the tensors that were given keep their gradients.
Calls gradients() {
  return {
      {"backward",
       [](Args& a) -> Result {
         const Tensor x = a.tensor().detach().requires_grad_();
         const Tensor seed = a.optional("*");
         (x * 2.0).backward(seed.defined() ? seed.detach() : seed, {.release_graph = a.flag()});
         return x.grad();
       }},
      {"grad",
       [](Args& a) -> Result {
         const Tensor x = a.tensor().detach().requires_grad_();
         const Tensor y = a.operand();
         return grad((x * y).sum(), {x, y}, {.create_graph = a.flag(), .allow_unused = a.flag()});
       }},
      {"backward of several",
       [](Args& a) -> Result {
         const Tensor x = a.tensor().detach().requires_grad_();
         std::vector<Tensor> seeds = a.tensors("*");
         for (Tensor& seed : seeds) seed = seed.defined() ? seed.detach() : seed;
         backward({x * 2.0, x * 3.0}, seeds);
         return x.grad();
       }},
      {"set_grad",
       [](Args& a) -> Result {
         const Tensor x = a.tensor().detach().requires_grad_();
         x.set_grad(a.tensor());
         return x.grad();
       },
       Values::any},
      {"retain_grad", [](Args& a) -> Result { return a.tensor().detach().retain_grad(); }},
      {"register_hook",
       [](Args& a) -> Result {
         const Tensor x = a.tensor().detach().requires_grad_();
         const Tensor other = a.tensor();
         x.register_hook([other](const Tensor&) { return other; });
         (x * 2.0).sum().backward();
         return x.grad();
       }},
  };
}

Result changed(const Tensor& x) {
  return x;
}

// The tensor to be changed is drawn first.
Calls changes() {
  const auto two = [](auto change) {
    return [=](Args& a) -> Result {
      const Tensor x = a.changeable("*");
      const Tensor y = a.operand();
      return changed(change(x, y));
    };
  };
  const auto number = [](auto change) {
    return [=](Args& a) -> Result {
      const Tensor x = a.changeable("*");
      return changed(change(x, a.real()));
    };
  };
  const auto three = [](auto change) {
    return [=](Args& a) -> Result {
      const NoGradGuard no_grad;
      const Tensor x = a.changeable("*");
      const Tensor y = a.tensor();
      const Tensor z = a.tensor();
      return changed(change(x, y, z));
    };
  };
  Calls calls = {
      {"add_", two([](auto& x, auto& y) { return x.add_(y, 0.5); })},
      {"sub_", two([](auto& x, auto& y) { return x.sub_(y, 0.5); })},
      {"mul_", two([](auto& x, auto& y) { return x.mul_(y); })},
      {"div_", two([](auto& x, auto& y) { return x.div_(y); })},
      {"copy_", two([](auto& x, auto& y) { return x.copy_(y); })},
      {"add_ number", number([](auto& x, double y) { return x.add_(y); })},
      {"mul_ number", number([](auto& x, double y) { return x.mul_(y); })},
      {"div_ number", number([](auto& x, double y) { return x.div_(y); })},
      {"fill_", number([](auto& x, double y) { return x.fill_(y); })},
      {"zero_", number([](auto& x, double) { return x.zero_(); })},
      {"addcmul_", three([](auto& x, auto& y, auto& z) { return x.addcmul_(y, z, 0.5); })},
      {"addcdiv_", three([](auto& x, auto& y, auto& z) { return x.addcdiv_(y, z, 0.5); })},
      {"set_",
       [](Args& a) -> Result {
         const Tensor x = a.changeable("mn");
         const std::int64_t row = a.integer(-1, 1);
         return changed(x.set_({row, a.integer(-1, 1)}, a.real()));
       }},
      {"adam_step_",
       [](Args& a) -> Result {
         const NoGradGuard no_grad;
         const Tensor x = a.changeable("*").detach();
         const Tensor gradient = a.tensor();
         adam_step_({{x, gradient, a.tensor().detach().clone(), a.tensor().detach().clone(), {.step_size = a.real()}}});
         return changed(x);
       }},
  };
  for (Call& call : calls) {
    call.values = Values::any;
    call.effect = Effect::changes_first;
  }
  calls.push_back({"sum_of_squares", [](Args& a) -> Result { return sum_of_squares(a.tensor()); }});
  return calls;
}

}  // namespace

Calls tensor_calls() {
  Calls together;
  for (const Calls& some : {factories(), elements(), gradients(), changes()}) {
    together.insert(together.end(), some.begin(), some.end());
  }
  return together;
}

}  // namespace random_calls

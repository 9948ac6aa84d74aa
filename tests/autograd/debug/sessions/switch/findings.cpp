// A program in which an instrument finds something:
//
//   findings forward|derivative|wrong|throws|throws-in-derivative|thread|handed-over|fork|right
#include <autograd/autograd.h>
#include <autograd/ops/op.h>
#include <fmt/core.h>
#include <nn/nn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

using namespace autograd;

namespace {

Tensor input() {
  return from_vector(std::vector<double>{0.5, 0.0, -2.0}, {3}, float64).requires_grad_().set_name("x");
}

struct Twice final : Node {
  static constexpr OpText text{"twice", "y = 2 * x", "dx = 2 * dy"};
  bool throws = false;

  Tensor forward(const Inputs& x) const override { return x[0] * 2.0; }
  Grads backward(const Tensor& dy) override {
    if (throws) throw std::runtime_error("a derivative that was not written yet");
    return {dy * 3.0};
  }
};

Tensor twice(const Tensor& x, bool throws, Where where = Where::current()) {
  Tensor y = x.detach() * 2.0;
  if (auto* node = record<Twice>(y, {&x}, where)) node->throws = throws;
  return y;
}

void forward() {
  const Tensor x = input();
  const Tensor square = (x * x).set_name("square");
  fmt::print("sum {:.2f}\n", log(square).sum().item());
}

void derivative() {
  const Tensor x = input();
  sqrt(x * x).sum().backward();
}

void step_through_twice(bool throws) {
  const Tensor x = input();
  const Tensor y = twice(x, throws).set_name("y");
  y.exp().sum().backward();
}

// The graph is made in one thread and differentiated in another.
void handed_over() {
  const Tensor x = input();
  const Tensor loss = sqrt(x * x).sum();
  std::thread([&] { loss.backward(); }).join();
}

void fork_off() {
  const pid_t child = fork();
  if (child != 0) waitpid(child, nullptr, 0);
  (input() * 2.0).sum().backward();
}

struct TwoLayers : nn::Module {
  nn::Linear first{{.in_features = 3, .out_features = 3}};
  nn::Linear second{{.in_features = 3, .out_features = 3}};

  Tensor operator()(const Tensor& x, Where where = Where::current()) {
    const ScopeGuard scope("net", where);
    const Tensor hidden = first(x);
    return second(hidden);  // overflows
  }
};

void two_layers() {
  TwoLayers net;
  {
    const NoGradGuard no_grad;
    net.first.weight.fill_(1.0);
    net.second.weight.fill_(3e38);
  }
  for (int step = 0; step < 2; ++step) {
    const StepScope scope(step);
    net(ones({1, 3})).sum().backward();
  }
}

const std::map<std::string, std::function<void()>> kinds = {
    {"forward", forward},
    {"derivative", derivative},
    {"wrong", [] { step_through_twice(false); }},
    {"throws",
     [] {
       (input() * tensor({1.0, 2.0}, float64)).sum();
     }},
    {"throws-in-derivative", [] { step_through_twice(true); }},
    {"thread", [] { std::thread(forward).join(); }},
    {"wrong-in-thread", [] { std::thread(step_through_twice, false).join(); }},
    {"right-in-thread", [] { std::thread([] { input().exp().sum().backward(); }).join(); }},
    {"handed-over", handed_over},
    {"fork", fork_off},
    {"two-layers", two_layers},
};

}  // namespace

int main(int count, char** arguments) {
  const std::string kind = count > 1 ? arguments[1] : "forward";
  kinds.at(kind)();
  fmt::print("went on to the end\n");
}

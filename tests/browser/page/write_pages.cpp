// Writes the pages that page_test.mjs drives in a browser, and what the engine says about the same numbers.
//
//   write_pages FOLDER [OPS]      OPS: how large the graph of large.html is, at least (default 5000)
#include <autograd/autograd.h>
#include <autograd/debug/recording.h>
#include <autograd/debug/trace/page.h>
#include <autograd/ops/op.h>
#include <autograd/tape/node.h>
#include <fmt/core.h>
#include <nn/nn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using autograd::Tensor;
namespace debug = autograd::debug;

namespace {

// Every digit of a float32, as the page shows it.
std::string digits(double value) {
  return fmt::format("{}", static_cast<float>(value));
}

std::string numbers(const Tensor& tensor) {
  std::string text;
  for (const double value : tensor.to_vector()) text += (text.empty() ? "" : ", ") + ("\"" + digits(value) + "\"");
  return "[" + text + "]";
}

// A parameter used at four time steps, under a name that would like to be markup.
std::string write_small(const std::string& folder) {
  debug::Recording recording;
  const autograd::ObserverGuard guard(recording);
  autograd::manual_seed(7);
  const Tensor w = autograd::randn({3, 3}).requires_grad_();
  w.set_name("w</script><img src=x onerror=\"window.hacked=1\">\x01\u202Egnp");
  const Tensor x = autograd::randn({2, 3});
  Tensor h = x;
  {
    const autograd::ScopeGuard module("cell<b>&amp;\"'", autograd::Where::current());
    for (int t = 0; t < 4; ++t) {
      const autograd::StepScope step(t);
      h = autograd::tanh(h.matmul(w));
    }
  }
  const Tensor h_last = h;
  const Tensor loss = h.pow(2).sum();
  loss.backward();
  const debug::PassRecord& pass = *recording.last();
  debug::write_page(recording, pass, folder + "/small.html");

  const autograd::Ref<autograd::Node> leaf = autograd::gradient_node(w);
  std::string partial;  // after each contribution to w
  std::size_t seen = 0;
  for (std::size_t steps = 0; steps <= pass.steps.size(); ++steps) {
    const std::size_t arrived = pass.arrived(*leaf, steps);
    if (arrived == seen) continue;
    seen = arrived;
    partial += (partial.empty() ? "" : ", ") + numbers(pass.gradient(*leaf, steps));
  }
  return fmt::format(
      "{{\"w\": {}, \"w_value\": {}, \"w_gradient\": {}, \"w_partial\": [{}], \"h\": {}, \"h_value\": {}}}",
      leaf->number, numbers(w), numbers(w.grad()), partial, h_last.grad_fn()->number, numbers(h_last));
}

// A pass over nothing but a leaf, one that ends with an exception, and one with NaN and an empty tensor.
void write_odd(const std::string& folder) {
  const auto write = [&](const char* file, const auto& program) {
    debug::Recording recording;
    const autograd::ObserverGuard guard(recording);
    try {
      program();
    } catch (const std::exception&) {
    }
    debug::write_page(recording, *recording.last(), folder + "/" + file);
  };
  write("leaf.html", [] { autograd::ones({}).requires_grad_().backward(); });
  write("broken.html", [] {
    const Tensor x = autograd::ones({2}).requires_grad_();
    const Tensor y = x * 2.0;
    y.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("a hook"); });
    y.exp().sum().backward();
  });
  write("nan.html", [] {
    const Tensor x = autograd::tensor({-1, 0, 4}).requires_grad_();
    const Tensor none = autograd::zeros({0, 3}).requires_grad_();
    (x.log().sum() + none.sum()).backward();
  });
}

// An op of one's own.
struct LearnersSquare final : autograd::Node {
  static constexpr autograd::OpText text{"learners_square", "y = x * x", "dx = dy * 2 * x"};
  autograd::Saved x;

  Tensor forward(const autograd::Inputs& in) const override { return in[0] * in[0]; }
  autograd::Grads backward(const Tensor& dy) override { return {dy * 2.0 * use(x)}; }
};

Tensor learners_square(const Tensor& x, autograd::Where where = autograd::Where::current()) {
  Tensor y;
  {
    const autograd::NoGradGuard no_grad;
    y = x * x;
  }
  if (auto* node = autograd::record<LearnersSquare>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

// One of each kind: the same place, a broadcast, a copy, along a dim, a product; and a loop that runs backwards, with
// an op between its steps. Square, so that a wrong dim does not show in the shape.
void write_cells(const std::string& folder) {
  debug::Recording recording;
  const autograd::ObserverGuard guard(recording);
  autograd::manual_seed(3);
  const Tensor x = autograd::randn({3, 3}, autograd::float64).requires_grad_();
  const Tensor row = autograd::randn({3}, autograd::float64).requires_grad_();
  const Tensor picked = autograd::embedding(x, autograd::ids({2, 0, 2}));
  Tensor h = learners_square(autograd::softmax(picked.relu().t() * row, 0)).matmul(x);
  Tensor total = h.sum();
  for (int t = 2; t >= 0; --t) {
    {
      const autograd::StepScope step(t);
      h = h * 0.5 + x;
    }
    total = total + h.sum();
  }
  total.backward();
  debug::write_page(recording, *recording.last(), folder + "/cells.html");
}

// Too wide and too deep for a window, and no modules that could be closed; and a lone number, and a source that is
// nowhere.
void write_wide(const std::string& folder) {
  debug::Recording recording;
  const autograd::ObserverGuard guard(recording);
  autograd::manual_seed(2);
  const Tensor x = autograd::randn({3, 4}).requires_grad_();
  Tensor loss = autograd::zeros({});
  for (int i = 0; i < 80; ++i)
    loss = loss + autograd::tanh(x).sum({}, false, autograd::Where::current("nowhere.cpp", 7));
  loss.backward();
  debug::write_page(recording, *recording.last(), folder + "/wide.html");
}

// Three passes of a run.
void write_history(const std::string& folder) {
  debug::Recording recording;
  const autograd::ObserverGuard guard(recording);
  autograd::manual_seed(4);
  const nn::Linear layer({.in_features = 2, .out_features = 2});
  nn::SGD optimizer(layer.parameters(), {.lr = 0.1});
  const Tensor x = autograd::randn({3, 2});
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    layer(x).pow(2).sum().backward();
    optimizer.step();
  }
  debug::write_page(recording, *recording.last(), folder + "/history.html");
}

void write_large(const std::string& folder, std::size_t wanted) {
  nn::Seq2SeqOptions options;
  options.encoder = {.vocab_size = 20, .embed_dim = 4, .hidden_dim = 4};
  options.decoder = {.vocab_size = 20, .embed_dim = 4, .hidden_dim = 4};
  for (std::int64_t length = 20;; ++length) {
    debug::Recording recording;
    const autograd::ObserverGuard guard(recording);
    autograd::manual_seed(1);
    const nn::Seq2Seq model(options);
    const Tensor src = autograd::randint(3, 20, {2, length});
    const Tensor tgt = autograd::randint(3, 20, {2, length});
    const auto output = model(src, {length, length - 3}, tgt);
    const Tensor loss = autograd::cross_entropy(output.logits.flatten(0, 1), tgt.flatten());
    loss.backward();
    const std::size_t nodes = recording.last()->order.size();
    if (nodes < wanted) {
      length += static_cast<std::int64_t>((wanted - nodes) / 90);
      continue;
    }
    const auto began = std::chrono::steady_clock::now();
    const debug::Trace trace = debug::make_trace(recording, *recording.last());
    debug::write_page(trace, folder + "/large.html");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    fmt::print("large.html: {} nodes, {} uses of leaves, {} time steps, written in {:.2f} s\n", trace.nodes.size(),
               trace.uses.size(), 2 * length, took.count());
    return;
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: write_pages FOLDER [OPS]\n");
    return 2;
  }
  const std::string folder = arguments[1];
  const std::string expected = write_small(folder);
  std::ofstream(folder + "/expected.json") << expected << "\n";
  write_odd(folder);
  write_cells(folder);
  write_wide(folder);
  write_history(folder);
  const long ops = count > 2 ? std::strtol(arguments[2], nullptr, 10) : 5000;
  write_large(folder, static_cast<std::size_t>(ops > 0 ? ops : 5000));
  return 0;
}

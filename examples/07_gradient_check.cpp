// Is this gradient right? Three experiments with a gradient checker.
//
// What it shows: first, every parameter and input of Bahdanau attention, checked against differences: wrong derivatives
// do not get through. Second, a softmax whose derivative lacks a term: the check says so, and which op it is. Third,
// why a check runs in float64, drawn: the error of a difference against its step.
//
// Try next: repair the derivative below. Then take .bias = true in the attention: why is the gradient of v.bias zero,
// and why is that not a PASS?
//
//   build/release/examples/07_gradient_check [--out DIR]
#include <autograd/autograd.h>
#include <autograd/gradcheck/eps_sweep.h>
#include <autograd/gradcheck/gradcheck.h>
#include <autograd/tape/record.h>
#include <fmt/core.h>
#include <nn/gradcheck.h>
#include <nn/nn.h>

#include <string>
#include <string_view>

using autograd::Grads;
using autograd::Tensor;
using autograd::Where;

namespace {

// All sizes differ and none is 1, so that neither a transposed matrix nor a missing sum goes unnoticed.
const Tensor mask = autograd::length_mask({6, 4});  // two sentences

struct AttentionInputs {
  Tensor decoder_state = autograd::randn({2, 3}).set_name("decoder_state").requires_grad_();
  Tensor encoder_outputs = autograd::randn({2, 6, 5}).set_name("encoder_outputs").requires_grad_();
};

// ---- 1. a right one --------------------------------------------------------------------------------------------

bool check_attention() {
  const nn::AdditiveAttention attention({.decoder_dim = 3, .encoder_dim = 5, .attention_dim = 4});
  const AttentionInputs in;
  const auto context = [&] { return attention(in.decoder_state, in.encoder_outputs, mask).context; };
  const autograd::GradcheckReport report = nn::gradcheck(attention, context, {in.decoder_state, in.encoder_outputs});

  fmt::print("  {:<18}{:<12}{:>9}   {:>18}   {}\n", "", "shape", "checked", "max relative error", "verdict");
  bool all_small = true;
  for (const autograd::InputReport& input : report.inputs) {
    fmt::print("  {:<18}{:<12}{:>9}   {:>18.1e}   {}\n", input.name, to_string(input.shape), input.checked,
               input.max_relative_error, name(input.verdict));
    all_small = all_small && input.max_relative_error < 1e-6;
  }
  return report.passed() && all_small;
}

// ---- 2. a wrong one --------------------------------------------------------------------------------------------

// y = softmax(x)        dx = y * (dy - sum(y * dy)), and here someone forgot the sum
struct ForgetfulSoftmax final : autograd::Node {
  static constexpr autograd::OpText text{"forgetful_softmax", "y = softmax(x)", "dx = y * dy"};
  autograd::Saved y;

  Tensor forward(const autograd::Inputs& x) const override { return x[0].softmax(-1); }
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    return {y_ * dy};
  }
};

Tensor forgetful_softmax(const Tensor& x, Where where = Where::current()) {
  Tensor y = x.detach().softmax(-1);
  if (auto* node = autograd::record<ForgetfulSoftmax>(y, {&x}, where)) node->y = node->save(y);
  return y;
}

// Attention for one sentence: s [3], H [6, 5] -> context [5]
Tensor attend(const Tensor& s, const Tensor& H, const Tensor& W, const Tensor& U, const Tensor& v) {
  const Tensor scores = tanh(W.matmul(s) + H.matmul(U.t())).matmul(v);  // [6]
  const Tensor weights = forgetful_softmax(scores);
  return weights.matmul(H);
}

autograd::GradcheckReport check_wrong_attention() {
  const Tensor s = autograd::randn({3}).set_name("s");
  const Tensor H = autograd::randn({6, 5}).set_name("H");
  const Tensor W = autograd::randn({4, 3}).set_name("W");
  const Tensor U = autograd::randn({4, 5}).set_name("U");
  const Tensor v = autograd::randn({4}).set_name("v");
  return autograd::gradcheck(attend, {s, H, W, U, v});
}

// ---- 3. error against step -------------------------------------------------------------------------------------

void draw_sweep(const std::string& folder) {
  const nn::AdditiveAttention attention({.decoder_dim = 3, .encoder_dim = 5, .attention_dim = 4});
  const AttentionInputs in;
  std::vector<Tensor> inputs = attention.parameters();
  inputs.push_back(in.decoder_state);
  inputs.push_back(in.encoder_outputs);
  const autograd::EpsSweep sweep =
      autograd::eps_sweep([&] { return attention(in.decoder_state, in.encoder_outputs, mask).context; }, inputs);
  const std::string file = folder + "/gradient_check_sweep.svg";
  sweep.write_svg(file);
  fmt::print("{}\n\nDrawn in {}\n", sweep, file);
}

}  // namespace

int main(int argc, char** argv) try {
  const bool out_given = argc == 3 && std::string_view(argv[1]) == "--out";
  if (argc != 1 && !out_given) {
    fmt::print(stderr, "usage: 07_gradient_check [--out DIR]\n");
    return 2;
  }
  autograd::manual_seed(7);

  fmt::print("1. Bahdanau attention, in the library\n\n");
  const bool right_one_passes = check_attention();
  fmt::print("\n2. Attention with a softmax whose derivative is wrong\n\n");
  const autograd::GradcheckReport wrong = check_wrong_attention();
  fmt::print("{}\n", wrong);
  fmt::print("\n3. The error of a difference quotient against its step\n\n");
  draw_sweep(out_given ? argv[2] : ".");

  const bool as_expected = right_one_passes && !wrong.passed();
  if (!as_expected) fmt::print("\nThis is not what should come out.\n");
  return as_expected ? 0 : 1;
} catch (const autograd::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}

// Calls that C++ would accept by converting a bool or a fraction to an integer, or a number to a flag, and that PyTorch
// refuses or means otherwise: they do not compile, or they mean what PyTorch means.

#include <autograd/autograd.h>
#include <gtest/gtest.h>
#include <nn/nn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/expect.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace arguments_test {

using namespace autograd;
using fixtures::holds;
using fixtures::message_of;

// Is this call, a generic lambda, possible with arguments of these types?
template <class Call, class... Arguments> constexpr bool compiles(Call, Arguments...) {
  return std::is_invocable_v<Call, Arguments...>;
}

#define CALL(...) [](auto v, const Tensor& x = {}) -> decltype((void)x, (__VA_ARGS__), void()) {}

// With an integer, and neither with a bool nor with a fraction.
template <class Call> constexpr bool takes_integers_only(Call call) {
  return compiles(call, 1) && compiles(call, std::int64_t{1}) && compiles(call, std::size_t{1}) &&
         !compiles(call, true) && !compiles(call, 1.5) && !compiles(call, 1.5F);
}
// With a bool, and with no number.
template <class Call> constexpr bool takes_flags_only(Call call) {
  return compiles(call, true) && !compiles(call, 1) && !compiles(call, 0.5) && !compiles(call, "no");
}

// Dims and shapes.
static_assert(takes_integers_only(CALL(x.sum(v))));
static_assert(takes_integers_only(CALL(x.mean(v))));
static_assert(takes_integers_only(CALL(x.var(v))));
static_assert(takes_integers_only(CALL(x.std(v))));
static_assert(takes_integers_only(CALL(x.norm(2.0, v))));
static_assert(takes_integers_only(CALL(x.amax(v))));
static_assert(takes_integers_only(CALL(x.amin(v))));
static_assert(takes_integers_only(CALL(x.logsumexp(v))));
static_assert(takes_integers_only(CALL(x.permute(v))));
static_assert(takes_integers_only(CALL(x.reshape(v))));
static_assert(takes_integers_only(CALL(x.view(v))));
static_assert(takes_integers_only(CALL(x.expand(v))));
static_assert(takes_integers_only(CALL(x.repeat(v))));
static_assert(takes_integers_only(CALL(x.flip(v))));
static_assert(takes_integers_only(CALL(layer_norm(x, v))));
static_assert(takes_integers_only(CALL(zeros(v))));
static_assert(takes_integers_only(CALL(ones(v))));
static_assert(takes_integers_only(CALL(full(v, 1.0))));
static_assert(takes_integers_only(CALL(empty(v))));
static_assert(takes_integers_only(CALL(rand(v))));
static_assert(takes_integers_only(CALL(randn(v))));
static_assert(takes_integers_only(CALL(randint(0, 2, v))));
static_assert(takes_integers_only(CALL(bernoulli(0.5, v))));
static_assert(takes_integers_only(CALL(from_vector({1.0}, v))));
// One dim, a position, a count.
static_assert(takes_integers_only(CALL(x.size(v))));
static_assert(takes_integers_only(CALL(x.prod(v))));
static_assert(takes_integers_only(CALL(x.cumsum(v))));
static_assert(takes_integers_only(CALL(x.max(v))));
static_assert(takes_integers_only(CALL(x.min(v))));
static_assert(takes_integers_only(CALL(x.argmax(v))));
static_assert(takes_integers_only(CALL(x.argmin(v))));
static_assert(takes_integers_only(CALL(x.sort(v))));
static_assert(takes_integers_only(CALL(x.argsort(v))));
static_assert(takes_integers_only(CALL(x.topk(v))));
static_assert(takes_integers_only(CALL(x.topk(1, v))));
static_assert(takes_integers_only(CALL(x.softmax(v))));
static_assert(takes_integers_only(CALL(x.log_softmax(v))));
static_assert(takes_integers_only(CALL(x.transpose(v, 0))));
static_assert(takes_integers_only(CALL(x.flatten(v))));
static_assert(takes_integers_only(CALL(x.squeeze(v))));
static_assert(takes_integers_only(CALL(x.unsqueeze(v))));
static_assert(takes_integers_only(CALL(x.tril(v))));
static_assert(takes_integers_only(CALL(x.triu(v))));
static_assert(takes_integers_only(CALL(x.narrow(v, 0, 1))));
static_assert(takes_integers_only(CALL(x.narrow(0, 0, v))));
static_assert(takes_integers_only(CALL(x.select(0, v))));
static_assert(takes_integers_only(CALL(x[v])));
static_assert(takes_integers_only(CALL(x.split(v))));
static_assert(takes_integers_only(CALL(x.chunk(v))));
static_assert(takes_integers_only(CALL(x.gather(v, x))));
static_assert(takes_integers_only(CALL(x.index_select(v, x))));
static_assert(takes_integers_only(CALL(scatter_add(x, v, x, x))));
static_assert(takes_integers_only(CALL(index_add(x, v, x, x))));
static_assert(takes_integers_only(CALL(embedding(x, x, v))));
static_assert(takes_integers_only(CALL(one_hot(x, v))));
static_assert(takes_integers_only(CALL(cat({x}, v))));
static_assert(takes_integers_only(CALL(stack({x}, v))));
static_assert(takes_integers_only(CALL(length_mask({1}, v))));
static_assert(takes_integers_only(CALL(eye(v))));
static_assert(takes_integers_only(CALL(linspace(0.0, 1.0, v))));
static_assert(takes_integers_only(CALL(randint(v, 5, {2}))));
static_assert(takes_integers_only(CALL(randperm(v))));
// Flags: a second dim is not keepdim.
static_assert(takes_flags_only(CALL(x.sum(0, v))));
static_assert(takes_flags_only(CALL(x.mean(0, v))));
static_assert(takes_flags_only(CALL(x.var(0, 1, v))));
static_assert(takes_flags_only(CALL(x.std(0, 1, v))));
static_assert(takes_flags_only(CALL(x.norm(2.0, 0, v))));
static_assert(takes_flags_only(CALL(x.prod(0, v))));
static_assert(takes_flags_only(CALL(x.amax(0, v))));
static_assert(takes_flags_only(CALL(x.amin(0, v))));
static_assert(takes_flags_only(CALL(x.max(0, v))));
static_assert(takes_flags_only(CALL(x.min(0, v))));
static_assert(takes_flags_only(CALL(x.argmax(0, v))));
static_assert(takes_flags_only(CALL(x.argmin(0, v))));
static_assert(takes_flags_only(CALL(x.logsumexp(0, v))));
static_assert(takes_flags_only(CALL(x.sort(0, v))));
static_assert(takes_flags_only(CALL(x.argsort(0, v))));
static_assert(takes_flags_only(CALL(x.topk(1, 0, v))));
static_assert(takes_flags_only(CALL(x.requires_grad_(v))));
static_assert(takes_flags_only(CALL(dropout(x, 0.5, v))));
static_assert(takes_flags_only(CALL(kl_div(x, x, Reduction::mean, v))));
static_assert(takes_flags_only(CALL(scaled_dot_product_attention(x, x, x, x, 0.0, v))));
// In braces too.
static_assert(!compiles(CALL(Shape{v}), true) && compiles(CALL(Shape{v, v}), std::int64_t{1}));
static_assert(!compiles(CALL(Shape{v, v}), true));
// A tensor of booleans is made by mask().
static_assert(!compiles(CALL(tensor(v)), true) && !compiles(CALL(tensor({v, v})), true));
static_assert(!compiles(CALL(tensor({{v}, {v}})), true) && compiles(CALL(tensor({{v}, {v}})), 1.0));
static_assert(!compiles(CALL(arange(v)), true) && !compiles(CALL(arange(0, v)), true));
// Options of modules.
static_assert(takes_integers_only(CALL(nn::Linear({.in_features = v, .out_features = 2}))));
static_assert(takes_integers_only(CALL(nn::LSTM({.input_size = 2, .hidden_size = v}))));
static_assert(takes_integers_only(CALL(nn::GRUCell({.input_size = 2, .hidden_size = v}))));
static_assert(takes_integers_only(CALL(nn::Embedding({.num_embeddings = 5, .embedding_dim = 2, .padding_idx = v}))));
static_assert(takes_integers_only(CALL(nn::AdditiveAttention({.decoder_dim = 4, .encoder_dim = v}))));
static_assert(takes_integers_only(CALL(nn::MultiHeadAttention({.embed_dim = 4, .num_heads = v}))));
static_assert(takes_integers_only(CALL(nn::BahdanauDecoderOptions{.vocab_size = 5, .hidden_dim = v})));
static_assert(takes_integers_only(CALL(nn::RecurrentTranslatorOptions{.n_layers = v})));
static_assert(takes_integers_only(CALL(nn::TransformerLayerOptions{.d_model = 4, .nhead = v})));
static_assert(takes_integers_only(CALL(nn::SearchOptions{.max_length = v})));
static_assert(takes_integers_only(CALL(nn::StepLROptions{.step_size = v})));
static_assert(takes_flags_only(CALL(nn::Linear({.in_features = 3, .out_features = 2, .bias = v}))));
static_assert(takes_flags_only(CALL(nn::GRU({.input_size = 2, .hidden_size = 2, .bidirectional = v}))));
static_assert(takes_flags_only(CALL(nn::AdamWOptions{.amsgrad = v})));
static_assert(takes_flags_only(CALL(nn::MultiHeadMasks{.causal = v})));

#undef CALL

// The table above has some of them; this looks at the others.
TEST(Arguments, OptionsOfModulesAreIntsAndFlags) {
  const std::string options = "struct \\w*(?:Options|Masks) \\{[^}]*(?:\\{\\}[^}]*)*\\}";
  const std::string plain = "\n *(?:std::optional<)?(?:std::int64_t|std::size_t|int|bool)>? \\w+";
  int structs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BACKSTEP_SOURCE "/nn")) {
    if (entry.path().extension() != ".h") continue;
    const std::string text = fixtures::content_of(entry.path());
    for (const std::string& one : fixtures::matches(text, options)) {
      EXPECT_EQ(fixtures::matches(one, plain), std::vector<std::string>{}) << entry.path() << ", " << one;
      ++structs;
    }
  }
  EXPECT_GT(structs, 30);
}

// PyTorch's older form: unbiased is a bool, and true is a correction of 1.
TEST(Arguments, ABoolIsTheCorrectionOfVarAndStd) {
  const Tensor x = tensor({{1, 2}, {3, 7}});
  EXPECT_TRUE(holds(x.var(0, true), {2, 12.5}));
  EXPECT_TRUE(holds(x.var(0, false), {1, 6.25}));
  EXPECT_TRUE(holds(x.std(0, false), {1, 2.5}));
  EXPECT_TRUE(holds(var(x, 0, false, true), {1, 6.25}));
}

TEST(Arguments, ARangeOfFractionsIsFloat32) {
  EXPECT_TRUE(holds(arange(2.5), {0, 1, 2}));
  EXPECT_EQ(arange(2.5).dtype(), float32);
  EXPECT_EQ(arange(3).dtype(), int64);
  EXPECT_TRUE(allclose(arange(0, 1, 0.1), tensor({0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9})));
  EXPECT_TRUE(holds(arange(1, 2.5), {1, 2}));
  EXPECT_TRUE(holds(arange(1.0, 0.0, -0.5, float64), {1, 0.5}));
  EXPECT_TRUE(holds(arange(0.5, 0.5), {}));
  EXPECT_TRUE(holds(arange(0.0, 4.0, 2.0, int64), {0, 2}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double step : {0.0, -0.5, nan, std::numeric_limits<double>::infinity()}) {
    message_of(ErrorId::bad_argument, [&] { arange(0.0, 1.0, step); });
  }
  message_of(ErrorId::bad_argument, [&] { arange(nan); });
  message_of(ErrorId::out_of_memory, [] { arange(1e300); });
  message_of(ErrorId::dtype_mismatch, [] { arange(0.0, 1.0, 0.5, int64); });
}

}  // namespace arguments_test

// Every public function that takes an integer, with the integers at which arithmetic overflows: an Error, or a right
// answer, never undefined behaviour (which the sanitizers report) and no exception of another kind.

#include <gtest/gtest.h>
#include <nn/nn.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tests/support/expect.h"

namespace extreme_arguments_test {

using namespace autograd;
using fixtures::holds;
using fixtures::message_of;
using std::int64_t;

constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
constexpr int64_t highest = std::numeric_limits<int64_t>::max();
constexpr int64_t huge = int64_t{1} << 62;

const std::vector<int64_t>& extremes() {
  static const std::vector<int64_t> all = {lowest, lowest + 1, -huge, -2, -1, 0, 1, 2, huge, highest - 1, highest};
  return all;
}

std::vector<Tensor> some_tensors() {
  return {randn({}), randn({0}), randn({3}), randn({2, 3}), randn({0, 3}), randn({3, 0}), randn({1, 1}).expand({1, 0}),
          randn({2, 1}).expand({2, 4}), randn({3, 2}).t(),
          // Without elements, but with sizes that nothing may count up to.
          randn({int64_t{1} << 40, 0}), randn({0, int64_t{1} << 40}), randn({int64_t{1} << 40, 3, 0})};
}

// Calls f, which may throw an Error. Whatever else it throws ends the test.
template <class F> bool succeeds(F&& f) {
  try {
    f();
    return true;
  } catch (const Error&) {
    return false;
  }
}

using In = const Tensor&;
using Call = std::function<void(In x, int64_t a, int64_t b)>;  // two integers, of which a call may need one only

const std::map<std::string, Call>& calls() {
  static const std::map<std::string, Call> all = {
      {"size", [](In x, int64_t a, int64_t) { x.size(a); }},
      {"to_string", [](In x, int64_t, int64_t) { EXPECT_LT(to_string(x).size(), 1000u); }},
      {"sum, dim", [](In x, int64_t a, int64_t) { sum(x, a); }},
      {"norm", [](In x, int64_t a, int64_t) { norm(x, 2.0, a); }},
      {"prod", [](In x, int64_t a, int64_t) { prod(x, a); }},
      {"sort", [](In x, int64_t a, int64_t) { sort(x, a); }},
      {"masked_softmax", [](In x, int64_t, int64_t) { masked_softmax(x, x == x); }},
      {"matmul",
       [](In x, int64_t, int64_t) {
         if (x.dim() > 1) matmul(x, x.transpose(-1, -2));
       }},
      {"sum",
       [](In x, int64_t a, int64_t b) {
         sum(x, {a, b});
       }},
      {"mean", [](In x, int64_t a, int64_t) { mean(x, a); }},
      {"var, dim", [](In x, int64_t a, int64_t b) { var(x, a, b); }},
      {"var, all", [](In x, int64_t a, int64_t) { var(x, {}, a); }},
      {"amax",
       [](In x, int64_t a, int64_t b) {
         amax(x, {a, b});
       }},
      {"max", [](In x, int64_t a, int64_t) { max(x, a); }},
      {"argmin", [](In x, int64_t a, int64_t) { argmin(x, a); }},
      {"logsumexp", [](In x, int64_t a, int64_t) { logsumexp(x, a); }},
      {"cumsum", [](In x, int64_t a, int64_t) { cumsum(x, a); }},
      {"softmax", [](In x, int64_t a, int64_t) { softmax(x, a); }},
      {"log_softmax", [](In x, int64_t a, int64_t) { log_softmax(x, a); }},
      {"transpose", [](In x, int64_t a, int64_t b) { transpose(x, a, b); }},
      {"permute",
       [](In x, int64_t a, int64_t b) {
         permute(x, {a, b});
       }},
      {"squeeze", [](In x, int64_t a, int64_t) { squeeze(x, a); }},
      {"unsqueeze", [](In x, int64_t a, int64_t) { unsqueeze(x, a); }},
      {"expand",
       [](In x, int64_t a, int64_t b) {
         expand(x, {a, b});
       }},
      {"expand, three dims",
       [](In x, int64_t a, int64_t b) {
         expand(x, {a, b, -1});
       }},
      {"view",
       [](In x, int64_t a, int64_t b) {
         view(x, {a, b});
       }},
      {"reshape",
       [](In x, int64_t a, int64_t b) {
         reshape(x, {a, b});
       }},
      {"reshape, four dims",
       [](In x, int64_t a, int64_t b) {
         reshape(x, {a, b, a, b});
       }},
      {"flatten", [](In x, int64_t a, int64_t b) { flatten(x, a, b); }},
      {"flip",
       [](In x, int64_t a, int64_t b) {
         flip(x, {a, b});
       }},
      {"cat",
       [](In x, int64_t a, int64_t) {
         cat({x, x}, a);
       }},
      {"stack",
       [](In x, int64_t a, int64_t) {
         stack({x, x}, a);
       }},
      {"narrow", [](In x, int64_t a, int64_t b) { narrow(x, 0, a, b); }},
      {"narrow, dim", [](In x, int64_t a, int64_t b) { narrow(x, a, b, 1); }},
      {"select", [](In x, int64_t a, int64_t b) { select(x, a, b); }},
      {"slice, start and stop",
       [](In x, int64_t a, int64_t b) {
         slice(x, -1, {a, b, 1});
       }},
      {"slice, start and step",
       [](In x, int64_t a, int64_t b) {
         slice(x, -1, {a, Slice::to_end, b}).sum();
       }},
      {"slice, stop and step",
       [](In x, int64_t a, int64_t b) {
         slice(x, -1, {1, a, b}).sum();
       }},
      {"split", [](In x, int64_t a, int64_t b) { split(x, a, b); }},
      {"split, sizes",
       [](In x, int64_t a, int64_t b) {
         split(x, std::vector<int64_t>{a, b});
       }},
      {"chunk", [](In x, int64_t a, int64_t b) { chunk(x, a, b); }},
      {"index",
       [](In x, int64_t a, int64_t b) {
         x.index({a, Slice{b}});
       }},
      {"index, tensor",
       [](In x, int64_t a, int64_t b) {
         x.index({ids({a, b})});
       }},
      {"slice_backward",
       [](In x, int64_t a, int64_t b) {
         Shape shape = x.shape();
         if (!shape.empty()) shape[0] = 5;
         slice_backward(x, shape, 0, a, b);
       }},
      {"slice_backward, shape", [](In x, int64_t a, int64_t b) { slice_backward(x, {a, 3}, 0, b, 1); }},
      {"at", [](In x, int64_t a, int64_t b) { x.at({a, b}); }},
      {"gather", [](In x, int64_t a, int64_t b) { gather(x, a, ids({{b}})); }},
      {"scatter_add", [](In x, int64_t a, int64_t b) { scatter_add(x, a, ids({{b}}), ones({1, 1})); }},
      {"index_select", [](In x, int64_t a, int64_t b) { index_select(x, a, ids({b})); }},
      {"index_add", [](In x, int64_t a, int64_t b) { index_add(x, a, ids({b}), ones({1, 3})); }},
      {"embedding", [](In x, int64_t a, int64_t b) { embedding(x, ids({a, b})); }},
      {"embedding, padding", [](In x, int64_t a, int64_t b) { embedding(x, ids({0, b}), a); }},
      {"cross_entropy", [](In x, int64_t a, int64_t b) { cross_entropy(x, ids({a, b})); }},
      {"cross_entropy, ignored",
       [](In x, int64_t a, int64_t b) { cross_entropy(x, ids({a, 0}), {.ignore_index = b}); }},
      {"nll_loss", [](In x, int64_t a, int64_t b) { nll_loss(x, ids({a, b}), {.ignore_index = b}); }},
      {"layer_norm", [](In x, int64_t a, int64_t b) { layer_norm(x, {a, b}); }},
      {"length_mask", [](In, int64_t a, int64_t b) { length_mask({a, 1}, b); }},
      {"zeros", [](In, int64_t a, int64_t b) { zeros({a, b}); }},
      {"randn", [](In, int64_t a, int64_t b) { randn({a, b}); }},
      {"zeros, four dims", [](In, int64_t a, int64_t b) { zeros({a, b, a, b}); }},
      {"eye", [](In, int64_t a, int64_t) { eye(a); }},
      {"arange", [](In, int64_t a, int64_t) { arange(a); }},
      {"linspace", [](In, int64_t a, int64_t) { linspace(0.0, 1.0, a); }},
      {"from_vector", [](In, int64_t a, int64_t b) { from_vector({1.0}, {a, b}); }},
      {"randint", [](In, int64_t a, int64_t b) { randint(a, b, {2}); }},
      {"randperm", [](In, int64_t a, int64_t) { randperm(a); }},
      {"nn::Linear", [](In, int64_t a, int64_t b) { nn::Linear({.in_features = a, .out_features = b}); }},
      {"nn::Embedding", [](In, int64_t a, int64_t b) { nn::Embedding({.num_embeddings = a, .embedding_dim = b}); }},
      {"nn::GRU", [](In, int64_t a, int64_t b) { nn::GRU({.input_size = a, .hidden_size = b}); }},
      {"nn::LSTM", [](In, int64_t a, int64_t b) { nn::LSTM({.input_size = a, .hidden_size = b}); }},
  };
  return all;
}

TEST(ExtremeArguments, EndInAnErrorOrAnAnswer) {
  const std::vector<Tensor> tensors = some_tensors();
  for (const auto& [name, call] : calls()) {
    SCOPED_TRACE(name);
    int answers = 0;
    for (const Tensor& x : tensors) {
      for (const int64_t a : extremes()) {
        for (const int64_t b : extremes()) {
          const auto once = [&, &call = call] { call(x, a, b); };
          bool is_answered = false;
          ASSERT_NO_THROW(is_answered = succeeds(once)) << to_string(x.shape()) << ", " << a << ", " << b;
          EXPECT_EQ(succeeds(once), is_answered) << "the same call again";
          answers += is_answered;
        }
      }
    }
    EXPECT_GT(answers, 0) << "no call was right: nothing was tried";
  }
}

TEST(ExtremeArguments, OfVar) {
  const Tensor x = tensor({1, 2, 4}, float64);
  EXPECT_TRUE(allclose(var(x, {}, lowest), tensor(0.0, float64), 0.0, 1e-17));
  EXPECT_TRUE(allclose(var(x, {}, lowest + 1), tensor(0.0, float64), 0.0, 1e-17));
  EXPECT_TRUE(holds(var(x, {}, highest), {std::numeric_limits<double>::infinity()}));
}

TEST(ExtremeArguments, OfChunk) {
  message_of(ErrorId::out_of_memory, [] { chunk(zeros({0}), huge); });
  EXPECT_EQ(chunk(zeros({0}), 5).size(), 5u);
  EXPECT_EQ(chunk(zeros({3}), huge).size(), 3u);
}

// No id is too large to be ignored, and none is taken for its neighbour.
TEST(ExtremeArguments, OfIgnoreIndex) {
  const Tensor x = randn({2, 3});
  const Tensor alone = cross_entropy(x.narrow(0, 0, 1), ids({1}));
  for (const int64_t id : {lowest, lowest + 1, huge + 1, highest}) {
    EXPECT_TRUE(allclose(cross_entropy(x, ids({1, id}), {.ignore_index = id}), alone));
    const int64_t neighbour = id == highest ? id - 1 : id + 1;
    message_of(ErrorId::token_out_of_range, [&] { cross_entropy(x, ids({1, neighbour}), {.ignore_index = id}); });
  }
}

TEST(ExtremeArguments, OfEmptyOperands) {
  const Tensor nothing = zeros({4, 0});
  const Tensor repeated = zeros({1, 1}).expand({1, 0});
  EXPECT_EQ(pow(nothing, sin(repeated)).numel(), 0);
  for (const Tensor& other : {repeated, repeated.t().t(), zeros({1, 1}).expand({4, 0}), zeros({4, 1}).expand({4, 0})}) {
    EXPECT_EQ((nothing + other).numel(), 0);
    EXPECT_EQ(pow(other, nothing).numel(), 0);
    EXPECT_EQ((nothing < other).numel(), 0);
    EXPECT_EQ(maximum(nothing, other).numel(), 0);
    EXPECT_EQ(where(other == 0.0, nothing, other).numel(), 0);
    EXPECT_EQ(other.clone().numel(), 0);
    EXPECT_EQ(sin(other).softmax(0).numel(), 0);
    EXPECT_TRUE(holds(sum(other), {0}));
  }
}

}  // namespace extreme_arguments_test

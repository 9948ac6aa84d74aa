// An error names the op that the program called, not one that this op is made of. Every public op is called with
// tensors that do not fit it.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "autograd/autograd.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace op_names_test {

using namespace autograd;
using std::int64_t;

using In = const Tensor&;
using Call = std::function<void(In x, In y, int64_t n)>;

// clang-format off
const std::multimap<std::string, Call>& calls() {
  static const std::multimap<std::string, Call> table = {
      {"add", [](In x, In y, int64_t) { x + y; }},
      {"sub", [](In x, In y, int64_t) { x - y; }},
      {"mul", [](In x, In y, int64_t) { x * y; }},
      {"div", [](In x, In y, int64_t) { x / y; }},
      {"pow", [](In x, In y, int64_t) { pow(x, y); }},
      {"maximum", [](In x, In y, int64_t) { maximum(x, y); }},
      {"maximum", [](In x, In, int64_t) { maximum(x, 1.5); }},
      {"minimum", [](In x, In y, int64_t) { minimum(x, y); }},
      {"minimum", [](In x, In, int64_t) { minimum(x, 1.5); }},
      {"neg", [](In x, In, int64_t) { -x; }},
      {"==", [](In x, In y, int64_t) { x == y; }},
      {"!=", [](In x, In y, int64_t) { x != y; }},
      {"<", [](In x, In y, int64_t) { x < y; }},
      {"<=", [](In x, In y, int64_t) { x <= y; }},
      {">", [](In x, In y, int64_t) { x > y; }},
      {">=", [](In x, In y, int64_t) { x >= y; }},
      {"logical_and", [](In x, In y, int64_t) { logical_and(x, y); }},
      {"logical_or", [](In x, In y, int64_t) { logical_or(x, y); }},
      {"logical_not", [](In x, In, int64_t) { !x; }},
      {"any", [](In x, In, int64_t) { any(x); }},
      {"any", [](In x, In, int64_t n) { any(x, n); }},
      {"all", [](In x, In, int64_t) { all(x); }},
      {"all", [](In x, In, int64_t n) { all(x, n); }},
      {"all_finite", [](In x, In, int64_t) { all_finite(x); }},
      {"allclose", [](In x, In y, int64_t) { allclose(x, y); }},
      {"where", [](In x, In y, int64_t) { where(x, y, 1.5); }},
      {"where", [](In x, In y, int64_t) { where(ones({2, 3}, boolean), x, y); }},
      {"masked_fill", [](In x, In y, int64_t) { masked_fill(x, y, 1.5); }},
      {"masked_fill", [](In x, In y, int64_t) { masked_fill(x, ones({2, 3}, boolean), y); }},
      {"length_mask", [](In, In, int64_t n) { length_mask({n}, 3); }},
      {"exp", [](In x, In, int64_t) { exp(x); }},
      {"log", [](In x, In, int64_t) { log(x); }},
      {"log1p", [](In x, In, int64_t) { log1p(x); }},
      {"sqrt", [](In x, In, int64_t) { sqrt(x); }},
      {"abs", [](In x, In, int64_t) { abs(x); }},
      {"sin", [](In x, In, int64_t) { sin(x); }},
      {"cos", [](In x, In, int64_t) { cos(x); }},
      {"tanh", [](In x, In, int64_t) { tanh(x); }},
      {"sigmoid", [](In x, In, int64_t) { sigmoid(x); }},
      {"relu", [](In x, In, int64_t) { relu(x); }},
      {"sign", [](In x, In, int64_t) { sign(x); }},
      {"erf", [](In x, In, int64_t) { erf(x); }},
      {"square", [](In x, In, int64_t) { square(x); }},
      {"isnan", [](In x, In, int64_t) { isnan(x); }},
      {"clamp", [](In x, In, int64_t) { clamp(x, 0.5, 1.0); }},
      {"sum", [](In x, In, int64_t n) { sum(x, n); }},
      {"mean", [](In x, In, int64_t n) { mean(x, n); }},
      {"var", [](In x, In, int64_t n) { var(x, n); }},
      {"std", [](In x, In, int64_t n) { x.std(n); }},
      {"amax", [](In x, In, int64_t n) { amax(x, n); }},
      {"amin", [](In x, In, int64_t n) { amin(x, n); }},
      {"max", [](In x, In, int64_t) { max(x); }},
      {"max", [](In x, In, int64_t n) { max(x, n); }},
      {"min", [](In x, In, int64_t) { min(x); }},
      {"min", [](In x, In, int64_t n) { min(x, n); }},
      {"argmax", [](In x, In, int64_t) { argmax(x); }},
      {"argmax", [](In x, In, int64_t n) { argmax(x, n); }},
      {"argmin", [](In x, In, int64_t) { argmin(x); }},
      {"argmin", [](In x, In, int64_t n) { argmin(x, n); }},
      {"logsumexp", [](In x, In, int64_t n) { logsumexp(x, n); }},
      {"cumsum", [](In x, In, int64_t n) { cumsum(x, n); }},
      {"norm", [](In x, In, int64_t n) { norm(x, 2.0, n); }},
      {"norm", [](In x, In, int64_t) { norm(x, HUGE_VAL); }},
      {"norm", [](In x, In, int64_t) { norm(x, -HUGE_VAL); }},
      {"norm", [](In x, In, int64_t n) { norm(x, 0.0, n); }},
      {"norm", [](In x, In, int64_t n) { norm(x, 1.0, n); }},
      {"norm", [](In x, In, int64_t n) { norm(x, 3.0, n); }},
      {"prod", [](In x, In, int64_t) { prod(x); }},
      {"prod", [](In x, In, int64_t n) { prod(x, n); }},
      {"matmul", [](In x, In y, int64_t) { matmul(x, y); }},
      {"bmm", [](In x, In y, int64_t) { bmm(x, y); }},
      {"linear", [](In x, In y, int64_t) { linear(x, y); }},
      {"linear", [](In x, In y, int64_t) { linear(x, ones({4, 3}), y); }},
      {"einsum", [](In x, In y, int64_t) { einsum("ij,jk", x, y); }},
      {"einsum", [](In x, In y, int64_t) { einsum("ii", x, y); }},
      {"gru_gates", [](In x, In y, int64_t) { gru_gates(x, y, zeros({2, 3})); }},
      {"lstm_gates", [](In x, In y, int64_t) { lstm_gates(x, y, zeros({2, 3})); }},
      {"gru_layer", [](In x, In y, int64_t) { gru_layer(x, y, zeros({9, 3})); }},
      {"lstm_layer", [](In x, In y, int64_t) { lstm_layer(x, y, y, zeros({12, 3})); }},
      {"additive_score", [](In x, In y, int64_t) { additive_score(x, y, zeros({3})); }},
      {"softmax", [](In x, In, int64_t n) { softmax(x, n); }},
      {"log_softmax", [](In x, In, int64_t n) { log_softmax(x, n); }},
      {"masked_softmax", [](In x, In y, int64_t) { masked_softmax(x, y); }},
      {"transpose", [](In x, In, int64_t n) { transpose(x, n, 0); }},
      {"t", [](In x, In, int64_t) { t(x); }},
      {"permute", [](In x, In, int64_t n) { permute(x, {0, n}); }},
      {"squeeze", [](In x, In, int64_t) { squeeze(x); }},
      {"squeeze", [](In x, In, int64_t n) { squeeze(x, n); }},
      {"unsqueeze", [](In x, In, int64_t n) { unsqueeze(x, n); }},
      {"expand", [](In x, In, int64_t n) { expand(x, {n, 3}); }},
      {"view", [](In x, In, int64_t n) { view(x, {n, 3}); }},
      {"reshape", [](In x, In, int64_t n) { reshape(x, {n, 3}); }},
      {"flatten", [](In x, In, int64_t n) { flatten(x, n); }},
      {"clone", [](In x, In, int64_t) { clone(x); }},
      {"contiguous", [](In x, In, int64_t) { contiguous(x); }},
      {"to", [](In x, In, int64_t) { to(x, float64); }},
      {"flip", [](In x, In, int64_t n) { flip(x, n); }},
      {"cat", [](In x, In y, int64_t n) { cat({x, y}, n); }},
      {"stack", [](In x, In y, int64_t n) { stack({x, y}, n); }},
      {"repeat", [](In x, In, int64_t n) { repeat(x, n); }},
      {"tril", [](In x, In, int64_t n) { tril(x, n); }},
      {"triu", [](In x, In, int64_t n) { triu(x, n); }},
      {"pad", [](In x, In, int64_t n) { pad(x, {n, n}, 1.5); }},
      {"narrow", [](In x, In, int64_t n) { narrow(x, 0, n, 1); }},
      {"narrow", [](In x, In, int64_t n) { narrow(x, n, 0, 1); }},
      {"select", [](In x, In, int64_t n) { select(x, 0, n); }},
      {"slice", [](In x, In, int64_t n) { slice(x, 0, {.step = n}); }},
      {"split", [](In x, In, int64_t n) { split(x, n); }},
      {"split", [](In x, In, int64_t n) { split(x, std::vector<int64_t>{n, 1}); }},
      {"chunk", [](In x, In, int64_t n) { chunk(x, 2, n); }},
      {"chunk", [](In x, In, int64_t n) { chunk(x, n); }},
      {"index", [](In x, In, int64_t n) { x[n]; }},
      {"index", [](In x, In, int64_t n) { x.index({Slice{.step = n}}); }},
      {"index", [](In x, In y, int64_t n) { x.index({Index::new_axis(), y, n}); }},
      {"index", [](In x, In, int64_t) { index(x, std::vector<Index>(9, Index::new_axis())); }},
      {"slice_backward", [](In x, In, int64_t n) { slice_backward(x, {2, 3}, n, 0, 1); }},
      {"gather", [](In x, In y, int64_t n) { gather(x, n, y); }},
      {"scatter_add", [](In x, In y, int64_t n) { scatter_add(x, n, ids({{0}}), y); }},
      {"scatter_add", [](In x, In y, int64_t n) { scatter_add(x, n, y, x); }},
      {"index_select", [](In x, In y, int64_t n) { index_select(x, n, y); }},
      {"index_add", [](In x, In y, int64_t n) { index_add(x, n, y, x); }},
      {"index_add", [](In x, In y, int64_t n) { index_add(x, n, ids({0}), y); }},
      {"embedding", [](In x, In y, int64_t) { embedding(x, y); }},
      {"embedding", [](In x, In, int64_t n) { embedding(x, ids({0}), n); }},
      {"one_hot", [](In x, In, int64_t n) { one_hot(x, n); }},
      {"dropout", [](In x, In, int64_t n) { dropout(x, static_cast<double>(n)); }},
      {"mse_loss", [](In x, In y, int64_t) { mse_loss(x, y); }},
      {"l1_loss", [](In x, In y, int64_t) { l1_loss(x, y); }},
      {"huber_loss", [](In x, In y, int64_t n) { huber_loss(x, y, Reduction::sum, static_cast<double>(n)); }},
      {"kl_div", [](In x, In y, int64_t) { kl_div(x, y); }},
      {"nll_loss", [](In x, In y, int64_t) { nll_loss(x, y); }},
      {"nll_loss", [](In x, In y, int64_t) { nll_loss(x, ids({0, 1}), {.weight = y}); }},
      {"cross_entropy", [](In x, In y, int64_t) { cross_entropy(x, y); }},
      {"cross_entropy", [](In x, In y, int64_t) { cross_entropy(x, ids({0, 1}), {.weight = y, .label_smoothing = 0.5}); }},
      {"binary_cross_entropy_with_logits", [](In x, In y, int64_t) { binary_cross_entropy_with_logits(x, y); }},
      {"binary_cross_entropy_with_logits", [](In x, In y, int64_t) {
         binary_cross_entropy_with_logits(x, x, {.weight = y, .pos_weight = y}); }},
      {"layer_norm", [](In x, In y, int64_t n) { layer_norm(x, {n}, y); }},
      {"sort", [](In x, In, int64_t n) { sort(x, n); }},
      {"argsort", [](In x, In, int64_t n) { argsort(x, n); }},
      {"topk", [](In x, In, int64_t n) { topk(x, n); }},
      {"topk", [](In x, In, int64_t n) { topk(x, 1, n); }},
      {"leaky_relu", [](In x, In, int64_t) { leaky_relu(x); }},
      {"elu", [](In x, In, int64_t) { elu(x); }},
      {"silu", [](In x, In, int64_t) { silu(x); }},
      {"gelu", [](In x, In, int64_t) { gelu(x); }},
      {"gelu", [](In x, In, int64_t) { gelu(x, "erf"); }},
      {"softplus", [](In x, In, int64_t) { softplus(x); }},
      {"logsigmoid", [](In x, In, int64_t) { logsigmoid(x); }},
      {"scaled_dot_product_attention", [](In x, In y, int64_t) { scaled_dot_product_attention(x, y, x); }},
      {"scaled_dot_product_attention", [](In x, In y, int64_t) { scaled_dot_product_attention(x, x, x, y, 2.0); }},
      // In place:
      {"add_", [](In x, In y, int64_t) { x.add_(y); }},
      {"add_", [](In x, In, int64_t) { x.add_(1.0, 0.5); }},
      {"sub_", [](In x, In y, int64_t) { x.sub_(y, 2.0); }},
      {"sub_", [](In x, In, int64_t) { x.sub_(0.5); }},
      {"mul_", [](In x, In y, int64_t) { x.mul_(y); }},
      {"mul_", [](In x, In, int64_t) { x.mul_(0.5); }},
      {"div_", [](In x, In y, int64_t) { x.div_(y); }},
      {"copy_", [](In x, In y, int64_t) { x.copy_(y); }},
      {"fill_", [](In x, In, int64_t) { x.fill_(1.5); }},
      {"set_", [](In x, In, int64_t n) { x.set_({n}, 1.0); }},
      {"addcmul_", [](In x, In y, int64_t) { x.addcmul_(y, x); }},
      {"addcdiv_", [](In x, In y, int64_t) { x.addcdiv_(y, x); }},
  };
  return table;
}
// clang-format on

std::vector<Tensor> tensors() {
  std::vector<Tensor> all = {Tensor(), zeros({}), zeros({0}), zeros({2, 0}), ones({5}), ones({2, 3}), ones({3, 2, 4})};
  all.push_back(ones({1, 1, 1, 1, 1, 1, 1, 1}));
  all.push_back(ones({2, 3}, float64));
  all.push_back(ones({2, 3}, int64));
  all.push_back(ids({0, 7}));
  all.push_back(mask({true, false}));
  all.push_back(ones({2, 3}, boolean));
  return all;
}

void try_all_calls() {
  std::set<std::string> reported;
  for (const auto& [name, call] : calls()) {
    int errors = 0;
    for (const Tensor& x : tensors()) {
      for (const Tensor& y : tensors()) {
        for (const int64_t n : {-9, 0, 2}) {
          try {
            call(x, y, n);
          } catch (const Error& error) {
            ++errors;
            const bool is_new = error.op() != name && reported.insert(name + ": " + std::string(error.op())).second;
            EXPECT_FALSE(is_new) << name << " was called: " << error.what();
          }
        }
      }
    }
    EXPECT_GT(errors, 0) << name << " refuses nothing: it was not tried";
  }
}

TEST(ErrorNames, AreThoseOfTheOpsCalled) {
  try_all_calls();
}

TEST(ErrorNames, AreTheSameWithoutFastForms) {
  const FormulaGuard formulas;
  try_all_calls();
}

TEST(ErrorNames, AreTriedForEveryOp) {
  const std::vector<std::string> names =
      fixtures::matches(fixtures::content_of(BACKSTEP_SOURCE "/autograd/ops/ops.h") +
                            fixtures::content_of(BACKSTEP_SOURCE "/autograd/composites/composites.h"),
                        "\n(?:Tensor|bool|ValuesAndIndices|std::vector<Tensor>) ([a-z]\\w*)\\(");
  EXPECT_GT(names.size(), 100u);
  for (const std::string& name : names) EXPECT_GT(calls().count(name), 0u) << name;
}

}  // namespace op_names_test

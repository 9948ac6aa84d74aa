// Places: every node of the tape knows the line of the user's that made it and the module call that it ran in, and so
// does every node made while differentiating.

#include "autograd/tensor/scope.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "autograd/autograd.h"
#include "autograd/ops/all_ops.h"
#include "autograd/tape/node.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/record.h"
#include "tests/support/expect.h"

namespace scope_test {

using namespace autograd;
using fixtures::mentions;
using fixtures::message_of;

// Keeps what was put on the tape while it lives.
class Recorder : public Observer {
 public:
  void recorded(Node& node, const Inputs&, const Tensor&) override { nodes.emplace_back(&node); }
  std::vector<Ref<Node>> nodes;

 private:
  ObserverGuard guard_{*this};
};

// ---- lines ------------------------------------------------------------------------------------------------

struct Call {
  std::string name;
  int line;  // where the op is called
  std::function<Tensor()> run;
};

void PrintTo(const Call& call, std::ostream* out) {
  *out << call.name;
}

// Every op that is recorded, each called on the line that is written beside it.
const std::vector<Call>& calls() {
  static const Tensor x = tensor({{1, 2}, {3, 4}}, float64).requires_grad_();
  static const Tensor y = tensor({{5, 6}, {7, 8}}, float64).requires_grad_();
  static const Tensor row = tensor({9, 10}, float64).requires_grad_();
  static const Tensor batch = ones({3, 2, 2}, float64).requires_grad_();
  static const Tensor m = mask({true, false});
  static const Tensor i = ids({0, 1});
  static const Tensor ii = ids({{0, 1}, {1, 0}});
  // clang-format off
  static const std::vector<Call> list = {
      {"+", __LINE__, [] { return x + y; }},
      {"number +", __LINE__, [] { return 1.0 + x; }},
      {"+ number", __LINE__, [] { return x + 1.0; }},
      {"-", __LINE__, [] { return x - y; }},
      {"*", __LINE__, [] { return x * y; }},
      {"/", __LINE__, [] { return x / y; }},
      {"unary -", __LINE__, [] { return -x; }},
      {"pow", __LINE__, [] { return x.pow(3); }},
      {"pow of tensors", __LINE__, [] { return pow(x, y); }},
      {"maximum", __LINE__, [] { return maximum(x, y); }},
      {"minimum", __LINE__, [] { return minimum(x, 3.0); }},
      {"where", __LINE__, [] { return where(m, x, y); }},
      {"masked_fill", __LINE__, [] { return x.masked_fill(m, 0.0); }},
      {"neg", __LINE__, [] { return x.neg(); }},
      {"exp", __LINE__, [] { return x.exp(); }},
      {"log", __LINE__, [] { return x.log(); }},
      {"sqrt", __LINE__, [] { return x.sqrt(); }},
      {"abs", __LINE__, [] { return x.abs(); }},
      {"sin", __LINE__, [] { return sin(x); }},
      {"cos", __LINE__, [] { return cos(x); }},
      {"log1p", __LINE__, [] { return x.log1p(); }},
      {"erf", __LINE__, [] { return x.erf(); }},
      {"tanh", __LINE__, [] { return x.tanh(); }},
      {"sigmoid", __LINE__, [] { return x.sigmoid(); }},
      {"relu", __LINE__, [] { return x.relu(); }},
      {"clamp", __LINE__, [] { return x.clamp(2.0, 3.0); }},
      {"sum", __LINE__, [] { return x.sum(); }},
      {"sum along a dim", __LINE__, [] { return x.sum(0, true); }},
      {"mean", __LINE__, [] { return x.mean(); }},
      {"var", __LINE__, [] { return var(x, 1); }},
      {"amax", __LINE__, [] { return x.amax(0); }},
      {"amin", __LINE__, [] { return amin(x, 0); }},
      {"max", __LINE__, [] { return x.max(0).values; }},
      {"min", __LINE__, [] { return min(x, 0).values; }},
      {"logsumexp", __LINE__, [] { return x.logsumexp(1); }},
      {"cumsum", __LINE__, [] { return cumsum(x, 0); }},
      {"matmul", __LINE__, [] { return x.matmul(y); }},
      {"matmul with a vector", __LINE__, [] { return x.matmul(row); }},
      {"matmul of vectors", __LINE__, [] { return row.matmul(row); }},
      {"matmul of a batch", __LINE__, [] { return batch.matmul(x); }},
      {"bmm", __LINE__, [] { return batch.bmm(batch); }},
      {"linear", __LINE__, [] { return linear(x, y, row); }},
      {"linear of a vector", __LINE__, [] { return linear(row, y, row); }},
      {"gru_gates", __LINE__, [] { return gru_gates(cat({x, x, x}, 1), cat({y, x, y}, 1), x); }},
      {"lstm_gates", __LINE__, [] { return lstm_gates(cat({x, x, x, y}, 1), cat({y, x, y, x}, 1), x); }},
      {"gru_layer", __LINE__, [] { return gru_layer(cat({x, y, x}, 1).unsqueeze(0), x, cat({x, x, y}, 0)); }},
      {"lstm_layer", __LINE__, [] { return lstm_layer(cat({x, y, x, x}, 1).unsqueeze(0), x, y, cat({x, x, y, y}, 0)); }},
      {"additive_score", __LINE__, [] { return additive_score(batch, batch, row); }},
      {"softmax", __LINE__, [] { return x.softmax(-1); }},
      {"softmax of a number", __LINE__, [] { return row.sum().softmax(0); }},
      {"log_softmax", __LINE__, [] { return x.log_softmax(-1); }},
      {"masked_softmax", __LINE__, [] { return masked_softmax(x, m); }},
      {"t", __LINE__, [] { return x.t(); }},
      {"transpose", __LINE__, [] { return x.transpose(0, 1); }},
      {"permute", __LINE__, [] { return batch.permute({2, 0, 1}); }},
      {"unsqueeze", __LINE__, [] { return x.unsqueeze(0); }},
      {"squeeze", __LINE__, [] { return x.narrow(0, 0, 1).squeeze(0); }},
      {"expand", __LINE__, [] { return row.expand({3, 2}); }},
      {"view", __LINE__, [] { return x.view(4); }},
      {"reshape", __LINE__, [] { return x.t().reshape(4); }},
      {"flatten", __LINE__, [] { return batch.flatten(1); }},
      {"clone", __LINE__, [] { return x.clone(); }},
      {"contiguous", __LINE__, [] { return x.t().contiguous(); }},
      {"to", __LINE__, [] { return x.to(float32); }},
      {"flip", __LINE__, [] { return flip(x, 0); }},
      {"cat", __LINE__, [] { return cat({x, y}); }},
      {"stack", __LINE__, [] { return stack({x, y}); }},
      {"narrow", __LINE__, [] { return x.narrow(0, 0, 1); }},
      {"select", __LINE__, [] { return x.select(0, 0); }},
      {"slice", __LINE__, [] { return slice(x, 0, {0, 1}); }},
      {"[number]", __LINE__, [] { return x[1]; }},
      {"[slice]", __LINE__, [] { return x[Slice{1}]; }},
      {"[tensor]", __LINE__, [] { return x[i]; }},
      {"index", __LINE__, [] { return x.index({Index::ellipsis(), 0, Index::new_axis()}); }},
      {"split", __LINE__, [] { return x.split(1)[1]; }},
      {"split into sizes", __LINE__, [] { return split(x, {0, 2})[1]; }},
      {"chunk", __LINE__, [] { return x.chunk(2)[0]; }},
      {"slice_backward", __LINE__, [] { return slice_backward(x, {4, 2}, 0, 0, 2); }},
      {"gather", __LINE__, [] { return x.gather(0, ii); }},
      {"scatter_add", __LINE__, [] { return scatter_add(x, 0, ii, y); }},
      {"index_select", __LINE__, [] { return x.index_select(0, i); }},
      {"index_add", __LINE__, [] { return index_add(x, 0, i, y); }},
      {"embedding", __LINE__, [] { return embedding(x, ii); }},
      {"dropout", __LINE__, [] { return dropout(x, 0.5); }},
      {"mse_loss", __LINE__, [] { return mse_loss(x, y); }},
      {"nll_loss", __LINE__, [] { return nll_loss(x, i); }},
      {"cross_entropy", __LINE__, [] { return cross_entropy(x, i); }},
      {"smoothed cross_entropy", __LINE__, [] { return cross_entropy(x, i, {.label_smoothing = 0.1}); }},
      {"layer_norm", __LINE__, [] { return layer_norm(x, 2, row, row); }},
      {"square", __LINE__, [] { return x.square(); }},
      {"std", __LINE__, [] { return x.std(1); }},
      {"norm", __LINE__, [] { return x.norm(); }},
      {"norm with p 3", __LINE__, [] { return x.norm(3); }},
      {"prod", __LINE__, [] { return x.prod(); }},
      {"max of all", __LINE__, [] { return x.max(); }},
      {"min of all", __LINE__, [] { return x.min(); }},
      {"squeeze of all", __LINE__, [] { return row.unsqueeze(0).squeeze(); }},
      {"repeat", __LINE__, [] { return x.repeat({2, 2, 1}); }},
      {"tril", __LINE__, [] { return x.tril(); }},
      {"triu", __LINE__, [] { return x.triu(); }},
      {"pad", __LINE__, [] { return pad(x, {1, -1, 0, 1}); }},
      {"sort", __LINE__, [] { return x.sort().values; }},
      {"topk", __LINE__, [] { return x.topk(1).values; }},
      {"einsum", __LINE__, [] { return einsum("ij,jk->ki", x, y); }},
      {"leaky_relu", __LINE__, [] { return leaky_relu(x); }},
      {"elu", __LINE__, [] { return elu(x); }},
      {"silu", __LINE__, [] { return silu(x); }},
      {"gelu", __LINE__, [] { return gelu(x); }},
      {"gelu by tanh", __LINE__, [] { return gelu(x, "tanh"); }},
      {"softplus", __LINE__, [] { return softplus(x); }},
      {"logsigmoid", __LINE__, [] { return logsigmoid(x); }},
      {"l1_loss", __LINE__, [] { return l1_loss(x, y); }},
      {"huber_loss", __LINE__, [] { return huber_loss(x, y); }},
      {"kl_div", __LINE__, [] { return kl_div(x, y); }},
      {"kl_div of logarithms", __LINE__, [] { return kl_div(x, y, Reduction::mean, true); }},
      {"binary_cross_entropy", __LINE__, [] { return binary_cross_entropy_with_logits(x, y, {row, Reduction::sum, row}); }},
      {"attention", __LINE__, [] { return scaled_dot_product_attention(x, y, x, x); }},
      {"masked attention", __LINE__, [] { return scaled_dot_product_attention(x, y, x, m); }},
      {"+=", __LINE__, [] { return zeros({2, 2}, float64) += x; }},
      {"add_", __LINE__, [] { return zeros({2, 2}, float64).add_(x, 2.0); }},
      {"mul_", __LINE__, [] { return ones({2, 2}, float64).mul_(x); }},
      {"div_", __LINE__, [] { return ones({2, 2}, float64).div_(x); }},
      {"copy_", __LINE__, [] { return zeros({3, 2}, float64).copy_(row); }},
  };
  // clang-format on
  return list;
}

class Place : public testing::TestWithParam<Call> {};

TEST_P(Place, OfEveryNodeIsTheUsersLine) {
  const Recorder recorder;
  const Tensor y = GetParam().run();
  ASSERT_FALSE(recorder.nodes.empty());
  for (const Ref<Node>& node : recorder.nodes) {
    EXPECT_STREQ(node->called_at.file, "tests/autograd/tensor/scope_test.cpp") << node->name();
    EXPECT_EQ(node->called_at.line, GetParam().line) << node->name();
    EXPECT_EQ(node->backward_of, nullptr) << node->name();
  }
}

// The derivative of an op, itself a part of the graph, belongs to the line of the op.
TEST_P(Place, OfEveryNodeOfTheDerivativeIsTheUsersLineToo) {
  const Tensor y = GetParam().run();
  const Tensor dy = ones_like(y).requires_grad_();
  std::vector<Tensor> leaves;
  std::vector<Ref<Node>> to_visit = {Ref<Node>(y.grad_fn())};
  while (!to_visit.empty()) {
    const Ref<Node> node = to_visit.back();
    to_visit.pop_back();
    if (node->is_leaf()) leaves.push_back(static_cast<Leaf&>(*node).tensor);
    for (const Ref<Node>& input : node->inputs) {
      if (input) to_visit.push_back(input);
    }
  }
  const Recorder recorder;
  grad(y, leaves, {.grad_output = dy, .create_graph = true});
  for (const Ref<Node>& node : recorder.nodes) {
    EXPECT_STREQ(node->called_at.file, "tests/autograd/tensor/scope_test.cpp") << node->name();
    EXPECT_EQ(node->called_at.line, GetParam().line) << node->name();
    EXPECT_NE(node->backward_of, nullptr) << node->name();
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Place, testing::ValuesIn(calls()));

TEST(PlaceTable, HasEveryOp) {
  std::set<std::string> seen = {"leaf"};
  for (const Call& call : calls()) {
    const Recorder recorder;
    call.run();
    for (const Ref<Node>& node : recorder.nodes) seen.insert(node->name());
  }
  for (const OpInfo* op : all_ops()) EXPECT_TRUE(seen.contains(op->text.name)) << op->text.name;
}

TEST(WherePlace, OfAnExpressionOverSeveralLinesIsInsideIt) {
  const Tensor x = tensor({1, 2}).requires_grad_();
  const int first = __LINE__;
  const Tensor y = x + x      //
                   - 2.0 * x  //
                   + 1.0;
  for (const Node* node = y.grad_fn(); node; node = node->inputs[0].get()) {
    if (node->is_leaf()) break;
    EXPECT_GT(node->called_at.line, first) << node->name();
    EXPECT_LE(node->called_at.line, first + 3) << node->name();
  }
}

TEST(WherePlace, IsWrittenAsFileAndLine) {
  EXPECT_EQ(to_string(Where()), "an unknown place");
  EXPECT_EQ(to_string(Where::current("train.cpp", 40)), "train.cpp:40");
}

// ---- scopes -----------------------------------------------------------------------------------------------

Where line(int number) {
  return Where::current("train.cpp", number);
}

TEST(ScopeTest, IsNoneAtTheTopOfTheProgram) {
  EXPECT_FALSE(current_scope());
  EXPECT_EQ(scope_path(current_scope()), "");
  EXPECT_EQ(scope_origin(current_scope()).line, 0);
  EXPECT_FALSE(tensor(1.0).requires_grad_().exp().grad_fn()->scope);
}

TEST(ScopeTest, IsThePathOfModuleCallsFromTheOutermost) {
  const ScopeGuard encoder("encoder", line(40));
  {
    const ScopeGuard rnn("rnn", line(12));
    {
      const StepScope step(3, line(30));
      EXPECT_EQ(scope_path(current_scope()), "encoder.rnn, step 3");
      const ScopeGuard cell("cell", line(31));
      EXPECT_EQ(scope_path(current_scope()), "encoder.rnn, step 3.cell");
      EXPECT_EQ(scope_origin(current_scope()).line, 31);
    }
    EXPECT_EQ(scope_path(current_scope()), "encoder.rnn");
  }
  EXPECT_EQ(scope_path(current_scope()), "encoder");
}

// In the library's own modules the user cannot change a line; a loop's step is not a call.
TEST(ScopeTest, OriginIsTheInnermostCallThatTheUserWrote) {
  const StepScope step(0, line(40));
  EXPECT_EQ(scope_origin(current_scope()).line, 0);
  const ScopeGuard net("net", line(41));
  const ScopeGuard rnn("rnn", line(12));
  const StepScope time(3, Where::current("nn/layers/gru.cpp", 30));
  const ScopeGuard cell("cell", Where::current("nn/layers/gru.cpp", 31));
  EXPECT_EQ(scope_origin(current_scope()).line, 12);
}

TEST(ScopeTest, IsClosedByAnException) {
  EXPECT_THROW(
      {
        const ScopeGuard module("fc", line(1));
        throw std::runtime_error("stop");
      },
      std::runtime_error);
  EXPECT_FALSE(current_scope());
}

TEST(ScopeTest, IsKeptByTheNodesThatRanInIt) {
  const Tensor x = tensor({1, 2}).requires_grad_();
  Tensor y;
  {
    const ScopeGuard module("fc", line(7));
    const StepScope step(2, line(8));
    y = x.exp();
  }
  const Tensor z = y.exp();
  EXPECT_EQ(scope_path(y.grad_fn()->scope), "fc, step 2");
  EXPECT_EQ(scope_origin(y.grad_fn()->scope).line, 7);
  EXPECT_FALSE(z.grad_fn()->scope);
}

// backward() is called at the top of the program, or in quite another module.
TEST(ScopeTest, OfADerivativeIsThatOfTheOp) {
  const Tensor x = tensor({1, 2}).requires_grad_();
  Tensor y;
  {
    const ScopeGuard module("fc", line(7));
    y = x.tanh();
  }
  const ScopeGuard trainer("trainer", line(9));
  const Recorder recorder;
  grad(y.sum(), {x}, {.create_graph = true});
  int of_tanh = 0;
  for (const Ref<Node>& node : recorder.nodes) {
    if (!node->backward_of || std::string(node->backward_of->text.name) != "tanh") continue;
    ++of_tanh;
    EXPECT_EQ(scope_path(node->scope), "fc") << node->name();
  }
  EXPECT_GT(of_tanh, 0);
}

// ---- errors -----------------------------------------------------------------------------------------------

TEST(ErrorPlace, NamesTheLineAndTheModule) {
  const ScopeGuard encoder("encoder", line(12));
  const ScopeGuard fc("fc", line(5));
  const Where here = Where::current();
  const std::string message = message_of(ErrorId::shape_mismatch, [] { zeros({2, 3}).matmul(zeros({4, 5})); });
  EXPECT_EQ(message,
            "[shape-mismatch] matmul: [2, 3] times [4, 5]: the 3 columns of the first do not meet the 4 rows of the "
            "second\n"
            "  at: " +
                fixtures::place(here, 1) +
                "\n"
                "  in: encoder.fc, called at train.cpp:5\n"
                "  try: check which dim holds the features\n"
                "  more: docs/errors.md#shape-mismatch");
}

TEST(ErrorPlace, IsPartOfTheError) {
  const Where here = Where::current();
  try {
    zeros({2}) + zeros({3});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::shape_mismatch);
    EXPECT_EQ(error.where().line, here.line + 2);
    EXPECT_STREQ(error.where().file, here.file);
  }
}

// What goes wrong in a backward function is not the user's line of backward(), but that of the op.
TEST(ErrorPlace, InABackwardNamesTheOpBeingDifferentiated) {
  struct Broken : Observer {
    Grads run(Node&, const Tensor&) override { return {zeros({2}) + zeros({3})}; }
  };
  const Tensor x = tensor({1, 2}).requires_grad_();
  const Where here = Where::current();
  const Tensor y = x.tanh();
  Broken broken;
  const ObserverGuard guard(broken);
  const std::string message = message_of(ErrorId::shape_mismatch, [&] { y.backward(ones({2})); });
  EXPECT_TRUE(mentions(message, {fixtures::place(here, 1)}));
}

TEST(ErrorIds, HaveEachAStableName) {
  std::set<std::string> names;
  for (const ErrorId id : all_error_ids()) names.insert(std::string(name(id)));
  EXPECT_EQ(names.size(), all_error_ids().size());
  EXPECT_FALSE(names.contains("?"));
  EXPECT_TRUE(names.contains("in-place-clobber"));
}

}  // namespace scope_test

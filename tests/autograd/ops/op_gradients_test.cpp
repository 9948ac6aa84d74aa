// Every op against differences: gradcheck() of each op case, of first and second order. And no op is left out: each
// one in the engine's registry has a case here.

#include <autograd/gradcheck/gradcheck.h>
#include <autograd/ops/all_ops.h>
#include <autograd/tape/node.h>
#include <autograd/tape/observer.h>
#include <autograd/tape/record.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "tests/autograd/ops/op_cases.h"
#include "tests/support/fixtures.h"

namespace op_gradients_test {

using namespace autograd;
using op_cases::OpCase;
using op_cases::Tensors;

// ---- cases that differences cannot confirm -------------------------------------------------------------------

struct Special {
  Verdict verdict;
  const char* why;
};

// What gradcheck says instead of PASS, and why that is right. PyTorch's gradients at these points are compared in
// op_values_test.cpp.
const std::map<std::string, Special>& special_cases() {
  constexpr const char* kink = "a kink";
  constexpr const char* zero = "the derivative is zero";
  constexpr const char* edge = "the edge of the domain";
  constexpr const char* nothing_to_average = "the mean of nothing is NaN";
  constexpr const char* nan = "there are no differences to NaN";
  constexpr const char* infinite =
      "an output of inf has no differences; PyTorch's derivative is that of the divisor n - correction";
  constexpr const char* padding = "the padding row is kept as it is, whatever the derivative";
  static const std::map<std::string, Special> cases = {
      {"abs/zero", {Verdict::kink, kink}},
      {"relu/zero", {Verdict::kink, kink}},
      {"maximum/ties", {Verdict::kink, kink}},
      {"minimum/ties", {Verdict::kink, kink}},
      {"clamp/at_bounds", {Verdict::kink, kink}},
      {"clamp/min_at_bound", {Verdict::kink, kink}},
      {"amax/ties_dim2", {Verdict::kink, kink}},
      {"amax/ties_dims1_2", {Verdict::kink, kink}},
      {"amax/ties_all", {Verdict::kink, kink}},
      {"amin/ties_dims1_2", {Verdict::kink, kink}},
      {"amin/ties_all", {Verdict::kink, kink}},
      {"max/all_ties", {Verdict::kink, kink}},
      {"norm/p2_at_0", {Verdict::kink, kink}},
      {"norm/p1_at_0", {Verdict::kink, kink}},
      {"norm/p3_at_0", {Verdict::kink, kink}},
      {"norm/p1.5_at_0", {Verdict::kink, kink}},
      {"std/at_0", {Verdict::kink, kink}},
      {"leaky_relu/at_0", {Verdict::kink, kink}},
      {"leaky_relu_slope/at_0", {Verdict::kink, kink}},
      {"l1_loss/equal", {Verdict::kink, kink}},

      {"exp/overflow", {Verdict::domain, edge}},
      {"log/zero", {Verdict::domain, edge}},
      {"sqrt/zero", {Verdict::domain, edge}},
      {"logsumexp/some_minus_infinity", {Verdict::domain, edge}},
      {"softmax/minus_infinity", {Verdict::domain, edge}},
      {"mean/over_empty", {Verdict::domain, nothing_to_average}},
      {"cross_entropy/all_ignored_mean", {Verdict::domain, nothing_to_average}},
      {"nll_loss/all_ignored_mean", {Verdict::domain, nothing_to_average}},

      {"relu/nan", {Verdict::domain, nan}},
      {"abs/nan", {Verdict::domain, nan}},
      {"clamp/nan", {Verdict::domain, nan}},
      {"maximum/nan", {Verdict::domain, nan}},
      {"minimum/nan", {Verdict::domain, nan}},
      {"amax/nan", {Verdict::domain, nan}},
      {"amin/nan", {Verdict::domain, nan}},
      {"max/nan", {Verdict::domain, nan}},
      {"min/nan", {Verdict::domain, nan}},
      {"sort/ascending_ties", {Verdict::domain, nan}},
      {"sort/descending_ties", {Verdict::domain, nan}},
      {"pow/exponent_0_at_nan", {Verdict::domain, nan}},
      {"pow/tensor_exponent_at_nan", {Verdict::domain, nan}},
      {"var/correction_above_n_no_spread", {Verdict::domain, nan}},

      {"log_softmax/minus_infinity", {Verdict::fail, "an output of -inf has no differences"}},
      {"var/correction_above_n", {Verdict::fail, infinite}},
      {"var/correction_above_n_dims0_1", {Verdict::fail, infinite}},
      {"embedding/padding", {Verdict::fail, padding}},
      {"embedding/padding_negative", {Verdict::fail, padding}},

      {"pow/exponent_0", {Verdict::vacuous, zero}},
      {"pow/exponent_0_at_0", {Verdict::vacuous, zero}},
      {"pow/tensor_exponent_at_0", {Verdict::vacuous, zero}},
      {"pow/scalar_base_1", {Verdict::vacuous, zero}},
      {"norm/p0_all", {Verdict::vacuous, zero}},
      {"norm/p0_dim1", {Verdict::vacuous, zero}},
      {"triu/far", {Verdict::vacuous, zero}},
      {"sub/same_tensor", {Verdict::vacuous, zero}},
      {"div/same_tensor", {Verdict::vacuous, zero}},
      {"relu/zero_dim", {Verdict::vacuous, zero}},
      {"masked_fill/zero_dim_mask", {Verdict::vacuous, zero}},
      {"var/biased_size_1", {Verdict::vacuous, zero}},
      {"var/zero_dim_dim0", {Verdict::vacuous, zero}},
      {"var/zero_dim_dim-1", {Verdict::vacuous, zero}},
      {"softmax/zero_dim", {Verdict::vacuous, zero}},
      {"softmax/zero_dim_dim0", {Verdict::vacuous, zero}},
      {"softmax/zero_dim_dim-1", {Verdict::vacuous, zero}},
      {"softmax/size_1", {Verdict::vacuous, zero}},
      {"log_softmax/zero_dim", {Verdict::vacuous, zero}},
      {"log_softmax/zero_dim_dim0", {Verdict::vacuous, zero}},
      {"log_softmax/zero_dim_dim-1", {Verdict::vacuous, zero}},
      {"log_softmax/size_1", {Verdict::vacuous, zero}},
      {"cross_entropy/all_ignored_sum", {Verdict::vacuous, zero}},
      {"nll_loss/all_ignored_sum", {Verdict::vacuous, zero}},
  };
  return cases;
}

// Differentiable once where the case is, but not twice.
const std::map<std::string, const char*>& without_second_order() {
  static const std::map<std::string, const char*> cases = {
      {"log/special", "1 / x^2 overflows at x = 1e-300"},
      {"pow/tensor_exponent_at_0", "the edge of the domain"},
      {"elu/far_out", "it has numbers 1e-9 from its kink"},
      {"elu_alpha/far_out", "it has numbers 1e-9 from its kink"},
      {"to/float32", "the cotangent is float32, where differences are too coarse"},
  };
  return cases;
}

bool has_second_order(const std::string& id) {
  if (without_second_order().contains(id)) return false;
  const auto special = special_cases().find(id);
  return special == special_cases().end() || special->second.verdict == Verdict::vacuous;
}

// ---- the checks ----------------------------------------------------------------------------------------------

// Nothing goes in, or nothing comes out: there is no derivative to confirm.
bool is_empty(const OpCase& one) {
  const Tensors inputs = op_cases::inputs_of(one);
  const auto nothing = [](const Tensor& x) { return x.requires_grad() && x.numel() == 0; };
  return one.call(inputs).numel() == 0 || std::any_of(inputs.begin(), inputs.end(), nothing);
}

std::vector<std::string> differentiable_cases() {
  std::vector<std::string> ids;
  for (const OpCase& one : op_cases::all()) {
    if (op_cases::is_differentiable(one)) ids.push_back(one.id);
  }
  return ids;
}

class OpGradients : public testing::TestWithParam<std::string> {};

TEST_P(OpGradients, FirstOrder) {
  const OpCase& one = op_cases::find(GetParam());
  const GradcheckReport report = gradcheck(one.call, op_cases::inputs_of(one), {.reseed = one.random});
  const auto special = special_cases().find(one.id);
  if (special != special_cases().end()) {
    EXPECT_EQ(name(report.verdict), name(special->second.verdict)) << special->second.why << "\n" << report;
  } else if (is_empty(one)) {
    EXPECT_EQ(name(report.verdict), name(Verdict::vacuous)) << report;
  } else {
    EXPECT_TRUE(report);
  }
}

TEST_P(OpGradients, SecondOrder) {
  const OpCase& one = op_cases::find(GetParam());
  if (!has_second_order(one.id)) return;
  EXPECT_TRUE(gradgradcheck(one.call, op_cases::inputs_of(one), {.reseed = one.random}));
}

INSTANTIATE_TEST_SUITE_P(Differences, OpGradients, testing::ValuesIn(differentiable_cases()), fixtures::test_name);

// ---- no op is left out ---------------------------------------------------------------------------------------

// The names of the ops that a program records.
class NamesOfOps : public Observer {
 public:
  void recorded(Node& node, const Inputs&, const Tensor&) override { names.insert(node.name()); }
  std::set<std::string> names;
};

std::set<std::string> ops_recorded_by(const OpCase& one) {
  const Tensors inputs = op_cases::inputs_of(one);
  NamesOfOps observer;
  const ObserverGuard guard(observer);
  one.call(inputs);
  return observer.names;
}

TEST(AllOps, HaveACaseThatConfirmsTheirDerivative) {
  std::set<std::string> confirmed;
  for (const OpCase& one : op_cases::all()) {
    if (special_cases().contains(one.id) || !op_cases::is_differentiable(one) || is_empty(one)) continue;
    if (ops_recorded_by(one).contains(one.op)) confirmed.insert(one.op);
  }
  for (const OpInfo* op : all_ops()) {
    const std::string name = op->text.name;
    if (name == Leaf::text.name) continue;  // where gradients arrive; nothing is computed
    EXPECT_TRUE(confirmed.contains(name))
        << "the op " << name << " has no case; add one to tests/autograd/ops/op_cases_*.cpp";
  }
}

TEST(AllOps, AreNamedRightByTheirCases) {
  std::set<std::string> names = {""};
  for (const OpInfo* op : all_ops()) names.insert(op->text.name);
  for (const OpCase& one : op_cases::all()) {
    EXPECT_TRUE(names.contains(one.op)) << one.id << " is about " << one.op << ", and there is no such op";
  }
}

// The list at the end of a file names all its structs.
TEST(AllOps, AreListed) {
  std::size_t structs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(BACKSTEP_SOURCE) / "autograd/ops")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      structs += line.starts_with("struct ") && line.find(" final : Node {") != std::string::npos;
    }
  }
  EXPECT_EQ(all_ops().size(), structs);
  EXPECT_GT(structs, 50u);
}

TEST(AllOps, SpecialCasesExist) {
  for (const auto& [id, special] : special_cases()) EXPECT_NO_THROW(op_cases::find(id)) << id;
  for (const auto& [id, why] : without_second_order()) EXPECT_NO_THROW(op_cases::find(id)) << id;
}

}  // namespace op_gradients_test

// That the random programs find what is wrong: the language, the printers, the shrinker; and the corpus
// (fixtures/random_programs.json), programs with PyTorch's values.
#include <autograd/ops/all_ops.h>
#include <autograd/tape/observer.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/tape/record.h"
#include "export.h"
#include "judge.h"
#include "maker.h"
#include "shrink.h"
#include "tests/support/expect.h"
#include "tests/support/fixtures.h"
#include "ways.h"

using namespace random_programs;
using fixtures::Json;

namespace {

constexpr std::uint64_t many = 300;

// ---- the corpus ------------------------------------------------------------------------------------------------------

double largest_in(const Json& values) {
  double largest = 1.0;
  for (const Json& value : values) {
    if (value.is_structured()) largest = std::max(largest, largest_in(value));
    if (value.is_number()) largest = std::max(largest, std::abs(value.get<double>()));
  }
  return largest;
}

// No gradient, and a gradient of zeros, are the same to PyTorch and to us.
bool is_zero(const Json& values) {
  return values.is_null() || std::all_of(values.begin(), values.end(), [](const Json& value) { return value == 0.0; });
}

bool agree(const Json& ours, const Json& theirs, double tolerance) {
  if (ours.is_null() || theirs.is_null()) return is_zero(ours) && is_zero(theirs);
  if (theirs.is_number()) return std::abs(ours.get<double>() - theirs.get<double>()) <= tolerance;
  if (ours.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    if (!agree(ours[i], theirs[i], tolerance)) return false;
  }
  return true;
}

class CorpusTest : public testing::TestWithParam<std::string> {};

TEST_P(CorpusTest, IsAsPyTorchHasIt) {
  const Json& one = fixtures::find("random_programs.json", GetParam());
  const Program program = program_from(one["program"]);
  const Json found = values_to_json(run(program));
  const double scale = largest_in({one["roots"], one["gradients"], one["retained"]});
  for (const char* part : {"roots", "gradients", "retained"}) {
    EXPECT_TRUE(agree(found[part], one[part], 1e-12 * scale))
        << part << " are " << found[part] << "\nshould be " << one[part] << "\nin\n"
        << as_text(program);
  }
  for (const auto& [step, gradients] : one["records"].items()) {
    const Json seen = found["records"].contains(step) ? found["records"][step] : Json::array();
    EXPECT_TRUE(agree(seen, gradients, 1e-12 * std::max(scale, largest_in(gradients))))
        << "the hook of step " << step << " saw " << seen << "\nshould have seen " << gradients << "\nin\n"
        << as_text(program);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, CorpusTest, testing::ValuesIn(fixtures::ids("random_programs.json")),
                         fixtures::test_name);

// ---- the language ----------------------------------------------------------------------------------------------------

TEST(RandomProgramsTest, TheSameSeedMakesTheSameProgram) {
  EXPECT_EQ(make_program(12), make_program(12));
  EXPECT_FALSE(make_program(12) == make_program(13));
}

TEST(RandomProgramsTest, AreReadBackAsTheyWereWritten) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Program program = make_program(seed);
    EXPECT_EQ(program_from(Json::parse(to_json(program).dump())), program);
  }
}

TEST(RandomProgramsTest, UseEveryWord) {
  std::set<std::string> used;
  for (std::uint64_t seed = 0; seed < 3 * many; ++seed) {
    if (size_of(seed) == Size::large) continue;
    for (const Step& step : make_program(seed).steps) used.insert(step.word);
  }
  for (const Word& word : all_words()) {
    EXPECT_TRUE(word.kind == Kind::call || used.contains(word.name)) << word.name << " is never proposed";
  }
}

TEST(RandomProgramsTest, ArePrintedAsPythonRunsThem) {
  const Json json = Json::parse(R"([[["leaf",1,[],[7,0],[2,3]],["narrow",2,[1],[1,0,2]],["cat",3,[2,2],[0]],
                                     ["hook_scales",4,[2],[],[],[-0.5]],["tanh",5,[3],[],[],[],true],
                                     ["linear",6,[1,1,-1]],["split",7,[6],[1,-1],[],[],false,1]],[3,5]])");
  EXPECT_EQ(as_text(program_from(json)),
            "v1 = leaf(7, False, [2, 3])\n"
            "v2 = narrow(v1, 1, 0, 2)\n"
            "v3 = cat([v2, v2], 0)\n"
            "hook_scales(v2, -0.5)\n"
            "with no_grad(): v5 = tanh(v3)\n"
            "v6 = linear(v1, v1, None)\n"
            "v7 = split(v6, 1, -1)[1]\n");
}

TEST(RandomProgramsTest, WhatNoRootDependsOnIsLeftOut) {
  const Json json = Json::parse(R"([[["leaf",1,[],[7,0],[2]],["exp",2,[1]],["leaf",3,[],[8,0],[2]],["sin",4,[3]],
                                     ["retain_grad",5,[2]],["retain_grad",6,[4]]],[4]])");
  const Program rest = without_unused(program_from(json));
  ASSERT_EQ(rest.steps.size(), 3u);
  EXPECT_EQ(rest.steps[2].operands, std::vector{4});
}

// ---- a mistake is found, and made small ------------------------------------------------------------------------------

// Makes the derivative of one op wrong by a thousandth.
class Mistake : public autograd::Observer {
 public:
  explicit Mistake(std::string op) : op_(std::move(op)) {}
  autograd::Grads run(autograd::Node& node, const Tensor& dy) override {
    autograd::Grads gradients = Observer::run(node, dy);
    if (node.name() == op_ && gradients[0].defined()) gradients[0] = gradients[0] * 1.001;
    return gradients;
  }

 private:
  std::string op_;
};

bool contains(const Program& program, const std::string& word) {
  return std::any_of(program.steps.begin(), program.steps.end(), [&](const Step& step) { return step.word == word; });
}

// Other threads do not have this thread's observer: their ways are left out.
const std::vector<std::string> without = {"side_by_side", "handed_over"};

// The first program of some length in which the mistake shows.
Program program_that_fails(const std::string& word) {
  for (std::uint64_t seed = 1; seed < 1000; ++seed) {
    const Program program = make_program(seed);
    if (program.steps.size() >= 8 && contains(program, word) && check(program, without)) return program;
  }
  return {};
}

TEST(RandomProgramsTest, AWrongDerivativeIsFoundAndMadeSmall) {
  for (const std::string op : {"sin", "log", "cumsum"}) {
    Mistake mistake(op);
    const autograd::ObserverGuard guard(mistake);
    const Program program = program_that_fails(op);
    ASSERT_FALSE(program.steps.empty()) << "a wrong derivative of " << op << " was not found";
    const Finding finding = check(program, without);
    const Program small = shrink(program, [&](const Program& one) { return check(one, without).way == finding.way; });
    EXPECT_LE(small.steps.size(), 3u) << as_text(small);
    EXPECT_TRUE(contains(small, op)) << as_text(small);
  }
}

TEST(RandomCallsTest, FindAWrongDerivative) {
  const auto is_found = [&] {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      if (!judge(word("cumsum"), seed).wrong.empty()) return true;
    }
    return false;
  };
  EXPECT_FALSE(is_found());
  Mistake mistake("cumsum");
  const autograd::ObserverGuard guard(mistake);
  EXPECT_TRUE(is_found());
}

TEST(RandomProgramsTest, AGradientThatIsMissingIsADifference) {
  const Outcome wanted = run(make_program(3));
  EXPECT_EQ(difference(wanted, wanted), "");
  Outcome found = wanted;
  for (Tensor& gradient : found.gradients) gradient = Tensor();
  EXPECT_NE(difference(found, wanted), "");
  found = wanted;
  found.roots[0] = found.roots[0] + 1e-9;
  EXPECT_NE(difference(found, wanted), "");
  EXPECT_NE(difference_in_bits(found, wanted), "");
}

// v2 = exp(v1) without a gradient, changed in place before it is used.
TEST(RandomProgramsTest, AConstantIsTheOneThatWasComputed) {
  const Json json =
      Json::parse(R"([[["leaf",1,[],[7,0],[2]],["exp",2,[1],[],[],[],true],["mul_number_",3,[2],[],[],[0.5]],
                                     ["mul",4,[1,2]]],[4]])");
  EXPECT_EQ(check(program_from(json)).what, "");
}

// ---- nothing is left out ---------------------------------------------------------------------------------------------

// The names of all ops that run while it lives.
class Witness : public autograd::Observer {
 public:
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override {
    seen.insert(node.name());
    Observer::recorded(node, inputs, output);
  }
  std::set<std::string> seen;
};

TEST(RandomProgramsTest, ReachEveryOpTogetherWithRandomCalls) {
  Witness witness;
  {
    const autograd::ObserverGuard guard(witness);
    for (std::uint64_t seed = 0; seed < many; ++seed) {
      if (size_of(seed) != Size::large) run(make_program(seed));
    }
    for (std::uint64_t seed = 0; seed < 60 * all_words().size(); ++seed) {
      const Word& word = all_words()[seed % all_words().size()];
      if (word.is_call()) judge(word, seed);
    }
  }
  for (const autograd::OpInfo* op : autograd::all_ops())
    EXPECT_TRUE(witness.seen.contains(op->text.name)) << op->text.name;
}

}  // namespace

#include <nn/layers/module.h>

#include <type_traits>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_module_test {

using autograd::ErrorId;
using autograd::Tensor;
using autograd::Where;

static_assert(!std::is_copy_constructible_v<nn::Linear> && !std::is_move_constructible_v<nn::Linear> &&
                  !std::is_copy_assignable_v<nn::Linear> && !std::is_move_assignable_v<nn::Linear>,
              "a module's members are registered by address");

struct Block : nn::Module {
  nn::Linear first;
  Tensor scale;
  Tensor running_mean;
  nn::Linear second;
  nn::Dropout dropout;

  Block()
      : first({.in_features = 3, .out_features = 4}),
        scale(autograd::full({4}, 2.0)),
        running_mean(autograd::zeros({4})),
        second({.in_features = 4, .out_features = 2, .bias = false}) {
    register_module("first", first);
    register_parameter("scale", scale);
    register_buffer("running_mean", running_mean);
    register_module("second", second);
    register_module("dropout", dropout);
  }
  Tensor operator()(const Tensor& x, Where where = Where::current()) const {
    const autograd::ScopeGuard scope(name(), where);
    return second(dropout((first(x) - running_mean) * scale));
  }
};

struct Model : nn::Module {
  Block block;
  nn::Embedding embedding;

  Model() : embedding({.num_embeddings = 5, .embedding_dim = 3}) {
    register_module("block", block);
    register_module("embedding", embedding);
  }
};

std::vector<std::string> names_of(const nn::NamedTensors& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) names.push_back(name);
  return names;
}

// Its registrations go wrong in a way of one's choice.
struct Registering : nn::Module {
  Tensor weight = autograd::zeros({2});
  nn::Linear child;
  Registering() : child({.in_features = 1, .out_features = 1}) {}
  void parameter(const std::string& name) { register_parameter(name, weight); }
  void module(const std::string& name) { register_module(name, child); }
  void itself() { register_module("itself", *this); }
};

// ---- names ---------------------------------------------------------------------------------------------------

TEST(NnModule, NamesAreDottedAndInPyTorchsOrder) {
  const Model model;
  EXPECT_EQ(names_of(model.named_parameters()),
            (std::vector<std::string>{"block.scale", "block.first.weight", "block.first.bias", "block.second.weight",
                                      "embedding.weight"}));
  EXPECT_EQ(names_of(model.named_buffers()), std::vector<std::string>{"block.running_mean"});
  EXPECT_EQ(model.num_parameters(), 4 + 12 + 4 + 8 + 15);
  EXPECT_EQ(model.name(), "Model");
  EXPECT_EQ(model.block.first.name(), "first");
}

TEST(NnModule, ParametersAreLeavesThatKnowTheirNames) {
  const Model model;
  for (const auto& [name, parameter] : model.named_parameters()) {
    EXPECT_EQ(parameter.name(), name);
    EXPECT_TRUE(parameter.is_leaf() && parameter.requires_grad()) << name;
  }
  EXPECT_FALSE(model.block.running_mean.requires_grad());
}

TEST(NnModule, TiedWeightsCountOnceButAreSavedUnderBothNames) {
  Model model;
  nn::Linear& first = model.block.first;
  first.weight = autograd::ones({4, 3}).requires_grad_();
  EXPECT_EQ(model.block.parameters()[1].to_vector(), std::vector<double>(12, 1.0));  // the member is what counts
  model.block.scale = first.bias;
  EXPECT_EQ(model.num_parameters(), 12 + 4 + 8 + 15);
  EXPECT_EQ(model.state_dict().count("block.scale"), 1u);
  EXPECT_EQ(model.state_dict().count("block.first.bias"), 1u);
  model.to(autograd::float64);
  EXPECT_TRUE(model.block.scale.is_same(first.bias));
}

TEST(NnModule, RegistrationRefusesBadNames) {
  Registering module;
  fixtures::message_of(ErrorId::bad_argument, [&] { module.parameter(""); });
  fixtures::message_of(ErrorId::bad_argument, [&] { module.parameter("a.b"); });
  fixtures::message_of(ErrorId::bad_argument, [&] { module.itself(); });
  module.parameter("weight");
  EXPECT_TRUE(fixtures::says("nn", {fixtures::message_of(ErrorId::bad_argument, [&] { module.module("weight"); })}));
  module.module("child");
  fixtures::message_of(ErrorId::bad_argument, [&] { module.module("again"); });
}

template <class T> struct Wrapper : nn::Module {};

TEST(NnModule, WithoutANameItGoesByItsType) {
  struct Local : nn::Module {};
  EXPECT_EQ(Local().name(), "Local");
  EXPECT_EQ(Wrapper<nn::Linear>().name(), "Wrapper<nn::Linear>");
}

// ---- modes and gradients -------------------------------------------------------------------------------------

TEST(NnModule, TrainAndEvalReachAllChildren) {
  Model model;
  EXPECT_TRUE(model.training());
  EXPECT_TRUE(model.block.dropout.training());
  model.eval();
  EXPECT_FALSE(model.training());
  EXPECT_FALSE(model.block.dropout.training());
  model.train();
  EXPECT_TRUE(model.block.dropout.training());
}

TEST(NnModule, ZeroGradAndFreezing) {
  Block block;
  block(autograd::ones({2, 3})).sum().backward();
  for (const Tensor& parameter : block.parameters()) EXPECT_TRUE(parameter.grad().defined());
  block.zero_grad();
  for (const Tensor& parameter : block.parameters()) EXPECT_FALSE(parameter.grad().defined());
  block.first.requires_grad_(false);
  block(autograd::ones({2, 3})).sum().backward();
  EXPECT_FALSE(block.first.weight.grad().defined());
  EXPECT_TRUE(block.second.weight.grad().defined());
}

TEST(NnModule, ConvertsToFloat64) {
  Block block;
  block.eval();
  const Tensor before = block(autograd::full({1, 3}, 0.5));
  const nn::StateDict state = block.state_dict();
  block.second.weight.requires_grad_(false);
  block.to(autograd::float64);
  for (const auto& [name, parameter] : block.named_parameters()) {
    EXPECT_EQ(parameter.dtype(), autograd::float64) << name;
    EXPECT_TRUE(parameter.is_leaf()) << name;
    EXPECT_EQ(parameter.requires_grad(), name != "second.weight") << name;
    EXPECT_EQ(parameter.name(), name);
    EXPECT_EQ(parameter.to_vector(), state.at(name).to_vector()) << name;
  }
  EXPECT_EQ(block.running_mean.dtype(), autograd::float64);
  const Tensor after = block(autograd::full({1, 3}, 0.5, autograd::float64));
  EXPECT_TRUE(fixtures::near(after, before.to(autograd::float64), {.relative = 1e-6, .absolute = 1e-6}));
  fixtures::message_of(ErrorId::dtype_mismatch, [&] { block.to(autograd::int64); });
}

// ---- state dicts ---------------------------------------------------------------------------------------------

TEST(NnStateDict, IsACopy) {
  const Block block;
  const nn::StateDict best = block.state_dict();
  const std::vector<double> before = block.scale.to_vector();
  {
    const autograd::NoGradGuard no_grad;
    block.scale.fill_(9.0);
  }
  EXPECT_EQ(best.at("scale").to_vector(), before);
  EXPECT_FALSE(best.at("scale").requires_grad());
  block.load_state_dict(best);
  EXPECT_EQ(block.scale.to_vector(), before);
}

TEST(NnStateDict, GoesFromOneModelToAnother) {
  Model first;
  Model second;
  second.to(autograd::float64);
  first.block.running_mean = autograd::tensor({1.0, 2.0, 3.0, 4.0});
  second.load_state_dict(first.state_dict());
  for (const auto& [name, tensor] : second.state_dict()) {
    EXPECT_EQ(tensor.dtype(), autograd::float64) << name;
    EXPECT_EQ(tensor.to_vector(), first.state_dict().at(name).to_vector()) << name;
  }
}

TEST(NnStateDict, MismatchListsEverythingAndChangesNothing) {
  const Block block;
  const nn::StateDict before = block.state_dict();
  nn::StateDict wrong = before;
  for (auto& [name, tensor] : wrong) tensor = tensor + 1.0;
  wrong.erase("first.bias");
  wrong.erase("running_mean");
  wrong["second.bias"] = autograd::zeros({2});
  wrong["third"] = autograd::zeros({2});
  wrong["first.weight"] = autograd::zeros({3, 4});
  wrong["second.weight"] = autograd::zeros({2, 4}, autograd::int64);
  const std::string message = fixtures::message_of(ErrorId::state_dict_mismatch, [&] { block.load_state_dict(wrong); });
  EXPECT_TRUE(fixtures::says("nn", {message}));
  for (const auto& [name, tensor] : block.state_dict())
    EXPECT_EQ(tensor.to_vector(), before.at(name).to_vector()) << name;
}

TEST(NnStateDict, NotStrictPassesOverNamesButNotShapes) {
  const Block block;
  const nn::StateDict partial{{"scale", autograd::full({4}, 7.0)}, {"other", autograd::zeros({1})}};
  const nn::StateDictDifference difference = block.load_state_dict(partial, false);
  EXPECT_EQ(difference.unexpected_keys, std::vector<std::string>{"other"});
  EXPECT_EQ(difference.missing_keys,
            (std::vector<std::string>{"first.bias", "first.weight", "running_mean", "second.weight"}));
  EXPECT_EQ(block.scale.to_vector(), std::vector<double>(4, 7.0));
  const nn::StateDict unfit{{"scale", autograd::full({5}, 7.0)}};
  fixtures::message_of(ErrorId::state_dict_mismatch, [&] { block.load_state_dict(unfit, false); });
  const nn::StateDict undefined{{"scale", Tensor()}};
  EXPECT_TRUE(fixtures::says(
      "nn", {fixtures::message_of(ErrorId::state_dict_mismatch, [&] { block.load_state_dict(undefined, false); })}));
}

// ---- scopes --------------------------------------------------------------------------------------------------

TEST(NnModule, ErrorsSayInWhichModuleAndWhoCalled) {
  const Block block;
  const std::string message = fixtures::message_of(ErrorId::shape_mismatch, [&] { block(autograd::ones({2, 5})); });
  EXPECT_TRUE(fixtures::says("nn", {message}));
}

}  // namespace nn_module_test

// SGD, Adam, AdamW, Adadelta and RMSprop: five steps equal to PyTorch's, resuming, errors.
#include <nn/optim/adadelta.h>
#include <nn/optim/adam.h>
#include <nn/optim/rmsprop.h>
#include <nn/optim/sgd.h>

#include <memory>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_optimizer_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

nn::Betas betas_of(const fixtures::Call& call) {
  if (!call.has("betas")) return {};
  return {call.numbers("betas").at(0), call.numbers("betas").at(1)};
}

// "torch.optim.SGD(parameters, lr=0.1, momentum=0.9)"
std::unique_ptr<nn::Optimizer> make_optimizer(const fixtures::Call& call, const nn::ParameterGroups& parameters) {
  const double decay = call.number("weight_decay", 0.0);
  if (call.name == "SGD") {
    return std::make_unique<nn::SGD>(parameters, nn::SGDOptions{.lr = call.number("lr", 1e-3),
                                                                .momentum = call.number("momentum", 0.0),
                                                                .dampening = call.number("dampening", 0.0),
                                                                .weight_decay = decay,
                                                                .nesterov = call.flag("nesterov", false)});
  }
  if (call.name == "Adam") {
    nn::AdamOptions options;
    options.lr = call.number("lr", options.lr);
    options.betas = betas_of(call);
    options.eps = call.number("eps", options.eps);
    options.weight_decay = call.number("weight_decay", options.weight_decay);
    options.amsgrad = call.flag("amsgrad", options.amsgrad);
    return std::make_unique<nn::Adam>(parameters, options);
  }
  if (call.name == "AdamW") {
    nn::AdamWOptions options;
    options.lr = call.number("lr", options.lr);
    options.betas = betas_of(call);
    options.eps = call.number("eps", options.eps);
    options.weight_decay = call.number("weight_decay", options.weight_decay);
    options.amsgrad = call.flag("amsgrad", options.amsgrad);
    return std::make_unique<nn::AdamW>(parameters, options);
  }
  if (call.name == "RMSprop") {
    nn::RMSpropOptions options;
    options.lr = call.number("lr", options.lr);
    options.alpha = call.number("alpha", options.alpha);
    options.eps = call.number("eps", options.eps);
    options.weight_decay = decay;
    options.momentum = call.number("momentum", options.momentum);
    options.centered = call.flag("centered", options.centered);
    return std::make_unique<nn::RMSprop>(parameters, options);
  }
  if (call.name == "Adadelta") {
    nn::AdadeltaOptions options;
    options.lr = call.number("lr", options.lr);
    options.rho = call.number("rho", options.rho);
    options.eps = call.number("eps", options.eps);
    options.weight_decay = call.number("weight_decay", options.weight_decay);
    return std::make_unique<nn::Adadelta>(parameters, options);
  }
  throw std::runtime_error("no optimiser " + call.name);
}

std::vector<Tensor> parameters_of(const fixtures::Json& json) {
  std::vector<Tensor> parameters = fixtures::tensors(json);
  for (const Tensor& parameter : parameters) parameter.requires_grad_();
  return parameters;
}

// One group of all parameters, or one of each with options of its own.
nn::ParameterGroups groups_of(const fixtures::Json& one) {
  const std::vector<Tensor> parameters = parameters_of(one["parameters"]);
  if (!one.contains("groups")) return parameters;
  std::vector<nn::ParameterGroup> groups;
  for (const Tensor& parameter : parameters) {
    const fixtures::Json& own = one["groups"][groups.size()];
    nn::ParameterGroup& group = groups.emplace_back();
    group.parameters = {parameter};
    if (own.contains("lr")) group.lr = own["lr"].get<double>();
    if (own.contains("weight_decay")) group.weight_decay = own["weight_decay"].get<double>();
  }
  return groups;
}

// One step with the given gradients (null: none), then the parameters must be `after`.
void step_and_check(nn::Optimizer& optimizer, const fixtures::Json& gradients, const fixtures::Json& after) {
  optimizer.zero_grad();
  for (std::size_t i = 0; i < optimizer.parameters().size(); ++i) {
    if (!gradients[i].is_null()) optimizer.parameters()[i].set_grad(fixtures::tensor(gradients[i]));
  }
  optimizer.step();
  for (std::size_t i = 0; i < optimizer.parameters().size(); ++i) {
    EXPECT_TRUE(fixtures::near(optimizer.parameters()[i].detach(), after[i])) << "parameter " << i;
  }
}

std::vector<std::string> optimizer_ids() {
  std::vector<std::string> result;
  for (const fixtures::Json& one : fixtures::cases("optimizers.json")) {
    if (one["kind"] == "optimizer") result.push_back(one["id"]);
  }
  return result;
}

class NnOptimizer : public testing::TestWithParam<std::string> {};

TEST_P(NnOptimizer, FiveStepsEqualPyTorch) {
  const fixtures::Json& one = fixtures::find("optimizers.json", GetParam());
  const auto optimizer = make_optimizer(fixtures::parse_call(one["note"]), groups_of(one));
  for (std::size_t step = 0; step < one["gradients"].size(); ++step) {
    SCOPED_TRACE(fmt::format("step {}", step));
    step_and_check(*optimizer, one["gradients"][step], one["after"][step]);
  }
}

// The first steps with one optimiser, the rest with another one that has loaded its state.
TEST_P(NnOptimizer, ResumesWhereItStopped) {
  const fixtures::Json& one = fixtures::find("optimizers.json", GetParam());
  const fixtures::Call call = fixtures::parse_call(one["note"]);
  const nn::ParameterGroups groups = groups_of(one);
  std::vector<Tensor> parameters;
  for (const nn::ParameterGroup& group : groups) {
    parameters.insert(parameters.end(), group.parameters.begin(), group.parameters.end());
  }
  nn::StateDict saved;
  {
    const auto first = make_optimizer(call, groups);
    for (std::size_t step = 0; step < 2; ++step) step_and_check(*first, one["gradients"][step], one["after"][step]);
    saved = first->state_dict();
    for (const Tensor& parameter : parameters) parameter.set_grad(autograd::ones_like(parameter));
    const std::vector<Tensor> kept{parameters[0].detach().clone(), parameters[1].detach().clone()};
    first->step();  // must not change what was saved
    const autograd::NoGradGuard no_grad;
    for (std::size_t i = 0; i < 2; ++i) parameters[i].copy_(kept[i]);
  }
  const auto second = make_optimizer(call, groups);
  second->set_lr(123.0);
  second->load_state_dict(saved);
  for (std::size_t step = 2; step < one["gradients"].size(); ++step) {
    SCOPED_TRACE(fmt::format("step {}", step));
    step_and_check(*second, one["gradients"][step], one["after"][step]);
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnOptimizer, testing::ValuesIn(optimizer_ids()), fixtures::test_name);

// ---- all or nothing ------------------------------------------------------------------------------------------------

const std::vector<std::string> every_kind{"SGD(p, lr=0.1)",
                                          "SGD(p, lr=0.1, weight_decay=0.1)",
                                          "SGD(p, lr=0.1, momentum=0.9, dampening=0.5)",
                                          "SGD(p, lr=0.1, momentum=0.9, nesterov=True)",
                                          "Adam(p, lr=0.1)",
                                          "Adam(p, lr=0.1, weight_decay=0.1, amsgrad=True)",
                                          "AdamW(p, lr=0.1, weight_decay=0.1)",
                                          "AdamW(p, lr=0.1, amsgrad=True)",
                                          "RMSprop(p)",
                                          "RMSprop(p, momentum=0.9, centered=True, weight_decay=0.1)",
                                          "Adadelta(p)",
                                          "Adadelta(p, weight_decay=0.1)"};

class NnOptimizerKind : public testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<nn::Optimizer> make(const std::vector<Tensor>& parameters) {
    return make_optimizer(fixtures::parse_call(GetParam()), parameters);
  }
};

// Not laid out row by row, as a transposed matrix or every other column of one.
TEST_P(NnOptimizerKind, TakesAParameterOfAnyLayout) {
  const Tensor values = autograd::randn({2, 3}, float64);
  const Tensor plain = values.clone().requires_grad_();
  const Tensor transposed = values.t().clone().t().requires_grad_();
  const Tensor columns = autograd::zeros({2, 6}, float64).index({autograd::Index::all(), autograd::Slice{.step = 2}});
  columns.copy_(values);
  columns.requires_grad_();
  ASSERT_FALSE(transposed.is_contiguous() || columns.is_contiguous());
  const auto optimizer = make({plain, transposed, columns});
  for (int step = 0; step < 3; ++step) {
    const Tensor gradient = autograd::randn({2, 3}, float64);
    plain.set_grad(gradient);
    transposed.set_grad(gradient);
    columns.set_grad(gradient.t().clone().t());
    optimizer->step();
    EXPECT_EQ(transposed.to_vector(), plain.to_vector()) << "step " << step;
    EXPECT_EQ(columns.to_vector(), plain.to_vector()) << "step " << step;
  }
}

// What step() changes, in full.
std::vector<double> all_of(const nn::Optimizer& optimizer) {
  std::vector<double> all;
  const auto append = [&all](const Tensor& tensor) {
    for (const double value : tensor.to_vector()) all.push_back(value);
  };
  for (const Tensor& parameter : optimizer.parameters()) append(parameter);
  for (const auto& [name, tensor] : optimizer.state_dict()) append(tensor);
  return all;
}

// The second parameter is bad: the first has not moved, and no step is counted.
TEST_P(NnOptimizerKind, ABadParameterChangesNothing) {
  const Tensor good = autograd::randn({2}, float64).requires_grad_();
  const Tensor one_place = autograd::randn({1}, float64).expand({2}).requires_grad_();
  const auto optimizer = make({good, one_place});
  good.set_grad(autograd::ones({2}, float64));
  one_place.set_grad(autograd::ones({2}, float64));
  const std::vector<double> before = all_of(*optimizer);
  for (int time = 0; time < 2; ++time) {
    fixtures::message_of(ErrorId::in_place_on_view, [&] { optimizer->step(); });
    EXPECT_EQ(all_of(*optimizer), before);
  }
  one_place.zero_grad();
  optimizer->step();
  const Tensor alone = autograd::from_vector({before[0], before[1]}, {2}, float64).requires_grad_();
  alone.set_grad(autograd::ones({2}, float64));
  make({alone})->step();
  EXPECT_EQ(good.to_vector(), alone.to_vector());
}
INSTANTIATE_TEST_SUITE_P(Kinds, NnOptimizerKind, testing::ValuesIn(every_kind),
                         [](const auto& one) { return "Kind" + std::to_string(one.index); });

TEST(NnOptimizerState, HasNamesOfParameters) {
  const nn::Linear linear({.in_features = 2, .out_features = 3});
  nn::Adam adam(linear.parameters());
  std::vector<std::string> names;
  linear(autograd::ones({1, 2})).sum().backward();
  linear.bias.zero_grad();
  adam.step();
  for (const auto& [name, tensor] : adam.state_dict()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"bias.step", "lr", "weight.exp_avg", "weight.exp_avg_sq", "weight.step"}));
}

TEST(NnOptimizerState, UnfitOnesAreRefusedAndChangeNothing) {
  const Tensor x = autograd::ones({2}, float64).requires_grad_();
  x.set_grad(autograd::ones({2}, float64));
  nn::Adam adam({x}, {.lr = 0.5});
  adam.step();
  const nn::StateDict good = adam.state_dict();
  std::vector<std::string> said;
  const auto refuses = [&](const std::string& name, const Tensor& value) {
    nn::StateDict bad = good;
    bad.erase(name);
    if (value.defined()) bad[name] = value;
    bad["lr"] = name == "lr" ? bad["lr"] : autograd::tensor(0.1, float64);
    said.push_back(fixtures::message_of(ErrorId::state_dict_mismatch, [&] { adam.load_state_dict(bad); }));
    EXPECT_EQ(adam.lr(), 0.5);
  };
  refuses("0.exp_avg", Tensor());
  refuses("0.step", Tensor());
  refuses("0.momentum_buffer", autograd::ones({2}, float64));
  refuses("0.exp_avg", autograd::ones({3}, float64));
  refuses("0.step", autograd::ids({-1}).reshape({}));
  refuses("0.step", autograd::ids({1, 2}));
  refuses("lr", autograd::tensor(-1.0, float64));
  refuses("lr", autograd::tensor(std::nan(""), float64));
  adam.load_state_dict(good);
  EXPECT_TRUE(fixtures::says("nn", said));
}

TEST(NnOptimizerErrors, AreClear) {
  const Tensor x = autograd::ones({2}).requires_grad_();
  fixtures::message_of(ErrorId::bad_argument, [] { nn::SGD({}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::SGD({x, x}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::SGD({autograd::ones({2})}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::SGD({x * 2.0}); });
  fixtures::message_of(ErrorId::undefined_tensor, [&] { nn::SGD({Tensor()}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::SGD({x}, {.lr = -1.0}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::SGD({x}, {.nesterov = true}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::Adam({x}, {.betas = {.first = 1.0}}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::Adam({x}, {.eps = -1.0}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::AdamW({x}, {.weight_decay = -1.0}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::Adadelta({x}, {.rho = 1.5}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::RMSprop({x}, {.alpha = 1.5}); });
}

TEST(NnParameterGroups, KeepTheirRatioToTheRate) {
  const Tensor x = autograd::zeros({1}, float64).requires_grad_();
  const Tensor y = autograd::zeros({1}, float64).requires_grad_();
  nn::SGD optimizer({{.parameters = {x}, .lr = 0.5}, {.parameters = {y}}}, {.lr = 1.0});
  for (const Tensor& parameter : {x, y}) parameter.set_grad(autograd::ones({1}, float64));
  optimizer.set_lr(0.1);
  optimizer.step();
  EXPECT_DOUBLE_EQ(x.item(), -0.05);
  EXPECT_DOUBLE_EQ(y.item(), -0.1);
}

TEST(NnParameterGroups, DecayByTheirOwnRate) {
  const Tensor x = autograd::ones({1}, float64).requires_grad_();
  const Tensor y = autograd::ones({1}, float64).requires_grad_();
  nn::AdamW optimizer({{.parameters = {x}, .lr = 0.2}, {.parameters = {y}}}, {.lr = 0.1, .weight_decay = 0.5});
  for (const Tensor& parameter : {x, y}) parameter.set_grad(autograd::zeros({1}, float64));
  optimizer.step();
  EXPECT_DOUBLE_EQ(x.item(), 0.9);
  EXPECT_DOUBLE_EQ(y.item(), 0.95);
}

TEST(NnParameterGroups, AreCheckedAsLists) {
  const Tensor x = autograd::ones({2}).requires_grad_();
  const auto refuses = [](const nn::ParameterGroups& groups, const nn::SGDOptions& options) {
    fixtures::message_of(ErrorId::bad_argument, [&] { nn::SGD(groups, options); });
  };
  refuses({{.parameters = {x}}, {.parameters = {x}}}, {});
  refuses({{.parameters = {x}, .lr = -1.0}}, {});
  refuses({{.parameters = {x}, .weight_decay = -1.0}}, {});
  refuses({{.parameters = {x}, .lr = 0.1}}, {.lr = 0.0});
}

TEST(NnOptimizer, AStepLeavesGradientsAlone) {
  const Tensor x = autograd::ones({2}, float64).requires_grad_();
  x.set_grad(autograd::full({2}, 3.0, float64));
  for (const char* call :
       {"SGD(p, lr=0.1, momentum=0.9, weight_decay=0.1)", "SGD(p, momentum=0.9, nesterov=True)", "SGD(p, momentum=0.9)",
        "Adam(p, weight_decay=0.1, amsgrad=True)", "AdamW(p)", "Adadelta(p)", "RMSprop(p)"}) {
    const auto optimizer = make_optimizer(fixtures::parse_call(call), {x});
    optimizer->step();
    optimizer->step();
    EXPECT_EQ(x.grad().to_vector(), std::vector<double>(2, 3.0)) << call;
  }
}

// A constant gradient: both of Adam's averages are exact once their bias is corrected, so that each step is lr long.
TEST(NnOptimizer, AdamsStepsStayAsLongAsTheRate) {
  const Tensor x = autograd::zeros({1}, float64).requires_grad_();
  nn::Adam adam({x}, {.lr = 0.01, .eps = 0.0});
  x.set_grad(autograd::full({1}, 3.0, float64));
  for (int step = 1; step <= 40; ++step) {
    adam.step();
    EXPECT_NEAR(x.detach().item(), -0.01 * step, 1e-12);
  }
}

// A constant gradient has no variance: the difference of the two averages must not get below 0.
TEST(NnOptimizer, CentredRmspropOfAConstantGradientStaysFinite) {
  for (const autograd::DType dtype : {autograd::float32, float64}) {
    const Tensor x = autograd::zeros({1}, dtype).requires_grad_();
    nn::RMSprop rmsprop({x}, {.lr = 0.01, .centered = true});
    x.set_grad(autograd::full({1}, 0.1, dtype));
    for (int step = 0; step < 4000; ++step) rmsprop.step();
    EXPECT_TRUE(std::isfinite(x.detach().item())) << x.detach().item();
  }
}

TEST(NnOptimizer, LearnsALine) {
  autograd::manual_seed(2);
  const nn::Linear linear({.in_features = 2, .out_features = 1});
  nn::Adam adam(linear.parameters(), {.lr = 0.05});
  const Tensor x = autograd::randn({64, 2});
  const Tensor y = x.matmul(autograd::from_vector({2.0, -3.0}, {2, 1})) + 0.5;
  for (int step = 0; step < 500; ++step) {
    adam.zero_grad();
    autograd::mse_loss(linear(x), y).backward();
    adam.step();
  }
  EXPECT_NEAR(linear.weight.at({0, 0}), 2.0, 1e-2);
  EXPECT_NEAR(linear.weight.at({0, 1}), -3.0, 1e-2);
  EXPECT_NEAR(linear.bias.item(), 0.5, 1e-2);
}

}  // namespace nn_optimizer_test

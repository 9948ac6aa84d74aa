#include <nn/optim/lr_scheduler.h>
#include <nn/optim/sgd.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "tests/nn/nn_fixtures.h"

namespace nn_lr_scheduler_test {

using autograd::ErrorId;
using autograd::Tensor;

std::vector<Tensor> one_parameter() {
  return {autograd::zeros({1}).requires_grad_()};
}

// The only lambda of the fixtures: "64 ** -0.5 * min((i + 1) ** -0.5, (i + 1) * 6 ** -1.5)".
double noam(std::int64_t i) {
  const double t = static_cast<double>(i + 1);
  return std::pow(64.0, -0.5) * std::min(std::pow(t, -0.5), t * std::pow(6.0, -1.5));
}

std::unique_ptr<nn::LRScheduler> make_schedule(const fixtures::Call& call, nn::Optimizer& optimizer) {
  const double gamma = call.number("gamma", 0.1);
  if (call.name == "StepLR") {
    return std::make_unique<nn::StepLR>(optimizer, nn::StepLROptions{.step_size = call.at(1), .gamma = gamma});
  }
  if (call.name == "ExponentialLR") {
    return std::make_unique<nn::ExponentialLR>(optimizer, nn::ExponentialLROptions{.gamma = gamma});
  }
  if (call.name == "MultiStepLR") {
    nn::MultiStepLROptions options{.gamma = gamma};
    for (const double milestone : call.numbers("milestones")) {
      options.milestones.push_back(static_cast<std::int64_t>(milestone));
    }
    return std::make_unique<nn::MultiStepLR>(optimizer, options);
  }
  if (call.name == "OneCycleLR") {
    nn::OneCycleLROptions options;
    options.max_lr = call.number("max_lr", 0.0);
    options.total_steps = call.integer("total_steps", 0);
    options.pct_start = call.number("pct_start", options.pct_start);
    const bool is_linear = call.text("anneal_strategy", "'cos'") == "'linear'";
    if (is_linear) options.anneal_strategy = nn::OneCycleLROptions::Anneal::linear;
    options.div_factor = call.number("div_factor", options.div_factor);
    options.final_div_factor = call.number("final_div_factor", options.final_div_factor);
    return std::make_unique<nn::OneCycleLR>(optimizer, options);
  }
  if (call.name == "CosineAnnealingLR") {
    return std::make_unique<nn::CosineAnnealingLR>(
        optimizer,
        nn::CosineAnnealingLROptions{.T_max = call.integer("T_max", 0), .eta_min = call.number("eta_min", 0.0)});
  }
  if (call.name == "LinearLR") {
    return std::make_unique<nn::LinearLR>(optimizer,
                                          nn::LinearLROptions{.start_factor = call.number("start_factor", 1.0 / 3.0),
                                                              .total_iters = call.integer("total_iters", 5)});
  }
  if (call.name == "LambdaLR") return std::make_unique<nn::LambdaLR>(optimizer, noam);
  throw std::runtime_error("no schedule " + call.name);
}

nn::ReduceLROnPlateau::Options plateau_options(const fixtures::Call& call) {
  nn::ReduceLROnPlateau::Options options;
  using Plateau = nn::ReduceLROnPlateau;
  if (call.text("mode", "'min'") == "'max'") options.mode = Plateau::Mode::max;
  if (call.text("threshold_mode", "'rel'") == "'abs'") options.threshold_mode = Plateau::ThresholdMode::absolute;
  options.factor = call.number("factor", options.factor);
  options.patience = call.integer("patience", options.patience);
  options.threshold = call.number("threshold", options.threshold);
  options.cooldown = call.integer("cooldown", options.cooldown);
  options.min_lr = call.number("min_lr", options.min_lr);
  return options;
}

class NnSchedule : public testing::TestWithParam<std::string> {};

TEST_P(NnSchedule, EqualsPyTorch) {
  const fixtures::Json& one = fixtures::find("optimizers.json", GetParam());
  const fixtures::Call call = fixtures::parse_call(one["note"]);
  nn::SGD optimizer(one_parameter(), {.lr = one["base_lr"].get<double>()});
  const bool is_plateau = call.name == "ReduceLROnPlateau";
  const auto schedule = is_plateau ? nullptr : make_schedule(call, optimizer);
  nn::ReduceLROnPlateau plateau(optimizer, plateau_options(call));
  for (std::size_t step = 0; step < one["lr"].size(); ++step) {
    EXPECT_NEAR(optimizer.lr(), one["lr"][step].get<double>(), 1e-12) << "step " << step;
    optimizer.step();
    if (is_plateau) {
      plateau.step(one["metrics"][step].get<double>());
    } else {
      schedule->step();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnSchedule, testing::ValuesIn(fixtures::ids("optimizers.json", "schedule/")),
                         fixtures::test_name);

// ---- several of one optimiser --------------------------------------------------------------------------------------

class NnSchedules : public testing::TestWithParam<std::string> {};

// An optimiser with its schedules, in the order in which their step() are called.
struct Training {
  nn::SGD optimizer;
  std::vector<std::unique_ptr<nn::LRScheduler>> schedules;       // nullptr where a plateau is in its place
  std::vector<std::unique_ptr<nn::ReduceLROnPlateau>> plateaus;  // and the other way round

  Training(const fixtures::Json& one, double lr) : optimizer(one_parameter(), {.lr = lr}) {
    for (const fixtures::Json& note : one["notes"]) {
      const fixtures::Call call = fixtures::parse_call(note);
      const bool is_plateau = call.name == "ReduceLROnPlateau";
      schedules.push_back(is_plateau ? nullptr : make_schedule(call, optimizer));
      plateaus.push_back(is_plateau ? std::make_unique<nn::ReduceLROnPlateau>(optimizer, plateau_options(call))
                                    : nullptr);
    }
  }

  void step(const fixtures::Json& one, std::size_t step) {
    const auto set = one["set_lr"].find(std::to_string(step));
    if (set != one["set_lr"].end()) optimizer.set_lr(set->get<double>());
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      if (schedules[i]) {
        schedules[i]->step();
      } else {
        plateaus[i]->step(one["metrics"][step].get<double>());
      }
    }
  }

  void resume(const Training& other) {
    optimizer.load_state_dict(other.optimizer.state_dict());
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      if (schedules[i]) schedules[i]->load_state_dict(other.schedules[i]->state_dict());
      if (plateaus[i]) plateaus[i]->load_state_dict(other.plateaus[i]->state_dict());
    }
  }
};

TEST_P(NnSchedules, CombineAsInPyTorch) {
  const fixtures::Json& one = fixtures::find("optimizers.json", GetParam());
  Training training(one, one["base_lr"]);
  for (std::size_t step = 0; step < one["lr"].size(); ++step) {
    EXPECT_NEAR(training.optimizer.lr(), one["lr"][step].get<double>(), 1e-14) << "step " << step;
    training.step(one, step);
  }
}

// Another scheduler takes over after every step: the same rates to the bit.
TEST_P(NnSchedules, ResumeWithTheSameRates) {
  const fixtures::Json& one = fixtures::find("optimizers.json", GetParam());
  Training undisturbed(one, one["base_lr"]);
  auto interrupted = std::make_unique<Training>(one, one["base_lr"]);
  for (std::size_t step = 0; step < one["lr"].size(); ++step) {
    undisturbed.step(one, step);
    interrupted->step(one, step);
    EXPECT_EQ(interrupted->optimizer.lr(), undisturbed.optimizer.lr()) << "step " << step;
    auto next = std::make_unique<Training>(one, 123.0);
    next->resume(*interrupted);
    interrupted = std::move(next);
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnSchedules, testing::ValuesIn(fixtures::ids("optimizers.json", "schedules/")),
                         fixtures::test_name);

TEST(NnSchedule, AFactorThatThrowsChangesNothing) {
  nn::SGD optimizer(one_parameter(), {.lr = 1.0});
  bool throws = false;
  nn::LambdaLR schedule(optimizer, [&](std::int64_t t) {
    if (throws) throw std::runtime_error("no factor");
    return 1.0 / static_cast<double>(t + 1);
  });
  throws = true;
  EXPECT_THROW(schedule.step(), std::runtime_error);
  EXPECT_EQ(schedule.last_epoch(), 0);
  EXPECT_EQ(optimizer.lr(), 1.0);
  throws = false;
  schedule.step();
  EXPECT_EQ(schedule.last_epoch(), 1);
  EXPECT_EQ(optimizer.lr(), 0.5);
}

TEST(NnScheduleState, Resumes) {
  nn::SGD first(one_parameter(), {.lr = 0.1});
  nn::CosineAnnealingLR schedule(first, {.T_max = 10});
  for (int i = 0; i < 4; ++i) schedule.step();
  nn::SGD second(one_parameter(), {.lr = 5.0});
  nn::CosineAnnealingLR resumed(second, {.T_max = 10});
  second.load_state_dict(first.state_dict());
  resumed.load_state_dict(schedule.state_dict());
  EXPECT_EQ(resumed.last_epoch(), 4);
  EXPECT_EQ(second.lr(), first.lr());
  schedule.step();
  resumed.step();
  EXPECT_EQ(second.lr(), first.lr());
  fixtures::message_of(ErrorId::state_dict_mismatch, [&] { resumed.load_state_dict({}); });
  nn::StateDict bad = schedule.state_dict();
  bad["last_epoch"] = autograd::full(autograd::Shape(), -3.0, autograd::int64);
  fixtures::message_of(ErrorId::state_dict_mismatch, [&] { resumed.load_state_dict(bad); });
  EXPECT_EQ(resumed.last_epoch(), 5);
}

TEST(NnScheduleState, PlateauResumes) {
  nn::SGD first(one_parameter(), {.lr = 0.1});
  nn::ReduceLROnPlateau schedule(first, {.patience = 2});
  for (const double metric : {1.0, 1.0, 1.0}) schedule.step(metric);
  nn::SGD second(one_parameter(), {.lr = 0.1});
  nn::ReduceLROnPlateau resumed(second, {.patience = 2});
  resumed.load_state_dict(schedule.state_dict());
  schedule.step(1.0);
  resumed.step(1.0);
  EXPECT_NEAR(first.lr(), 0.01, 1e-15);
  EXPECT_EQ(second.lr(), first.lr());
}

TEST(NnSchedule, PlateauMakesNoChangeSmallerThanEps) {
  nn::SGD optimizer(one_parameter(), {.lr = 0.1});
  nn::ReduceLROnPlateau schedule(optimizer, {.factor = 0.5, .patience = 0, .eps = 0.02});
  std::vector<double> rates;
  for (int step = 0; step < 5; ++step) {
    schedule.step(1.0);
    rates.push_back(optimizer.lr());
  }
  EXPECT_EQ(rates, (std::vector<double>{0.1, 0.05, 0.025, 0.025, 0.025}));
}

TEST(NnSchedule, ARateThatIsNoneChangesNothing) {
  for (const double factor : {std::nan(""), -1.0, std::numeric_limits<double>::infinity()}) {
    nn::SGD optimizer(one_parameter(), {.lr = 0.5});
    double next = 1.0;
    nn::LambdaLR schedule(optimizer, [&](std::int64_t) { return next; });
    next = factor;
    fixtures::message_of(ErrorId::bad_argument, [&] { schedule.step(); });
    EXPECT_EQ(optimizer.lr(), 0.5);
    EXPECT_EQ(schedule.last_epoch(), 0);
    next = 0.5;
    schedule.step();
    EXPECT_EQ(optimizer.lr(), 0.25);
  }
}

// Rounding must not make it negative.
TEST(NnSchedule, LinearReachesAnEndOf0) {
  for (int total = 1; total < 60; ++total) {
    nn::SGD optimizer(one_parameter(), {.lr = 0.1});
    nn::LinearLR schedule(optimizer, {.start_factor = 1.0 / 3.0, .end_factor = 0.0, .total_iters = total});
    for (int step = 0; step < total + 2; ++step) schedule.step();
    EXPECT_NEAR(optimizer.lr(), 0.0, 1e-15) << total;
  }
}

TEST(NnScheduleErrors, OfTheCycleAndOfMilestones) {
  nn::SGD optimizer(one_parameter(), {.lr = 0.1});
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::OneCycleLR(optimizer, {.max_lr = 1.0}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::OneCycleLR(optimizer, {.total_steps = 10}); });
  fixtures::message_of(ErrorId::bad_argument,
                       [&] { nn::OneCycleLR(optimizer, {.max_lr = 1.0, .total_steps = 10, .pct_start = 1.5}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::MultiStepLR(optimizer, {.milestones = {2, 0}}); });
  nn::OneCycleLR cycle(optimizer, {.max_lr = 1.0, .total_steps = 2});
  cycle.step();
  cycle.step();
  fixtures::message_of(ErrorId::bad_argument, [&] { cycle.step(); });
  EXPECT_EQ(cycle.last_epoch(), 2);
}

TEST(NnScheduleErrors, AreClear) {
  nn::SGD optimizer(one_parameter(), {.lr = 0.1});
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::StepLR(optimizer, {}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::ExponentialLR(optimizer, {}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::CosineAnnealingLR(optimizer, {}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::LinearLR(optimizer, {.total_iters = 0}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::LinearLR(optimizer, {.start_factor = 0.0}); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::LambdaLR(optimizer, nullptr); });
  fixtures::message_of(ErrorId::bad_argument, [&] { nn::ReduceLROnPlateau(optimizer, {.factor = 1.0}); });
}

}  // namespace nn_lr_scheduler_test

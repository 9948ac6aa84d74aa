// Each allocation fails in turn: a step, a state, a file is there completely or not at all, and the same call
// again gives what an undisturbed one gives, to the bit.
#include <autograd/tensor/threads.h>
#include <nn/nn.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "tests/support/expect.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/temporary_folder.h"

namespace nn_out_of_memory_test {

using autograd::Tensor;
using Values = std::vector<double>;

void append(Values& all, const Tensor& tensor) {
  for (const double value : tensor.to_vector()) all.push_back(value);
}

Values values_of(const nn::StateDict& state) {
  Values all;
  for (const auto& [name, tensor] : state) append(all, tensor);
  return all;
}

// Makes each allocation of `call` fail in turn: `values` of the state are then those before the call, or after it if it
// returned, and a second call gives what an undisturbed one does. Returns how many allocations there were.
template <class Make, class Call, class GetValues> std::int64_t is_done_or_not(Make make, Call call, GetValues values) {
  auto undisturbed = make();
  const Values before = values(*undisturbed);
  call(*undisturbed);
  const Values after = values(*undisturbed);
  EXPECT_NE(before, after);
  return fixtures::for_each_failing_allocation(
      make, [&](auto& state) { call(*state); },
      [&](auto& state, bool finished) {
        EXPECT_EQ(values(*state), finished ? after : before);
        if (finished) return;
        call(*state);
        EXPECT_EQ(values(*state), after) << "the second call";
      });
}

// ---- optimisers ----------------------------------------------------------------------------------------------------

using Parameters = std::vector<Tensor>;

struct Kind {
  std::string name;
  std::function<std::unique_ptr<nn::Optimizer>(const Parameters&)> make;

  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

template <class T, class Options> Kind kind(const std::string& name, const Options& options) {
  return {name, [options](const Parameters& parameters) { return std::make_unique<T>(parameters, options); }};
}

std::vector<Kind> every_kind() {
  using nn::Adadelta, nn::AdadeltaOptions, nn::Adam, nn::AdamOptions, nn::AdamW, nn::AdamWOptions, nn::SGD,
      nn::SGDOptions;
  return {
      kind<SGD>("Sgd", SGDOptions{.lr = 0.1}),
      kind<SGD>("SgdWeightDecay", SGDOptions{.lr = 0.1, .weight_decay = 0.1}),
      kind<SGD>("SgdMomentum", SGDOptions{.lr = 0.1, .momentum = 0.9, .dampening = 0.5}),
      kind<SGD>("SgdNesterov", SGDOptions{.lr = 0.1, .momentum = 0.9, .nesterov = true}),
      kind<Adam>("Adam", AdamOptions{}),
      kind<Adam>("AdamWeightDecayAmsgrad", AdamOptions{.weight_decay = 0.1, .amsgrad = true}),
      kind<AdamW>("AdamW", AdamWOptions{}),
      kind<AdamW>("AdamWAmsgrad", AdamWOptions{.amsgrad = true}),
      kind<Adadelta>("Adadelta", AdadeltaOptions{}),
      kind<Adadelta>("AdadeltaWeightDecay", AdadeltaOptions{.weight_decay = 0.1}),
  };
}

struct Training {
  Parameters parameters;
  std::unique_ptr<nn::Optimizer> optimizer;

  explicit Training(const Kind& kind) {
    autograd::manual_seed(3);
    parameters = {autograd::randn({3, 4}), autograd::randn({5, 300}).t(), autograd::randn({7})};
    for (const Tensor& parameter : parameters) {
      parameter.requires_grad_();
      parameter.set_grad(autograd::randn(parameter.shape()));
    }
    optimizer = kind.make(parameters);
  }

  Values values() const {
    Values all = values_of(optimizer->state_dict());
    for (const Tensor& parameter : parameters) append(all, parameter);
    for (const Tensor& parameter : parameters) append(all, parameter.grad());
    return all;
  }
};

class NnOutOfMemory : public testing::TestWithParam<Kind> {};

TEST_P(NnOutOfMemory, AStepIsDoneOrNot) {
  const auto make = [] { return std::make_unique<Training>(GetParam()); };
  const auto make_second = [&] {
    auto training = make();
    training->optimizer->step();
    return training;
  };
  const auto step = [](Training& training) { training.optimizer->step(); };
  const auto values = [](const Training& training) { return training.values(); };
  EXPECT_GE(is_done_or_not(make, step, values), 2);
  EXPECT_GE(is_done_or_not(make_second, step, values), 2);
}

TEST_P(NnOutOfMemory, AStateIsLoadedOrNot) {
  Training trained(GetParam());
  trained.optimizer->step();
  const nn::StateDict saved = trained.optimizer->state_dict();
  const auto make = [] { return std::make_unique<Training>(GetParam()); };
  const auto load = [&](Training& training) { training.optimizer->load_state_dict(saved); };
  EXPECT_GE(is_done_or_not(make, load, [](const Training& training) { return training.values(); }), 2);
}
INSTANTIATE_TEST_SUITE_P(Kinds, NnOutOfMemory, testing::ValuesIn(every_kind()),
                         [](const auto& one) { return one.param.name; });

TEST(NnOutOfMemory, GradientsAreClippedOrNot) {
  const auto clip = [](double norm_type) {
    return [norm_type](Training& training) { nn::clip_grad_norm_(training.parameters, 0.5, norm_type); };
  };
  const auto make = [] { return std::make_unique<Training>(every_kind()[0]); };
  const auto values = [](const Training& training) { return training.values(); };
  EXPECT_GE(is_done_or_not(make, clip(2.0), values), 3);
  EXPECT_GE(is_done_or_not(make, clip(1.0), values), 3);
}

// Threads that cannot be started are done without.
TEST(NnOutOfMemory, ThreadsAreNoCondition) {
  const auto make = [] {
    auto parameters = std::make_unique<Parameters>(Parameters{autograd::ones({1000, 300}).requires_grad_()});
    (*parameters)[0].set_grad(autograd::ones({1000, 300}));
    return parameters;
  };
  const auto step = [](const Parameters& parameters) {
    nn::SGD optimizer(parameters, {.lr = 0.5});
    autograd::set_num_threads(3);
    optimizer.step();
    autograd::set_num_threads(1);
  };
  is_done_or_not(make, step, [](const Parameters& parameters) { return parameters[0].to_vector(); });
  autograd::set_num_threads(1);
}

// ---- saving --------------------------------------------------------------------------------------------------------

const nn::RecurrentOptions two_way{.input_size = 3, .hidden_size = 4, .batch_first = true, .bidirectional = true};

TEST(NnOutOfMemory, AModuleIsLoadedOrNot) {
  const nn::StateDict saved = nn::GRU(two_way).state_dict();
  const auto make = [] { return std::make_unique<nn::GRU>(two_way); };
  const auto load = [&](const nn::GRU& gru) { gru.load_state_dict(saved); };
  const auto seeded = [&] {
    autograd::manual_seed(9);
    return make();
  };
  is_done_or_not(seeded, load, [](const nn::GRU& gru) { return values_of(gru.state_dict()); });
}

Tensor pattern(const autograd::Shape& shape) {
  return autograd::sin(autograd::arange(shape.numel(), autograd::float32)).reshape(shape);
}

TEST(NnOutOfMemory, AFileIsWrittenOrNot) {
  const nn::StateDict state{{"weight", pattern({300, 400})}, {"bias", pattern({3, 1}).expand({3, 2})}};
  const nn::Metadata metadata{{"made by", "a test"}};
  const fixtures::TemporaryFolder folder;
  nn::save_safetensors(folder / "undisturbed", state, metadata);
  const std::string expected = fixtures::content_of(folder / "undisturbed");
  const auto count = fixtures::for_each_failing_allocation(
      [] { return std::make_unique<fixtures::TemporaryFolder>(); },
      [&](const auto& own) { nn::save_safetensors(*own / "model", state, metadata); },
      [&](const auto& own, bool finished) {
        EXPECT_EQ(own->size(), finished ? 1u : 0u);
        nn::save_safetensors(*own / "model", state, metadata);
        EXPECT_EQ(own->size(), 1u);
        EXPECT_TRUE(fixtures::content_of(*own / "model") == expected);
      });
  EXPECT_GE(count, 20);
}

}  // namespace nn_out_of_memory_test

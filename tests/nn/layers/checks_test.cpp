// Every number that can be passed to nn, and what is asked of it: a number that makes no sense is refused by
// bad-argument, wherever it is passed.

#include "nn/layers/checks.h"

#include <gtest/gtest.h>
#include <nn/nn.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace nn_checks_test {

using namespace autograd;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Asked {
  const char* name;
  std::function<void(double)> pass;
  std::string accepted = "";  // of the letters below; everything else is refused
};

// n: NaN, i: infinity, m: -infinity, -: -1, 0: 0, h: half, 1: 1, b: 1e300
const std::vector<std::pair<char, double>> numbers = {{'n', nan}, {'i', infinity}, {'m', -infinity}, {'-', -1.0},
                                                      {'0', 0.0}, {'h', 0.5},      {'1', 1.0},       {'b', 1e300}};

std::vector<Tensor> one_parameter() {
  return {zeros({2, 2}).requires_grad_()};
}

// An option of a schedule.
template <class Schedule, class Options> std::function<void(double)> schedule(Options options, double Options::*field) {
  return [=](double v) {
    Options given = options;
    given.*field = v;
    nn::SGD optimizer(one_parameter(), {.lr = 0.1});
    Schedule(optimizer, given);
  };
}
// An option of an optimiser.
template <class Optimizer, class Options> std::function<void(double)> optimizer(double Options::*field) {
  return [=](double v) {
    Options given;
    given.*field = v;
    Optimizer(one_parameter(), given);
  };
}

std::vector<Asked> table() {
  using namespace nn;
  using Plateau = ReduceLROnPlateau::Options;
  const std::string from_0 = "0h1b", above_0 = "h1b", share = "0h1", below_1 = "0h";
  const auto clip = [](double max_norm, double p) {
    const Tensor x = zeros({2}).requires_grad_();
    x.set_grad(ones({2}));
    clip_grad_norm_({x}, max_norm, p);
  };
  return {
      {"SGD lr", optimizer<SGD>(&SGDOptions::lr), from_0},
      {"SGD momentum", optimizer<SGD>(&SGDOptions::momentum), from_0},
      {"SGD dampening", optimizer<SGD>(&SGDOptions::dampening), from_0},
      {"SGD weight_decay", optimizer<SGD>(&SGDOptions::weight_decay), from_0},
      {"Adam lr", optimizer<Adam>(&AdamOptions::lr), from_0},
      {"Adam eps", optimizer<Adam>(&AdamOptions::eps), from_0},
      {"Adam weight_decay", optimizer<Adam>(&AdamOptions::weight_decay), from_0},
      {"Adam betas.first",
       [](double v) {
         Adam(one_parameter(), {.betas = {v, 0.9}});
       },
       below_1},
      {"Adam betas.second",
       [](double v) {
         Adam(one_parameter(), {.betas = {0.9, v}});
       },
       below_1},
      {"AdamW lr", optimizer<AdamW>(&AdamWOptions::lr), from_0},
      {"AdamW eps", optimizer<AdamW>(&AdamWOptions::eps), from_0},
      {"AdamW weight_decay", optimizer<AdamW>(&AdamWOptions::weight_decay), from_0},
      {"AdamW betas.first",
       [](double v) {
         AdamW(one_parameter(), {.betas = {v, 0.9}});
       },
       below_1},
      {"AdamW betas.second",
       [](double v) {
         AdamW(one_parameter(), {.betas = {0.9, v}});
       },
       below_1},
      {"Adadelta lr", optimizer<Adadelta>(&AdadeltaOptions::lr), from_0},
      {"Adadelta rho", optimizer<Adadelta>(&AdadeltaOptions::rho), share},
      {"Adadelta eps", optimizer<Adadelta>(&AdadeltaOptions::eps), from_0},
      {"Adadelta weight_decay", optimizer<Adadelta>(&AdadeltaOptions::weight_decay), from_0},
      {"RMSprop lr", optimizer<RMSprop>(&RMSpropOptions::lr), from_0},
      {"RMSprop alpha", optimizer<RMSprop>(&RMSpropOptions::alpha), share},
      {"RMSprop eps", optimizer<RMSprop>(&RMSpropOptions::eps), from_0},
      {"RMSprop weight_decay", optimizer<RMSprop>(&RMSpropOptions::weight_decay), from_0},
      {"RMSprop momentum", optimizer<RMSprop>(&RMSpropOptions::momentum), from_0},
      {"a group's lr", [](double v) { SGD({{.parameters = one_parameter(), .lr = v}}); }, from_0},
      {"a group's weight_decay", [](double v) { SGD({{.parameters = one_parameter(), .weight_decay = v}}); }, from_0},
      {"set_lr", [](double v) { SGD(one_parameter()).set_lr(v); }, from_0},
      {"a saved lr",
       [](double v) {
         SGD sgd(one_parameter());
         StateDict state = sgd.state_dict();
         state["lr"] = tensor(v, float64);
         sgd.load_state_dict(state);
       },
       from_0},
      {"StepLR gamma", schedule<StepLR>(StepLROptions{.step_size = 1}, &StepLROptions::gamma), from_0},
      {"MultiStepLR gamma", schedule<MultiStepLR>(MultiStepLROptions{}, &MultiStepLROptions::gamma), from_0},
      {"ExponentialLR gamma", schedule<ExponentialLR>(ExponentialLROptions{}, &ExponentialLROptions::gamma), above_0},
      {"CosineAnnealingLR eta_min",
       schedule<CosineAnnealingLR>(CosineAnnealingLROptions{.T_max = 5}, &CosineAnnealingLROptions::eta_min), from_0},
      {"LinearLR start_factor", schedule<LinearLR>(LinearLROptions{}, &LinearLROptions::start_factor), "h1"},
      {"LinearLR end_factor", schedule<LinearLR>(LinearLROptions{}, &LinearLROptions::end_factor), share},
      {"OneCycleLR max_lr", schedule<OneCycleLR>(OneCycleLROptions{.total_steps = 9}, &OneCycleLROptions::max_lr),
       above_0},
      {"OneCycleLR pct_start",
       schedule<OneCycleLR>(OneCycleLROptions{.max_lr = 1.0, .total_steps = 9}, &OneCycleLROptions::pct_start), share},
      {"OneCycleLR div_factor",
       schedule<OneCycleLR>(OneCycleLROptions{.max_lr = 1.0, .total_steps = 9}, &OneCycleLROptions::div_factor),
       above_0},
      {"OneCycleLR final_div_factor",
       schedule<OneCycleLR>(OneCycleLROptions{.max_lr = 1.0, .total_steps = 9}, &OneCycleLROptions::final_div_factor),
       above_0},
      {"LambdaLR",
       [](double v) {
         SGD sgd(one_parameter(), {.lr = 0.1});
         LambdaLR(sgd, [=](std::int64_t) { return v; });
       },
       from_0},
      {"Plateau factor", schedule<ReduceLROnPlateau>(Plateau{}, &Plateau::factor), below_1},
      {"Plateau threshold", schedule<ReduceLROnPlateau>(Plateau{}, &Plateau::threshold), from_0},
      {"Plateau min_lr", schedule<ReduceLROnPlateau>(Plateau{}, &Plateau::min_lr), from_0},
      {"Plateau eps", schedule<ReduceLROnPlateau>(Plateau{}, &Plateau::eps), from_0},
      {"clip_grad_norm_ max_norm", [=](double v) { clip(v, 2.0); }, "i0h1b"},  // infinity: only measures
      {"clip_grad_norm_ norm_type", [=](double v) { clip(1.0, v); }, "ih1b"},
      {"uniform_ high", [](double v) { init::uniform_(zeros({2}), 0.0, v); }, from_0},
      {"uniform_ low", [](double v) { init::uniform_(zeros({2}), v, 1.0); }, "-0h1"},
      {"normal_ mean", [](double v) { init::normal_(zeros({2}), v); }, "-0h1b"},
      {"normal_ std", [](double v) { init::normal_(zeros({2}), 0.0, v); }, from_0},
      {"xavier_uniform_ gain",
       [](double v) {
         init::xavier_uniform_(zeros({2, 2}), v);
       },
       from_0},
      {"xavier_normal_ gain",
       [](double v) {
         init::xavier_normal_(zeros({2, 2}), v);
       },
       from_0},
      {"kaiming_uniform_ a",
       [](double v) {
         init::kaiming_uniform_(zeros({2, 2}), v);
       },
       "-0h1b"},
      {"kaiming_normal_ a",
       [](double v) {
         init::kaiming_normal_(zeros({2, 2}), v);
       },
       "-0h1b"},
      {"orthogonal_ gain",
       [](double v) {
         init::orthogonal_(zeros({2, 2}), v);
       },
       "-0h1b"},
      {"Dropout p", [](double v) { Dropout({.p = v}); }, share},
      {"dropout p", [](double v) { dropout(ones({2}), v); }, share},
      {"LayerNorm eps", [](double v) { LayerNorm({.normalized_shape = {2}, .eps = v}); }, share},
      {"layer_norm eps", [](double v) { layer_norm(ones({2}), 2, {}, {}, v); }, from_0},
      {"GRU dropout", [](double v) { GRU({.input_size = 2, .hidden_size = 2, .num_layers = 2, .dropout = v}); }, share},
      {"LSTM dropout", [](double v) { LSTM({.input_size = 2, .hidden_size = 2, .num_layers = 2, .dropout = v}); },
       share},
      {"MultiHeadAttention dropout", [](double v) { MultiHeadAttention({.embed_dim = 2, .dropout = v}); }, share},
      {"PositionalEncoding dropout", [](double v) { PositionalEncoding({.d_model = 2, .dropout = v}); }, share},
      {"TransformerEncoderLayer dropout",
       [](double v) { TransformerEncoderLayer({.d_model = 2, .nhead = 1, .dropout = v}); }, share},
      {"TransformerEncoderLayer layer_norm_eps",
       [](double v) { TransformerEncoderLayer({.d_model = 2, .nhead = 1, .layer_norm_eps = v}); }, share},
      {"cross_entropy label_smoothing",
       [](double v) {
         cross_entropy(ones({1, 2}), ids({0}), {.label_smoothing = v});
       },
       share},
      {"huber_loss delta", [](double v) { huber_loss(ones({2}), ones({2}), Reduction::mean, v); }, "ih1b"},
      {"norm p", [](double v) { ones({2}).norm(v); }, "im0h1b"},
      {"clamp low", [](double v) { ones({2}).clamp(v, infinity); }, "im-0h1b"},
      {"clamp high", [](double v) { ones({2}).clamp(-infinity, v); }, "im-0h1b"},
      {"bernoulli p", [](double v) { bernoulli(v, {2}); }, share},
      {"allclose rtol", [](double v) { allclose(ones({2}), ones({2}), v); }, "i0h1b"},
      {"allclose atol", [](double v) { allclose(ones({2}), ones({2}), 0.0, v); }, "i0h1b"},
      {"arange step", [](double v) { arange(0.0, 1e299, v); }, "b"},
      {"links_above threshold",
       [](double v) {
         links_above(ones({1, 1}), v);
       },
       "ih1b"},
  };
}

TEST(Numbers, ThatMakeNoSenseAreRefused) {
  for (const Asked& one : table()) {
    for (const auto& [letter, number] : numbers) {
      std::optional<ErrorId> refused;
      try {
        one.pass(number);
      } catch (const Error& error) {
        refused = error.id();
      }
      const bool is_accepted = one.accepted.find(letter) != std::string::npos;
      EXPECT_EQ(!refused.has_value(), is_accepted) << one.name << " = " << number;
      const bool is_saved = std::string_view(one.name) == "a saved lr";
      const ErrorId id = is_saved ? ErrorId::state_dict_mismatch : ErrorId::bad_argument;
      if (!is_accepted && refused && *refused != ErrorId::out_of_memory) {
        EXPECT_EQ(name(*refused), name(id)) << one.name << " = " << number;
      }
    }
  }
}

// Numbers of a dtype that cannot hold them: dtype-mismatch, as for fill_ and +.
TEST(Numbers, ThatADtypeCannotHoldAreRefused) {
  const std::vector<std::pair<const char*, std::function<void(double v, DType dtype)>>> makers = {
      {"full", [](double v, DType dtype) { full({2}, v, dtype); }},
      {"full_like", [](double v, DType dtype) { full_like(zeros({2}, dtype), v); }},
      {"tensor", [](double v, DType dtype) { tensor(v, dtype); }},
      {"tensor, list",
       [](double v, DType dtype) {
         tensor({0.0, v}, dtype);
       }},
      {"tensor, vector", [](double v, DType dtype) { tensor(std::vector<double>{v}, dtype); }},
      {"tensor, rows",
       [](double v, DType dtype) {
         tensor({{0.0, v}, {v, 0.0}}, dtype);
       }},
      {"from_vector", [](double v, DType dtype) { from_vector({v}, {1}, dtype); }},
      {"linspace", [](double v, DType dtype) { linspace(0.0, v, 2, dtype); }},
      {"fill_", [](double v, DType dtype) { zeros({2}, dtype).fill_(v); }},
      {"set_", [](double v, DType dtype) { zeros({2}, dtype).set_({0}, v); }},
      {"where", [](double v, DType dtype) { where(mask({true}), v, zeros({1}, dtype)); }},
      {"==", [](double v, DType dtype) { zeros({1}, dtype) == v; }},
  };
  for (const auto& [maker, make] : makers) {
    for (const double v : {1.5, nan, infinity, -infinity, 1e30, 0x1p63, 0.5}) {
      try {
        make(v, int64);
        ADD_FAILURE() << maker << " of " << v;
      } catch (const Error& error) {
        EXPECT_EQ(name(error.id()), name(ErrorId::dtype_mismatch)) << maker << " of " << v;
      }
      EXPECT_NO_THROW(make(v, float32)) << maker << " of " << v;
    }
    EXPECT_NO_THROW(make(-0x1p63, int64)) << maker;
    EXPECT_NO_THROW(make(1.0, boolean)) << maker;
  }
}

TEST(Numbers, ThatAnIntegerCannotHoldAreRefusedByItem) {
  for (const double v : {nan, infinity, -infinity, 1e30, 0x1p63}) {
    EXPECT_THROW(tensor(v, float64).item<std::int64_t>(), Error) << v;
    EXPECT_THROW(tensor(v, float64).item<int>(), Error) << v;
  }
  EXPECT_THROW(tensor(3e9, float64).item<int>(), Error);
  EXPECT_THROW(ids({-1}).item<std::size_t>(), Error);
  EXPECT_EQ(ids({INT64_MAX}).item<std::int64_t>(), INT64_MAX);
  EXPECT_EQ(tensor(-0x1p63, float64).item<std::int64_t>(), INT64_MIN);
  EXPECT_EQ(tensor(-2.75).item<int>(), -2);
  EXPECT_EQ(tensor(nan).to_vector<std::int64_t>(), std::vector<std::int64_t>{INT64_MIN});  // as to(int64)
}

}  // namespace nn_checks_test

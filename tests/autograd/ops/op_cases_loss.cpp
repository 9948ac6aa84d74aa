// Losses, normalisation, dropout.

#include "autograd/ops/parts.h"
#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

constexpr std::pair<const char*, Reduction> reductions[] = {
    {"none", Reduction::none}, {"sum", Reduction::sum}, {"mean", Reduction::mean}};

constexpr std::int64_t ignored_class = 1;

// The cases that cross_entropy and nll_loss share: `loss` takes scores, targets and CrossEntropyOptions. `op` is the
// one of rows of scores, `op_3d` that of scores with further dims, where there is none with smoothing.
template <class Loss>
void add_classification(Table& table, const std::string& family, const std::string& op, const std::string& op_3d,
                        bool can_smooth, Loss loss) {
  for (int subset = 0; subset < 8; ++subset) {
    const bool ignores = subset & 1;
    const bool smooths = subset & 2;
    const bool weighted = subset & 4;
    if (smooths && !can_smooth) continue;
    std::string kind;
    if (ignores) kind += "ignore_";
    if (smooths) kind += "smoothing_";
    if (weighted) kind += "weight_";
    if (kind.empty()) kind = "plain_";
    for (const auto& [name, reduction] : reductions) {
      CrossEntropyOptions options;
      if (ignores) options.ignore_index = ignored_class;
      if (smooths) options.label_smoothing = 0.1;
      options.reduction = reduction;
      const auto call = [=](In x) {
        CrossEntropyOptions with_weight = options;
        if (weighted) with_weight.weight = x[2];
        return loss(x[0], x[1], with_weight);
      };
      table.add(family, op, {{kind + name, call}});
      table.add(family, smooths ? composed : op_3d, {{"3d_" + kind + name, call}});
    }
  }

  const auto plain = [=](In x) { return loss(x[0], x[1], {}); };
  const auto without_class_0 = [=](Reduction reduction) {
    return [=](In x) { return loss(x[0], x[1], {.ignore_index = 0, .reduction = reduction}); };
  };
  table.add(family, op,
            {
                {"ignore_-100", plain},
                {"all_ignored_sum", without_class_0(Reduction::sum)},
                {"all_ignored_mean", without_class_0(Reduction::mean)},
                {"one_row", plain},
                {"1d", [=](In x) { return loss(x[0].unsqueeze(0), x[1].unsqueeze(0), {}); }},
                {"transposed", [=](In x) { return loss(x[0].t(), x[1], {}); }},
                {"empty_sum", [=](In x) { return loss(x[0], x[1], {.reduction = Reduction::sum}); }},
            });
}

void add_squared_error(Table& table) {
  for (const auto& [name, reduction] : reductions) {
    table.add("mse_loss", {{name, [how = reduction](In x) { return mse_loss(x[0], x[1], how); }}});
  }
  table.add("mse_loss", {
                            {"transposed", [](In x) { return mse_loss(x[0].t(), x[1]); }},
                            {"constant_target", [](In x) { return mse_loss(x[0], x[1]); }},
                        });
  // Not in ops.json: a part of kl_div.
  table.add("xlogx", {{"positive", [](In x) { return xlogx(x[0]); }, [] { return Tensors{positive({2, 3})}; }}});
}

void add_layer_norm(Table& table) {
  const auto over_4 = [](In x) { return layer_norm(x[0], 4, x[1], x[2]); };
  table.add("layer_norm", composed,
            {
                {"plain", [](In x) { return layer_norm(x[0], 4); }},
                {"weight_bias", over_4},
                {"two_dims",
                 [](In x) {
                   return layer_norm(x[0], {3, 4}, x[1], x[2]);
                 }},
                {"eps", [](In x) { return layer_norm(x[0], 4, x[1], x[2], 0.1); }},
                {"transposed", [](In x) { return layer_norm(x[0].t(), 4, x[1], x[2]); }},
            });
}

// Not in ops.json: what is dropped differs from one generator to another.
void add_dropout(Table& table) {
  const auto dropped = [](double p) { return [=](In x) { return dropout(x[0], p); }; };
  const auto matrix = [] { return Tensors{normal({3, 4})}; };
  table.cases.push_back({"dropout/half", "dropout", dropped(0.5), matrix, true});
  table.cases.push_back({"dropout/few", "dropout", dropped(0.25), matrix, true});
  table.cases.push_back({"dropout/transposed", "dropout", [](In x) { return dropout(x[0].t(), 0.5); }, matrix, true});
}

}  // namespace

void add_loss_cases(Table& table) {
  const auto from_log_probs = [](const Tensor& x, const Tensor& target, const CrossEntropyOptions& options) {
    return nll_loss(x, target, {options.weight, options.ignore_index, options.reduction});
  };
  const auto from_logits = [](const Tensor& x, const Tensor& target, const CrossEntropyOptions& options) {
    return cross_entropy(x, target, options);
  };
  add_classification(table, "cross_entropy", composed, composed, true, from_logits);
  add_classification(table, "nll_loss", "nll_loss", "nll_loss", false, from_log_probs);
  table.add("cross_entropy", composed, {{"large", [](In x) { return cross_entropy(x[0], x[1]); }}});
  add_squared_error(table);
  add_layer_norm(table);
  add_dropout(table);
}

}  // namespace op_cases

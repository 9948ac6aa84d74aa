// Composites: plain functions of other ops, and log1p and erf, which they need.

#include <limits>

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

void add_functions(Table& table) {
  const auto log1p_of = [](In x) { return x[0].log1p(); };
  const auto erf_of = [](In x) { return x[0].erf(); };
  for (const char* kind : {"plain", "zero_dim", "empty"}) {
    table.add("log1p", {{kind, log1p_of}});
    table.add("erf", {{kind, erf_of}});
  }
  const auto odd_columns = [](const Tensor& x) { return x.index({Index::all(), Slice{1, Slice::to_end, 2}}); };
  table.add("log1p", {
                         {"transposed", [](In x) { return log1p(x[0].t()); }},
                         {"sliced", [=](In x) { return log1p(odd_columns(x[0])); }},
                         {"near_0", log1p_of},
                     });
  table.add("erf", {
                       {"transposed", [](In x) { return erf(x[0].t()); }},
                       {"sliced", [=](In x) { return erf(odd_columns(x[0])); }},
                       {"far_out", erf_of},
                   });
  table.add("square", composed,
            {
                {"plain", [](In x) { return x[0].square(); }},
                {"transposed", [](In x) { return square(x[0].t()); }},
            });
  table.add("square", no_derivative, {{"integers", [](In x) { return square(x[0]); }}});
  table.add("isnan", no_derivative, {{"plain", [](In x) { return x[0].isnan(); }}});
}

void add_norms(Table& table) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::pair<const char*, double> powers[] = {{"2", 2},     {"1", 1}, {"3", 3},          {"1.5", 1.5},
                                                   {"0.5", 0.5}, {"0", 0}, {"inf", infinity}, {"-inf", -infinity}};
  for (const auto& [kind, power] : powers) {
    const std::string p = "p" + std::string(kind);
    table.add("norm", composed,
              {
                  {p + "_all", [to = power](In x) { return norm(x[0], to); }},
                  {p + "_dim1", [to = power](In x) { return norm(x[0], to, 1); }},
              });
  }
  for (const double power : {2.0, 1.0, 3.0, 1.5}) {
    const std::string kind = power == 1.5 ? "p1.5_at_0" : "p" + std::to_string(static_cast<int>(power)) + "_at_0";
    table.add("norm", composed, {{kind, [=](In x) { return norm(x[0], power, 1); }}});
  }
  const auto plain = [](In x) { return x[0].norm(); };
  const auto along_1 = [](In x) { return x[0].norm(2, 1); };
  table.add("norm", composed,
            {
                {"dims0_2_keepdim",
                 [](In x) {
                   return norm(x[0], 2, {0, 2}, true);
                 }},
                {"transposed", [](In x) { return norm(x[0].t(), 2, 0); }},
                {"zero_dim", plain},
                {"size_1", along_1},
                {"empty", along_1},
            });
  table.add("std", composed, {{"at_0", [](In x) { return x[0].std(1); }}});
}

void add_products(Table& table) {
  const auto along = [](std::int64_t dim, bool keepdim = false) {
    return [=](In x) { return prod(x[0], dim, keepdim); };
  };
  const auto all_of = [](In x) { return x[0].prod(); };
  table.add("prod", composed,
            {
                {"all", all_of},
                {"dim0", along(0)},
                {"dim-1_keepdim", along(-1, true)},
                {"transposed", [](In x) { return x[0].t().prod(1); }},
                {"one_zero", along(1)},
                {"two_zeros", along(1)},
                {"size_1", along(1)},
                {"zero_dim", all_of},
            });
  table.add("prod", no_derivative, {{"over_empty", along(0)}, {"integers", along(1)}, {"booleans", along(0)}});
}

void add_arranging(Table& table) {
  const auto times = [](const Shape& repeats) { return [=](In x) { return x[0].repeat(repeats); }; };
  table.add("repeat", composed,
            {
                {"plain", times({2, 3})},
                {"new_dims", times({2, 1, 2})},
                {"once", times({1, 1})},
                {"never", times({0, 2})},
                {"empty", times({2, 2})},
                {"zero_dim", times(3)},
                {"transposed",
                 [](In x) {
                   return x[0].t().repeat({1, 2});
                 }},
            });

  using Triangle = Tensor (*)(const Tensor& x, Int diagonal, Where where);
  for (const auto& [name, triangle] : {std::pair<std::string, Triangle>{"tril", tril}, {"triu", triu}}) {
    const auto from = [f = triangle](std::int64_t diagonal) {
      return [=](In x) { return f(x[0], diagonal, Where::current()); };
    };
    table.add(name, composed,
              {
                  {"main", from(0)},
                  {"above", from(1)},
                  {"below", from(-1)},
                  {"far", from(9)},
                  {"batch", from(0)},
                  {"transposed", [f = triangle](In x) { return f(x[0].t(), 0, Where::current()); }},
                  {"empty", from(0)},
              });
    table.add(name, no_derivative, {{"booleans", from(0)}, {"integers", from(-1)}});
  }

  const auto margins = [](const std::vector<std::int64_t>& sizes, double value = 0.0) {
    return [=](In x) { return pad(x[0], sizes, value); };
  };
  table.add("pad", composed,
            {
                {"last", margins({1, 2})},
                {"two_dims", margins({1, 0, 0, 2}, 1.5)},
                {"cut", margins({-1, 1, 2, -1})},
                {"cut_all", margins({-1, -2})},
                {"transposed",
                 [](In x) {
                   return pad(x[0].t(), {1, 1});
                 }},
                {"nothing", [](In x) { return 2.0 * pad(x[0], {}); }},
                {"empty", margins({1, 1})},
            });
  const auto classes = [](std::int64_t count) { return [=](In x) { return one_hot(x[0], count); }; };
  table.add("one_hot", no_derivative,
            {{"plain", classes(-1)}, {"classes", classes(5)}, {"zero_dim", classes(4)}, {"empty", classes(4)}});
}

void add_sorting(Table& table) {
  for (const bool descending : {false, true}) {
    const std::string kind = descending ? "descending_" : "ascending_";
    table.add("sort", composed,
              {
                  {kind + "values", [=](In x) { return sort(x[0], 0, descending).values; }},
                  {kind + "transposed", [=](In x) { return x[0].t().sort(1, descending).values; }},
                  {kind + "ties", [=](In x) { return sort(x[0], 1, descending).values; }},
              });
    table.add("sort", no_derivative,
              {
                  {kind + "indices", [=](In x) { return sort(x[0], -1, descending).indices; }},
                  {kind + "ties_indices", [=](In x) { return sort(x[0], 1, descending).indices; }},
              });
  }
  const auto sorted = [](In x) { return sort(x[0]).values; };
  table.add("sort", composed, {{"zero_dim", sorted}, {"empty", sorted}});
  table.add("sort", no_derivative, {{"integers", sorted}});
  table.add("argsort", no_derivative, {{"plain", [](In x) { return x[0].argsort(1, true); }}});
  table.add("topk", composed,
            {
                {"values", [](In x) { return topk(x[0], 2, 1).values; }},
                {"smallest", [](In x) { return x[0].topk(2, 0, false).values; }},
                {"all", [](In x) { return topk(x[0], 3).values; }},
                {"none", [](In x) { return topk(x[0], 0).values; }},
            });
  table.add("topk", no_derivative, {{"indices", [](In x) { return topk(x[0], 2, 1).indices; }}});
}

void add_einsums(Table& table) {
  for (const auto& [kind, equation] : {std::pair<const char*, const char*>{"product", "ij,jk->ik"},
                                       {"batch", "bij,bjk->bik"},
                                       {"transposed_result", "ij,jk->ki"},
                                       {"implicit", "kj,ji"},
                                       {"outer", "i,j->ij"},
                                       {"inner", "i,i->"},
                                       {"elementwise", "ij,ij->ij"},
                                       {"lone_dims", "aij,jb->i"},
                                       {"heads", "bqhd, bkhd -> bhqk"},
                                       {"two_summed", "bij,bij->b"},
                                       {"with_number", "ij,->ji"},
                                       {"bilinear", "bi,oij->boj"},
                                       {"empty", "ij,jk->ik"},
                                       {"capitals", "Ba,aC"}}) {
    table.add("einsum", composed, {{kind, [text = equation](In x) { return einsum(text, x[0], x[1]); }}});
  }
  table.add("einsum", composed, {{"not_contiguous", [](In x) { return einsum("ij,kj->ik", x[0].t(), x[1]); }}});
}

void add_activation(Table& table, const std::string& family, const std::function<Tensor(const Tensor& x)>& f) {
  const auto plain = [=](In x) { return f(x[0]); };
  table.add(family, composed,
            {
                {"plain", plain},
                {"transposed", [=](In x) { return f(x[0].t()); }},
                {"zero_dim", plain},
                {"empty", plain},
                {"far_out", plain},
            });
  if (family.rfind("elu", 0) != 0) table.add(family, composed, {{"at_0", plain}});
}

void add_activations(Table& table) {
  add_activation(table, "leaky_relu", [](const Tensor& x) { return leaky_relu(x); });
  add_activation(table, "leaky_relu_slope", [](const Tensor& x) { return leaky_relu(x, 0.2); });
  add_activation(table, "elu", [](const Tensor& x) { return elu(x); });
  add_activation(table, "elu_alpha", [](const Tensor& x) { return elu(x, 0.5); });
  add_activation(table, "silu", [](const Tensor& x) { return silu(x); });
  add_activation(table, "gelu", [](const Tensor& x) { return gelu(x); });
  add_activation(table, "gelu_tanh", [](const Tensor& x) { return gelu(x, "tanh"); });
  add_activation(table, "softplus", [](const Tensor& x) { return softplus(x); });
  add_activation(table, "softplus_beta", [](const Tensor& x) { return softplus(x, 2.0, 3.0); });
  add_activation(table, "logsigmoid", [](const Tensor& x) { return logsigmoid(x); });
}

void add_losses(Table& table) {
  for (const auto& [name, reduction] :
       {std::pair{"none", Reduction::none}, {"sum", Reduction::sum}, {"mean", Reduction::mean}}) {
    const std::string kind = name;
    const Reduction how = reduction;
    table.add("l1_loss", composed, {{kind, [=](In x) { return l1_loss(x[0], x[1], how); }}});
    table.add("huber_loss", composed,
              {
                  {kind, [=](In x) { return huber_loss(x[0], x[1], how); }},
                  {"delta_" + kind, [=](In x) { return huber_loss(x[0], x[1], how, 0.25); }},
              });
    table.add("kl_div", composed,
              {
                  {kind, [=](In x) { return kl_div(x[0], x[1], how); }},
                  {"zeros_" + kind, [=](In x) { return kl_div(x[0], x[1], how); }},
                  {"log_target_" + kind, [=](In x) { return kl_div(x[0], x[1], how, true); }},
              });
    const auto loss = [=](In x, const Tensor& weight, const Tensor& pos_weight) {
      return binary_cross_entropy_with_logits(x[0], x[1], {weight, how, pos_weight});
    };
    table.add("binary_cross_entropy_with_logits", composed,
              {
                  {kind, [=](In x) { return loss(x, Tensor(), Tensor()); }},
                  {"weight_" + kind, [=](In x) { return loss(x, x[2], Tensor()); }},
                  {"pos_weight_" + kind, [=](In x) { return loss(x, Tensor(), x[2]); }},
              });
  }
  table.add("l1_loss", composed,
            {
                {"equal", [](In x) { return l1_loss(x[0], x[1]); }},
                {"transposed", [](In x) { return l1_loss(x[0].t(), x[1]); }},
            });
  table.add("huber_loss", composed,
            {
                {"equal", [](In x) { return huber_loss(x[0], x[1]); }},
                {"empty_sum", [](In x) { return huber_loss(x[0], x[1], Reduction::sum); }},
            });
  const auto each = [](In x) { return binary_cross_entropy_with_logits(x[0], x[1], {.reduction = Reduction::none}); };
  table.add("binary_cross_entropy_with_logits", composed, {{"far_out", each}});
}

void add_attention_function(Table& table) {
  const auto plain = [](In x) { return scaled_dot_product_attention(x[0], x[1], x[2]); };
  const auto with_mask = [](In x) { return scaled_dot_product_attention(x[0], x[1], x[2], x[3]); };
  const auto causal = [](In x) { return scaled_dot_product_attention(x[0], x[1], x[2], Tensor(), 0.0, true); };
  // Not in ops.json: a query with nowhere to look, for which PyTorch has NaN.
  const auto nowhere = [] {
    return Tensors{normal({2, 4}), normal({3, 4}), normal({3, 5}), mask({{true, false, true}, {false, false, false}})};
  };
  table.add("scaled_dot_product_attention", composed,
            {
                {"plain", plain},
                {"added", with_mask},
                {"masked", with_mask},
                {"causal", causal},
                {"batch", plain},
                {"nowhere", with_mask, nowhere},
            });
}

}  // namespace

void add_composite_cases(Table& table) {
  add_functions(table);
  add_norms(table);
  add_products(table);
  table.add("max", no_derivative, {{"all_integers", [](In x) { return x[0].max(); }}});
  table.add("min", no_derivative, {{"all_integers", [](In x) { return x[0].min(); }}});
  add_arranging(table);
  add_sorting(table);
  add_einsums(table);
  add_activations(table);
  add_losses(table);
  add_attention_function(table);
}

}  // namespace op_cases

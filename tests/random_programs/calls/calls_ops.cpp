// The calls of autograd/ops/ops.h.
#include "calls.h"

namespace random_calls {
namespace {

using namespace autograd;

Reduction reduction(Args& a) {
  return a.one_of<Reduction>({Reduction::none, Reduction::sum, Reduction::mean});
}

Calls arithmetic() {
  return {
      {"add", [](Args& a) -> Result { return add(a.operand(), a.operand()); }},
      {"sub", [](Args& a) -> Result { return sub(a.operand(), a.operand()); }},
      {"mul", [](Args& a) -> Result { return mul(a.operand(), a.operand()); }},
      {"div", [](Args& a) -> Result { return div(a.operand(), a.operand()); }, Values::any},
      {"pow", [](Args& a) -> Result { return pow(a.operand(), a.operand()); }, Values::any},
      {"maximum", [](Args& a) -> Result { return maximum(a.operand(), a.operand()); }},
      {"minimum", [](Args& a) -> Result { return minimum(a.operand(), a.operand()); }},
      {"add number", [](Args& a) -> Result { return a.tensor() + a.real(); }},
      {"number sub", [](Args& a) -> Result { return a.real() - a.tensor(); }},
      {"mul number", [](Args& a) -> Result { return a.tensor() * a.real(); }},
      {"div number", [](Args& a) -> Result { return a.tensor() / a.real(); }, Values::any},
      {"number div", [](Args& a) -> Result { return a.real() / a.tensor(); }, Values::any},
      {"pow number", [](Args& a) -> Result { return pow(a.tensor(), a.real()); }, Values::any},
      {"number pow", [](Args& a) -> Result { return pow(a.real(), a.tensor()); }, Values::any},
      {"maximum number", [](Args& a) -> Result { return maximum(a.tensor(), a.real()); }},
      {"add integers", [](Args& a) -> Result { return a.integers("*", 9) + a.integers("*", 9); }},
      {"negative", [](Args& a) -> Result { return -a.tensor(); }},
      {"neg", [](Args& a) -> Result { return neg(a.tensor()); }},
      {"exp", [](Args& a) -> Result { return exp(a.tensor()); }},
      {"log", [](Args& a) -> Result { return log(a.tensor()); }, Values::any},
      {"sqrt", [](Args& a) -> Result { return sqrt(a.tensor()); }, Values::any},
      {"abs", [](Args& a) -> Result { return abs(a.tensor()); }},
      {"sin", [](Args& a) -> Result { return sin(a.tensor()); }},
      {"cos", [](Args& a) -> Result { return cos(a.tensor()); }},
      {"log1p", [](Args& a) -> Result { return log1p(a.tensor()); }, Values::any},
      {"erf", [](Args& a) -> Result { return erf(a.tensor()); }},
      {"tanh", [](Args& a) -> Result { return tanh(a.tensor()); }},
      {"sigmoid", [](Args& a) -> Result { return sigmoid(a.tensor()); }},
      {"relu", [](Args& a) -> Result { return relu(a.tensor()); }},
      {"sign", [](Args& a) -> Result { return sign(a.tensor()); }},
      {"clamp", [](Args& a) -> Result { return clamp(a.tensor(), a.real(), a.real()); }, Values::any},
      {"dropout", [](Args& a) -> Result { return dropout(a.tensor(), a.real(-0.1, 1.1), a.flag()); }},
  };
}

Calls comparisons() {
  return {
      {"==", [](Args& a) -> Result { return a.operand() == a.operand(); }},
      {"!=", [](Args& a) -> Result { return a.operand() != a.operand(); }},
      {"<", [](Args& a) -> Result { return a.operand() < a.operand(); }},
      {"<=", [](Args& a) -> Result { return a.operand() <= a.real(); }},
      {">", [](Args& a) -> Result { return a.operand() > a.real(); }},
      {">=", [](Args& a) -> Result { return a.operand() >= a.operand(); }},
      {"logical_and", [](Args& a) -> Result { return logical_and(a.mask("*"), a.mask("*")); }},
      {"logical_or", [](Args& a) -> Result { return logical_or(a.mask("*"), a.mask("*")); }},
      {"logical_not", [](Args& a) -> Result { return logical_not(a.mask("*")); }},
      {"any", [](Args& a) -> Result { return any(a.mask("*")); }},
      {"all", [](Args& a) -> Result { return all(a.mask("*")); }},
      {"all_finite", [](Args& a) -> Result { return all_finite(a.tensor()); }},
      {"allclose", [](Args& a) -> Result { return allclose(a.tensor(), a.tensor(), a.real(), a.real()); }},
      {"where", [](Args& a) -> Result { return where(a.mask("*"), a.operand(), a.operand()); }},
      {"where number", [](Args& a) -> Result { return where(a.mask("*"), a.real(), a.operand()); }},
      {"masked_fill", [](Args& a) -> Result { return masked_fill(a.tensor(), a.mask("*"), a.real()); }},
      {"length_mask", [](Args& a) -> Result { return length_mask(a.list(0, 3), a.integer(0, 4)); }},
  };
}

Calls reductions() {
  return {
      {"sum", [](Args& a) -> Result { return sum(a.tensor(), a.dims(), a.flag()); }},
      {"mean", [](Args& a) -> Result { return mean(a.tensor(), a.dims(), a.flag()); }, Values::any},
      {"var", [](Args& a) -> Result { return var(a.tensor(), a.dims(), a.integer(0, 2), a.flag()); }, Values::any},
      {"amax", [](Args& a) -> Result { return amax(a.tensor(), a.dims(), a.flag()); }},
      {"amin", [](Args& a) -> Result { return amin(a.tensor(), a.dims(), a.flag()); }},
      {"max", [](Args& a) -> Result { return max(a.tensor(), a.dim(), a.flag()); }},
      {"min", [](Args& a) -> Result { return min(a.tensor(), a.dim(), a.flag()); }},
      {"argmax", [](Args& a) -> Result { return argmax(a.tensor(), a.dim(), a.flag()); }},
      {"argmin", [](Args& a) -> Result { return argmin(a.tensor(), a.dim(), a.flag()); }},
      {"logsumexp", [](Args& a) -> Result { return logsumexp(a.tensor(), a.dims(), a.flag()); }, Values::any},
      {"cumsum", [](Args& a) -> Result { return cumsum(a.tensor(), a.dim()); }},
      {"softmax", [](Args& a) -> Result { return softmax(a.tensor(), a.dim()); }},
      {"log_softmax", [](Args& a) -> Result { return log_softmax(a.tensor(), a.dim()); }},
      {"masked_softmax", [](Args& a) -> Result { return masked_softmax(a.tensor(), a.mask("*")); }},
      {"mse_loss", [](Args& a) -> Result { return mse_loss(a.tensor(), a.tensor(), reduction(a)); }, Values::any},
      {"kl_div", [](Args& a) -> Result { return kl_div(a.tensor(), a.tensor(), reduction(a), a.flag()); }, Values::any},
      {"nll_loss",
       [](Args& a) -> Result {
         const Tensor x = a.tensor("bc");
         return nll_loss(x, a.integers("b", a.size('c')),
                         {.weight = a.flag() ? a.constant("c") : Tensor(),
                          .ignore_index = a.integer(-100, 1),
                          .reduction = reduction(a)});
       },
       Values::any},
      {"cross_entropy",
       [](Args& a) -> Result {
         const Tensor x = a.tensor("bcm");
         return cross_entropy(x, a.integers("bm", a.size('c')),
                              {.weight = a.flag() ? a.constant("c") : Tensor(),
                               .ignore_index = a.integer(-100, 1),
                               .reduction = reduction(a),
                               .label_smoothing = a.real(-0.1, 1.1)});
       },
       Values::any},
      {"layer_norm",
       [](Args& a) -> Result {
         return layer_norm(a.tensor("bmn"), a.shape_of("mn"), a.optional("mn"), a.optional("mn"), a.real(0.0, 0.1));
       },
       Values::any},
  };
}

Calls products() {
  const auto layer_options = [](Args& a) {
    return RecurrentLayerOptions{.lengths = a.list(0, 3), .reverse = a.flag()};
  };
  return {
      {"matmul", [](Args& a) -> Result { return matmul(a.tensor("mk"), a.tensor("kn")); }},
      {"matmul batches", [](Args& a) -> Result { return matmul(a.tensor("bmk"), a.tensor("bkn")); }},
      {"matmul vectors", [](Args& a) -> Result { return matmul(a.tensor("k"), a.tensor("bkn")); }},
      {"bmm", [](Args& a) -> Result { return bmm(a.tensor("bmk"), a.tensor("bkn")); }},
      {"linear", [](Args& a) -> Result { return linear(a.tensor("bmk"), a.tensor("nk"), a.optional("n")); }},
      {"gru_gates", [](Args& a) -> Result { return gru_gates(a.tensor("bG"), a.tensor("bG"), a.tensor("bh")); }},
      {"lstm_gates", [](Args& a) -> Result { return lstm_gates(a.tensor("bL"), a.tensor("bL"), a.tensor("bh")); }},
      {"gru_layer",
       [=](Args& a) -> Result {
         return gru_layer(a.tensor("tbG"), a.tensor("bh"), a.tensor("Gh"), a.optional("G"), layer_options(a));
       }},
      {"gru_layer whole",
       [=](Args& a) -> Result { return gru_layer(a.tensor("tbG"), a.tensor("bh"), a.tensor("Gh"), a.optional("G")); }},
      {"lstm_layer",
       [=](Args& a) -> Result {
         return lstm_layer(a.tensor("tbL"), a.tensor("bh"), a.tensor("bh"), a.tensor("Lh"), a.optional("L"),
                           {.lengths = {}, .reverse = a.flag()});
       }},
      {"additive_score",
       [](Args& a) -> Result { return additive_score(a.tensor("bn"), a.tensor("bmn"), a.tensor("n")); }},
      {"additive_score steps",
       [](Args& a) -> Result { return additive_score(a.tensor("bqn"), a.tensor("bmn"), a.tensor("n")); }},
  };
}

Calls shapes() {
  return {
      {"transpose", [](Args& a) -> Result { return transpose(a.tensor(), a.dim(), a.dim()); }},
      {"t", [](Args& a) -> Result { return t(a.tensor("mn")); }},
      {"permute", [](Args& a) -> Result { return permute(a.tensor(), a.dims()); }},
      {"squeeze", [](Args& a) -> Result { return squeeze(a.tensor(), a.dim()); }},
      {"unsqueeze", [](Args& a) -> Result { return unsqueeze(a.tensor(), a.dim()); }},
      {"expand", [](Args& a) -> Result { return expand(a.operand(), a.shape_of("*")); }},
      {"expand anyhow", [](Args& a) -> Result { return expand(a.tensor(), a.shape()); }},
      {"view", [](Args& a) -> Result { return view(a.tensor(), a.shape()); }},
      {"reshape", [](Args& a) -> Result { return reshape(a.tensor(), a.shape()); }},
      {"reshape to one dim", [](Args& a) -> Result { return reshape(a.tensor(), -1); }},
      {"flatten", [](Args& a) -> Result { return flatten(a.tensor(), a.dim(), a.dim()); }},
      {"clone", [](Args& a) -> Result { return clone(a.tensor()); }},
      {"contiguous", [](Args& a) -> Result { return contiguous(a.tensor()); }},
      {"to", [](Args& a) -> Result { return to(a.tensor(), a.dtype()); }},
      {"flip", [](Args& a) -> Result { return flip(a.tensor(), a.dims()); }},
      {"cat", [](Args& a) -> Result { return cat(a.tensors("*"), a.dim()); }},
      {"stack", [](Args& a) -> Result { return stack(a.tensors("*"), a.dim()); }},
      {"narrow", [](Args& a) -> Result { return narrow(a.tensor(), a.dim(), a.integer(-1, 3), a.integer(0, 3)); }},
      {"select", [](Args& a) -> Result { return select(a.tensor(), a.dim(), a.integer(-3, 3)); }},
      {"slice",
       [](Args& a) -> Result {
         return slice(a.tensor(), a.dim(), Slice{a.integer(-3, 3), a.integer(-3, 3), a.integer(1, 3)});
       }},
      {"split", [](Args& a) -> Result { return split(a.tensor(), a.integer(1, 3), a.dim()); }},
      {"split by sizes", [](Args& a) -> Result { return split(a.tensor(), a.list(0, 2), a.dim()); }},
      {"chunk", [](Args& a) -> Result { return chunk(a.tensor(), a.integer(1, 3), a.dim()); }},
      {"index",
       [](Args& a) -> Result {
         return index(a.tensor(), {Index(a.integer(-2, 2)), Index::ellipsis()});
       }},
      {"index all kinds",
       [](Args& a) -> Result {
         return index(a.tensor("mnk"), {Slice{a.integer(-2, 2), a.integer(-2, 4), a.integer(1, 2)}, Index::new_axis(),
                                        a.integers("q", a.size('n')), a.integer(-1, 0)});
       }},
      {"slice_backward",
       [](Args& a) -> Result {
         return slice_backward(a.tensor(), a.shape_of("*"), a.dim(), a.integer(0, 1), a.integer(1, 2));
       }},
      {"gather", [](Args& a) -> Result { return gather(a.tensor("mn"), a.dim(), a.integers("qn", 2)); }},
      {"scatter_add",
       [](Args& a) -> Result { return scatter_add(a.tensor("mn"), a.dim(), a.integers("qn", 2), a.tensor("qn")); }},
      {"index_select", [](Args& a) -> Result { return index_select(a.tensor("mn"), a.dim(), a.integers("q", 2)); }},
      {"index_add",
       [](Args& a) -> Result { return index_add(a.tensor("mn"), a.dim(), a.integers("q", 2), a.tensor("qn")); }},
      {"embedding",
       [](Args& a) -> Result {
         const Tensor weight = a.tensor("vn");
         return embedding(weight, a.integers("bt", a.size('v')));
       }},
      {"embedding padded",
       [](Args& a) -> Result {
         const Tensor weight = a.tensor("vn");
         return embedding(weight, a.integers("bt", a.size('v')), a.integer(-2, 2));
       },
       Values::finite, Effect::cuts_gradients},
  };
}

}  // namespace

Calls op_calls() {
  Calls together;
  for (const Calls& some : {arithmetic(), comparisons(), reductions(), products(), shapes()}) {
    together.insert(together.end(), some.begin(), some.end());
  }
  return together;
}

}  // namespace random_calls

#include <fmt/format.h>
#include <judge/check.h>

#include <algorithm>
#include <stdexcept>

#include "given.h"

const Axes judge::axes = {};

namespace {

using Inputs = std::vector<Tensor>;

// An operation, and a derivative of it that may be wrong.
struct Subject {
  std::string name;
  Inputs inputs;
  std::function<Tensor(const Inputs& in)> forward;
  std::function<Inputs(const Tensor& dy, const Inputs& in)> backward;
};

// ---- the check that is given: every entry of every input, double, relative -----------------------------------------
enum class Verdict { pass, fail, vacuous };

double measured(const std::function<double()>& loss, const Tensor& input, std::size_t entry) {
  const double eps = 1e-5;
  double& x = input.data_ptr<double>()[entry];
  const double before = x;
  x = before + eps;
  const double up = loss();
  x = before - eps;
  const double down = loss();
  x = before;
  return (up - down) / (2.0 * eps);
}

Verdict check_gradients(const Subject& subject, const Tensor& dy) {
  const autograd::NoGradGuard no_grad;
  const Inputs gradients = subject.backward(dy, subject.inputs);
  const auto loss = [&] { return (dy * subject.forward(subject.inputs)).sum().item(); };
  bool all_zero = true;
  for (std::size_t k = 0; k < gradients.size(); ++k) {
    if (!(gradients[k].shape() == subject.inputs[k].shape())) return Verdict::fail;
    const std::vector<double> analytic = gradients[k].to_vector();
    for (std::size_t entry = 0; entry < analytic.size(); ++entry) {
      const double a = analytic[entry];
      const double n = measured(loss, subject.inputs[k], entry);
      const double larger = std::max(std::abs(a), std::abs(n));
      if (larger < 1e-8) continue;
      all_zero = false;
      if (!(std::abs(a - n) <= 1e-4 * larger + 1e-9)) return Verdict::fail;
    }
  }
  return all_zero ? Verdict::vacuous : Verdict::pass;
}

// ---- the operations ------------------------------------------------------------------------------------------------
// h[t] = tanh(x[t] + w * h[t - 1]) with x [steps, batch], w [batch] and the first h [batch]. All h are the output.
Tensor recurrent(const Inputs& in) {
  std::vector<Tensor> states;
  Tensor h = in[2];
  for (std::int64_t t = 0; t < in[0].size(0); ++t) {
    h = (in[0].select(0, t) + in[1] * h).tanh();
    states.push_back(h);
  }
  return autograd::stack(states);
}

enum class Slip { none, next_step_lost, weight_overwritten };

Inputs recurrent_backward(const Tensor& dy, const Inputs& in, Slip slip) {
  const Tensor h = recurrent(in);
  std::vector<Tensor> dx(static_cast<std::size_t>(in[0].size(0)));
  Tensor dw = autograd::zeros_like(in[1]);
  Tensor from_next = autograd::zeros_like(in[1]);
  for (std::int64_t t = in[0].size(0) - 1; t >= 0; --t) {
    const Tensor h_t = h.select(0, t);
    const Tensor before = t == 0 ? in[2] : h.select(0, t - 1);
    const Tensor arriving = slip == Slip::next_step_lost ? dy.select(0, t) : dy.select(0, t) + from_next;
    const Tensor da = arriving * (1.0 - h_t * h_t);
    dx[static_cast<std::size_t>(t)] = da;
    dw = slip == Slip::weight_overwritten ? da * before : dw + da * before;
    from_next = da * in[1];
  }
  return {autograd::stack(dx), dw, from_next};
}

Tensor softmax_backward(const Tensor& dy, const Tensor& x) {
  const Tensor y = x.softmax(1);
  return y * (dy - (y * dy).sum({1}, true));
}

Tensor tanh_backward(const Tensor& dy, const Tensor& x) {
  const Tensor y = x.tanh();
  return dy * (1.0 - y * y);
}

// ---- what is checked, for one experiment
// -----------------------------------------------------------------------------
struct Subjects {
  std::vector<Subject> right;
  std::vector<Subject> mutants;
};

Subjects subjects_of(const Experiment& choice) {
  const auto make = [&](const Shape& shape) { return choice.numbers(shape).to(float64).detach().clone().contiguous(); };
  const Tensor x = make({choice.batch, choice.in});
  const Tensor other = make({choice.batch, choice.in});
  const Tensor weight = make({choice.out, choice.in});
  const Tensor bias = make({choice.out});
  const Tensor table = make({5, choice.in});
  const Inputs recurrence = {make({choice.steps, choice.batch}), make({choice.batch}), make({choice.batch})};
  const Tensor tokens = make({choice.batch, choice.steps});
  const Tensor ids = autograd::ids(choice.ids, {static_cast<std::int64_t>(choice.ids.size())});
  const Tensor real = autograd::length_mask(choice.lengths, choice.steps).to(float64);  // [batch, steps]
  const double n = choice.exponent;
  const double batch = static_cast<double>(choice.batch);
  const double in_size = static_cast<double>(choice.in);
  const double real_count = real.sum().item();

  const auto tanh_of = [](const Inputs& in) { return in[0].tanh(); };
  const auto relu_of = [](const Inputs& in) { return in[0].relu(); };
  const auto power_of = [n](const Inputs& in) { return in[0].pow(n); };
  const auto product_of = [](const Inputs& in) { return in[0] * in[1]; };
  const auto linear_of = [](const Inputs& in) { return autograd::linear(in[0], in[1], in[2]); };
  const auto transpose_of = [](const Inputs& in) { return in[0].t().contiguous(); };
  const auto mean_of = [](const Inputs& in) { return in[0].mean({1}); };
  const auto softmax_of = [](const Inputs& in) { return in[0].softmax(1); };
  const auto concat_of = [](const Inputs& in) { return autograd::cat({in[0], in[1]}, 1); };
  const auto embedding_of = [ids](const Inputs& in) { return autograd::embedding(in[0], ids); };
  const auto token_mean_of = [real, real_count](const Inputs& in) { return (in[0] * in[0] * real).sum() / real_count; };

  const auto linear_with = [](const std::function<Tensor(const Tensor&)>& bias_gradient, double factor = 1.0) {
    return [=](const Tensor& dy, const Inputs& in) {
      return Inputs{matmul(dy, in[1]), factor * matmul(dy.t(), in[0]), bias_gradient(dy)};
    };
  };
  const auto sum_of_rows = [](const Tensor& dy) { return dy.sum({0}); };
  const auto all_columns = [](const Tensor& dy, const Inputs& in) { return dy.unsqueeze(1).expand(in[0].shape()); };
  const auto embedding_backward = [ids](const Tensor& dy, const Inputs& in) {
    return Inputs{autograd::index_add(autograd::zeros_like(in[0]), 0, ids, dy)};
  };
  const auto last_one_stays = [ids](const Tensor& dy, const Inputs& in) {
    const Tensor gradient = autograd::zeros_like(in[0]);
    const std::vector<std::int64_t> rows = ids.to_vector<std::int64_t>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      gradient.select(0, rows[i]).copy_(dy.select(0, static_cast<std::int64_t>(i)));
    }
    return Inputs{gradient};
  };
  const auto slipped = [](Slip slip) {
    return [slip](const Tensor& dy, const Inputs& in) { return recurrent_backward(dy, in, slip); };
  };

  Subjects all;
  all.right = {
      {"tanh", {x}, tanh_of, [](const Tensor& dy, const Inputs& in) { return Inputs{tanh_backward(dy, in[0])}; }},
      {"relu", {x}, relu_of, [](const Tensor& dy, const Inputs& in) { return Inputs{dy * (in[0] > 0.0).to(float64)}; }},
      {"x^n", {x}, power_of, [n](const Tensor& dy, const Inputs& in) { return Inputs{dy * n * in[0].pow(n - 1.0)}; }},
      {"softmax",
       {x},
       softmax_of,
       [](const Tensor& dy, const Inputs& in) { return Inputs{softmax_backward(dy, in[0])}; }},
      {"linear", {x, weight, bias}, linear_of, linear_with(sum_of_rows)},
      {"recurrent", recurrence, recurrent, slipped(Slip::none)},
      {"embedding", {table}, embedding_of, embedding_backward},
  };
  all.mutants = {
      {"tanh: dy forgotten",
       {x},
       tanh_of,
       [](const Tensor& dy, const Inputs& in) { return Inputs{tanh_backward(autograd::ones_like(dy), in[0])}; }},
      {"tanh: 1 - x^2",
       {x},
       tanh_of,
       [](const Tensor& dy, const Inputs& in) { return Inputs{dy * (1.0 - in[0] * in[0])}; }},
      {"relu: mask forgotten", {x}, relu_of, [](const Tensor& dy, const Inputs&) { return Inputs{dy}; }},
      {"x^n: exponent not lowered",
       {x},
       power_of,
       [n](const Tensor& dy, const Inputs& in) { return Inputs{dy * n * in[0].pow(n)}; }},
      {"x^n: factor n forgotten",
       {x},
       power_of,
       [n](const Tensor& dy, const Inputs& in) { return Inputs{dy * in[0].pow(n - 1.0)}; }},
      {"a * b: operands swapped",
       {x, other},
       product_of,
       [](const Tensor& dy, const Inputs& in) {
         return Inputs{dy * in[0], dy * in[1]};
       }},
      {"linear: db averaged over the batch", {x, weight, bias}, linear_of, linear_with([](const Tensor& dy) {
         return dy.mean({0});
       })},
      {"linear: db of the first row only", {x, weight, bias}, linear_of, linear_with([](const Tensor& dy) {
         return dy.select(0, 0);
       })},
      {"linear: dw divided by the batch", {x, weight, bias}, linear_of, linear_with(sum_of_rows, 1.0 / batch)},
      {"transpose: not turned back", {x}, transpose_of, [](const Tensor& dy, const Inputs&) { return Inputs{dy}; }},
      {"mean over in: divided by nothing",
       {x},
       mean_of,
       [=](const Tensor& dy, const Inputs& in) { return Inputs{all_columns(dy, in)}; }},
      {"mean over in: divided by the batch",
       {x},
       mean_of,
       [=](const Tensor& dy, const Inputs& in) { return Inputs{all_columns(dy, in) / batch}; }},
      {"mean over in: divided by batch * in",
       {x},
       mean_of,
       [=](const Tensor& dy, const Inputs& in) { return Inputs{all_columns(dy, in) / (batch * in_size)}; }},
      {"softmax: returns 0", {x}, softmax_of, [](const Tensor& dy, const Inputs&) { return Inputs{0.0 * dy}; }},
      {"softmax: sign",
       {x},
       softmax_of,
       [](const Tensor& dy, const Inputs& in) { return Inputs{-softmax_backward(dy, in[0])}; }},
      {"concat: halves swapped",
       {x, other},
       concat_of,
       [](const Tensor& dy, const Inputs& in) {
         const std::int64_t width = in[0].size(1);
         return Inputs{dy.narrow(1, width, width), dy.narrow(1, 0, width)};
       }},
      {"recurrent: nothing from the next step", recurrence, recurrent, slipped(Slip::next_step_lost)},
      {"recurrent: dw overwritten every step", recurrence, recurrent, slipped(Slip::weight_overwritten)},
      {"embedding: = where += belongs", {table}, embedding_of, last_one_stays},
      {"mean of tokens: padding counted",
       {tokens},
       token_mean_of,
       [=](const Tensor& dy, const Inputs& in) {
         return Inputs{dy * 2.0 * in[0] * real / static_cast<double>(real.numel())};
       }},
  };
  return all;
}

void must_be_sensible(const Experiment& choice) {
  for (const std::int64_t size : {choice.batch, choice.in, choice.out, choice.steps}) {
    if (size < 1 || size > 8)
      throw std::invalid_argument(fmt::format("batch, in, out and steps must be from 1 to 8, and one is {}", size));
  }
  if (choice.ids.empty() || choice.ids.size() > 8)
    throw std::invalid_argument(fmt::format("ids must have 1 to 8 numbers, and has {}", choice.ids.size()));
  for (const std::int64_t id : choice.ids) {
    if (id < 0 || id > 4)
      throw std::invalid_argument(fmt::format("the table has rows 0 to 4, and one of the ids is {}", id));
  }
  if (static_cast<std::int64_t>(choice.lengths.size()) != choice.batch) {
    throw std::invalid_argument(fmt::format("lengths must have one number per row of the batch, {}, and has {}",
                                            choice.batch, choice.lengths.size()));
  }
  for (const std::int64_t length : choice.lengths) {
    if (length < 1 || length > choice.steps)
      throw std::invalid_argument(
          fmt::format("every length must be from 1 to steps, {}, and one is {}", choice.steps, length));
  }
  if (!choice.numbers || !choice.upstream)
    throw std::invalid_argument("numbers and upstream must be functions, and one is empty");
}

}  // namespace

// What is observed is what the chosen inputs can tell apart, not the inputs.
void check(const Answer& answer, Check& check) {
  const Experiment choice = answer.design();
  must_be_sensible(choice);
  const auto verdict = [&](const Subject& subject) {
    const Tensor y = subject.forward(subject.inputs);
    return check_gradients(subject, choice.upstream(y.shape()).to(float64).detach());
  };
  const Subjects subjects = subjects_of(choice);
  int killed = 0;
  std::vector<bool> dead;
  for (const Subject& mutant : subjects.mutants) {
    dead.push_back(verdict(mutant) == Verdict::fail);
    killed += dead.back() ? 1 : 0;
  }
  check.at_least("mutants killed", killed, static_cast<double>(subjects.mutants.size()));
  for (const Subject& right : subjects.right) {
    const Verdict found = verdict(right);
    check.text("right " + right.name, found == Verdict::pass   ? "passes"
                                      : found == Verdict::fail ? "is rejected"
                                                               : "proves nothing: zero everywhere");
  }
  for (std::size_t i = 0; i < dead.size(); ++i) {
    check.text(subjects.mutants[i].name, dead[i] ? "killed" : "survives");
  }
}

// Mistakes in the fast forms of composites: the cross entropy, the gates of recurrent layers and whole ones, and the
// scores of additive attention. fast_test.cpp plants them there.
#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// ---- the cross entropy -------------------------------------------------------------------------------------------

// Where the targets are that count: there alone the loss falls when the score rises.
Tensor at_targets(In run) {
  return run.right_for(ones_like(run.dy))[0] < 0.0;
}

Mistakes cross_entropy_mistakes() {
  const auto not_divided = [](In run) {
    return run.y.dim() == 0 ? run.right[0] * at_targets(run).sum().item() : run.right[0];
  };
  const auto targets_only = [](In run) { return where(at_targets(run), run.right[0], 0.0); };
  const auto softmax_only = [](In run) {
    const Tensor p = run.x[0].softmax(1);
    return where(at_targets(run), run.right[0] * p / (p - 1.0), run.right[0]);
  };
  return {
      {"cross_entropy", "1/n forgotten", dx(not_divided)},
      {"cross_entropy", "minus sign lost", scaled(-1.0)},
      {"cross_entropy", "upstream not multiplied", upstream_not_multiplied()},
      {"cross_entropy", "gradient at the targets only", dx(targets_only)},
      {"cross_entropy", "1 at the target forgotten", dx(softmax_only)},
  };
}

// ---- one step of a GRU -----------------------------------------------------------------------------------------------

// The parts of a tensor that belong to r, z and n.
std::vector<Tensor> parts(const Tensor& x) {
  return x.chunk(3, 1);
}

Tensor reset_gate(In run) {
  return sigmoid(parts(run.x[0])[0] + parts(run.x[1])[0]);
}

Tensor update_gate(In run) {
  return sigmoid(parts(run.x[0])[1] + parts(run.x[1])[1]);
}

Mistakes gru_gates_mistakes() {
  constexpr std::size_t from_input = 0;
  constexpr std::size_t from_hidden = 1;
  constexpr std::size_t hidden = 2;
  const auto reset_forgotten = [](In run) { return run.right[from_input]; };
  const auto gates_swapped = [](In run) {
    const std::vector<Tensor> d = parts(run.right[from_input]);
    return cat({d[1], d[0], d[2]}, 1);
  };
  const auto no_path_through_reset = [](In run) {
    const std::vector<Tensor> d = parts(run.right[from_input]);
    return cat({zeros_like(d[0]), d[1], d[2]}, 1);
  };
  const auto opposite_update = [](In run) { return run.dy * (1.0 - update_gate(run)); };
  const auto candidate_alone = [](In run) {
    const std::vector<Tensor> d = parts(run.right[from_input]);
    return cat({d[0], -d[1], d[2]}, 1);
  };
  const auto reset_on_all = [](In run) {
    const std::vector<Tensor> d = parts(run.right[from_input]);
    const Tensor r = reset_gate(run);
    return cat({d[0] * r, d[1] * r, d[2] * r}, 1);
  };
  return {
      {"gru_gates", "r forgotten in the hidden part of n", wrong(from_hidden, reset_forgotten)},
      {"gru_gates", "r on all three hidden parts", wrong(from_hidden, reset_on_all)},
      {"gru_gates", "r and z swapped", wrong(from_input, gates_swapped)},
      {"gru_gates", "path through r dropped", wrong(from_input, no_path_through_reset)},
      {"gru_gates", "sign of z turned round", wrong(from_input, candidate_alone)},
      {"gru_gates", "1 - z in place of z", wrong(hidden, opposite_update)},
      {"gru_gates", "path past the gates dropped", wrong(hidden, [](In run) { return zeros_like(run.dy); })},
  };
}

// ---- one step of an LSTM ---------------------------------------------------------------------------------------------

// With the gates i, f, g and o of one run, and what arrives at h' and c'.
struct LstmStep {
  Tensor i, f, g, o;
  Tensor c, c_after;
  Tensor dh, dc;

  explicit LstmStep(In run) {
    const std::vector<Tensor> sums = (run.x[0] + run.x[1]).chunk(4, 1);
    i = sigmoid(sums[0]);
    f = sigmoid(sums[1]);
    g = tanh(sums[2]);
    o = sigmoid(sums[3]);
    c = run.x[2];
    c_after = run.y.select(0, 1);
    dh = run.dy.select(0, 0);
    dc = run.dy.select(0, 1);
  }

  Tensor slope_of_tanh() const { return 1.0 - tanh(c_after).pow(2.0); }
  Tensor dc_after() const { return dc + dh * o * slope_of_tanh(); }
};

Mistakes lstm_gates_mistakes() {
  constexpr std::size_t from_input = 0;
  constexpr std::size_t from_hidden = 1;
  constexpr std::size_t cell = 2;
  const auto only_from_above = [](In run) { return LstmStep(run).dc * LstmStep(run).f; };
  const auto only_from_output = [](In run) {
    const LstmStep step(run);
    return step.dh * step.o * step.slope_of_tanh() * step.f;
  };
  const auto tanh_forgotten = [](In run) {
    const LstmStep step(run);
    return (step.dc + step.dh * step.o) * step.f;
  };
  const auto input_gate_on_cell = [](In run) { return LstmStep(run).dc_after() * LstmStep(run).i; };
  const auto cell_after_for_forget = [](In run) {
    const LstmStep step(run);
    const std::vector<Tensor> d = run.right[from_input].chunk(4, 1);
    return cat({d[0], step.dc_after() * step.c_after * step.f * (1.0 - step.f), d[2], d[3]}, 1);
  };
  const auto gates_in_other_order = [](In run) {
    const std::vector<Tensor> d = run.right[from_input].chunk(4, 1);
    return cat({d[0], d[1], d[3], d[2]}, 1);
  };
  const auto sigmoid_for_candidate = [](In run) {
    const LstmStep step(run);
    const std::vector<Tensor> d = run.right[from_input].chunk(4, 1);
    return cat({d[0], d[1], step.dc_after() * step.i * step.g * (1.0 - step.g), d[3]}, 1);
  };
  const auto output_gate_dropped = [](In run) {
    const std::vector<Tensor> d = run.right[from_hidden].chunk(4, 1);
    return cat({d[0], d[1], d[2], zeros_like(d[3])}, 1);
  };
  return {
      {"lstm_gates", "path from h' to c' dropped", wrong(cell, only_from_above)},
      {"lstm_gates", "gradient of c' dropped", wrong(cell, only_from_output)},
      {"lstm_gates", "tanh of c' not differentiated", wrong(cell, tanh_forgotten)},
      {"lstm_gates", "i in place of f", wrong(cell, input_gate_on_cell)},
      {"lstm_gates", "c' in place of c at the forget gate", wrong(from_input, cell_after_for_forget)},
      {"lstm_gates", "g and o swapped", wrong(from_input, gates_in_other_order)},
      {"lstm_gates", "sigmoid's slope at the candidate", wrong(from_input, sigmoid_for_candidate)},
      {"lstm_gates", "output gate without a gradient", wrong(from_hidden, output_gate_dropped)},
  };
}

// ---- whole layers ----------------------------------------------------------------------------------------------------

// Mistakes in what is done around the gates. `states` counts the parts of the state, and `time` is their dim of steps.
Mistakes layer_mistakes(const std::string& op, std::size_t states, std::int64_t time) {
  constexpr std::size_t from_input = 0;
  constexpr std::size_t initial = 1;
  const std::size_t weight = 1 + states;
  const std::size_t bias = 2 + states;
  // As if nothing came back from one step to the one before, but at the last one.
  const auto from_last_step_only = [time](In run) {
    const std::int64_t last = run.dy.size(time) - 1;
    const Tensor dlast = run.dy.narrow(time, last, 1);
    return cat({zeros_like(run.dy.narrow(time, 0, last)), dlast}, time);
  };
  const auto moved_by_a_step = [](In run) {
    const Tensor d = run.right[from_input];
    return cat({d.narrow(0, 1, d.size(0) - 1), d.narrow(0, 0, 1)}, 0);
  };
  const auto turned_round = [](In run) {
    std::vector<Tensor> steps;
    for (std::int64_t t = run.right[from_input].size(0) - 1; t >= 0; --t) {
      steps.push_back(run.right[from_input].select(0, t));
    }
    return stack(steps);
  };
  const auto not_carried_on = [=](In run) { return run.right_for(from_last_step_only(run))[from_input]; };
  const auto last_step_only = [=](In run) { return run.right_for(from_last_step_only(run))[weight]; };
  const auto not_past_the_steps = [time](In run) {  // what arrives at the first state itself, and no more
    const Tensor first = run.dy.select(time, 0);
    return first.dim() == 2 ? first : first.select(0, 0);
  };
  const auto transposed = [=](In run) { return moved_on(run.right[weight]); };
  const auto mean_over_rows = [=](In run) { return run.right[bias] / as_double(run.x[0].size(1)); };
  const auto sum_of_inputs_part = [=](In run) { return run.right[from_input].sum(Dims{0, 1}) * 0.5; };
  return {
      {op, "gradients not carried from step to step", wrong(from_input, not_carried_on)},
      {op, "off by one step", wrong(from_input, moved_by_a_step)},
      {op, "steps in the other order", wrong(from_input, turned_round)},
      {op, "first state gets no gradient from the steps", wrong(initial, not_past_the_steps)},
      {op, "weights get the last step's gradient only", wrong(weight, last_step_only)},
      {op, "weights' gradient moved on by one", wrong(weight, transposed)},
      {op, "bias averaged over the batch", wrong(bias, mean_over_rows)},
      {op, "bias halved", wrong(bias, sum_of_inputs_part)},
      {op, "upstream not multiplied", upstream_not_multiplied()},
  };
}

// The hidden part of the candidate is multiplied by r, so that the bias is not the sum of the inputs' gradients.
Mistake bias_without_reset_gate() {
  return {"gru_layer", "r forgotten in the bias's gradient", wrong(3, [](In run) {
            return run.right[0].sum(Dims{0, 1});
          })};
}

// ---- additive attention ------------------------------------------------------------------------------------------

// All sums of a query and a key, [batch, queries, source, n].
Tensor sums(In run) {
  const Tensor query = run.x[0].dim() == 3 ? run.x[0] : run.x[0].unsqueeze(1);
  return query.unsqueeze(2) + run.x[1].unsqueeze(1);
}

// dy for all features, [batch, queries, source, 1].
Tensor dscores(In run) {
  const Tensor dy = run.dy.dim() == 3 ? run.dy : run.dy.unsqueeze(1);
  return dy.unsqueeze(-1);
}

Tensor to_query(In run, const Tensor& dsums) {
  return dsums.sum(2).reshape(run.x[0].shape());
}

Mistakes attention_mistakes() {
  constexpr std::size_t query = 0;
  constexpr std::size_t keys = 1;
  constexpr std::size_t v = 2;
  const auto slope_lost = [](In run) { return to_query(run, (dscores(run) * run.x[2]).expand(sums(run).shape())); };
  const auto slope_of_the_sum = [](In run) {
    const Tensor x = sums(run);
    return to_query(run, dscores(run) * run.x[2] * (1.0 - x * x));
  };
  const auto v_lost = [](In run) {
    const Tensor h = tanh(sums(run));
    return (dscores(run) * (1.0 - h * h)).sum(1);
  };
  const auto first_query_only = [](In run) {
    const Tensor h = tanh(sums(run));
    return (dscores(run) * run.x[2] * (1.0 - h * h)).select(1, 0);
  };
  const auto mean_over_queries = [](In run) { return run.right[keys] / as_double(sums(run).size(1)); };
  const auto sum_in_place_of_tanh = [](In run) {
    return (dscores(run) * sums(run)).sum({0, 1, 2}).reshape(run.x[2].shape());
  };
  const auto one_sentence_only = [](In run) {
    const Tensor h = tanh(sums(run));
    const Tensor of_sentences = (dscores(run) * h).sum({1, 2});  // [batch, n]
    const bool has_any = of_sentences.size(0) > 0;
    return has_any ? of_sentences.select(0, 0).reshape(run.x[2].shape()) : run.right[v];
  };
  return {
      {"additive_score", "slope of tanh forgotten", wrong(query, slope_lost)},
      {"additive_score", "1 - x^2 in place of 1 - tanh(x)^2", wrong(query, slope_of_the_sum)},
      {"additive_score", "v forgotten", wrong(keys, v_lost)},
      {"additive_score", "keys learn from the first query only", wrong(keys, first_query_only)},
      {"additive_score", "mean over the queries in place of the sum", wrong(keys, mean_over_queries)},
      {"additive_score", "x in place of tanh(x) for v", wrong(v, sum_in_place_of_tanh)},
      {"additive_score", "v learns from the first sentence only", wrong(v, one_sentence_only)},
  };
}

}  // namespace

const Mistakes& of_fused_ops() {
  static const Mistakes table = joined({cross_entropy_mistakes(),
                                        gru_gates_mistakes(),
                                        lstm_gates_mistakes(),
                                        layer_mistakes("gru_layer", 1, 0),
                                        {bias_without_reset_gate()},
                                        layer_mistakes("lstm_layer", 2, 1),
                                        attention_mistakes()});
  return table;
}

}  // namespace op_mistakes

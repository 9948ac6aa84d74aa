// Mistakes in the gates of recurrent layers.

#include "op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

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

}  // namespace

Mistakes recurrent_mistakes() {
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

}  // namespace op_mistakes

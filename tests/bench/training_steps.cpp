// One training step of a translator: forward, cross entropy with teacher forcing, backward, clipping, Adam.

#include <nn/nn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/translator.h"
#include "bench/workload.h"

namespace bench {
namespace {

using autograd::Tensor;

// The parts of a step, one sample per step; `step` is the whole.
struct Parts {
  std::vector<Sample> step, forward, backward, update;
};

class Training {
 public:
  explicit Training(const TranslatorSizes& sizes)
      : model_(options_of(sizes)), data_(sizes), optimizer_(model_.parameters(), {.lr = 1e-3}) {}

  // One step; returns the loss.
  double step(Parts& parts) {
    const Stopwatch whole;
    const Stopwatch forward;
    optimizer_.zero_grad();
    const Tensor loss = loss_of_batch();
    const double value = loss.item();
    parts.forward.push_back(forward.read());
    const Stopwatch backward;
    loss.backward({.release_graph = true});
    parts.backward.push_back(backward.read());
    const Stopwatch update;
    nn::clip_grad_norm_(model_.parameters(), 1.0);
    optimizer_.step();
    parts.update.push_back(update.read());
    parts.step.push_back(whole.read());
    return value;
  }

  std::int64_t num_parameters() const { return model_.num_parameters(); }

 private:
  // As in the peers' programs, the encoder reads the padding too, and the attention does not.
  Tensor loss_of_batch() const {
    const auto [outputs, hidden] = model_.encoder(data_.source);
    const nn::ProjectedKeys keys = model_.decoder.precompute(outputs);
    const auto [logits, weights] = model_.decoder.teacher_forced(data_.inputs, hidden, keys, data_.mask);
    return autograd::cross_entropy(logits.flatten(0, 1), data_.targets.flatten());
  }

  nn::Seq2Seq model_;
  Sentences data_;
  nn::Adam optimizer_;
};

void seq2seq_step(const Run& run, const TranslatorSizes& sizes, std::size_t fewest_steps) {
  Training training(sizes);
  Parts warm_up;
  const double first_loss = training.step(warm_up);  // makes the optimiser's averages too
  if (fewest_steps > 2) training.step(warm_up);
  Parts parts;
  double last_loss = first_loss;
  const Stopwatch whole;
  while (parts.step.size() < fewest_steps || whole.read().wall_ns < 1e9 * run.seconds()) {
    last_loss = training.step(parts);
  }
  const Timing step = summarise(parts.step, run.threads());
  run.record_time("step", step, "ms");
  run.record_time("forward", summarise(parts.forward, run.threads()), "ms");
  run.record_time("backward", summarise(parts.backward, run.threads()), "ms");
  run.record_time("clip_and_adam", summarise(parts.update, run.threads()), "ms");
  run.record_rate("target_tokens", step, static_cast<double>(sizes.batch * sizes.target), 1.0, "tokens/s");
  run.record("work", 3.0 * forward_operations(sizes) / 1e9, "GFLOP");
  run.record("parameters", static_cast<double>(training.num_parameters()), "count");
  run.record("first_loss", first_loss, "nat");
  run.record("last_loss", last_loss, "nat");
}

}  // namespace

void add_training_steps(std::vector<Workload>& all) {
  all.push_back({"seq2seq_step", "vocab 8000, emb 256, hid 256, B=64, S=T=15, f32",
                 [](const Run& run) { seq2seq_step(run, full_translator, 7); }});
  all.push_back({"seq2seq_step_small", "vocab 64, emb 32, hid 32, B=16, S=T=12, f32",
                 [](const Run& run) { seq2seq_step(run, small_translator, 7); }});
  all.push_back({"seq2seq_step_paper", "vocab 30000, emb 620, hid 1000, B=80, S=T=30, f32",
                 [](const Run& run) { seq2seq_step(run, paper_translator, 2); }});
}

}  // namespace bench

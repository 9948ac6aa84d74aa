// A translator, a bidirectional GRU encoder and a decoder with additive attention, on random sentences: training steps
// (forward, cross entropy with teacher forcing, backward, clipping, Adam), and greedy decoding of 64 sentences in one
// batch or one by one.

#include <nn/nn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace bench {
namespace {

struct TranslatorSizes {
  std::int64_t vocabulary, embedding, hidden, batch, source, target;
};

constexpr TranslatorSizes full_translator{8000, 256, 256, 64, 15, 15};
constexpr TranslatorSizes small_translator{64, 32, 32, 16, 12, 12};
constexpr TranslatorSizes paper_translator{30000, 620, 1000, 80, 30, 30};  // Bahdanau et al. 2015

nn::Seq2SeqOptions options_of(const TranslatorSizes& sizes) {
  return {
      .encoder = {.vocab_size = sizes.vocabulary, .embed_dim = sizes.embedding, .hidden_dim = sizes.hidden},
      .decoder = {.vocab_size = sizes.vocabulary, .embed_dim = sizes.embedding, .hidden_dim = sizes.hidden},
  };
}

// Source lengths vary between half and the whole of `source`.
struct Sentences {
  explicit Sentences(const TranslatorSizes& sizes)
      : source(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.source})),
        inputs(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.target})),
        targets(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.target})),
        lengths(autograd::randint(sizes.source / 2, sizes.source + 1, {sizes.batch}).to_vector<std::int64_t>()),
        mask(autograd::length_mask(lengths, sizes.source)) {}

  autograd::Tensor source, inputs, targets;  // [batch, source], [batch, target], [batch, target]
  std::vector<std::int64_t> lengths;         // of the sources
  autograd::Tensor mask;                     // [batch, source], of the lengths
};

// The weights that each word of a single sentence needs.
double weights_per_word(const TranslatorSizes& sizes) {
  const auto [V, E, H, B, S, T] = sizes;
  const std::int64_t gru = 3 * H * (E + 2 * H + H);
  return static_cast<double>(H * H + gru + V * (3 * H + E));  // the query, the GRU, the output layer
}

// The multiplications and additions of all matrix products of a forward pass, the keys projected once.
double forward_operations(const TranslatorSizes& sizes) {
  const auto [V, E, H, B, S, T] = sizes;
  const std::int64_t encoder = B * S * 2 * 3 * H * (E + H) + B * 2 * H * H;
  const std::int64_t keys = B * S * 2 * H * H;
  const std::int64_t scores_and_contexts = B * T * (S * H + S * 2 * H);
  return 2 * static_cast<double>(encoder + keys + scores_and_contexts) + 2 * double(B * T) * weights_per_word(sizes);
}

// The parts of a training step, one sample per step; `step` is the whole, with clipping and Adam.
struct Parts {
  std::vector<Sample> step, forward, backward;
};

class Training {
 public:
  explicit Training(const TranslatorSizes& sizes)
      : model_(options_of(sizes)), data_(sizes), optimizer_(model_.parameters(), {.lr = 1e-3}) {}

  void step(Parts& parts) {
    const Stopwatch whole;
    const Stopwatch forward;
    optimizer_.zero_grad();
    const Tensor loss = loss_of_batch();
    (void)loss.item();
    parts.forward.push_back(forward.read());
    const Stopwatch backward;
    loss.backward({.release_graph = true});
    parts.backward.push_back(backward.read());
    nn::clip_grad_norm_(model_.parameters(), 1.0);
    optimizer_.step();
    parts.step.push_back(whole.read());
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
  training.step(warm_up);  // makes the optimiser's averages too
  if (fewest_steps > 2) training.step(warm_up);
  Parts parts;
  const Stopwatch whole;
  while (parts.step.size() < fewest_steps || whole.read().wall_ns < 1e9 * run.seconds()) {
    training.step(parts);
  }
  run.record_time("step", median_ns(parts.step, run.threads()), "ms");
  run.record_time("forward", median_ns(parts.forward, run.threads()), "ms");
  run.record_time("backward", median_ns(parts.backward, run.threads()), "ms");
  // Adam reads each parameter, its gradient and its two averages; the small translator stays in a cache.
  const double parameters = 4 * 4 * static_cast<double>(training.num_parameters());
  const double scores = 4 * static_cast<double>(sizes.batch * sizes.target * sizes.vocabulary);
  run.record_least("step", "f32", 3.0 * forward_operations(sizes));
  if (sizes.hidden > small_translator.hidden) run.record_least("step", "read_512MiB", parameters);
  run.record("peak_rss:limit", (parameters + scores) / (1024 * 1024), "MiB");
}

void greedy_decode(const Run& run, std::int64_t batch) {
  const TranslatorSizes sizes = full_translator;
  nn::Seq2Seq model(options_of(sizes));
  model.eval();
  const Sentences data(sizes);
  constexpr std::int64_t no_end = -1;  // all sentences get the whole number of words
  const auto decode_all = [&] {
    for (std::int64_t first = 0; first < sizes.batch; first += batch) {
      const Tensor source = data.source.narrow(0, first, batch);
      const auto lengths = data.lengths.begin() + first;
      keep(model.greedy(source, {lengths, lengths + batch}, {.bos = 1, .eos = no_end, .max_length = sizes.target}));
    }
  };
  const double timing = run.time(decode_all);
  if (batch > 1) {
    run.record_time("all_sentences", timing, "ms");
    run.record_least("all_sentences", "f32", forward_operations(sizes));
  } else {  // a product with one row does two operations for each weight that it reads
    run.record_time("token", timing, "us/token", static_cast<double>(sizes.batch * sizes.target));
    run.record_least("token", "read_512MiB", 4 * weights_per_word(sizes));
  }
}

}  // namespace

void add_translators(std::vector<Workload>& all) {
  all.push_back({"seq2seq_step", "vocab 8000, emb 256, hid 256, B=64, S=T=15, f32",
                 [](const Run& run) { seq2seq_step(run, full_translator, 7); }});
  all.push_back({"seq2seq_step_small", "vocab 64, emb 32, hid 32, B=16, S=T=12, f32",
                 [](const Run& run) { seq2seq_step(run, small_translator, 7); }});
  all.push_back({"seq2seq_step_paper", "vocab 30000, emb 620, hid 1000, B=80, S=T=30, f32",
                 [](const Run& run) { seq2seq_step(run, paper_translator, 2); }});
  for (const std::int64_t batch : {64, 1}) {
    const std::string number = std::to_string(batch);
    all.push_back({"greedy_decode_batch" + number, "model of seq2seq_step, 64 sentences, 15 steps, batch " + number,
                   [batch](const Run& run) { greedy_decode(run, batch); }});
  }
}

}  // namespace bench

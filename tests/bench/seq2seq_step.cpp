// One training step of a translator with additive attention, forward to update, as the peers' `seq2seq_step` does it:
// vocabulary 8000, embedding and hidden 256, batch 64, 15 words each, float32.
//
//   seq2seq_step [--threads N] [--seconds S] [--workload NAME]
//
// Each line printed is "workload peer metric value unit". The processor's time (cpu) says more than the clock's (step)
// on a machine that others use too.

#include <autograd/recycler.h>
#include <nn/nn.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

using autograd::Tensor;

namespace {

struct Sizes {
  std::int64_t vocabulary, embedding, hidden, batch, source, target;
};

struct Workload {
  std::string_view name;
  Sizes sizes;
};

constexpr Workload workloads[] = {
    {"seq2seq_step", {8000, 256, 256, 64, 15, 15}},
    {"seq2seq_step_small", {64, 32, 32, 16, 12, 12}},
    {"seq2seq_step_paper", {30000, 620, 1000, 80, 30, 30}},
};

double wall_ms() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(time).count();
}

// Of all threads of this process, in the program and in the system on its behalf.
double cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

// The parts of a step, one entry per step; "step" is the whole.
struct Times {
  std::vector<double> step, cpu, forward, backward, update;
};

// Random sentences; lengths vary between half and the whole of `source`.
struct Sentences {
  explicit Sentences(const Sizes& sizes)
      : source(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.source})),
        inputs(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.target})),
        targets(autograd::randint(4, sizes.vocabulary, {sizes.batch, sizes.target})) {
    const Tensor drawn = autograd::randint(sizes.source / 2, sizes.source + 1, {sizes.batch});
    mask = autograd::length_mask(drawn.to_vector<std::int64_t>(), sizes.source);
  }
  Tensor source, inputs, targets, mask;
};

class Training {
 public:
  explicit Training(const Sizes& sizes)
      : data_(sizes),
        model_({.encoder = {.vocab_size = sizes.vocabulary, .embed_dim = sizes.embedding, .hidden_dim = sizes.hidden},
                .decoder = {.vocab_size = sizes.vocabulary, .embed_dim = sizes.embedding, .hidden_dim = sizes.hidden}}),
        optimizer_(model_.parameters(), {.lr = 1e-3}) {}

  // One step; returns the loss.
  double step(Times& times) {
    const double cpu = cpu_ms();
    const double start = wall_ms();
    optimizer_.zero_grad();
    const Tensor loss = loss_of_batch();
    const double value = loss.item();
    const double forward = wall_ms();
    loss.backward({.release_graph = true});
    const double backward = wall_ms();
    nn::clip_grad_norm_(model_.parameters(), 1.0);
    optimizer_.step();
    const double end = wall_ms();
    times.forward.push_back(forward - start);
    times.backward.push_back(backward - forward);
    times.update.push_back(end - backward);
    times.step.push_back(end - start);
    times.cpu.push_back(cpu_ms() - cpu);
    return value;
  }

 private:
  // As in the peers' program, the encoder reads the padding too, and the attention does not.
  Tensor loss_of_batch() const {
    const auto [outputs, hidden] = model_.encoder(data_.source);
    const nn::ProjectedKeys keys = model_.decoder.precompute(outputs);
    const auto [logits, weights] = model_.decoder.teacher_forced(data_.inputs, hidden, keys, data_.mask);
    return autograd::cross_entropy(logits.flatten(0, 1), data_.targets.flatten());
  }

  Sentences data_;
  nn::Seq2Seq model_;
  nn::Adam optimizer_;
};

void print(std::string_view workload, std::string_view metric, double value, std::string_view unit) {
  fmt::print("{:<24} {:<12} {:<18} {:>10.4g} {}\n", workload, "backstep", metric, value, unit);
}

void run(const Workload& workload, double seconds) {
  Training training(workload.sizes);
  Times warm_up;
  const double first_loss = training.step(warm_up);
  training.step(warm_up);
  Times times;
  double last_loss = 0.0;
  const double start = wall_ms();
  while (times.step.size() < 2 || wall_ms() - start < 1e3 * seconds) last_loss = training.step(times);

  const double step = median(times.step);
  const double tokens = static_cast<double>(workload.sizes.batch * workload.sizes.target);
  print(workload.name, "step", step, "ms");
  print(workload.name, "cpu", median(times.cpu), "ms");
  print(workload.name, "forward", median(times.forward), "ms");
  print(workload.name, "backward", median(times.backward), "ms");
  print(workload.name, "clip_and_adam", median(times.update), "ms");
  print(workload.name, "target_tokens", 1e3 * tokens / step, "tokens/s");
  print(workload.name, "peak_rss", peak_mib(), "MiB");
  print(workload.name, "first_loss", first_loss, "nat");
  print(workload.name, "last_loss", last_loss, "nat");
}

}  // namespace

int main(int argc, char** argv) {
  std::string only = "seq2seq_step";
  double seconds = 5.0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--threads") autograd::set_num_threads(std::atoi(argv[i + 1]));
    if (option == "--seconds") seconds = std::atof(argv[i + 1]);
    if (option == "--workload") only = argv[i + 1];
  }
  autograd::manual_seed(1);
  for (const Workload& workload : workloads) {
    if (workload.name == only) run(workload, seconds);
  }
}

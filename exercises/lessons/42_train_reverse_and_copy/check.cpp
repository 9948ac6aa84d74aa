#include <fmt/format.h>
#include <judge/check.h>
#include <judge/given/rows.h>
#include <nn/attention/heatmap.h>
#include <nn/optim/adam.h>
#include <nn/optim/lr_scheduler.h>
#include <nn/optim/sgd.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 3}, {"longest", 4}};

namespace {

using autograd::Generator;

enum class Task { copy, reverse };

// What should be written for each source.
std::vector<Letters> targets_of(std::vector<Letters> sources, Task task) {
  if (task == Task::reverse) {
    for (Letters& letters : sources) std::reverse(letters.begin(), letters.end());
  }
  return sources;
}

Batch make_batch(const std::vector<Letters>& sources, Task task) {
  Batch batch;
  std::vector<Letters> in;
  std::vector<Letters> out = targets_of(sources, task);
  for (Letters& letters : out) {
    batch.lengths.push_back(static_cast<std::int64_t>(letters.size()));
    in.push_back({bos});
    in.back().insert(in.back().end(), letters.begin(), letters.end());
    letters.push_back(eos);
  }
  batch.source = given::stack_rows(sources, padding);
  batch.target_in = given::stack_rows(in, padding);
  batch.target_out = given::stack_rows(out, padding);
  return batch;
}

Letters random_letters(std::int64_t length, std::int64_t letters, Generator& random) {
  Letters word;
  for (std::int64_t i = 0; i < length; ++i) {
    word.push_back(random.integer(given::first_letter, given::first_letter + letters));
  }
  return word;
}

// ---- quick: what one update does, and what a small model of random weights writes -----------------------------------

// Words of 4, 3 and 2 letters, or as many and as long as the axes say.
std::vector<Letters> few_words(Check& check) {
  const std::vector<Letters> all = {{3, 4, 5, 6, 7, 4, 3}, {7, 6, 3}, {5, 4}};
  const auto longest = static_cast<std::size_t>(check.size("longest"));
  std::vector<Letters> words;
  for (std::size_t b = 0; b < static_cast<std::size_t>(check.size("batch")); ++b) {
    words.push_back(all[b % all.size()]);
    words.back().resize(std::min(words.back().size(), longest));
  }
  return words;
}

// float64. Its weights are so large that its gradients are longer than max_norm, and that it writes different words,
// unless `times` is small.
struct TinyModel : Translator {
  explicit TinyModel(double times = 4.0)
      : Translator({.letters = 5, .embed_dim = 2, .hidden_dim = 3, .dtype = autograd::float64}) {
    const autograd::NoGradGuard no_grad;
    for (const Tensor& parameter : parameters()) parameter.mul_(times);
    for (const std::int64_t never : {padding, bos}) decoder.fc_out.bias.set_({never}, -50.0);
  }
};

// clip_grad_norm_() divides by norm + 1e-6; an answer may as well divide by the norm.
const judge::Compare roughly{.tolerance = 1e-5};

void check_update(const Answer& answer, const TinyModel& model, nn::Optimizer& optimizer, const std::string& update,
                  const std::vector<std::string>& shown, Check& check) {
  const nn::StateDict before = model.state_dict();
  const double loss = answer.train_step(model, optimizer, make_batch(few_words(check), Task::reverse));
  check.compare(fmt::format("{} update: the loss", update), loss, roughly);

  double squares = 0.0;
  std::vector<std::pair<std::string, Tensor>> changes;
  for (const auto& [name, parameter] : model.named_parameters()) {
    changes.emplace_back(name, parameter.detach() - before.at(name));
    squares += changes.back().second.pow(2).sum().item();
  }
  check.compare(fmt::format("{} update: how far all parameters move", update), std::sqrt(squares), roughly);
  for (const auto& [name, change] : changes) {
    if (std::count(shown.begin(), shown.end(), name) > 0) {
      check.compare(fmt::format("{} update: change of {}", update, name), change, roughly);
    }
  }
}

void check_updates(const Answer& answer, Check& check) {
  autograd::manual_seed(10);
  const TinyModel model;
  nn::SGD optimizer(model.parameters(), {.lr = 1.0});  // the change is minus the gradient, as it is when step() uses it
  for (const std::string update : {"first", "second"}) {
    check_update(answer, model, optimizer, update,
                 {"decoder.fc_out.bias", "decoder.attention.v.weight", "encoder.embedding.weight"}, check);
  }

  // Of small weights the gradient is shorter than max_norm, and stays as it is.
  const TinyModel small(1.0);
  nn::SGD of_small(small.parameters(), {.lr = 1.0});
  check_update(answer, small, of_small, "small weights, one", {"decoder.fc_out.bias"}, check);
}

std::string in_words(const Written& written) {
  std::string words;
  for (const Letters& letters : written.letters) {
    for (const std::int64_t letter : letters) words += fmt::format("{} ", letter);
    words += "| ";
  }
  return words;
}

// The same as a tensor [words, longest], with padding after each word's end: a report shows three letters that differ,
// where all in words would fill the screen.
Tensor in_rows(const Written& written, std::size_t words, std::size_t longest) {
  Letters ids;
  for (std::size_t b = 0; b < words; ++b) {
    Letters row = b < written.letters.size() ? written.letters[b] : Letters();
    row.resize(longest, padding);
    ids.insert(ids.end(), row.begin(), row.end());
  }
  return autograd::ids(ids, {static_cast<std::int64_t>(words), static_cast<std::int64_t>(longest)});
}

void check_greedy(const Answer& answer, Check& check) {
  autograd::manual_seed(259);
  const TinyModel model;
  const std::vector<Letters> sources = few_words(check);
  const Batch batch = make_batch(sources, Task::reverse);
  const Written written = answer.greedy(model, batch.source, batch.lengths, 9);
  check.text("what is written", in_words(written));
  check.compare("weights", written.weights);
  check.require("no graph is recorded", written.weights.defined() && !written.weights.requires_grad(),
                "the weights that you return want gradients: everything since the encoder is kept for a backward()");
  const Written short_of_time = answer.greedy(model, batch.source, batch.lengths, 2);
  check.text("what is written in two steps", in_words(short_of_time));
  check.compare("weights of two steps", short_of_time.weights);
  // Of a batch of one, all words say eos in the same step.
  const Written alone = answer.greedy(model, batch.source.narrow(0, 0, 1), {batch.lengths[0]}, 9);
  check.compare("weights of one word alone", alone.weights);
  // Some end early, and say eos again while others go on.
  const Batch many = make_batch(
      {{3}, {4}, {5}, {6}, {7}, {3, 4}, {5, 6}, {7, 3}, {4, 5, 6}, {7, 6, 5}, {3, 5, 7, 4}, {6, 4, 7, 5}}, Task::copy);
  std::vector<Tensor> written_of_many;
  for (const double bias : {0.0, 1.0, 2.0, 3.0, 4.0, 6.0}) {
    const autograd::NoGradGuard no_grad;
    model.decoder.fc_out.bias.set_({given::eos}, bias);
    written_of_many.push_back(in_rows(answer.greedy(model, many.source, many.lengths, 9), 12, 9));
  }
  check.compare("letters of 6 times 12 words, as eos becomes more likely", autograd::stack(written_of_many, 0));
}

// ---- slow: training ------------------------------------------------------------------------------------------------

constexpr std::int64_t letters = 26;

std::vector<Letters> random_words(std::int64_t count, std::int64_t shortest, std::int64_t longest, Generator& random) {
  std::vector<Letters> words;
  for (std::int64_t i = 0; i < count; ++i) {
    words.push_back(random_letters(random.integer(shortest, longest + 1), letters, random));
  }
  return words;
}

struct Plan {
  Task task = Task::reverse;
  std::int64_t longest = 8;
  std::int64_t steps = 700;
  std::int64_t batch_size = 48;
};

void train(const Answer& answer, const Translator& model, const Plan& plan) {
  Generator random(7);
  nn::Adam optimizer(model.parameters(), {.lr = 0.01});
  nn::CosineAnnealingLR schedule(optimizer, {.T_max = plan.steps});
  for (std::int64_t step = 0; step < plan.steps; ++step) {
    answer.train_step(model, optimizer, make_batch(random_words(plan.batch_size, 1, plan.longest, random), plan.task));
    schedule.step();
  }
}

// The share of words that are written without a mistake.
double accuracy(const Answer& answer, const Translator& model, const std::vector<Letters>& words, Task task) {
  const Batch batch = make_batch(words, task);
  const Written written = answer.greedy(model, batch.source, batch.lengths, batch.source.size(1) + 2);
  const std::vector<Letters> targets = targets_of(words, task);
  double right = 0.0;
  for (std::size_t i = 0; i < words.size(); ++i) right += written.letters[i] == targets[i] ? 1.0 : 0.0;
  return right / static_cast<double>(words.size());
}

// Letter t of a reversed word of n letters was letter n - 1 - t: the share of letters at which the largest weight is.
double on_the_anti_diagonal(const Answer& answer, const Translator& model, const std::vector<Letters>& words) {
  const Batch batch = make_batch(words, Task::reverse);
  const Tensor weights = answer.greedy(model, batch.source, batch.lengths, batch.source.size(1) + 2).weights;
  const std::int64_t steps = weights.size(1);
  const std::vector<std::int64_t> looked_at = weights.argmax(2).to_vector<std::int64_t>();
  double right = 0.0;
  double all = 0.0;
  for (std::size_t b = 0; b < words.size(); ++b) {
    const std::int64_t length = batch.lengths[b];
    for (std::int64_t t = 0; t < std::min(length, steps); ++t) {
      const std::int64_t at = looked_at[b * static_cast<std::size_t>(steps) + static_cast<std::size_t>(t)];
      right += at == length - 1 - t ? 1.0 : 0.0;
      all += 1.0;
    }
  }
  return right / all;
}

std::vector<std::string> labels_of(const Letters& word) {
  std::vector<std::string> labels;
  for (const std::int64_t id : word) {
    labels.emplace_back(id < given::first_letter ? "."
                                                 : std::string(1, static_cast<char>('a' + id - given::first_letter)));
  }
  return labels;
}

// Where the model looks while it writes "backstep" backwards.
void show_attention(const Answer& answer, const Translator& model, Check& check) {
  Letters word;
  for (const char letter : std::string("backstep")) word.push_back(letter - 'a' + given::first_letter);
  const auto length = static_cast<std::int64_t>(word.size());
  const Written written = answer.greedy(model, autograd::ids(word, {1, length}), {length}, length + 2);
  const auto rows = static_cast<std::int64_t>(written.letters[0].size());
  nn::HeatmapOptions options;
  options.row_axis = "written";
  options.column_axis = "read";
  check.show(fmt::format("Where your model looks while it writes \"backstep\" backwards:\n\n{}",
                         nn::heatmap_text(written.weights[0].narrow(0, 0, rows), labels_of(written.letters[0]),
                                          labels_of(word), options)));
}

void check_training(const Answer& answer, Check& check) {
  Generator random(8);
  const std::vector<Letters> words = random_words(500, 1, 8, random);
  const std::vector<Letters> long_words = random_words(300, 12, 12, random);

  autograd::manual_seed(1);
  const Translator copying({.letters = letters});
  train(answer, copying, {.task = Task::copy});
  const double copied = accuracy(answer, copying, words, Task::copy);
  check.at_least("copy, up to 8 letters: share of words right", copied, 0.99);

  autograd::manual_seed(2);
  const Plan plan = {.longest = 12};
  const Translator reversing({.letters = letters});
  train(answer, reversing, plan);
  show_attention(answer, reversing, check);
  const double reversed = accuracy(answer, reversing, words, Task::reverse);
  check.at_least("reverse, up to 8 letters: share of words right", reversed, 0.99);
  const double looked = on_the_anti_diagonal(answer, reversing, words);
  check.at_least("reverse: share of letters that looked at their source", looked, 0.9);
  const double reversed_long = accuracy(answer, reversing, long_words, Task::reverse);
  check.at_least("reverse, 12 letters: share of words right", reversed_long, 0.9);

  autograd::manual_seed(2);
  const Translator without({.letters = letters, .attention = false});
  train(answer, without, plan);
  const double without_attention = accuracy(answer, without, long_words, Task::reverse);
  check.at_most("reverse without attention, 12 letters: share of words right", without_attention, 0.3);

  check.show(
      fmt::format("New words that your models write without a mistake:\n\n"
                  "copy, up to 8 letters               {:5.1f} %\n"
                  "reverse, up to 8 letters            {:5.1f} %, {:.1f} % of the letters looked at their source\n"
                  "reverse, 12 letters                 {:5.1f} %\n"
                  "the same, attention replaced        {:5.1f} %\n",
                  100.0 * copied, 100.0 * reversed, 100.0 * looked, 100.0 * reversed_long, 100.0 * without_attention));
}

}  // namespace

void check(const Answer& answer, Check& check) {
  check_updates(answer, check);
  check_greedy(answer, check);
  if (check.slow_part()) check_training(answer, check);
}

#include <fmt/format.h>
#include <judge/check.h>
#include <judge/given/rows.h>
#include <nn/optim/adam.h>
#include <nn/optim/sgd.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "given.h"

// `words` without padding, bos and eos.
const Axes judge::axes = {{"batch", 6}, {"source", 2}, {"steps", 8}, {"words", 4}};

// ---- what given.h declares ------------------------------------------------------------------------------------------
namespace given {
namespace {

constexpr std::int64_t width = 4;  // of a word's vector
constexpr std::int64_t special_words = 3;

Batch batch_of(const std::vector<Sentence>& sources, std::vector<Sentence> targets) {
  std::vector<Sentence> heard;
  for (Sentence& target : targets) {
    heard.push_back({bos});
    heard.back().insert(heard.back().end(), target.begin(), target.end());
    target.push_back(eos);
  }
  return {stack_rows(sources, padding), stack_rows(heard, padding), stack_rows(targets, padding)};
}

}  // namespace

Translator::Translator(const Options& options)
    : source_words({.num_embeddings = options.words, .embedding_dim = width, .dtype = autograd::float64}),
      encoder({.input_size = width, .hidden_size = options.hidden, .batch_first = true, .dtype = autograd::float64}),
      target_words({.num_embeddings = options.words, .embedding_dim = width, .dtype = autograd::float64}),
      dropout({.p = options.dropout}),
      decoder({.input_size = width, .hidden_size = options.hidden, .batch_first = true, .dtype = autograd::float64}),
      readout({.in_features = options.hidden, .out_features = options.words, .dtype = autograd::float64}) {
  register_module("source_words", source_words);
  register_module("encoder", encoder);
  register_module("target_words", target_words);
  register_module("dropout", dropout);
  register_module("decoder", decoder);
  register_module("readout", readout);
}

std::vector<Batch> batches_of(const Data& data, std::size_t batch_size) {
  std::vector<Batch> batches;
  for (std::size_t from = 0; from < data.sources.size(); from += batch_size) {
    const auto to = static_cast<std::ptrdiff_t>(std::min(from + batch_size, data.sources.size()));
    const auto part = [&](const std::vector<Sentence>& all) {
      return std::vector<Sentence>(all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + to);
    };
    batches.push_back(batch_of(part(data.sources), part(data.targets)));
  }
  return batches;
}

std::vector<std::size_t> random_order(std::size_t count, Generator& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i)))]);
  }
  return order;
}

std::vector<Sentence> in_order(const std::vector<Sentence>& sentences, const std::vector<std::size_t>& order) {
  std::vector<Sentence> result;
  for (const std::size_t i : order) result.push_back(sentences[i]);
  return result;
}

}  // namespace given

namespace {

using given::special_words;

// ---- the instruments, on made-up numbers ----------------------------------------------------------------------------

void check_instruments(const Answer& answer, Check& check) {
  check.compare("expected first loss", answer.expected_first_loss(special_words + check.size("words")));

  double loss = 8.0;
  const auto update = [&loss] { return std::exchange(loss, 0.7 * loss + 0.1); };
  check.compare("left of a loss after 3 updates", answer.left_of_one_batch(update, 3));

  const auto parameter = [&](const std::string& name, bool with_gradient) {
    const Tensor value = check.randn(name, {"words", "steps"});
    value.requires_grad_();
    if (with_gradient) value.set_grad(check.randn("gradient of " + name, {"words", "steps"}));
    return std::pair(name, value);
  };
  const std::vector<given::Layer> layers = answer.gradient_norms(
      {parameter("words.weight", true), parameter("rnn.weight_ih", false), parameter("rnn.weight_hh", false),
       parameter("readout.weight", true), parameter("readout.bias", true), parameter("readout.scale", false)});
  std::string names;
  std::vector<double> norms;
  for (const given::Layer& layer : layers) {
    names += layer.name + " ";
    norms.push_back(layer.norm);
  }
  check.text("layers", names);
  check.compare("norms of the layers", norms);
}

// ---- the loop ---------------------------------------------------------------------------------------------------------

enum class Targets { full, short_ones, all_the_same };

// Targets and eos together are as long as `steps`, or the later ones shorter.
Data random_data(std::int64_t count, Targets targets, Check& check) {
  const auto sentence = [&](std::int64_t length) {
    Sentence words;
    for (std::int64_t i = 0; i < length; ++i)
      words.push_back(check.random().integer(special_words, special_words + check.size("words")));
    return words;
  };
  Data data;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t shorter = targets == Targets::short_ones ? i % 3 * check.size("steps") / 3 : 0;
    data.sources.push_back(sentence(check.size("source")));
    data.targets.push_back(sentence(std::max<std::int64_t>(0, check.size("steps") - 1 - shorter)));
    if (targets == Targets::all_the_same) data.targets.back() = data.targets.front();
  }
  return data;
}

// Its weights are larger than usual, so that each layer matters.
struct RandomTranslator : Translator {
  explicit RandomTranslator(Check& check, double dropout_p = 0.0)
      : Translator({.words = special_words + check.size("words"), .hidden = 5, .dropout = dropout_p}) {
    const autograd::NoGradGuard no_grad;
    for (const Tensor& parameter : parameters()) {
      for (double& x : std::span(parameter.data_ptr<double>(), static_cast<std::size_t>(parameter.numel())))
        x = 0.8 * check.random().normal();
    }
  }
};

Batch random_batch(Targets targets, Check& check) {
  const Data data = random_data(check.size("batch"), targets, check);
  return given::batches_of(data, data.sources.size()).front();
}

void check_first_loss(const Answer& answer, Check& check) {
  const Batch batch = random_batch(Targets::short_ones, check);
  const auto first_loss = [&](const Translator& model) {
    nn::SGD optimizer(model.parameters(), {.lr = 0.1});
    return answer.train_step(model, optimizer, batch);
  };
  const RandomTranslator model(check);
  const RandomTranslator even(check);
  even.readout.weight.detach().zero_();
  even.readout.bias.detach().zero_();
  check.compare("first loss where all words are equally likely", first_loss(even));
  check.compare("first loss where they are not", first_loss(model));
}

// No target is shorter than the others here: what the loss does with padding makes no difference.
void check_updates(const Answer& answer, Check& check) {
  const Batch batch = random_batch(Targets::full, check);
  const RandomTranslator once(check);
  nn::SGD of_once(once.parameters(), {.lr = 1.0});
  answer.train_step(once, of_once, batch);
  std::vector<double> norms;
  for (const given::Layer& layer : answer.gradient_norms(once.named_parameters())) norms.push_back(layer.norm);
  check.compare("gradients by layer", norms);

  const RandomTranslator model(check);
  nn::SGD optimizer(model.parameters(), {.lr = 1.0});
  const auto update = [&] { return answer.train_step(model, optimizer, batch); };
  check.compare("left of one batch after 1 update", answer.left_of_one_batch(update, 1));

  // What the decoder starts from is not trained, so it makes no difference whether a gradient could get there. And the
  // parameters have gradients from before.
  const RandomTranslator frozen(check);
  frozen.encoder.requires_grad_(false);
  frozen.source_words.requires_grad_(false);
  std::vector<Tensor> trained = frozen.parameters();
  std::erase_if(trained, [](const Tensor& parameter) { return !parameter.requires_grad(); });
  for (const Tensor& parameter : trained) parameter.pow(2).sum().backward();
  nn::SGD of_decoder(trained, {.lr = 1.0});
  const auto update_decoder = [&] { return answer.train_step(frozen, of_decoder, batch); };
  check.compare("left of one batch after 3 updates of the decoder", answer.left_of_one_batch(update_decoder, 3));
}

// Changes nothing, and notes at each step what it would have used.
struct Recorder : nn::Optimizer {
  explicit Recorder(const Translator& model)
      : Optimizer("Recorder", model.parameters(), 0.0, 0.0, autograd::Where::current()) {}
  void run(const std::vector<Update>& updates, autograd::Where) const override {
    steps.push_back(0.0);
    for (const Update& update : updates) steps.back() += update.gradient.pow(2).sum().item();
  }
  mutable std::vector<double> steps;
};

// Is any later epoch another than the first? Now and then two are alike by chance.
bool changes_the_order(const Answer& answer, const Data& data, Check& check) {
  constexpr std::ptrdiff_t epochs = 4;
  RandomTranslator model(check);
  Recorder recorder(model);
  Generator random(1);
  answer.train(model, recorder, data, data, {.epochs = epochs, .batch_size = data.sources.size() / 3}, random);
  const std::vector<double>& steps = recorder.steps;
  const auto of_an_epoch = std::ssize(steps) / epochs;
  return !std::equal(steps.begin() + of_an_epoch, steps.end(), steps.begin());
}

// With a learning rate of 0 each epoch is like the first. Without short targets, as above. Only where all have the same
// target it makes no difference which source gets which.
void check_epochs(const Answer& answer, Check& check) {
  const std::int64_t batch = check.size("batch");
  const Data held_out = random_data(batch + 1, Targets::full, check);
  const auto history_of = [&](RandomTranslator& model, const Data& data) {
    nn::SGD optimizer(model.parameters(), {.lr = 0.0});
    Generator random(5);
    const Plan plan = {.epochs = 3, .batch_size = static_cast<std::size_t>(batch)};
    return answer.train(model, optimizer, data, held_out, plan, random);
  };
  const Data pairs = random_data(3 * batch, Targets::full, check);
  RandomTranslator model(check);
  const History of_pairs = history_of(model, pairs);
  check.compare("training losses at a rate of 0", of_pairs.training);
  check.compare("held-out losses at a rate of 0", of_pairs.held_out);

  RandomTranslator dropping(check, 1.0);
  const History of_dropping = history_of(dropping, random_data(3 * batch, Targets::all_the_same, check));
  check.compare("training losses with all words dropped", of_dropping.training);
  check.compare("held-out losses beside them", of_dropping.held_out);

  check.require("another order in each epoch", changes_the_order(answer, pairs, check),
                "your loop takes the same batches in the same order in each epoch");
}

// ---- slow: training ---------------------------------------------------------------------------------------------------

// All sentences of four words, in a random order. The target is what remains without the words 3 and 4.
Data sentences_of_four(std::size_t from, std::size_t to) {
  Data all;
  for (std::int64_t number = 0; number < 256; ++number) {
    Sentence source;
    Sentence target;
    for (std::int64_t rest = number, place = 0; place < 4; ++place, rest /= 4) {
      source.push_back(special_words + rest % 4);
      if (rest % 4 >= 2) target.push_back(source.back());
    }
    all.sources.push_back(source);
    all.targets.push_back(target);
  }
  Generator random(3);
  std::vector<std::size_t> order = given::random_order(all.sources.size(), random);
  order = {order.begin() + static_cast<std::ptrdiff_t>(from), order.begin() + static_cast<std::ptrdiff_t>(to)};
  return {in_order(all.sources, order), in_order(all.targets, order)};
}

void check_training(const Answer& answer, Check& check) {
  const Data data = sentences_of_four(0, 192);
  const Plan plan = {.epochs = 40, .batch_size = 16};
  const Batch batch = given::batches_of(data, plan.batch_size).front();
  const auto trained = [&](double dropout, const std::function<double(Translator&, nn::Optimizer&)>& run) {
    autograd::manual_seed(1);
    Translator model({.dropout = dropout});
    nn::Adam optimizer(model.parameters(), {.lr = 0.01});
    return run(model, optimizer);
  };
  const double first = trained(0.0, [&](const Translator& model, nn::Optimizer& optimizer) {
    return answer.train_step(model, optimizer, batch);
  });
  const double left = trained(0.0, [&](const Translator& model, nn::Optimizer& optimizer) {
    return answer.left_of_one_batch([&] { return answer.train_step(model, optimizer, batch); }, 200);
  });
  const double held_out = trained(0.1, [&](Translator& model, nn::Optimizer& optimizer) {
    Generator random(4);
    return answer.train(model, optimizer, data, sentences_of_four(192, 256), plan, random).held_out.back();
  });
  check.at_most("left of one batch after 200 updates", left, 0.02);
  check.at_most("held-out loss after 40 epochs", held_out, 0.3);
  check.show(
      fmt::format("Your loop, with your instruments:\n\n"
                  "first loss                            {:.2f}  (expected {:.2f})\n"
                  "left of one batch after 200 updates   {:.3f}\n"
                  "held-out loss after 40 epochs         {:.3f}\n",
                  first, answer.expected_first_loss(7), left, held_out));
}

}  // namespace

void check(const Answer& answer, Check& check) {
  check_instruments(answer, check);
  check_first_loss(answer, check);
  check_updates(answer, check);
  check_epochs(answer, check);
  if (check.slow_part()) check_training(answer, check);
}

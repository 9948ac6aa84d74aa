// Dates as people write them into dates as files want them, "7 mar 2009" -> "2009-03-07": the translator of
// examples/08_dates, built from small ops.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <string_view>

#include "mine/decoder.h"
#include "mine/layers.h"
#include "mine/ops.h"
#include "mine/translator.h"

namespace mine {
namespace {

// ---- dates ---------------------------------------------------------------------------------------------------------

using Day = std::chrono::sys_days;
constexpr Day first_day = std::chrono::year{1990} / 1 / 1;
constexpr int days = 365 * 40;
constexpr std::array<std::string_view, 12> months = {"january",   "february", "march",    "april",
                                                     "may",       "june",     "july",     "august",
                                                     "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> weekdays = {"sunday",   "monday", "tuesday", "wednesday",
                                                      "thursday", "friday", "saturday"};
constexpr int forms = 6;
constexpr std::string_view source_letters = " ,./0123456789abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view target_letters = "-0123456789";

Sentence ids_of(const std::string& text, std::string_view letters) {
  Sentence ids;
  for (const char letter : text) ids.push_back(first_word + static_cast<std::int64_t>(letters.find(letter)));
  return ids;
}

Pair written(Day day, std::int64_t form) {
  const std::chrono::year_month_day date(day);
  const auto y = static_cast<int>(date.year());
  const auto m = static_cast<unsigned>(date.month());
  const auto d = static_cast<unsigned>(date.day());
  const std::string month(months.at(m - 1));
  std::string text;
  switch (form) {
    case 0: text = fmt::format("{} {} {}", d, month, y); break;
    case 1: text = fmt::format("{} {} {} {}", weekdays.at(std::chrono::weekday(day).c_encoding()), d, month, y); break;
    case 2: text = fmt::format("{} {}, {}", month, d, y); break;
    case 3: text = fmt::format("{} {} {}", d, month.substr(0, 3), y); break;
    case 4: text = fmt::format("{}/{}/{}", d, m, y); break;
    default: text = fmt::format("{:02}.{:02}.{}", d, m, y);
  }
  return {ids_of(text, source_letters), ids_of(fmt::format("{}-{:02}-{:02}", y, m, d), target_letters)};
}

// Every tenth day is kept for testing.
constexpr int held_out_every = 10;

Pair draw(autograd::Generator& random) {
  std::int64_t day = 0;
  while (day % held_out_every == 0) day = random.integer(0, days);
  return written(first_day + std::chrono::days(day), random.integer(0, forms));
}

std::vector<Pair> held_out() {
  std::vector<Pair> pairs;
  autograd::Generator random(1);
  for (int i = 0; i < 300; ++i) {
    const std::int64_t day = held_out_every * random.integer(0, days / held_out_every);
    pairs.push_back(written(first_day + std::chrono::days(day), i % forms));
  }
  return pairs;
}

std::vector<std::string> words_of(std::string_view letters) {
  std::vector<std::string> words = {"", "", ""};
  for (const char letter : letters) words.emplace_back(1, letter);
  return words;
}

// ---- the translator ------------------------------------------------------------------------------------------------

constexpr std::int64_t embed = 24;
constexpr std::int64_t hidden = 40;
constexpr double weight_of_penalty = 1e-4;  // large scores are not to pay

class DateTranslator final : public Translator {
 public:
  DateTranslator(std::int64_t sources, std::int64_t targets)
      : source_embedding_(parameter("source embedding", {sources, embed})),
        right_(recurrent("encoder, to the right: ")),
        left_(recurrent("encoder, to the left: ")),
        first_state_(parameter("first state: weight", {hidden, 2 * hidden})),
        first_state_bias_(parameter("first state: bias", {hidden})),
        target_embedding_(parameter("target embedding", {targets, embed})),
        step_{parameter("attention: W", {hidden, hidden}),
              parameter("attention: U", {hidden, 2 * hidden}),
              parameter("attention: v", {hidden}),
              parameter("GRU: weight_ih", {3 * hidden, embed + 2 * hidden}),
              parameter("GRU: weight_hh", {3 * hidden, hidden}),
              parameter("GRU: bias_ih", {3 * hidden}),
              parameter("GRU: bias_hh", {3 * hidden}),
              parameter("readout: weight", {targets, 3 * hidden + embed}),
              parameter("readout: bias", {targets})} {}

  Tensor loss(const Batch& batch) const override {
    const auto [stepper, state] = begin(batch);
    const Tensor logits = decoder::teacher_forced(stepper, state, batch.targets.in);  // dates have no padding
    const Tensor rows = logits.reshape({-1, logits.size(2)});
    const Tensor penalty = ops::sum(ops::mean(ops::multiply(rows, rows), 1), 0) / static_cast<double>(rows.size(0));
    return ops::add(ops::word_loss(rows, batch.targets.out.flatten()), penalty * weight_of_penalty);
  }

  // Reads in both directions; padding is read as 0.
  Start begin(const Batch& batch) const override {
    const Tensor letters = ops::multiply(ops::embedding(source_embedding_, batch.source, padding),
                                         batch.mask.unsqueeze(2).to(autograd::float64));
    const Tensor to_the_right = layers::rnn_by_ops(letters, right_);
    const Tensor to_the_left = ops::flip(layers::rnn_by_ops(ops::flip(letters, 1), left_), 1);
    const Tensor H = ops::cat({to_the_right, to_the_left}, 2);
    const Tensor first = ops::narrow(H, 1, 0, 1).reshape({H.size(0), H.size(2)});
    const Stepper stepper = [this, H, mask = batch.mask](const Tensor& words, const Tensor& state) {
      const Tensor word = ops::embedding(target_embedding_, words.unsqueeze(1), padding);
      Tensors inputs = {word.reshape({words.size(0), embed}), state, H, mask};
      inputs.insert(inputs.end(), step_.begin(), step_.end());
      return decoder::step(inputs);
    };
    return {stepper, tanh(ops::linear(first, first_state_, first_state_bias_))};
  }

 private:
  Tensors recurrent(const std::string& name) {
    return {parameter(name + "weight_ih", {hidden, embed}), parameter(name + "weight_hh", {hidden, hidden}),
            parameter(name + "bias", {hidden})};
  }

  Tensor source_embedding_;
  Tensors right_, left_;
  Tensor first_state_, first_state_bias_;
  Tensor target_embedding_;
  Tensors step_;  // in the order of step_input
};

}  // namespace

Task dates() {
  Task task;
  task.what = "dates";
  task.about = "as people write them -> year-month-day, letter by letter";
  task.source_words = words_of(source_letters);
  task.target_words = words_of(target_letters);
  task.translator = std::make_unique<DateTranslator>(task.source_words.size(), task.target_words.size());
  task.draw = draw;
  task.held_out = held_out();
  task.most_words = 11;
  task.steps = 500;
  task.learning_rate = 5e-3;
  return task;
}

}  // namespace mine

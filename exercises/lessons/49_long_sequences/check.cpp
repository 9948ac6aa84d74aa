#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"source", 11}, {"encoder", 3}, {"target", 7}, {"decoder", 4}, {"attention", 5}};

namespace {

// Attention as plain loops, where every multiplication counts itself.
std::int64_t counted(const Sizes& sizes) {
  std::int64_t count = 0;
  const auto matrix_times_vector = [&](std::int64_t rows, std::int64_t columns) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) ++count;
    }
  };
  for (std::int64_t i = 0; i < sizes.source; ++i) matrix_times_vector(sizes.attention, sizes.encoder);  // U h_i
  for (std::int64_t t = 0; t < sizes.target; ++t) {
    matrix_times_vector(sizes.attention, sizes.decoder);                                      // W s
    for (std::int64_t i = 0; i < sizes.source; ++i) matrix_times_vector(1, sizes.attention);  // v . tanh(..)
    for (std::int64_t i = 0; i < sizes.source; ++i) matrix_times_vector(sizes.encoder, 1);    // alpha_i h_i
  }
  return count;
}

// Scores that remember how they were asked for.
class AskedScores {
 public:
  explicit AskedScores(Tensor scores) : scores_(std::move(scores)) {}
  ScoreFunction function() {
    return [this](std::int64_t first, std::int64_t count) {
      most_ = std::max(most_, count);
      asked_ += count;
      return scores_.narrow(0, first, count);
    };
  }
  std::int64_t most() const { return most_; }    // at once
  std::int64_t asked() const { return asked_; }  // in all

 private:
  Tensor scores_;
  std::int64_t most_ = 0;
  std::int64_t asked_ = 0;
};

double difference_at(const Answer& answer, std::int64_t source, std::int64_t chunk) {
  autograd::manual_seed(7);
  AskedScores scores(30.0 * autograd::randn({source}, autograd::float64));
  const Tensor values = autograd::randn({source, 8}, autograd::float64);
  const Tensor full = matmul(softmax(scores.function()(0, source), -1), values);
  return abs(answer.chunked_context(scores.function(), values, chunk) - full).amax().item();
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Sizes sizes{check.size("source"), check.size("target"), check.size("decoder"), check.size("encoder"),
                    check.size("attention")};
  const auto cost = answer.global_cost(sizes);
  check.compare("global_cost", static_cast<double>(cost));
  check.require("global_cost is what plain loops count", cost == counted(sizes),
                "the same attention written as plain loops does another number of multiplications: " +
                    std::to_string(counted(sizes)));
  check.compare("global_cost of 2000 words", static_cast<double>(answer.global_cost({2000, 2000, 256, 512, 128})));
  check.compare("window_cost", static_cast<double>(answer.window_cost(sizes, 2)));
  check.compare("window_cost with radius 4", static_cast<double>(answer.window_cost(sizes, 4)));
  check.compare("window_cost of a window wider than the sentence",
                static_cast<double>(answer.window_cost(sizes, sizes.source)));

  const std::int64_t source = check.size("source");
  const Tensor values = check.randn("values", {"source", "encoder"});
  const Tensor scores = check.randn("scores", {"source"});
  for (const std::int64_t chunk : {4, 1, 100}) {
    AskedScores asked(scores);
    check.compare("context in chunks of " + std::to_string(chunk),
                  answer.chunked_context(asked.function(), values, chunk));
    if (chunk == 100) continue;  // more than there are
    check.require(chunk == 1 ? "one word at once" : "at most 4 words at once", asked.most() <= chunk,
                  "more scores were asked for at once than a chunk has");
    if (chunk != 4) continue;
    check.require("every score once", asked.asked() <= source, "some scores were asked for more than once");
  }
  const Tensor large = check.input("large scores", scores.detach() + 1000.0);
  check.compare("context of large scores", answer.chunked_context(AskedScores(large).function(), values, 4));
  // exp(-744) is next to the smallest double above 0: what is left of it has no digits.
  const Tensor low = check.input("scores far below 0", scores.detach() - 744.0);
  check.compare("context of scores far below 0", answer.chunked_context(AskedScores(low).function(), values, 4));
  const Tensor later = autograd::arange(source, autograd::float64) >= 4.0;
  const Tensor falling =
      check.input("scores that fall by 1000", where(later, scores.detach() - 1000.0, scores.detach()));
  check.compare("context of scores that fall by 1000",
                answer.chunked_context(AskedScores(falling).function(), values, 4));
  const Tensor padding =
      autograd::arange(source, autograd::float64) < std::min<double>(5.0, static_cast<double>(source - 1));
  const Tensor padded = check.input("scores after 5 of padding", scores.detach().masked_fill(padding, -INFINITY));
  check.compare("context after padding", answer.chunked_context(AskedScores(padded).function(), values, 4));
  const Tensor behind = autograd::arange(source, autograd::float64) >= 3.0;
  const Tensor before = check.input("scores before padding", scores.detach().masked_fill(behind, -INFINITY));
  check.compare("context before padding", answer.chunked_context(AskedScores(before).function(), values, 4));

  for (const std::int64_t centre : {5, 1, 9}) {
    AskedScores asked(scores);
    const Tensor context = answer.window_context(asked.function(), values, std::min(centre, source - 1), 2);
    check.compare("window around " + std::to_string(centre), context);
    if (centre != 5) continue;
    check.require("5 scores for radius 2", asked.asked() <= 5, "more scores were asked for than the window has words");
  }
  check.compare("window of radius 1", answer.window_context(AskedScores(scores).function(), values,
                                                            std::min<std::int64_t>(5, source - 1), 1));

  if (!check.slow_part()) return;
  check.at_most("difference to the softmax over all 20000 words", difference_at(answer, 20000, 256), 1e-12);
}

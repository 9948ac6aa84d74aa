#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 3}, {"time", 5}, {"vocabulary", 17}, {"features", 2}};

namespace {

constexpr std::int64_t padding = 0;

// Sentences of 5, 3 and 4 tokens, filled up with padding; where more is wanted, from the beginning again. Some ids come
// often, some not at all.
Tensor sentences(Check& check) {
  const std::vector<std::vector<std::int64_t>> rows = {
      {7, 3, 9, 2, 9}, {5, 7, 3, padding, padding}, {12, 16, 3, 9, padding}};
  std::vector<std::int64_t> ids;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) {
    for (std::int64_t t = 0; t < check.size("time"); ++t) {
      const std::int64_t id = rows[static_cast<std::size_t>(b % 3)][static_cast<std::size_t>(t % 5)];
      ids.push_back(std::min(id, check.size("vocabulary") - 1));
    }
  }
  return check.input("ids", autograd::ids(ids, check.shape({"batch", "time"})));
}

// The rows of the table that are used that many times, as a mask [vocabulary, 1].
Tensor used(const Tensor& ids, std::int64_t vocabulary, std::int64_t at_least) {
  const std::vector<std::int64_t> list = ids.to_vector<std::int64_t>();
  std::vector<double> counts;
  for (std::int64_t id = 0; id < vocabulary; ++id) {
    counts.push_back(static_cast<double>(std::count(list.begin(), list.end(), id)));
  }
  return autograd::from_vector(counts, {vocabulary, 1}, autograd::float64) >= static_cast<double>(at_least);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const std::int64_t vocabulary = check.size("vocabulary");
  const Tensor ids = sentences(check);
  const Tensor weight = check.randn("weight", {"vocabulary", "features"});
  check.compare("y", answer.lookup(weight, ids));

  const Tensor dy = check.randn("dy", {"batch", "time", "features"});
  const Tensor row = autograd::arange(vocabulary).reshape({vocabulary, 1});
  const Tensor words = (ids != static_cast<double>(padding)).to(autograd::float64).unsqueeze(2);
  check.gradient("dw", answer.lookup_backward(dy, ids, vocabulary, padding), weight,
                 [=] { return (dy * words * embedding(weight, ids)).sum(); },
                 {.regions = {{"rows of ids that occur several times",
                               logical_and(used(ids, vocabulary, 2), row != static_cast<double>(padding))},
                              {"the padding row", row == static_cast<double>(padding)},
                              {"rows of ids that do not occur", logical_not(used(ids, vocabulary, 1))}}});
  check.compare("dw where the padding is id 3", answer.lookup_backward(dy, ids, vocabulary, 3));
  const Tensor with_nan = check.input("dy with NaN at the padding", where(words == 1.0, dy, NAN));
  check.compare("dw with NaN in dy at the padding", answer.lookup_backward(with_nan, ids, vocabulary, padding));
}

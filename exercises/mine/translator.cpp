#include "mine/translator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "mine/decoder.h"

namespace mine {

Batch batch_of(const std::vector<Pair>& pairs) {
  std::vector<Sentence> sources;
  std::vector<Sentence> targets;
  Batch batch;
  for (const Pair& pair : pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
    batch.lengths.push_back(static_cast<std::int64_t>(pair.source.size()));
  }
  batch.source = decoder::stack_rows(sources);
  batch.mask = autograd::length_mask(batch.lengths);
  batch.targets = decoder::targets(targets);
  return batch;
}

Tensors Translator::tensors() const {
  Tensors tensors;
  for (const Parameter& parameter : parameters_) tensors.push_back(parameter.tensor);
  return tensors;
}

Tensor Translator::parameter(const std::string& name, const Shape& shape) {
  const double most = 1.0 / std::sqrt(static_cast<double>(shape.back()));
  const Tensor tensor = (autograd::rand(shape, autograd::float64) * (2.0 * most) - most).requires_grad_();
  parameters_.push_back({name, tensor});
  return tensor;
}

Translation translate(const Translator& translator, const Batch& batch, std::int64_t most_words) {
  const autograd::NoGradGuard no_grad;
  const auto [stepper, first] = translator.begin(batch);
  const std::int64_t rows = batch.source.size(0);
  Translation translation{std::vector<Sentence>(static_cast<std::size_t>(rows)), {}};
  std::vector<bool> has_ended(static_cast<std::size_t>(rows), false);
  Tensor words = autograd::full({rows}, static_cast<double>(bos), autograd::int64);
  Tensor state = first;
  Tensors weights;
  for (std::int64_t step = 0; step < most_words; ++step) {
    const Step made = stepper(words, state);
    weights.push_back(made.weights);
    words = made.logits.argmax(1);
    state = made.state;
    const Sentence said = words.to_vector<std::int64_t>();
    for (std::size_t row = 0; row < said.size(); ++row) {
      has_ended[row] = has_ended[row] || said[row] == eos;
      if (!has_ended[row]) translation.sentences[row].push_back(said[row]);
    }
  }
  translation.weights = autograd::stack(weights, 1);
  return translation;
}

std::vector<std::string> labels(const std::vector<std::string>& words, const Sentence& sentence) {
  std::vector<std::string> result;
  for (const std::int64_t id : sentence) result.push_back(words.at(static_cast<std::size_t>(id)));
  return result;
}

std::string text(const Task& task, const std::vector<std::string>& words, const Sentence& sentence) {
  return fmt::format("{}", fmt::join(labels(words, sentence), task.separator));
}

}  // namespace mine

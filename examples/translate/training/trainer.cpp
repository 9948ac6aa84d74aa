#include "examples/translate/training/trainer.h"

#include <fmt/core.h>
#include <nn/optim/clip_grad.h>
#include <nn/saving/checkpoint.h>

#include <algorithm>
#include <cmath>

#include "examples/translate/messages.h"

namespace translate {

Trainer::Trainer(nn::TranslationModel& model, const std::vector<nn::EncodedPair>& pairs, const TrainingOptions& options)
    : model_(model),
      pairs_(pairs),
      options_(options),
      optimizer_(model.parameters(),
                 {.lr = options.lr, .betas = {.second = options.beta2}, .weight_decay = options.weight_decay}),
      order_(options.seed) {
  check_options(options_);
  if (pairs_.empty()) refuse_option("there is no sentence pair to train on", "give more data");
  shuffle();
}

// ---- one update ----------------------------------------------------------------------------------------------

Tensor Trainer::loss_of(const nn::Batch& batch) const {
  const nn::TranslationModel::Output output = model_(
      batch.src, batch.lengths, batch.tgt_in, {.ratio = options_.teacher_forcing, .positions = batch.word_positions});
  Tensor loss = autograd::cross_entropy(output.logits, batch.words, {.label_smoothing = options_.label_smoothing});
  if (options_.coverage_loss > 0.0 && output.coverage_loss.defined()) {
    const Tensor is_padding = batch.tgt_out == nn::Vocabulary::pad;  // [B, T]
    const Tensor of_words = output.coverage_loss.masked_fill(is_padding, 0.0);
    loss = loss + of_words.sum() * (options_.coverage_loss / static_cast<double>(batch.target_words));
  }
  return loss;
}

double Trainer::lr() const {
  const auto update = static_cast<double>(position_.step + 1);
  const auto warmup = static_cast<double>(options_.warmup);
  if (update < warmup) return options_.lr * update / warmup;
  return options_.schedule == "constant" ? options_.lr : options_.lr * std::sqrt(warmup / update);
}

Trainer::Update Trainer::compute_gradient() {
  const nn::Batch batch = nn::make_batch(pairs_, batches_.at(static_cast<std::size_t>(position_.batch)));
  drawn_before_ = autograd::default_generator().state();
  model_.train();
  optimizer_.zero_grad();
  const Tensor loss = loss_of(batch);
  Update update{.loss = loss.item(), .words = batch.target_words};
  if (!std::isfinite(update.loss)) refuse_update(fmt::format("the loss is {}", update.loss));
  loss.backward({.release_graph = true});
  update.gradient_norm = nn::clip_grad_norm_(optimizer_.parameters(), options_.clip);
  if (!std::isfinite(update.gradient_norm)) {
    refuse_update(fmt::format("the norm of the gradient is {}", update.gradient_norm));
  }
  has_gradient_ = true;
  return update;
}

void Trainer::update_weights() {
  optimizer_.set_lr(lr());
  optimizer_.step();
  has_gradient_ = false;
  ++position_.batch;
  ++position_.step;
}

void Trainer::begin_next_epoch() {
  ++position_.epoch;
  position_.batch = 0;
  shuffle();
}

void Trainer::shuffle() {
  order_of_epoch_ = order_.state();
  const auto words = static_cast<std::size_t>(options_.batch_words);
  batches_ = words > 0 ? nn::training_batches_of_words(pairs_, words, order_)
                       : nn::training_batches(pairs_, static_cast<std::size_t>(options_.batch), order_);
}

void Trainer::refuse_update(const std::string& what) const {
  throw NotFinite(fmt::format("{} at epoch {}, update {}", what, position_.epoch + 1, position_.step + 1));
}

void Trainer::check_weights() const {
  const autograd::NoGradGuard no_grad;
  for (const auto& [name, parameter] : model_.named_parameters()) {
    if (autograd::all_finite(parameter)) continue;
    throw NotFinite(fmt::format("{} has a NaN or an infinity after update {}", name, position_.step));
  }
}

// ---- saving and resuming -------------------------------------------------------------------------------------

namespace {

TrainingPosition position_in(const Tensor& tensor) {
  const bool fits = tensor.dtype() == autograd::int64 && tensor.shape() == autograd::Shape{3};
  if (!fits) refuse_files("the training's position is not three whole numbers", "train again");
  const auto numbers = tensor.to_vector<std::int64_t>();
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

Tensor tensor_in(const nn::StateDict& state, const std::string& name) {
  const auto found = state.find(name);
  if (found == state.end()) refuse_files(fmt::format("the training's state has no \"{}\"", name), "train again");
  return found->second;
}

nn::StateDict Trainer::state_dict() const {
  nn::StateDict state;
  nn::add_with_prefix(state, "model.", model_.state_dict());
  nn::add_with_prefix(state, "optimizer.", optimizer_.state_dict());
  state["generator.default"] = nn::to_tensor(has_gradient_ ? drawn_before_ : autograd::default_generator().state());
  state["generator.order"] = nn::to_tensor(order_of_epoch_);
  state["position"] = autograd::ids({position_.epoch, position_.batch, position_.step});
  return state;
}

void Trainer::load_state_dict(const nn::StateDict& state) {
  const TrainingPosition position = position_in(tensor_in(state, "position"));
  const autograd::Generator::State order = nn::generator_state(tensor_in(state, "generator.order"));
  const autograd::Generator::State drawn = nn::generator_state(tensor_in(state, "generator.default"));
  if (position.epoch < 0 || position.batch < 0 || position.batch > batches_per_epoch() || position.step < 0) {
    refuse_files(fmt::format("the training is at batch {} of epoch {}, but there are {} batches", position.batch,
                             position.epoch, batches_per_epoch()),
                 "train again");
  }
  model_.load_state_dict(nn::with_prefix(state, "model."));
  optimizer_.load_state_dict(nn::with_prefix(state, "optimizer."));
  autograd::default_generator().set_state(drawn);
  order_.set_state(order);
  shuffle();
  position_ = position;
  has_gradient_ = false;
}

}  // namespace translate

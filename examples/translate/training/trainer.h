// Trainer: makes one update after the other, epoch by epoch, and can be put away and taken up again between any two of
// them so that nothing differs. It knows nothing of files and terminals (training_run.h).
//
// The loss of a batch is the mean over its target words, without padding, of
//
//   - log p(word)  +  coverage_loss * sum_i min(weight_i, coverage_i)
#pragma once

#include <autograd/autograd.h>
#include <nn/adam.h>
#include <nn/translation/batches.h>
#include <nn/translation/translation_model.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/translate/options.h"

namespace translate {

using autograd::Tensor;

// Where a training is.
struct TrainingPosition {
  std::int64_t epoch = 0;  // from 0
  std::int64_t batch = 0;  // batches of this epoch that are done
  std::int64_t step = 0;   // updates in all
};

// The training ran into NaN or infinity. what() is one line; `origin` has the lines that say where it began.
class NotFinite : public std::runtime_error {
 public:
  NotFinite(const std::string& message, std::string origin_text)
      : std::runtime_error(message), origin(std::move(origin_text)) {}
  const std::string origin;
};

class Trainer {
 public:
  // The model goes on from the weights that it has; dropout and teacher forcing draw from the default generator. Both
  // references must live as long as the trainer. Throws bad-argument for options out of range and if there are no
  // pairs.
  Trainer(nn::TranslationModel& model, const std::vector<nn::EncodedPair>& pairs, const TrainingOptions& options);

  struct Update {
    double loss = 0.0;
    double gradient_norm = 0.0;  // before clipping
    std::int64_t words = 0;      // target words, without padding
  };
  // One update on the next batch, in two parts; not at the end of an epoch. The first finds the gradient and throws
  // NotFinite if something is wrong with it. The weights are those of before until the second has changed them: between
  // the two, state_dict() is a state that is known to have a finite gradient.
  Update compute_gradient();
  void update_weights();

  const TrainingPosition& position() const { return position_; }
  std::int64_t batches_per_epoch() const { return static_cast<std::int64_t>(batches_.size()); }
  bool is_at_end_of_epoch() const { return position_.batch == batches_per_epoch(); }
  void begin_next_epoch();

  // The learning rate of the next update.
  double lr() const;

  // All that a later Trainer, made with the same model, pairs and options, needs to go on as if there had been no
  // break: weights, averages of the optimiser, generators, position.
  nn::StateDict state_dict() const;
  // Throws state-dict-mismatch for the state of another model, bad-file for one that does not fit the pairs.
  void load_state_dict(const nn::StateDict& state);
  // Throws NotFinite if a weight is NaN or infinite: a state that should not replace a good one.
  void check_weights() const;

 private:
  Tensor loss_of(const nn::Batch& batch) const;
  void shuffle();
  [[noreturn]] void explain(const nn::Batch& batch, const std::string& what);

  nn::TranslationModel& model_;
  const std::vector<nn::EncodedPair>& pairs_;
  TrainingOptions options_;
  nn::Adam optimizer_;
  autograd::Generator order_;                    // of the sentences
  autograd::Generator::State order_of_epoch_{};  // before this epoch's were drawn
  std::vector<nn::Positions> batches_;           // of this epoch
  autograd::Generator::State drawn_before_{};    // the default generator's, before the gradient was computed
  bool has_gradient_ = false;
  TrainingPosition position_;
};

// The tensor of this name in the state of a training. Throws bad-file if there is none.
Tensor tensor_in(const nn::StateDict& state, const std::string& name);

}  // namespace translate

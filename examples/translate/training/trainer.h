// Trainer: makes one update after another, epoch by epoch. Its state can be saved and loaded between any two updates
// without changing the result. It knows nothing of files and terminals (training_run.h).
//
// The loss of a batch is the mean over its target words, without padding, of
//
//   - log p(word)  +  coverage_loss * sum_i min(weight_i, coverage_i)
//
// With label smoothing s, log p(word) becomes (1 - s) log p(word) + s times the mean of log p over the vocabulary.
#pragma once

#include <autograd/autograd.h>
#include <nn/optim/adam.h>
#include <nn/translation/batches.h>
#include <nn/translation/translation_model.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/translate/options.h"

namespace translate {

using autograd::Tensor;

// How far a training is.
struct TrainingPosition {
  std::int64_t epoch = 0;  // from 0
  std::int64_t batch = 0;  // batches of this epoch that are done
  std::int64_t step = 0;   // updates in all
};

// The training ran into NaN or infinity.
struct NotFinite : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Trainer {
 public:
  // Trains the model from the weights that it has; dropout and teacher forcing draw from the default generator. The
  // model and the pairs must outlive the trainer. Throws bad-argument for options out of range and if there are no
  // pairs.
  Trainer(nn::TranslationModel& model, const std::vector<nn::EncodedPair>& pairs, const TrainingOptions& options);

  struct Update {
    double loss = 0.0;
    double gradient_norm = 0.0;  // before clipping
    std::int64_t words = 0;      // target words, without padding
  };
  // One update on the next batch, in two parts; not allowed at the end of an epoch. compute_gradient() throws NotFinite
  // if the loss or the gradient is not finite, and leaves the weights alone. Between the two, state_dict() is therefore
  // a state whose next gradient is known to be finite.
  Update compute_gradient();
  void update_weights();

  const TrainingPosition& position() const { return position_; }
  std::int64_t batches_per_epoch() const { return std::ssize(batches_); }
  bool is_at_end_of_epoch() const { return position_.batch == batches_per_epoch(); }
  void begin_next_epoch();

  // Returns the learning rate of update t = 1, 2, .., the next one:
  //
  //   lr t / warmup           up to t = warmup
  //   lr                      after the warm-up, with the schedule "constant"
  //   lr sqrt(warmup / t)     after it, with "inverse-sqrt" (Vaswani et al. 2017, eq. 3, where d_model^-0.5 warmup^-0.5
  //                           is lr)
  double lr() const;

  // Returns all that a later Trainer, made with the same model, pairs and options, needs to go on as if there had been
  // no break: weights, averages of the optimiser, generators, position.
  nn::StateDict state_dict() const;
  // Goes on from such a state. Throws state-dict-mismatch for the state of another model, bad-file for one that does
  // not fit the pairs.
  void load_state_dict(const nn::StateDict& state);
  // Throws NotFinite if a weight is NaN or infinite: such a state should not replace a good one.
  void check_weights() const;

 private:
  Tensor loss_of(const nn::Batch& batch) const;
  void shuffle();
  [[noreturn]] void refuse_update(const std::string& what) const;

  nn::TranslationModel& model_;
  const std::vector<nn::EncodedPair>& pairs_;
  TrainingOptions options_;
  nn::Adam optimizer_;
  autograd::Generator order_;                    // draws the order of the sentences
  autograd::Generator::State order_of_epoch_{};  // before it drew this epoch's order
  std::vector<nn::Positions> batches_;           // of this epoch
  autograd::Generator::State drawn_before_{};    // the default generator's, before the gradient was computed
  bool has_gradient_ = false;
  TrainingPosition position_;
};

// Returns the tensor of this name in the state of a training. Throws bad-file if there is none.
Tensor tensor_in(const nn::StateDict& state, const std::string& name);

}  // namespace translate

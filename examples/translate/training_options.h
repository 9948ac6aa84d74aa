// How a model is trained: the options of `translate train` that decide about the weights' values.
#pragma once

#include <cstdint>
#include <string>

#include "examples/translate/option_texts.h"

namespace translate {

// Nothing but these, the model's and the data's options has an influence on the result.
struct TrainingOptions {
  std::int64_t epochs = 8;
  std::int64_t steps = 0;        // updates after which to stop, if that is before the epochs are over; 0: no such limit
  std::int64_t batch = 64;       // sentence pairs per update
  double lr = 1e-3;              // of Adam
  std::int64_t warmup = 0;       // updates in which the rate grows evenly up to lr; a transformer wants a few hundred
  double clip = 1.0;             // the longest gradient; longer ones are shortened to this
  double teacher_forcing = 1.0;  // nn::TeacherForcing::ratio
  double coverage_loss = 0.0;    // the weight of the coverage loss; coverage attention only
  double label_smoothing = 0.0;  // that share of the target is spread over all words; in training only
  std::uint64_t seed = 1;        // of the weights, dropout and the order of the sentences

  template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
    visit("epochs", self.epochs, "how often all sentences are seen; 6 without --data");
    visit("steps", self.steps, "stop after so many updates; 0: when the epochs are over");
    visit("batch", self.batch, "sentence pairs per update");
    visit("lr", self.lr, "learning rate of Adam; 0.003 without --data");
    visit("warmup", self.warmup, "updates in which the rate grows up to --lr");
    visit("clip", self.clip, "the longest gradient; longer ones are shortened to this");
    visit("teacher-forcing", self.teacher_forcing, "probability of the right word as input, not the model's own");
    visit("coverage-loss", self.coverage_loss, "weight of the coverage loss (coverage attention)");
    visit("label-smoothing", self.label_smoothing, "share of the target that is spread over all words");
    visit("seed", self.seed, "of weights, dropout and the order of sentences");
  }
};

// Throws bad-argument for values out of range.
void check_training_options(const TrainingOptions& options);

}  // namespace translate

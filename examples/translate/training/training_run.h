// train_run: a whole training with its files. It trains epoch by epoch, validates after each, keeps the best model, and
// writes its curve and, now and then, a checkpoint. So it can be stopped or killed at any moment, and goes on later to
// the same result, bit by bit.
//
//   const translate::RunResult result = translate::train_run({.folder = "runs/additive", .training = {.epochs = 5}});
//   const translate::TrainedModel best = translate::load_model(translate::model_file_of("runs/additive"));
//
// The result depends on the options of the model, the data and the training alone: not on when checkpoints were
// written, how often the training was stopped, or the number of threads.
#pragma once

#include <cstdint>

#include "examples/translate/data/parallel_text.h"
#include "examples/translate/training/curve.h"
#include "examples/translate/training/run_options.h"
#include "examples/translate/training/trainer.h"

namespace translate {

struct RunResult {
  Curve curve;                    // from the beginning of the run
  CurvePoint best;                // the validation with the lowest perplexity; perplexity NaN if there was none
  TrainingPosition position;      // where it is now
  int stopped_by = 0;             // the signal that stopped it (stop_signal.h); 0: it came to its end
  std::int64_t target_words = 0;  // those that the updates of this call learned from
};

// Starts a training or goes on with one; leaves a run that has come to its end as it is. Throws bad-argument for
// options out of range and for a run with other options; bad-file for a folder that cannot be used or that holds an
// unexpected run, and for data that have changed; bad-safetensors for a damaged checkpoint or best model; NotFinite
// (trainer.h).
RunResult train_run(const RunOptions& options);
// The same with a corpus at hand, which must be what load_corpus(options.data) would give.
RunResult train_run(RunOptions options, const Corpus* corpus);

}  // namespace translate

// The checkpoint of a training, with a fitting fingerprint: the training is refused, or goes on, and
// leaves a checkpoint from which it goes on again.
#include <nn/saving/checkpoint.h>

#include "examples/translate/data/artificial_language.h"
#include "examples/translate/training/trained_model.h"
#include "examples/translate/training/training_run.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_checkpoint {

using autograd::ErrorId;

const translate::Corpus& small_corpus() {
  static const translate::Corpus corpus =
      translate::artificial_corpus({.train = 6, .validation = 1, .test = 1, .longer = 1, .clauses = 1});
  return corpus;
}

// A training that is over in a moment.
translate::RunOptions small_run(const std::filesystem::path& folder) {
  return {.folder = folder,
          .model = {.dim = 2},
          .data = {.pairs = 6, .clauses = 1},
          .training = {.epochs = 1, .steps = 2, .batch = 3},
          .save_every = 1,
          .progress = nullptr};
}

// A model of many gigabytes is not a mistake, but it is nothing to wait for.
bool describes_small_model(const nn::Metadata& texts) {
  translate::ModelOptions options;
  try {
    translate::set_options(options, translate::json_in(texts, "the input"));
  } catch (const autograd::Error&) {
    return true;  // it will be refused
  }
  return options.dim <= 64 && options.layers <= 3;
}

void resume() {
  translate::RunOptions options = small_run(fuzz::folder().path());
  options.if_exists = translate::IfRunExists::resume;
  options.given = {"epochs", "steps"};
  try {
    translate::train_run(options, &small_corpus());
  } catch (const translate::NotFinite&) {  // weights that nobody can go on from
  }
}

void run(const std::string& input) {
  nn::Safetensors loaded;
  const std::string file = fuzz::file_with(input, "checkpoint.safetensors");
  if (fuzz::refuses({ErrorId::bad_safetensors}, [&] { loaded = nn::load_safetensors(file); })) return;
  if (!describes_small_model(loaded.metadata)) return;
  nn::save_checkpoint(file, "checkpoint of a training", {loaded.tensors, loaded.metadata});
  std::filesystem::remove(fuzz::folder() / "best.safetensors");
  if (fuzz::refuses({ErrorId::bad_file, ErrorId::bad_argument, ErrorId::state_dict_mismatch}, resume)) return;
  resume();
}

// A run of two updates, of each kind of model.
fuzz::Seeds seeds() {
  fuzz::Seeds checkpoints;
  for (const char* kind : {"attention", "vanilla", "transformer"}) {
    const fixtures::TemporaryFolder folder;
    translate::RunOptions options = small_run(folder.path());
    options.model.model = kind;
    if (options.model.model == "transformer") options.model.heads = 1;
    translate::train_run(options, &small_corpus());
    checkpoints[kind] = fixtures::content_of(folder / "checkpoint.safetensors");
  }
  return checkpoints;
}

}  // namespace fuzz_checkpoint

const fuzz::Target fuzz::target = {"checkpoint", fuzz_checkpoint::run, fuzz_checkpoint::seeds};

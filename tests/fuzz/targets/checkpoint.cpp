// The checkpoint of a training, with a fitting fingerprint: the training is refused, or goes on, and
// leaves a checkpoint from which it goes on again.
#include <nn/saving/checkpoint.h>

#include "examples/translate/training/trained_model.h"
#include "examples/translate/training/training_run.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/small_run.h"

namespace fuzz_checkpoint {

using autograd::ErrorId;

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
  translate::RunOptions options = fuzz::small_run(fuzz::folder().path());
  options.if_exists = translate::IfRunExists::resume;
  options.given = {"epochs", "steps"};
  try {
    translate::train_run(options, &fuzz::small_corpus());
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

const fuzz::Target target("checkpoint", run);

}  // namespace fuzz_checkpoint

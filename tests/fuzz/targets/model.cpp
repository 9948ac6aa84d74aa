// A trained model's file. Damage, the fingerprint finds; so the input gets a fitting one, and then it is refused, or
// read, and the same when it is written and read again.
#include <nn/checkpoint.h>

#include "examples/translate/training/trained_model.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/same_tensors.h"
#include "tests/fuzz/small_models.h"

namespace fuzz_model {

using autograd::ErrorId;
using translate::TrainedModel;

constexpr const char* kind = "trained model";

void run(const std::string& input) {
  const std::string file = fuzz::file_with(input);
  nn::Checkpoint state;
  fuzz::refuses({ErrorId::bad_safetensors}, [&] { state = nn::load_checkpoint(file, kind); });
  nn::Safetensors loaded;
  if (fuzz::refuses({ErrorId::bad_safetensors}, [&] { loaded = nn::load_safetensors(file); })) return;
  if (!fuzz::describes_small_model(loaded.metadata)) return;

  nn::save_checkpoint(file, kind, {loaded.tensors, loaded.metadata});
  TrainedModel model;
  if (fuzz::refuses({ErrorId::bad_file, ErrorId::bad_argument, ErrorId::state_dict_mismatch},
                    [&] { model = translate::load_model(file); })) {
    return;
  }
  const std::string saved = fuzz::folder() / "saved";
  translate::save_model(saved, model);
  const TrainedModel again = translate::load_model(saved);
  fuzz::require(fuzz::same_tensors(model.model->state_dict(), again.model->state_dict()), "other weights");
  fuzz::require(model.source == again.source && model.target == again.target, "other words");
  fuzz::require(translate::texts_of(model.options) == translate::texts_of(again.options), "other options");
}

const fuzz::Target target("model", run);

}  // namespace fuzz_model

// A safetensors file: refused as damaged, or read, and then written and read again to the same bits.
#include <autograd/debug/step/view.h>
#include <nn/saving/safetensors.h>

#include <algorithm>

#include "tests/fuzz/fuzz.h"

namespace fuzz_safetensors {

// The same names with the same shapes, dtypes and bits.
bool same_tensors(const nn::StateDict& a, const nn::StateDict& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& one, const auto& other) {
           return one.first == other.first && one.second.dtype() == other.second.dtype() &&
                  one.second.shape() == other.second.shape() && autograd::debug::same_bits(one.second, other.second);
         });
}

void run(const std::string& input) {
  const std::string file = fuzz::file_with(input);
  nn::Safetensors loaded;
  if (fuzz::refuses({autograd::ErrorId::bad_safetensors}, [&] { loaded = nn::load_safetensors(file); })) return;

  const std::string saved = fuzz::folder() / "saved";
  nn::save_safetensors(saved, loaded.tensors, loaded.metadata);
  const nn::Safetensors again = nn::load_safetensors(saved);
  fuzz::require(same_tensors(loaded.tensors, again.tensors), "the tensors are not those that were saved");
  fuzz::require(loaded.metadata == again.metadata, "the metadata are not those that were saved");
  const std::string bytes = fixtures::content_of(saved);
  nn::save_safetensors(saved, again.tensors, again.metadata);
  fuzz::require(fixtures::content_of(saved) == bytes, "the same tensors are not the same bytes");
}

const fuzz::Target target("safetensors", run);

}  // namespace fuzz_safetensors

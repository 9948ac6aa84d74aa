// A safetensors file: refused as damaged, or read, and then written and read again to the same bits.
#include <autograd/autograd.h>
#include <autograd/debug/step/view.h>
#include <nn/saving/safetensors.h>

#include <algorithm>
#include <limits>

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

std::string header(const std::string& text) {
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

std::string saved(const nn::StateDict& tensors, const nn::Metadata& metadata = {}) {
  const std::string file = fuzz::folder() / "seed";
  nn::save_safetensors(file, tensors, metadata);
  return fixtures::content_of(file);
}

fuzz::Seeds seeds() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{"none", saved({})},
          {"every_dtype", saved({{"float32", autograd::tensor({{1.5, -0.0}, {infinity, 1e-40}}, autograd::float32)},
                                 {"float64", autograd::tensor({-infinity, 5e-324}, autograd::float64)},
                                 {"ids", autograd::ids({9007199254740993, std::numeric_limits<std::int64_t>::min()})},
                                 {"mask", autograd::mask({true, false, true})},
                                 {"scalar", autograd::tensor(2.0, autograd::float32)},
                                 {"empty", autograd::zeros({0, 7}, autograd::float64)},
                                 {"ä \"quoted\"", autograd::zeros({1})}},
                                {{"format", "pt"}, {"", "a\nb"}})},
          {"halves", header(R"({"h":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},)"
                            R"("b":{"dtype":"BF16","shape":[1,2],"data_offsets":[4,8]}})") +
                         std::string("\x01\x7c\xff\x03\xc0\x7f\x80\xff", 8)},
          {"boolean_of_two", header(R"({"m":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})") + "\x02"},
          {"huge_shape", header(R"({"m":{"dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[0,0]},)"
                                R"("n":{"dtype":"F32","shape":[9223372036854775807,2],"data_offsets":[0,0]}})")},
          {"overlap", header(R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                             R"("b":{"dtype":"I64","shape":[1],"data_offsets":[4,12]}})") +
                          std::string(12, 'x')},
          {"nested", header(R"({"a":{"dtype":"F32","shape":[[[[[[]]]]]],"data_offsets":[0,0]}})")},
          {"twice", header(R"({"a":{"dtype":"F32","dtype":"F64","shape":[0],"data_offsets":[0,0]}})")},
          {"numbers", header(R"({"a":{"dtype":"F32","shape":[-1,1e3,1.5],"data_offsets":[-0,0.0]}})")},
          {"too_short", "\x05"},
          {"long_header", std::string(7, '\xff') + "\x7f{}"}};
}

}  // namespace fuzz_safetensors

const fuzz::Target fuzz::target = {"safetensors", fuzz_safetensors::run, fuzz_safetensors::seeds};

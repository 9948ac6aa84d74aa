#include "examples/translate/state_file.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <cstddef>

#include "examples/translate/fingerprint.h"

namespace translate {
namespace {

using autograd::DType;
using autograd::ErrorId;
using autograd::Tensor;

const void* memory_of(const Tensor& tensor) {
  switch (tensor.dtype()) {
    case DType::float32: return tensor.data_ptr<float>();
    case DType::float64: return tensor.data_ptr<double>();
    case DType::int64: return tensor.data_ptr<std::int64_t>();
    case DType::boolean: return tensor.data_ptr<bool>();
  }
  return nullptr;
}

std::size_t bytes_of(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.numel() * autograd::element_size(tensor.dtype()));
}

// Of everything but itself: names, texts, shapes and elements.
std::string fingerprint_of(const StateFile& content) {
  Fingerprint fingerprint;
  for (const auto& [name, text] : content.texts) {
    if (name == "fingerprint") continue;
    fingerprint.add(name);
    fingerprint.add(text);
  }
  for (const auto& [name, tensor] : content.tensors) {
    fingerprint.add(name);
    fingerprint.add(fmt::format("{} {}", tensor.dtype(), tensor.shape()));
    const Tensor elements = tensor.contiguous();
    fingerprint.add(memory_of(elements), bytes_of(elements));
  }
  return fingerprint.text();
}

std::string text_in(const StateFile& content, const std::string& name) {
  const auto found = content.texts.find(name);
  return found == content.texts.end() ? "" : found->second;
}

}  // namespace

void save_state_file(const std::string& path, const std::string& kind, const StateFile& content, Where where) {
  const autograd::NoGradGuard no_grad;
  StateFile written = content;
  written.texts["kind"] = kind;
  written.texts["fingerprint"] = fingerprint_of(written);
  nn::save_safetensors(path, written.tensors, written.texts, where);
}

StateFile load_state_file(const std::string& path, const std::string& kind, Where where) {
  const autograd::NoGradGuard no_grad;
  nn::Safetensors file = nn::load_safetensors(path, where);
  StateFile content{std::move(file.tensors), std::move(file.metadata)};
  const std::string found_kind = text_in(content, "kind");
  if (found_kind != kind) {
    autograd::fail(ErrorId::bad_safetensors, "load", where,
                   fmt::format("{} is not a {} of this program but {}", path, kind,
                               found_kind.empty() ? "a safetensors file of another one" : "its " + found_kind),
                   "check the path");
  }
  if (text_in(content, "fingerprint") != fingerprint_of(content)) {
    autograd::fail(ErrorId::bad_safetensors, "load", where,
                   fmt::format("{} is damaged: its content does not fit the fingerprint in it", path),
                   "restore the file from a copy, or train again");
  }
  return content;
}

}  // namespace translate

#include "nn/saving/checkpoint.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <bit>
#include <cstddef>

#include "nn/saving/fingerprint.h"

namespace nn {
namespace {

using autograd::DType;
using autograd::ErrorId;

void add(Fingerprint& fingerprint, const Tensor& tensor) {
  fingerprint.add(fmt::format("{} {}", tensor.dtype(), tensor.shape()));
  const Tensor elements = tensor.contiguous();
  const auto bytes = static_cast<std::size_t>(elements.numel() * autograd::element_size(elements.dtype()));
  switch (elements.dtype()) {
    case DType::float32: return fingerprint.add(elements.data_ptr<float>(), bytes);
    case DType::float64: return fingerprint.add(elements.data_ptr<double>(), bytes);
    case DType::int64: return fingerprint.add(elements.data_ptr<std::int64_t>(), bytes);
    case DType::boolean: return fingerprint.add(elements.data_ptr<bool>(), bytes);
  }
}

// Of everything but itself: names, texts, shapes and elements.
std::string fingerprint_of(const Checkpoint& checkpoint) {
  Fingerprint fingerprint;
  for (const auto& [name, text] : checkpoint.texts) {
    if (name == "fingerprint") continue;
    fingerprint.add(name);
    fingerprint.add(text);
  }
  for (const auto& [name, tensor] : checkpoint.tensors) {
    fingerprint.add(name);
    add(fingerprint, tensor);
  }
  return fingerprint.text();
}

std::string text_in(const Checkpoint& checkpoint, const std::string& name) {
  const auto found = checkpoint.texts.find(name);
  return found == checkpoint.texts.end() ? "" : found->second;
}

[[noreturn]] void refuse(ErrorId id, const std::string& found, const std::string& advice, Where where) {
  autograd::fail(id, "load_checkpoint", where, found, advice);
}

}  // namespace

void save_checkpoint(const std::string& path, const std::string& kind, const Checkpoint& checkpoint, Where where) {
  const autograd::NoGradGuard no_grad;
  Checkpoint written = checkpoint;
  written.texts["kind"] = kind;
  written.texts["fingerprint"] = fingerprint_of(written);
  save_safetensors(path, written.tensors, written.texts, where);
}

Checkpoint load_checkpoint(const std::string& path, const std::string& kind, Where where) {
  const autograd::NoGradGuard no_grad;
  Safetensors file = load_safetensors(path, where);
  Checkpoint checkpoint{std::move(file.tensors), std::move(file.metadata)};
  const std::string found_kind = text_in(checkpoint, "kind");
  if (found_kind != kind) {
    const std::string found = found_kind.empty() ? "a safetensors file of another one" : "its " + found_kind;
    refuse(ErrorId::bad_safetensors, fmt::format("{} is not a {} of this program but {}", path, kind, found),
           "check the path", where);
  }
  if (text_in(checkpoint, "fingerprint") != fingerprint_of(checkpoint)) {
    refuse(ErrorId::bad_safetensors, fmt::format("{} is damaged: its content does not fit the fingerprint in it", path),
           "restore the file from a copy, or train again", where);
  }
  return checkpoint;
}

Tensor to_tensor(const autograd::Generator::State& state) {
  std::vector<std::int64_t> numbers;
  for (const std::uint64_t word : state.words) numbers.push_back(std::bit_cast<std::int64_t>(word));
  numbers.push_back(std::bit_cast<std::int64_t>(state.spare_normal));
  numbers.push_back(state.has_spare ? 1 : 0);
  return autograd::ids(numbers, {6});
}

autograd::Generator::State generator_state(const Tensor& tensor, Where where) {
  const bool fits = tensor.dtype() == autograd::int64 && tensor.shape() == autograd::Shape{6};
  if (!fits)
    refuse(ErrorId::bad_file, "the state of a random generator is not six whole numbers", "train again", where);
  const Tensor numbers = tensor.contiguous();
  const std::int64_t* next = numbers.data_ptr<std::int64_t>();
  autograd::Generator::State state;
  for (std::uint64_t& word : state.words) word = std::bit_cast<std::uint64_t>(*next++);
  state.spare_normal = std::bit_cast<double>(*next++);
  state.has_spare = *next == 1;
  return state;
}

}  // namespace nn

#include "examples/translate/state_file.h"

#include <fmt/core.h>

#include <bit>
#include <cstddef>

#include "examples/translate/fingerprint.h"
#include "examples/translate/messages.h"

namespace translate {
namespace {

using autograd::DType;
using autograd::Tensor;

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
std::string fingerprint_of(const StateFile& content) {
  Fingerprint fingerprint;
  for (const auto& [name, text] : content.texts) {
    if (name == "fingerprint") continue;
    fingerprint.add(name);
    fingerprint.add(text);
  }
  for (const auto& [name, tensor] : content.tensors) {
    fingerprint.add(name);
    add(fingerprint, tensor);
  }
  return fingerprint.text();
}

std::string text_in(const StateFile& content, const std::string& name) {
  const auto found = content.texts.find(name);
  return found == content.texts.end() ? "" : found->second;
}

[[noreturn]] void refuse_state(const std::string& found, const std::string& advice) {
  autograd::fail(autograd::ErrorId::bad_safetensors, "load", Where::current(), found, advice);
}

}  // namespace

void save_state_file(const std::string& path, const std::string& kind, const StateFile& content) {
  const autograd::NoGradGuard no_grad;
  StateFile written = content;
  written.texts["kind"] = kind;
  written.texts["fingerprint"] = fingerprint_of(written);
  nn::save_safetensors(path, written.tensors, written.texts);
}

StateFile load_state_file(const std::string& path, const std::string& kind) {
  const autograd::NoGradGuard no_grad;
  nn::Safetensors file = nn::load_safetensors(path);
  StateFile content{std::move(file.tensors), std::move(file.metadata)};
  const std::string found_kind = text_in(content, "kind");
  if (found_kind != kind) {
    const std::string found = found_kind.empty() ? "a safetensors file of another one" : "its " + found_kind;
    refuse_state(fmt::format("{} is not a {} of this program but {}", path, kind, found), "check the path");
  }
  if (text_in(content, "fingerprint") != fingerprint_of(content)) {
    refuse_state(fmt::format("{} is damaged: its content does not fit the fingerprint in it", path),
                 "restore the file from a copy, or train again");
  }
  return content;
}

Tensor entry(const nn::StateDict& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) refuse_files(fmt::format("the training's state has no \"{}\"", name), "train again");
  return found->second;
}

Tensor to_tensor(const autograd::Generator::State& state) {
  std::vector<std::int64_t> numbers;
  for (const std::uint64_t word : state.words) numbers.push_back(std::bit_cast<std::int64_t>(word));
  numbers.push_back(std::bit_cast<std::int64_t>(state.spare_normal));
  numbers.push_back(state.has_spare ? 1 : 0);
  return autograd::ids(numbers, {6});
}

autograd::Generator::State generator_state(const Tensor& tensor) {
  const bool fits = tensor.dtype() == autograd::int64 && tensor.shape() == autograd::Shape{6};
  if (!fits) refuse_files("the state of a random generator is not six whole numbers", "train again");
  const Tensor numbers = tensor.contiguous();
  const std::int64_t* next = numbers.data_ptr<std::int64_t>();
  autograd::Generator::State state;
  for (std::uint64_t& word : state.words) word = std::bit_cast<std::uint64_t>(*next++);
  state.spare_normal = std::bit_cast<double>(*next++);
  state.has_spare = *next == 1;
  return state;
}

}  // namespace translate

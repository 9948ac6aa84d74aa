#include "nn/saving/state_dict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nn {

void add_with_prefix(StateDict& all, const std::string& prefix, const StateDict& part) {
  for (const auto& [name, tensor] : part) all[prefix + name] = tensor;
}

StateDict with_prefix(const StateDict& all, const std::string& prefix) {
  StateDict part;
  for (const auto& [name, tensor] : all) {
    if (name.starts_with(prefix)) part[name.substr(prefix.size())] = tensor;
  }
  return part;
}
namespace {

bool same_kind(DType a, DType b) {
  return a == b || (autograd::is_floating(a) && autograd::is_floating(b));
}

// Why `given` cannot be copied into `expected`; "" if it can.
std::string why_unfit(const std::string& name, const Tensor& expected, const Tensor& given) {
  if (!given.defined()) return fmt::format("{} has no value", name);
  if (!(given.shape() == expected.shape())) {
    return fmt::format("{} is {}, should be {}", name, given.shape(), expected.shape());
  }
  if (!same_kind(given.dtype(), expected.dtype())) {
    return fmt::format("{} is {}, should be {}", name, given.dtype(), expected.dtype());
  }
  return "";
}

}  // namespace

StateDictDifference compare(const StateDict& expected, const StateDict& given) {
  StateDictDifference difference;
  for (const auto& [name, tensor] : expected) {
    const auto found = given.find(name);
    if (found == given.end()) {
      difference.missing_keys.push_back(name);
      continue;
    }
    const std::string sentence = why_unfit(name, tensor, found->second);
    if (!sentence.empty()) difference.unfit.push_back(sentence);
  }
  for (const auto& [name, tensor] : given) {
    if (expected.count(name) == 0) difference.unexpected_keys.push_back(name);
  }
  return difference;
}

void check_no_difference(std::string_view asked, const StateDictDifference& difference, Where where) {
  std::vector<std::string> sentences;
  if (!difference.missing_keys.empty()) {
    sentences.push_back(fmt::format("missing: {}", fmt::join(difference.missing_keys, ", ")));
  }
  if (!difference.unexpected_keys.empty()) {
    sentences.push_back(fmt::format("unexpected: {}", fmt::join(difference.unexpected_keys, ", ")));
  }
  if (!difference.unfit.empty()) {
    sentences.push_back(fmt::format("do not fit: {}", fmt::join(difference.unfit, ", ")));
  }
  if (sentences.empty()) return;
  autograd::fail(autograd::ErrorId::state_dict_mismatch, asked, where, fmt::format("{}", fmt::join(sentences, "; ")),
                 "load it into an object made with the options of the one that was saved. Nothing was changed");
}

}  // namespace nn

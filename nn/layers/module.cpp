#include "nn/layers/module.h"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <typeindex>
#include <typeinfo>

#include "nn/layers/checks.h"

namespace nn {
namespace {

// "nn::Linear" -> "Linear", "app::List<nn::Linear>" -> "List<nn::Linear>"
std::string without_namespaces(const std::string& type) {
  int open_brackets = 0;
  for (std::size_t i = type.size(); i > 0; --i) {
    const char c = type[i - 1];
    if (c == '>') ++open_brackets;
    if (c == '<') --open_brackets;
    if (c == ':' && open_brackets == 0) return type.substr(i);
  }
  return type;
}

std::string readable_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return without_namespaces(status == 0 ? readable.get() : type.name());
}

// Computed once for each type, because it takes a microsecond and every call of a module asks for it.
const std::string& type_name(const Module& module) {
  thread_local std::map<std::type_index, std::string> names;
  std::string& name = names[typeid(module)];
  if (name.empty()) name = readable_name(typeid(module));
  return name;
}

}  // namespace

std::string Module::name() const {
  return name_.empty() ? type_name(*this) : name_;
}

// ---- the tree ------------------------------------------------------------------------------------------------

// Itself first, then each child with all that is below it, in order of registration.
std::vector<Module::Place> Module::tree() const {
  std::vector<Place> places{{"", this}};
  for (const auto& [child_name, child] : children_) {
    for (const Place& below : child->tree()) {
      places.push_back({child_name + "." + below.prefix, below.module});
    }
  }
  return places;
}

NamedTensors Module::named_parameters() const {
  NamedTensors result;
  for (const Place& place : tree()) {
    for (const NamedMember& member : place.module->parameters_) {
      const auto is_it = [&member](const auto& known) { return known.second.is_same(*member.tensor); };
      const bool is_new = std::none_of(result.begin(), result.end(), is_it);
      if (is_new) result.emplace_back(place.prefix + member.name, *member.tensor);
    }
  }
  return result;
}

std::vector<Tensor> Module::parameters() const {
  std::vector<Tensor> result;
  for (const auto& [parameter_name, parameter] : named_parameters()) result.push_back(parameter);
  return result;
}

NamedTensors Module::named_buffers() const {
  NamedTensors result;
  for (const Place& place : tree()) {
    for (const NamedMember& member : place.module->buffers_) {
      result.emplace_back(place.prefix + member.name, *member.tensor);
    }
  }
  return result;
}

std::int64_t Module::num_parameters() const {
  std::int64_t count = 0;
  for (const Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

void Module::zero_grad() const {
  for (const Tensor& parameter : parameters()) parameter.zero_grad();
}

void Module::requires_grad_(bool requires_grad, Where where) const {
  for (const Tensor& parameter : parameters()) parameter.requires_grad_(requires_grad, where);
}

void Module::train(bool training) {
  training_ = training;
  for (const auto& [child_name, child] : children_) child->train(training);
}

// ---- conversion ----------------------------------------------------------------------------------------------

namespace {

Tensor converted_parameter(const Tensor& parameter, DType dtype) {
  const Tensor result = parameter.detach().to(dtype);
  result.requires_grad_(parameter.requires_grad());
  result.set_name(parameter.name());
  return result;
}

}  // namespace

void Module::to(DType dtype, Where where) {
  check_parameter_dtype("Module::to", dtype, where);
  std::vector<std::pair<Tensor*, Tensor>> replacements;
  for (const Place& place : tree()) {
    for (const NamedMember& member : place.module->parameters_) {
      if (member.tensor->dtype() == dtype) continue;
      const auto is_tied = [&member](const auto& known) { return known.first->is_same(*member.tensor); };
      const auto tied = std::find_if(replacements.begin(), replacements.end(), is_tied);
      const bool is_new = tied == replacements.end();
      replacements.emplace_back(member.tensor, is_new ? converted_parameter(*member.tensor, dtype) : tied->second);
    }
    for (const NamedMember& member : place.module->buffers_) {
      if (autograd::is_floating(member.tensor->dtype())) {
        replacements.emplace_back(member.tensor, member.tensor->to(dtype));
      }
    }
  }
  for (const auto& [member, replacement] : replacements) *member = replacement;
}

// ---- saving and loading --------------------------------------------------------------------------------------

// Every name, those of tied weights too.
NamedTensors Module::state_entries() const {
  NamedTensors result;
  for (const Place& place : tree()) {
    for (const NamedMember& member : place.module->parameters_) {
      result.emplace_back(place.prefix + member.name, *member.tensor);
    }
    for (const NamedMember& member : place.module->buffers_) {
      result.emplace_back(place.prefix + member.name, *member.tensor);
    }
  }
  return result;
}

StateDict Module::state_dict() const {
  const autograd::NoGradGuard no_grad;
  StateDict state;
  for (const auto& [entry_name, tensor] : state_entries()) state[entry_name] = tensor.clone();
  return state;
}

StateDictDifference Module::load_state_dict(const StateDict& state, bool strict, Where where) const {
  const NamedTensors entries = state_entries();
  StateDictDifference difference = compare(StateDict(entries.begin(), entries.end()), state);
  if (strict) {
    check_no_difference("load_state_dict", difference, where);
  } else {
    check_no_difference("load_state_dict", {.unfit = difference.unfit}, where);
  }
  const autograd::NoGradGuard no_grad;
  std::vector<autograd::Copy> copies;
  for (const auto& [entry_name, tensor] : entries) {
    const auto found = state.find(entry_name);
    if (found != state.end()) copies.push_back({tensor, found->second});
  }
  autograd::copy_all_(copies, where);
  return difference;
}

// ---- registration --------------------------------------------------------------------------------------------

void Module::check_new_name(const std::string& new_name, Where where) const {
  bool is_known = false;
  for (const NamedMember& member : parameters_) is_known = is_known || member.name == new_name;
  for (const NamedMember& member : buffers_) is_known = is_known || member.name == new_name;
  for (const auto& [child_name, child] : children_) is_known = is_known || child_name == new_name;
  const bool is_good = !new_name.empty() && new_name.find('.') == std::string::npos;
  if (is_good && !is_known) return;
  autograd::fail(ErrorId::bad_argument, "Module", where,
                 is_known ? fmt::format("the name \"{}\" is registered already", new_name)
                          : fmt::format("the name \"{}\" is empty or has a dot", new_name),
                 "register each member under the name it has in the struct");
}

void Module::register_parameter(const std::string& parameter_name, Tensor& member, Where where) {
  if (!member.defined()) return;
  check_new_name(parameter_name, where);
  member.requires_grad_(true, where);
  member.set_name(parameter_name);
  parameters_.push_back({parameter_name, &member});
}

void Module::register_buffer(const std::string& buffer_name, Tensor& member, Where where) {
  if (!member.defined()) return;
  check_new_name(buffer_name, where);
  member.set_name(buffer_name);
  buffers_.push_back({buffer_name, &member});
}

void Module::register_module(const std::string& child_name, Module& member, Where where) {
  check_new_name(child_name, where);
  if (&member == this || !member.name_.empty()) {
    autograd::fail(ErrorId::bad_argument, "Module", where,
                   fmt::format("\"{}\" is this module itself, or part of another module already", child_name),
                   "register a member of this struct");
  }
  member.name_ = child_name;
  children_.emplace_back(child_name, &member);
  // All tensors below get longer names: "weight" becomes "hidden.weight".
  for (const auto& [entry_name, tensor] : member.state_entries()) tensor.set_name(child_name + "." + entry_name);
}

}  // namespace nn

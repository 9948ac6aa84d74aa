#include "autograd/debug/step/recorded_names.h"

#include <map>

#include "autograd/tensor/characters.h"

namespace autograd::debug {

void RecordedNames::read_new_calls(const Recording& recording) {
  const auto& calls = recording.calls();
  for (auto it = calls.lower_bound(read_until_); it != calls.end(); ++it) {
    const KeptCall& call = it->second;
    const std::string name = label(*call.node);
    if (name[0] != '%') nodes_.try_emplace(name, it->first);
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      const std::string input = printable(call.inputs[i].name());
      if (!input.empty()) inputs_.try_emplace(input, it->first, i);
    }
    read_until_ = it->first + 1;
  }
}

void RecordedNames::read_again(const Recording& recording) {
  *this = RecordedNames();
  read_new_calls(recording);
}

const Node* RecordedNames::node(const std::string& name, const Recording& recording) {
  read_new_calls(recording);
  const auto& calls = recording.calls();
  auto place = nodes_.find(name);
  if (place != nodes_.end() && !calls.contains(place->second)) {  // freed since; another may have the name
    read_again(recording);
    place = nodes_.find(name);
  }
  return place == nodes_.end() ? nullptr : calls.at(place->second).node;
}

Tensor RecordedNames::input(const std::string& name, const Recording& recording) {
  read_new_calls(recording);
  const auto& calls = recording.calls();
  auto place = inputs_.find(name);
  if (place != inputs_.end() && !calls.contains(place->second.first)) {
    read_again(recording);
    place = inputs_.find(name);
  }
  return place == inputs_.end() ? Tensor() : calls.at(place->second.first).inputs[place->second.second].tensor();
}

}  // namespace autograd::debug

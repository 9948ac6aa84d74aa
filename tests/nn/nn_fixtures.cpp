#include "tests/nn/nn_fixtures.h"

#include <limits>

#include "autograd/text/words.h"
#include "tests/support/pattern.h"

namespace fixtures {

// ---- calls ---------------------------------------------------------------------------------------------------

namespace {

double to_number(const std::string& text) {
  return text == "float('inf')" ? std::numeric_limits<double>::infinity() : std::stod(text);
}

// The arguments between commas that are not inside parentheses.
std::vector<std::string> split_arguments(const std::string& text) {
  std::vector<std::string> result(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) {
      result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  return result;
}

}  // namespace

std::vector<double> all_numbers(const std::string& text) {
  std::vector<double> result;
  for (const std::string& number : matches(text, "[-+0-9.e]+")) result.push_back(std::stod(number));
  return result;
}

double Call::number(const std::string& keyword, double otherwise) const {
  return has(keyword) ? to_number(by_keyword.at(keyword)) : otherwise;
}
std::int64_t Call::integer(const std::string& keyword, std::int64_t otherwise) const {
  return static_cast<std::int64_t>(number(keyword, static_cast<double>(otherwise)));
}
bool Call::flag(const std::string& keyword, bool otherwise) const {
  return has(keyword) ? by_keyword.at(keyword) == "True" : otherwise;
}
std::string Call::text(const std::string& keyword, const std::string& otherwise) const {
  return has(keyword) ? by_keyword.at(keyword) : otherwise;
}
std::vector<double> Call::numbers(const std::string& keyword) const {
  return all_numbers(by_keyword.at(keyword));
}
std::int64_t Call::at(std::size_t position) const {
  return static_cast<std::int64_t>(to_number(positional.at(position)));
}

Call parse_call(const std::string& text) {
  const std::size_t open = text.find('(');
  const std::size_t dot = text.rfind('.', open);
  Call call;
  call.name = text.substr(dot == std::string::npos ? 0 : dot + 1, open - (dot == std::string::npos ? 0 : dot + 1));
  for (const std::string& argument : split_arguments(text.substr(open + 1, text.rfind(')') - open - 1))) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || autograd::trim(argument).rfind("lambda", 0) == 0) {
      call.positional.push_back(autograd::trim(argument));
    } else {
      call.by_keyword[autograd::trim(argument.substr(0, equals))] = autograd::trim(argument.substr(equals + 1));
    }
  }
  return call;
}

// ---- cases of modules.json -----------------------------------------------------------------------------------

ModuleCase::ModuleCase(const std::string& id, const std::string& file)
    : json_(find(file, id)), call_(parse_call(json_["module"])) {
  for (const auto& [name, value] : json_["inputs"].items()) {
    inputs_[name] = tensor(value);
    if (json_.contains("input_gradients") && !json_["input_gradients"][name].is_null()) {
      inputs_[name].requires_grad_();
    }
  }
}

autograd::Tensor ModuleCase::input(const std::string& name) const {
  const auto found = inputs_.find(name);
  return found == inputs_.end() ? autograd::Tensor() : found->second;
}
std::vector<std::int64_t> ModuleCase::lengths(const std::string& name) const {
  const autograd::Tensor found = input(name);
  return found.defined() ? found.to_vector<std::int64_t>() : std::vector<std::int64_t>{};
}

void ModuleCase::load(const nn::Module& module, const std::map<std::string, std::string>& renamed) {
  renamed_ = renamed;
  nn::StateDict state;
  std::vector<std::string> order;
  for (const std::string name : json_["parameter_order"]) order.push_back(ours(name));
  for (const auto& [name, values] : json_["parameters"].items()) state[ours(name)] = tensor(values);
  std::vector<std::string> found;
  for (const auto& [name, parameter] : module.named_parameters()) found.push_back(name);
  EXPECT_EQ(found, order);
  module.load_state_dict(state);
}

void ModuleCase::check(const nn::Module& module, const std::map<std::string, autograd::Tensor>& outputs) const {
  EXPECT_EQ(outputs.size(), json_["outputs"].size());
  std::vector<autograd::Tensor> roots;
  std::vector<autograd::Tensor> cotangents;
  for (const auto& [name, output] : outputs) {
    EXPECT_TRUE(near(output, json_["outputs"][name])) << name;
    if (json_["cotangents"][name].is_null()) continue;
    roots.push_back(output);
    cotangents.push_back(tensor(json_["cotangents"][name]));
  }
  autograd::backward(roots, cotangents);
  for (const auto& [name, gradient] : json_["input_gradients"].items()) {
    if (gradient.is_null()) continue;
    EXPECT_TRUE(near(inputs_.at(name).grad(), gradient)) << "gradient of " << name;
  }
  std::map<std::string, autograd::Tensor> parameters;
  for (const auto& [name, parameter] : module.named_parameters()) parameters[name] = parameter;
  for (const auto& [name, gradient] : json_["parameter_gradients"].items()) {
    EXPECT_TRUE(near(parameters.at(ours(name)).grad(), gradient)) << "gradient of " << name;
  }
}

std::string ModuleCase::ours(const std::string& name) const {
  const std::size_t dot = name.find('.');
  const auto found = renamed_.find(name.substr(0, dot));
  if (found == renamed_.end()) return name;
  return found->second.empty() ? name.substr(dot + 1) : found->second + name.substr(dot);
}

nn::RecurrentOptions recurrent_options(const Call& call) {
  return {.input_size = call.at(0),
          .hidden_size = call.at(1),
          .num_layers = call.integer("num_layers", 1),
          .bias = call.flag("bias", true),
          .batch_first = call.flag("batch_first", false),
          .bidirectional = call.flag("bidirectional", false),
          .dtype = autograd::float64};
}

}  // namespace fixtures

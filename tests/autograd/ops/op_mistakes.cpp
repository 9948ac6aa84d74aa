#include "tests/autograd/ops/op_mistakes.h"

#include <fstream>
#include <stdexcept>

#include "tests/autograd/ops/op_formula.h"

using namespace autograd;

namespace op_mistakes {

namespace {

// Of the section of this name, in the order of the file.
Mistakes section(const std::string& wanted) {
  const std::string path = BACKSTEP_SOURCE "/tests/autograd/ops/op_mistakes.txt";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Mistakes mistakes;
  std::string line, name;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      name = line.substr(1, line.size() - 2);
    } else if (line.starts_with("let ")) {
      const std::size_t equals = line.find(" = ");
      define(line.substr(4, equals - 4), line.substr(equals + 3));
    } else if (name == wanted) {
      const std::size_t first = line.find(" | ");
      const std::size_t last = line.rfind(" | ");
      if (first == last) throw std::runtime_error("a line of op_mistakes.txt has no three parts: " + line);
      const std::string op = line.substr(0, first);
      mistakes.push_back({op, line.substr(first + 3, last - first - 3), formula(op, line.substr(last + 3))});
    }
  }
  return mistakes;
}

}  // namespace

const Mistakes& all() {
  static const Mistakes table = section("first order");
  return table;
}

const Mistakes& of_second_order() {
  static const Mistakes table = section("second order");
  return table;
}

const Mistakes& at_special_points() {
  static const Mistakes table = section("special points");
  return table;
}

const Mistakes& of_fused_ops() {
  static const Mistakes table = section("fast forms");
  return table;
}

// ---- planting -------------------------------------------------------------------------------------------------

void Planted::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  if (node.name() == mistake_.op) recorded_[&node] = {inputs, output};
}

Grads Planted::run(Node& node, const Tensor& dy) {
  const Grads right = node.backward(dy);
  const auto known = recorded_.find(&node);
  if (known == recorded_.end()) return right;
  const auto right_for = [&node](const Tensor& other) { return node.backward(other); };
  return mistake_.backward({known->second.inputs, known->second.output, dy, right, right_for});
}

}  // namespace op_mistakes

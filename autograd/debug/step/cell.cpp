#include "autograd/debug/step/cell.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "autograd/debug/step/replay.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

using Position = std::vector<std::int64_t>;

std::string name_of_input(const Call& call, std::size_t i) {
  if (i < call.from.size() && call.from[i]) return label(*call.from[i]);
  const std::string name = printable(call.inputs[i].name());
  return name.empty() ? fmt::format("x{}", i) : name;
}

// The elements with a slope other than 0; `values` is undefined where they are not known.
void add_terms(CellPart& part, const CellTerm& like, const Tensor& slopes, const Tensor& values, std::size_t input) {
  const std::vector<double> slope = slopes.to_vector();
  const std::vector<double> value = values.defined() ? values.to_vector() : std::vector<double>();
  for (std::size_t i = 0; i < slope.size(); ++i) {
    if (slope[i] == 0.0) continue;
    CellTerm term = like;
    term.index = index_of(i, slopes.shape());
    if (i < value.size()) term.value = value[i];
    term.slope = slope[i];
    part.terms.push_back(std::move(term));
    part.inputs.push_back(input);
  }
}

// The gradient that the node's backward was given, or will be as far as that is known.
Tensor known_gradient(const Node& node, const View& view) {
  return view.progress(node).complete() || &node == view.current() ? view.gradient(node) : Tensor();
}

// Across the op that made the tensor: the inputs' elements, whose values or gradients go with `slopes`.
CellPart across_own_op(const Node& node, const Position& index, bool gradients, const View& view) {
  const Call call = view.call(node);
  CellPart part{&node, 0, {}, {}, {}, !view.is_unready(node)};
  if (!part.slopes_are_known) return part;
  const Grads slopes = pull_back(call, unit(node.shape, node.dtype, index));
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const Node* from = i < call.from.size() ? call.from[i].get() : nullptr;
    if (!slopes[i].defined() || (gradients && !from)) continue;
    const std::string name = name_of_input(call, i);
    if (gradients) {
      add_terms(part, {from, name + ".grad", {}, {}, 0.0}, slopes[i], known_gradient(*from, view), i);
    } else {
      add_terms(part, {from, name, {}, {}, 0.0}, slopes[i], call.inputs[i], i);
    }
  }
  return part;
}

// Across an op that uses the tensor: the elements of its output.
CellPart across_use(const Node& node, const Position& index, const Use& use, bool gradients, const View& view) {
  const Call call = view.call(*use.user);
  CellPart part{use.user, use.input, {}, {}, {}, !view.is_unready(*use.user)};
  if (!part.slopes_are_known) return part;
  const Tensor slopes = push_forward(call, use.input, unit(node.shape, node.dtype, index));
  const std::string name = label(*use.user) + (gradients ? ".grad" : "");
  const Tensor values = gradients ? known_gradient(*use.user, view) : call.output;
  add_terms(part, {use.user, name, {}, {}, 0.0}, slopes, values, use.input);
  return part;
}

void find_sources_of_gradient(Cell& cell, const View& view, std::size_t most) {
  for (AmountGiven& given : amounts_given(*cell.node, cell.index, view)) {
    const Contribution& each = *given.contribution;
    cell.from.push_back({each.from, each.input, std::move(given), {}, {}, false});
  }
  std::vector<CellPart*> largest;
  for (CellPart& part : cell.from) largest.push_back(&part);
  std::stable_sort(largest.begin(), largest.end(), [](const CellPart* a, const CellPart* b) {
    return std::abs(a->given->amount) > std::abs(b->given->amount);
  });
  for (std::size_t i = 0; i < std::min(most, largest.size()); ++i) {
    CellPart& part = *largest[i];
    if (!part.op) continue;
    CellPart whole = across_use(*cell.node, cell.index, {part.op, part.input}, true, view);
    whole.given = std::move(part.given);
    part = std::move(whole);
  }
}

void find_uses_of_value(Cell& cell, const View& view, std::size_t most) {
  const std::span<const Use> uses = view.pass->uses(*cell.node);
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {  // in the order of the program
    if (cell.to.size() == most) break;
    cell.to.push_back(across_use(*cell.node, cell.index, *use, false, view));
  }
  cell.more_to = uses.size() - cell.to.size();
}

std::optional<double> number_at(const Tensor& tensor, const Position& index) {
  if (!tensor.defined()) return {};
  return element_of(tensor, index).item();
}

}  // namespace

Cell cell_of(const Element& element, bool is_gradient, const View& view, std::size_t most_parts) {
  Cell cell;
  cell.node = element.node;
  cell.index = element.index;
  cell.is_gradient = is_gradient;
  const Node& node = *element.node;
  cell.value = number_at(is_gradient ? view.gradient(node) : view.value(node), element.index);
  if (is_gradient) {
    find_sources_of_gradient(cell, view, most_parts);
    if (!node.is_leaf()) cell.to.push_back(across_own_op(node, cell.index, true, view));
  } else {
    if (!node.is_leaf()) cell.from.push_back(across_own_op(node, cell.index, false, view));
    find_uses_of_value(cell, view, most_parts);
  }
  return cell;
}

}  // namespace autograd::debug

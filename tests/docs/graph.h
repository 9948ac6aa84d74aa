// The tape of a tensor as a picture: a box for every op, with its derivative, and lines from its inputs above it.
//
//   docs::write_graph_svg("pictures/tape.svg", y, "y = sin(x^2) e^(x^2)");
//
// The program ran from top to bottom. A tensor's name (set_name) stands in its box; ops that only change a shape are
// left out. Tensors of one number show it when asked, and after backward() their gradient (leaves, and what was told to
// retain_grad()):
//
//   docs::write_graph_svg("pictures/tape.svg", y, "y = a b", {x, a, b, y});
#pragma once

#include <autograd/tape/node.h>
#include <docs/boxes.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace docs {

class Graph {
 public:
  explicit Graph(const autograd::Tensor& output, const std::vector<autograd::Tensor>& shown = {}) {
    for (const autograd::Tensor& tensor : shown) numbers_[autograd::gradient_node(tensor).get()] = numbers_of(tensor);
    collect(output.grad_fn());
    find_levels();
    make_items();
    for (int sweep = 0; sweep < 12; ++sweep) order_levels();
  }

  std::string svg(const std::string& title) const {
    double width = 12.0 * static_cast<double>(title.size());
    for (const auto& level : levels_) width = std::max(width, width_of(level) + 40.0);
    std::string content = svg::heading({title});
    for (const Item& item : items_) {
      for (const std::size_t above : item.above)
        content += line(place_of(items_[above], width), place_of(item, width), item);
    }
    for (const Item& item : items_) content += item.node ? box(item.node, place_of(item, width)) : "";
    return svg::picture({0.0, 0.0, width, 50.0 + row * static_cast<double>(levels_.size())}, title, description(),
                        box_style(), content);
  }

 private:
  using Node = const autograd::Node*;
  // A box, or a bend: where a line passes a level on its way.
  struct Item {
    Node node;
    std::size_t level;
    std::vector<std::size_t> above;  // in items_
    std::vector<std::size_t> below;
  };
  struct Place {
    double x, y;  // the middle
  };
  static constexpr double row = 76.0, box_width = 190.0, box_height = 50.0, bend_width = 20.0, gap = 18.0;

  // ---- which boxes, and where ---------------------------------------------------------------------------------

  // Its name is then that of the op before it, and its shape, where only dims of 1 were dropped.
  Node without_views(Node node) {
    static const std::set<std::string> views = {"squeeze", "unsqueeze", "reshape", "view",
                                                "expand",  "permute",   "clone"};
    std::string name;
    Node squeezed = nullptr;
    while (node && views.count(node->name()) != 0) {
      if (name.empty()) name = name_of(node);
      if (!squeezed && node->name() == std::string("squeeze")) squeezed = node;
      node = node->inputs[0].get();
    }
    if (!name.empty()) names_.emplace(node, name);
    if (squeezed) shapes_.emplace(node, squeezed->shape);
    return node;
  }

  std::vector<Node> inputs_of(Node node) {
    std::vector<Node> inputs;
    for (const auto& input : node->inputs) {
      if (input) inputs.push_back(without_views(input.get()));
    }
    return inputs;
  }

  void collect(Node output) {
    std::set<Node> known;
    std::vector<Node> waiting = {without_views(output)};
    while (!waiting.empty()) {
      const Node node = waiting.back();
      waiting.pop_back();
      if (!known.insert(node).second) continue;
      nodes_.push_back(node);
      for (const Node input : inputs_of(node)) waiting.push_back(input);
    }
    std::sort(nodes_.begin(), nodes_.end(), [](Node a, Node b) { return a->number < b->number; });
  }

  // One below the last of its inputs; a leaf stands right above the first op that uses it.
  void find_levels() {
    for (const Node node : nodes_) {
      for (const Node input : inputs_of(node)) level_[node] = std::max(level_[node], level_[input] + 1);
    }
    std::map<Node, std::size_t> first_use;
    for (const Node node : nodes_) {
      for (const Node input : inputs_of(node)) {
        const auto [known, is_new] = first_use.emplace(input, level_[node]);
        if (!is_new) known->second = std::min(known->second, level_[node]);
      }
    }
    for (const Node node : nodes_) {
      if (node->is_leaf()) level_[node] = first_use[node] - 1;
    }
  }

  std::size_t add_item(Node node, std::size_t level) {
    items_.push_back({node, level, {}, {}});
    if (levels_.size() <= level) levels_.resize(level + 1);
    levels_[level].push_back(items_.size() - 1);
    return items_.size() - 1;
  }

  void make_items() {
    std::map<Node, std::size_t> item_of;
    for (const Node node : nodes_) item_of[node] = add_item(node, level_[node]);
    for (const Node node : nodes_) {
      for (const Node input : inputs_of(node)) {
        std::size_t upper = item_of[input];
        for (std::size_t level = level_[input] + 1; level < level_[node]; ++level)
          upper = connect(upper, add_item(nullptr, level));
        connect(upper, item_of[node]);
      }
    }
  }

  std::size_t connect(std::size_t upper, std::size_t lower) {
    items_[lower].above.push_back(upper);
    items_[upper].below.push_back(lower);
    return lower;
  }

  // Each item near the middle of its neighbours, so that few lines cross.
  void order_levels() {
    for (auto& level : levels_) {
      std::map<std::size_t, double> middle;
      for (const std::size_t item : level) {
        double sum = 0.0;
        for (const std::size_t other : items_[item].above) sum += place_of(items_[other], 0.0).x;
        for (const std::size_t other : items_[item].below) sum += place_of(items_[other], 0.0).x;
        middle[item] = sum / static_cast<double>(items_[item].above.size() + items_[item].below.size());
      }
      std::stable_sort(level.begin(), level.end(), [&](std::size_t a, std::size_t b) { return middle[a] < middle[b]; });
    }
  }

  // A leaf has no derivative to say, most have no numbers.
  double width_of(Node node) const {
    if (!node->is_leaf() || numbers_.count(node) != 0) return box_width;
    return std::max(80.0, 16.0 + 7.0 * static_cast<double>(label_of(node).size()));
  }
  double width_of(std::size_t item) const { return items_[item].node ? width_of(items_[item].node) : bend_width; }
  double width_of(const std::vector<std::size_t>& level) const {
    double width = -gap;
    for (const std::size_t item : level) width += width_of(item) + gap;
    return width;
  }

  Place place_of(const Item& item, double width) const {
    const auto& level = levels_[item.level];
    double x = (width - width_of(level)) / 2.0;
    for (const std::size_t other : level) {
      if (&items_[other] == &item)
        return {x + width_of(other) / 2.0, 50.0 + box_height / 2.0 + row * static_cast<double>(item.level)};
      x += width_of(other) + gap;
    }
    return {0.0, 0.0};
  }

  // ---- what is drawn --------------------------------------------------------------------------------------------

  static std::string line(const Place& from, const Place& to, const Item& lower) {
    const double top = from.y + box_height / 2.0;
    const double bottom = to.y - box_height / 2.0;
    const double middle = (top + bottom) / 2.0;
    std::string svg = fmt::format(
        "<path class=\"forward\" d=\"M{0:.0f},{1:.0f}V{2:.0f}C{0:.0f},{3:.0f} {4:.0f},{3:.0f} {4:.0f},{5:.0f}", from.x,
        from.y, top, middle, to.x, bottom);
    svg += lower.node ? "\"/>" : fmt::format("V{:.0f}\"/>", to.y);
    if (lower.node) svg += fmt::format("<path class=\"head\" d=\"M{:.0f},{:.0f}l-4,-7h8z\"/>", to.x, bottom);
    return svg + "\n";
  }

  std::string name_of(Node node) const {
    if (const auto view = names_.find(node); view != names_.end()) return view->second;
    if (node->is_leaf()) return static_cast<const autograd::Leaf*>(node)->tensor.name();
    return node->attachments && node->attachments->output_meta ? node->attachments->output_meta->name : "";
  }

  std::string label_of(Node node) const {
    const std::string name = name_of(node);
    if (node->is_leaf()) return fmt::format("{}  {}", name, to_string(node->shape));
    const auto view = shapes_.find(node);
    return fmt::format("{}{}  {}", name.empty() ? "" : name + " = ", node->name(),
                       to_string(view == shapes_.end() ? node->shape : view->second));
  }

  struct Numbers {
    std::string value;
    std::string gradient;
  };
  static Numbers numbers_of(const autograd::Tensor& tensor) {
    const autograd::Tensor gradient = tensor.grad();
    return {fmt::format("{:.3f}", tensor.item()),
            gradient.defined() ? fmt::format("grad {:.3f}", gradient.item()) : ""};
  }

  // The derivative, in two lines if it is long.
  static std::vector<std::string> derivative_of(Node node) {
    if (node->is_leaf()) return {};
    std::string text = node->op->text.derivative;
    const std::size_t comma = text.find(", ", text.size() / 3);
    if (text.size() < 32 || comma == std::string::npos) return {text};
    return {text.substr(0, comma), text.substr(comma + 2)};
  }

  std::string box(Node node, const Place& place) const {
    const std::vector<std::string> derivative = derivative_of(node);
    const auto numbers = numbers_.find(node);
    const std::size_t lines = derivative.size() + (numbers == numbers_.end() ? 0 : 1);
    double y = place.y + 5.0 - 8.0 * static_cast<double>(lines);
    std::string svg = svg::rectangle(node->is_leaf() ? "learnt" : "value", place.x - width_of(node) / 2.0,
                                     place.y - box_height / 2.0, width_of(node), box_height, " rx=\"5\"");
    svg += svg::text_at(place.x, y, "small middle", label_of(node));
    for (const std::string& text : derivative) {
      y += 15.0;
      svg += svg::text_at(place.x, y, "small back middle", text);
    }
    if (numbers != numbers_.end()) {
      const auto& [value, gradient] = numbers->second;
      const double middle = gradient.empty() ? place.x : place.x - 34.0;
      svg += svg::text_at(middle, y + 16.0, "small first middle", value);
      svg += svg::text_at(place.x - 8.0, y + 16.0, "small first back", gradient);
    }
    return svg;
  }

  // In words, for those who cannot see it.
  std::string description() const {
    std::string text;
    for (const Node node : nodes_) {
      if (node->is_leaf()) continue;
      text += label_of(node) + " from";
      for (const auto& input : node->inputs)
        text += input ? " " + (name_of(input.get()).empty() ? input->name() : name_of(input.get())) : "";
      text += ". ";
    }
    for (const Node node : nodes_) {
      const auto numbers = numbers_.find(node);
      if (numbers == numbers_.end()) continue;
      const auto& [value, gradient] = numbers->second;
      text += fmt::format("{}: {}{}{}. ", name_of(node), value, gradient.empty() ? "" : ", ", gradient);
    }
    return text;
  }

  std::vector<Node> nodes_;
  std::map<Node, std::string> names_;  // of views that were left out
  std::map<Node, Numbers> numbers_;
  std::map<Node, autograd::Shape> shapes_;
  std::map<Node, std::size_t> level_;
  std::vector<Item> items_;
  std::vector<std::vector<std::size_t>> levels_;  // from left to right
};

inline void write_graph_svg(const std::string& path, const autograd::Tensor& output, const std::string& title,
                            const std::vector<autograd::Tensor>& shown = {}) {
  std::ofstream(path) << Graph(output, shown).svg(title);
}

}  // namespace docs

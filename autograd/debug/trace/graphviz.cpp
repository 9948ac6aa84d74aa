#include "autograd/debug/trace/graphviz.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

namespace autograd::debug {
namespace {

// Escapes the quote and the backslash, the only special characters in a dot string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// Joins escaped lines by the label's line ends, which must not be escaped again.
std::string label_of(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines) {
    const std::string one = quoted(line);
    if (!result.empty()) result += "\\n";
    result += one.substr(1, one.size() - 2);
  }
  return "\"" + result + "\"";
}

class Writer {
 public:
  explicit Writer(const Trace& trace) : trace_(trace) {}

  std::string write() {
    text_ =
        "digraph trace {\n"
        "  rankdir=TB; fontname=\"sans-serif\"; compound=true;\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\", fontsize=11];\n"
        "  edge [color=gray50, arrowsize=0.6];\n";
    write_groups();
    write_edges();
    return text_ + "}\n";
  }

 private:
  void write_item(const TraceItem& item) {
    if (item.kind == TraceItem::Kind::node) {
      const TraceNode& node = trace_.nodes[item.index];
      std::string where;
      if (node.line != none) {
        const TraceLine& line = trace_.lines[static_cast<std::size_t>(node.line)];
        where = fmt::format("{}:{}", line.file, line.line);
      }
      text_ += fmt::format("  n{} [label={}, tooltip={}];\n", node.id,
                           label_of({node.label + " " + node.op, shape_text(node.shape)}), quoted(where));
    }
    if (item.kind == TraceItem::Kind::use) {
      const TraceNode* leaf = trace_.find(trace_.uses[item.index].leaf);
      if (!leaf) return;
      text_ += fmt::format("  u{} [label={}, shape=ellipse, fillcolor=gray95];\n", item.index,
                           label_of({leaf->label, shape_text(leaf->shape)}));
    }
  }

  // Without recursion, because modules may be nested deeply.
  void write_groups() {
    struct Open {
      std::size_t group, row, column;
    };
    std::vector<Open> open = {{0, 0, 0}};
    while (!open.empty()) {
      Open& at = open.back();
      const TraceGroup& group = trace_.groups[at.group];
      if (at.row == group.rows.size()) {
        if (is_box(at.group)) text_ += "  }\n";
        open.pop_back();
        continue;
      }
      if (at.column == group.rows[at.row].size()) {
        ++at.row;
        at.column = 0;
        continue;
      }
      const TraceItem item = group.rows[at.row][at.column++];
      if (item.kind != TraceItem::Kind::group) {
        write_item(item);
        continue;
      }
      if (is_box(item.index)) {
        text_ += fmt::format("  subgraph cluster_{} {{\n  label={}; color=gray70; style=rounded;\n", item.index,
                             quoted(trace_.groups[item.index].name));
      }
      open.push_back({item.index, 0, 0});
    }
  }

  bool is_box(std::size_t group) const {
    const TraceGroup::Kind kind = trace_.groups[group].kind;
    return group != 0 && (kind == TraceGroup::Kind::module || kind == TraceGroup::Kind::step);
  }

  void write_edges() {
    for (const TraceNode& node : trace_.nodes) {
      for (const TraceInput& input : node.inputs) {
        if (input.use != none) {
          text_ += fmt::format("  u{} -> n{};\n", input.use, node.id);
        } else if (input.node && trace_.find(*input.node)) {
          text_ += fmt::format("  n{} -> n{};\n", *input.node, node.id);
        }
      }
    }
  }

  const Trace& trace_;
  std::string text_;
};

}  // namespace

std::string to_graphviz(const Trace& trace) {
  return Writer(trace).write();
}

}  // namespace autograd::debug

#include "autograd/debug/variables.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "autograd/debug/known_leaves.h"
#include "autograd/debug/source_lines.h"

namespace autograd::debug {
namespace {

// Tells a name from what else instruments keep with a node.
struct NameDeleter {
  void operator()(const void* name) const { delete static_cast<const std::string*>(name); }
};

const std::string* kept_name(const Node& node) {
  if (!node.attachments) return nullptr;
  for (const std::shared_ptr<const void>& kept : node.attachments->kept) {
    if (std::get_deleter<NameDeleter>(kept)) return static_cast<const std::string*>(kept.get());
  }
  return nullptr;
}

void keep_name(Node& node, const std::string& name) {
  if (variable_of(node) == name) return;
  std::vector<std::shared_ptr<const void>>& kept = node.attach().kept;
  std::erase_if(kept, [](const std::shared_ptr<const void>& one) { return std::get_deleter<NameDeleter>(one); });
  const void* made = new std::string(name);
  kept.push_back(std::shared_ptr<const void>(made, NameDeleter{}));
}

using Ops = std::vector<const RanOp*>;

// What a statement ran: an op of its own line, or a module that it called.
struct Part {
  const Scope* call = nullptr;
  Ops ops;

  bool is_like(const Part& other) const {
    if (call || other.call) return call && other.call && call->name == other.call->name;
    return ops[0]->node->op == other.ops[0]->node->op;
  }
  // The op whose output no other of them uses; nullptr if there are several.
  const RanOp* output() const {
    std::unordered_set<const Node*> used;
    for (const RanOp* op : ops) {
      for (const Ref<Node>& from : *op->from) used.insert(from.get());
    }
    const RanOp* found = nullptr;
    for (const RanOp* op : ops) {
      if (used.contains(op->node)) continue;
      if (found) return nullptr;
      found = op;
    }
    return found;
  }
};

// h = tanh(h.matmul(w)) in a loop: does each round run as many ops, and the same?
bool has_rounds(const std::vector<Part>& parts, std::size_t size) {
  if (size == 0 || parts.size() % size != 0) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].call || parts[i].ops[0]->composite || !parts[i].is_like(parts[i % size])) return false;
  }
  return true;
}

// What the statement as a whole has made, each time that it ran, as far as that can be told apart.
Ops results_of(const std::vector<Part>& parts, const Statement& statement) {
  Ops outputs;
  std::unordered_map<const Node*, const Part*> made_by;
  std::unordered_set<const Node*> used;
  for (const Part& part : parts) {
    for (const RanOp* op : part.ops) {
      for (const Ref<Node>& from : *op->from) {
        const auto made = made_by.find(from.get());
        if (made == made_by.end()) continue;
        const bool is_next_round = part.call && part.is_like(*made->second);  // h = cell(x, h)
        if (!is_next_round) used.insert(from.get());
      }
    }
    outputs.push_back(part.output());
    if (outputs.back()) made_by.emplace(outputs.back()->node, &part);
  }
  if (!outputs.back()) return {};
  Ops results;
  const bool chained = has_rounds(parts, statement.operations);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool ends_round = chained && (i + 1) % statement.operations == 0;
    const bool is_last = outputs[i] && !used.contains(outputs[i]->node) && parts[i].is_like(parts.back());
    if (ends_round || is_last) results.push_back(outputs[i]);
  }
  return results;
}

}  // namespace

std::string variable_of(const Node& node) {
  const std::string* name = kept_name(node);
  return name ? *name : "";
}

const Statement* Variables::statement_at(Where where) {
  if (where.line == 0) return nullptr;
  const auto [place, is_new] = files_.try_emplace(where.file);
  if (is_new) place->second = assignments_in(read_source(find_source(place->first)));
  return place->second.at(where.line);
}

void Variables::name(const std::vector<RanOp>& ops, bool has_stopped) {
  // A statement, in one call of the module around it. Inner ones first, so that the outermost has the last word.
  using Place = std::tuple<int, const Statement*, const Scope*>;
  const auto place_of = [this](Where where, const Scope* scope) {
    int depth = 0;
    for (const Scope* at = scope; at; at = at->parent.get()) ++depth;
    return Place(-depth, statement_at(where), scope);
  };
  std::set<Place> own_places;
  for (const RanOp& op : ops) own_places.insert(place_of(op.node->called_at, op.node->scope.get()));
  std::map<Place, std::vector<Part>> ran;
  for (const RanOp& op : ops) {
    if (op.node->backward_of) continue;
    Place own = place_of(op.node->called_at, op.node->scope.get());
    for (const Scope* at = op.node->scope.get(); at; at = at->parent.get()) {
      const Place around = place_of(at->is_step() ? op.node->called_at : at->called_from, at->parent.get());
      if (at->is_step()) {  // perhaps one inside of a composite
        if (own_places.contains(around)) own = around;
        continue;
      }
      std::vector<Part>& parts = ran[around];
      if (parts.empty() || parts.back().call != at) parts.push_back({at, {}});
      parts.back().ops.push_back(&op);
    }
    ran[own].push_back({nullptr, {&op}});
  }
  for (const auto& [place, parts] : ran) {
    const Statement* statement = std::get<1>(place);
    if (!statement || statement->names.empty()) continue;
    const Ops results = results_of(parts, *statement);
    if (results.empty()) continue;
    const RanOp& made = *results.back();
    const std::string called = parts.back().call ? "" : made.composite ? made.composite : made.node->name();
    const bool is_call_of_op = !called.empty() && called == statement->call;
    if (!is_call_of_op && (parts.back().call ? statement->calls_own : !statement->call.empty())) continue;
    if (has_stopped && parts.back().ops.back() == &ops.back() && !is_call_of_op) continue;
    const bool is_one = statement->names.size() == 1;
    if (!is_one && (!is_call_of_op || results.size() > statement->names.size())) continue;
    for (std::size_t i = 0; i < results.size(); ++i) keep_name(*results[i]->node, statement->names[is_one ? 0 : i]);
  }
}

void Variables::name(const std::vector<Node*>& leaves) {
  std::map<std::pair<std::string, int>, std::size_t> count;
  for (const KnownLeaf& leaf : living_leaves()) ++count[{leaf.marked_at.file, leaf.marked_at.line}];
  for (Node* node : leaves) {
    const std::optional<KnownLeaf> leaf = known_leaf(static_cast<const Leaf&>(*node).tensor);
    if (!leaf || count[{leaf->marked_at.file, leaf->marked_at.line}] != 1) continue;
    const Statement* statement = statement_at(leaf->marked_at);
    if (!statement) continue;
    if (statement->names.size() == 1) keep_name(*node, statement->names[0]);
    if (statement->names.empty() && !statement->object.empty()) keep_name(*node, statement->object);
  }
}

}  // namespace autograd::debug

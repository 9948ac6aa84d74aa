#include "autograd/debug/variables.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
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
  if (kept_name(node)) return;
  const void* kept = new std::string(name);
  node.attach().kept.push_back(std::shared_ptr<const void>(kept, NameDeleter{}));
}

using Ops = std::vector<const RanOp*>;  // of one statement, in one call of the module around it

// Those whose output no other of them uses: what the statement as a whole has made.
Ops results_of(const Ops& ops) {
  std::unordered_set<const Node*> used;
  for (const RanOp* op : ops) {
    for (const Ref<Node>& from : *op->from) used.insert(from.get());
  }
  Ops results;
  for (const RanOp* op : ops) {
    if (!used.contains(op->node)) results.push_back(op);
  }
  return results;
}

// h = tanh(h.matmul(w)) in a loop: the last of each round, if the rounds can be told apart.
Ops results_of_rounds(const Ops& ops, std::size_t round) {
  const auto is_again = [&](std::size_t i) { return ops[i]->node->op == ops[i % round]->node->op; };
  bool has_rounds = round > 0 && ops.size() % round == 0;
  for (std::size_t i = 0; has_rounds && i < ops.size(); ++i) has_rounds = is_again(i);
  if (!has_rounds) return results_of(ops);
  Ops results;
  for (std::size_t i = round - 1; i < ops.size(); i += round) results.push_back(ops[i]);
  return results;
}

}  // namespace

std::string variable_of(const Node& node) {
  const std::string* name = kept_name(node);
  return name ? *name : "";
}

const Assignments& Variables::of_file(const std::string& file) {
  const auto [place, is_new] = files_.try_emplace(file);
  if (is_new) place->second = assignments_in(read_source(find_source(file)));
  return place->second;
}

const Statement* Variables::statement_at(Where where) {
  return where.line == 0 ? nullptr : of_file(where.file).at(where.line);
}

void Variables::name(const std::vector<RanOp>& ops, bool has_stopped) {
  using Place = std::pair<const Statement*, const Scope*>;
  std::set<Place> places;
  std::set<const Statement*> with_modules;  // that call some
  std::vector<const Statement*> statements;
  for (const RanOp& op : ops) {
    for (const Scope* at = op.node->scope.get(); at; at = at->parent.get()) {
      if (!at->is_step()) with_modules.insert(statement_at(at->called_from));
    }
    const bool is_derivative = op.node->backward_of != nullptr;
    statements.push_back(is_derivative ? nullptr : statement_at(op.node->called_at));
    places.emplace(statements.back(), op.node->scope.get());
  }
  const Statement* const last = statements.empty() ? nullptr : statements.back();
  std::map<Place, Ops> together;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!statements[i] || statements[i]->names.empty()) continue;
    Place outermost{statements[i], ops[i].node->scope.get()};  // around the steps of a composite
    for (const Scope* at = ops[i].node->scope.get(); at; at = at->parent.get()) {
      if (places.contains({statements[i], at->parent.get()})) outermost.second = at->parent.get();
    }
    together[outermost].push_back(&ops[i]);
  }
  for (const auto& [place, of_statement] : together) {
    const Statement& statement = *place.first;
    const bool is_one = statement.names.size() == 1;
    const Ops results = is_one && statement.reads_own ? results_of_rounds(of_statement, statement.operations)
                                                      : results_of(of_statement);
    const RanOp& result = *results.back();
    const Node& made_last = *result.node;
    const bool is_own_call =
        with_modules.contains(&statement) || of_file(made_last.called_at.file).declared.contains(statement.call);
    const bool is_call_of_op = statement.call == (result.composite ? result.composite : made_last.name());
    if (!is_call_of_op && !statement.call.empty() && is_own_call) continue;  // what its arguments made
    if (has_stopped && &statement == last && !is_call_of_op) continue;
    if (!is_one && (!is_call_of_op || results.size() > statement.names.size())) continue;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (is_one && results[i]->node->op != made_last.op) continue;  // an argument of a function
      keep_name(*results[i]->node, statement.names[is_one ? 0 : i]);
    }
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

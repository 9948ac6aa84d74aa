#include "autograd/debug/trace/trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "autograd/debug/source_lines.h"
#include "autograd/debug/statistics.h"
#include "autograd/gradcheck/check_node.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

// ---- numbers ----------------------------------------------------------------------------------------------------------

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  return hash * 0x100000001b3u;
}

std::uint64_t hash_of(const TraceTensor& tensor, const std::vector<double>& values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : tensor.dtype) hash = mix(hash, static_cast<unsigned char>(c));
  for (const std::int64_t size : tensor.shape) hash = mix(hash, static_cast<std::uint64_t>(size));
  for (const double value : values) hash = mix(hash, std::bit_cast<std::uint64_t>(value));
  return hash;
}

void add_statistics(TraceTensor& tensor, const std::vector<double>& values) {
  const Statistics statistics = statistics_of(values);
  tensor.min = statistics.smallest;
  tensor.max = statistics.largest;
  tensor.mean = statistics.mean();
  tensor.norm = statistics.norm();
  tensor.nan = statistics.nan;
  tensor.inf = statistics.infinite;
}

// At most `most` cells, in about the proportions of the matrix.
std::pair<std::int64_t, std::int64_t> picture_size(std::int64_t rows, std::int64_t columns, std::int64_t most) {
  const double side = std::sqrt(static_cast<double>(std::max<std::int64_t>(most, 1)));
  const std::int64_t narrow = std::max<std::int64_t>(1, static_cast<std::int64_t>(side));
  if (rows <= narrow) return {rows, std::min(columns, most / rows)};
  if (columns <= narrow) return {std::min(rows, most / columns), columns};
  return {narrow, narrow};
}

void add_cells(TraceTensor& tensor, const std::vector<double>& values, std::int64_t most) {
  const std::int64_t columns = tensor.shape.empty() ? 1 : tensor.shape.back();
  const std::int64_t rows = static_cast<std::int64_t>(values.size()) / columns;
  std::tie(tensor.rows, tensor.columns) = picture_size(rows, columns, most);
  tensor.cells.assign(static_cast<std::size_t>(tensor.rows * tensor.columns), 0);
  std::vector<double> count(tensor.cells.size(), 0);
  std::vector<std::size_t> block(
      static_cast<std::size_t>(columns));  // the column of the picture, for each of the matrix
  for (std::int64_t column = 0; column < columns; ++column) {
    block[static_cast<std::size_t>(column)] = static_cast<std::size_t>(column * tensor.columns / columns);
  }
  const double* value = values.data();
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto begin = static_cast<std::size_t>(row * tensor.rows / rows * tensor.columns);
    for (const std::size_t column : block) {
      tensor.cells[begin + column] += *value++;
      ++count[begin + column];
    }
  }
  for (std::size_t i = 0; i < tensor.cells.size(); ++i) tensor.cells[i] /= count[i];
}

std::vector<std::int64_t> to_list(const Shape& shape) {
  return {shape.begin(), shape.end()};
}

// Stores equal tensors once: many gradients of a graph have the same numbers.
class Tensors {
 public:
  explicit Tensors(std::vector<TraceTensor>& list) : list_(list) {}

  // `compute` gives the values of what was not kept.
  template <class Compute> int add(const KeptTensor& kept, const Compute& compute) {
    if (!kept.defined()) return none;
    const auto [place, is_new] = by_identity_.try_emplace(kept.identity(), none);
    if (!is_new) return place->second;
    kept_.push_back(kept);
    place->second = kept.is_fingerprint() ? add(compute()) : add_values(kept, kept.tensor());
    return place->second;
  }

  int add(const Tensor& tensor) { return tensor.defined() ? add_values(KeptTensor(tensor), tensor) : none; }

  // One that is kept completely, and does not count.
  int add_whole(const Tensor& tensor) {
    const int index = add(tensor);
    whole_.insert(static_cast<std::size_t>(index));
    return index;
  }

  // How many numbers of a tensor can be kept without keeping too many in all.
  std::int64_t limit(const TraceOptions& options) const {
    std::int64_t limit = std::max<std::int64_t>(options.values_per_tensor, 1);
    while (limit > 16 && kept(limit) > options.values_in_all) limit /= 2;
    return limit;
  }

  // Keeps all numbers of small tensors, and summaries of the others.
  void finish(std::int64_t limit) {
    for (std::size_t i = 0; i < list_.size(); ++i) {
      std::vector<double> values = sources_[i].tensor().to_vector();
      add_statistics(list_[i], values);
      list_[i].complete = whole_.contains(i) || static_cast<std::int64_t>(values.size()) <= limit;
      if (list_[i].complete) {
        list_[i].values = std::move(values);
      } else {
        add_cells(list_[i], values, limit);
      }
    }
  }

 private:
  int add_values(const KeptTensor& kept, const Tensor& tensor) {
    TraceTensor made;
    made.shape = to_list(tensor.shape());
    made.dtype = name(tensor.dtype());
    made.hash = hash_of(made, tensor.to_vector());
    const auto [same, is_first] = by_hash_.try_emplace(made.hash, static_cast<int>(list_.size()));
    if (is_first) {
      list_.push_back(std::move(made));
      sources_.push_back(kept);
    }
    return same->second;
  }

  static std::int64_t numel_of(const TraceTensor& tensor) {
    std::int64_t count = 1;
    for (const std::int64_t size : tensor.shape) count *= size;
    return count;
  }

  std::int64_t kept(std::int64_t limit) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (!whole_.contains(i)) sum += std::min(limit, numel_of(list_[i]));
    }
    return sum;
  }

  std::vector<TraceTensor>& list_;
  std::vector<KeptTensor> sources_;  // of each in the list
  std::unordered_set<std::size_t> whole_;
  std::vector<KeptTensor> kept_;  // so that no identity is used again for another tensor
  std::unordered_map<const void*, int> by_identity_;
  std::unordered_map<std::uint64_t, int> by_hash_;
};

// ---- the trace --------------------------------------------------------------------------------------------------------

std::string shown_line(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t')
      text += "    ";
    else if (c != '\r')
      text += c;
  }
  return printable(text);
}

class Maker {
 public:
  Maker(const Recording& recording, const PassRecord& pass)
      : recording_(recording), pass_(pass), tensors_(trace_.tensors) {}

  Trace make(const TraceOptions& options) {
    trace_.pass = pass_.number;
    trace_.called_at = line_of(pass_.called_at);
    trace_.captures_only = pass_.captures_only;
    trace_.completed = pass_.completed;
    trace_.history = recording_.history();
    add_group(nullptr, TraceGroup::Kind::module, none);
    std::vector<const Node*> nodes;
    for (const Ref<Node>& node : pass_.order) nodes.push_back(node.get());
    std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->number < b->number; });
    for (const Node* node : nodes) ids_.emplace(node, node->number);
    for (const Node* node : nodes) add_node(*node);
    add_contributions();
    for (const Step& step : pass_.steps) add_step(step);
    add_gradients(nodes);
    add_slopes(nodes, options.slopes_in_all);
    tensors_.finish(tensors_.limit(options));
    add_sources();
    return std::move(trace_);
  }

 private:
  int line_of(Where where) {
    if (where.line == 0) return none;
    const auto [place, is_new] = lines_.try_emplace({where.file, where.line}, static_cast<int>(trace_.lines.size()));
    if (is_new) {
      const std::vector<std::string>& lines = source_of(where.file);
      const auto number = static_cast<std::size_t>(where.line);
      const std::string text = number > lines.size() ? "" : trim(lines[number - 1]);
      trace_.lines.push_back({printable(file_from_here(where.file)), where.line, printable(text.substr(0, 500))});
    }
    return place->second;
  }

  int add_group(const Scope* scope, TraceGroup::Kind kind, int parent) {
    TraceGroup group;
    group.kind = kind;
    group.parent = parent;
    if (scope) {
      group.name = printable(scope_name(*scope));
      group.called_from = line_of(scope->called_from);
      if (scope->is_step()) {
        group.kind = TraceGroup::Kind::step;
        group.step = scope->step;
      }
    }
    trace_.groups.push_back(group);
    return static_cast<int>(trace_.groups.size()) - 1;
  }

  // One group for each call of a module. Ops recorded while differentiating have groups of their own, because they run
  // long after the call.
  int group_of(const Node& node) {
    const bool is_derivative = node.backward_of != nullptr;
    int group = 0;
    if (is_derivative) {
      if (derivatives_ == none) {
        derivatives_ = add_group(nullptr, TraceGroup::Kind::module, 0);
        trace_.groups.back().name = "derivatives";
      }
      group = derivatives_;
    }
    std::vector<const Scope*> path;
    for (const Scope* scope = node.scope.get(); scope; scope = scope->parent.get()) path.push_back(scope);
    for (; !path.empty(); path.pop_back()) {
      const auto place = groups_.find({path.back(), is_derivative});
      if (place != groups_.end()) {
        group = place->second;
        continue;
      }
      group = add_group(path.back(), TraceGroup::Kind::module, group);
      groups_[{path.back(), is_derivative}] = group;
    }
    return group;
  }

  void add_op(const Node& node) {
    const OpText& text = node.op->text;
    if (trace_.find_op(text.name)) return;
    trace_.ops.push_back({printable(text.name), printable(text.formula), printable(text.derivative)});
  }

  void add_node(const Node& node) {
    add_op(node);
    TraceNode made;
    made.id = node.number;
    made.label = printable(label(node));
    made.op = printable(node.name());
    made.is_leaf = node.is_leaf();
    made.line = line_of(node.called_at);
    made.origin = line_of(scope_origin(node.scope));
    if (made.origin == made.line) made.origin = none;
    made.module = printable(module_of(node));
    for (const Scope* scope = node.scope.get(); scope; scope = scope->parent.get()) {
      if (scope->is_step()) made.time_steps.insert(made.time_steps.begin(), scope->step);
    }
    made.group = made.is_leaf ? 0 : group_of(node);
    made.shape = to_list(node.shape);
    made.dtype = name(node.dtype);
    made.expected = pass_.expected(node);
    const KeptCall* call = recording_.kept(node);
    if (call) made.value = tensors_.add(call->output, [&] { return recording_.output_of(*call); });
    add_inputs(made, node, call);
    trace_.nodes.push_back(std::move(made));
  }

  void add_inputs(TraceNode& made, const Node& node, const KeptCall* call) {
    const std::size_t count = call ? call->inputs.size() : node.inputs.size();
    for (std::size_t i = 0; i < count; ++i) {
      TraceInput input;
      const Node* from = nullptr;
      if (call && i < call->from.size()) {
        from = call->from[i].get();
      } else if (!call) {
        from = node.inputs[i].get();
      }
      if (from) {
        input.node = from->number;
        input.name = printable(label(*from));
        if (from->is_leaf()) input.use = add_use(*from, node, i);
      }
      if (call && call->inputs[i].defined()) {
        if (!from) input.name = printable(call->inputs[i].name());
        if (!from || !ids_.contains(from)) {
          input.value = tensors_.add(call->inputs[i], [&] { return recording_.input_of(*call, i); });
        }
      }
      made.inputs.push_back(input);
    }
  }

  int add_use(const Node& leaf, const Node& user, std::size_t input) {
    trace_.uses.push_back({leaf.number, user.number, input});
    const int index = static_cast<int>(trace_.uses.size()) - 1;
    uses_[{user.number, input}] = index;
    return index;
  }

  void add_contributions() {
    for (const Contribution& contribution : pass_.contributions) {
      TraceContribution made;
      made.to = contribution.to->number;
      made.input = contribution.input;
      made.value = tensors_.add(contribution.value, [&] { return pass_.value_of(contribution); });
      if (contribution.from) {
        made.from = contribution.from->number;
        const auto use = uses_.find({contribution.from->number, contribution.input});
        if (use != uses_.end()) made.use = use->second;
      }
      trace_.contributions.push_back(made);
    }
  }

  void add_step(const Step& step) {
    const std::size_t position = trace_.steps.size();
    trace_.steps.push_back({step.node->number, step.first, pass_.contributions_after(position + 1)});
  }

  // The gradient that a node's backward was given, or the sum of its contributions if it did not run.
  void add_gradients(const std::vector<const Node*>& nodes) {
    std::unordered_map<const Node*, int> given;
    for (const Step& step : pass_.steps) {
      given[step.node.get()] = tensors_.add(step.dy, [&] { return pass_.dy_of(step); });
    }
    std::unordered_map<const Node*, Tensor> sums;
    for (const Contribution& contribution : pass_.contributions) {
      if (given.contains(contribution.to)) continue;
      Tensor& sum = sums[contribution.to];
      const Tensor value = pass_.value_of(contribution);
      sum = sum.defined() ? sum + value : value;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto place = given.find(nodes[i]);
      trace_.nodes[i].gradient = place != given.end() ? place->second : tensors_.add(sums[nodes[i]]);
    }
  }

  // The elements of the op's Jacobians, of all inputs that need a gradient.
  static std::int64_t jacobian_size(const Node& node) {
    std::int64_t elements = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) elements += node.needs(i) ? node.input_shape(i).numel() : 0;
    return elements * node.shape.numel();
  }

  // Of the smallest ops first, as long as there is room and time.
  void add_slopes(const std::vector<const Node*>& nodes, std::int64_t most) {
    std::int64_t most_looked_at = 32'000'000;
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return jacobian_size(*nodes[a]) < jacobian_size(*nodes[b]); });
    for (const std::size_t i : order) {
      most_looked_at -= jacobian_size(*nodes[i]);
      if (most_looked_at < 0) return;
      most -= add_slopes(trace_.nodes[i], *nodes[i], most);
    }
  }

  // What the op's own backward makes of a 1 at each element of its output. Returns how many were added: all or none.
  std::int64_t add_slopes(TraceNode& made, const Node& node, std::int64_t most) {
    if (node.is_leaf() || node.released) return 0;
    std::vector<std::vector<double>> found(node.inputs.size());
    std::int64_t count = 0;
    try {
      std::vector<double> one(static_cast<std::size_t>(node.shape.numel()), 0);
      for (std::size_t row = 0; row < one.size(); ++row) {
        one[row] = 1;
        const Grads slopes = const_cast<Node&>(node).backward(from_vector(one, node.shape, node.dtype));
        one[row] = 0;
        for (std::size_t i = 0; i < slopes.size() && i < found.size(); ++i) {
          if (node.needs(i)) count += append(found[i], row, checker::fitted(slopes[i], node.input_shape(i)));
        }
        if (count > most) return 0;
      }
    } catch (const std::exception&) {  // what it kept has been overwritten
      return 0;
    }
    for (std::size_t i = 0; i < found.size() && i < made.inputs.size(); ++i) {
      if (!node.needs(i)) continue;
      const auto rows = static_cast<std::int64_t>(found[i].size() / 3);
      made.inputs[i].slopes = tensors_.add_whole(from_vector(found[i], {rows, 3}, node.dtype));
    }
    return count;
  }

  static std::int64_t append(std::vector<double>& found, std::size_t row, const Tensor& slopes) {
    if (!slopes.defined()) return 0;
    const std::vector<double> values = slopes.to_vector();
    const std::size_t before = found.size();
    for (std::size_t column = 0; column < values.size(); ++column) {
      if (values[column] == 0) continue;
      found.insert(found.end(), {static_cast<double>(row), static_cast<double>(column), values[column]});
    }
    return static_cast<std::int64_t>((found.size() - before) / 3);
  }

  const std::vector<std::string>& source_of(const std::string& file) {
    const auto [place, is_new] = sources_.try_emplace(file);
    if (is_new) place->second = read_source(find_source(file));
    return place->second;
  }

  void add_sources() {
    std::size_t room = 2'000'000;  // characters; the page stays small
    for (const TraceLine& line : trace_.lines) {
      const auto same = [&](const TraceSource& source) { return source.file == line.file; };
      if (std::any_of(trace_.sources.begin(), trace_.sources.end(), same)) continue;
      TraceSource source{line.file, "", ""};
      for (const std::string& one : source_of(line.file)) source.text += shown_line(one) + "\n";
      if (source.text.empty()) source.missing = "it was not found";
      if (source.text.size() > room) source = {line.file, "", "it is too long"};
      room -= source.text.size();
      trace_.sources.push_back(std::move(source));
    }
  }

  const Recording& recording_;
  const PassRecord& pass_;
  Trace trace_;
  Tensors tensors_;
  std::unordered_map<std::string, std::vector<std::string>> sources_;
  std::unordered_map<const Node*, std::uint64_t> ids_;
  std::map<std::pair<std::string, int>, int> lines_;
  std::map<std::pair<const Scope*, bool>, int> groups_;
  std::map<std::pair<std::uint64_t, std::size_t>, int> uses_;
  int derivatives_ = none;
};

}  // namespace

const TraceNode* Trace::find(std::uint64_t id) const {
  const auto place = std::lower_bound(nodes.begin(), nodes.end(), id,
                                      [](const TraceNode& node, std::uint64_t wanted) { return node.id < wanted; });
  return place != nodes.end() && place->id == id ? &*place : nullptr;
}

const TraceOp* Trace::find_op(std::string_view name) const {
  for (const TraceOp& op : ops) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

Trace make_trace(const Recording& recording, const PassRecord& pass, const TraceOptions& options) {
  // Hides ops that are run here, which are not part of the program.
  Observer silent;
  const ObserverGuard guard(silent);
  const NoGradGuard no_grad;
  return Maker(recording, pass).make(options);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
  return "[" + text + "]";
}

}  // namespace autograd::debug

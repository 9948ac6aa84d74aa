#include "autograd/debug/trace/trace_layout.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace autograd::debug {
namespace {

using Kind = TraceGroup::Kind;
using Items = std::vector<TraceItem>;

struct Edge {
  std::size_t from, to;  // positions in the list of a group's members
};

// The members of a group, in the order of the program. Ops of one call are not interrupted by ops of another, so that
// edges between members lead only from earlier to later ones.
struct Members {
  Items items;
  std::vector<Edge> edges;
};

class Layout {
 public:
  explicit Layout(Trace& trace) : trace_(trace) {}

  void run() {
    collect_members();
    const std::size_t groups = trace_.groups.size();
    for (std::size_t group = 0; group < groups; ++group) gather_loops(group);
    find_positions();
    collect_edges();
    for (std::size_t group = 0; group < trace_.groups.size(); ++group) fill_rows(group);
  }

 private:
  TraceGroup& group(std::size_t index) { return trace_.groups[index]; }

  int parent_of(const TraceItem& item) const {
    if (item.kind == TraceItem::Kind::group) return trace_.groups[item.index].parent;
    if (item.kind == TraceItem::Kind::node) return trace_.nodes[item.index].group;
    return trace_.nodes[positions_.at(trace_.uses[item.index].user)].group;
  }

  // ---- who is in which group --------------------------------------------------------------------------------------

  // Adds a group to its parent's list when its first op is added.
  void enter(const TraceItem& item) {
    TraceItem entering = item;
    while (true) {
      const int parent = parent_of(entering);
      if (parent == none) return;
      members_[static_cast<std::size_t>(parent)].items.push_back(entering);
      if (entered_[static_cast<std::size_t>(parent)]) return;
      entered_[static_cast<std::size_t>(parent)] = true;
      entering = {TraceItem::Kind::group, static_cast<std::size_t>(parent)};
    }
  }

  void collect_members() {
    members_.resize(trace_.groups.size());
    entered_.resize(trace_.groups.size());
    for (std::size_t i = 0; i < trace_.nodes.size(); ++i) positions_[trace_.nodes[i].id] = i;
    std::vector<Items> uses_of(trace_.nodes.size());
    for (std::size_t i = 0; i < trace_.uses.size(); ++i) {
      uses_of[positions_.at(trace_.uses[i].user)].push_back({TraceItem::Kind::use, i});
    }
    for (std::size_t i = 0; i < trace_.nodes.size(); ++i) {
      if (trace_.nodes[i].is_leaf) continue;
      for (const TraceItem& use : uses_of[i]) enter(use);
      enter({TraceItem::Kind::node, i});
    }
  }

  // ---- loops --------------------------------------------------------------------------------------------------------

  bool is_step(const TraceItem& item) const {
    return item.kind == TraceItem::Kind::group && trace_.groups[item.index].kind == Kind::step;
  }

  std::size_t add_group(Kind kind, int parent) {
    TraceGroup made;
    made.kind = kind;
    made.parent = parent;
    trace_.groups.push_back(made);
    members_.emplace_back();
    return trace_.groups.size() - 1;
  }

  // The end of the loop whose first step is at `begin`: a step number that comes again belongs to another loop.
  std::size_t end_of_loop(const Items& items, std::size_t begin) const {
    std::set<std::int64_t> seen;
    std::size_t end = begin;
    for (std::size_t i = begin; i < items.size(); ++i) {
      if (!is_step(items[i])) continue;
      if (!seen.insert(trace_.groups[items[i].index].step).second) break;
      end = i + 1;
    }
    return end;
  }

  void set_parent(const TraceItem& item, std::size_t parent) {
    const int index = static_cast<int>(parent);
    if (item.kind == TraceItem::Kind::group) group(item.index).parent = index;
    if (item.kind == TraceItem::Kind::node) trace_.nodes[item.index].group = index;
  }

  TraceItem make_loop(const Items& items, std::size_t begin, std::size_t end, int parent) {
    const std::size_t loop = add_group(Kind::loop, parent);
    Items columns;
    bool in_between = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (is_step(items[i])) {
        columns.push_back(items[i]);
        set_parent(items[i], loop);
        in_between = false;
        continue;
      }
      if (!in_between) {
        columns.push_back({TraceItem::Kind::group, add_group(Kind::between, static_cast<int>(loop))});
        in_between = true;
      }
      set_parent(items[i], columns.back().index);
      members_[columns.back().index].items.push_back(items[i]);
    }
    // A loop that runs backwards in time is drawn forwards, so that equal times have equal places.
    const auto step_at = [&](std::size_t i) { return group(columns[i].index).step; };
    if (is_step(columns.front()) && is_step(columns.back()) && step_at(0) > step_at(columns.size() - 1)) {
      std::reverse(columns.begin(), columns.end());
    }
    members_[loop].items = columns;
    return {TraceItem::Kind::group, loop};
  }

  void gather_loops(std::size_t index) {
    const Items items = members_[index].items;
    Items gathered;
    for (std::size_t i = 0; i < items.size();) {
      const std::size_t end = is_step(items[i]) ? end_of_loop(items, i) : i;
      if (end > i) {
        gathered.push_back(make_loop(items, i, end, static_cast<int>(index)));
        i = end;
      } else {
        gathered.push_back(items[i++]);
      }
    }
    members_[index].items = gathered;
  }

  // ---- edges --------------------------------------------------------------------------------------------------------

  void find_positions() {
    depth_.assign(trace_.groups.size(), 0);
    position_of_group_.assign(trace_.groups.size(), 0);
    position_of_node_.assign(trace_.nodes.size(), 0);
    position_of_use_.assign(trace_.uses.size(), 0);
    for (const Members& members : members_) {
      for (std::size_t i = 0; i < members.items.size(); ++i) position_of(members.items[i]) = i;
    }
    std::vector<std::size_t> open = {0};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const TraceItem& item : members_[at].items) {
        if (item.kind != TraceItem::Kind::group) continue;
        depth_[item.index] = depth_[at] + 1;
        open.push_back(item.index);
      }
    }
  }

  std::size_t& position_of(const TraceItem& item) {
    if (item.kind == TraceItem::Kind::group) return position_of_group_[item.index];
    return item.kind == TraceItem::Kind::node ? position_of_node_[item.index] : position_of_use_[item.index];
  }

  // An edge belongs to the innermost group that contains both ends.
  void add_edge(TraceItem from, TraceItem to) {
    auto up = [&](TraceItem& item) { item = {TraceItem::Kind::group, static_cast<std::size_t>(parent_of(item))}; };
    const auto depth = [&](const TraceItem& item) { return depth_[static_cast<std::size_t>(parent_of(item))]; };
    while (depth(from) > depth(to)) up(from);
    while (depth(to) > depth(from)) up(to);
    while (parent_of(from) != parent_of(to)) {
      up(from);
      up(to);
    }
    if (from == to) return;
    members_[static_cast<std::size_t>(parent_of(from))].edges.push_back({position_of(from), position_of(to)});
  }

  void collect_edges() {
    for (std::size_t i = 0; i < trace_.nodes.size(); ++i) {
      for (const TraceInput& input : trace_.nodes[i].inputs) {
        const TraceItem to{TraceItem::Kind::node, i};
        if (input.use != none) {
          add_edge({TraceItem::Kind::use, static_cast<std::size_t>(input.use)}, to);
        } else if (input.node) {
          const auto from = positions_.find(*input.node);
          if (from != positions_.end()) add_edge({TraceItem::Kind::node, from->second}, to);
        }
      }
    }
  }

  // ---- rows ---------------------------------------------------------------------------------------------------------

  static std::vector<std::size_t> layers_of(const Members& members) {
    std::vector<std::vector<std::size_t>> before(members.items.size()), after(members.items.size());
    for (const Edge& edge : members.edges) {
      before[edge.to].push_back(edge.from);
      after[edge.from].push_back(edge.to);
    }
    std::vector<std::size_t> layers(members.items.size(), 0);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      for (const std::size_t from : before[i]) layers[i] = std::max(layers[i], layers[from] + 1);
    }
    // A member without inputs in this group is placed directly above the first that uses it.
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (!before[i].empty() || after[i].empty()) continue;
      std::size_t first = layers[after[i][0]];
      for (const std::size_t to : after[i]) first = std::min(first, layers[to]);
      layers[i] = first - 1;
    }
    return layers;
  }

  // Sweeps down and up: sorts each row by the mean place of the members that its own are connected with. Places are
  // counted from the middle of a row.
  static void order(std::vector<std::vector<std::size_t>>& rows, const Members& members,
                    const std::vector<std::size_t>& layers) {
    std::vector<std::vector<std::size_t>> near(members.items.size());
    for (const Edge& edge : members.edges) {
      near[edge.to].push_back(edge.from);
      near[edge.from].push_back(edge.to);
    }
    std::vector<double> place(members.items.size(), 0);
    const auto set_places = [&](const std::vector<std::size_t>& row) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        place[row[i]] = static_cast<double>(i) - static_cast<double>(row.size() - 1) / 2;
      }
    };
    for (const auto& row : rows) set_places(row);
    constexpr int sweeps = 6;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        auto& row = rows[down ? r : rows.size() - 1 - r];
        std::vector<std::pair<double, std::size_t>> keys;
        for (const std::size_t member : row) {
          double sum = 0;
          double count = 0;
          for (const std::size_t other : near[member]) {
            if ((layers[other] < layers[member]) != down) continue;
            sum += place[other];
            ++count;
          }
          keys.emplace_back(count > 0 ? sum / count : place[member], member);
        }
        std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = keys[i].second;
        set_places(row);
      }
    }
  }

  void fill_rows(std::size_t index) {
    const Members& members = members_[index];
    if (members.items.empty()) return;
    if (group(index).kind == Kind::loop) {
      group(index).rows = {members.items};
      return;
    }
    const std::vector<std::size_t> layers = layers_of(members);
    std::vector<std::vector<std::size_t>> rows(*std::max_element(layers.begin(), layers.end()) + 1);
    for (std::size_t i = 0; i < layers.size(); ++i) rows[layers[i]].push_back(i);
    order(rows, members, layers);
    for (const auto& row : rows) {
      if (row.empty()) continue;
      group(index).rows.emplace_back();
      for (const std::size_t member : row) group(index).rows.back().push_back(members.items[member]);
    }
  }

  Trace& trace_;
  std::vector<Members> members_;  // by group
  std::vector<bool> entered_;
  std::vector<std::size_t> depth_;
  std::vector<std::size_t> position_of_group_, position_of_node_, position_of_use_;
  std::unordered_map<std::uint64_t, std::size_t> positions_;  // of the nodes, by id
};

}  // namespace

void lay_out(Trace& trace) {
  Layout(trace).run();
}

}  // namespace autograd::debug

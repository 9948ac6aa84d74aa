// why: the paths from the loss that carry most of one gradient element.
//
// A gradient is a sum of contributions; each is linear in the gradient of the op that made it, which is again a sum. So
// a gradient element is a sum over all paths to the loss, far too many to list. The search follows the largest part at
// every fork; for the next path, it returns to the largest part that it left aside. `weight` is the linear function so
// far: <weight, gradient of node> is the part of the element that flows through the node.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/cell.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/step/view.h"
#include "autograd/tensor/error.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr std::size_t paths_shown = 3;
constexpr std::size_t few_uses = 8;         // the paths show as much; more are grouped by place
constexpr std::size_t paths_followed = 12;  // what looks large at a fork may be small further on, and the reverse
constexpr std::size_t most_moves = 20'000;  // ops on all paths together
constexpr std::size_t most_forks = 2'000;

// A way taken so far: one contribution, and the ways that led to it.
struct Way {
  const Contribution* contribution = nullptr;
  double share = 0.0;
  std::size_t before = 0;  // in Search::taken, the way towards X; SIZE_MAX at X itself
  Tensor weight;           // for the gradient that it contributes to
};

struct Search {
  const View& view;
  std::vector<Way> taken;
  std::vector<Way> aside;
  std::size_t moves = 0;
};

struct Path {
  std::size_t last = 0;  // in Search::taken
  bool complete = true;  // it reaches the loss; else it was too long to be followed to its end
};

// The contributions to a node's gradient, each with its share; the largest last.
std::vector<Way> fork(const Search& search, const Node& node, const Tensor& weight, std::size_t before) {
  std::vector<Way> ways;
  const std::optional<std::size_t> own = search.view.pass->step_of(node);
  const std::size_t until = own ? std::min(*own, search.view.at) : search.view.at;
  for (const Contribution* each : search.view.pass->contributions_to(node, until)) {
    ways.push_back({each, dot(weight, search.view.pass->value_of(*each)), before, weight});
  }
  std::stable_sort(ways.begin(), ways.end(),
                   [](const Way& a, const Way& b) { return std::abs(a.share) < std::abs(b.share); });
  return ways;
}

void set_aside(Search& search, std::vector<Way>& ways) {
  for (Way& way : ways) {
    if (way.share != 0.0 && search.aside.size() < most_forks) search.aside.push_back(std::move(way));
  }
}

// Goes on to the loss, by the largest part at every fork. Nothing where the search had to end before its first step.
std::optional<Path> follow(Search& search, Way way) {
  while (true) {
    if (search.moves >= most_moves) return {};
    ++search.moves;
    const Contribution& given = *way.contribution;
    const Tensor weight = way.weight;
    way.weight = Tensor();
    search.taken.push_back(std::move(way));
    const std::size_t last = search.taken.size() - 1;
    if (!given.from) return Path{last, true};
    if (search.moves == most_moves) return Path{last, false};
    const Tensor further = push_forward(search.view.call(*given.from), given.input, weight);
    std::vector<Way> ways = fork(search, *given.from, further, last);
    if (ways.empty()) return {};
    way = std::move(ways.back());
    ways.pop_back();
    set_aside(search, ways);
  }
}

std::optional<Way> take_largest(Search& search) {
  if (search.aside.empty()) return {};
  const auto largest = std::max_element(search.aside.begin(), search.aside.end(), [](const Way& a, const Way& b) {
    return std::abs(a.share) < std::abs(b.share);
  });
  const Way way = *largest;
  search.aside.erase(largest);
  return way;
}

// The paths that were found, the largest first. One that was cut short counts only if there is no other.
std::vector<Path> find_paths(Search& search) {
  std::vector<Path> paths;
  while (paths.size() < paths_followed) {
    const std::optional<Way> way = take_largest(search);
    const std::optional<Path> path = way ? follow(search, *way) : std::nullopt;
    if (!path || (!path->complete && !paths.empty())) break;
    paths.push_back(*path);
  }
  std::stable_sort(paths.begin(), paths.end(), [&](const Path& a, const Path& b) {
    return std::abs(search.taken[a.last].share) > std::abs(search.taken[b.last].share);
  });
  return paths;
}

std::string station(const Contribution& way) {
  const Node& node = *way.to;
  const std::string module = module_of(node);
  std::string name = node.is_leaf() ? label(node) : fmt::format("{} {}", label(node), node.name());
  if (way.from && way.input > 0) name += fmt::format(" (its x{})", way.input);  // two uses by one op, as in x * x
  return module.empty() ? name : fmt::format("{} in {}", name, module);
}

// The stations of a long path: those of one module call or time step, one after the other, become one.
std::vector<std::string> stations(const std::vector<const Contribution*>& nodes) {
  constexpr std::size_t most_single = 17;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < nodes.size();) {
    const std::string module = module_of(*nodes[i]->to);
    std::size_t end = i + 1;
    while (nodes.size() > most_single && !module.empty() && end < nodes.size() && !nodes[end]->to->is_leaf() &&
           module_of(*nodes[end]->to) == module) {
      ++end;
    }
    lines.push_back(station(*nodes[i]));
    if (end - i > 1) lines.back() += fmt::format(", to {}: {} ops", station(*nodes[end - 1]), end - i);
    i = end;
  }
  return lines;
}

// The path from the loss down to X; a long one is shortened in the middle.
std::string path_text(const Search& search, const Path& path, double whole) {
  const double share = search.taken[path.last].share;
  std::string text = fmt::format("{}{} by\n", rough(share), percent(share, whole));
  if (!path.complete) text += "       the loss, by a way too long to be followed to its end\n";
  std::vector<const Contribution*> nodes;
  for (std::size_t at = path.last; at != SIZE_MAX; at = search.taken[at].before) {
    nodes.push_back(search.taken[at].contribution);
  }
  const std::vector<std::string> lines = stations(nodes);
  constexpr std::size_t ends = 8;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines.size() > 2 * ends + 1 && i == ends) {
      text += fmt::format("    .. {} more stations, {} ops in all\n", lines.size() - 2 * ends, nodes.size());
      i = lines.size() - ends;
    }
    text += fmt::format("    {} {}\n", i == 0 && path.complete ? "  " : "<-", lines[i]);
  }
  return text;
}

std::string paths_text(Search& search, double whole) {
  const std::vector<Path> paths = find_paths(search);
  std::string text;
  double together = 0.0;
  const std::size_t shown = std::min(paths.size(), paths_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    together += search.taken[paths[i].last].share;
    text += fmt::format("  {}. {}", i + 1, path_text(search, paths[i], whole));
  }
  text += fmt::format("{} shown, together {}{}\n", counted(shown, "path"), rough(together), percent(together, whole));
  if (std::abs(together) >= 0.01 * std::abs(whole)) return text;
  return text + "No path carries much: there are very many, or they cancel.\n";
}

// Of what gets no gradient at all, the reason; all its elements have the same. "" for anything else.
std::string absence_of(const std::string& text, const View& view) {
  const Expression expression = parse_expression(text);
  const Node* node = named_node(expression, view);
  const std::optional<KnownLeaf> leaf = node ? std::nullopt : named_absent(expression, view);
  if (leaf) return fmt::format("{} {}\n", label(*leaf), absence_text(*leaf, view));
  if (!node || view.pass->is_forward) return "";
  const Progress progress = view.progress(*node);
  const bool is_absent = !progress.in_pass || progress.none_comes();
  return is_absent ? fmt::format("{}.grad {}\n", label(*node), gradient_state(*node, view)) : "";
}

}  // namespace

std::string answer_why(const Question& question) {
  check_is_backward(question.view);
  const View& view = question.view;
  if (const std::string absence = absence_of(question.arguments, view); !absence.empty()) return absence;
  const Element element = evaluate_element(question.arguments, view);
  const Node& node = *element.node;
  const Progress progress = view.progress(node);
  if (progress.arrived == 0) return fmt::format("{}.grad {}\n", element.title, gradient_state(node, view));
  Search search{view, {}, {}, 0};
  std::vector<Way> ways = fork(search, node, unit(node.shape, node.dtype, element.index), SIZE_MAX);
  double whole = 0.0;
  for (const Way& way : ways) whole += way.share;
  std::string text = fmt::format("{}.grad = {}{}\n", element.title, rough(whole),
                                 progress.complete() ? "" : " so far, " + progress_text(progress));
  const std::vector<AmountGiven> given = amounts_given(node, element.index, view);
  if (given.size() > few_uses) text += "by place, the largest first:\n" + groups_text(given) + "by path:\n";
  set_aside(search, ways);
  return text + paths_text(search, whole);
}

}  // namespace autograd::debug

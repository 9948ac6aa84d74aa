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
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

constexpr std::size_t paths_shown = 3;
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

// The contributions to a node's gradient, each with its share; the largest last.
std::vector<Way> fork(const Search& search, const Node& node, const Tensor& weight, std::size_t before) {
  std::vector<Way> ways;
  const std::optional<std::size_t> own = search.view.pass->step_of(node);
  const std::size_t until = own ? std::min(*own, search.view.at) : search.view.at;
  for (const Contribution* each : search.view.pass->contributions_to(node, until)) {
    ways.push_back({each, dot(weight, each->value), before, weight});
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

// Goes on to the loss, by the largest part at every fork. Returns the last way of the path, or nothing if the path is
// too long.
std::optional<std::size_t> follow(Search& search, Way way) {
  while (true) {
    if (++search.moves > most_moves) return {};
    const Contribution& given = *way.contribution;
    const Tensor weight = way.weight;
    way.weight = Tensor();
    search.taken.push_back(std::move(way));
    if (!given.from) return search.taken.size() - 1;
    const Tensor further = push_forward(search.view.call(*given.from), given.input, weight);
    std::vector<Way> ways = fork(search, *given.from, further, search.taken.size() - 1);
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

// The ends of the paths that were found, the largest first.
std::vector<std::size_t> find_paths(Search& search) {
  std::vector<std::size_t> paths;
  while (paths.size() < paths_shown) {
    const std::optional<Way> way = take_largest(search);
    const std::optional<std::size_t> last = way ? follow(search, *way) : std::nullopt;
    if (!last) break;
    paths.push_back(*last);
  }
  std::stable_sort(paths.begin(), paths.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(search.taken[a].share) > std::abs(search.taken[b].share);
  });
  return paths;
}

std::string percent(double part, double whole) {
  return whole == 0.0 ? "" : fmt::format(" = {:.1f}%", 100.0 * part / whole);
}

std::string station(const Contribution& way) {
  const Node& node = *way.to;
  const std::string module = module_of(node);
  std::string name = node.is_leaf() ? label(node) : fmt::format("{} {}", label(node), node.name());
  if (way.from && way.input > 0) name += fmt::format(" (its x{})", way.input);  // two uses by one op, as in x * x
  return module.empty() ? name : fmt::format("{} in {}", name, module);
}

// The path from the loss down to X; a long one is shortened in the middle.
std::string path_text(const Search& search, std::size_t last, double whole) {
  const double share = search.taken[last].share;
  std::string text = fmt::format("{:.4g}{} by\n", share, percent(share, whole));
  std::vector<const Contribution*> nodes;
  for (std::size_t at = last; at != SIZE_MAX; at = search.taken[at].before) {
    nodes.push_back(search.taken[at].contribution);
  }
  constexpr std::size_t ends = 8;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.size() > 2 * ends + 1 && i == ends) {
      text += fmt::format("    .. {} more ops\n", nodes.size() - 2 * ends);
      i = nodes.size() - ends;
    }
    text += fmt::format("    {} {}\n", i == 0 ? "  " : "<-", station(*nodes[i]));
  }
  return text;
}

}  // namespace

std::string answer_why(const Question& question) {
  const View& view = question.view;
  const Element element = evaluate_element(question.arguments, view);
  const Node& node = *element.node;
  const Progress progress = view.progress(node);
  if (progress.arrived == 0) return fmt::format("{}.grad {}\n", element.title, progress_text(progress));
  Search search{view, {}, {}, 0};
  std::vector<Way> ways = fork(search, node, unit(node.shape, node.dtype, element.index), SIZE_MAX);
  double whole = 0.0;
  for (const Way& way : ways) whole += way.share;
  std::string text = fmt::format("{}.grad = {:.4g}{}\n", element.title, whole,
                                 progress.complete() ? "" : " so far, " + progress_text(progress));
  set_aside(search, ways);
  double together = 0.0;
  std::size_t number = 0;
  for (const std::size_t last : find_paths(search)) {
    together += search.taken[last].share;
    text += fmt::format("  {}. {}", ++number, path_text(search, last, whole));
  }
  return text + fmt::format("{} path{} shown, together {:.4g}{}\n", number, number == 1 ? "" : "s", together,
                            percent(together, whole));
}

}  // namespace autograd::debug

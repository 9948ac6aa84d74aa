#include "ways.h"

#include <autograd/tape/backward.h>
#include <autograd/tape/observer.h>
#include <autograd/tensor/threads.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <limits>
#include <utility>

#include "compare.h"
#include "numbers.h"

namespace random_programs {
namespace {

std::string compare(const Outcome& found, const Outcome& wanted, double tolerance) {
  std::string wrong = difference("roots", found.roots, wanted.roots, tolerance);
  if (wrong.empty()) wrong = difference("gradients", found.gradients, wanted.gradients, tolerance);
  if (wrong.empty()) wrong = difference("retained gradients", found.retained, wanted.retained, tolerance);
  for (const auto& [step, gradients] : wanted.records) {
    if (!wrong.empty()) return wrong;
    const auto theirs = found.records.find(step);
    const std::vector<Tensor> none;
    wrong = difference(fmt::format("gradients seen by v{}", step),
                       theirs == found.records.end() ? none : theirs->second, gradients, tolerance);
  }
  return wrong;
}

}  // namespace

// Numbers agree if they differ by no more than so many units of the last place of the largest one around: what is small
// may be the difference of what is large.
std::string difference(const Outcome& found, const Outcome& wanted) {
  double largest = std::max(largest_in(wanted.gradients), largest_in(wanted.roots));
  for (const auto& [step, gradients] : wanted.records) largest = std::max(largest, largest_in(gradients));
  return compare(found, wanted, 1e-12 * largest);
}

std::string difference_in_bits(const Outcome& found, const Outcome& wanted) {
  return compare(found, wanted, to_the_bit);
}

namespace {

// ---- the same once more, in other surroundings -----------------------------------------------------------------------

std::string again(const Program& program, const Outcome& plain) {
  return difference_in_bits(run(program), plain);
}

// Backward twice over one graph: twice the gradients, and the hooks have seen them twice.
std::string twice(const Program& program, const Outcome& plain) {
  Run execution(program);
  execution.forward();
  execution.backward();
  execution.backward();
  Outcome doubled = plain;
  for (auto* list : {&doubled.gradients, &doubled.retained}) {
    for (Tensor& gradient : *list) gradient = gradient.defined() ? gradient * 2.0 : gradient;
  }
  for (auto& [step, gradients] : doubled.records) {
    const std::vector<Tensor> once = gradients;
    gradients.insert(gradients.end(), once.begin(), once.end());
  }
  return difference(execution.outcome(), doubled);
}

std::string observed(const Program& program, const Outcome& plain) {
  autograd::Observer observer;
  const autograd::ObserverGuard guard(observer);
  return difference(run(program), plain);
}

std::string by_formulas(const Program& program, const Outcome& plain) {
  const autograd::FormulaGuard formulas;
  return difference(run(program), plain);
}

// Each leaf as `move` makes it of its step and what it is otherwise.
template <class Move> Values moved_leaves(const Program& program, Move&& move) {
  Values leaves;
  const std::vector<Tensor> none;
  Records records;
  for (const Step& step : program.steps) {
    if (step.word != "leaf") continue;
    leaves[step.result] = move(step, word_of(step).run({step, none, records}).tensors[0].detach());
  }
  return leaves;
}

// Leaves in which some numbers are infinite, or none.
Setting not_finite(const Program& program) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double odd[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 0.0};
  const auto move = [&](const Step& step, const Tensor& start) {
    const Tensor flat = start.reshape({-1});
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
      const std::uint64_t bits = random_bits(1'000'000 + step.result, i);
      if (bits % 8 == 0) flat.set_({i}, odd[bits / 8 % 4]);
    }
    return start;
  };
  return {.moved = moved_leaves(program, move)};
}

std::string by_formulas_not_finite(const Program& program, const Outcome&) {
  const Setting setting = not_finite(program);
  const Outcome fast = run(program, setting);
  const autograd::FormulaGuard formulas;
  return difference(run(program, setting), fast);
}

std::string with_hooks(const Program& program, const Outcome& plain) {
  Run execution(program);
  execution.forward();
  for (const auto& [number, value] : execution.values()) {
    if (!value.requires_grad()) continue;
    value.register_hook([](const Tensor&) { return Tensor(); });
  }
  execution.backward();
  return difference(execution.outcome(), plain);
}

// The results of grad() in the place of those of backward(), which alone fills what was to be retained.
Outcome from_grad(const Run& execution, const Outcome& plain, bool create_graph) {
  const std::vector<Tensor> gradients =
      autograd::grad(execution.total(), execution.leaves(), {.create_graph = create_graph, .allow_unused = true});
  Outcome outcome = execution.outcome();
  outcome.gradients = gradients;
  outcome.retained = plain.retained;
  return outcome;
}

template <bool create_graph> std::string by_grad(const Program& program, const Outcome& plain) {
  Run execution(program);
  execution.forward();
  return difference(from_grad(execution, plain, create_graph), plain);
}

std::string released(const Program& program, const Outcome& plain) {
  Run execution(program);
  execution.forward();
  execution.forget_values();
  execution.backward({.release_graph = true});
  return difference(execution.outcome(), plain);
}

std::string on_two_threads(const Program& program, const Outcome& plain) {
  autograd::set_num_threads(2);
  const Outcome found = run(program);
  autograd::set_num_threads(1);
  return difference_in_bits(found, plain);
}

// ---- several threads -------------------------------------------------------------------------------------------------

std::string side_by_side(const Program& program, const Outcome& plain) {
  auto other = std::async(std::launch::async, [&] { return run(program); });
  const Outcome here = run(program);
  const std::string wrong = difference_in_bits(other.get(), plain);
  return wrong.empty() ? difference_in_bits(here, plain) : wrong;
}

// Done when it returns; an exception comes back.
template <class F> void in_another_thread(F&& f) {
  std::async(std::launch::async, std::forward<F>(f)).get();
}

// A part of the forward pass in one thread, the rest in another: what is handed over has to keep its place in the order
// in which the program ran. Both ways, since one of the threads has run more ops than the other.
std::string handed_over(const Program& program, const Outcome& plain) {
  const std::size_t count = program.steps.size();
  const std::size_t part = 1 + random_bits(5, static_cast<std::int64_t>(count)) % count;
  Run begun_there(program);
  in_another_thread([&] { begun_there.forward(part); });
  begun_there.forward();
  begun_there.backward();
  Run ended_there(program);
  ended_there.forward(part);
  in_another_thread([&] {
    ended_there.forward();
    ended_there.backward();
  });
  std::string wrong = difference(begun_there.outcome(), plain);
  if (wrong.empty()) wrong = difference(ended_there.outcome(), plain);
  return wrong.empty() ? "" : fmt::format("handed over after {} steps: {}", part, wrong);
}

// ---- after a failure -------------------------------------------------------------------------------------------------

struct Interruption {};

// A hook throws once, somewhere. The same call again gives the right answer, or says that the graph has been released.
std::string interrupted(const Program& program, const Outcome& plain, bool release_graph) {
  Run execution(program);
  execution.forward();
  std::vector<Tensor> results;
  for (const auto& [number, value] : execution.values()) {
    if (value.requires_grad() && !value.is_leaf()) results.push_back(value);
  }
  if (results.empty()) return "";
  bool armed = true;
  const std::size_t chosen = random_bits(7, static_cast<std::int64_t>(program.steps.size())) % results.size();
  results[chosen].register_hook([&](const Tensor&) {
    if (std::exchange(armed, false)) throw Interruption();
    return Tensor();
  });
  results.clear();
  execution.forget_values();
  try {
    execution.backward({.release_graph = release_graph});
  } catch (const Interruption&) {
    execution.zero_grad();
    try {
      execution.backward();
    } catch (const autograd::Error& error) {
      if (release_graph && error.id() == autograd::ErrorId::no_graph) return "";
      return fmt::format("the call after the failure says: {}", error.what());
    }
  }
  return difference(execution.outcome(), plain);
}

std::string after_failure(const Program& program, const Outcome& plain) {
  return interrupted(program, plain, false);
}

std::string after_failure_and_release(const Program& program, const Outcome& plain) {
  return interrupted(program, plain, true);
}

// ---- against differences ---------------------------------------------------------------------------------------------

// The program with its leaves moved by `distance` along the directions, all that is cut off from the gradient staying
// as it is. Hooks are left out: they may change gradients as they like.
Setting moved(const Program& program, const std::vector<Tensor>& along, double distance, const Values& constants) {
  std::size_t leaf = 0;
  const auto move = [&](const Step&, const Tensor& start) { return start + along[leaf++] * distance; };
  return {.hooks = false, .moved = moved_leaves(program, move), .constants = &constants};
}

double total_at(const Program& program, const Setting& setting) {
  const autograd::NoGradGuard no_grad;
  Run execution(program, setting);
  execution.forward();
  double total = 0.0;
  for (const int root : program.roots) {
    const Tensor value = execution.value(root).detach();
    total += (value * random_signed(1'000'003 + root, value.shape())).sum().item();
  }
  return total;
}

std::vector<Tensor> gradients_at(const Program& program, const Setting& setting) {
  Run execution(program, setting);
  execution.forward();
  return autograd::grad(execution.total(), execution.leaves(), {.allow_unused = true});
}

// The padding's row gets no gradient, though the result depends on it.
bool has_padding(const Program& program) {
  return std::any_of(program.steps.begin(), program.steps.end(),
                     [](const Step& step) { return step.word == "embedding_padded"; });
}

// For these the many runs take too long.
bool is_large(const Run& execution) {
  for (const auto& [number, value] : execution.values()) {
    if (value.numel() > 5000) return true;
  }
  return false;
}

std::string against_differences(const Program& program, const Outcome&) {
  Run execution(program, {.hooks = false});
  execution.forward();
  if (has_padding(program) || is_large(execution)) return "";
  const std::vector<Tensor> leaves = execution.leaves();
  const std::vector<Tensor> along = directions(leaves, 11);
  const std::vector<Tensor> gradients = autograd::grad(execution.total(), leaves, {.allow_unused = true});
  const Slope slope = slope_of(
      [&](double distance) { return total_at(program, moved(program, along, distance, execution.constants())); });
  return difference(dot(gradients, along), slope, 1e-6 * largest_in(gradients));
}

// <w, H v> for random v and w: the gradient of <gradient, w>, along v, against differences of gradients.
std::string second_derivative(const Program& program, const Outcome&) {
  Run execution(program, {.hooks = false});
  execution.forward();
  if (has_padding(program) || is_large(execution)) return "";
  const std::vector<Tensor> leaves = execution.leaves();
  const std::vector<Tensor> along = directions(leaves, 23);
  const std::vector<Tensor> against = directions(leaves, 37);
  const std::vector<Tensor> gradients =
      autograd::grad(execution.total(), leaves, {.create_graph = true, .allow_unused = true});
  Tensor sum = autograd::zeros({}, autograd::float64);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (gradients[i].defined()) sum = sum + (gradients[i] * against[i]).sum();
  }
  std::vector<Tensor> second(leaves.size());
  if (sum.requires_grad()) second = autograd::grad(sum, leaves, {.allow_unused = true});
  const Slope slope = slope_of([&](double distance) {
    return dot(gradients_at(program, moved(program, along, distance, execution.constants())), against);
  });
  return difference(dot(second, along), slope, 1e-6 * (10.0 * largest_in(second) + largest_in(gradients)));
}

}  // namespace

const std::vector<Way>& all_ways() {
  static const std::vector<Way> ways = {
      {"again", again},
      {"twice", twice},
      {"observed", observed},
      {"formulas", by_formulas},
      {"formulas_not_finite", by_formulas_not_finite},
      {"with_hooks", with_hooks},
      {"grad", by_grad<false>},
      {"create_graph", by_grad<true>},
      {"released", released},
      {"on_two_threads", on_two_threads},
      {"side_by_side", side_by_side},
      {"handed_over", handed_over},
      {"after_failure", after_failure},
      {"after_failure_and_release", after_failure_and_release},
      {"against_differences", against_differences},
      {"second_derivative", second_derivative},
  };
  return ways;
}

Finding check(const Program& program, const std::vector<std::string>& without) {
  std::string running = "plain";
  try {
    const Outcome plain = run(program);
    for (const Way& way : all_ways()) {
      if (std::find(without.begin(), without.end(), way.name) != without.end()) continue;
      running = way.name;
      const std::string wrong = way.check(program, plain);
      if (!wrong.empty()) return {way.name, wrong};
    }
  } catch (const std::exception& error) {
    return {running, fmt::format("threw: {}", error.what())};
  }
  return {};
}

}  // namespace random_programs

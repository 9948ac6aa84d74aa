#include "autograd/debug/step/contribution_groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "autograd/debug/step/breakpoints.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

constexpr std::size_t groups_shown = 12;
constexpr std::size_t members_shown = 3;  // of a group

bool is_larger(const AmountGiven& a, const AmountGiven& b) {
  return std::abs(a.amount) > std::abs(b.amount);
}

std::string key_of(const Contribution& contribution) {
  return contribution.from ? fmt::format("{} {}", place_of(*contribution.from), contribution.input) : "";
}

std::string place_text(const Contribution& contribution) {
  if (!contribution.from) return "the start of the pass";
  const Node& node = *contribution.from;
  const std::string module = module_name(node.scope.get());
  return fmt::format("{} at {}{}{}", node.name(), to_string(node.called_at), module.empty() ? "" : " in " + module,
                     contribution.input > 0 ? fmt::format(", input {}", contribution.input) : "");
}

std::string group_text(const ContributionGroup& group, double whole) {
  const std::size_t count = group.given.size();
  std::string text = fmt::format("  {:>10}{}  {} by {}\n", rough(group.sum), percent(group.sum, whole), count,
                                 place_text(*group.given[0].contribution));
  if (count == 1) return text;
  for (std::size_t i = 0; i < std::min(count, members_shown); ++i) {
    text += fmt::format("    {:>10}  {}\n", rough(group.given[i].amount), giver(*group.given[i].contribution));
  }
  if (count > members_shown) text += fmt::format("    .. and {} more, smaller\n", count - members_shown);
  return text;
}

std::string cancelling_text(const std::vector<AmountGiven>& all, double whole) {
  double positive = 0.0;
  double negative = 0.0;
  for (const AmountGiven& each : all) (each.amount > 0.0 ? positive : negative) += each.amount;
  if (positive - negative <= 2.0 * std::abs(whole)) return "";
  return fmt::format("  they cancel: {} and {} make {}\n", rough(positive), rough(negative), rough(whole));
}

}  // namespace

std::vector<AmountGiven> amounts_given(const Node& node, const std::vector<std::int64_t>& index, const View& view) {
  std::vector<AmountGiven> all;
  for (const Contribution* each : view.pass->contributions_to(node, view.at)) {
    const Tensor element = element_of(view.pass->value_of(*each), index);
    all.push_back({each, KeptTensor(element), element.item()});
  }
  return all;
}

std::vector<ContributionGroup> grouped(const std::vector<AmountGiven>& all) {
  std::vector<ContributionGroup> groups;
  std::unordered_map<std::string, std::size_t> positions;
  for (const AmountGiven& each : all) {
    const auto [place, is_new] = positions.try_emplace(key_of(*each.contribution), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].sum += each.amount;
    groups[place->second].given.push_back(each);
  }
  for (ContributionGroup& group : groups) std::stable_sort(group.given.begin(), group.given.end(), is_larger);
  std::stable_sort(groups.begin(), groups.end(), [](const ContributionGroup& a, const ContributionGroup& b) {
    return std::abs(a.sum) > std::abs(b.sum);
  });
  return groups;
}

std::string groups_text(const std::vector<AmountGiven>& all) {
  double whole = 0.0;
  for (const AmountGiven& each : all) whole += each.amount;
  const std::vector<ContributionGroup> groups = grouped(all);
  std::string text;
  double rest = 0.0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i < groups_shown) {
      text += group_text(groups[i], whole);
    } else {
      rest += groups[i].sum;
    }
  }
  if (groups.size() > groups_shown) {
    text += fmt::format("  {:>10}{}  from {} other places\n", rough(rest), percent(rest, whole),
                        groups.size() - groups_shown);
  }
  return text + cancelling_text(all, whole);
}

std::string giver(const Contribution& contribution) {
  if (!contribution.from) return "the start of the pass";
  const std::string text = describe(*contribution.from);
  // The number of the input distinguishes two uses by one op, as in x * x.
  return contribution.from->op && contribution.input > 0 ? fmt::format("{}, input {}", text, contribution.input) : text;
}

std::string percent(double part, double whole) {
  if (whole == 0.0) return "";
  const double share = 100.0 * part / whole;
  const bool small = share != 0.0 && std::abs(share) < 0.1;
  return small ? fmt::format(" = {:.1g}%", share) : fmt::format(" = {:.1f}%", share);
}

}  // namespace autograd::debug

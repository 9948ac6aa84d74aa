#include "mistake_table.h"

#include <autograd/gradcheck/gradcheck.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "classic_recipes.h"

using namespace autograd;
using op_cases::OpCase;
using op_mistakes::Mistake;
using op_mistakes::Planted;

namespace mistake_table {
namespace {

GradcheckReport check(const OpCase& one) {
  return gradcheck(one.call, op_cases::inputs_of(one), {.reseed = one.random});
}

GradcheckReport check_second_order(const OpCase& one) {
  return gradgradcheck(one.call, op_cases::inputs_of(one), {.reseed = one.random});
}

bool takes_gradient(const Tensor& x) {
  return x.requires_grad();
}

bool is_differentiable(const OpCase& one) {
  const op_cases::Tensors inputs = op_cases::inputs_of(one);
  return std::any_of(inputs.begin(), inputs.end(), takes_gradient);
}

}  // namespace

const std::vector<OpCase>& confirmed_cases(const std::string& op) {
  static std::map<std::string, std::vector<OpCase>> known;
  const auto found = known.find(op);
  if (found != known.end()) return found->second;
  std::vector<OpCase>& cases = known[op];
  for (const OpCase& one : op_cases::about(op)) {
    if (is_differentiable(one) && check(one)) cases.push_back(one);
  }
  return cases;
}

// ---- who catches what --------------------------------------------------------------------------------------------

namespace {

// Does the predicate hold for one of the cases while the mistake is planted?
template <class Predicate>
bool holds_for_any(const std::vector<OpCase>& cases, const Mistake& mistake, Predicate predicate) {
  Planted planted(mistake);
  const ObserverGuard guard(planted);
  return std::any_of(cases.begin(), cases.end(), predicate);
}

bool recipe_catches(const classic_recipes::Recipe& recipe, const Mistake& mistake) {
  std::vector<OpCase> usable;  // a check that rejects what is right has not caught anything
  const std::vector<OpCase>& cases = confirmed_cases(mistake.op);
  const auto accepts = [&](const OpCase& one) { return classic_recipes::accepts(recipe, one); };
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(usable), accepts);
  return holds_for_any(usable, mistake, [&](const OpCase& one) { return !accepts(one); });
}

}  // namespace

bool gradcheck_catches(const Mistake& mistake) {
  return holds_for_any(confirmed_cases(mistake.op), mistake, [&](const OpCase& one) {
    const GradcheckReport report = check(one);
    return report.verdict == Verdict::fail && report.blame && report.blame->op == mistake.op;
  });
}

bool gradgradcheck_catches(const Mistake& mistake) {
  return holds_for_any(confirmed_cases(mistake.op), mistake,
                       [](const OpCase& one) { return check_second_order(one).verdict == Verdict::fail; });
}

bool pytorch_catches(const Mistake& mistake) {
  return holds_for_any(op_cases::about(mistake.op), mistake,
                       [](const OpCase& one) { return !one.inputs && !op_cases::agrees_with_pytorch(one); });
}

// ---- the page ----------------------------------------------------------------------------------------------------

namespace {

// A check and what it does with each mistake.
struct Column {
  std::string title;
  std::function<bool(const Mistake& mistake)> catches;
  std::function<bool(const OpCase& one)> accepts;
};

std::vector<Column> columns() {
  const auto classic = [](const classic_recipes::Recipe& recipe) {
    return Column{recipe.name, [&recipe](const Mistake& mistake) { return recipe_catches(recipe, mistake); },
                  [&recipe](const OpCase& one) { return classic_recipes::accepts(recipe, one); }};
  };
  return {
      {"gradcheck", gradcheck_catches, [](const OpCase& one) { return static_cast<bool>(check(one)); }},
      classic(classic_recipes::sum_loss),
      classic(classic_recipes::one_element),
      classic(classic_recipes::in_float32),
  };
}

std::string row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head(const std::vector<std::string>& titles) {
  return row(titles) + row(std::vector<std::string>(titles.size(), "---"));
}

std::string mark(bool caught) {
  return caught ? "caught" : "**missed**";
}

// "| `relu` | mask forgotten | caught | missed |" for each mistake.
std::string rows(const op_mistakes::Mistakes& mistakes, const std::vector<Column>& checks, std::vector<int>& caught) {
  std::string text;
  for (const Mistake& mistake : mistakes) {
    std::vector<std::string> cells = {fmt::format("`{}`", mistake.op), mistake.name};
    for (std::size_t i = 0; i < checks.size(); ++i) {
      const bool found = checks[i].catches(mistake);
      caught[i] += found;
      cells.push_back(mark(found));
    }
    text += row(cells);
  }
  return text;
}

}  // namespace

std::string page() {
  const std::vector<Column> checks = columns();
  std::vector<int> caught(checks.size(), 0);
  const std::string all_rows = rows(op_mistakes::all(), checks, caught);
  std::vector<std::string> titles = {""};
  std::vector<std::string> totals = {fmt::format("mistakes caught, of {}", op_mistakes::all().size())};
  for (std::size_t i = 0; i < checks.size(); ++i) {
    titles.push_back(checks[i].title);
    totals.push_back(fmt::format("{}", caught[i]));
  }
  return head(titles) + row(totals) + "\n" + all_rows;
}

}  // namespace mistake_table

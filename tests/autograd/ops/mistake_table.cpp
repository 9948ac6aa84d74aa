#include "tests/autograd/ops/mistake_table.h"

#include <autograd/gradcheck/gradcheck.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "tests/autograd/ops/classic_recipes.h"

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

// The cases about an op of which gradcheck() says that as long as nothing is planted.
const std::vector<OpCase>& cases_with(Verdict verdict, const std::string& op) {
  static std::map<std::pair<Verdict, std::string>, std::vector<OpCase>> known;
  const auto found = known.find({verdict, op});
  if (found != known.end()) return found->second;
  std::vector<OpCase>& cases = known[{verdict, op}];
  for (const OpCase& one : op_cases::about(op)) {
    if (op_cases::is_differentiable(one) && check(one).verdict == verdict) cases.push_back(one);
  }
  return cases;
}

}  // namespace

const std::vector<OpCase>& confirmed_cases(const std::string& op) {
  return cases_with(Verdict::pass, op);
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
  const auto fails = [&](const OpCase& one) {
    const GradcheckReport report = check(one);
    return report.verdict == Verdict::fail && report.blame && report.blame->op == mistake.op;
  };
  return holds_for_any(confirmed_cases(mistake.op), mistake, fails) ||
         holds_for_any(cases_with(Verdict::kink, mistake.op), mistake, fails);
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

// A check, and what it does with a mistake and with a case that is right.
struct Column {
  std::string title;
  std::function<bool(const Mistake& mistake)> catches;
  std::function<bool(const OpCase& one)> accepts = {};
};

Column classic(const std::string& title, const classic_recipes::Recipe& recipe) {
  return {title, [&recipe](const Mistake& mistake) { return recipe_catches(recipe, mistake); },
          [&recipe](const OpCase& one) { return classic_recipes::accepts(recipe, one); }};
}

std::string row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head(std::vector<std::string> titles, const std::vector<Column>& columns) {
  for (const Column& column : columns) titles.push_back(column.title);
  return row(titles) + row(std::vector<std::string>(titles.size(), "---"));
}

struct MistakeRows {
  std::string text;         // "| `relu` | E17 no mask | caught | **missed** |"
  std::vector<int> caught;  // in each column
};

MistakeRows rows_of(const op_mistakes::Mistakes& mistakes, const std::vector<Column>& columns) {
  MistakeRows rows{"", std::vector<int>(columns.size(), 0)};
  for (const Mistake& mistake : mistakes) {
    std::vector<std::string> cells = {fmt::format("`{}`", mistake.op), mistake.name};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool caught = columns[i].catches(mistake);
      rows.caught[i] += caught;
      cells.push_back(caught ? "caught" : "**missed**");
    }
    rows.text += row(cells);
  }
  return rows;
}

std::string table_of(const op_mistakes::Mistakes& mistakes, const std::vector<Column>& columns) {
  return head({"op", "mistake"}, columns) + rows_of(mistakes, columns).text;
}

// The cases on which all checks are tried.
std::vector<OpCase> all_confirmed_cases() {
  std::set<std::string> ops;
  for (const Mistake& mistake : op_mistakes::all()) ops.insert(mistake.op);
  std::vector<OpCase> cases;
  for (const std::string& op : ops) {
    cases.insert(cases.end(), confirmed_cases(op).begin(), confirmed_cases(op).end());
  }
  return cases;
}

std::string totals(const std::vector<Column>& columns, const std::vector<int>& caught) {
  const std::vector<OpCase> cases = all_confirmed_cases();
  std::vector<std::string> mistakes = {fmt::format("mistakes caught, of {}", op_mistakes::all().size())};
  std::vector<std::string> alarms = {fmt::format("right gradients rejected, of {}", cases.size())};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    mistakes.push_back(fmt::format("{}", caught[i]));
    const auto accepted = std::count_if(cases.begin(), cases.end(), columns[i].accepts);
    alarms.push_back(fmt::format("{}", static_cast<std::ptrdiff_t>(cases.size()) - accepted));
  }
  return head({""}, columns) + row(mistakes) + row(alarms);
}

constexpr const char* introduction = R"(# Which gradient check catches which mistake

Every op of the engine is given wrong derivatives, the ones that people write: a factor forgotten, the input where the
output belongs, a transpose left out. Each mistake is planted in the backward of its op, and four checks are run on
that op's cases:

- **gradcheck**: ours. Random signed cotangents, every element, float64, steps with an error bar. It must say FAIL
  *and* blame the op. (At a tie, where it says KINK to what is right, it must say FAIL to what is wrong.)
- **sum() loss**: the loss is the sum of the output; every element, float64, step 1e-6, tolerance 1e-4.
- **one element**: the same loss, one random element of each input, tolerance 1e-2, as in minitorch.
- **float32**: random cotangents, every element, but in float32, step 1e-3, tolerance 1e-2.

A check has caught a mistake when it accepts the right gradient of one of the op's cases and rejects the wrong one.
The cases are in `tests/autograd/ops/op_cases_*.cpp`, the mistakes in `tests/autograd/ops/op_mistakes.txt`; ids such as
E01 are their numbers in the collection of known mistakes that this began with. This page is printed by `tests/autograd/ops/print_mistake_table.cpp`, and
a test keeps it up to date.

)";

constexpr const char* why_missed = R"(
A sum as the loss means dy = 1 everywhere. Then it does not show when a backward forgets to multiply by dy, puts rows
in the wrong places, or transposes; and the gradient of a softmax is zero, however wrong it is. Looking at one element
misses what is wrong elsewhere: repeated indices, masked places, the first row. float32 with a random cotangent
catches whatever is wrong by more than its tolerance, and nothing smaller; its differences are never good enough for a
narrower one.

)";

constexpr const char* second_order = R"(
## Wrong only in the second derivative

Here the gradient is right, but something in it was detached, so that the gradient's own gradient is wrong. No check of
first derivatives can see that; `gradgradcheck()` does.

)";

constexpr const char* special_points = R"(
## Wrong only at special points

At a kink any slope between the two sides is a fair answer, and differences cannot choose; nor can they at a tie, as long as
all that are tied get the gradient together. These conventions are held by
the comparison with PyTorch's numbers (`tests/autograd/ops/op_values_test.cpp`).

)";

}  // namespace

std::string page() {
  const std::vector<Column> columns = {
      {"gradcheck", gradcheck_catches, [](const OpCase& one) { return check(one).passed(); }},
      classic("sum() loss", classic_recipes::sum_loss),
      classic("one element", classic_recipes::one_element),
      classic("float32", classic_recipes::in_float32),
  };
  const Column first_order{"gradcheck", gradcheck_catches};
  const std::vector<Column> derivatives = {first_order, {"gradgradcheck", gradgradcheck_catches}};
  const std::vector<Column> conventions = {first_order, {"comparison with PyTorch", pytorch_catches}};

  const MistakeRows rows = rows_of(op_mistakes::all(), columns);
  std::string page = introduction + totals(columns, rows.caught) + why_missed;
  page += head({"op", "mistake"}, columns) + rows.text;
  page += second_order + table_of(op_mistakes::of_second_order(), derivatives);
  page += special_points + table_of(op_mistakes::at_special_points(), conventions);
  return page;
}

}  // namespace mistake_table

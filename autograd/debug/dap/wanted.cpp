#include "autograd/debug/dap/wanted.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <utility>

#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/dap/requests.h"
#include "autograd/debug/dap/variables.h"
#include "autograd/debug/source_lines.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/refused.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_wanted = 1000;  // of each kind
constexpr std::int64_t least_line = 0;
constexpr std::int64_t most_line = INT32_MAX;
constexpr const char* not_yet = "Whether an op is there is known once a backward pass has begun";

struct Filter {
  const char* name;
  const char* label;
  const char* description;
  Spot::Kind kind;
};
constexpr Filter filters[] = {
    {"nan", "NaN", "Stop after the op whose backward gave a gradient with a NaN", Spot::Kind::nan},
    {"inf", "Infinity", "Stop after the op whose backward gave an infinite gradient", Spot::Kind::inf},
    {"wrong", "Wrong derivative", "Stop before an op whose backward disagrees with finite differences; slow",
     Spot::Kind::wrong},
};

Spot spot_of_filter(const std::string& name) {
  for (const Filter& filter : filters) {
    if (name == filter.name) return {filter.kind, filter.name, 0, {}};
  }
  throw Refused(fmt::format("there is no exception '{}'", printable(name)), "nan, inf or wrong");
}

// The name under which the ops of this pass, or module calls around them, have the file; "" if none of them is in it.
std::string compiled_name(const std::string& path, const View& view, const Settings& settings) {
  std::error_code problem;
  const std::filesystem::path real = std::filesystem::canonical(path, problem);
  std::set<const char*> names;  // by address: quicker than by letters, and a name twice does no harm
  for (const Ref<Node>& node : view.pass->order) {
    names.insert(node->called_at.file);
    for (const Scope* at = node->scope.get(); at; at = at->parent.get()) names.insert(at->called_from.file);
  }
  for (const char* name : names) {
    if (find_source(name, settings.directories) == (problem ? path : real.string())) return name;
  }
  return "";
}

Spot spot_of_line(const Adapter& adapter, const Wanted& wanted) {
  const std::string name = compiled_name(wanted.source, adapter.view(), adapter.settings);
  if (name.empty()) throw Refused("no op of this pass was called in this file", "a file of the program's forward");
  return parse_spot(fmt::format("{}:{}", name, wanted.line), adapter.view());
}

// Throws Refused if this pass has no such place.
Spot spot_of(const Adapter& adapter, const Wanted& wanted) {
  Spot spot;
  if (wanted.kind == Wanted::Kind::exception) {
    spot = spot_of_filter(wanted.name);
  } else if (wanted.kind == Wanted::Kind::line) {
    spot = spot_of_line(adapter, wanted);
  } else {
    spot = parse_spot(wanted.name, adapter.view());
  }
  if (wanted.condition.empty()) return spot;
  if (spot.condition) throw Refused("there are two conditions", "them joined by `and`");
  spot.condition = parse_condition(wanted.condition);
  return spot;
}

void add_to_debugger(Adapter& adapter, const Wanted& wanted) {
  if (wanted.kind == Wanted::Kind::data) {
    if (!wanted.condition.empty()) throw Refused("a condition for a data breakpoint", "none");
    adapter.breakpoints.push_back({wanted.number, {}, parse_watched(wanted.name, adapter.view())});
  } else {
    adapter.breakpoints.push_back({wanted.number, spot_of(adapter, wanted), {}});
  }
}

// What can be said before there is a pass. Throws Refused.
void check_words(const Wanted& wanted) {
  if (!wanted.condition.empty()) parse_condition(wanted.condition);
  if (!wanted.hits.empty()) counts(wanted.hits, 1);
  if (wanted.kind == Wanted::Kind::data) parse_expression(wanted.name);
  if (wanted.kind == Wanted::Kind::data && !wanted.hits.empty()) throw Refused("hits of a data breakpoint", "none");
  if (wanted.kind == Wanted::Kind::exception) spot_of_filter(wanted.name);
}

void place(Adapter& adapter, Wanted& wanted) {
  try {
    check_words(wanted);
    const bool anywhere = wanted.kind == Wanted::Kind::exception;
    if (!adapter.is_in_pass() && !anywhere) {
      wanted.message = not_yet;
      return;
    }
    add_to_debugger(adapter, wanted);
    wanted.verified = true;
    wanted.message.clear();
  } catch (const std::exception& problem) {
    wanted.message = problem.what();
  }
}

Json as_json(const Wanted& wanted) {
  Json json = {{"id", wanted.number}, {"verified", wanted.verified}};
  if (!wanted.message.empty()) json["message"] = wanted.message;
  if (wanted.kind == Wanted::Kind::line) json["line"] = wanted.line;
  return json;
}

}  // namespace

bool Wanted::asks_for_the_same(const Wanted& other) const {
  return kind == other.kind && source == other.source && line == other.line && name == other.name &&
         condition == other.condition && hits == other.hits && log == other.log;
}

Json exception_filters() {
  Json list = Json::array();
  for (const Filter& filter : filters) {
    list.push_back({{"filter", filter.name},
                    {"label", filter.label},
                    {"description", filter.description},
                    {"supportsCondition", true},
                    {"conditionDescription", "norm > 1e3"},
                    {"default", filter.kind == Spot::Kind::nan}});
  }
  return list;
}

std::string exception_label(const std::string& name) {
  for (const Filter& filter : filters) {
    if (name == filter.name) return filter.label;
  }
  return "";
}

void place_wanted(Adapter& adapter) {
  for (Wanted& each : adapter.wanted) {
    if (each.verified) continue;
    const std::string before = each.message;
    place(adapter, each);
    if (!each.verified && each.message == before) continue;
    adapter.event("breakpoint", {{"reason", "changed"}, {"breakpoint", as_json(each)}});
  }
}

bool counts(const std::string& hits, int count) {
  const std::string text = trim(hits);
  const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  const std::string sign = trim(std::string_view(text).substr(0, digits));
  const std::optional<std::int64_t> number = whole_number(std::string_view(text).substr(digits));
  if (!number || *number < 1 || !(sign == "%" || sign.empty() || is_comparison(sign))) {
    throw Refused(fmt::format("'{}' is not a number of hits", printable(text)), "N or >= N, == N, > N, < N, <= N, % N");
  }
  if (sign == "%") return count % *number == 0;
  return compare(count, sign.empty() ? ">=" : sign, static_cast<double>(*number));
}

namespace {

std::string value_text(const std::string& expression, const View& view, const Settings& settings) {
  try {
    return trim(answer_print({view, settings, expression}));
  } catch (const std::exception& problem) {
    return printable(problem.what());
  }
}

}  // namespace

std::string filled_in(const std::string& log, const View& view, const Settings& settings) {
  std::string text;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = log.find('{', at);
    const std::size_t close = log.find('}', std::min(open, log.size()));
    if (close == std::string::npos) return text + log.substr(at);
    text += log.substr(at, open - at) + value_text(log.substr(open + 1, close - open - 1), view, settings);
    at = close + 1;
  }
}

// ---- the requests that say where to stop ------------------------------------------------------------------------------
namespace {

using Kind = Wanted::Kind;

// Makes the debugger's breakpoints of this kind, in this file for lines, those that the editor wants now. The answer is
// the list for the response.
Json set_wanted(Adapter& adapter, Wanted::Kind kind, const std::string& source, std::vector<Wanted> asked) {
  if (asked.size() > most_wanted) {
    throw Refused(fmt::format("{} breakpoints", asked.size()), fmt::format("at most {}", most_wanted));
  }
  std::vector<Wanted> kept;
  std::vector<Wanted> former;
  for (Wanted& each : adapter.wanted) {
    (each.kind == kind && each.source == source ? former : kept).push_back(std::move(each));
  }
  Json list = Json::array();
  for (Wanted& each : asked) {
    const auto same =
        std::find_if(former.begin(), former.end(), [&](const Wanted& one) { return one.asks_for_the_same(each); });
    if (same != former.end()) {  // with the hits that it has had
      each = std::move(*same);
      former.erase(same);
    } else {
      each.number = adapter.next_number++;
      place(adapter, each);
    }
    list.push_back(as_json(each));
    kept.push_back(std::move(each));
  }
  for (const Wanted& each : former) {
    std::erase_if(adapter.breakpoints, [&](const Breakpoint& item) { return item.number == each.number; });
  }
  adapter.wanted = std::move(kept);
  return list;
}

template <Kind kind> Json set(Adapter& adapter, const Json& arguments) {
  constexpr bool of_line = kind == Kind::line;
  constexpr const char* list = kind == Kind::exception ? "filterOptions" : "breakpoints";
  constexpr const char* name = kind == Kind::data ? "dataId" : kind == Kind::exception ? "filterId" : "name";
  const std::string source = of_line ? read<std::string>(read<Json>(arguments, "source"), "path") : "";
  std::vector<Wanted> asked;
  if (kind == Kind::exception) {
    for (const auto& filter : read<std::vector<std::string>>(arguments, "filters", {{}})) {
      asked.emplace_back();
      asked.back().name = filter;
    }
  }
  for (const Json& each : read<std::vector<Json>>(arguments, list, {{}})) {
    Wanted wanted;
    wanted.source = source;
    if (of_line) wanted.line = static_cast<int>(std::clamp(read<std::int64_t>(each, "line"), least_line, most_line));
    if (!of_line) wanted.name = read<std::string>(each, name);
    wanted.condition = read<std::string>(each, "condition", "");
    wanted.hits = read<std::string>(each, "hitCondition", "");
    wanted.log = read<std::string>(each, "logMessage", "");
    asked.push_back(wanted);
  }
  for (Wanted& each : asked) each.kind = kind;
  return {{"breakpoints", set_wanted(adapter, kind, source, asked)}};
}

// The gradient that a variable, or an expression, stands for.
std::string watchable(Adapter& adapter, const Json& arguments) {
  const std::string name = read<std::string>(arguments, "name");
  if (const auto reference = read<std::int64_t>(arguments, "variablesReference", 0); reference != 0) {
    return gradient_under(adapter, handle_of(adapter, reference), name);
  }
  if (name.find(".grad") != std::string::npos) return name;
  const std::size_t brackets = std::min(name.find('['), name.size());
  return name.substr(0, brackets) + ".grad" + name.substr(brackets);
}

Json data_breakpoint_info(Adapter& adapter, const Json& arguments) {
  const std::string gradient = watchable(adapter, arguments);
  if (gradient.empty()) {
    const std::string name = printable(read<std::string>(arguments, "name"));
    return {{"dataId", nullptr},
            {"description", fmt::format("{} does not change while backward runs; watch a gradient", name)}};
  }
  try {
    parse_watched(gradient, adapter.view());
  } catch (const Refused& refused) {
    return {{"dataId", nullptr}, {"description", refused.what()}};
  }
  return {{"dataId", gradient},
          {"description", gradient},
          {"accessTypes", {"write"}},
          {"canPersist", gradient[0] != '%'}};  // a number stands for another op in the next pass
}

}  // namespace

std::vector<Request> breakpoint_requests() {
  using When = Request::When;
  return {
      {"setBreakpoints", When::initialized, set<Kind::line>},
      {"setFunctionBreakpoints", When::initialized, set<Kind::function>},
      {"setDataBreakpoints", When::initialized, set<Kind::data>},
      {"setExceptionBreakpoints", When::initialized, set<Kind::exception>},
      {"dataBreakpointInfo", When::stopped, data_breakpoint_info},
  };
}

}  // namespace autograd::debug

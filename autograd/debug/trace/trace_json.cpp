// A trace as JSON, and back. FORMAT.md describes each field.

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "autograd/debug/trace/trace.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {

using Json = nlohmann::json;

namespace {

constexpr int version = 2;

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("this is not a trace that can be read: " + what);
}

// ---- numbers ----------------------------------------------------------------------------------------------------------

// JSON has no NaN. A float32 is written with the digits that a float32 needs: "0.1", not "0.10000000149011612".
Json number(double value, bool is_float32) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (!is_float32) return value;
  char digits[32];
  const auto written = std::to_chars(digits, digits + sizeof digits, static_cast<float>(value));
  const double shortest = number_in<double>({digits, written.ptr}).value_or(value);
  return static_cast<double>(static_cast<float>(shortest)) == value ? shortest : value;
}

// A summary needs few digits.
Json rounded(double value) {
  if (!std::isfinite(value)) return number(value, false);
  char digits[32];
  const auto written = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific, 5);
  return number_in<double>({digits, written.ptr}).value_or(value);
}

double read_number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  refuse(fmt::format("'{}' is not a number", text.substr(0, 40)));
}

}  // namespace

// ---- the parts, which nlohmann/json finds by these names ---------------------------------------------------------------

void to_json(Json& json, const TraceTensor& tensor) {
  const bool is_float32 = tensor.dtype == "float32";
  json = {{"shape", tensor.shape}, {"dtype", tensor.dtype}};
  if (tensor.complete) {
    Json& values = json["values"] = Json::array();
    for (const double value : tensor.values) values.push_back(number(value, is_float32));
    return;
  }
  json["min"] = number(tensor.min, is_float32);
  json["max"] = number(tensor.max, is_float32);
  json["mean"] = rounded(tensor.mean);
  json["norm"] = rounded(tensor.norm);
  json["nan"] = tensor.nan;
  json["inf"] = tensor.inf;
  json["hash"] = tensor.hash;
  json["rows"] = tensor.rows;
  json["columns"] = tensor.columns;
  Json& cells = json["cells"] = Json::array();
  for (const double cell : tensor.cells) cells.push_back(rounded(cell));
}

void from_json(const Json& json, TraceTensor& tensor) {
  json.at("shape").get_to(tensor.shape);
  json.at("dtype").get_to(tensor.dtype);
  tensor.complete = json.contains("values");
  if (tensor.complete) {
    for (const Json& value : json.at("values")) {
      const double number = read_number(value);
      tensor.values.push_back(tensor.dtype == "float32" ? static_cast<double>(static_cast<float>(number)) : number);
    }
    return;
  }
  tensor.min = read_number(json.at("min"));
  tensor.max = read_number(json.at("max"));
  tensor.mean = read_number(json.at("mean"));
  tensor.norm = read_number(json.at("norm"));
  json.at("nan").get_to(tensor.nan);
  json.at("inf").get_to(tensor.inf);
  json.at("hash").get_to(tensor.hash);
  json.at("rows").get_to(tensor.rows);
  json.at("columns").get_to(tensor.columns);
  for (const Json& cell : json.at("cells")) tensor.cells.push_back(read_number(cell));
}

NLOHMANN_JSON_SERIALIZE_ENUM(TraceGroup::Kind, {{TraceGroup::Kind::module, "module"}, {TraceGroup::Kind::step, "step"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceLine, file, line, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceSource, file, text, missing)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceOp, name, formula, derivative)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceGroup, kind, name, parent, step, called_from)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceInput, node, use, name, value, slopes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceNode, id, label, op, is_leaf, line, origin, module, time_steps,
                                                group, shape, dtype, value, gradient, inputs, expected)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceUse, leaf, user, input)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceContribution, from, input, to, value, use)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TraceStep, node, first, last)
NLOHMANN_JSON_SERIALIZE_ENUM(Finding::Kind, {{Finding::Kind::not_finite, "not finite"},
                                             {Finding::Kind::wrong_derivative, "wrong derivative"},
                                             {Finding::Kind::exception, "exception"},
                                             {Finding::Kind::difference, "difference"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Finding, kind, text, id, op, file, line, node, backward)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Trace, pass, called_at, captures_only, completed, lines, sources, ops,
                                                groups, nodes, uses, tensors, steps, contributions)

namespace {

// [gradient, weight, update] for each pass.
void to_json(Json& json, const ModuleSizes& sizes) {
  json = {rounded(sizes.gradient), rounded(sizes.weight), rounded(sizes.update)};
}

Json history_json(const History& history) {
  Json json = {{"count", history.count}, {"passes", history.passes}, {"modules", Json::array()}};
  for (const ModuleHistory& module : history.modules) {
    Json sizes = Json::array();
    for (const ModuleSizes& each : module.sizes) to_json(sizes.emplace_back(), each);
    json["modules"].push_back({{"module", printable(module.module)}, {"sizes", std::move(sizes)}});
  }
  return json;
}

// A position that is none, and an empty text.
bool says_nothing(const Json& value) {
  return value == none || value == "";
}

void leave_out_what_says_nothing(Json& json) {
  if (json.is_object()) {
    for (auto field = json.begin(); field != json.end();) field = says_nothing(*field) ? json.erase(field) : ++field;
  }
  for (Json& part : json) {
    if (part.is_structured()) leave_out_what_says_nothing(part);
  }
}

void check_positions(const Trace& trace) {
  const auto check = [](int position, const auto& list, const char* what) {
    if (position < none || position >= static_cast<std::ptrdiff_t>(list.size()))
      refuse(fmt::format("the {} {} does not exist", what, position));
  };
  check(trace.called_at, trace.lines, "line");
  check(0, trace.groups, "group");
  for (const TraceGroup& group : trace.groups) {
    check(group.parent, trace.groups, "group");
    check(group.called_from, trace.lines, "line");
  }
  for (const TraceNode& node : trace.nodes) {
    check(node.line, trace.lines, "line");
    check(node.origin, trace.lines, "line");
    check(node.group, trace.groups, "group");
    check(node.value, trace.tensors, "tensor");
    check(node.gradient, trace.tensors, "tensor");
    for (const TraceInput& input : node.inputs) {
      check(input.use, trace.uses, "use");
      check(input.value, trace.tensors, "tensor");
      check(input.slopes, trace.tensors, "tensor");
    }
  }
  for (const TraceContribution& contribution : trace.contributions) {
    check(contribution.value, trace.tensors, "tensor");
    check(contribution.use, trace.uses, "use");
  }
  for (const TraceStep& step : trace.steps) {
    if (step.first > step.last || step.last > trace.contributions.size())
      refuse("a step has contributions that do not exist");
  }
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Trace read(const Json& json) {
  if (!json.is_object() || json.value("format", "") != "backstep-trace") refuse("its format is not backstep-trace");
  if (json.at("version") != version) {
    refuse(fmt::format("it has version {}, this program reads version {}", json.at("version").dump(), version));
  }
  auto trace = json.get<Trace>();
  if (json.contains("mark")) trace.mark = json.at("mark").get<Finding>();
  check_positions(trace);
  return trace;
}

}  // namespace

std::string to_json(const Trace& trace) {
  Json json = trace;
  if (trace.mark) json["mark"] = *trace.mark;
  if (trace.history.passes.size() > 1) json["history"] = history_json(trace.history);
  const Json tensors = std::move(json["tensors"]);  // a number in them may be -1
  leave_out_what_says_nothing(json);
  json["tensors"] = tensors;
  json["format"] = "backstep-trace";
  json["version"] = version;
  return text_of(json);
}

std::string to_json(const TraceReport& report) {
  Json json = {{"passes", report.passes}};
  if (report.found) json["found"] = *report.found;
  leave_out_what_says_nothing(json);
  return text_of(json);
}

Trace trace_from_json(const std::string& text) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    refuse(error.what());
  }
}

Trace read_trace(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw std::invalid_argument(fmt::format("the trace {} cannot be read", file));
  try {
    return trace_from_json(text);
  } catch (const std::invalid_argument& problem) {
    throw std::invalid_argument(fmt::format("{}: {}", file, problem.what()));
  }
}

}  // namespace autograd::debug

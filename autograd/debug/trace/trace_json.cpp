// A trace as JSON, and back. docs/trace-format.md describes each field.

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "autograd/debug/trace/mathml.h"
#include "autograd/debug/trace/trace.h"
#include "autograd/debug/trace/trace_json_parts.h"

namespace autograd::debug {
namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

// ---- writing ----------------------------------------------------------------------------------------------------------

// JSON has no NaN. A float32 is written with the digits that a float32 needs: "0.1", not "0.10000000149011612".
Json number(double value, bool is_float32) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (!is_float32) return value;
  char digits[32];
  const auto written = std::to_chars(digits, digits + sizeof digits, static_cast<float>(value));
  double shortest = value;
  std::from_chars(digits, written.ptr, shortest);
  return static_cast<double>(static_cast<float>(shortest)) == value ? shortest : value;
}

Json numbers(const std::vector<double>& values, bool is_float32) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value, is_float32));
  return list;
}

// A summary needs few digits.
double rounded(double value) {
  if (!std::isfinite(value)) return value;
  char digits[32];
  const auto written = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific, 5);
  std::from_chars(digits, written.ptr, value);
  return value;
}

Json to_json(const TraceTensor& tensor) {
  const bool is_float32 = tensor.dtype == "float32";
  Json json = {{"shape", tensor.shape}, {"dtype", tensor.dtype}};
  if (tensor.complete) {
    json["values"] = numbers(tensor.values, is_float32);
    return json;
  }
  json["min"] = number(tensor.min, is_float32);
  json["max"] = number(tensor.max, is_float32);
  json["mean"] = number(rounded(tensor.mean), false);
  json["norm"] = number(rounded(tensor.norm), false);
  json["nan"] = tensor.nan;
  json["inf"] = tensor.inf;
  json["hash"] = fmt::format("{:016x}", tensor.hash);
  json["rows"] = tensor.rows;
  json["columns"] = tensor.columns;
  std::vector<double> cells = tensor.cells;
  for (double& cell : cells) cell = rounded(cell);
  json["cells"] = numbers(cells, false);
  return json;
}

void put_index(Json& json, const char* key, int index) {
  if (index != none) json[key] = index;
}

Json to_json(const TraceInput& input) {
  Json json = Json::object();
  if (input.node) json["node"] = *input.node;
  put_index(json, "use", input.use);
  if (!input.name.empty()) json["name"] = input.name;
  put_index(json, "value", input.value);
  return json;
}

Json to_json(const TraceNode& node) {
  Json json = {{"id", node.id}, {"label", node.label}, {"op", node.op}};
  put_index(json, "line", node.line);
  put_index(json, "origin", node.origin);
  if (!node.module.empty()) json["module"] = node.module;
  if (!node.time_steps.empty()) json["time_steps"] = node.time_steps;
  if (!node.is_leaf) json["group"] = node.group;
  json["shape"] = node.shape;
  json["dtype"] = node.dtype;
  put_index(json, "value", node.value);
  put_index(json, "gradient", node.gradient);
  json["inputs"] = Json::array();
  for (const TraceInput& input : node.inputs) json["inputs"].push_back(to_json(input));
  json["expected"] = node.expected;
  put_index(json, "copied_from", node.copied_from);
  put_index(json, "factors", node.factors);
  if (!node.along.empty()) json["along"] = node.along;
  return json;
}

constexpr const char* kind_names[] = {"module", "step", "loop", "between"};

Json to_json(const TraceItem& item, const Trace& trace) {
  switch (item.kind) {
    case TraceItem::Kind::node: return fmt::format("n{}", trace.nodes[item.index].id);
    case TraceItem::Kind::use: return fmt::format("u{}", item.index);
    case TraceItem::Kind::group: break;
  }
  return fmt::format("g{}", item.index);
}

Json to_json(const TraceGroup& group, const Trace& trace) {
  Json json = {{"kind", kind_names[static_cast<int>(group.kind)]}, {"name", group.name}};
  put_index(json, "parent", group.parent);
  if (group.kind == TraceGroup::Kind::step) json["step"] = group.step;
  put_index(json, "called_from", group.called_from);
  json["rows"] = Json::array();
  for (const auto& row : group.rows) {
    Json items = Json::array();
    for (const TraceItem& item : row) items.push_back(to_json(item, trace));
    json["rows"].push_back(items);
  }
  return json;
}

Json to_json(const TraceLine& line) {
  Json json = {{"file", line.file}, {"line", line.line}};
  if (!line.text.empty()) json["text"] = line.text;
  return json;
}

Json to_json(const TraceSource& source) {
  Json json = {{"file", source.file}};
  if (source.missing.empty())
    json["text"] = source.text;
  else
    json["missing"] = source.missing;
  return json;
}

Json to_json(const TraceOp& op) {
  return {{"name", op.name},
          {"formula", op.formula},
          {"derivative", op.derivative},
          {"formula_mathml", to_mathml(op.formula)},
          {"derivative_mathml", to_mathml(op.derivative)}};
}

Json to_json(const TraceContribution& contribution) {
  Json json = Json::object();
  if (contribution.from) {
    json["from"] = *contribution.from;
    json["input"] = contribution.input;
  }
  json["to"] = contribution.to;
  put_index(json, "value", contribution.value);
  put_index(json, "use", contribution.use);
  return json;
}

template <class T> Json list_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

}  // namespace

Json short_parts(const Trace& trace) {
  Json json = {{"format", "backstep-trace"}, {"version", version}, {"pass", trace.pass}};
  put_index(json, "called_at", trace.called_at);
  json["captures_only"] = trace.captures_only;
  json["completed"] = trace.completed;
  if (trace.mark) {
    json["mark"] = {{"node", trace.mark->node}, {"backward", trace.mark->backward}, {"text", trace.mark->text}};
  }
  json["lines"] = list_of(trace.lines);
  json["sources"] = list_of(trace.sources);
  json["ops"] = list_of(trace.ops);
  json["groups"] = Json::array();
  for (const TraceGroup& group : trace.groups) json["groups"].push_back(to_json(group, trace));
  return json;
}

std::string to_json(const Trace& trace) {
  Json json = short_parts(trace);
  json["nodes"] = list_of(trace.nodes);
  json["uses"] = Json::array();
  for (const TraceUse& use : trace.uses) {
    json["uses"].push_back({{"leaf", use.leaf}, {"user", use.user}, {"input", use.input}});
  }
  json["steps"] = Json::array();
  for (const TraceStep& step : trace.steps) {
    json["steps"].push_back({{"node", step.node}, {"first", step.first}, {"last", step.last}});
  }
  json["contributions"] = list_of(trace.contributions);
  json["tensors"] = list_of(trace.tensors);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- reading ----------------------------------------------------------------------------------------------------------

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("this is no trace that can be read: " + what);
}

double read_number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  refuse(fmt::format("'{}' is no number", text.substr(0, 40)));
}

std::vector<double> read_numbers(const Json& json, bool is_float32) {
  std::vector<double> values;
  for (const Json& value : json) {
    const double number = read_number(value);
    values.push_back(is_float32 ? static_cast<double>(static_cast<float>(number)) : number);
  }
  return values;
}

TraceTensor read_tensor(const Json& json) {
  TraceTensor tensor;
  tensor.shape = json.at("shape").get<std::vector<std::int64_t>>();
  tensor.dtype = json.at("dtype").get<std::string>();
  const bool is_float32 = tensor.dtype == "float32";
  tensor.complete = json.contains("values");
  if (tensor.complete) {
    tensor.values = read_numbers(json.at("values"), is_float32);
    return tensor;
  }
  tensor.min = read_number(json.at("min"));
  tensor.max = read_number(json.at("max"));
  tensor.mean = read_number(json.at("mean"));
  tensor.norm = read_number(json.at("norm"));
  tensor.nan = json.at("nan").get<std::int64_t>();
  tensor.inf = json.at("inf").get<std::int64_t>();
  tensor.hash = std::stoull(json.at("hash").get<std::string>(), nullptr, 16);
  tensor.rows = json.at("rows").get<std::int64_t>();
  tensor.columns = json.at("columns").get<std::int64_t>();
  tensor.cells = read_numbers(json.at("cells"), false);
  return tensor;
}

// A position in a list of `size` entries, or none.
int read_index(const Json& json, const char* key, std::size_t size) {
  if (!json.contains(key)) return none;
  const auto index = json.at(key).get<std::int64_t>();
  if (index < 0 || static_cast<std::uint64_t>(index) >= size)
    refuse(fmt::format("the {} {} does not exist", key, index));
  return static_cast<int>(index);
}

TraceNode read_node(const Json& json, const Trace& trace) {
  TraceNode node;
  node.id = json.at("id").get<std::uint64_t>();
  node.label = json.at("label").get<std::string>();
  node.op = json.at("op").get<std::string>();
  node.is_leaf = node.op == "leaf";
  node.line = read_index(json, "line", trace.lines.size());
  node.origin = read_index(json, "origin", trace.lines.size());
  node.module = json.value("module", "");
  if (json.contains("time_steps")) node.time_steps = json.at("time_steps").get<std::vector<std::int64_t>>();
  node.group = std::max(0, read_index(json, "group", trace.groups.size()));
  node.shape = json.at("shape").get<std::vector<std::int64_t>>();
  node.dtype = json.at("dtype").get<std::string>();
  node.value = read_index(json, "value", trace.tensors.size());
  node.gradient = read_index(json, "gradient", trace.tensors.size());
  for (const Json& one : json.at("inputs")) {
    TraceInput input;
    if (one.contains("node")) input.node = one.at("node").get<std::uint64_t>();
    input.use = read_index(one, "use", trace.uses.size());
    input.name = one.value("name", "");
    input.value = read_index(one, "value", trace.tensors.size());
    node.inputs.push_back(input);
  }
  node.expected = json.at("expected").get<std::size_t>();
  node.copied_from = read_index(json, "copied_from", trace.tensors.size());
  node.factors = read_index(json, "factors", trace.tensors.size());
  if (json.contains("along")) node.along = json.at("along").get<std::vector<std::int64_t>>();
  return node;
}

TraceGroup read_group(const Json& json, std::size_t groups, std::size_t lines) {
  TraceGroup group;
  const auto kind = json.at("kind").get<std::string>();
  for (int i = 0; i < 4; ++i) {
    if (kind == kind_names[i]) group.kind = static_cast<TraceGroup::Kind>(i);
  }
  group.name = json.at("name").get<std::string>();
  group.parent = read_index(json, "parent", groups);
  group.step = json.value("step", std::int64_t{0});
  group.called_from = read_index(json, "called_from", lines);
  return group;
}

TraceItem read_item(const std::string& text, const Trace& trace) {
  const std::uint64_t number = std::stoull(text.substr(1));
  if (text[0] == 'n') {
    const TraceNode* node = trace.find(number);
    if (node) return {TraceItem::Kind::node, static_cast<std::size_t>(node - trace.nodes.data())};
  }
  if (text[0] == 'u' && number < trace.uses.size()) return {TraceItem::Kind::use, static_cast<std::size_t>(number)};
  if (text[0] == 'g' && number < trace.groups.size()) return {TraceItem::Kind::group, static_cast<std::size_t>(number)};
  refuse(fmt::format("'{}' does not exist", text.substr(0, 40)));
}

Trace read(const Json& json) {
  if (!json.is_object() || json.value("format", "") != "backstep-trace") refuse("its format is not backstep-trace");
  if (json.at("version") != version) {
    refuse(fmt::format("it has version {}, this program reads version {}", json.at("version").dump(), version));
  }
  Trace trace;
  trace.pass = json.at("pass").get<std::uint64_t>();
  trace.captures_only = json.at("captures_only").get<bool>();
  trace.completed = json.at("completed").get<bool>();
  for (const Json& line : json.at("lines")) {
    trace.lines.push_back({line.at("file").get<std::string>(), line.at("line").get<int>(), line.value("text", "")});
  }
  if (json.contains("sources")) {  // not in traces of earlier versions of Backstep
    for (const Json& source : json.at("sources")) {
      trace.sources.push_back(
          {source.at("file").get<std::string>(), source.value("text", ""), source.value("missing", "")});
    }
  }
  trace.called_at = read_index(json, "called_at", trace.lines.size());
  for (const Json& op : json.at("ops")) {
    trace.ops.push_back({op.at("name").get<std::string>(), op.at("formula").get<std::string>(),
                         op.at("derivative").get<std::string>()});
  }
  for (const Json& tensor : json.at("tensors")) trace.tensors.push_back(read_tensor(tensor));
  for (const Json& use : json.at("uses")) {
    trace.uses.push_back(
        {use.at("leaf").get<std::uint64_t>(), use.at("user").get<std::uint64_t>(), use.at("input").get<std::size_t>()});
  }
  const Json& groups = json.at("groups");
  for (const Json& group : groups) trace.groups.push_back(read_group(group, groups.size(), trace.lines.size()));
  for (const Json& node : json.at("nodes")) trace.nodes.push_back(read_node(node, trace));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const Json& row : groups[i].at("rows")) {
      trace.groups[i].rows.emplace_back();
      for (const Json& item : row) trace.groups[i].rows.back().push_back(read_item(item.get<std::string>(), trace));
    }
  }
  for (const Json& one : json.at("contributions")) {
    TraceContribution contribution;
    if (one.contains("from")) contribution.from = one.at("from").get<std::uint64_t>();
    contribution.input = one.value("input", std::size_t{0});
    contribution.to = one.at("to").get<std::uint64_t>();
    contribution.value = read_index(one, "value", trace.tensors.size());
    contribution.use = read_index(one, "use", trace.uses.size());
    trace.contributions.push_back(contribution);
  }
  for (const Json& one : json.at("steps")) {
    const TraceStep step{one.at("node").get<std::uint64_t>(), one.at("first").get<std::size_t>(),
                         one.at("last").get<std::size_t>()};
    if (step.first > step.last || step.last > trace.contributions.size())
      refuse("a step has contributions that do not exist");
    trace.steps.push_back(step);
  }
  if (json.contains("mark")) {
    const Json& mark = json.at("mark");
    trace.mark = {mark.at("node").get<std::uint64_t>(), mark.at("backward").get<bool>(),
                  mark.at("text").get<std::string>()};
  }
  return trace;
}

}  // namespace

Trace trace_from_json(const std::string& text) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    refuse(error.what());
  } catch (const std::logic_error& error) {  // of std::stoull
    if (dynamic_cast<const std::invalid_argument*>(&error) && std::string(error.what()).rfind("this is no", 0) == 0)
      throw;
    refuse("a number is damaged");
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

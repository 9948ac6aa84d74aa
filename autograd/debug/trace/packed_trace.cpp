#include "autograd/debug/trace/packed_trace.h"

#include <fmt/core.h>

#include <map>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "autograd/debug/trace/trace_json_parts.h"

namespace autograd::debug {
namespace {

using Json = nlohmann::ordered_json;

std::string base64(const void* data, std::size_t size) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto byte = [&](std::size_t i) { return i < size ? unsigned{bytes[i]} : 0u; };
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += digits[group >> 18];
    text += digits[group >> 12 & 63];
    text += i + 1 < size ? digits[group >> 6 & 63] : '=';
    text += i + 2 < size ? digits[group & 63] : '=';
  }
  return text;
}

// Little-endian, as every machine that Backstep runs on.
template <class T> std::string base64(const std::vector<T>& numbers) {
  return base64(numbers.data(), numbers.size() * sizeof(T));
}

// A column of a table: one integer for each of its rows.
class Column {
 public:
  template <class Integer> void add(Integer value) {
    static_assert(std::is_integral_v<Integer>);
    text_ += text_.empty() ? "" : ",";
    text_ += std::to_string(value);
  }
  void write(std::string& out, const char* name) const { out += fmt::format(",\"{}\":[{}]", name, text_); }

 private:
  std::string text_;
};

// Each text, or list of numbers, once.
template <class Value> class Dictionary {
 public:
  std::size_t add(const Value& value) {
    const auto [place, is_new] = places_.try_emplace(value, list_.size());
    if (is_new) list_.push_back(value);
    return place->second;
  }
  void write(std::string& out, const char* name) const {
    out += fmt::format(",\"{}\":{}", name, Json(list_).dump(-1, ' ', false, Json::error_handler_t::replace));
  }

 private:
  std::map<Value, std::size_t> places_;
  std::vector<Value> list_;
};

class Packer {
 public:
  explicit Packer(const Trace& trace) : trace_(trace) {}

  std::string pack() {
    std::string out = short_parts(trace_).dump(-1, ' ', false, Json::error_handler_t::replace);
    out.pop_back();  // the closing brace
    add_nodes(out);
    add_flow(out);
    add_tensors(out);
    strings_.write(out, "strings");
    lists_.write(out, "lists");
    return out + "}";
  }

 private:
  // "%17", the name of a node without one, is not written but left to the reader.
  std::int64_t name_of(const std::string& name, std::uint64_t id) {
    return name == "%" + std::to_string(id) ? -1 : static_cast<std::int64_t>(strings_.add(name));
  }

  void add_nodes(std::string& out) {
    Column id, label, op, line, origin, module, time_steps, group, shape, dtype, value, gradient, expected, copied_from,
        factors, along, input_count, input_node, input_use, input_name, input_value;
    std::uint64_t before = 0;
    for (const TraceNode& node : trace_.nodes) {
      id.add(node.id - before);
      before = node.id;
      label.add(name_of(node.label, node.id));
      op.add(strings_.add(node.op));
      line.add(node.line);
      origin.add(node.origin);
      module.add(strings_.add(node.module));
      time_steps.add(lists_.add(node.time_steps));
      group.add(node.group);
      shape.add(lists_.add(node.shape));
      dtype.add(strings_.add(node.dtype));
      value.add(node.value);
      gradient.add(node.gradient);
      expected.add(node.expected);
      copied_from.add(node.copied_from);
      factors.add(node.factors);
      along.add(lists_.add(node.along));
      input_count.add(node.inputs.size());
      for (const TraceInput& input : node.inputs) {
        // As a distance to the user, which is a smaller number.
        input_node.add(input.node ? static_cast<std::int64_t>(node.id) - static_cast<std::int64_t>(*input.node) : 0);
        input_use.add(input.use);
        input_name.add(name_of(input.name, input.node.value_or(0)));
        input_value.add(input.value);
      }
    }
    const std::pair<const char*, const Column*> columns[] = {{"id", &id},
                                                             {"label", &label},
                                                             {"op", &op},
                                                             {"line", &line},
                                                             {"origin", &origin},
                                                             {"module", &module},
                                                             {"time_steps", &time_steps},
                                                             {"group", &group},
                                                             {"shape", &shape},
                                                             {"dtype", &dtype},
                                                             {"value", &value},
                                                             {"gradient", &gradient},
                                                             {"expected", &expected},
                                                             {"copied_from", &copied_from},
                                                             {"factors", &factors},
                                                             {"along", &along},
                                                             {"input_count", &input_count},
                                                             {"input_node", &input_node},
                                                             {"input_use", &input_use},
                                                             {"input_name", &input_name},
                                                             {"input_value", &input_value}};
    write_table(out, "nodes", columns);
  }

  void add_flow(std::string& out) {
    Column leaf, user, use_input;
    for (const TraceUse& use : trace_.uses) {
      leaf.add(use.leaf);
      user.add(use.user);
      use_input.add(use.input);
    }
    const std::pair<const char*, const Column*> uses[] = {{"leaf", &leaf}, {"user", &user}, {"input", &use_input}};
    write_table(out, "uses", uses);
    Column node, first, count;
    std::size_t end = 0;
    for (const TraceStep& step : trace_.steps) {
      node.add(step.node);
      first.add(static_cast<std::int64_t>(step.first) - static_cast<std::int64_t>(end));
      count.add(step.last - step.first);
      end = step.last;
    }
    const std::pair<const char*, const Column*> steps[] = {{"node", &node}, {"first", &first}, {"count", &count}};
    write_table(out, "steps", steps);
    Column from, input, to, value, use;
    for (const TraceContribution& contribution : trace_.contributions) {
      // As a distance too; 0 where there is none.
      from.add(contribution.from
                   ? static_cast<std::int64_t>(*contribution.from) - static_cast<std::int64_t>(contribution.to)
                   : 0);
      input.add(contribution.input);
      to.add(contribution.to);
      value.add(contribution.value);
      use.add(contribution.use);
    }
    const std::pair<const char*, const Column*> contributions[] = {
        {"from", &from}, {"input", &input}, {"to", &to}, {"value", &value}, {"use", &use}};
    write_table(out, "contributions", contributions);
  }

  void add_tensors(std::string& out) {
    Column shape, dtype, cells;
    std::vector<float> single;
    std::vector<double> exact;
    for (const TraceTensor& tensor : trace_.tensors) {
      shape.add(lists_.add(tensor.shape));
      dtype.add(strings_.add(tensor.dtype));
      cells.add(tensor.complete ? 0 : tensor.rows);
      const auto put = [&](double number) {
        if (tensor.dtype == "float32")
          single.push_back(static_cast<float>(number));
        else
          exact.push_back(number);
      };
      if (!tensor.complete) {
        for (const double number : {tensor.min, tensor.max, tensor.mean, tensor.norm, static_cast<double>(tensor.nan),
                                    static_cast<double>(tensor.inf), static_cast<double>(tensor.columns)}) {
          put(number);
        }
      }
      for (const double number : tensor.complete ? tensor.values : tensor.cells) put(number);
    }
    const std::pair<const char*, const Column*> columns[] = {{"shape", &shape}, {"dtype", &dtype}, {"rows", &cells}};
    write_table(out, "tensors", columns);
    out += ",\"single\":\"" + base64(single) + "\",\"exact\":\"" + base64(exact) + "\"";
  }

  template <std::size_t N>
  static void write_table(std::string& out, const char* name,
                          const std::pair<const char*, const Column*> (&columns)[N]) {
    out += fmt::format(",\"{}\":{{\"packed\":1", name);
    for (const auto& [column, numbers] : columns) numbers->write(out, column);
    out += "}";
  }

  const Trace& trace_;
  Dictionary<std::string> strings_;
  Dictionary<std::vector<std::int64_t>> lists_;
};

}  // namespace

std::string to_packed_json(const Trace& trace) {
  return Packer(trace).pack();
}

}  // namespace autograd::debug

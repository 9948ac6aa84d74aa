#include "runner/report/verdict.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runner/report/whole_number.h"

namespace learn {
namespace {

using nlohmann::json;

// NaN and infinity come as text.
double read_number(const json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : value.get<double>();
}

std::map<std::string, std::int64_t> read_sizes(const json& value) {
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [axis, size] : value.items()) sizes[axis] = whole_number<std::int64_t>(size);
  return sizes;
}

Difference read_difference(const json& value) {
  Difference difference;
  difference.name = value.at("name");
  difference.summary = value.at("summary");
  difference.clues = value.at("clues").get<std::vector<std::string>>();
  for (const json& entry : value.at("entries")) {
    Difference::Entry read;
    for (const json& i : entry.at("index")) read.index.push_back(whole_number<std::int64_t>(i));
    read.yours = read_number(entry.at("yours"));
    read.expected = read_number(entry.at("expected"));
    if (entry.contains("numeric")) read.numeric = read_number(entry.at("numeric"));
    difference.entries.push_back(std::move(read));
  }
  return difference;
}

json number(double value) {
  return std::isfinite(value) ? json(value) : json(fmt::format("{}", value));
}

json to_json(const Difference& difference) {
  json entries = json::array();
  for (const Difference::Entry& entry : difference.entries) {
    json written{{"index", entry.index}, {"yours", number(entry.yours)}, {"expected", number(entry.expected)}};
    if (entry.numeric) written["numeric"] = number(*entry.numeric);
    entries.push_back(std::move(written));
  }
  return {
      {"name", difference.name}, {"summary", difference.summary}, {"clues", difference.clues}, {"entries", entries}};
}

}  // namespace

json to_json(const Verdict& verdict) {
  json written{{"stopped_before", verdict.stopped_before},
               {"shown", verdict.shown},
               {"outcome", verdict.outcome},
               {"message", verdict.message},
               {"right", verdict.right},
               {"right_probes", verdict.right_probes},
               {"differences", json::array()},
               {"named", verdict.named},
               {"shrunk", json::array()},
               {"repeatable", verdict.repeatable},
               {"axes", verdict.axes}};
  for (const Difference& difference : verdict.differences) written["differences"].push_back(to_json(difference));
  if (verdict.first_probe) written["first_probe"] = to_json(*verdict.first_probe);
  for (const Shrunk& axis : verdict.shrunk) {
    written["shrunk"].push_back({{"axis", axis.axis},
                                 {"size", axis.size},
                                 {"right_at_one", axis.right_at_one},
                                 {"wrong_from", axis.wrong_from}});
  }
  written["partly_named"] = json::array();
  for (const PartlyNamed& part : verdict.partly_named) {
    written["partly_named"].push_back({{"mistake", part.mistake}, {"explains", part.explains}});
  }
  if (verdict.smallest) {
    json& smallest = written["smallest"] = {{"sizes", verdict.smallest->sizes}, {"differences", json::array()}};
    for (const Difference& difference : verdict.smallest->differences) {
      smallest["differences"].push_back(to_json(difference));
    }
  }
  return written;
}

Verdict read_verdict(const json& value) try {
  Verdict verdict;
  verdict.outcome = value.at("outcome");
  verdict.message = value.at("message");
  verdict.stopped_before = value.at("stopped_before");
  verdict.shown = value.at("shown").get<std::vector<std::string>>();
  verdict.right = value.at("right").get<std::vector<std::string>>();
  verdict.right_probes = value.at("right_probes").get<std::vector<std::string>>();
  for (const json& difference : value.at("differences")) verdict.differences.push_back(read_difference(difference));
  if (value.contains("first_probe")) verdict.first_probe = read_difference(value.at("first_probe"));
  verdict.named = value.at("named").get<std::vector<std::vector<std::string>>>();
  for (const json& axis : value.at("shrunk")) {
    verdict.shrunk.push_back({axis.at("axis"), whole_number<std::int64_t>(axis.at("size")), axis.at("right_at_one"),
                              whole_number<std::int64_t>(axis.at("wrong_from"))});
  }
  for (const json& part : value.at("partly_named")) {
    verdict.partly_named.push_back({part.at("mistake"), part.at("explains").get<std::vector<std::string>>()});
  }
  if (value.contains("smallest")) {
    const json& smallest = value.at("smallest");
    verdict.smallest = SmallestCase{read_sizes(smallest.at("sizes")), {}};
    for (const json& difference : smallest.at("differences")) {
      verdict.smallest->differences.push_back(read_difference(difference));
    }
  }
  verdict.repeatable = value.at("repeatable");
  verdict.axes = read_sizes(value.at("axes"));
  return verdict;
} catch (const json::exception&) {
  // The check program is compiled from the sources as they are, and `learn` was compiled before they changed.
  throw std::runtime_error(
      "the course's sources are newer than this program: run exercises/learn, which builds it again");
}

std::string fill_in(const std::string& text, const std::map<std::string, std::int64_t>& axes) {
  std::string filled;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    const auto axis = end == std::string::npos ? axes.end() : axes.find(text.substr(i + 1, end - i - 1));
    if (axis == axes.end()) {
      filled += text[i++];
    } else {
      filled += std::to_string(axis->second);
      i = end + 1;
    }
  }
  return filled;
}

}  // namespace learn

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

FirstProbe read_first_probe(const json& value) {
  return {read_difference(value), value.at("after"), whole_number<int>(value.at("times_right"))};
}

std::vector<Difference> read_differences(const json& value) {
  std::vector<Difference> differences;
  for (const json& difference : value) differences.push_back(read_difference(difference));
  return differences;
}

json number(double value) {
  return std::isfinite(value) ? json(value) : json(fmt::format("{}", value));
}

}  // namespace

// What nlohmann/json calls for the elements of a list.
static void to_json(json& written, const Difference::Entry& entry) {
  written = {{"index", entry.index}, {"yours", number(entry.yours)}, {"expected", number(entry.expected)}};
  if (entry.numeric) written["numeric"] = number(*entry.numeric);
}

static void to_json(json& written, const Difference& difference) {
  written = {{"name", difference.name},
             {"summary", difference.summary},
             {"clues", difference.clues},
             {"entries", difference.entries}};
}

static void to_json(json& written, const FirstProbe& probe) {
  to_json(written, static_cast<const Difference&>(probe));
  written["after"] = probe.after;
  written["times_right"] = probe.times_right;
}

static void to_json(json& written, const Shrunk& axis) {
  written = {
      {"axis", axis.axis}, {"size", axis.size}, {"right_at_one", axis.right_at_one}, {"wrong_from", axis.wrong_from}};
}

static void to_json(json& written, const PartlyNamed& part) {
  written = {{"mistakes", part.mistakes}, {"explains", part.explains}};
}

json to_json(const Verdict& verdict) {
  json written{{"stopped_before", verdict.stopped_before},
               {"shown", verdict.shown},
               {"outcome", verdict.outcome},
               {"message", verdict.message},
               {"right", verdict.right},
               {"right_probes", verdict.right_probes},
               {"differences", verdict.differences},
               {"named", verdict.named},
               {"partly_named", verdict.partly_named},
               {"shrunk", verdict.shrunk},
               {"repeatable", verdict.repeatable},
               {"right_when_first", verdict.right_when_first},
               {"axes", verdict.axes}};
  if (!verdict.only_in.empty()) written["only_in"] = verdict.only_in;
  if (!verdict.named_by_numbers) written["named_by_numbers"] = false;
  if (verdict.first_probe) written["first_probe"] = *verdict.first_probe;
  if (const auto& smallest = verdict.smallest) {
    written["smallest"] = {{"sizes", smallest->sizes}, {"differences", smallest->differences}};
  }
  if (const auto& elsewhere = verdict.elsewhere) {
    written["elsewhere"] = {
        {"usual", elsewhere->usual}, {"other_numbers", elsewhere->other_numbers}, {"numbers", elsewhere->numbers}};
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
  verdict.differences = read_differences(value.at("differences"));
  if (value.contains("first_probe")) verdict.first_probe = read_first_probe(value.at("first_probe"));
  verdict.named = value.at("named").get<std::vector<std::vector<std::string>>>();
  verdict.only_in = value.value("only_in", "");
  verdict.named_by_numbers = value.value("named_by_numbers", true);
  for (const json& axis : value.at("shrunk")) {
    verdict.shrunk.push_back({axis.at("axis"), whole_number<std::int64_t>(axis.at("size")), axis.at("right_at_one"),
                              whole_number<std::int64_t>(axis.at("wrong_from"))});
  }
  for (const json& part : value.at("partly_named")) {
    verdict.partly_named.push_back(
        {part.at("mistakes").get<std::vector<std::string>>(), part.at("explains").get<std::vector<std::string>>()});
  }
  if (value.contains("smallest")) {
    const json& smallest = value.at("smallest");
    verdict.smallest = SmallestCase{read_sizes(smallest.at("sizes")), read_differences(smallest.at("differences"))};
  }
  verdict.repeatable = value.at("repeatable");
  verdict.right_when_first = value.at("right_when_first");
  verdict.axes = read_sizes(value.at("axes"));
  if (value.contains("elsewhere")) {
    const json& elsewhere = value.at("elsewhere");
    verdict.elsewhere =
        Elsewhere{read_sizes(elsewhere.at("usual")), elsewhere.at("other_numbers"), elsewhere.at("numbers")};
  }
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

#include "autograd/debug/instrument_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "autograd/text/words.h"

namespace autograd::debug {

std::vector<Setting> settings_of(const std::string& text) {
  std::vector<Setting> settings;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of(":,", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      settings.push_back({word, "", false});
    } else {
      settings.push_back({word.substr(0, equals), word.substr(equals + 1), true});
    }
    begin = end + 1;
  }
  return settings;
}

void refuse(const Setting& setting, const std::string& expected) {
  const std::string word = setting.has_value ? setting.name + "=" + setting.value : setting.name;
  throw std::invalid_argument(fmt::format("'{}': expected {}", word, expected));
}

namespace {

template <class T> T parsed(const Setting& setting, const std::string& expected) {
  const std::optional<T> value = number_in<T>(setting.value);
  if (!value) refuse(setting, expected);
  return *value;
}

}  // namespace

double number_between(const Setting& setting, double low, double high) {
  const std::string expected = fmt::format("{}=NUMBER, more than {} and at most {}", setting.name, low, high);
  const double value = parsed<double>(setting, expected);
  if (!(value > low && value <= high)) refuse(setting, expected);
  return value;
}

std::uint64_t whole_number(const Setting& setting) {
  return parsed<std::uint64_t>(setting, setting.name + "=N, a whole number");
}

std::uint64_t count_from_one(const Setting& setting) {
  const std::string expected = setting.name + "=N, a whole number from 1 on";
  const auto count = parsed<std::uint64_t>(setting, expected);
  if (count == 0) refuse(setting, expected);
  return count;
}

void expect_no_value(const Setting& setting) {
  if (setting.has_value) refuse(setting, fmt::format("'{}' alone, without a value", setting.name));
}

}  // namespace autograd::debug

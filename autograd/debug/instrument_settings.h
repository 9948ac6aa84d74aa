// The settings after an instrument's name in BACKSTEP: "rate=0.1:continue", words separated by colons or commas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace autograd::debug {

struct Setting {
  std::string name;
  std::string value;  // "" for a word alone
  bool has_value = false;
};
std::vector<Setting> settings_of(const std::string& text);

// All throw std::invalid_argument, which says what was expected.
double number_between(const Setting& setting, double low, double high);
std::uint64_t whole_number(const Setting& setting);
std::uint64_t count_from_one(const Setting& setting);
void expect_no_value(const Setting& setting);
[[noreturn]] void refuse(const Setting& setting, const std::string& expected);

}  // namespace autograd::debug

#include "examples/translate/option_texts.h"

#include <fmt/core.h>

#include <charconv>

#include "examples/translate/refuse.h"

namespace translate {

std::string option_text(const std::string& value) {
  return value;
}

std::string option_text(std::int64_t value) {
  return fmt::format("{}", value);
}

std::string option_text(std::uint64_t value) {
  return fmt::format("{}", value);
}

std::string option_text(double value) {
  return fmt::format("{}", value);
}

std::string option_text(bool value) {
  return value ? "on" : "off";
}

namespace {

template <class Number>
void read_number(const std::string& name, const std::string& text, Number& value, const std::string& what) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end) return;
  refuse_option(fmt::format("--{}: \"{}\" is not {}", name, text, what), "give such a number");
}

}  // namespace

void read_option(const std::string&, const std::string& text, std::string& value) {
  value = text;
}

void read_option(const std::string& name, const std::string& text, std::int64_t& value) {
  read_number(name, text, value, "a whole number of at most 18 digits");
}

void read_option(const std::string& name, const std::string& text, std::uint64_t& value) {
  read_number(name, text, value, "a whole number from 0 to 18446744073709551615");
}

void read_option(const std::string& name, const std::string& text, double& value) {
  read_number(name, text, value, "a number");
}

void read_option(const std::string& name, const std::string& text, bool& value) {
  if (text != "on" && text != "off") refuse_option(fmt::format("--{} is \"{}\"", name, text), "it is on or off");
  value = text == "on";
}

namespace {

const std::string* find(const OptionTexts& texts, const std::string& name) {
  const auto found = texts.find(name);
  return found == texts.end() ? nullptr : &found->second;
}

std::string shown(const OptionTexts& texts, const std::string& name) {
  const std::string* text = find(texts, name);
  if (!text) return "not known";
  return text->empty() ? "none" : *text;
}

}  // namespace

std::vector<std::string> different_options(const OptionTexts& a, const OptionTexts& b) {
  OptionTexts all = a;
  all.insert(b.begin(), b.end());
  std::vector<std::string> names;
  for (const auto& [name, text] : all) {
    const std::string* in_a = find(a, name);
    const std::string* in_b = find(b, name);
    if (!in_a || !in_b || *in_a != *in_b) names.push_back(name);
  }
  return names;
}

std::string describe_differences(const std::vector<std::string>& names, const OptionTexts& ours,
                                 const OptionTexts& theirs) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += fmt::format("--{} {} ({} there)", name, shown(ours, name), shown(theirs, name));
  }
  return text;
}

}  // namespace translate

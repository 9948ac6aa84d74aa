#include "autograd/debug/step/lines.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include "autograd/debug/recording.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

class StreamLines : public Lines {
 public:
  explicit StreamLines(std::istream& in) : in_(in) {}
  std::optional<std::string> read(const std::string&) override {
    std::string line;
    if (!std::getline(in_, line)) return {};
    return line;
  }
  bool is_standard_input() const override { return &in_ == &std::cin; }

 private:
  std::istream& in_;
};

class CalledLines : public Lines {
 public:
  explicit CalledLines(std::function<std::optional<std::string>()> next) : next_(std::move(next)) {}
  std::optional<std::string> read(const std::string&) override { return next_(); }

 private:
  std::function<std::optional<std::string>()> next_;
};

class TextLines : public Lines {
 public:
  TextLines(const std::string& text, std::string file) : in_(text), file_(std::move(file)) {}
  std::optional<std::string> read(const std::string&) override {
    std::string line;
    if (!std::getline(in_, line)) return {};
    return line;
  }
  std::string file() const override { return file_; }

 private:
  std::istringstream in_;
  std::string file_;
};

}  // namespace

std::unique_ptr<Lines> lines_from(std::istream& in) {
  return std::make_unique<StreamLines>(in);
}

std::unique_ptr<Lines> lines_from(std::function<std::optional<std::string>()> next) {
  return std::make_unique<CalledLines>(std::move(next));
}

std::unique_ptr<Lines> lines_from(const std::vector<std::string>& script) {
  std::string text;
  for (const std::string& line : script) text += line + "\n";
  return std::make_unique<TextLines>(text, "");
}

std::unique_ptr<Lines> lines_of_file(const std::string& file) {
  constexpr std::uintmax_t largest = 1 << 20;
  std::error_code problem;
  const bool regular = std::filesystem::is_regular_file(file, problem);  // a device may never end
  const std::uintmax_t size = regular ? std::filesystem::file_size(file, problem) : 0;
  std::ifstream in(file);
  if (!regular || problem || size > largest || !in) {
    throw Refused(fmt::format("the script '{}' cannot be read", printable(file)),
                  "a text file of at most a megabyte, one command a line");
  }
  std::ostringstream text;
  text << in.rdbuf();
  return std::make_unique<TextLines>(text.str(), file);
}

}  // namespace autograd::debug

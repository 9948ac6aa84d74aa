#include "words.h"

#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace random_programs {

const Words& all_words() {
  static const Words all = [] {
    Words together;
    for (const auto family : {source_words, elementwise_words, reduction_words, shape_words, index_words, layer_words,
                              statement_words, tensor_words, module_words, training_words}) {
      for (const Word& one : family()) together.push_back(one);
    }
    return together;
  }();
  return all;
}

const Word& word(const std::string& name) {
  static const std::map<std::string, const Word*> by_name = [] {
    std::map<std::string, const Word*> index;
    for (const Word& one : all_words()) {
      if (!index.emplace(one.name, &one).second) throw std::runtime_error(fmt::format("two words {}", one.name));
    }
    return index;
  }();
  const auto found = by_name.find(name);
  if (found == by_name.end()) throw std::runtime_error(fmt::format("no word {}", name));
  return *found->second;
}

namespace {

bool is_positive(const Tensor& x) {
  return autograd::all(x.detach() > 0.1);
}

bool is_apart_from_zero(const Tensor& x) {
  return autograd::all(autograd::abs(x.detach()) > 0.1);
}

Arg parse_arg(const std::string& text) {
  static const std::map<std::string, Arg> kinds = {
      {"", {Arg::tensor}},
      {"value", {Arg::tensor, "*"}},
      {"nonscalar", {Arg::tensor, "*", 1}},
      {"positive", {Arg::tensor, "*", 0, 0, is_positive}},
      {"nonzero", {Arg::tensor, "*", 0, 0, is_apart_from_zero}},
      {"operand", {Arg::operand, "*"}},
      {"positive_operand", {Arg::operand, "*", 0, 0, is_positive}},
      {"nonzero_operand", {Arg::operand, "*", 0, 0, is_apart_from_zero}},
      {"constant", {Arg::constant, "*"}},
      {"mask", {Arg::mask, "*"}},
      {"indices", {Arg::indices, "*"}},
      {"tensors", {Arg::tensors, "*"}},
      {"changeable", {Arg::changeable, "*"}},
      {"int", {Arg::integer}},
      {"size", {Arg::integer}},
      {"dim", {Arg::dim, "", -2, 2}},
      {"choice", {Arg::choice}},
      {"flag", {Arg::choice, "2"}},
      {"reduction", {Arg::choice, "3"}},
      {"dtype", {Arg::choice, "4"}},
      {"floating", {Arg::floating}},
      {"list", {Arg::list}},
      {"dims", {Arg::list, "", -2, 2}},
      {"shape", {Arg::list, "", -1, 4}},
      {"real", {Arg::real, "", -2, 2}},
  };
  static const std::regex form(R"(([a-z_]*)(\[(.*)\]|\((.*),(.*)\)|\((.)\))?(<(.))?(\?)?)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) throw std::runtime_error(fmt::format("no argument {}", text));
  Arg arg = kinds.at(found[1]);
  if (found[3].matched || found[6].matched) arg.layout = found[3].str() + found[6].str();
  if (found[4].matched) arg.low = std::stod(found[4]), arg.high = std::stod(found[5]);
  arg.bound = found[8];
  arg.may_be_missing = found[9].length() > 0;
  return arg;
}

}  // namespace

Args parse_args(const std::string& text) {
  std::istringstream words(text);
  Args args;
  for (std::string one; words >> one;) args.push_back(parse_arg(one));
  return args;
}

autograd::Reduction Line::reduction(std::size_t i) const {
  return n(i) == 0 ? autograd::Reduction::none : n(i) == 1 ? autograd::Reduction::sum : autograd::Reduction::mean;
}

Shape Line::shape() const {
  const std::ptrdiff_t most = std::min<std::ptrdiff_t>(std::ssize(step.list), autograd::max_dims);
  return Shape(std::vector<std::int64_t>(step.list.begin(), step.list.begin() + most));
}

}  // namespace random_programs

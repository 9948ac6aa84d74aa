#include "words.h"

#include <fmt/core.h>

#include <stdexcept>

#include "maker.h"

namespace random_programs {

const Words& all_words() {
  static const Words all = [] {
    Words together;
    for (const Words& family : {source_words(), elementwise_words(), reduction_words(), product_words(), shape_words(),
                                index_words(), layer_words(), statement_words()}) {
      together.insert(together.end(), family.begin(), family.end());
    }
    return together;
  }();
  return all;
}

const Word& word(const std::string& name) {
  static const std::map<std::string, const Word*> by_name = [] {
    std::map<std::string, const Word*> index;
    for (const Word& one : all_words()) index[one.name] = &one;
    return index;
  }();
  const auto found = by_name.find(name);
  if (found == by_name.end()) throw std::runtime_error(fmt::format("no word {}", name));
  return *found->second;
}

bool one_operand(Maker& maker, Step& step) {
  step.operands = {maker.some()};
  return true;
}

}  // namespace random_programs

// Blocks: what is said of an answer, paragraph by paragraph, and what each of them is. The terminal shows them as text,
// the page as elements (docs/playground/page/result.js).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runner/report/report.h"
#include "runner/text/style.h"

namespace learn {

struct Block {
  enum class Kind {
    gap,
    sentence,
    question,
    because,
    clue,
    right,      // `name`: what they have in common
    different,  // `name` is
    problem,    // at `place`; `name`: what kind of problem
    mistake,
    numbers  // lines of a table, a program or a picture
  };
  Kind kind = Kind::sentence;
  std::string text = {};
  std::string name = {};
  Place place = {};
  bool inside = false;  // what belongs to a difference or a mistake
};
using Blocks = std::vector<Block>;

Blocks& operator+=(Blocks& blocks, const Blocks& more);
// The parts with a gap between those that are not empty.
Blocks sections(const std::vector<Blocks>& parts);
// Lines as they stand there; nothing for "".
Blocks lines_block(const std::string& text);
std::string text_of(const Style& style, const Blocks& blocks);
nlohmann::json to_json(const Blocks& blocks);

}  // namespace learn

// The tokens of a piece of C++ as clang-format leaves it, with the brackets matched: as much as finding the operands of
// an operator takes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace learn {

struct Token {
  enum class Kind { name, number, text, sign };
  Kind kind = Kind::sign;
  std::string spelling;
  std::size_t begin = 0;  // in the piece
  std::size_t end = 0;
  std::size_t match = 0;   // of a bracket: the index of the other one
  bool is_binary = false;  // a sign with a space on both sides
};

// Comments are not tokens.
std::vector<Token> tokens_of(const std::string& code);

}  // namespace learn

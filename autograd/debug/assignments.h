// Assignments: which variables the statements of a source file assign to, read from its lines without a compiler. A
// statement ends where a line ends in ; or a brace. It would rather find no name than a wrong one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace autograd::debug {

struct Statement {
  std::vector<std::string> names;  // more than one: auto [context, weights] = ..; none: nothing is assigned
  std::string object;              // "x" in x.requires_grad_(), where nothing is assigned
  std::string call;                // the outermost call of what is assigned; "" for an operator or an index
  bool calls_own = false;          // that is a function of this file
  std::size_t operations = 0;      // operators and calls in what is assigned
};

struct Assignments {
  std::vector<Statement> statements;
  std::vector<std::size_t> of_line;  // by line, from 0

  const Statement* at(int line) const;
};

Assignments assignments_in(const std::vector<std::string>& lines);

}  // namespace autograd::debug

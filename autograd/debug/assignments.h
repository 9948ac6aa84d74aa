// Assignments: which variables the statements of a source file assign to. Read from its tokens, without a compiler, so
// it would rather find no name than a wrong one.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace autograd::debug {

struct Statement {
  int first_line = 0, last_line = 0;
  std::vector<std::string> names;  // more than one: auto [context, weights] = ..; none: nothing is assigned
  std::string object;              // "x" in x.requires_grad_(), where nothing is assigned
  std::string call;                // the outermost call of what is assigned; "" for an operator or an index
  bool reads_own = false;          // h = tanh(h)
  std::size_t operations = 0;      // operators and calls in what is assigned, without the file's own functions
};

struct Assignments {
  std::vector<Statement> statements;
  std::vector<int> of_line;        // by line, from 0: the innermost statement, -1 where there are several, or none
  std::set<std::string> declared;  // what the file itself declares: functions, variables

  const Statement* at(int line) const;
};

Assignments assignments_in(const std::vector<std::string>& lines);

}  // namespace autograd::debug

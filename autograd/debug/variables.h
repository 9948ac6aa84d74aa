// Variables: a tensor without a name is called like the variable of the program that it was assigned to, as the source
// says. label() has it from then on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "autograd/debug/assignments.h"
#include "autograd/tape/node.h"

namespace autograd::debug {

// An op that ran, the nodes of its inputs, and the composite that it is part of, if any.
struct RanOp {
  Node* node = nullptr;
  const SmallVector<Ref<Node>, 3>* from = nullptr;
  const char* composite = nullptr;
};

class Variables {
 public:
  // `ops` in the order of the program. Where it has stopped among them, the last statement is not at its end yet. What
  // a module returns is called as its caller calls it.
  void name(const std::vector<RanOp>& ops, bool has_stopped);
  // Leaves are called like the variable at the line of requires_grad_(), if no other leaf was marked there.
  void name(const std::vector<Node*>& leaves);

 private:
  const Statement* statement_at(Where where);

  std::map<std::string, Assignments> files_;
};

// "" if it has none.
std::string variable_of(const Node& node);

}  // namespace autograd::debug

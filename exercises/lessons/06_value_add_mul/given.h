// What is given in exercise 06: the node of a graph of numbers, and the walk back through it.
#pragma once

#include <judge/given/walk_back.h>

using given::numbers::Gradients;
using given::numbers::Node;
using given::numbers::NodePtr;

// A leaf: a number that nothing was computed from.
NodePtr value(double data);
// a + b and a * b, as nodes that know their derivatives.
NodePtr add(const NodePtr& a, const NodePtr& b);
NodePtr mul(const NodePtr& a, const NodePtr& b);

struct Answer {
  decltype(&::value) value;
  decltype(&::add) add;
  decltype(&::mul) mul;
};

// A scalar engine, the one of exercises 06 to 10: numbers that know where they came from. Each function is yours where
// its exercise is plugged in.
#pragma once

#include "mine/parts.h"

namespace mine::numbers {

NumberPtr value(double data);
NumberPtr add(const NumberPtr& a, const NumberPtr& b);
NumberPtr multiply(const NumberPtr& a, const NumberPtr& b);
NumberPtr tanh(const NumberPtr& x);
NumberPtr sigmoid(const NumberPtr& x);
NumberPtr log(const NumberPtr& x);

// d(output)/d(node) into the grad of every node of the graph, which are all 0 before.
void walk_back(const NumberPtr& output);
// Gradient descent. Returns the loss before each step.
std::vector<double> train(const std::vector<NumberPtr>& parameters, const Loss& loss, int steps, double rate);
Chain tanh_chain(int length, double x);

}  // namespace mine::numbers

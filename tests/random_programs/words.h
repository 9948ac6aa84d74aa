// The words that programs are made of: each says how it is run, how it is printed, and how a random line with it is
// proposed. A new op becomes one more line in words_*.cpp.
//
//   {"narrow", "narrow({0}, {n0}, {n1}, {n2})", "{0}.narrow({n0}, {n1}, {n2})", propose_narrow, [](In x) {
//      return autograd::narrow(x[0], x.n(0), x.n(1), x.n(2)); }},
//
// In the texts {0} is the first operand, {all} the list of all, {n0} the first number, {b0} the same as a truth value,
// {l} the list, {f} the factor, {r} the number of the step; {args} all operands, {rest} those behind the first with a
// comma before each, {o3} the fourth or what stands for none, {reduction} the first number as a word.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "program.h"

namespace random_programs {

using autograd::Shape;
using autograd::Tensor;

// The gradients that hooks have seen, by step: a hook that runs in two passes has two.
using Records = std::map<int, std::vector<Tensor>>;

// A line as it is run: its values in place of their numbers.
struct Line {
  const Step& step;
  const std::vector<Tensor>& operands;
  Records& records;

  const Tensor& operator[](std::size_t i) const { return operands[i]; }
  std::int64_t n(std::size_t i) const { return step.numbers.at(i); }
  bool flag(std::size_t i) const { return n(i) != 0; }
  Shape list() const { return Shape(step.list); }
  double factor() const { return step.factor; }
  // An operand that may be missing.
  Tensor optional(std::size_t i) const { return i < operands.size() ? operands[i] : Tensor(); }
};
using In = const Line&;

class Maker;

enum class Kind {
  source,     // makes a value from nothing: a leaf, data, integers, a mask
  plain,      // an op
  keeps_out,  // an op whose output may not be changed: its derivative needs it, or it is a view of its operand
  adds,       // an op whose derivative needs neither operands nor output: both may be changed in place afterwards
  hook,       // a statement that looks at the first operand's gradient, or scales it
  in_place,   // a statement that changes its first operand
};

struct Word {
  std::string name;
  std::string cpp;
  std::string python;  // empty where PyTorch has nothing like it
  std::function<bool(Maker&, Step&)> propose;
  std::function<Tensor(In)> run;
  Kind kind = Kind::keeps_out;

  bool is_statement() const { return kind == Kind::hook || kind == Kind::in_place; }
};

using Words = std::vector<Word>;

const Words& all_words();
const Word& word(const std::string& name);
inline const Word& word_of(const Step& step) {
  return word(step.word);
}

// What most words propose: any value.
bool one_operand(Maker& maker, Step& step);

// By family, each in a file of its own.
Words source_words();
Words elementwise_words();
Words reduction_words();
Words product_words();
Words shape_words();
Words index_words();
Words layer_words();
Words statement_words();

}  // namespace random_programs

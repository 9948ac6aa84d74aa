// The words that programs and calls are made of: each says what it takes and how it is run. A new op is one more line.
//
//   {"index_select", "[mn] dim indices[q]<2", [](In x) { return index_select(x[0], x.n(0), x[1]); }},
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "program.h"

namespace random_programs {

using autograd::DType;
using autograd::Shape;
using autograd::Tensor;

// ---- what a word takes ---------------------------------------------------------------------------------------------

// One argument. A program chooses what fits (maker.h), a call draws mostly that and sometimes anything (calls.h).
//
//   value             a tensor of any shape; all values of a call have one      nonscalar   one with dims
//   positive, nonzero a value whose elements, in programs, are well above 0, or none near 0
//   operand           broadcasts with the others; positive_operand, nonzero_operand
//   [mk]              a tensor of these sizes: a letter is the same wherever it stands in a call; G, L: 3 and 4 times h
//   constant[c], mask[bs], indices[b]<c, tensors[mn] (some, the last ones), changeable[mn] (in place); without [..]:
//   value int(-1,3)  dim  size(h)  choice(5): 0 to 4, never anything else  flag  reduction  dtype  floating: the call's
//   own dtype list(0,3)  dims  shape  shape[mn]          real  real(0,1)         and x? may be missing
struct Arg {
  enum Is { tensor, operand, constant, mask, indices, tensors, changeable, integer, dim, choice, floating, list, real };
  Is is;
  std::string layout = "";
  double low = 0.0, high = 0.0;  // of numbers; `low` dims at least
  bool (*fits)(const Tensor&) = nullptr;
  std::string bound = "";  // of indices: a letter or a number
  bool may_be_missing = false;
};
using Args = std::vector<Arg>;

Args parse_args(const std::string& text);

// ---- a line as it is run ---------------------------------------------------------------------------------------------

// The gradients that hooks have seen, by step: a hook that runs in two passes has two.
using Records = std::map<int, std::vector<Tensor>>;

struct Line {
  const Step& step;
  const std::vector<Tensor>& operands;  // undefined where one is missing
  Records& records;

  const Tensor& operator[](std::size_t i) const { return operands.at(i); }
  std::vector<Tensor> from(std::ptrdiff_t i) const { return {operands.begin() + i, operands.end()}; }
  std::int64_t n(std::size_t i) const { return step.numbers.at(i); }
  bool flag(std::size_t i) const { return n(i) != 0; }
  DType dtype(std::size_t i) const { return static_cast<DType>(n(i)); }
  autograd::Reduction reduction(std::size_t i) const;
  double real(std::size_t i = 0) const { return step.reals.at(i); }
  const std::vector<std::int64_t>& list() const { return step.list; }
  Shape shape() const;  // the list, or the first eight of it
};
using In = const Line&;

// Whatever a function gives.
struct Result {
  Result() = default;
  Result(const Tensor& tensor) : tensors{tensor} {}
  Result(std::vector<Tensor> several) : tensors(std::move(several)), is_several(true) {}
  Result(const autograd::ValuesAndIndices& found) : Result(std::vector{found.values, found.indices}) {}
  Result(double number) : tensors{autograd::tensor(number, autograd::float64)} {}

  std::vector<Tensor> tensors;
  bool is_several = false;
};

// ---- words -----------------------------------------------------------------------------------------------------------

// What programs do with it.
enum class Kind {
  call,       // nothing: it is only called
  source,     // makes a value from nothing: a leaf, data, integers, a mask
  plain,      // an op
  keeps_out,  // an op whose output may not be changed: its derivative needs it, or it is a view of its operand
  adds,       // an op whose derivative needs neither operands nor output: both may be changed in place afterwards
  hook,       // a statement that looks at the first operand's gradient, or scales it
  in_place,   // a statement that changes its first operand
};

// What calls expect of it.
enum class Expect {
  finite_values,   // of finite numbers that are not huge, finite ones and finite gradients
  any_values,      // log, division, ..
  change,          // any; and the first tensor is changed in place
  cuts_gradients,  // finite; no gradient flows through it, though it depends on its tensors
};

class Maker;

struct Word {
  using Run = std::function<Result(In)>;
  using Propose = bool (*)(Maker&, Step&);

  std::string name;
  Args args;
  Run run;
  Kind kind;
  Expect expect;
  Propose propose;  // what a program takes; if there is none, as `args` say

  Word(std::string its_name, const std::string& takes, Run runs, Kind is = Kind::call,
       Expect expects = Expect::finite_values, Propose proposes = nullptr)
      : name(std::move(its_name)),
        args(parse_args(takes)),
        run(std::move(runs)),
        kind(is),
        expect(expects),
        propose(proposes) {}
  Word(std::string its_name, const std::string& takes, Run runs, Expect expects)
      : Word(std::move(its_name), takes, std::move(runs), Kind::call, expects) {}
  Word(std::string its_name, const std::string& takes, Run runs, Kind is, Propose proposes)
      : Word(std::move(its_name), takes, std::move(runs), is, Expect::finite_values, proposes) {}

  bool is_statement() const { return kind == Kind::hook || kind == Kind::in_place; }
  bool is_call() const { return kind != Kind::hook && kind != Kind::source; }
};

using Words = std::vector<Word>;

const Words& all_words();
const Word& word(const std::string& name);
inline const Word& word_of(const Step& step) {
  return word(step.word);
}

// By family, each in a file of its own.
Words source_words();
Words elementwise_words();
Words reduction_words();
Words shape_words();
Words index_words();
Words layer_words();
Words statement_words();
Words tensor_words();
Words module_words();
Words training_words();

}  // namespace random_programs

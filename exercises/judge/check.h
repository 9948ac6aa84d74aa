// Check: what the author of an exercise writes with. check(answer, check) in an exercise's check.cpp draws inputs,
// calls the answer and says what it saw. It says nothing about right and wrong: the same function runs on the learner's
// answer, on the solution and on every known mistake, and the records are compared (judge.h).
//
//   const Axes judge::axes = {{"batch", 4}, {"in", 3}, {"out", 2}};
//
//   void check(const Answer& answer, Check& check) {
//     const Tensor x = check.randn("x", {"batch", "in"});
//     ...
//     check.gradient("db", gradients.db, bias, [=] { return (dy * linear(x, weight, bias)).sum(); });
//   }
//
// Everything is float64 unless said otherwise. Sizes are pairwise different and greater than one, so that a report can
// say which axis a factor comes from, and no transposed or missing sum goes unseen.
#pragma once

#include <autograd/autograd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "judge/observation.h"
#include "judge/setting.h"

namespace judge {

// One size of a shape: the name of an axis, or a number.
class Length {
 public:
  Length(const char* axis) : axis_(axis) {}
  Length(int size) : size_(size) {}
  Length(std::int64_t size) : size_(size) {}
  const std::string& axis() const { return axis_; }
  std::int64_t size() const { return size_; }

 private:
  std::string axis_;
  std::int64_t size_ = 0;
};

struct Compare {
  double tolerance = 1e-8;     // relative to the largest entry
  bool hide_expected = false;  // worked out on paper: a report says which are wrong, not what would be right
  bool may_be_zero = false;    // zeros are the point: otherwise an author's check refuses an expected value of zeros
  std::string over = {};       // the axis that a reduction takes together: where factors come from
  std::vector<Region> regions = {};  // parts that the diagnosis may name
};

struct RunOptions {
  bool slow_too = false;    // what takes seconds, too
  bool record_ops = false;  // inputs require gradients, so that every op on them is recorded (steps.h)
  bool only_once = false;   // nothing is called again to find what is not to be called: each print is there once
};

class Check {
 public:
  explicit Check(const Setting& setting, RunOptions options = {});

  // ---- inputs: the same numbers in every run at a setting. An answer that changes one is told so. ---------------
  std::int64_t size(std::string_view axis) const;
  // False at other sizes: those that a right answer must be right at, too, and those of the smallest case that is
  // wrong. An example with sizes of its own belongs under `if (check.at_usual_sizes())`: it would be wrong at every
  // size, and hide what the axes tell.
  bool at_usual_sizes() const;
  autograd::Shape shape(std::initializer_list<Length> lengths) const;
  Tensor randn(std::string name, std::initializer_list<Length> lengths);  // of the kind that the setting says
  // Never of another kind: for what the solution itself measures, and with other numbers not well enough.
  Tensor usual_randn(std::string name, std::initializer_list<Length> lengths);
  Tensor uniform(std::string name, std::initializer_list<Length> lengths, double low, double high);
  Tensor ids(std::string name, std::initializer_list<Length> lengths, std::int64_t vocabulary);
  Tensor input(std::string name, const Tensor& tensor);  // one that the check made itself; returns it
  autograd::Generator& random() { return random_; }

  // ---- what the answer did -----------------------------------------------------------------------------------------
  // Compared with what the solution gives.
  void compare(std::string name, const Tensor& value, Compare options = {});
  void compare(std::string name, double value, Compare options = {});
  void compare(std::string name, const std::vector<double>& values, Compare options = {});
  void compare(std::string name, const std::vector<std::int64_t>& values, Compare options = {});
  void text(std::string name, std::string value);
  // Compared with the solution's, and the solution's with a numeric derivative: loss() is a scalar computed from `at`,
  // which is float64, contiguous and changed in place while it is measured.
  void gradient(std::string name, const Tensor& value, const Tensor& at, std::function<Tensor()> loss,
                Compare options = {});
  // Something that every right answer has. `otherwise` says what is the matter if it does not hold, in one sentence.
  void require(std::string name, bool holds, std::string otherwise);
  // A measured number that must reach a bound: an experiment's target.
  void at_least(std::string name, double measured, double bound);
  void at_most(std::string name, double measured, double bound);
  // A picture or a table for the learner to look at, when the exercise is passed.
  void show(std::string text) { record_.shown.push_back(std::move(text)); }
  // Is this run to do what takes seconds, such as training? Only when everything before it is right; never for a
  // known mistake, which must show itself in what is quick.
  bool slow_part() const { return options_.slow_too; }

  // ---- for the course itself ---------------------------------------------------------------------------------------
  struct Input {
    std::string name;
    Tensor tensor;
    Tensor copy;  // as it was drawn
  };
  const std::vector<Input>& inputs() const { return inputs_; }
  Record& record() { return record_; }

 private:
  Tensor drawn(std::string name, std::initializer_list<Length> lengths, Numbers numbers);
  void bound(std::string name, double measured, double bound, bool holds, std::string_view relation);

  std::map<std::string, std::int64_t, std::less<>> sizes_;
  RunOptions options_;
  Numbers numbers_;
  autograd::Generator random_;
  std::vector<Input> inputs_;
  Record record_;
};

// So many of the list, from its beginning again where it is too short: lengths for as many sentences as a batch has.
template <class T> std::vector<T> cycled(const std::vector<T>& list, std::int64_t count) {
  std::vector<T> result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) result.push_back(list[i % list.size()]);
  return result;
}

// For what learners compute on paper and write down with three decimals.
std::vector<double> to_three_decimals(std::vector<double> values);

}  // namespace judge

using judge::Axes;
using judge::Check;

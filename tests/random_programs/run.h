// One execution of a program.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "program.h"
#include "words.h"

namespace random_programs {

using Values = std::map<int, Tensor>;

// What may be different from one execution to the next.
struct Setting {
  bool hooks = true;                  // run the statements that are hooks
  Values moved = {};                  // leaves that start elsewhere
  const Values* constants = nullptr;  // from another run: what no gradient flows through stays as it was there
};

// What an execution has given, to be compared.
struct Outcome {
  std::vector<Tensor> roots;      // their values
  std::vector<Tensor> gradients;  // of the leaves; undefined where none arrived
  std::vector<Tensor> retained;   // of what was asked to retain them
  Records records;                // what hooks saw
};

class Run {
 public:
  explicit Run(const Program& program, Setting setting = {}) : program_(program), setting_(std::move(setting)) {}

  // The next steps, all that are left unless said otherwise.
  void forward(std::size_t steps = SIZE_MAX);
  void backward(autograd::BackwardOptions options = {}) const;
  // The sum of <gradient of the root, root>, as a part of the graph.
  Tensor total() const;

  // Lets go of all that backward does not ask for: a graph that is released may then use its memory again.
  void forget_values();
  // Forgets all gradients.
  void zero_grad();
  Outcome outcome() const;

  Tensor value(int number) const { return values_.at(number); }
  const Values& values() const { return values_; }
  // What no gradient flows through, as it was when it was computed: later steps may have changed it in place.
  const Values& constants() const { return constants_; }
  std::vector<Tensor> leaves() const;
  std::vector<Tensor> retained() const;  // what was asked to retain its gradient
  std::vector<Tensor> roots() const;     // those that depend on a leaf
  std::vector<Tensor> root_gradients() const;

 private:
  void run_step(const Step& step);
  Tensor run_word(const Step& step);

  const Program& program_;
  Setting setting_;
  std::size_t next_ = 0;
  Values values_;
  Values constants_;
  Records records_;
};

// What the step is given; undefined where it has none.
std::vector<Tensor> operands_of(const Step& step, const Values& values);

// Forward and backward.
Outcome run(const Program& program, const Setting& setting = {});

// Does a gradient flow through this step? Not where the program says so.
bool is_constant(const Step& step);

}  // namespace random_programs

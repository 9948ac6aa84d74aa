// Problem: a function and its inputs, prepared for a check: leaves in one floating dtype, their names, and a way to
// evaluate the function.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autograd/gradcheck/checked_function.h"
#include "autograd/gradcheck/in_dtype.h"
#include "autograd/gradcheck/options.h"
#include "autograd/gradcheck/probe.h"
#include "autograd/tensor/random.h"

namespace autograd::checker {

struct Problem {
  Evaluate evaluate;               // the floating outputs, recorded if recording is on
  std::vector<Tensor> variables;   // the inputs that are checked: contiguous leaves
  std::vector<std::string> names;  // of the variables
};

// The problem of a function with given inputs. While it lives, captured inputs are converted; its destructor restores
// them and the default generator.
class FunctionProblem {
 public:
  FunctionProblem(const CheckedFunction& function, const std::vector<Tensor>& inputs, DType dtype,
                  const GradcheckOptions& options, Where where);
  ~FunctionProblem();
  FunctionProblem(const FunctionProblem&) = delete;
  FunctionProblem& operator=(const FunctionProblem&) = delete;

  const Problem& problem() const { return problem_; }
  // The names of the inputs that the function has changed.
  std::vector<std::string> changed_inputs() const;

 private:
  void take_copies(DType dtype);
  void take_captured(DType dtype);
  void choose_variables(const GradcheckOptions& options);
  std::vector<Tensor> outputs() const;
  void try_once();

  const CheckedFunction& function_;
  std::vector<Tensor> given_;
  std::vector<Tensor> inputs_;  // what the function gets
  std::vector<std::vector<double>> values_;
  std::unique_ptr<InDType> converted_;
  Where where_;
  bool reseed_;
  bool always_record_ = false;  // the function calls backward() or grad() itself
  Generator::State generator_;
  Problem problem_;
};

}  // namespace autograd::checker

// Errors. All have one form: what was asked, what was found, where, and what to do:
//
//   [shape-mismatch] matmul: [2, 3] times [4, 5]: the 3 columns of the first do not meet the 4 rows
//   of the second
//     at: train.cpp:40
//     in: encoder.fc, called at train.cpp:12
//     try: check which dim holds the features
//     more: docs/errors.md#shape-mismatch
//
// The id in brackets is stable and has a section in docs/errors.md.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/memory/ref.h"
#include "autograd/tensor/scope.h"
#include "autograd/tensor/where.h"

namespace autograd {

enum class ErrorId {
  shape_mismatch,       // the shapes do not fit the op or each other
  dtype_mismatch,       // float32 met float64, or ids where numbers were expected
  bad_dim,              // a dim that the tensor does not have, or named twice
  index_out_of_range,   // an index or a slice beyond the size
  token_out_of_range,   // an embedding or a loss met an id that is not in the vocabulary
  bad_argument,         // a value that makes no sense (dropout of 1.5, a negative size)
  bad_length,           // a sequence length of zero, or longer than the sequence
  not_a_scalar,         // backward() or item() on more than one element
  no_graph,             // backward() or grad() on what does not depend on a tensor with gradient
  no_gradient,          // grad() of a tensor that keeps none
  undefined_tensor,     // an op on a tensor that was never given a value
  in_place_clobber,     // backward needs a value that was overwritten
  in_place_on_leaf,     // a change in place to a leaf that needs a gradient, outside NoGradGuard
  in_place_on_view,     // a change in place to memory that is seen through a recorded view
  wrong_gradient,       // what a backward or a hook returned does not fit, or a gradient of a running pass was changed
  nested_backward,      // backward started again on a graph whose backward is running
  not_differentiable,   // gradients with respect to integers or booleans
  state_dict_mismatch,  // names or shapes that do not fit the module
  bad_file,             // a file that cannot be read or written
  bad_safetensors,      // a damaged or hostile safetensors file
  out_of_memory,        // a tensor larger than memory
};

std::string_view name(ErrorId id);  // "shape-mismatch"
std::vector<ErrorId> all_error_ids();

// What an error says, in its parts.
struct ErrorParts {
  ErrorId id;
  std::string op;      // what the program called: "matmul". Of ops within ops it is the outermost
  std::string found;   // one sentence with the shapes and values met
  std::string advice;  // what to do
  Where where = {};
  std::string context =
      {};  // the lines that say where: "\n  at: train.cpp:40\n  in: encoder.fc, called at train.cpp:12"
};

class Error : public std::runtime_error {
 public:
  // The parts may name what comes from a file: they are escaped for a terminal.
  explicit Error(ErrorParts parts);
  ErrorId id() const { return parts_->id; }
  const std::string& op() const { return parts_->op; }
  const std::string& found() const { return parts_->found; }
  const std::string& advice() const { return parts_->advice; }
  Where where() const { return parts_->where; }
  const ErrorParts& parts() const { return *parts_; }
  // What went wrong, without where and what to do: "[shape-mismatch] matmul: [2, 3] times [4, 5]: the 3 columns ..".
  std::string summary() const;

 private:
  explicit Error(std::shared_ptr<const ErrorParts> parts);
  std::shared_ptr<const ErrorParts> parts_;  // shared: an exception is copied without allocating
};

// What a running pass differentiates, for error messages.
struct Differentiated {
  std::string what = {};  // "the backward of: tanh, run at train.cpp:40"; empty outside of backward()
  Where called_at = {};
  Ref<Scope> scope = {};
};

// Throws an Error in the form above. The line with the module is added here, and a composite's own name and line take
// precedence.
[[noreturn]] void fail(ErrorId id, std::string_view op, Where where, std::string_view found, std::string_view advice);

// "train.cpp:40", or "an unknown place".
std::string to_string(Where where);
// The file's name as from the current folder, if it lies below that: builds often name sources with their whole path.
std::string file_from_here(std::string_view file);

}  // namespace autograd

// StateDict: tensors by name, what a model or an optimiser is saved as. The names are PyTorch's
// ("encoder.rnn.weight_ih_l0"), so that a file can go either way (safetensors.h).
#pragma once

#include <autograd/autograd.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nn {

using autograd::DType;
using autograd::Flag;
using autograd::Int;
using autograd::Shape;
using autograd::Tensor;
using autograd::Where;

using StateDict = std::map<std::string, Tensor>;

// Adds the tensors of `part` under longer names, and finds those of a prefix again under their own.
void add_with_prefix(StateDict& all, const std::string& prefix, const StateDict& part);
StateDict with_prefix(const StateDict& all, const std::string& prefix);

// How a state dict differs from what you load.
struct StateDictDifference {
  std::vector<std::string> missing_keys = {};     // expected, but not given
  std::vector<std::string> unexpected_keys = {};  // given, but not expected
  std::vector<std::string> unfit = {};            // one sentence for each entry of the wrong shape or kind
};

// Compares names, shapes and kinds (float32 fits float64 and is converted; int64 and boolean fit only themselves).
StateDictDifference compare(const StateDict& expected, const StateDict& given);

// Throws state-dict-mismatch with everything in `difference`, unless there is nothing in it.
void check_no_difference(std::string_view asked, const StateDictDifference& difference, Where where);

}  // namespace nn

// Checks of arguments that several modules share. Private to nn.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <string_view>

namespace nn {

using autograd::DType;
using autograd::ErrorId;
using autograd::Shape;
using autograd::Tensor;
using autograd::Where;

// Each throws an Error that names the module (`asked`), the argument, what was found and the user's line.

// bad-argument unless value >= 1: an option such as in_features, which has no default.
void check_positive(std::string_view asked, std::string_view option, std::int64_t value, Where where);
// The same for sizes of parameters; bad-argument also for sizes that no memory could hold, so that sums and multiples
// of accepted sizes do not overflow.
void check_size(std::string_view asked, std::string_view option, std::int64_t value, Where where);
// bad-argument unless 1 <= value <= 10,000: more layers are a mistake, and would fill the memory one by one.
void check_layers(std::string_view asked, std::string_view option, std::int64_t value, Where where);
// bad-argument unless low <= value <= high; infinity and NaN are never accepted.
void check_range(std::string_view asked, std::string_view option, double value, double low, double high, Where where);
// bad-argument unless dtype is float32 or float64.
void check_parameter_dtype(std::string_view asked, DType dtype, Where where);

// undefined-tensor, or shape-mismatch unless x has this shape; a size of -1 fits any. `layout` says it in words:
// "[batch, decoder_dim]".
void check_shape(std::string_view asked, std::string_view argument, const Tensor& x, const Shape& expected,
                 std::string_view layout, Where where);

// undefined-tensor unless x has a value.
void check_defined(std::string_view asked, std::string_view argument, const Tensor& x, Where where);

}  // namespace nn

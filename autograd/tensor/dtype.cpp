#include "autograd/tensor/dtype.h"

namespace autograd {

std::string_view name(DType dtype) {
  switch (dtype) {
    case DType::float32: return "float32";
    case DType::float64: return "float64";
    case DType::int64: return "int64";
    case DType::boolean: return "boolean";
  }
  return "?";
}

}  // namespace autograd

// Compiled several times, with VECTORS a name and VECTOR_BYTES the width of a vector (CMakeLists.txt). What is in here
// stays in here: everything but VECTORS is in an unnamed namespace, and nothing of the standard library is used,
// because the linker must never take one file's AVX-512 copy of a function for all.
#include "examples/fast_kernels/exp_vectors.h"
#include "examples/fast_kernels/machine_vectors.h"
#include "examples/fast_kernels/matmul_vectors.h"
#include "examples/fast_kernels/softmax_vectors.h"

#define TEXT_OF(name) #name
#define NAME_OF(macro) TEXT_OF(macro)

namespace fast_kernels {

extern const Vectors VECTORS;
const Vectors VECTORS = {
    .name = NAME_OF(VECTORS),
    .bytes = VECTOR_BYTES,
    .tile_rows = tile_rows,
    .tile_columns = tile_columns,
    .multiply_adds = multiply_adds,
    .registers_in_use = registers_in_use,
    .read = read,
    .matmul_rows = matmul_rows,
    .matmul_tile = matmul_tile,
    .matmul_packed = matmul_packed,
    .matmul_blocked = matmul_blocked,
    .tanh_by_exp = tanh_by_exp,
    .tanh_by_expm1 = tanh_by_expm1,
    .softmax = softmax,
};

}  // namespace fast_kernels

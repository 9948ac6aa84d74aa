// Private to the three simd_*.cpp files: makes the table of functions for one Isa.
#pragma once

#include "autograd/kernels/simd.h"
#include "autograd/kernels/simd_attention.h"
#include "autograd/kernels/simd_gemm.h"
#include "autograd/kernels/simd_math.h"

namespace autograd::kernels {

template <class Isa, class T>
inline constexpr Simd<T> simd_table = {
    .name = Isa::name,
    .add = VectorLoops<Isa, T>::add,
    .sub = VectorLoops<Isa, T>::sub,
    .mul = VectorLoops<Isa, T>::mul,
    .div = VectorLoops<Isa, T>::div,
    .exp = VectorLoops<Isa, T>::exp,
    .tanh = VectorLoops<Isa, T>::tanh,
    .sigmoid = VectorLoops<Isa, T>::sigmoid,
    .max = VectorLoops<Isa, T>::max,
    .exp_sum = VectorLoops<Isa, T>::exp_sum,
    .softmax = VectorLoops<Isa, T>::softmax,
    .log_softmax = VectorLoops<Isa, T>::log_softmax,
    .scaled_exp = VectorLoops<Isa, T>::scaled_exp,
    .weighted_sum = VectorLoops<Isa, T>::weighted_sum,
    .subtract_scaled = VectorLoops<Isa, T>::subtract_scaled,
    .sum = VectorLoops<Isa, T>::sum,
    .sum_of_squares = VectorLoops<Isa, T>::sum_of_squares,
    .adam_step = VectorLoops<Isa, T>::adam_step,
    .additive_score = AdditiveScore<Isa, T>::forward,
    .additive_score_backward = AdditiveScore<Isa, T>::backward,
    .gemm = Gemm<Isa, T>::gemm,
    .packed_columns = Gemm<Isa, T>::tile_columns,
    .packed_size = Gemm<Isa, T>::packed_size,
    .pack = Gemm<Isa, T>::pack_matrix,
    .gemm_packed = Gemm<Isa, T>::gemm_packed,
};

}  // namespace autograd::kernels

// Wrong: the gradients are returned in the order z, r, n, while GruGradients has r, z, n: every pair of gates is
// swapped.
#include "given.h"

GruGradients gru_backward(const Tensor& dh_next, const GruStep& step, const GruWeights& weights) {
  const auto& [x, h, r, z, n, recurrent, h_next] = step;
  const Tensor dz = dh_next * (h - n);
  const Tensor dn = dh_next * (1.0 - z);
  const Tensor da_n = dn * (1.0 - n * n);
  const Tensor dr = da_n * recurrent;
  const Tensor d_recurrent = da_n * r;
  const Tensor da_r = dr * r * (1.0 - r);
  const Tensor da_z = dz * z * (1.0 - z);
  probe("dz", dz);
  probe("dn", dn);
  probe("da_n", da_n);
  probe("dr", dr);
  probe("da_r", da_r);
  probe("da_z", da_z);
  const Tensor dx = matmul(da_r, weights.W_r) + matmul(da_z, weights.W_z) + matmul(da_n, weights.W_n);
  const Tensor dh =
      matmul(da_r, weights.U_r) + matmul(da_z, weights.U_z) + matmul(d_recurrent, weights.U_n) + dh_next * z;
  return {dx,
          dh,
          matmul(da_z.t(), x),
          matmul(da_r.t(), x),
          matmul(da_n.t(), x),
          matmul(da_z.t(), h),
          matmul(da_r.t(), h),
          matmul(d_recurrent.t(), h),
          da_z.sum({0}),
          da_r.sum({0}),
          da_n.sum({0}),
          d_recurrent.sum({0})};
}

// The gates of recurrent layers. PyTorch has no such op by itself; nn_gru_test.cpp compares the layer with PyTorch's.

#include "op_cases.h"

using namespace autograd;

namespace op_cases {

void add_recurrent_cases(Table& table) {
  const auto gates = [](In x) { return gru_gates(x[0], x[1], x[2]); };
  const auto transposed = [](In x) { return gru_gates(x[0].t(), x[1].t(), x[2].t()); };
  const auto one_product = [](In x) { return gru_gates(x[0], x[0], x[1]); };
  table.add("gru_gates", {
                             {"plain", gates,
                              [] {
                                return Tensors{normal({2, 9}), normal({2, 9}), normal({2, 3})};
                              }},
                             {"one_unit", gates,
                              [] {
                                return Tensors{normal({3, 3}), normal({3, 3}), normal({3, 1})};
                              }},
                             {"transposed", transposed,
                              [] {
                                return Tensors{normal({6, 3}), normal({6, 3}), normal({2, 3})};
                              }},
                             {"one_product", one_product,
                              [] {
                                return Tensors{normal({2, 6}), normal({2, 2})};
                              }},
                             {"empty_batch", gates,
                              [] {
                                return Tensors{normal({0, 6}), normal({0, 6}), normal({0, 2})};
                              }},
                         });
}

}  // namespace op_cases

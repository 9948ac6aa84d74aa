// The gates of recurrent layers, and whole layers.

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

const RecurrentLayerOptions in_reverse{.lengths = {}, .reverse = true};
const RecurrentLayerOptions lengths{.lengths = {2, 4, 1}};
const RecurrentLayerOptions lengths_in_reverse{.lengths = {2, 3, 1}, .reverse = true};
const RecurrentLayerOptions lengths_of_1{.lengths = {1, 1}};

// What a layer is called with: the inputs' part, one or two parts of the state, the weights, and perhaps a bias.
template <class Layer> std::vector<Row> layer_rows(Layer layer) {
  const auto plain = [layer](In x) { return layer(x, x[0], {}); };
  const auto with = [layer](const RecurrentLayerOptions& options) {
    return [layer, options](In x) { return layer(x, x[0], options); };
  };
  return {
      {"plain", plain},
      {"no_bias", plain},
      {"reverse", with(in_reverse)},
      {"lengths", with(lengths)},
      {"lengths_reverse", with(lengths_in_reverse)},
      {"lengths_of_1", with(lengths_of_1)},
      {"batch_first", [layer](In x) { return layer(x, x[0].transpose(0, 1), {}); }},
      {"one_step", plain},
      {"one_sequence", plain},
      {"one_unit", plain},
      {"one_number", plain},
      {"many_rows", plain},
  };
}

Tensor gru(In x, const Tensor& from_input, const RecurrentLayerOptions& options) {
  return gru_layer(from_input, x[1], x[2], x.size() > 3 ? x[3] : Tensor(), options);
}
Tensor lstm(In x, const Tensor& from_input, const RecurrentLayerOptions& options) {
  return lstm_layer(from_input, x[1], x[2], x[3], x.size() > 4 ? x[4] : Tensor(), options);
}

}  // namespace

void add_recurrent_cases(Table& table) {
  table.add("gru_gates", composed,
            {
                {"plain", [](In x) { return gru_gates(x[0], x[1], x[2]); }},
                {"one_unit", [](In x) { return gru_gates(x[0], x[1], x[2]); }},
                {"transposed", [](In x) { return gru_gates(x[0].t(), x[1].t(), x[2].t()); }},
                {"one_product", [](In x) { return gru_gates(x[0], x[0], x[1]); }},
                {"empty_batch", [](In x) { return gru_gates(x[0], x[1], x[2]); }},
            });
  table.add("lstm_gates", composed,
            {
                {"plain", [](In x) { return lstm_gates(x[0], x[1], x[2]); }},
                {"one_unit", [](In x) { return lstm_gates(x[0], x[1], x[2]); }},
                {"transposed", [](In x) { return lstm_gates(x[0].t(), x[1].t(), x[2].t()); }},
                {"one_product", [](In x) { return lstm_gates(x[0], x[0], x[1]); }},
                {"empty_batch", [](In x) { return lstm_gates(x[0], x[1], x[2]); }},
            });
  table.add("gru_layer", composed, layer_rows(gru));
  table.add("gru_layer", composed,
            {{"empty_batch", [](In x) { return gru(x, x[0], {}); },
              [] {
                return Tensors{normal({2, 0, 6}), normal({0, 2}), normal({6, 2}), normal({6})};
              }}});
  table.add("lstm_layer", composed, layer_rows(lstm));
  table.add("lstm_layer", composed,
            {{"empty_batch", [](In x) { return lstm(x, x[0], {}); },
              [] {
                return Tensors{normal({2, 0, 8}), normal({0, 2}), normal({0, 2}), normal({8, 2}), normal({8})};
              }}});
}

}  // namespace op_cases
